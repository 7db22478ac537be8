"""The rankings of R queries of different lengths, side by side, and how good they are."""

import numpy as np

from learners.base import Array
from learners.boosting.refinement.metrics import DEEPEST
from learners.boosting.ties import ranked
from learners.ndcg import discounts, first_of_ties, gains, normalised, shared


class Lists:
    """Rank R queries with n documents at most by scores, ties by the base ranker, and measure their NDCG.

    Documents that the base ranker ties too share their places (see `learners.ndcg`).

    Parameters
    ----------
    grades : R arrays of true grades, each as long as its query. base : likewise, scores of the base ranker.
    judged : likewise bool, which documents were judged.

    >>> one = Lists([np.array([0.0, 1.0, 1.0])], [np.array([3.0, 2.0, 1.0])], [np.array([True, False, False])])
    >>> one.order([np.zeros(3)])
    array([[0, 1, 2]])
    >>> full, unjudged = one.whole(one.order([np.zeros(3)]), [np.zeros(3)])
    >>> full.round(3), unjudged  # (0.631 + 0.5) / 1.631, and both unjudged documents are relevant
    (array([0.693]), array([1.]))
    """

    def __init__(self, grades: list[Array], base: list[Array], judged: list[Array]) -> None:
        self.lengths = np.array([len(g) for g in grades])
        self.gains = self._padded([gains(g) for g in grades], 0.0)
        self.base, self.unjudged = self._padded(base, -np.inf), self._padded([~j for j in judged], False)
        self.base_order = np.tile(np.arange(self.gains.shape[1]), (len(base), 1))
        for r, scores in enumerate(base):
            self.base_order[r, : len(scores)] = ranked(scores)
        self.discounts = discounts(self.gains.shape[1])
        self.ideal = np.cumsum(-np.sort(-self.gains, axis=1) * self.discounts, axis=1)
        self.ideal_unjudged = self._dcg(-np.sort(-self.gains * self.unjudged, axis=1))

    def _padded(self, rows: list[Array], fill: float) -> Array:
        """Return R arrays as one, (R, n); what is beyond the end of a shorter one is `fill`."""
        result = np.full((len(rows), int(self.lengths.max())), fill, dtype=np.asarray(rows[0]).dtype)
        for r, row in enumerate(rows):
            result[r, : len(row)] = row
        return result

    def order(self, scores: list[Array]) -> Array:
        """Return documents (R, n) by falling score, ties by the base ranker; missing documents come last."""
        before = np.take_along_axis(self._padded(scores, -np.inf), self.base_order, axis=1)
        return np.take_along_axis(self.base_order, np.argsort(-before, axis=1, kind="stable"), axis=1)

    def at(self, order: Array, scores: list[Array]) -> Array:
        """Return NDCG@1 … NDCG@25, (R, 25), of scores in this order; beyond the end of a query its last value."""
        mean = shared(np.take_along_axis(self.gains, order, axis=1), self._first(order, scores))
        found = np.cumsum(mean * self.discounts, axis=1)
        ranks = np.minimum(np.arange(DEEPEST), self.lengths[:, None] - 1)
        return normalised(np.take_along_axis(found, ranks, axis=1), np.take_along_axis(self.ideal, ranks, axis=1))

    def whole(self, order: Array, scores: list[Array]) -> tuple[Array, Array]:
        """Return NDCG (R,) of the whole lists, and of what is left of them without the judged documents."""
        first, in_order = self._first(order, scores), np.take_along_axis(self.gains, order, axis=1)
        left = np.take_along_axis(self.unjudged, order, axis=1)
        closed_up = np.argsort(~left, axis=1, kind="stable")
        group = np.where(left, np.cumsum(first, axis=1), 0)  # judged documents come last, in a group without gain
        rest = np.take_along_axis(in_order * left, closed_up, axis=1)
        rest = shared(rest, first_of_ties(np.take_along_axis(group, closed_up, axis=1)))
        full = normalised(self._dcg(shared(in_order, first)), self.ideal[:, -1])
        return full, normalised(self._dcg(rest), self.ideal_unjudged)

    def _first(self, order: Array, scores: list[Array]) -> Array:
        """Return whether each document (R, n) begins a group that neither the scores nor the base ranker tell apart."""
        keys = self._padded(scores, -np.inf), self.base
        return first_of_ties(*(np.take_along_axis(key, order, axis=1) for key in keys))

    def _dcg(self, values: Array) -> Array:
        """Return the DCG (R,) of gains in ranked order, term by term: the padding must not change a bit."""
        total: Array = np.cumsum(values * self.discounts, axis=1)[:, -1]
        return total
