"""What a semi-supervised learner is given, and what it must do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from learners.base import Array, Shape
from learners.boosting.base import Booster


@dataclass(frozen=True)
class Training:
    """The examples of one run. n: examples, d: features, K: classes.

    features : (n, d). labels : (n,) integers, the class of the examples whose label is told, −1 of all others.
    classes : K.
    """

    features: Array
    labels: Array
    classes: int


@dataclass(kw_only=True)
class SemiSupervisedLearner(Booster):
    """`reset` takes a `Training`; `vote` gives (n, K), and the class with the largest sum of votes is predicted."""

    family: ClassVar[str] = "semi-supervised"
    needs: ClassVar[str] = "a few labels, and examples without"

    def memory(self, shape: Shape, replicates: int) -> int:
        """Bytes of a few numbers for each training row, `shape.examples` of them, and class."""
        return 8 * replicates * (shape.examples + 1) * (2 * shape.classes + 6)
