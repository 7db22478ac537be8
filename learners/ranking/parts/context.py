"""The candidates of one step as a learner sees them, and the arithmetic of their rankings."""

from __future__ import annotations

import numpy as np

from learners.base import Array
from learners.ranking.parts.shared import SharedRows
from learners.ranking.parts.sparse import SparseRows


class Context:
    """The candidate documents of one step, one query per replicate. A ranking learner sees nothing else of it.

    Attributes
    ----------
    features : (R, n, d) float64 document features, or a SparseRows or SharedRows that stands for them. Learners call
        `scores`, `combine` and `feature_difference`, which handle every form.
    shape : (R, n).
    gamma : (n,) position discounts, or (R, n) with 0 at positions that a shorter query lacks. Positions beyond the
        slots have discount 0.
    lengths : (R,) number of documents, or None if every query has n.
    slots : number of positions that count; n if all do.
    offered : (R, n) bool, the documents that can be shown, or None for the first `lengths`. Documents that are not
        offered stand at the end of every ranking.
    order : (R, n) a permutation of the documents with the offered ones first; given only together with `offered`. If
        there is one slot, `rank` takes from it the order beyond the places it was asked for; that order has no meaning.
    """

    def __init__(
        self,
        features: Array | SparseRows | SharedRows,
        gamma: Array,
        lengths: Array | None = None,
        slots: int | None = None,
        offered: Array | None = None,
        order: Array | None = None,
    ) -> None:
        replicates, self.n, _ = features.shape
        self.slots = self.n if slots is None else min(slots, self.n)
        self.offered, self.order = offered, order
        self.features = features
        self.shape = (replicates, self.n)
        self.gamma = gamma
        self.lengths = lengths
        self._start = np.arange(0, replicates * self.n, self.n)[:, None]  # where each row starts in a flattened array

    def scores(self, weights: Array) -> Array:
        """Return w · x of every document, shape (R, n), for weights (R, d)."""
        if not isinstance(self.features, np.ndarray):
            return self.features.scores(weights)
        scores: Array = np.einsum("rnd,rd->rn", self.features, weights)
        return scores

    def combine(self, coefficients: Array) -> Array:
        """Return Σ_i c_i x_i, shape (R, d), for document coefficients (R, n)."""
        if not isinstance(self.features, np.ndarray):
            return self.features.combine(coefficients)
        total: Array = np.einsum("rn,rnd->rd", coefficients, self.features)
        return total

    def rank(self, scores: Array, places: int = 1) -> Array:
        """Return the documents by falling score, ties by document number, shape (R, n).

        With one slot and an `order`, only the first `places` positions are sorted, in time O(places · n) per replicate.

        >>> Context(np.zeros((1, 3, 1)), np.ones(3)).rank(np.array([[1.0, 2.0, 1.0]]))
        array([[1, 0, 2]])
        """
        if self.offered is not None:
            scores = np.where(self.offered, scores, -np.inf)
            if self.slots == 1 and self.order is not None:
                return self._lead(scores, self.order, places)
        elif self.lengths is not None:
            scores = np.where(np.arange(self.n) < self.lengths[:, None], scores, -np.inf)
        return np.argsort(-scores, axis=1, kind="stable")

    def _lead(self, scores: Array, order: Array, places: int) -> Array:
        """Return `order` with the documents of the highest scores moved to its first places. Overwrites `scores`."""
        rows = np.arange(len(scores))
        for place in range(min(places, self.n)):
            best = scores.argmax(axis=1)
            found = scores[rows, best] > -np.inf  # False where fewer documents are left than places
            order = exchange(order, np.where(found, best, order[:, place]), place)
            scores[rows, best] = -np.inf
        return order

    def flat(self, index: Array) -> Array:
        """Return the positions of the entries index[r, i] of each row r in a flattened (R, n) array."""
        return self._start + index

    def take(self, values: Array, index: Array) -> Array:
        """Return values[r, index[r, i]] for all r and i; faster than `np.take_along_axis` on small arrays."""
        return values.take(self._start + index)

    def discounts_of(self, ranking: Array) -> Array:
        """Return D(y), shape (R, n), the discount that the ranking y gives to each document."""
        result = np.empty(ranking.shape)
        result.put(self._start + ranking, self.gamma)
        return result

    def feature_difference(self, better: Array, worse: Array) -> Array:
        """Return φ(x, ȳ) − φ(x, y) = (D(ȳ) − D(y)) X, shape (R, d)."""
        if isinstance(self.features, SharedRows):
            s = self.slots
            return self.features.difference(better[:, :s], worse[:, :s], self.gamma[..., :s])
        return self.combine(self.discounts_of(better) - self.discounts_of(worse))

    def discounted(self, scores: Array, ranking: Array) -> Array:
        """Return w · φ(x, y) = Σ_i γ_i score(y_i), shape (R,)."""
        s = self.slots  # later positions have discount 0
        total: Array = (self.take(scores, ranking[:, :s]) * self.gamma[..., :s]).sum(axis=1)
        return total


def exchange(ranking: Array, document: Array, place: int = 0) -> Array:
    """Return the rankings (R, n) with the documents (R,) exchanged with those at one place.

    >>> exchange(np.array([[4, 2, 0, 1, 3]]), np.array([1]))
    array([[1, 2, 0, 4, 3]])
    """
    result, rows = ranking.copy(), np.arange(len(ranking))
    result[rows, (ranking == document[:, None]).argmax(axis=1)] = ranking[:, place]
    result[:, place] = document
    return result
