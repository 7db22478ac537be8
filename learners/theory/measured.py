"""The measurements of a run by which the regret bounds of the ranking learners are evaluated."""

from __future__ import annotations

from dataclasses import dataclass

from datasets.ranking import discounts
from learners.base import Array

_GAMMA_1, _GAMMA_2 = discounts(2)


@dataclass(frozen=True)
class Measured:
    """The measurements of the environment up to steps t, in arrays of shape (B, R) or broadcastable to it.

    t : step numbers (B, 1). slack : mean of the slacks ξ at `alpha`. affirmativeness : mean of
    w_t·φ(x, ȳ) − w_t·φ(x, y). radius : R ≥ ‖φ‖. optimum : ‖w*‖. alpha : α at which slacks were measured.
    start_norm : ‖w₁‖. start_product : w₁ · w*. swap_probability : p. delta : Δ that Prop. 6 aims at.
    k : steps of a batch. one_norm : ‖w*‖₁. largest : S ≥ |φ|_∞. features : their number d. horizon : T of a fixed rate.
    convex : what only the bounds for convex losses need, or None. ratio, drop : smallest γ_{i+1}/γ_i and largest
    γ_i − γ_{i+1} of the discounts: γ₂/γ₁ and γ₁ − γ₂, unless only some slots count.
    """

    t: Array
    slack: Array
    affirmativeness: Array
    radius: float
    optimum: Array
    alpha: float | Array = 1.0
    start_norm: float = 0.0
    start_product: float | Array = 0.0
    swap_probability: float | Array = 0.0
    delta: float | Array = 0.0
    k: int | Array = 1
    one_norm: Array | float = 0.0
    largest: float = 0.0
    features: int = 1
    horizon: int | Array = 1
    convex: Convex | None = None
    ratio: float = _GAMMA_2 / _GAMMA_1
    drop: float = _GAMMA_1 - _GAMMA_2


@dataclass(frozen=True)
class Convex:
    """The measurements for the bounds of convex losses, in arrays of shape (B, R) or broadcastable to it.

    The loss is c(θ) = (θ − M)² of θ = U(y) − U(y*), of curvature λ = 2 ([C] §6.4.1).

    clipped, squared : means of ξ⁺ = max(0, ξ) and of its square. gap : largest U(y*) − U(y) so far. reach : largest of
    the gaps and of (U(ȳ) − U(y))/α so far. best : M. ball : radius of the ball of the weights, which w* may exceed.
    gamma, epsilon : γ and ε of the learner. beyond : mean of max(0, c(b) − c(0)), b = w_t·(φ(x, y) − φ(x, ȳ))/α.
    turned : mean of ((w* − w_t)·(φ(x, ȳ) − φ(x, y)))².
    """

    clipped: Array
    squared: Array
    gap: Array
    reach: Array
    best: Array
    ball: float | Array
    gamma: float | Array = 1.0
    epsilon: float | Array = 1.0
    beyond: Array | float = 0.0
    turned: Array | float = 0.0
