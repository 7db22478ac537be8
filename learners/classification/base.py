"""Classification: what a learner is shown, what it says, what it is told, and how it explores.

Shapes: R replicates, d features, K classes. Labels are integers from 0 to K − 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from learners.base import Array, Learner, Shape
from learners.classification.linear import Examples, Moves
from learners.random import EACH, Source, Stream

_DRAWS = 256  # steps for which random numbers are drawn at once


class Shown(NamedTuple):
    """What a learner says, and how it came about.

    label : (R,) ỹ, the label played; (R, r) for a learner that shows r labels. predicted : ŷ, of the same shape.
    scores : (R, K) the score of each label. gamma : γ_t, a number or (R,). explored : (R,) bool, whether the label was
    drawn at random (which may hit the predicted one).
    """

    label: Array
    predicted: Array
    scores: Array
    gamma: float | Array
    explored: Array


class Feedback(NamedTuple):
    """What a learner is told.

    right : of the shape of the label played: whether it is the true one. label : (R,) the true label, for learners with
    full information only; None for all others.
    """

    right: Array
    label: Array | None = None


@dataclass(kw_only=True)
class ClassificationLearner(Learner):
    """The bandit template of [B] §2 and §3: receive x, predict ŷ, play ỹ, hear whether it is right, update W.

    W has the shape (R, d + 1, K), see `linear`. It is large, so it is the one
    piece of state that is changed in place; what an update added is told by the moves it returns.
    """

    family: ClassVar[str] = "classification"
    hears: ClassVar[str] = "right"  # "right", whether the label played is the true one; or "label", the true label

    moved: ClassVar[str] = "row"  # what the moves are added to, in words

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        """Forget everything; `rng` is the learner's own stream of random numbers (or a plain generator, for one)."""
        self.rng, self.replicates = Stream.of(rng, replicates), replicates
        self.features, self.classes = shape.features, shape.classes
        self._drawn = _DRAWS
        self.minus_one: Array = np.full(replicates, -1.0)
        self.W: Array = np.zeros((replicates, shape.features + 1, shape.classes))

    @property
    def weights(self) -> Array | None:
        return self.W[:, : self.features].swapaxes(1, 2)

    def exploration(self) -> float | Array:
        """γ_t, the chance to explore at this step."""
        return 0.0

    def predict(self, x: Examples) -> tuple[Array, Array]:
        """(R, K) the score of each label, and (R,) the label with the highest, the first of equal ones."""
        return x.predict(self.W)

    def present(self, x: Examples) -> Shown:
        """The label to play: ŷ = argmax_r (W x)_r, exchanged for a random one with probability γ."""
        scores, predicted = self.predict(x)
        gamma = self.exploration()
        label, explored = self.sample(predicted, gamma)
        return Shown(label, predicted, scores, gamma, explored)

    def sample(self, predicted: Array, gamma: float | Array) -> tuple[Array, Array]:
        """ỹ drawn from P(r) = (1 − γ)[r = ŷ] + γ/K, and whether it came from the random part."""
        explore, anyone = self.draws()
        explored = explore < gamma
        label = predicted.copy()
        np.putmask(label, explored, anyone)
        return label, explored

    def draws(self) -> tuple[Array, Array]:
        """(R,) uniform numbers, and (R,) uniform labels, of this step."""
        if self._drawn == _DRAWS:
            self._drawn = 0
            draws = self.rng.random((_DRAWS, 2, EACH))
            self._uniform = draws[:, 0]
            self._labels = (draws[:, 1] * self.classes).astype(np.intp)
        self._drawn += 1
        return self._uniform[self._drawn - 1], self._labels[self._drawn - 1]

    def probability(self, shown: Shown) -> Array:
        """P(ỹ), the chance with which the label **played** was to be played, shape (R,)."""
        share = shown.gamma / self.classes
        return np.where(shown.label == shown.predicted, 1 - shown.gamma + share, share)

    def update(self, x: Examples, shown: Shown, feedback: Feedback) -> Moves:
        """Learn from the feedback; returns what was added to the weights (or to what they are made of)."""
        raise NotImplementedError


def distribution(predicted: int, gamma: float, classes: int) -> Array:
    """(K,) P(r) = (1 − γ)[r = ŷ] + γ/K: the exploit mass stands on the predicted label.

    >>> distribution(predicted=1, gamma=0.3, classes=3).round(3)
    array([0.1, 0.8, 0.1])
    """
    p = np.full(classes, gamma / classes)
    p[predicted] += 1 - gamma
    return p
