"""Regret bounds of the ranking learners, evaluated with the slacks and the affirmativeness measured in a run.

With w₁ = 0 the formulas are those of the papers. For other starting weights the proofs change in two places: ‖w₁‖² is
added to the bound on ‖w_{T+1}‖², and w₁ · w* is subtracted. Propositions 5 and 6 are stated for w₁ = 0 alone and
are not evaluated for other starts. The bounds for convex losses are in convex.py.
"""

from __future__ import annotations

import numpy as np

from learners.base import Array
from learners.theory.bound import Bound
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


_SYMBOLS = (
    r"$\mathrm{REG}_T$ mean of $U(x_t, y^*_t) - U(x_t, y_t)$ over $T$ steps · $\xi_t$ slack, by which the feedback's "
    r"gain falls short of $\alpha$ times the gap · $R \ge \|\phi(x, y)\|$ · $w_*$ true weights"
)
AT_WORST, WITH_SLACKS = "worst-case bound", "with the slacks measured in the run"
_ON_AVERAGE = "bound on average over many runs"

REGRET_BOUNDS: dict[str, Bound] = {
    "theorem-1": Bound(
        statement="Theorem 1",
        paper="C",
        formula=r"\mathrm{REG}_T \le \frac{1}{\alpha T}\sum_{t=1}^T \xi_t + \frac{2R\,\|w_*\|}{\alpha\sqrt T}",
        symbols=_SYMBOLS,
        note="It holds on every single run, with the slacks ξ measured in it.",
        promise=AT_WORST,
        given=WITH_SLACKS,
        evaluate=theorem_1,
    ),
    "corollary-2": Bound(
        statement="Corollary 2",
        paper="C",
        formula=r"\mathbb{E}[\mathrm{REG}_T] \le \frac{1}{\alpha T}\sum_{t=1}^T \bar\xi_t + "
        r"\frac{2R\,\|w_*\|}{\alpha\sqrt T}",
        symbols=_SYMBOLS,
        note="It holds in expectation over the user. The slacks measured in a run average out to the expected ones, "
        "so the mean of this curve over the replicates estimates the right-hand side.",
        promise=_ON_AVERAGE,
        given=WITH_SLACKS,
        evaluate=theorem_1,
    ),
    "lemma-4": Bound(
        statement="Lemma 4",
        paper="C",
        formula=r"\mathrm{REG}_T \le \frac{1}{\alpha T}\sum_{t=1}^T \xi_t + \frac{2R\,\|w_*\|\sqrt k}{\alpha\sqrt T}",
        symbols=_SYMBOLS,
        note="It holds on every single run, with the slacks ξ measured in it, for an update every k steps.",
        promise=AT_WORST,
        given=WITH_SLACKS,
        evaluate=lemma_4,
    ),
    "theorem-5": Bound(
        statement="Theorem 5",
        paper="C",
        formula=r"\mathrm{REG}_T \le \frac{1}{\alpha T}\sum_{t=1}^T \xi_t + "
        r"\frac{\|w_*\|_1}{\alpha}\left(\frac{2S\log(2d)}{\sqrt T} + \frac{2S}{\sqrt T}\right)",
        symbols=_SYMBOLS + r" · $S \ge |\phi(x, y)|_\infty$ · $2d$ doubled features",
        note="It holds on every single run, with the slacks ξ measured in it, for the fixed rate at its horizon T. "
        "Before and after T, both parts are drawn as the proof has them. The paper prints S/2 for the last 2S, which "
        "is right if S bounds the difference of two φ.",
        promise=AT_WORST,
        given=WITH_SLACKS,
        evaluate=theorem_5,
    ),
    "theorem-2": Bound(
        statement="Theorem 2",
        paper="S",
        formula=r"\mathrm{REG}_T \le \frac{1}{\alpha T}\sum_{t=1}^T \xi_t + "
        r"\frac{\sqrt{4R^2 + 2\Delta}\;\|w_*\|}{\alpha\sqrt T}",
        symbols=_SYMBOLS,
        note="It holds on every single run, with the slacks ξ and the mean affirmativeness Δ measured in it.",
        promise=AT_WORST,
        given="with the slacks and the affirmativeness measured in the run",
        evaluate=theorem_2,
    ),
    "proposition-5": Bound(
        statement="Proposition 5",
        paper="S",
        formula=r"\mathrm{REG}_T \le \frac{1}{\alpha T}\sum_t \xi_t + \frac{\beta R\,\|w_*\|}{\alpha} + "
        r"\frac{\sqrt{2(4-\beta^2)}\;R\,\|w_*\|}{\alpha\sqrt T}",
        symbols=_SYMBOLS,
        note="With β = p (1 − γ₂/γ₁). It holds in expectation, for scores that are not negative (the premise of "
        "Corollary 4) and learners that start at w₁ = 0.",
        promise=_ON_AVERAGE,
        given=WITH_SLACKS,
        evaluate=proposition_5,
        record="bound-a-priori",
        zero_start=True,
    ),
    "proposition-6": Bound(
        statement="Proposition 6",
        paper="S",
        formula=r"\mathrm{REG}_T \le \frac{1}{\alpha T}\sum_t \xi_t + \frac{\|w_*\|}{\alpha\sqrt T}"
        r"\sqrt{4R^2 + 2\Delta + (\gamma_1-\gamma_2)R\sqrt{\tfrac{4R^2+2\Delta}{T}}}",
        symbols=_SYMBOLS,
        note="It holds in expectation, for the dynamic swap probability with its Δ and learners that start at w₁ = 0.",
        promise=_ON_AVERAGE,
        given=WITH_SLACKS,
        evaluate=proposition_6,
        record="bound-a-priori",
        zero_start=True,
    ),
}
