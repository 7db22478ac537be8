"""The runs that this browser has finished, with notes, to open again and to compare."""

from pages.ui.draw.theme import title
from pages.ui.entry import through_app
from pages.ui.log import log

through_app()
title(
    "Run log",
    "Every run that a lab has finished in this browser, with what differed from the run before, its final values and "
    "your notes. It stays in this browser and is sent nowhere. The 200 latest runs are kept.",
)
log.show()
