"""The bounds of the papers' theorems, evaluated from what is measured in a run."""

from collections.abc import Iterable

from learners.theory.boosting import BOOSTING_BOUNDS, Descent
from learners.theory.bound import Bound
from learners.theory.convex import CONVEX_BOUNDS, theorem_6, theorem_6_linear, theorem_8, theorem_8_linear
from learners.theory.measured import Convex, Measured
from learners.theory.mistakes import MISTAKE_BOUNDS, Mistakes
from learners.theory.regret import REGRET_BOUNDS, lemma_4, proposition_5, proposition_6, theorem_1, theorem_2, theorem_5

BOUNDS: dict[str, Bound] = REGRET_BOUNDS | CONVEX_BOUNDS | MISTAKE_BOUNDS | BOOSTING_BOUNDS

__all__ = [
    "BOUNDS",
    "Bound",
    "Convex",
    "Descent",
    "Measured",
    "Mistakes",
    "bounds_by_metric",
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


def bounds_by_metric(ids: Iterable[str]) -> dict[str, str]:
    """Return the metrics under which a learner's bounds are recorded, each with the id of its bound.

    A second bound of those that declare `bound` is recorded under `bound-a-priori`.

    Raises
    ------
    ValueError : if two bounds are left for the same metric.

    >>> bounds_by_metric(["theorem-2", "proposition-5"])
    {'bound': 'theorem-2', 'bound-a-priori': 'proposition-5'}
    """
    found: dict[str, str] = {}
    for id in ids:
        metric = BOUNDS[id].record
        if metric == "bound" and metric in found:
            metric = "bound-a-priori"
        if metric in found:
            raise ValueError(f"a learner can have one bound recorded as {metric}, got {found[metric]} and {id}")
        found[metric] = id
    return found
