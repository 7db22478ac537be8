"""The lessons with which a newcomer starts, as cards on the home page."""

from typing import Any

from pages.ui.lessons.library import lessons
from pages.ui.lessons.shelf import says

STARTS = ("flip", "perturbation", "regret")  # ids of lessons, in order


def starts() -> list[dict[str, Any]]:
    """Return what the cards say. A lesson that has mistakes is left out, as it is in the list of lessons."""
    known = lessons()
    return [says(known[id]) for id in STARTS if id in known]
