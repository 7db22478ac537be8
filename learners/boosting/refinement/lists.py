"""The rankings of R queries of different lengths, side by side, and how good they are."""

from __future__ import annotations

import numpy as np

from datasets.ranking import discounts
from learners.base import Array
from learners.boosting.refinement.metrics import DEEPEST
from learners.boosting.ties import ranked


class Lists:
    """R queries with n documents at most.

    Parameters
    ----------
    grades : R arrays of true grades, each as long as its query. base : likewise, scores of the base ranker.
    judged : likewise bool, which documents were judged.

    >>> one = Lists([np.array([0.0, 1.0, 1.0])], [np.array([3.0, 2.0, 1.0])], [np.array([True, False, False])])
    >>> one.order([np.zeros(3)])
    array([[0, 1, 2]])
    >>> full, unjudged = one.whole(one.order([np.zeros(3)]))
    >>> full.round(3), unjudged  # (0.631 + 0.5) / 1.631, and both unjudged documents are relevant
    (array([0.693]), array([1.]))
    """

    def __init__(self, grades: list[Array], base: list[Array], judged: list[Array]) -> None:
        self.lengths = np.array([len(g) for g in grades])
        gains = self._padded([np.exp2(g) - 1.0 for g in grades], 0.0)
        self.base_order = np.tile(np.arange(gains.shape[1]), (len(base), 1))
        for r, scores in enumerate(base):
            self.base_order[r, : len(scores)] = ranked(scores)
        self.gains, self.unjudged = gains, self._padded([~j for j in judged], False)
        self.discounts = discounts(gains.shape[1])
        best = -np.sort(-gains, axis=1)
        self.ideal = np.cumsum(best * self.discounts, axis=1)
        self.ideal_unjudged = self._dcg(-np.sort(-gains * self.unjudged, axis=1))

    def _padded(self, rows: list[Array], fill: float) -> Array:
        """(R, n) from R arrays; what is beyond the end of a shorter one is `fill`."""
        result = np.full((len(rows), int(self.lengths.max())), fill, dtype=np.asarray(rows[0]).dtype)
        for r, row in enumerate(rows):
            result[r, : len(row)] = row
        return result

    def order(self, scores: list[Array]) -> Array:
        """(R, n) documents by falling score, ties by the base ranker; a shorter query ends with documents that are not there."""
        before = np.take_along_axis(self._padded(scores, -np.inf), self.base_order, axis=1)
        return np.take_along_axis(self.base_order, np.argsort(-before, axis=1, kind="stable"), axis=1)

    def at(self, order: Array) -> Array:
        """(R, 25) NDCG@1 … NDCG@25; 1 where no document is relevant, and of short queries beyond the end the last value."""
        found = np.cumsum(np.take_along_axis(self.gains, order, axis=1) * self.discounts, axis=1)
        ranks = np.minimum(np.arange(DEEPEST), self.lengths[:, None] - 1)
        return _share(np.take_along_axis(found, ranks, axis=1), np.take_along_axis(self.ideal, ranks, axis=1))

    def whole(self, order: Array) -> tuple[Array, Array]:
        """(R,) NDCG of the whole lists, and of what is left of them without the judged documents."""
        gains = np.take_along_axis(self.gains, order, axis=1)
        left = np.take_along_axis(self.unjudged, order, axis=1)
        closed_up = np.take_along_axis(gains * left, np.argsort(~left, axis=1, kind="stable"), axis=1)
        return _share(self._dcg(gains), self.ideal[:, -1]), _share(self._dcg(closed_up), self.ideal_unjudged)

    def _dcg(self, gains: Array) -> Array:
        """(R,) DCG of gains in ranked order, term by term: how far the lists are padded must not change a bit."""
        total: Array = np.cumsum(gains * self.discounts, axis=1)[:, -1]
        return total


def _share(found: Array, ideal: Array) -> Array:
    """found / ideal, 1 where there is nothing to be found."""
    return np.divide(found, ideal, out=np.ones(found.shape), where=ideal > 0)
