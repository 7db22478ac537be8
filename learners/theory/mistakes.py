"""Bounds on the number of mistakes of the classification learners.

They compare the learner with fixed weights W* (`ClassificationData.comparator`) through the hinge loss of W* on the
examples that the run has met, and its complexity D. They are stated for ‖x‖ ≤ 1; for longer examples D is scaled.
"""

from dataclasses import dataclass

import numpy as np

from learners.base import Array
from learners.theory.bound import declared


@dataclass(frozen=True)
class Mistakes:
    """The measurements of the environment up to steps t, in arrays of shape (B, R) or broadcastable to it.

    t : step numbers (B, 1). loss : L, the cumulative hinge loss of W*. complexity : D = 2‖W*‖². classes : K.
    gamma : γ_t. explored : Σ γ_t. variance : Σ γ_t [ŷ = y] + (K/γ_t) [ŷ ≠ y]. hypotheses : size of the learner's grid.
    """

    t: Array
    loss: Array
    complexity: float
    classes: int
    gamma: Array
    explored: Array
    variance: Array
    hypotheses: int = 0


def perceptron(m: Mistakes) -> Array:
    """Return [B] Eq. 7, L + D + √(L D).

    >>> one = np.ones((1, 1))
    >>> float(perceptron(Mistakes(one, 4 * one, 9.0, 2, one, one, one))[0, 0])
    19.0
    """
    bound: Array = m.loss + m.complexity + np.sqrt(m.loss * m.complexity)
    return bound


def banditron(m: Mistakes) -> Array:
    """Return [B] Theorem 1, L + γT + 3 max(KD/γ, √(DγT)) + √(KDL/γ), for a fixed γ.

    It is NaN for γ > ½, where Lemma 5 may fail.
    """
    ratio = m.classes * m.complexity / m.gamma
    bound: Array = (
        m.loss + m.gamma * m.t + 3 * np.maximum(ratio, np.sqrt(m.complexity * m.gamma * m.t)) + np.sqrt(ratio * m.loss)
    )
    return np.where(m.gamma <= 0.5, bound, np.nan)


def adaptive(m: Mistakes) -> Array:
    """Return [V] Inequality 6.2, L + Σ γ_t + ‖U‖ √(2 Σ γ_t [ŷ = y] + 2 Σ (K/γ_t) [ŷ ≠ y]), with ‖U‖² = D / 2."""
    bound: Array = m.loss + m.explored + np.sqrt(m.complexity * m.variance)
    return bound


def halving(m: Mistakes) -> Array:
    """Return [B] Lemma 6, K ln |H|."""
    return np.full(np.broadcast(m.t, m.loss).shape, m.classes * np.log(max(m.hypotheses, 1)))


MISTAKE_BOUNDS = declared(
    {
        "perceptron-mistakes": perceptron, "banditron-theorem-1": banditron, "adaptive-exploration": adaptive,
        "halving-lemma-6": halving,
    }
)  # fmt: skip
