"""The home page, with a ranking that moves, lessons to start with, and demos that open with everything set."""

from pages.ui.draw.theme import title
from pages.ui.entry import through_app
from pages.ui.home import others, page

through_app()

title("Feedback Lab")
page.show()
others.offer()
