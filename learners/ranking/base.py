"""What a ranking learner sees, shows and hears, and the base class of the ranking learners.

Shapes: R replicates, n candidate documents per query (of the longest query if lengths differ), d features. A ranking
is an (R, n) array of document numbers, best first. Documents beyond the length of a shorter query stand at the end and
count for nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from learners.base import Array, Learner, Shape
from learners.random import Source, Stream
from learners.ranking.parts.context import Context

__all__ = ["Context", "Feedback", "Pairs", "RankingLearner", "Shown"]


@dataclass(frozen=True)
class Pairs:
    """Adjacent positions in pairs, as in FairPairs ([S] Alg. 3).

    partner : (R, n) the position paired with each position; the position itself if it stands alone.
    swapped : (R, n) bool, whether the documents of the pair were exchanged before they were shown.
    """

    partner: Array
    swapped: Array


@dataclass(frozen=True)
class Shown:
    """What a ranking learner shows, and how it came about.

    ranking : (R, n) y_t, the ranking that the user sees.
    predicted : (R, n) ŷ_t, the best ranking by the learner's weights.
    scores : (R, n) the learner's score of each document, or None.
    pairs, swap_probability : set by learners that perturb; the probability is a number or (R,).
    """

    ranking: Array
    predicted: Array
    scores: Array | None = None
    pairs: Pairs | None = None
    swap_probability: float | Array = 0.0


@dataclass(frozen=True)
class Feedback:
    """What a ranking learner hears: clicks on positions of the ranking shown, or an improved ranking.

    clicks : (R, n) bool by position, or None.
    ranking : (R, n) ȳ_t, or None.
    """

    clicks: Array | None = None
    ranking: Array | None = None


@dataclass(kw_only=True)
class RankingLearner(Learner):
    """The coactive template ([C] §4): observe, present, obtain feedback, update w, shape (R, d)."""

    family: ClassVar[str] = "ranking"
    hears: ClassVar[str] = "user"  # the user's feedback; or "optimal", the best ranking y*; or "nothing"

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        """Forget everything. `rng` is the learner's own stream of random numbers (or a plain generator, for one)."""
        self.rng = Stream.of(rng, replicates)
        self.w: Array = np.zeros((replicates, shape.features))
        if shape.initial_weights is not None:
            self.w = self.w + shape.initial_weights

    @property
    def weights(self) -> Array | None:
        return self.w

    def scores(self, context: Context) -> Array:
        """Return w · x of every document, shape (R, n)."""
        return context.scores(np.asarray(self.weights))

    def best(self, context: Context, places: int = 1) -> Shown:
        """Return the best ranking, argmax_y w · φ(x, y), in order at least in the slots and the first `places`."""
        scores = self.scores(context)
        ranking = context.rank(scores, places)
        return Shown(ranking, ranking, scores)

    def present(self, context: Context) -> Shown:
        """Return the ranking to show: by default the best one."""
        return self.best(context)

    def update(self, context: Context, shown: Shown, feedback: Feedback) -> Array:
        """Learn from the feedback and return the feedback ranking ȳ, shape (R, n), that was learned from."""
        raise NotImplementedError
