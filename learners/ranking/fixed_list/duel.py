"""Comparisons of two documents a step: a page that shows both, the winner, and numbers drawn at random.

The pair stands in the first two places, in either order, so that neither gains by its place. Any user who clicks will
do: the one of both that is clicked alone has won. Other clicks say nothing.
"""

from __future__ import annotations

import numpy as np

from learners.base import Array
from learners.compiled import compiled
from learners.ranking.fixed_list.base import rank_shuffled
from learners.ranking.step.page import CLICKS, Page

_STEP, _MIX, _MIX_AGAIN = (n - 2**64 for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


@compiled
def show_pair(page: Page, first: int, second: int, coin: float) -> None:
    """Show two documents on top, the first of them above if the coin is below ½, and all others as predicted."""
    page.shown[0], page.shown[1] = (first, second) if coin < 0.5 else (second, first)
    place = 2
    for document in page.predicted:
        if document != first and document != second:
            page.shown[place] = document
            place += 1


@compiled
def winner(page: Page, heard: int) -> int:
    """Return the place, 0 or 1, of the document that won, or −1 if neither or both of them were clicked."""
    if heard != CLICKS or page.on_page < 2 or page.clicks[0] == page.clicks[1]:
        return -1
    return 0 if page.clicks[0] else 1


@compiled
def uniform(seed: float, i: int) -> float:
    """Return number i, in (0, 1), of those that follow from a seed in [0, 1) (SplitMix64)."""
    z = int(seed * 2**53) + (i + 1) * _STEP
    z = (z ^ ((z >> 30) & 0x3FFFFFFFF)) * _MIX
    z = (z ^ ((z >> 27) & 0x1FFFFFFFFF)) * _MIX_AGAIN
    z = z ^ ((z >> 31) & 0x1FFFFFFFF)
    return float((((z >> 11) & 0x1FFFFFFFFFFFFF) + 0.5) / 2**53)


@compiled
def gamma(shape: float, seed: float, i: int) -> float:
    """Draw from Γ(a, 1), a ≥ 1, by the numbers from i on (Marsaglia and Tsang, ACM TOMS 26(3), 2000)."""
    d = shape - 1.0 / 3.0
    while True:
        x = np.sqrt(-2.0 * np.log(uniform(seed, i))) * np.cos(2.0 * np.pi * uniform(seed, i + 1))
        v = (1.0 + x / np.sqrt(9.0 * d)) ** 3
        if v > 0.0 and np.log(uniform(seed, i + 2)) < 0.5 * x * x + d - d * v + d * np.log(v):
            return float(d * v)
        i += 3


@compiled
def beta(wins: float, losses: float, seed: float, i: int) -> float:
    """Draw from Beta(wins + 1, losses + 1), the posterior of a uniform prior, by number i of the draws of a step."""
    a = gamma(wins + 1.0, seed, 2000 * i)  # each takes 4 numbers on average
    return a / (a + gamma(losses + 1.0, seed, 2000 * i + 1000))


@compiled
def highest(page: Page, values: Array) -> int:
    """Return the document with the highest value, of several the one with the highest number drawn."""
    best = 0
    for i in range(1, page.shown.shape[0]):
        if values[i] > values[best] or (values[i] == values[best] and page.draws[i] > page.draws[best]):
            best = i
    return best


@compiled
def rank_by_wins(page: Page) -> None:
    """Predict by how many others each document has beaten more often than not, then by its mean share of wins.

    `page.memory` : (n n,) how often document i has beaten j, at i n + j. Overwrites `page.key`.
    """
    n = page.shown.shape[0]
    for i in range(n):
        beaten = share = 0.0
        for j in range(n):
            won, lost = page.memory[i * n + j], page.memory[j * n + i]
            beaten += won > lost
            share += (won + 1.0) / (won + lost + 2.0)
        page.key[i] = beaten + share / (n + 1.0)
    rank_shuffled(page, page.key, page.draws, page.predicted)


@compiled
def learn_winner(page: Page, w: Array, difference: Array, change: float, heard: int) -> None:
    """Count who won."""
    won = winner(page, heard)
    if won >= 0:
        page.memory[page.shown[won] * page.shown.shape[0] + page.shown[1 - won]] += 1.0
