"""Bounds on the number of mistakes of the classification learners.

They compare with fixed weights W* (`ClassificationData.comparator`), through the hinge losses measured on the very
examples a run has met, and its complexity D. They are stated for ‖x‖ ≤ 1; for longer examples D is scaled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.theory.bound import Bound

Array = NDArray[Any]


@dataclass(frozen=True)
class Mistakes:
    """What the environment measured up to steps t, arrays of shape (B, R) or broadcastable to it.

    t : step numbers (B, 1). loss : L, cumulative hinge loss of W*. complexity : D = 2‖W*‖². classes : K.
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
    """[B] Eq. 7: L + D + √(L D).

    >>> one = np.ones((1, 1))
    >>> float(perceptron(Mistakes(one, 4 * one, 9.0, 2, one, one, one))[0, 0])
    19.0
    """
    bound: Array = m.loss + m.complexity + np.sqrt(m.loss * m.complexity)
    return bound


def banditron(m: Mistakes) -> Array:
    """[B] Theorem 1: L + γT + 3 max(KD/γ, √(DγT)) + √(KDL/γ), for a fixed γ; NaN beyond ½, where Lemma 5 may fail."""
    ratio = m.classes * m.complexity / m.gamma
    bound: Array = (
        m.loss + m.gamma * m.t + 3 * np.maximum(ratio, np.sqrt(m.complexity * m.gamma * m.t)) + np.sqrt(ratio * m.loss)
    )
    return np.where(m.gamma <= 0.5, bound, np.nan)


def adaptive(m: Mistakes) -> Array:
    """[V] Inequality 6.2: L + Σ γ_t + ‖U‖ √(2 Σ γ_t [ŷ = y] + 2 Σ (K/γ_t) [ŷ ≠ y]), with ‖U‖² = D / 2."""
    bound: Array = m.loss + m.explored + np.sqrt(m.complexity * m.variance)
    return bound


def halving(m: Mistakes) -> Array:
    """[B] Lemma 6: K ln |H|."""
    return np.full(np.broadcast(m.t, m.loss).shape, m.classes * np.log(max(m.hypotheses, 1)))


_SYMBOLS = (
    r"$M$ mistakes in $T$ steps · $L$ cumulative hinge loss of fixed weights $W^*$ · $D = 2\|W^*\|_F^2$ their complexity · "
    r"$K$ classes · $\gamma$ share of exploring steps"
)

MISTAKE_BOUNDS: dict[str, Bound] = {
    "perceptron-mistakes": Bound(
        "Eq. 7 of [B]",
        r"M \le L + D + \sqrt{L D}",
        "Holds on every single run.",
        perceptron,
        "number of mistakes",
        _SYMBOLS,
    ),
    "banditron-theorem-1": Bound(
        "Theorem 1 of [B]",
        r"\mathbb{E}[M] \le L + \gamma T + 3\max\left\{\frac{KD}{\gamma}, \sqrt{D\gamma T}\right\} + \sqrt{\frac{KDL}{\gamma}}",
        "Holds in expectation over the labels drawn, for a fixed γ of at most ½.",
        banditron,
        "number of mistakes",
        _SYMBOLS,
    ),
    "adaptive-exploration": Bound(
        "Inequality 6.2 of [V]",
        r"\mathbb{E}[M] \le L + \mathbb{E}\sum_t \gamma_t + \|U\|_F\sqrt{2\,\mathbb{E}\left\{\sum_t \gamma_t[\hat y_t = y_t] "
        r"+ \sum_t \frac{K}{\gamma_t}[\hat y_t \ne y_t]\right\}}",
        "Holds in expectation, for any γ of at most ½ that depends on the past alone; what was measured stands for the expectations.",
        adaptive,
        "number of mistakes",
        _SYMBOLS,
    ),
    "halving-lemma-6": Bound(
        "Lemma 6 of [B]",
        r"M \le K \ln |\mathcal{H}|",
        "Holds if some hypothesis of the grid makes no mistake at all.",
        halving,
        "number of mistakes",
        r"$M$ mistakes · $K$ classes · $|\mathcal{H}|$ hypotheses on the grid",
    ),
}
