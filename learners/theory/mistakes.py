"""Bounds on the number of mistakes of the classification learners.

They compare the learner with fixed weights W* (`ClassificationData.comparator`) through the hinge loss of W* on the
examples that the run has met, and its complexity D. They are stated for ‖x‖ ≤ 1; for longer examples D is scaled.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from learners.base import Array
from learners.theory.bound import Bound


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


_SYMBOLS = (
    r"$M$ mistakes in $T$ steps · $L$ cumulative hinge loss of fixed weights $W^*$ · $D = 2\|W^*\|_F^2$ their "
    r"complexity · $K$ classes · $\gamma$ share of exploring steps"
)
_MOST_MISTAKES = "the most mistakes that theory allows"
_FIT = "given how well the best fixed weights fit the examples met so far"

MISTAKE_BOUNDS: dict[str, Bound] = {
    "perceptron-mistakes": Bound(
        statement="Eq. 7",
        paper="B",
        formula=r"M \le L + D + \sqrt{L D}",
        symbols=_SYMBOLS,
        note="It holds on every single run.",
        promise=_MOST_MISTAKES,
        given=_FIT,
        bounded="number of mistakes",
        evaluate=perceptron,
    ),
    "banditron-theorem-1": Bound(
        statement="Theorem 1",
        paper="B",
        formula=r"\mathbb{E}[M] \le L + \gamma T + 3\max\left\{\frac{KD}{\gamma}, \sqrt{D\gamma T}\right\} + "
        r"\sqrt{\frac{KDL}{\gamma}}",
        symbols=_SYMBOLS,
        note="It holds in expectation over the labels drawn, for a fixed γ of at most ½.",
        promise=_MOST_MISTAKES,
        given=_FIT,
        bounded="number of mistakes",
        evaluate=banditron,
    ),
    "adaptive-exploration": Bound(
        statement="Inequality 6.2",
        paper="V",
        formula=r"\mathbb{E}[M] \le L + \mathbb{E}\sum_t \gamma_t + "
        r"\|U\|_F\sqrt{2\,\mathbb{E}\left\{\sum_t \gamma_t[\hat y_t = y_t] "
        r"+ \sum_t \frac{K}{\gamma_t}[\hat y_t \ne y_t]\right\}}",
        symbols=_SYMBOLS,
        note="It holds in expectation, for any γ of at most ½ that depends only on the past. The curve uses the values "
        "measured in the run in place of the expectations.",
        promise=_MOST_MISTAKES,
        given=_FIT,
        bounded="number of mistakes",
        evaluate=adaptive,
    ),
    "halving-lemma-6": Bound(
        statement="Lemma 6",
        paper="B",
        formula=r"M \le K \ln |\mathcal{H}|",
        symbols=r"$M$ mistakes · $K$ classes · $|\mathcal{H}|$ hypotheses on the grid",
        note="It holds if some hypothesis of the grid makes no mistake at all.",
        promise=_MOST_MISTAKES,
        given="however long the run, if some hypothesis is always right",
        bounded="number of mistakes",
        evaluate=halving,
    ),
}
