"""References that find the weights of a linear score in their first round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from learners.base import Array
from learners.boosting.base import Round
from learners.boosting.learning_to_rank.base import Queries, RankBooster
from learners.threads import one_thread

DONE = "Everything was learned in the first round."


@dataclass(kw_only=True)
class LinearRanker(RankBooster):
    """Scores documents by w · x; w is None before the first round."""

    boosts: ClassVar[bool] = False

    def reset(self, problem: Queries, rng: np.random.Generator) -> None:
        self.problem, self.rng, self.last, self.why = problem, rng, Round(), DONE
        self.w: Array | None = None

    def vote(self, features: Array) -> Array:
        assert self.w is not None
        with one_thread():
            scores: Array = features @ self.w
        return scores
