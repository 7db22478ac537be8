"""Compiled sums over pairs of documents."""

from __future__ import annotations

import numpy as np

from learners.boosting.sums import inner
from learners.compiled import compiled


@compiled(allocates=True)
def both_ways(matrix, u, v, rows, columns):  # type: ignore[no-untyped-def]
    """Put v_i Σ_j M_ij u_j into rows (n,), and u_j Σ_i v_i M_ij into columns (n,), in one pass over M (n, n)."""
    columns[:] = 0.0
    for i in range(len(u)):
        row = matrix[i]
        rows[i] = v[i] * inner(row, u)
        by = v[i]
        for j in range(len(u)):
            columns[j] += by * row[j]
    for j in range(len(u)):
        columns[j] *= u[j]


@compiled(allocates=True)
def across(matrix, u, v, f):  # type: ignore[no-untyped-def]
    """Return Σ v_i M_ij u_j over the pairs of which f (n,) bool picks i alone, and over those of which it picks j."""
    picked, others = np.where(f, u, 0.0), np.where(f, 0.0, u)
    right, wrong = 0.0, 0.0
    for i in range(len(u)):
        if f[i]:
            right += v[i] * inner(matrix[i], others)
        else:
            wrong += v[i] * inner(matrix[i], picked)
    return right, wrong


@compiled(allocates=True)
def turned(matrix, place):  # type: ignore[no-untyped-def]
    """Return the sum of M_ij over the pairs of which j has the lower place (n,)."""
    total = 0.0
    for i in range(len(place)):
        row, own, part = matrix[i], place[i], 0.0
        for j in range(len(place)):
            if own > place[j]:
                part += row[j]
        total += part
    return total
