"""Scores at random: a lower reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from learners.base import Array, Line
from learners.boosting.base import Round, stopped
from learners.boosting.learning_to_rank.base import Queries, RankBooster


@dataclass(kw_only=True)
class RandomScores(RankBooster):
    """Gives every document a score drawn at random, in the first round, and learns nothing.

    >>> learner = RandomScores()
    >>> learner.reset(Queries(np.zeros((2, 1)), np.array([0, 2]), np.zeros(2)), np.random.default_rng(0))
    >>> learner.round().step, learner.vote(np.zeros((2, 1))).round(2)
    (1.0, array([0.64, 0.27]))
    """

    boosts: ClassVar[bool] = False
    id: ClassVar[str] = "random-scores"
    title: ClassVar[str] = "Random scores"
    needs: ClassVar[str] = "nothing"
    summary: ClassVar[str] = (
        "Ranks the documents of every query at random and learns nothing: what NDCG chance reaches."
    )
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "(a lower reference, not in the text)"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("predict", r"Draw a score $F(x)$ for each document of each query, uniformly from $[0, 1)$"),
    )

    def reset(self, problem: Queries, rng: np.random.Generator) -> None:
        self.rng, self.drawn = rng, False

    def round(self) -> Round:
        if self.drawn:
            return stopped(Round(), "nothing is learnt after the first round")
        self.drawn = True
        return Round(step=1.0)

    def vote(self, features: Array) -> Array:
        scores: Array = self.rng.random(len(features))
        return scores
