"""The runs that were played in this browser, with notes, to open again and to compare."""

from pages.ui.draw.theme import title
from pages.ui.entry import through_app
from pages.ui.gallery.demos import DEMOS
from pages.ui.home.page import address
from pages.ui.log import log
from pages.ui.recordings import view

EXAMPLES = ("flip", "price", "two-moons")  # demos

through_app()
title(
    "Run log",
    "Every run that was played in this browser, with its data, what differed from the run before, its last values and "
    "your notes. It stays in this browser and is sent nowhere. The 200 latest runs are kept.",
)
log.show([(address(demo.page, demo.link), demo.title) for demo in DEMOS if demo.id in EXAMPLES])
view.section()
