"""A network with one hidden layer, f(x) = Σ_k v_k tanh(U_k · x + b_k), and the gradient of what it says of an edit."""

from __future__ import annotations

import numpy as np

from learners.base import Array
from learners.compiled import compiled
from learners.random import EACH, Stream
from learners.ranking.step.page import NOTHING, Page
from learners.vectors import product


def initial(rng: Stream, hidden: int, d: int) -> Array:
    """Draw U_k (d,), b_k = 0 and v_k of each unit, (R, H, d + 2), so that scores are about 1 if features are."""
    drawn = rng.standard_normal((EACH, hidden, d + 2))
    scale = np.ones(d + 2) / np.sqrt(d)
    scale[d:] = 0.0, 1 / np.sqrt(hidden)
    found: Array = drawn * scale
    return found


def forward(units: Array, x: Array) -> Array:
    """Return f of documents (R, n, d), (R, n), for units (R, H, d + 2)."""
    h = np.tanh(np.einsum("rnd,rkd->rnk", x, units[:, :, :-2]) + units[:, None, :, -2])
    found: Array = np.einsum("rnk,rk->rn", h, units[:, :, -1])
    return found


@compiled
def output(page: Page, k: int, i: int) -> float:
    """Return tanh(U_k · x_i + b_k), where `page.memory` begins with the units (H, d + 2)."""
    d = page.x.shape[1]
    unit = page.memory[k * (d + 2) : (k + 1) * (d + 2)]
    return float(np.tanh(product(page.x[i], unit[:d]) + unit[d]))


@compiled
def score(page: Page, hidden: int, i: int) -> float:
    """Return f(x_i)."""
    total = 0.0
    for k in range(hidden):
        total += page.memory[(k + 1) * (page.x.shape[1] + 2) - 1] * output(page, k, i)
    return total


@compiled
def add_gradient(page: Page, hidden: int, i: int, c: float, gradient: Array) -> None:
    """Add c ∇ f(x_i) to `gradient` (H (d + 2),)."""
    d = page.x.shape[1]
    for k in range(hidden):
        at, h = k * (d + 2), output(page, k, i)
        slope = c * page.memory[at + d + 1] * (1.0 - h * h)
        for j in range(d):
            gradient[at + j] += slope * page.x[i, j]
        gradient[at + d] += slope
        gradient[at + d + 1] += c * h


@compiled
def learn(page: Page, w: Array, difference: Array, change: float, heard: int, hidden: float, eta: float) -> None:
    """Take a gradient step on log(1 + e^−(r(ȳ) − r(y))), with r(y) = Σ_i γ_i f(x_{y_i})."""
    if heard == NOTHING:
        return
    size, gain = page.memory.shape[0] // 2, 0.0
    gradient = page.memory[size:]
    gradient[:], page.key[:] = 0.0, 0.0
    for i in range(min(page.slots, page.size)):  # key : how far the edit raises each document, D(ȳ) − D(y)
        page.key[page.improved[i]] += page.gamma[i]
        page.key[page.shown[i]] -= page.gamma[i]
    for i in range(page.key.shape[0]):
        if page.key[i] != 0.0:
            gain += page.key[i] * score(page, int(hidden), i)
            add_gradient(page, int(hidden), i, page.key[i], gradient)
    length = eta / (1.0 + np.exp(min(gain, 700.0)))
    for a in range(size):
        page.memory[a] += length * gradient[a]
