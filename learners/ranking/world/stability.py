"""Ranking stability: how much of the top ten stays the same over a hundred steps ([S] Fig. 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from datasets.ranking import RankingData
from learners.base import Array
from learners.compiled import compiled
from learners.ranking.parts.features import Features, score
from learners.ranking.world import measures

PROBES, LAG, BIN, MOST = 100, 100, 50, 10


class Stability:
    """Counts the documents that the top tens of w_t and w_{t+100} share, on up to 100 random queries.

    It looks once every 50 steps, the bins of the paper's figure. In a query with fewer than 20 documents the better
    half takes the place of the top ten, scaled to ten.
    """

    shared: ClassVar[tuple[str, ...]] = ("_x", "_rows", "_lengths")

    def __init__(
        self, data: RankingData, x: Features, replicates: int, rng: np.random.Generator, weights: Array | None
    ) -> None:
        chosen = rng.choice(data.queries, size=min(PROBES, data.queries), replace=False)
        self._x = x
        self._rows = np.ascontiguousarray(data.candidates(chosen), dtype=np.int64)
        self._lengths = np.asarray(data.lengths[chosen], dtype=np.int64)
        self._tops = [] if weights is None else [self.top(weights)]
        self._now = np.full(replicates, np.nan)

    def top(self, weights: Array) -> Array:
        """Return which documents the weights (R, d) put in the top list of each query, (R, queries, n) bool."""
        top = np.zeros((len(weights), *self._rows.shape), dtype=np.bool_)
        weights = np.ascontiguousarray(weights, dtype=float)
        mark_tops(
            self._x,
            self._rows,
            self._lengths,
            weights,
            top,
            np.empty(self._rows.shape[1]),
            np.empty(MOST, dtype=np.int64),
        )
        return top

    def values(self, before: int, steps: int, weights: Sequence[Array] | Array) -> Array:
        """Return the overlap last seen at each of the steps after step `before`, (steps, R); NaN at first.

        weights : (R, d) after each of these steps that is a multiple of BIN, in turn; none for learners without any.
        """
        result = np.empty((steps, len(self._now)))
        done = 0
        for step, now in zip(range(BIN - before % BIN, steps + 1, BIN), weights, strict=False):
            result[done : step - 1], done = self._now, step - 1
            self._tops = [*self._tops[-(LAG // BIN) :], self.top(now)]
            if len(self._tops) > LAG // BIN:
                self._now = measures.overlap(self._tops[0], self._tops[-1])
        result[done:] = self._now
        return result


@compiled
def mark_tops(x: Features, rows: Array, lengths: Array, weights: Array, top: Array, scores: Array, best: Array) -> None:
    """Mark in `top` (R, queries, n) the documents of the highest scores, ties by number, in each top list.

    rows : (queries, n) of the features. lengths : (queries,). weights : (R, d). scores : (n,) and best : (10,) room.
    """
    for q in range(rows.shape[0]):
        most = min(MOST, lengths[q] // 2)
        for r in range(weights.shape[0]):
            score(x, rows[q, : lengths[q]], weights[r], scores)
            size = 0
            for i in range(lengths[q]):
                if size == most and not scores[i] > scores[best[size - 1]]:
                    continue
                k = min(size, most - 1)
                while k > 0 and scores[best[k - 1]] < scores[i]:
                    best[k] = best[k - 1]
                    k -= 1
                best[k] = i
                size = min(size + 1, most)
            for k in range(size):
                top[r, q, best[k]] = True
