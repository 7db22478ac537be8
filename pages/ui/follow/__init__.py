"""A teacher leads, and the pages of a class follow: the same page, settings and step, until a student leaves.

`routes` are added to the server's by app.py, which calls `begin` before each page. `offer` draws, in a dialog, how to
lead a class. `note` tells the class what the teacher chose in widgets that stand in no link.
"""

from pages.ui.follow.channel import routes
from pages.ui.follow.lead import offer
from pages.ui.follow.session import begin, note

__all__ = ["begin", "note", "offer", "routes"]
