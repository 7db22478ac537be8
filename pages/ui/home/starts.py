"""The lessons with which a newcomer starts, as cards on the home page."""

from __future__ import annotations

from typing import Any

from pages.ui.lessons.library import lessons

STARTS = ("flip", "perturbation", "regret")  # ids of lessons, in order


def starts() -> list[dict[str, Any]]:
    """Return what the cards say. A lesson that has mistakes is left out, as it is in the list of lessons."""
    known = lessons()
    found = [known[id] for id in STARTS if id in known]
    return [
        {"id": x.id, "number": place, "title": x.title, "text": x.lead, "minutes": x.minutes, "level": x.level}
        for place, x in enumerate(found, 1)
    ]
