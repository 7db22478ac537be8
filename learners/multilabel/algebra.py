"""Compiled vector and matrix operations of the multilabel learners.

Sums have a fixed order, so that they have the same bits on every machine and beside any other replicates. Matrices A⁻¹
are (M, d, d), or (M, 1, d) if they are diagonal.
"""

from __future__ import annotations

import math

from learners.base import Array
from learners.compiled import compiled
from learners.vectors import product


@compiled
def products(rows: Array, x: Array, found: Array) -> None:
    """Write the product of each row (n, d) with x into `found` (n,), four rows at a time.

    >>> import numpy as np
    >>> products(np.arange(10.0).reshape(5, 2), np.array([1.0, -1.0]), found := np.empty(5))
    >>> found
    array([-1., -1., -1., -1., -1.])
    """
    n = len(rows) - len(rows) % 4
    for i in range(0, n, 4):
        s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
        for j in range(len(x)):
            s0 += rows[i, j] * x[j]
            s1 += rows[i + 1, j] * x[j]
            s2 += rows[i + 2, j] * x[j]
            s3 += rows[i + 3, j] * x[j]
        found[i], found[i + 1], found[i + 2], found[i + 3] = s0, s1, s2, s3
    for i in range(n, len(rows)):
        s0 = 0.0
        for j in range(len(x)):
            s0 += rows[i, j] * x[j]
        found[i] = s0


@compiled
def mean(numbers: Array) -> float:
    """Return the mean of some numbers, NaN of none."""
    total = 0.0
    for number in numbers:
        total += number
    return total / len(numbers) if len(numbers) else math.nan


@compiled
def distance(numbers: Array, before: Array) -> float:
    """Return the norm of the change of numbers (n,) from those before, which it replaces; NaN if there are none."""
    for i in range(len(numbers)):
        before[i] = numbers[i] - before[i]
    return math.sqrt(product(before, before)) if len(numbers) else math.nan


@compiled
def link(margin: float, logistic: bool) -> float:
    """Return P(y = 1) at a margin, as `datasets.multilabel.link` does ([G] Eq. 2)."""
    return 1 / (1 + math.exp(-margin)) if logistic else (1 + margin) / 2


@compiled
def multiply(Ainv: Array, x: Array, diagonal: bool, V: Array) -> None:
    """Write A⁻¹x of each matrix into V (M, d). Each is read once, from one end to the other."""
    for m in range(len(V)):
        if diagonal:
            for j in range(len(x)):
                V[m, j] = Ainv[m, 0, j] * x[j]
            continue
        for j in range(len(x)):
            V[m, j] = 0.0
        for i in range(len(x)):  # a sum of rows, since the matrix is symmetric
            x_i = x[i]
            if x_i != 0:
                for j in range(len(x)):
                    V[m, j] += x_i * Ainv[m, i, j]


@compiled
def absorb(Ainv: Array, m: int, x: Array, diagonal: bool, V: Array, q: float) -> None:
    """Add xxᵀ to A_m, given V = A⁻¹x (M, d) and q = x·A⁻¹x, and replace V_m by the new A⁻¹x."""
    if diagonal:
        for j in range(len(x)):
            Ainv[m, 0, j] /= 1 + x[j] * V[m, j]  # 1 / (A + x²)
            V[m, j] = Ainv[m, 0, j] * x[j]
        return
    # Sherman and Morrison, A⁻¹ − A⁻¹x xᵀA⁻¹ / (1 + q), as a product of a vector with itself, so that it stays symmetric
    root = math.sqrt(1 + q)
    for j in range(len(x)):
        V[m, j] /= root
    for i in range(len(x)):
        v_i = V[m, i]
        for j in range(len(x)):
            Ainv[m, i, j] -= v_i * V[m, j]
    for j in range(len(x)):
        V[m, j] /= root
