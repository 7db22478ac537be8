"""The base of the classification learners, what they show and hear, and how they explore.

Shapes: R replicates, d features, K classes. Labels are integers from 0 to K − 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from learners.base import Array, Learner, Shape
from learners.classification.linear import Examples, Moves
from learners.random import EACH, Source, Stream

_DRAWS = 256  # steps whose random numbers are drawn at once


class Shown(NamedTuple):
    """What a learner answers, and how it chose it.

    label : (R,) ỹ, the label played; (R, r) for a learner that shows r labels. predicted : ŷ, of the same shape.
    scores : (R, K) the score of each label. gamma : γ_t, a number or (R,). explored : (R,) bool, whether the label was
    drawn at random (it may still be the predicted one).
    """

    label: Array
    predicted: Array
    scores: Array
    gamma: float | Array
    explored: Array


class Feedback(NamedTuple):
    """What a learner hears.

    right : bool of the shape of the label played, whether it is the true one. label : (R,) the true label for learners
    with full information, None for all others.
    """

    right: Array
    label: Array | None = None


@dataclass(kw_only=True)
class ClassificationLearner(Learner):
    """Base of the classification learners, which receive x, predict ŷ, play ỹ, hear whether it is right, and update W.

    This is the bandit protocol of [B] §2 and §3. W has the shape (R, d + 1, K), see `linear`. Since it is large, it is
    the one piece of state that changes in place; the moves that `update` returns say what was added to it.
    """

    family: ClassVar[str] = "classification"
    hears: ClassVar[str] = "right"  # "right", whether the label played is right, or "label", the true label
    moved: ClassVar[str] = "row"  # what the moves are added to, in words

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        """Forget everything learned. `rng` is the stream of random numbers of the learner (or a plain generator)."""
        self.rng, self.replicates = Stream.of(rng, replicates), replicates
        self.features, self.classes = shape.features, shape.classes
        self._drawn = _DRAWS
        self.minus_one: Array = np.full(replicates, -1.0)
        self.W: Array = np.zeros((replicates, shape.features + 1, shape.classes))

    @property
    def weights(self) -> Array | None:
        return self.W[:, : self.features].swapaxes(1, 2)

    def exploration(self) -> float | Array:
        """Return γ_t, the probability of exploring at this step."""
        return 0.0

    def predict(self, x: Examples) -> tuple[Array, Array]:
        """Return the scores of the labels (R, K), and the label with the highest (R,), the first of ties."""
        return x.predict(self.W)

    def present(self, x: Examples) -> Shown:
        """Play ŷ = argmax_r (W x)_r, or with probability γ a random label."""
        scores, predicted = self.predict(x)
        gamma = self.exploration()
        label, explored = self.sample(predicted, gamma)
        return Shown(label, predicted, scores, gamma, explored)

    def sample(self, predicted: Array, gamma: float | Array) -> tuple[Array, Array]:
        """Draw ỹ from P(r) = (1 − γ)[r = ŷ] + γ/K; return it, and whether it came from the random part."""
        explore, anyone = self.draws()
        explored = explore < gamma
        label = predicted.copy()
        np.putmask(label, explored, anyone)
        return label, explored

    def draws(self) -> tuple[Array, Array]:
        """Return the uniform numbers (R,) and the uniform labels (R,) of this step."""
        if self._drawn == _DRAWS:
            self._drawn = 0
            draws = self.rng.random((_DRAWS, 2, EACH))
            self._uniform = draws[:, 0]
            self._labels = (draws[:, 1] * self.classes).astype(np.intp)
        self._drawn += 1
        return self._uniform[self._drawn - 1], self._labels[self._drawn - 1]

    def probability(self, shown: Shown) -> Array:
        """Return P(ỹ) (R,), the probability of the label played, whether or not it was predicted."""
        share = shown.gamma / self.classes
        return np.where(shown.label == shown.predicted, 1 - shown.gamma + share, share)

    def update(self, x: Examples, shown: Shown, feedback: Feedback) -> Moves:
        """Learn from the feedback, and return what was added to the weights, or to the parameters behind them."""
        raise NotImplementedError


def distribution(predicted: int, gamma: float, classes: int) -> Array:
    """Return P(r) = (1 − γ)[r = ŷ] + γ/K for each label r, shape (K,).

    >>> distribution(predicted=1, gamma=0.3, classes=3).round(3)
    array([0.1, 0.8, 0.1])
    """
    p = np.full(classes, gamma / classes)
    p[predicted] += 1 - gamma
    return p
