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


class Context:
    """The candidates of one step, one query a replicate: all that a ranking learner sees of it.

    Attributes
    ----------
    features : (R, n, d) float64 document features.
    gamma : (n,) position discounts, or (R, n) with 0 at positions that a shorter query does not have.
    lengths : (R,) number of documents, or None where every query has n.
    """

    def __init__(self, features: Array, gamma: Array, lengths: Array | None = None) -> None:
        replicates, self.n, _ = features.shape
        self.features = features
        self.gamma = gamma
        self.lengths = lengths
        self._start = np.arange(0, replicates * self.n, self.n)[:, None]  # of each row, flattened

    def rank(self, scores: Array) -> Array:
        """(R, n) documents by falling score; ties by document number.

        >>> Context(np.zeros((1, 3, 1)), np.ones(3)).rank(np.array([[1.0, 2.0, 1.0]]))
        array([[1, 0, 2]])
        """
        if self.lengths is not None:
            scores = np.where(np.arange(self.n) < self.lengths[:, None], scores, -np.inf)
        return np.argsort(-scores, axis=1, kind="stable")

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
        change = self.discounts_of(better) - self.discounts_of(worse)
        difference: Array = np.einsum("rn,rnd->rd", change, self.features)
        return difference

    def discounted(self, scores: Array, ranking: Array) -> Array:
        """w · φ(x, y) = Σ_i γ_i score(y_i), shape (R,)."""
        total: Array = (self.take(scores, ranking) * self.gamma).sum(axis=1)
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

    def reset(self, shape: Shape, replicates: int, rng: np.random.Generator) -> None:
        """Forget everything; `rng` is the learner's own stream of random numbers."""
        self.rng = rng
        self.w: Array = np.zeros((replicates, shape.features))
        if shape.initial_weights is not None:
            self.w = self.w + shape.initial_weights

    @property
    def weights(self) -> Array | None:
        return self.w

    def scores(self, context: Context) -> Array:
        """w · x of every document, shape (R, n)."""
        scores: Array = np.einsum("rnd,rd->rn", context.features, np.asarray(self.weights))
        return scores

    def present(self, context: Context) -> Shown:
        """The ranking to show: by default the best one, argmax_y w · φ(x, y)."""
        scores = self.scores(context)
        ranking = context.rank(scores)
        return Shown(ranking, ranking, scores)

    def update(self, context: Context, shown: Shown, feedback: Feedback) -> Array:
        """Learn from the feedback; returns the feedback ranking ȳ, shape (R, n), that it learned from."""
        raise NotImplementedError
