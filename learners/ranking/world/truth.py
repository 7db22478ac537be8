"""What is true of the queries of a run: who wants what, and the best that a ranking could reach."""

from __future__ import annotations

import numpy as np

from datasets.ranking import RankingData
from learners.base import Array
from learners.ranking.world import measures as metrics
from learners.ranking.world.stock import Stock


class World:
    """The truth behind the data, for R replicates; learners never get to see it.

    turn : (R,) the turn of each replicate, from 0, when tasks are dealt out.

    Attributes
    ----------
    task : (R,) which task (user's wish) each replicate has; they are dealt out in turn.
    gamma : (n,) position discounts of the longest query, 0 beyond the slots.
    cutoff : 5, or the number of slots where there are fewer: the depth of NDCG.
    best_utility, ideal_dcg : (K, Q) utility and DCG@5 of the best ranking of each query, for the K tasks in use.
    stock : what is left, where documents are used up; else None.
    """

    def __init__(self, data: RankingData, turn: Array) -> None:
        self.data = data
        self.cutoff = 5 if data.slots is None else min(5, data.slots)
        self.task = turn % data.tasks
        self._start = (self.task * data.grades.shape[1])[:, None]  # in the flattened grades and utilities
        self.stock = Stock(data, self.task) if data.consumable else None
        self.gamma = data.gamma
        tasks = int(self.task.max()) + 1
        self.best_utility = np.empty((tasks, data.queries))
        self.ideal_dcg = np.empty((tasks, data.queries))
        size = max(1, (1 << 20) // data.longest)
        for a in range(0, data.queries, size):
            queries = np.arange(a, min(a + size, data.queries))
            lengths, documents = data.lengths[queries], data.candidates(queries)
            gamma = self.gamma[: documents.shape[1]]
            for task in range(tasks):
                utility = -np.sort(-masked(data.utility[task, documents], lengths, -np.inf), axis=1)
                grades = -np.sort(-masked(data.grades[task, documents], lengths, -1.0), axis=1)
                finite = np.where(np.isfinite(utility), utility, 0.0)
                self.best_utility[task, queries] = (finite * gamma).sum(axis=1)
                self.ideal_dcg[task, queries] = metrics.dcg(grades, self.cutoff)

    def lengths(self, query: Array) -> Array | None:
        """Documents of each query, or None where all have equally many."""
        return None if self.data.same_length else self.data.lengths[query]

    def grades_of(self, documents: Array, lengths: Array | None) -> Array:
        """(..., R, n) grades, −1 beyond a query's length."""
        return masked(self.data.grades.take(documents + self._start), lengths, -1.0)

    def utility_of(self, documents: Array, lengths: Array | None, beyond: float = -np.inf) -> Array:
        """(..., R, n) true utilities, `beyond` a query's length."""
        return masked(self.data.utility.take(documents + self._start), lengths, beyond)


def masked(values: Array, lengths: Array | None, beyond: float) -> Array:
    """`values` (..., n) with those beyond each query's length replaced."""
    if lengths is None:
        return values
    return np.where(np.arange(values.shape[-1]) < lengths[..., None], values, beyond)
