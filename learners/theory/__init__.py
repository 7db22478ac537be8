"""The bounds of the papers' theorems, evaluated with what was measured in a run."""

from learners.theory.bound import Bound
from learners.theory.mistakes import MISTAKE_BOUNDS, Mistakes
from learners.theory.regret import (
    REGRET_BOUNDS,
    Measured,
    proposition_5,
    proposition_6,
    theorem_1,
    theorem_2,
)

BOUNDS: dict[str, Bound] = REGRET_BOUNDS | MISTAKE_BOUNDS

__all__ = [
    "BOUNDS",
    "Bound",
    "Measured",
    "Mistakes",
    "proposition_5",
    "proposition_6",
    "theorem_1",
    "theorem_2",
]
