"""The posterior of the feel-good duels: what is kept of the past, and Langevin's steps along its gradient."""

from __future__ import annotations

import numpy as np

from learners.base import Array
from learners.compiled import compiled
from learners.ranking.from_duels.pair import offered, preferred
from learners.ranking.step.page import Page
from learners.vectors import copy, product

QUERIES = 16  # past queries, drawn from all, that stand for all in the feel-good term
COUNT, SQUARES, VECTORS = range(3)  # comparisons so far; Σ ‖z‖² of those kept; where θ¹, θ², ∇ and all z begin


def room(documents: int, d: int, window: int) -> int:
    """Return how many numbers are kept: vectors (d,), and of each query its size, a¹, a² and all documents."""
    return VECTORS + (3 + window) * d + QUERIES * (1 + (2 + documents) * d)


@compiled
def at(page: Page, i: int) -> int:
    """Return where vector i begins: θ¹, θ², the gradient, or z of a comparison, from 3 on."""
    return VECTORS + i * page.x.shape[1]


@compiled
def query_at(page: Page, i: int, window: int) -> int:
    """Return where query i begins."""
    first = at(page, 3 + window)
    return first + i * ((page.memory.shape[0] - first) // QUERIES)


@compiled
def note(page: Page, won: int, window: int) -> None:
    """Keep z = x_won − x_lost in place of the oldest, and the query, by chance, in place of another.

    The document of θ¹ stands above if the first number drawn is below ½.
    """
    d, count = page.x.shape[1], int(page.memory[COUNT])
    z = page.memory[at(page, 3 + count % window) : at(page, 4 + count % window)]
    page.memory[SQUARES] -= product(z, z)
    for j in range(d):
        z[j] = page.x[page.shown[won], j] - page.x[page.shown[1 - won], j]
    page.memory[SQUARES] += product(z, z)
    page.memory[COUNT] += 1.0
    place = count if count < QUERIES else int(page.draws[1] * (count + 1))
    if place >= QUERIES:
        return
    kept, size, first = (
        page.memory[query_at(page, place, window) : query_at(page, place + 1, window)],
        2,
        0 if page.draws[0] < 0.5 else 1,
    )
    copy(page.x[page.shown[first]], kept[1 : 1 + d])
    copy(page.x[page.shown[1 - first]], kept[1 + d : 1 + 2 * d])
    for i in range(page.scores.shape[0]):
        if offered(page, i):
            copy(page.x[i], kept[1 + size * d : 1 + (size + 1) * d])
            size += 1
    kept[0] = size


@compiled
def slope(page: Page, c: int, window: int, prior: float, optimism: float) -> None:
    """Write ∇ (d,) of −log posterior of θ¹ (c = 0) or θ² (c = 1)."""
    d, count = page.x.shape[1], page.memory[COUNT]
    theta, gradient, compared = (
        page.memory[at(page, c) : at(page, c + 1)],
        page.memory[at(page, 2) : at(page, 3)],
        int(min(count, window)),
    )
    for j in range(d):
        gradient[j] = theta[j] / prior**2
    for i in range(compared):
        z = page.memory[at(page, 3 + i) : at(page, 4 + i)]
        pull = 1.0 / (1.0 + np.exp(min(product(z, theta), 700.0)))
        for j in range(d):
            gradient[j] -= pull * z[j]
    kept = int(min(count, QUERIES)) if optimism > 0.0 else 0
    for q in range(kept):
        past = page.memory[query_at(page, q, window) : query_at(page, q + 1, window)]
        best, highest = 0, -np.inf
        for i in range(2, int(past[0])):
            value = product(past[1 + i * d : 1 + (i + 1) * d], theta)
            if value > highest:
                best, highest = i, value
        for j in range(d):  # less the document of the other sample
            gradient[j] -= optimism * compared / kept * (past[1 + best * d + j] - past[1 + (1 - c) * d + j])


@compiled
def move(page: Page, c: int, noise: Array, epsilon: float) -> None:
    """Take the step θ ← θ − ε ∇ + √(2ε) ξ with ξ = `noise` (d,)."""
    theta, gradient = page.memory[at(page, c) : at(page, c + 1)], page.memory[at(page, 2) : at(page, 3)]
    for j in range(theta.shape[0]):
        theta[j] += np.sqrt(2.0 * epsilon) * noise[j] - epsilon * gradient[j]


@compiled
def sample_again(
    page: Page, w: Array, difference: Array, change: float, heard: int,
    window: float, moves: float, step: float, prior: float, optimism: float,
) -> None:  # fmt: skip
    """Note who won, and move both samples by Langevin's steps; w is their mean."""
    d, won = page.x.shape[1], preferred(page, heard)
    if won >= 0:
        note(page, won, int(window))
    epsilon = step / (1.0 / prior**2 + 0.25 * page.memory[SQUARES])
    for k in range(2 * int(moves)):
        c, noise = k % 2, page.draws[2 + k * d : 2 + (k + 1) * d]
        slope(page, c, int(window), prior, optimism)
        move(page, c, noise, epsilon)
    for j in range(d):
        w[0, j] = 0.5 * (page.memory[at(page, 0) + j] + page.memory[at(page, 1) + j])
