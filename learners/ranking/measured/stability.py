"""Ranking stability: how much of a ranking stays the same over a hundred steps ([S] Fig. 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from datasets.ranking import RankingData
from learners.base import Array
from learners.compiled import compiled
from learners.ranking.step.features import Features, score
from learners.vectors import rank

PROBES, LAG, BIN, MOST_POSITIONS = 100, 100, 50, 10
PAIRS = 2000  # of documents, whose order is compared, over all queries


class RankingLook(NamedTuple):
    """The rankings by some weights.

    top : (R, queries, n) bool, the documents in the top list of each query. order : (R, P) int8 of each pair of
    documents, 1 if the first stands above the second, −1 if below, 0 if their scores are equal.
    """

    top: Array
    order: Array


class Stability:
    """Compares the rankings by w_t with those by w_{t+100}, on up to 100 random queries.

    It counts the documents that the top tens share, and the pairs of documents that stand in the same order. It looks
    once every 50 steps, the bins of the paper's figure. In a query with fewer than 20 documents the better half takes
    the place of the top ten, scaled to ten. Of the pairs it takes all, or as many random ones as there is room for.
    """

    shared: ClassVar[tuple[str, ...]] = ("_x", "_rows", "_lengths", "_starts", "_pairs")

    def __init__(
        self, data: RankingData, x: Features, replicates: int, rng: np.random.Generator, weights: Array | None
    ) -> None:
        chosen = rng.choice(data.queries, size=min(PROBES, data.queries), replace=False)
        self._x = x
        self._rows = np.ascontiguousarray(data.candidates(chosen), dtype=np.int64)
        self._lengths = np.asarray(data.lengths[chosen], dtype=np.int64)
        pairs = [pairs_of(int(n), PAIRS // len(chosen), rng) for n in self._lengths]
        self._starts = np.cumsum([0, *map(len, pairs)])  # of the pairs of each query
        self._pairs = np.concatenate(pairs)
        self._looks = [] if weights is None else [self.look(weights)]
        self._now = np.full((replicates, 2), np.nan)

    def look(self, weights: Array) -> RankingLook:
        """Return how the weights (R, d) rank the documents of each query."""
        top = np.zeros((len(weights), *self._rows.shape), dtype=np.bool_)
        order = np.zeros((len(weights), len(self._pairs)), dtype=np.int8)
        weights = np.ascontiguousarray(weights, dtype=float)
        room = np.empty(self._rows.shape[1]), np.empty(MOST_POSITIONS, dtype=np.int64)
        look_at(self._x, self._rows, self._lengths, self._starts, self._pairs, weights, top, order, *room)
        return RankingLook(top, order)

    def values(self, before: int, steps: int, weights: Sequence[Array] | Array) -> Array:
        """Return what was last seen at each of the steps after step `before`, (steps, R, 2); NaN at first.

        The first number is the overlap of the top tens, the second the share of the pairs in the same order.

        weights : (R, d) after each of these steps that is a multiple of BIN, in turn; none for learners without any.
        """
        return last_seen(before, steps, self._now, self._seen, weights)

    def _seen(self, t: int, weights: Array) -> Array:
        self._looks = [*self._looks[-(LAG // BIN) :], self.look(weights)]
        if len(self._looks) > LAG // BIN:
            self._now = kept(self._looks[0], self._looks[-1])
        return self._now


def last_seen(
    before: int, steps: int, now: Array, look: Callable[[int, Array], Array], weights: Iterable[Array]
) -> Array:
    """Return the numbers that were last seen at each of the steps after step `before`, (steps, …).

    now : those seen before. look : returns those after a step. weights : after each step that is a multiple of BIN.
    """
    result, done = np.empty((steps, *now.shape)), 0
    for step, after in zip(range(BIN - before % BIN, steps + 1, BIN), weights, strict=False):
        result[done : step - 1], done = now, step - 1
        now = look(before + step, after)
    result[done:] = now
    return result


def kept(first: RankingLook, last: RankingLook) -> Array:
    """Return how many documents the top lists share, of ten, and the share of the pairs that keep their order, (R, 2).

    Pairs with equal scores at first have no order; it is NaN where no pair has one.

    >>> before = RankingLook(np.array([[[True, True, False, False]]]), np.array([[1, 1, -1, -1, 0]], dtype=np.int8))
    >>> after = RankingLook(np.array([[[True, False, True, False]]]), np.array([[1, 1, -1, 1, 1]], dtype=np.int8))
    >>> kept(before, after)  # one of two in common, and three of four
    array([[5.  , 0.75]])
    """
    common, share = np.empty(first.top.shape[:2]), np.empty(len(first.top))
    compare(*first, *last, common, share)
    return np.stack([10.0 * common.mean(axis=-1), share], axis=1)


@compiled
def compare(top: Array, order: Array, new_top: Array, new_order: Array, common: Array, share: Array) -> None:
    """Write the share of each top list that is still there to `common` (R, queries), and of the pairs to `share`."""
    for r in range(top.shape[0]):
        for q in range(top.shape[1]):
            listed = both = 0
            for i in range(top.shape[2]):
                listed += top[r, q, i]
                both += top[r, q, i] & new_top[r, q, i]
            common[r, q] = both / listed
        ordered = same = 0
        for p in range(order.shape[1]):
            ordered += order[r, p] != 0
            same += (order[r, p] != 0) & (order[r, p] == new_order[r, p])
        share[r] = same / ordered if ordered > 0 else np.nan


def pairs_of(n: int, most: int, rng: np.random.Generator) -> Array:
    """Return all pairs of n documents, (k, 2), or if there are more than `most`, so many random ones.

    >>> pairs_of(3, 10, np.random.default_rng(0)).tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    if n * (n - 1) // 2 <= most:
        return np.stack(np.triu_indices(n, 1), axis=1)
    first = rng.integers(n, size=most)
    return np.stack([first, (first + rng.integers(1, n, size=most)) % n], axis=1)


@compiled
def look_at(
    x: Features, rows: Array, lengths: Array, starts: Array, pairs: Array, weights: Array, top: Array, order: Array,
    scores: Array, best: Array,
) -> None:  # fmt: skip
    """Mark in `top` (R, queries, n) the documents of the highest scores, ties by number, in each top list, and write
    the order of each pair to `order` (R, P).

    rows : (queries, n) of the features. lengths : (queries,). starts : (queries + 1,) of the pairs (P, 2) of each
    query. weights : (R, d). scores : (n,) and best : (10,) room.
    """
    for q in range(rows.shape[0]):
        most = min(MOST_POSITIONS, lengths[q] // 2)
        for r in range(weights.shape[0]):
            score(x, rows[q, : lengths[q]], weights[r], scores)
            rank(scores[: lengths[q]], best[:most])
            for k in range(most):
                top[r, q, best[k]] = True
            for p in range(starts[q], starts[q + 1]):
                first, second = scores[pairs[p, 0]], scores[pairs[p, 1]]
                order[r, p] = (first > second) - (first < second)
