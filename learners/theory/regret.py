"""Regret bounds of the ranking learners, evaluated with the slacks and the affirmativeness measured in a run.

With w₁ = 0 the formulas are those of the papers. For other starting weights the proofs change in two places: ‖w₁‖² is
added to the bound on ‖w_{T+1}‖², and w₁ · w* is subtracted. Propositions 5 and 6 are stated for w₁ = 0 alone and
are not evaluated for other starts. The bounds for convex losses are in convex.py.
"""

import numpy as np

from learners.base import Array
from learners.theory.bound import declared
from learners.theory.measured import Measured


def theorem_1(m: Measured) -> Array:
    """Return [C] Eq. 10, (1/αT) Σ ξ_t + 2R‖w*‖ / (α√T).

    >>> one = np.array([[100.0]])
    >>> float(theorem_1(Measured(one, 0 * one, 0 * one, radius=1.0, optimum=np.array([2.0])))[0, 0])
    0.4
    """
    length = np.sqrt(4 * m.radius**2 * m.t + m.start_norm**2)
    return (m.slack + (length * m.optimum - m.start_product) / m.t) / m.alpha


def lemma_4(m: Measured) -> Array:
    """Return [C] Lemma 4, (1/αT) Σ ξ_t + 2R‖w*‖√k / (α√T), which also holds within a batch.

    >>> one = np.array([[100.0]])
    >>> float(lemma_4(Measured(one, 0 * one, 0 * one, radius=1.0, optimum=np.array([2.0]), k=25))[0, 0])
    2.0
    """
    length = np.sqrt(4 * m.radius**2 * m.k * m.t + m.start_norm**2)
    return (m.slack + (length * m.optimum - m.start_product) / m.t) / m.alpha


def theorem_5(m: Measured) -> Array:
    """Return [C] Theorem 5 at step t of a rate η = 1/(2S√T), (1/αt) Σ ξ + (‖w*‖₁/α)·(log(2d)/(ηt) + 4S²η).

    At t = T the second part is (2 log(2d) + 2)·S‖w*‖₁/√T. The paper prints S/2 for 2S, as if S ≥ |φ(x, y)|_∞ bounded
    the difference of two φ, which can be twice as long.

    >>> one = np.array([[100.0]])
    >>> m = Measured(one, 0 * one, 0 * one, 1.0, np.ones(1), one_norm=3.0, largest=5.0, features=2, horizon=100)
    >>> round(float(theorem_5(m)[0, 0]), 6), round(float(3 * (2 * np.log(4) + 2) * 5 / 10), 6)
    (7.158883, 7.158883)
    """
    root = np.sqrt(m.horizon)
    grown = 2 * m.largest * (np.log(2 * m.features) * root / m.t + 1 / root)
    bound: Array = (m.slack + m.one_norm * grown) / m.alpha
    return bound


def theorem_2(m: Measured) -> Array:
    """Return [S] Eq. 6, (1/αT) Σ ξ_t + √(4R² + 2Δ) ‖w*‖ / (α√T), with the mean affirmativeness Δ measured."""
    square = (4 * m.radius**2 + 2 * m.affirmativeness) * m.t + m.start_norm**2
    return (m.slack + (np.sqrt(np.maximum(square, 0.0)) * m.optimum - m.start_product) / m.t) / m.alpha


def proposition_5(m: Measured) -> Array:
    """Return [S] Prop. 5, (1/αT) Σ ξ_t + βR‖w*‖/α + √(2(4 − β²)) R‖w*‖ / (α√T), β = p(1 − γ₂/γ₁).

    The paper prints a root that covers R‖w*‖ too; by Corollary 4, of which this is an instance, it ends before.
    """
    beta = np.asarray(m.swap_probability) * (1 - m.ratio)
    scale = m.radius * m.optimum
    bound: Array = (m.slack + beta * scale + np.sqrt(2 * (4 - beta**2)) * scale / np.sqrt(m.t)) / m.alpha
    return bound


def proposition_6(m: Measured) -> Array:
    """Return [S] Prop. 6, (1/αT) Σ ξ_t + ‖w*‖/(α√T) · √(4R² + 2Δ + (γ₁ − γ₂) R √((4R² + 2Δ)/T))."""
    inner = 4 * m.radius**2 + 2 * np.asarray(m.delta)
    root = np.sqrt(inner + m.drop * m.radius * np.sqrt(inner / m.t))
    bound: Array = (m.slack + m.optimum * root / np.sqrt(m.t)) / m.alpha
    return bound


REGRET_BOUNDS = declared(
    {
        "theorem-1": theorem_1, "corollary-2": theorem_1, "lemma-4": lemma_4, "theorem-5": theorem_5,
        "theorem-2": theorem_2, "proposition-5": proposition_5, "proposition-6": proposition_6,
    }
)  # fmt: skip
