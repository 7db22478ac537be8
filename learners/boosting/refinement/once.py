"""References that give their scores in the first round, and have nothing to add in the later ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from learners.base import Array
from learners.boosting.base import Round, stopped
from learners.boosting.refinement.base import Judged, Refiner


@dataclass(kw_only=True)
class Once(Refiner):
    """A refiner that says in `scores` how the documents are to be ranked, once and for all."""

    boosts: ClassVar[bool] = False

    def reset(self, problem: Judged, rng: np.random.Generator) -> None:
        self.problem, self.rounds = problem, 0
        self.found: Array | None = None

    def scores(self, problem: Judged) -> tuple[Array | None, str]:
        """(n,) scores of the documents, or None if there are none, and then why."""
        raise NotImplementedError

    def round(self) -> Round:
        self.rounds += 1
        if self.rounds == 1:
            self.found, self.why = self.scores(self.problem)
            if self.found is not None:
                return Round(step=1.0, answers=self.found)
        return stopped(Round(), self.why or "Everything was learned in the first round.")

    def vote(self, features: Array) -> Array:
        return np.zeros(len(features)) if self.rounds > 1 or self.found is None else self.found


def scaled(problem: Judged) -> Array:
    """(n, d + 1) features and the base ranker's score, each scaled to 0 … 1 over the query's documents, as in LETOR.

    What is the same for all documents becomes 0.

    >>> scaled(Judged(np.array([[1.0, 5.0], [3.0, 5.0]]), np.array([2.0, -2.0]), np.array([0]), np.array([1.0])))
    array([[0., 0., 1.],
           [1., 0., 0.]])
    """
    x = np.column_stack([problem.features, problem.base])
    low, high = x.min(axis=0), x.max(axis=0)
    result: Array = (x - low) / np.where(high > low, high - low, 1.0)
    return result
