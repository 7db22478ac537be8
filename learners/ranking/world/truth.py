"""The truth about the queries of a run: what each user wants, and the best that a ranking can reach."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from datasets.ranking import RankingData
from learners.base import Array
from learners.ranking.world import measures
from learners.ranking.world.stock import Stock


class World:
    """The truth behind the data, for R replicates. Learners never see it.

    turn : (R,) the turn of each replicate, from 0, when tasks are dealt out.

    Attributes
    ----------
    task : (R,) the task (what the user wants) of each replicate; tasks are assigned in turn.
    gamma : (n,) position discounts of the longest query, 0 beyond the slots.
    cutoff : the depth of NDCG: 5, or the number of slots if that is smaller.
    best_utility, ideal_dcg : (K, Q) utility and DCG@5 of the best ranking of each query, for the K tasks in use.
    stock : the documents left, if the data are consumable; else None.
    """

    shared: ClassVar[tuple[str, ...]] = ("data", "task", "_start", "gamma", "best_utility", "ideal_dcg")

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
                self.ideal_dcg[task, queries] = measures.dcg(grades, self.cutoff)

    def lengths(self, query: Array) -> Array | None:
        """Return the number of documents of each query, or None if all have the same."""
        return None if self.data.same_length else self.data.lengths[query]

    def grades_of(self, documents: Array, lengths: Array | None) -> Array:
        """Return grades (..., R, n), −1 beyond a query's length."""
        return masked(self.data.grades.take(documents + self._start), lengths, -1.0)

    def utility_of(self, documents: Array, lengths: Array | None, beyond: float = -np.inf) -> Array:
        """Return true utilities (..., R, n), with the value `beyond` past a query's length."""
        return masked(self.data.utility.take(documents + self._start), lengths, beyond)


def masked(values: Array, lengths: Array | None, beyond: float) -> Array:
    """Return `values` (..., n) with the value `beyond` past each query's length."""
    if lengths is None:
        return values
    return np.where(np.arange(values.shape[-1]) < lengths[..., None], values, beyond)
