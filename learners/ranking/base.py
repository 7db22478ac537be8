"""Ranking: what a learner is shown, what it shows, what it hears back, and the arithmetic of rankings.

Shapes: R replicates, n candidate documents of a query (of the longest one, where lengths differ), d
features. A ranking is an (R, n) array of document numbers, best first; documents beyond the length of
a shorter query stand at the end and count for nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from learners.base import Array, Learner, Shape
from learners.random import Source, Stream
from learners.ranking.candidates.shared import SharedRows
from learners.ranking.candidates.sparse import SparseRows


class Context:
    """The candidates of one step, one query a replicate: all that a ranking learner sees of it.

    Attributes
    ----------
    features : (R, n, d) float64 document features, or SparseRows or SharedRows that stand for them. Learners do not
        compute with them but call `scores`, `combine` and `feature_difference`, which know all forms.
    shape : (R, n).
    gamma : (n,) position discounts, or (R, n) with 0 at positions that a shorter query does not have; 0 too beyond
        the slots, where a page has fewer of them than there are documents.
    lengths : (R,) number of documents, or None where every query has n.
    slots : how many positions count at most, n where all do.
    offered : (R, n) bool, which documents can be shown, or None for the first `lengths`. The others, which were used
        up, stand at the end of every ranking.
    order : (R, n) with `offered`: a permutation of the documents, those offered first. From it `rank` takes what comes
        behind the first, where there is one slot: that order means nothing.
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
        self._start = np.arange(0, replicates * self.n, self.n)[:, None]  # of each row, flattened

    def scores(self, weights: Array) -> Array:
        """w · x of every document for weights (R, d), shape (R, n)."""
        if not isinstance(self.features, np.ndarray):
            return self.features.scores(weights)
        scores: Array = np.einsum("rnd,rd->rn", self.features, weights)
        return scores

    def combine(self, coefficients: Array) -> Array:
        """Σ_i c_i x_i for coefficients (R, n) of the documents, shape (R, d)."""
        if not isinstance(self.features, np.ndarray):
            return self.features.combine(coefficients)
        total: Array = np.einsum("rn,rnd->rd", coefficients, self.features)
        return total

    def rank(self, scores: Array) -> Array:
        """(R, n) documents by falling score; ties by document number.

        >>> Context(np.zeros((1, 3, 1)), np.ones(3)).rank(np.array([[1.0, 2.0, 1.0]]))
        array([[1, 0, 2]])
        """
        if self.offered is not None:
            scores = np.where(self.offered, scores, -np.inf)
            if self.slots == 1 and self.order is not None:
                return self._first(scores.argmax(axis=1))
        elif self.lengths is not None:
            scores = np.where(np.arange(self.n) < self.lengths[:, None], scores, -np.inf)
        return np.argsort(-scores, axis=1, kind="stable")

    def _first(self, document: Array) -> Array:
        """(R, n) rankings with one document (R,) each on top, the others as they come."""
        assert self.order is not None
        ranking, rows = self.order.copy(), np.arange(len(document))
        ranking[rows, (ranking == document[:, None]).argmax(axis=1)] = ranking[:, 0]
        ranking[:, 0] = document
        return ranking

    def flat(self, index: Array) -> Array:
        """Where the entries index[r, i] of the rows r of an (R, n) array stand when it is flattened."""
        return self._start + index

    def take(self, values: Array, index: Array) -> Array:
        """values[r, index[r, i]] for all r, i; faster than `np.take_along_axis` on small arrays."""
        return values.take(self._start + index)

    def discounts_of(self, ranking: Array) -> Array:
        """D(y), shape (R, n): the discount that each document gets under the ranking y."""
        result = np.empty(ranking.shape)
        result.put(self._start + ranking, self.gamma)
        return result

    def feature_difference(self, better: Array, worse: Array) -> Array:
        """φ(x, ȳ) − φ(x, y) = (D(ȳ) − D(y)) X, shape (R, d)."""
        if isinstance(self.features, SharedRows):
            s = self.slots
            return self.features.difference(better[:, :s], worse[:, :s], self.gamma[..., :s])
        return self.combine(self.discounts_of(better) - self.discounts_of(worse))

    def discounted(self, scores: Array, ranking: Array) -> Array:
        """w · φ(x, y) = Σ_i γ_i score(y_i), shape (R,)."""
        s = self.slots  # nothing counts beyond
        total: Array = (self.take(scores, ranking[:, :s]) * self.gamma[..., :s]).sum(axis=1)
        return total


@dataclass(frozen=True)
class Pairs:
    """Adjacent positions paired as in FairPairs ([S] Alg. 3).

    partner : (R, n) the position paired with each position, itself where it stands alone.
    swapped : (R, n) whether the documents of the pair were exchanged before they were shown.
    """

    partner: Array
    swapped: Array


@dataclass(frozen=True)
class Shown:
    """What a ranking learner shows: the ranking, and how it came about.

    ranking : (R, n) y_t, what the user meets.
    predicted : (R, n) ŷ_t, the best ranking by the learner's weights.
    scores : (R, n) the learner's score of each document, or None.
    pairs, swap_probability : for learners that perturb; the probability is a number or (R,).
    """

    ranking: Array
    predicted: Array
    scores: Array | None = None
    pairs: Pairs | None = None
    swap_probability: float | Array = 0.0


@dataclass(frozen=True)
class Feedback:
    """What a ranking learner hears: clicks on positions of the shown ranking, or an improved ranking.

    clicks : (R, n) bool by position, or None.
    ranking : (R, n) ȳ_t, or None.
    """

    clicks: Array | None = None
    ranking: Array | None = None


@dataclass(kw_only=True)
class RankingLearner(Learner):
    """The coactive template ([C] §4): observe, present, obtain feedback, update w, shape (R, d)."""

    family: ClassVar[str] = "ranking"
    hears: ClassVar[str] = "user"  # "user", "optimal" (told y*), or "nothing"

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        """Forget everything; `rng` is the learner's own stream of random numbers (or a plain generator, for one)."""
        self.rng = Stream.of(rng, replicates)
        self.w: Array = np.zeros((replicates, shape.features))
        if shape.initial_weights is not None:
            self.w = self.w + shape.initial_weights

    @property
    def weights(self) -> Array | None:
        return self.w

    def scores(self, context: Context) -> Array:
        """w · x of every document, shape (R, n)."""
        return context.scores(np.asarray(self.weights))

    def present(self, context: Context) -> Shown:
        """The ranking to show: by default the best one, argmax_y w · φ(x, y)."""
        scores = self.scores(context)
        ranking = context.rank(scores)
        return Shown(ranking, ranking, scores)

    def update(self, context: Context, shown: Shown, feedback: Feedback) -> Array:
        """Learn from the feedback; returns the feedback ranking ȳ, shape (R, n), that it learned from."""
        raise NotImplementedError
