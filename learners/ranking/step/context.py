"""The candidates of one step as a learner sees them, and the arithmetic of their rankings."""

from functools import cached_property

import numpy as np

from learners.base import Array
from learners.ranking.step import steps
from learners.ranking.step.features import Features
from learners.ranking.step.work import Work


class Context:
    """The candidate documents of one step, one query per replicate. A ranking learner sees nothing else of it.

    Attributes
    ----------
    shape : (R, n). n : documents of the longest query.
    gamma : (n,) position discounts, 0 for those that do not count.
    counts : (R,) number of documents offered. lengths : the same, or None if every query offers n.
    slots : places of the list; n if it shows all documents.
    on_page : (R,) positions on the results page, below which nobody sees a document; n if all are.
    offered : (R, n) bool, the documents that can be shown, or None for the first `lengths`. Documents that are not
        offered stand at the end of every ranking.
    order : (R, n) a permutation of the documents with the offered ones first; given only together with `offered`. If
        there is one slot, `rank` takes from it the order beyond the places it was asked for; that order has no meaning.

    Parameters
    ----------
    features : (R, n, d) features of the documents; or stored `Features`, whose rows (R, n) are then given by `rows`.
    """

    def __init__(
        self,
        features: Array | Features,
        gamma: Array,
        lengths: Array | None = None,
        slots: int | None = None,
        offered: Array | None = None,
        order: Array | None = None,
        rows: Array | None = None,
        on_page: Array | None = None,
    ) -> None:
        if not isinstance(features, Features):
            self.shape = features.shape[:2]
            rows = np.arange(self.shape[0] * self.shape[1]).reshape(self.shape)
            features = Features.of(np.reshape(features, (rows.size, -1)))
        assert rows is not None
        self.x, self.rows, self.shape = features, rows, rows.shape
        self.n = self.shape[1]
        self.slots = self.n if slots is None else min(slots, self.n)
        self.offered, self.order, self.lengths = offered, order, lengths
        self.counts = np.full(self.shape[0], self.n) if lengths is None else np.require(lengths, np.int64, ["C", "W"])
        self.on_page = np.full(self.shape[0], self.slots) if on_page is None else np.minimum(on_page, self.slots)
        self.gamma = np.require(gamma, np.float64, ["C", "W"])
        self._start = np.arange(0, self.rows.size, self.n)[:, None]  # where each row starts in a flattened array

    @cached_property
    def features(self) -> Array:
        """(R, n, d) the documents' features, copied."""
        return self.x.gather(self.rows.ravel()).reshape(*self.shape, self.x.d)

    def work(
        self, numbers: Array | None = None, memory: Array | None = None, tries: int = 1, read: bool = False
    ) -> Work:
        """Return arrays for a compiled step on these candidates (see `Work.of`)."""
        made = Work.of(self.n, self.x.d, self.shape[0], numbers, memory, tries, read)._replace(
            rows=np.ascontiguousarray(self.rows, dtype=np.int64), on_page=self.on_page.astype(np.int64)
        )
        if self.offered is None or self.order is None:
            return made
        order = np.ascontiguousarray(self.order, dtype=np.int64)
        return made._replace(page=made.page._replace(offered=self.offered.copy(), order=order))

    @property
    def page(self) -> tuple[Array, int, Array]:
        """Counts, slots and discounts, as compiled functions take them."""
        return self.counts, self.slots, self.gamma

    def scores(self, weights: Array) -> Array:
        """Return w · x of every document, shape (R, n), for weights (R, d)."""
        found = np.zeros(self.shape)
        steps.score_all(self.x, self.rows, np.ascontiguousarray(weights, dtype=float), found)
        return found

    def rank(self, scores: Array, places: int = 1) -> Array:
        """Return the documents by falling score, ties by document number, shape (R, n).

        With one slot and an `order`, only the first `places` positions are sorted, in time O(places · n) per replicate.

        >>> Context(np.zeros((1, 3, 1)), np.ones(3)).rank(np.array([[1.0, 2.0, 1.0]]))
        array([[1, 0, 2]])
        """
        work = self.work()
        steps.rank_all(work, *self.page, np.ascontiguousarray(scores, dtype=float), places)
        return work.page.predicted

    def flat(self, index: Array) -> Array:
        """Return the positions of the entries index[r, i] of each row r in a flattened (R, n) array."""
        return self._start + index

    def take(self, values: Array, index: Array) -> Array:
        """Return values[r, index[r, i]] for all r and i; faster than `np.take_along_axis` on small arrays."""
        return values.take(self._start + index)

    def feature_difference(self, better: Array, worse: Array) -> Array:
        """Return φ(x, ȳ) − φ(x, y) = Σ_i γ_i (x_ȳ(i) − x_y(i)), shape (R, d), for two rankings (R, n)."""
        work = self.work()
        rankings = (np.ascontiguousarray(y, dtype=np.int64) for y in (better, worse))
        steps.difference_all(work, *self.page, self.x, *rankings)
        return work.delta

    def discounted(self, scores: Array, ranking: Array) -> Array:
        """Return w · φ(x, y) = Σ_i γ_i score(y_i), shape (R,)."""
        s = min(self.slots, self.n)  # beyond them nothing counts
        there = np.arange(s) < self.counts[:, None]
        total: Array = np.where(there, self.take(scores, ranking[:, :s]) * self.gamma[:s], 0.0).sum(axis=1)
        return total
