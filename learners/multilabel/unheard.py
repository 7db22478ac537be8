"""Estimates, without bias, of which labels are right where only the set shown is heard about (Shibukawa et al. 2025).

With probability q a random set of s labels was shown, else the set z, which a rule keeps in `page.delta` (K,).

The abstract names both estimators and their regret, O(√(KT)) for K sets with inverse weights, and O(T^(2/3)) with the
pseudo-inverse, which only hears how many labels of ŷ are right. The formulas rest on memory. The paper's feedback is
one number, and its inverse weight is that of the whole set; here each label is heard about, and weighted.

These weights, and not how a set is decoded, are why the structured bandit learns slowly. On multilabel-synthetic, in
steps 2,000 to 4,000, it has a loss of 2.2, playing nothing 2.0, and [G]'s bandit 1.85. Told all labels, the same steps
with η = 0.2 and the same decoding have 1.66. But ỹ weighs a right label by up to K/(qs) = 40, so that such steps
overshoot (2.4), short ones lag (η = 0.05 is the best of .01, .05, .2 and 1), and each random set costs 2. Tried, too:
AdaGrad's steps for each label, 2.0 to 2.3 by q, and ỹ centred at p̂, which gains 0.01.
"""

from __future__ import annotations

from learners.compiled import compiled
from learners.multilabel.page import Page
from learners.vectors import rank

ESTIMATORS = ("inverse-weighted", "pseudo-inverse")


@compiled
def drawn(page: Page) -> int:
    """Return s, how many labels a random set has: as many as may be shown, but not all of them, if there are more."""
    return int(max(1, min(page.cap, len(page.w) - 1)))


@compiled
def draw(page: Page) -> int:
    """Rank the labels by the random numbers, and return how many of them to show."""
    for i in range(len(page.w)):
        page.probability[i] = page.draws[i]
    rank(page.probability, page.order)
    return int(drawn(page))


@compiled
def estimate(page: Page, q: float, estimator: int) -> None:
    """Put the estimate ỹ of which labels are right in the place of what is heard."""
    if estimator == 0:
        weigh(page, q)
    else:
        invert(page, q)


@compiled
def weigh(page: Page, q: float) -> None:
    """Put ŷ_i y_i / P(i is shown) in the place of what is heard."""
    for i in range(len(page.w)):
        right = 1.0 if page.heard[i] > 0 else 0.0
        page.heard[i] = right / (q * drawn(page) / len(page.w) + (1 - q) * page.delta[i])


@compiled
def invert(page: Page, q: float) -> None:
    """Put P⁺ ŷ (ŷ·y) in the place of what is heard, where P = E[ŷŷᵀ]: of ŷ·y, how many of the labels shown are right.

    P = α I + β 11ᵀ + (1 − q) zzᵀ with β = q s(s − 1) / (K(K − 1)) and α = q s/K − β, so that P v = ŷ has the solution
    v = (ŷ − b 1 − c z) / α with b = β 1·v and c = (1 − q) z·v, two equations.
    """
    K, s = len(page.w), drawn(page)
    beta = q * s * (s - 1) / (K * max(1, K - 1))
    alpha = q * s / K - beta
    hits = size = common = most = 0.0
    for i in range(K):
        if page.heard[i] != 0:
            size += 1
            common += page.delta[i]
            hits += page.heard[i] > 0
        most += page.delta[i]
    ones, mine = alpha + beta * K, alpha + (1 - q) * most
    both = ones * mine - beta * most * (1 - q) * most
    b = beta * (size * mine - most * (1 - q) * common) / both
    c = (1 - q) * (ones * common - most * beta * size) / both
    for i in range(K):
        inside = 1.0 if page.heard[i] != 0 else 0.0
        page.heard[i] = hits * (inside - b - c * page.delta[i]) / alpha
