"""The runs that were kept in this browser, to find, open, compare and take away."""

from pages.ui.entry import through_app
from pages.ui.runs.page import draw

through_app()
draw()
