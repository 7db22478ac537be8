"""The bounds of the papers' theorems, evaluated with what was measured in a run."""

from learners.theory.boosting import BOOSTING_BOUNDS, Descent
from learners.theory.bound import Bound
from learners.theory.convex import CONVEX_BOUNDS, theorem_6, theorem_6_linear, theorem_8, theorem_8_linear
from learners.theory.mistakes import MISTAKE_BOUNDS, Mistakes
from learners.theory.regret import (
    REGRET_BOUNDS,
    Convex,
    Measured,
    lemma_4,
    proposition_5,
    proposition_6,
    theorem_1,
    theorem_2,
    theorem_5,
)

BOUNDS: dict[str, Bound] = REGRET_BOUNDS | CONVEX_BOUNDS | MISTAKE_BOUNDS | BOOSTING_BOUNDS

__all__ = [
    "BOUNDS",
    "Bound",
    "Convex",
    "Descent",
    "Measured",
    "Mistakes",
    "lemma_4",
    "proposition_5",
    "proposition_6",
    "theorem_1",
    "theorem_2",
    "theorem_5",
    "theorem_6",
    "theorem_6_linear",
    "theorem_8",
    "theorem_8_linear",
]
