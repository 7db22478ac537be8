"""Chances that follow from losses by the entropy of Tsallis, with power ½ (Zimmert & Seldin, AISTATS 2019)."""

from __future__ import annotations

from learners.base import Array
from learners.compiled import compiled


@compiled
def weigh(losses: Array, eta: float, p: Array) -> None:
    """Write p = argmin ⟨p, L⟩ − (4/η) Σ √p_i, which is 4 / (η (L_i − x))² with the x at which they add up to 1.

    Newton's steps begin at min L − 2/η, where the sum is at least 1, and go down to x, since it is convex in x.
    """
    x = losses[0]
    for loss in losses:
        x = min(x, loss)
    x -= 2.0 / eta
    for _ in range(60):
        total = slope = 0.0
        for i in range(len(p)):
            p[i] = 4.0 / (eta * (losses[i] - x)) ** 2
            total += p[i]
            slope += eta * p[i] ** 1.5
        if abs(total - 1.0) < 1e-13:
            break
        x -= (total - 1.0) / slope
    for i in range(len(p)):
        p[i] /= total


@compiled
def draw(p: Array, u: float) -> int:
    """Return i with chance p_i, by a number u uniform in [0, 1)."""
    for i in range(len(p)):
        u -= p[i]
        if u < 0.0:
            return i
    return len(p) - 1
