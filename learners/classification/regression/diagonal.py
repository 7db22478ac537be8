"""Regressors with one number for each feature in the place of a matrix, for many features."""

from __future__ import annotations

import numpy as np

from learners.classification.block import Turn, move
from learners.classification.linear import Vector
from learners.classification.second_order.matrices import INVERSES
from learners.compiled import compiled
from learners.vectors import LARGEST


@compiled
def solve_diagonal(x: Vector, turn: Turn, label: int, error: float) -> None:
    """Set w ← w + error · A⁻¹ x / (1 + xᵀ A⁻¹ x) with A diagonal, and let A gain x². θ adds up error · x."""
    move(x, turn, 0, label, error)
    first, norm = INVERSES + label * len(turn.W), 1.0
    for i in range(len(x.feature)):
        norm += x.value[i] ** 2 / turn.kept[first + x.feature[i]]
    for i in range(len(x.feature)):
        j = x.feature[i]
        w = turn.W[j, label] + error * x.value[i] / (turn.kept[first + j] * norm)
        turn.kept[first + j] += x.value[i] ** 2
        turn.W[j, label] = w
        turn.finite[0] &= abs(w) <= LARGEST


@compiled
def step_adaptively(x: Vector, turn: Turn, label: int, error: float, rate: float) -> None:
    """Set w_j ← w_j + η g_j / √G_j with g = error · x, once G_j has gained g_j² (AdaGrad). θ adds up g."""
    move(x, turn, 0, label, error)
    first = INVERSES + label * len(turn.W)
    for i in range(len(x.feature)):
        j, g = x.feature[i], error * x.value[i]
        turn.kept[first + j] += g**2
        if turn.kept[first + j] > 0:
            w = turn.W[j, label] + rate * g / np.sqrt(turn.kept[first + j])
            turn.W[j, label] = w
            turn.finite[0] &= abs(w) <= LARGEST
