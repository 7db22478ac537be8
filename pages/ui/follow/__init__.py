"""A teacher leads, and the pages of a class follow: the same page, settings and step, until a student leaves.

`routes` are added to the server's by app.py, which calls `begin` before each page. `offer` draws, in a dialog, how to
lead a class, and `link` is what its students open. `stay_open` runs the page again under the dialog. `note` tells the
class what the teacher chose in widgets that stand in no link.
"""

from pages.ui.follow.channel import routes
from pages.ui.follow.lead import STAYS_OPEN, link, offer, stay_open
from pages.ui.follow.session import begin, note

__all__ = ["STAYS_OPEN", "begin", "link", "note", "offer", "routes", "stay_open"]
