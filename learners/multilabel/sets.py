"""Ordered sets of labels, which is the best and what it costs ([G] §2, §4, Lemma 1), for one replicate at a time.

All is compiled. Shapes: K labels; an ordered set is the first `size` of `order` (m,), the labels by falling score.
"""

from __future__ import annotations

import numpy as np

from learners.base import Array
from learners.compiled import compiled

_TIES = 1e12  # smaller differences than 1 / _TIES count as ties, so that ties do not depend on the order of a summation


@compiled
def rounded(number: float) -> float:
    """Round to twelve digits, as np.round does.

    >>> float(rounded(0.1 + 0.2)), float(rounded(2.5e-12))
    (0.3, 2e-12)
    """
    return float(np.rint(number * _TIES) / _TIES)


@compiled
def cost(position: int, size: int, constant: bool) -> float:
    """Return c(j, s) of [G] §2 and §5 for the position j = 0, 1, … of s labels.

    >>> [round(float(cost(j, 3, False)), 3) for j in range(3)]
    [1.0, 0.667, 0.333]
    """
    return 1.0 if constant else (size - position) / size


@compiled
def expected_cost(p: Array, order: Array, size: int, a: float, constant: bool) -> float:
    """Return the expected cost of a set of labels with probabilities p (K,), without a Σ_i p_i, the same for all sets.

    It is (1 − a) Σ_j c(j, s)(1 − p_(j)) − a Σ_j p_(j), [G] Eq. 3.
    """
    wrong, right = 0.0, 0.0
    for j in range(size):
        wrong += cost(j, size, constant) * (1 - p[order[j]])
        right += p[order[j]]
    return (1 - a) * wrong - a * right


@compiled
def best_size(p: Array, order: Array, a: float, constant: bool, cap: int) -> int:
    """Return the size s ≤ cap of the prefix of `order` with the least expected cost, the smallest of ties.

    With the labels by falling p, no other set costs less ([G] Lemma 1).

    >>> best_size(np.array([0.9, 0.6, 0.1]), np.arange(3), 0.5, True, 3)
    2
    """
    best, least = 0, 0.0
    wrong, within, right = 0.0, 0.0, 0.0
    for s in range(1, cap + 1):
        wrong += 1 - p[order[s - 1]]
        within += wrong  # Σ_{j ≤ s} (s − j + 1)/s q_j = Σ_{m ≤ s} (q_1 + … + q_m) / s
        right += p[order[s - 1]]
        value = rounded((1 - a) * (wrong if constant else within / s) - a * right)
        if value < least:
            best, least = s, value
    return best


@compiled
def loss(truth: Array, order: Array, size: int, a: float, constant: bool) -> float:
    """Return ℓ_{a,c} of [G] §2, a |Y \\ Ŷ| + (1 − a) Σ_{i ∈ Ŷ \\ Y} c(j_i, |Ŷ|). truth : (K,) bool, Y.

    In the paper's example, with K = 10 and labels counted from 1, Ŷ = (4, 3, 6) and Y = {1, 3, 8} cost
    2a + (1 − a)(3/3 + 1/3).

    >>> truth = np.isin(np.arange(1, 11), [1, 3, 8])
    >>> round(loss(truth, np.array([4, 3, 6]) - 1, 3, 0.5, False), 4)
    1.6667
    """
    missed, wrong = 0, 0.0
    for k in range(len(truth)):
        missed += truth[k]
    for j in range(size):
        if truth[order[j]]:
            missed -= 1
        else:
            wrong += cost(j, size, constant)
    return a * missed + (1 - a) * wrong


@compiled
def disagreements(score: Array, truth: Array, order: Array, size: int) -> float:
    """Return the number of pairs of a right and a wrong label shown in the wrong order, ties counting ½.

    It is the first part of ℓ_{rank,t} in [G] §4. score : (K,), falling along `order`. truth : (K,) bool.

    >>> score, truth = np.array([0.9, 0.5, 0.5, 0.1]), np.array([False, True, False, True])
    >>> disagreements(score, truth, np.arange(4), 4)
    3.5
    """
    pairs, above, j = 0.0, 0, 0
    while j < size:
        right, wrong, first = 0, 0, j  # of the labels with the score of the first
        while j == first or (j < size and score[order[j]] == score[order[first]]):
            right += truth[order[j]]
            wrong += not truth[order[j]]
            j += 1
        pairs += right * (above + wrong / 2)
        above += wrong
    return pairs
