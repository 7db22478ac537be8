"""Compiled vector and matrix operations of the multilabel learners.

Sums have a fixed order, so that they have the same bits on every machine and beside any other replicates. Matrices A⁻¹
are (d, d), or (1, d) if they are diagonal.
"""

from __future__ import annotations

import math

from learners.base import Array
from learners.compiled import compiled


@compiled
def dot(a: Array, b: Array) -> float:
    """Return a · b from eight partial sums."""
    n = len(a) - len(a) % 8
    s0, s1, s2, s3, s4, s5, s6, s7 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for j in range(0, n, 8):
        s0 += a[j] * b[j]
        s1 += a[j + 1] * b[j + 1]
        s2 += a[j + 2] * b[j + 2]
        s3 += a[j + 3] * b[j + 3]
        s4 += a[j + 4] * b[j + 4]
        s5 += a[j + 5] * b[j + 5]
        s6 += a[j + 6] * b[j + 6]
        s7 += a[j + 7] * b[j + 7]
    for j in range(n, len(a)):
        s0 += a[j] * b[j]
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))


@compiled
def mean(a: Array) -> float:
    """Return the mean of some numbers, NaN of none."""
    if len(a) == 0:
        return math.nan
    n, s0, s1, s2, s3 = len(a) - len(a) % 4, 0.0, 0.0, 0.0, 0.0
    for j in range(0, n, 4):
        s0 += a[j]
        s1 += a[j + 1]
        s2 += a[j + 2]
        s3 += a[j + 3]
    for j in range(n, len(a)):
        s0 += a[j]
    return ((s0 + s1) + (s2 + s3)) / len(a)


@compiled
def link(margin: float, logistic: bool) -> float:
    """Return P(y = 1) at a margin, as `datasets.multilabel.link` does ([G] Eq. 2)."""
    return 1 / (1 + math.exp(-margin)) if logistic else (1 + margin) / 2


@compiled
def times(Ainv: Array, x: Array, diagonal: bool, V: Array) -> None:
    """Write A⁻¹x into V (d,). Each row of the matrix, which is symmetric, is read once, from one end to the other."""
    if diagonal:
        for j in range(len(x)):
            V[j] = Ainv[0, j] * x[j]
        return
    V[:] = 0.0
    for i in range(len(x)):
        x_i, row = x[i], Ainv[i]
        if x_i != 0:
            for j in range(len(x)):
                V[j] += x_i * row[j]


@compiled
def absorb(Ainv: Array, x: Array, diagonal: bool, V: Array, q: float) -> None:
    """Add xxᵀ to A, given V = A⁻¹x (d,) and q = x·A⁻¹x, and replace V by the new A⁻¹x."""
    if diagonal:
        for j in range(len(x)):
            Ainv[0, j] /= 1 + x[j] * V[j]  # 1 / (A + x²)
            V[j] = Ainv[0, j] * x[j]
        return
    # Sherman and Morrison, A⁻¹ − A⁻¹x xᵀA⁻¹ / (1 + q), as a product of a vector with itself, so that it stays symmetric
    root = math.sqrt(1 + q)
    for j in range(len(V)):
        V[j] /= root
    for i in range(len(V)):
        v_i, row = V[i], Ainv[i]
        for j in range(len(V)):
            row[j] -= v_i * V[j]
    for j in range(len(V)):
        V[j] /= root


@compiled
def finite(w: Array) -> bool:
    """Return whether all entries of w (K, d) are finite numbers; those that are not make a sum of zeros NaN."""
    total = 0.0
    for k in range(w.shape[0]):
        s0, s1, s2, s3, row = 0.0, 0.0, 0.0, 0.0, w[k]
        n = len(row) - len(row) % 4
        for j in range(0, n, 4):
            s0 += 0 * row[j]
            s1 += 0 * row[j + 1]
            s2 += 0 * row[j + 2]
            s3 += 0 * row[j + 3]
        for j in range(n, len(row)):
            s0 += 0 * row[j]
        total += (s0 + s1) + (s2 + s3)
    return total == 0
