"""Bounds on the average convex regret of the ranking learners ([C] Theorems 6 and 8), for the loss of §6.4.1.

The loss is c(θ) = (θ − M)² of θ = U(y) − U(y*), and CREG_T is the mean of c(θ_t) − c(0). The loss falls only for
θ ≤ M; the proofs set it to 0 beyond, which keeps it convex. G, the largest −c′ in the proofs, is the largest of the
run so far. Since c(θ) − c(0) ≥ 2M·|θ|, a bound on CREG divided by 2M bounds the average regret.
"""

import numpy as np

from learners.base import Array
from learners.theory.bound import declared
from learners.theory.measured import Convex, Measured

_CURVATURE = 2.0  # λ of c(θ) = (θ − M)²


def _convex(m: Measured) -> Convex:
    if m.convex is None:
        raise ValueError("a bound for convex losses needs the measurements made for them")
    return m.convex


def _where_it_holds(m: Measured, c: Convex, bound: Array) -> Array:
    """Return the bound where w* lies in the ball, and NaN elsewhere."""
    return np.where(m.optimum <= np.asarray(c.ball) * (1 + 1e-12), bound, np.nan)


def theorem_6_with(slope: float | Array, m: Measured) -> Array:
    """Return [C] Eq. 16, (2G/αT) Σ ξ⁺ + (G/α)·(|B|/(2√T) + |B|/T + 4R²/√T).

    G is `slope`, and |B| the squared diameter of the ball. In the example it is 6 · 1.56.

    >>> one = np.array([[100.0]])
    >>> c = Convex(0.001 * one, one, one, one, best=np.ones(1), ball=2.0)
    >>> m = Measured(one, one, one, radius=1.0, optimum=np.ones(1), alpha=0.5, convex=c)
    >>> float(theorem_6_with(3.0, m)[0, 0])
    9.36
    """
    c = _convex(m)
    square = 4 * np.asarray(c.ball) ** 2
    root = np.sqrt(m.t)
    bound = slope / m.alpha * (2 * c.clipped + square / (2 * root) + square / m.t + 4 * m.radius**2 / root)
    return _where_it_holds(m, c, bound)


def theorem_6(m: Measured) -> Array:
    """Return Eq. 16 for the quadratic loss, with G = 2 (M + the largest gap)."""
    c = _convex(m)
    return theorem_6_with(2 * (c.best + c.gap), m)


def theorem_6_linear(m: Measured) -> Array:
    """Return Eq. 16 for the loss c(θ) = −θ, whose convex regret is the regret, with G = 1."""
    return theorem_6_with(1.0, m)


def theorem_8(m: Measured) -> Array:
    """Return [C] Eq. 19 for the quadratic loss, with λ = 2 and G = 2 (M + the largest gap, or gain / α).

    It is (λ/2α²T) Σ ξ⁺² + (2G/αT) Σ ξ⁺ + Gε|B|/(αT) + (GN/2γαT) log(4R²Tγ/ε + 1). The paper prints γ for λ in the
    first term, where the factor G was lost. The theorem requires γ = λ/G, and a loss that falls up to
    w_t·(φ(x, y) − φ(x, ȳ))/α. Where γ is larger, or the loss rises before, the terms that the proof then lacks are
    measured and added: (G/2α) max(0, γ − λ/G) · mean of ((w* − w_t)·Δ)², and the mean of max(0, c(w_t·Δ/α) − c(0)).
    """
    c = _convex(m)
    slope, gamma = 2 * (c.best + c.reach), np.asarray(c.gamma)
    noise = _CURVATURE / (2 * np.square(m.alpha)) * c.squared + 2 * slope / m.alpha * c.clipped
    started = slope * c.epsilon * 4 * np.square(c.ball) / (m.t * m.alpha)
    logarithm = np.log1p(4 * m.radius**2 * m.t * gamma / c.epsilon)
    learned = slope * m.features / (2 * gamma * m.alpha * m.t) * logarithm
    lacking = slope / (2 * m.alpha) * np.maximum(gamma - _CURVATURE / slope, 0.0) * c.turned + c.beyond
    return _where_it_holds(m, c, noise + started + learned + lacking)


def theorem_8_linear(m: Measured) -> Array:
    """Return Eq. 19 divided by 2M, which bounds the average regret.

    For c(θ) − c(0) = θ² − 2Mθ ≥ 2M (U(y*) − U(y)).
    """
    best = _convex(m).best
    return np.asarray(np.divide(theorem_8(m), 2 * best, out=np.full(np.shape(theorem_8(m)), np.nan), where=best > 0))


CONVEX_BOUNDS = declared(
    {
        "theorem-6": theorem_6, "theorem-6-linear": theorem_6_linear, "theorem-8": theorem_8,
        "theorem-8-linear": theorem_8_linear,
    }
)  # fmt: skip
