"""Sums over all pairs of two blocks of examples, in one pass over their similarities."""

from __future__ import annotations

import numpy as np

from learners.compiled import compiled


@compiled
def inner(x, y):  # type: ignore[no-untyped-def]
    """Return x · y, summed in eight parts, which makes it fast and the same on every machine."""
    a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = 0.0
    whole = len(x) - len(x) % 8
    for j in range(0, whole, 8):
        a0 += x[j] * y[j]
        a1 += x[j + 1] * y[j + 1]
        a2 += x[j + 2] * y[j + 2]
        a3 += x[j + 3] * y[j + 3]
        a4 += x[j + 4] * y[j + 4]
        a5 += x[j + 5] * y[j + 5]
        a6 += x[j + 6] * y[j + 6]
        a7 += x[j + 7] * y[j + 7]
    for j in range(whole, len(x)):
        a0 += x[j] * y[j]
    return ((a0 + a1) + (a2 + a3)) + ((a4 + a5) + (a6 + a7))


@compiled
def add_pairs(S, b, first, other, r, V):  # type: ignore[no-untyped-def]
    """Add S_ij / Z_ij to r_j, and (S_ij / Z_ij²) b_i to V_j, with Z_ij = b_i · b_j; in turn for i where it is no j.

    S : (m, l) similarities of the examples first … first + m − 1 to the examples other … other + l − 1. Where both are
    the same, S holds each pair twice. b : (K, n) probabilities of the classes. r : (n,). V : (K, n).
    """
    m, l = S.shape
    K = len(b)
    one, square, ones = np.empty(l), np.empty(l), np.ones(l)
    for i in range(m):
        at = first + i
        for j in range(l):
            one[j] = 0.0
        for k in range(K):
            p = b[k, at]
            for j in range(l):
                one[j] += p * b[k, other + j]
        for j in range(l):
            z = one[j]
            one[j] = S[i, j] / z
            square[j] = one[j] / z
        for j in range(l):
            r[other + j] += one[j]
        for k in range(K):
            p = b[k, at]
            for j in range(l):
                V[k, other + j] += p * square[j]
        if first != other:
            r[at] += inner(one, ones)
            for k in range(K):
                V[k, at] += inner(square, b[k, other : other + l])
