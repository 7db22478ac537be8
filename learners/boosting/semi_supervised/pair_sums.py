"""Sums over all pairs of two blocks of examples, in one pass over their similarities."""

from __future__ import annotations

import numpy as np

from learners.boosting.sums import inner
from learners.compiled import compiled


@compiled(allocates=True)
def add(x, factor, y):  # type: ignore[no-untyped-def]
    """Add factor · y to x."""
    for j in range(len(x)):
        x[j] += factor * y[j]


@compiled(allocates=True)
def divide(similar, z, square):  # type: ignore[no-untyped-def]
    """Put similar / z² into square, and similar / z in the place of z."""
    for j in range(len(z)):
        one = np.divide(similar[j], z[j])
        square[j] = np.divide(one, z[j])
        z[j] = one


@compiled(allocates=True)
def add_pairs(S, b, first, other, r, V):  # type: ignore[no-untyped-def]
    """Add S_ij / Z_ij to r_j, and (S_ij / Z_ij²) b_i to V_j, with Z_ij = b_i · b_j; in turn for i where it is no j.

    S : (m, l) similarities of the examples first … first + m − 1 to the examples other … other + l − 1. Where both are
    the same, S holds each pair twice. b : (K, n) probabilities of the classes. r : (n,). V : (K, n).
    """
    K, others, block = len(b), S.shape[1], slice(other, other + S.shape[1])
    rows, sums = b[:, block].copy(), np.zeros((K, others))  # in one piece
    one, square, ones, r_sum = np.empty(others), np.empty(others), np.ones(others), np.zeros(others)
    for i in range(len(S)):
        at = first + i
        one[:] = 0.0
        for k in range(K):
            add(one, b[k, at], rows[k])
        divide(S[i], one, square)
        add(r_sum, 1.0, one)
        for k in range(K):
            add(sums[k], b[k, at], square)
        if first != other:
            r[at] += inner(one, ones)
            for k in range(K):
                V[k, at] += inner(square, rows[k])
    r[block] += r_sum
    V[:, block] += sums
