"""References that find the weights of a linear score in their first round."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from learners.base import Array
from learners.boosting.learning_to_rank.base import Queries, RankBooster
from learners.threads import one_thread


@dataclass(kw_only=True)
class LinearRanker(RankBooster):
    """Score documents by w · x; `learn` finds w (d,) and adds `score` to the ensemble."""

    boosts: ClassVar[bool] = False

    def reset(self, problem: Queries, rng: np.random.Generator) -> None:
        super().reset(problem, rng)
        self.w: Array = np.zeros(problem.features.shape[1])

    def score(self, features: Array) -> Array:
        """Return the scores (n,) of rows (n, d)."""
        with one_thread():
            scores: Array = features @ self.w
        return scores
