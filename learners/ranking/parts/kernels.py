"""Compiled loops over candidate documents. They are compiled at their first use and kept on disk.

Every sum runs in the order of the features, one replicate at a time. So a result has the same bits whatever replicates
stand beside it, however far a batch is padded, and on every machine.
"""

from __future__ import annotations

from learners.base import Array
from learners.compiled import compiled as _jit


@_jit
def gather_sparse(starts: Array, lengths: Array, indices: Array, data: Array, index: Array, value: Array) -> None:
    """Copy the stored rows that begin at `starts` (R, n), of `lengths` (R, n) numbers, to index, value (R, n, m)."""
    for r in range(starts.shape[0]):
        for i in range(starts.shape[1]):
            for j in range(lengths[r, i]):
                index[r, i, j] = indices[starts[r, i] + j]
                value[r, i, j] = data[starts[r, i] + j]


@_jit
def score_sparse(lengths: Array, index: Array, value: Array, weights: Array, scores: Array) -> None:
    """Write w · x of sparse documents index, value (R, n, m) to `scores` (R, n), for weights (R, d)."""
    for r in range(index.shape[0]):
        for i in range(index.shape[1]):
            total = 0.0
            for j in range(lengths[r, i]):
                total += weights[r, index[r, i, j]] * value[r, i, j]
            scores[r, i] = total


@_jit
def combine_sparse(lengths: Array, index: Array, value: Array, coefficients: Array, total: Array) -> None:
    """Add Σ_i c_i x_i of sparse documents index, value (R, n, m) to `total` (R, d), for coefficients (R, n)."""
    for r in range(index.shape[0]):
        for i in range(index.shape[1]):
            c = coefficients[r, i]
            if c != 0:
                for j in range(lengths[r, i]):
                    total[r, index[r, i, j]] += c * value[r, i, j]


@_jit
def score_shared(weights: Array, columns: Array, scores: Array) -> None:
    """Add w · x of shared documents to `scores` (R, n), for weights (R, d) and features `columns` (d, n).

    Four features are added at a time, in order: a quarter of the traffic of `scores`, and the same bits.
    """
    d, n = columns.shape
    fours = d - d % 4
    for r in range(weights.shape[0]):
        w, row = weights[r], scores[r]
        for j in range(0, fours, 4):
            a, b, c, e = w[j], w[j + 1], w[j + 2], w[j + 3]
            x, y, z, v = columns[j], columns[j + 1], columns[j + 2], columns[j + 3]
            for i in range(n):
                row[i] = (((row[i] + a * x[i]) + b * y[i]) + c * z[i]) + e * v[i]
        for j in range(fours, d):
            a, x = w[j], columns[j]
            for i in range(n):
                row[i] += a * x[i]
