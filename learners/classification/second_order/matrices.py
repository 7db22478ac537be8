"""A matrix A for each class, kept as its inverse or as its diagonal alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from learners.base import Array, Shape
from learners.classification.base import ClassificationLearner
from learners.classification.block import Turn
from learners.classification.linear import Vector
from learners.compiled import compiled
from learners.random import Source
from learners.vectors import LARGEST

MATRICES = ("full", "diagonal")
DIAGONAL = MATRICES.index("diagonal")
STEPS, INVERSES = range(2)  # places in turn.kept of what a learner counts, and of A⁻¹ of each class or diagonals of A


@compiled
def towards(x: Vector, turn: Turn, label: int) -> float:
    """Write v = A⁻¹ x of a label to the room behind the inverses, and return xᵀ v."""
    d, classes = len(turn.W), len(turn.scores)
    first = INVERSES + label * d * d
    v = turn.kept[INVERSES + classes * d * d :]  # A⁻¹ x
    for j in range(d):
        v[j] = 0.0
    for i in range(len(x.feature)):
        row, value = first + x.feature[i] * d, x.value[i]
        for j in range(d):
            v[j] += value * turn.kept[row + j]
    length = 0.0
    for i in range(len(x.feature)):
        length += x.value[i] * v[x.feature[i]]
    return length


@compiled
def gain(turn: Turn, label: int, norm: float, error: float, weight: float) -> None:
    """Add error · v / norm to w of a label, and take weight · v vᵀ / norm from its A⁻¹, for the v of `towards`."""
    d, classes = len(turn.W), len(turn.scores)
    first = INVERSES + label * d * d
    v = turn.kept[INVERSES + classes * d * d :]
    for i in range(d):
        share, row = v[i] / norm, first + i * d
        if share != 0.0:
            for j in range(d):
                turn.kept[row + j] -= weight * share * v[j]
            w = turn.W[i, label] + error * share
            turn.W[i, label] = w
            turn.finite[0] &= abs(w) <= LARGEST


def inverses(start: float | Array, replicates: int, classes: int, d: int) -> Array:
    """Return what is kept of matrices whose inverses begin as start · I, with room in front and for A⁻¹ x behind."""
    kept = np.zeros((replicates, INVERSES + classes * d * d + d))
    each: Array = np.broadcast_to(start, replicates)
    for k in range(classes):
        first = INVERSES + k * d * d
        kept[:, first : first + d * d : d + 1] = each[:, None]
    return kept


@dataclass(kw_only=True)
class FullOrDiagonal(ClassificationLearner):
    """Base of the learners with a matrix A for each class, whose parameter `matrices` says what of it they keep."""

    @property
    def full(self) -> bool:
        """Whether it keeps A⁻¹, and not the diagonal of A alone."""
        return bool(self.params["matrices"] == "full")

    @property
    def start(self) -> tuple[float | Array, float | Array]:
        """The numbers on the diagonals of A and of A⁻¹ at first."""
        raise NotImplementedError

    def memory(self, shape: Shape, replicates: int) -> int:
        own = shape.classes * (shape.features + 2 if self.full else 2)
        return super().memory(shape, replicates) + 8 * replicates * shape.features * own

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        d, classes = shape.features, shape.classes
        self.theta = np.zeros_like(self.W)
        own, inverse = self.start
        if self.full:
            self.kept = inverses(inverse, replicates, classes, d)
        else:
            self.kept = np.zeros((replicates, INVERSES + d * classes))
            self.kept[:, INVERSES:] = np.broadcast_to(own, replicates)[:, None]
