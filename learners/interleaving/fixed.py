"""The fixed ranker that a learner is compared with: one tuned by hand, or one fitted to a few queries in its stead."""

import warnings
from typing import Any

import numpy as np

from datasets.parameters import shown
from datasets.ranking import RankingData
from learners.base import Array

LINEAR_SAMPLE, HAND_TUNED = "linear-sample", "hand-tuned"
RANKERS = (LINEAR_SAMPLE, HAND_TUNED)


def fixed_weights(fixed: Any, data: RankingData, sample: int, rng: np.random.Generator) -> Array:
    """Return the weights (K, d) of the fixed ranker of each task.

    fixed : weights (d,) or (K, d); or "hand-tuned" for the ranker that the data bring along; or "linear-sample" for a
        least-squares fit of the grades of the documents of `sample` random queries. A person might tune such a ranker
        by hand on a few queries.

    Raises
    ------
    ValueError : for another name, for "hand-tuned" where the data have no such ranker, and for weights of another shape
        or that are not finite.
    """
    if isinstance(fixed, str):
        if fixed not in RANKERS:
            raise ValueError(f"fixed must be {', '.join(RANKERS)} or weights, got {shown(fixed)}")
        if fixed == HAND_TUNED:
            if data.tuned is None:
                raise ValueError(
                    f"{data.id} has no ranker tuned by hand; choose {LINEAR_SAMPLE}, which is fitted to some of its "
                    "queries, or data such as function-search"
                )
            return np.tile(np.asarray(data.tuned, dtype=np.float64), (data.tasks, 1))
        queries = rng.choice(data.queries, size=min(sample, data.queries), replace=False)
        rows = np.concatenate([data.documents(int(query)) for query in queries])
        seen = RankingData(data.id, {}, data.features[rows], np.array([0, len(rows)]), data.grades[:, rows])
        fit: Array = seen.weights
        return fit
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # complex numbers
            weights = np.asarray(fixed, dtype=np.float64)
    except Exception:
        raise ValueError(f"fixed must be {', '.join(RANKERS)} or weights, got {shown(fixed)}") from None
    if weights.shape not in ((data.dimension,), (data.tasks, data.dimension)) or not np.isfinite(weights).all():
        raise ValueError(
            f"fixed must be {data.dimension} finite weights, or {data.tasks} × {data.dimension}, got {weights.shape}"
        )
    return np.broadcast_to(weights, (data.tasks, data.dimension))
