"""A Bradley–Terry model fitted in one pass, and how well it knows the order of two documents (Li et al. 2025)."""

from __future__ import annotations

import numpy as np

from learners.base import Array
from learners.compiled import compiled
from learners.ranking.from_duels.pair import offered, preferred
from learners.ranking.step.page import Page
from learners.vectors import product

# page.memory holds H⁻¹ (d, d), and behind it H⁻¹ x of each document


@compiled
def look_up(page: Page, i: int) -> None:
    """Note H⁻¹ x of a document."""
    d = page.x.shape[1]
    for a in range(d):
        page.memory[(d + i) * d + a] = product(page.memory[a * d : (a + 1) * d], page.x[i])


@compiled
def spread(page: Page, i: int, j: int) -> float:
    """Return ‖x_i − x_j‖ in the norm of H⁻¹, once both are looked up."""
    d, total = page.x.shape[1], 0.0
    for a in range(d):
        y = page.memory[(d + i) * d + a] - page.memory[(d + j) * d + a]
        total += (page.x[i, a] - page.x[j, a]) * y
    return float(np.sqrt(max(total, 0.0)))


@compiled
def rule_out(page: Page, width: float) -> None:
    """Write to `page.key` 1 for each document that no other surely beats, and 0 for the rest."""
    n = page.scores.shape[0]
    for i in range(n):
        page.key[i] = offered(page, i)
        if offered(page, i):
            look_up(page, i)
    for i in range(n):
        for j in range(n):
            if i != j and page.key[i] > 0.0 and offered(page, j):
                ahead = page.scores[i] - page.scores[j] + width * spread(page, i, j)
                page.key[i] = 1.0 if ahead >= 0.0 else 0.0


@compiled
def wins(z: Array, w: Array) -> float:
    """Return σ(w · z)."""
    return float(1.0 / (1.0 + np.exp(-max(product(z, w), -700.0))))


@compiled
def learn(page: Page, w: Array, difference: Array, change: float, heard: int, rate: float) -> None:
    """Step along H⁻¹ z, with z = x_won − x_lost, and add σ′(w·z) z zᵀ to H."""
    d, won = page.x.shape[1], preferred(page, heard)
    if won < 0:
        return
    z, y = page.x[page.shown[won]], page.memory[d * d : d * d + d]  # y : H⁻¹ z
    for j in range(d):
        z[j] -= page.x[page.shown[1 - won], j]
    for a in range(d):
        y[a] = product(page.memory[a * d : (a + 1) * d], z)
    known, p = product(z, y), wins(z, w[0])
    length = rate * (1.0 - p) / (1.0 + rate * p * (1.0 - p) * known)
    for j in range(d):
        w[0, j] += length * y[j]
    p = wins(z, w[0])
    scale = np.sqrt(p * (1.0 - p) / (1.0 + p * (1.0 - p) * known))
    for a in range(d):
        part = scale * y[a]
        for b in range(d):
            page.memory[a * d + b] -= part * (scale * y[b])
