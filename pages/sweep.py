"""The sweep page, which shows how the end of a run depends on one or two parameters."""

from pages.ui.entry import through_app
from pages.ui.sweep.page import draw

through_app()
draw()
