"""The base class of the semi-supervised learners, and the problem that each is given."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from learners.base import Array, Shape
from learners.boosting.base import Booster, Hypothesis
from learners.boosting.cart import single


@dataclass(frozen=True)
class Training:
    """The examples of one run. n: examples, d: features, K: classes.

    features : (n, d). labels : (n,) integers, the class of each labelled example, −1 for all others. classes : K.
    """

    features: Array
    labels: Array
    classes: int


@dataclass(kw_only=True)
class SemiSupervisedLearner(Booster):
    """Learn from a `Training`. A weak hypothesis names the class (n,) of rows; it votes for that class with its step.

    The class with the largest sum of votes is predicted, of equals the lowest.
    """

    family: ClassVar[str] = "semi-supervised"
    needs: ClassVar[str] = "a few labels, and examples without"

    def memory(self, shape: Shape, replicates: int) -> int:
        """Return the bytes of a few numbers for each training row, `shape.examples` of them, and class."""
        return 8 * replicates * (shape.examples + 1) * (2 * shape.classes + 6)

    def predict(self, features: Array) -> Array:
        """Return the predicted class (n,) of rows (n, d)."""
        found: Array = self.decision_function(features).argmax(axis=1)
        return found

    def staged_decision_function(self, features: Array) -> Iterator[Array]:
        return super().staged_decision_function(single(np.asarray(features)))

    def votes(self, step: float, hypothesis: Hypothesis, features: Array) -> Array:
        votes = self.no_votes(features)
        votes[np.arange(len(features)), hypothesis(features)] = step
        return votes

    def no_votes(self, features: Array) -> Array:
        return np.zeros((len(features), self.problem.classes))
