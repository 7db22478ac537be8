"""The fixed ranker that a learner is compared with. It stands in for one tuned by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from datasets.ranking import RankingData
from learners.base import Array

LINEAR_SAMPLE = "linear-sample"


def fixed_weights(fixed: Any, data: RankingData, sample: int, rng: np.random.Generator) -> Array:
    """Return the weights (K, d) of the fixed ranker of each task.

    fixed : weights (d,) or (K, d), or "linear-sample" for a least-squares fit of the grades of the documents of
        `sample` random queries. A person might tune such a ranker by hand on a few queries.

    Raises
    ------
    ValueError : for another name, and for weights of another shape or that are not finite.
    """
    if isinstance(fixed, str):
        if fixed != LINEAR_SAMPLE:
            raise ValueError(f"fixed must be {LINEAR_SAMPLE} or weights, got {fixed}")
        queries = rng.choice(data.queries, size=min(sample, data.queries), replace=False)
        rows = np.concatenate([data.documents(int(query)) for query in queries])
        seen = RankingData(data.id, {}, data.features[rows], np.array([0, len(rows)]), data.grades[:, rows])
        fit: Array = seen.weights
        return fit
    weights = np.asarray(fixed, dtype=np.float64)
    if weights.shape not in ((data.dimension,), (data.tasks, data.dimension)) or not np.isfinite(weights).all():
        raise ValueError(
            f"fixed must be {data.dimension} finite weights, or {data.tasks} × {data.dimension}, got {weights.shape}"
        )
    return np.broadcast_to(weights, (data.tasks, data.dimension))
