"""NDCG on test queries that no learner sees, of the ranking by the weights that a learner has after some steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from datasets.ranking import RankingData
from learners.base import Array
from learners.compiled import compiled
from learners.ndcg import dcg, discounts
from learners.ranking.measured.stability import last_seen
from learners.ranking.searches.block import gain
from learners.ranking.step.features import Features, score
from learners.vectors import writable

CUTOFF = 10
OFTEN, RATIO = 1000, 1.05  # every 50 steps up to step 1000, then whenever a twentieth more steps were taken
NUMBERS = 20_000_000  # of features that are read to measure one replicate


class HeldOut:
    """Measures NDCG@10 on the test queries of the data, if they have any.

    It measures before the first step, after every 50 steps up to step 1000, and then as soon as a twentieth more steps
    have been taken. Of test queries with more than 20 million numbers it takes as many as hold so many, evenly spaced.
    """

    shared: ClassVar[tuple[str, ...]] = ("_x", "_rows", "_lengths", "_grades", "_ideal", "_discount", "_task")

    def __init__(self, data: RankingData, task: Array, weights: Array | None = None) -> None:
        self._now = np.full(len(task), np.nan)
        self._last, self._task, test = 0, task, data.test
        self._measures = test is not None
        if test is None:
            return
        most = max(1, min(test.queries, NUMBERS // (test.longest * test.dimension)))
        chosen = np.linspace(0, test.queries - 1, most).round().astype(int)
        self._x, self._discount = Features.of(test.features), writable(discounts(CUTOFF), np.float64)
        self._rows = np.ascontiguousarray(test.candidates(chosen), dtype=np.int64)
        self._lengths = np.asarray(test.lengths[chosen], dtype=np.int64)
        self._grades = writable(test.grades, np.float64)
        there = np.arange(self._rows.shape[1]) < self._lengths[:, None]
        best = -np.sort(-np.where(there, test.grades[:, self._rows], -1.0), axis=2)
        self._ideal = np.ascontiguousarray(dcg(best, CUTOFF))  # (K, queries)
        if weights is not None:
            self._now = self.look(weights)

    def look(self, weights: Array) -> Array:
        """Return the mean NDCG@10 of the rankings by the weights (R, d), (R,)."""
        found = np.zeros(len(weights))
        room = np.empty(self._rows.shape[1])
        weights = np.ascontiguousarray(weights, dtype=float)
        task, ideal = np.asarray(self._task, dtype=np.int64), self._ideal
        mean_ndcg(self._x, self._rows, self._lengths, self._grades, ideal, task, self._discount, weights, room, found)
        return found

    def values(self, before: int, steps: int, weights: Sequence[Array] | Array) -> Array:
        """Return what was last measured at each of the steps after step `before`, (steps, R).

        weights : (R, d) after each of these steps that is a multiple of BIN, in turn; none for learners without any.
        """
        return last_seen(before, steps, self._now, self._seen, weights if self._measures else ())

    def _seen(self, t: int, weights: Array) -> Array:
        if t <= OFTEN or t >= RATIO * self._last:
            self._now, self._last = self.look(weights), t
        return self._now


@compiled
def scored_dcg(scores: Array, grades: Array, rows: Array, count: int, discount: Array) -> float:
    """Return the DCG of documents ranked by falling score, the mean over all orders of documents with equal scores.

    scores : (n,), of which the first `count` belong to documents. rows : (n,) their places in grades. discount : (k,).
    """
    total, above, place = 0.0, np.inf, 0
    while place < discount.shape[0]:
        best = -np.inf
        for i in range(count):
            if best < scores[i] < above:
                best = scores[i]
        tied, gains = 0, 0.0
        for i in range(count):
            if scores[i] == best:
                tied += 1
                gains += gain(grades[rows[i]])
        if tied == 0:
            break
        for j in range(place, min(place + tied, discount.shape[0])):
            total += gains / tied * discount[j]
        place, above = place + tied, best
    return total


@compiled
def mean_ndcg(
    x: Features, rows: Array, lengths: Array, grades: Array, ideal: Array, task: Array, discount: Array,
    weights: Array, scores: Array, found: Array,
) -> None:  # fmt: skip
    """Write to `found` (R,) the mean NDCG of the rankings by the weights (R, d); a query without relevance counts as 0.

    rows : (queries, n) of the features and grades (K, N). lengths : (queries,). ideal : (K, queries) of the best
    ranking. task : (R,). discount : (k,) of the first ranks. scores : (n,) room.
    """
    for r in range(weights.shape[0]):
        total = 0.0
        for q in range(rows.shape[0]):
            most = ideal[task[r], q]
            if most > 0.0:
                score(x, rows[q, : lengths[q]], weights[r], scores)
                total += scored_dcg(scores, grades[task[r]], rows[q], lengths[q], discount) / most
        found[r] = total / rows.shape[0]
