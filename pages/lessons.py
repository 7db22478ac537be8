"""The lessons: a card asks what you expect, the lab plays, and you see whether it happens."""

from pages.ui.entry import through_app
from pages.ui.lessons import page

through_app()
page.run()
