"""Ranking stability: how much of the top ten stays the same over a hundred steps ([S] Fig. 2)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from datasets.ranking import RankingData
from learners.base import Array
from learners.ranking.world import measures

PROBES, LAG, BIN = 100, 100, 50
LONG = 500  # documents from which selecting the top is faster than sorting all


class Stability:
    """Counts the documents that the top tens of w_t and w_{t+100} share, on up to 100 random queries.

    It looks once every 50 steps, the bins of the paper's figure. In a query with fewer than 20 documents the better
    half takes the place of the top ten, scaled to ten.
    """

    shared: ClassVar[tuple[str, ...]] = ("_features", "_there", "_k")

    def __init__(self, data: RankingData, replicates: int, rng: np.random.Generator, weights: Array | None) -> None:
        chosen = rng.choice(data.queries, size=min(PROBES, data.queries), replace=False)
        lengths, documents = data.lengths[chosen], data.candidates(chosen)
        rows = data.features[documents.ravel()]
        self._features = rows.astype(np.float64) if data.sparse else np.asarray(rows, dtype=np.float64)
        self._there = np.arange(documents.shape[1]) < lengths[:, None]
        self._k = np.minimum(10, lengths // 2)[:, None]
        self._tops = [] if weights is None else [self.top(weights)]
        self._noted: list[Array | None] = []  # what each step found since the last call of `values`, if it looked
        self._now = np.full(replicates, np.nan)

    def top(self, weights: Array) -> Array:
        """Return which documents the weights (R, d) put in the top list of each query, (R, queries, n) bool."""
        dense = isinstance(self._features, np.ndarray)
        scores = weights @ self._features.T if dense else (self._features @ weights.T).T
        scores = scores.reshape(len(weights), *self._there.shape)
        if scores.shape[-1] > LONG:
            return _top(np.where(self._there, scores, -np.inf), self._k)
        order = np.argsort(-np.where(self._there, scores, -np.inf), axis=-1, kind="stable")
        top = np.zeros(scores.shape, dtype=bool)
        in_top = np.broadcast_to(np.arange(scores.shape[-1]) < self._k, scores.shape)
        np.put_along_axis(top, order, in_top, axis=-1)
        return top

    def note(self, t: int, weights: Array | None) -> None:
        """Look at the weights after step t if a bin ends there."""
        value = None
        if weights is not None and t % BIN == 0:
            self._tops = [*self._tops[-(LAG // BIN) :], self.top(weights)]
            if len(self._tops) > LAG // BIN:
                value = measures.overlap(self._tops[0], self._tops[-1])
        self._noted.append(value)

    def values(self, steps: int) -> Array:
        """Return the overlap last seen at each of the latest steps, (steps, R); NaN before the first."""
        result = np.empty((steps, len(self._now)))
        for row, value in enumerate(self._noted):
            self._now = self._now if value is None else value
            result[row] = self._now
        self._noted = []
        return result


def _top(scores: Array, k: Array) -> Array:
    """Return the k highest of each row, ties by place, (..., n) bool. k is (rows, 1), at most 10.

    >>> _top(np.array([[1.0, 2.0, 1.0, 1.0]]), np.array([[2]]))
    array([[ True,  True, False, False]])
    """
    n = scores.shape[-1]
    most = int(k.max())
    highest = -np.sort(-np.partition(scores, n - most, axis=-1)[..., n - most :], axis=-1)
    lowest = np.take_along_axis(highest, np.broadcast_to(k - 1, (*scores.shape[:-1], 1)), axis=-1)
    above = scores > lowest
    equal = scores == lowest
    top: Array = above | (equal & (np.cumsum(equal, axis=-1) <= k - above.sum(axis=-1, keepdims=True)))
    return top
