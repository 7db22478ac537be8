"""The lessons with which a newcomer starts, as cards on the home page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Start:
    """A card that opens a lesson."""

    id: str
    title: str
    text: str
    minutes: int
    level: str
    number: int

    @property
    def words(self) -> dict[str, Any]:
        """What the card says."""
        return {name: getattr(self, name) for name in ("title", "text", "minutes", "level", "number")}


def starts() -> tuple[Start, ...]:
    """Return the three lessons to start with."""
    return (
        Start(
            "flip", "Why a perceptron flips",
            "One wrong click, and the best document is at the bottom. Find the click, and the reason.", 8,
            "first steps", 1,
        ),
        Start(
            "perturbation", "What perturbation buys and costs",
            "Swap neighbours at random before you show the list. Why does this calm the learner?", 8, "first steps", 2,
        ),
        Start(
            "regret", "Regret, and what 1/√T looks like",
            "How far is a learner from the best ranking, and how fast does it catch up?", 8, "first steps", 3,
        ),
    )  # fmt: skip
