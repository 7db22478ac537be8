"""Scores at random: a lower reference."""

import copy
from dataclasses import dataclass
from typing import ClassVar

from learners.base import Array, Line
from learners.boosting.base import Round
from learners.boosting.learning_to_rank.base import RankBooster


@dataclass(kw_only=True)
class RandomScores(RankBooster):
    """Give every document a score drawn at random, by its place among the rows, and learn nothing.

    >>> import numpy as np
    >>> from learners.boosting.learning_to_rank.base import Queries
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
    finds: ClassVar[str] = "every document got a score drawn at random, from which nothing was learned"
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "(a lower reference, not in the text)"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "predict",
            r"Draw a score $F(x)$ for each document of each query, uniformly from $[0, 1)$",
            "It draws a random score for each document. It is the yardstick for those that learn.",
        ),
    )

    def learn(self) -> Round:
        self.add(1.0, self.draw)
        return Round(step=1.0)

    def draw(self, features: Array) -> Array:
        """Return the scores (n,) of rows (n, d), the same for the same number of rows."""
        scores: Array = copy.deepcopy(self.rng).random(len(features))
        return scores
