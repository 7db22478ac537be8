"""The base of the classification learners, and what they show and hear.

Shapes: R replicates, d features, K classes. Labels are integers from 0 to K − 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from learners.base import Array, Learner, Shape
from learners.classification.block import NOBODY, RULE, Turn, apply
from learners.classification.linear import Examples, Moves
from learners.compiled.record import room
from learners.random import EACH, Source, Stream
from learners.rule import BoundRule, bind


class Shown(NamedTuple):
    """The labels that a learner plays, and how it chose them.

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
    """The feedback of a step.

    right : bool of the shape of the label played, whether it is the true one. label : (R,) the true label for learners
    with full information, None for all others.
    """

    right: Array
    label: Array | None = None


@dataclass(kw_only=True)
class ClassificationLearner(Learner):
    """Base of the classification learners, which receive x, predict ŷ, play ỹ, hear whether it is right, and update W.

    This is the bandit protocol of [B] §2 and §3. A learner has two compiled rules, which take one step of one replicate
    (see `Turn`), and many steps in one call. Instead of rules, it can have the methods `present` and `update` for all
    replicates, in plain Python; it then runs step by step.

    W has the shape (R, d, K), see `linear`. Since it is large, it is the one piece of state that changes in place; the
    moves that `update` returns say what was added to it.
    """

    family: ClassVar[str] = "classification"
    says: ClassVar[Mapping[str, str]] = {
        "start": "All weights are 0 at first. W has a row of them for each of the K classes.",
        "observe": "An example x arrives, described by d features.",
        "predict": (
            "Each class r scores x by its row of W. The class with the highest score is the label predicted, ŷ."
        ),
        "perturb": (
            "With probability γ it explores, and draws the label played, ỹ, from all K classes. Otherwise it plays ŷ. "
            "P(r) is the chance that label r is played."
        ),
        "feedback": (
            "It plays ỹ and hears whether that is the true label y, and nothing more. The bracket is 1 if it is and 0 "
            "if not."
        ),
        "update": (
            "It subtracts x from the row of ŷ. If ỹ was right, it adds x divided by the chance P(ỹ) to the row of ỹ. "
            "On average the rows move as if the true label were known."
        ),
    }
    hears: ClassVar[str] = "right"  # "right", whether the label played is right, or "label", the true label
    one_scale: ClassVar[bool] = True  # whether the scores of successive steps can be compared
    moved: ClassVar[str] = "row"  # what the moves are added to, in words
    weighs: ClassVar[bool] = True  # whether a right answer counts 1 over its chance
    then: ClassVar[str] = ""  # what is done with what has moved, as a clause
    rules: ClassVar[tuple[Any, Any] | None] = None  # `present` and `update`, compiled functions of a `Turn`
    chances: ClassVar[int] = 2  # random numbers of a step
    fastest: ClassVar[str] = ""  # the parameter to lower where weights overflow

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        """Forget everything learned. `rng` is the stream of random numbers of the learner (or a plain generator)."""
        self.rng, self.replicates = Stream.of(rng, replicates), replicates
        self.features, self.classes = shape.features, shape.classes
        self.W: Array = np.zeros((replicates, shape.features, shape.classes))
        self.theta = self.W  # what the moves are added to
        self.kept: Array = np.zeros((replicates, 0))
        self.shown: int | None = None  # the number of labels shown, None for a single one

    @property
    def bound(self) -> BoundRule:
        """Its rules, as loops take them."""
        assert self.rules is not None
        return bind((RULE, RULE), self.rules)

    @property
    def weights(self) -> Array | None:
        return self.W.swapaxes(1, 2)

    @property
    def extra(self) -> float:
        """About how many numbers of its own a step reads or writes, beside a weight for each feature and class."""
        return 0.0

    def draws(self, steps: int) -> Array:
        """Return the uniform random numbers of some steps, (steps, n, R)."""
        return self.rng.random((steps, self.chances, EACH)) if self.chances else np.empty((steps, 0, self.replicates))

    def turns(self) -> Turn:
        """Return the state and room for a step, with a row for each replicate."""
        own = {"W": self.W, "theta": self.theta, "kept": self.kept}
        own["numbers"] = self.bound.numbers(self, self.replicates)
        turns = room(Turn, self.replicates, own, K=self.classes, c=self.chances, r=self.shown or 1)
        turns.heard[:], turns.finite[:] = NOBODY, True
        return turns

    def present(self, x: Examples) -> Shown:
        """Play a label for each example: the first part of a step."""
        turns = self.turns()
        turns.draws[:] = self.draws(1)[0].T
        apply(self.bound.ready[0], x.rows(self.features), turns)
        return self.shown_in(turns)

    def update(self, x: Examples, shown: Shown, feedback: Feedback) -> Moves:
        """Learn from the feedback, and return what was added to the weights, or to the parameters behind them."""
        turns = self.turns()
        turns.scores[:] = shown.scores
        turns.label[:], turns.predicted[:] = (
            part.reshape(turns.label.shape) for part in (shown.label, shown.predicted)
        )
        turns.gamma[:, 0], turns.explored[:, 0] = shown.gamma, shown.explored
        turns.right[:] = feedback.right.reshape(turns.right.shape)
        if feedback.label is not None:
            turns.heard[:, 0] = feedback.label
        apply(self.bound.ready[1], x.rows(self.features), turns)
        return self.moves_in(turns)

    def distribution(self, shown: Shown, r: int) -> Array:
        """Return the chance with which replicate r played each label in its latest step, (K,)."""
        gamma = float(np.broadcast_to(shown.gamma, len(shown.scores))[r])
        return distribution(int(shown.predicted[r]), gamma, self.classes)

    def shown_in(self, turns: Turn) -> Shown:
        """Return what the turns say was shown."""
        label, predicted = (part if self.shown else part[:, 0] for part in (turns.label, turns.predicted))
        return Shown(label, predicted, turns.scores, turns.gamma[:, 0], turns.explored[:, 0])

    def moves_in(self, turns: Turn) -> Moves:
        """Return what the turns say was moved."""
        return tuple((turns.moved[:, i], turns.factor[:, i]) for i in range(2))


def distribution(predicted: int, gamma: float, classes: int) -> Array:
    """Return P(r) = (1 − γ)[r = ŷ] + γ/K for each label r, shape (K,).

    >>> distribution(predicted=1, gamma=0.3, classes=3).round(3)
    array([0.1, 0.8, 0.1])
    """
    p = np.full(classes, gamma / classes)
    p[predicted] += 1 - gamma
    return p
