"""The features of documents as they are stored, and the compiled loops that read them where they lie.

A result has the same bits on every machine, whatever stands beside it in a batch.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from learners.base import Array
from learners.compiled import compiled
from learners.vectors import product, writable

DENSE, SINGLE, SPARSE = range(3)


class Features(NamedTuple):
    """The features of N documents in one of three forms; the arrays of the other forms are empty.

    kind : DENSE, SINGLE or SPARSE. dense : (N, d) float64. single : (N, d) float32. indptr (N + 1,), column, value
    : sparse rows. d : number of features.

    >>> x = Features.of(np.array([[1.0, 0.0], [0.0, 2.0]]))
    >>> x.kind == DENSE, x.d
    (True, 2)
    """

    kind: int
    d: int
    dense: Array
    single: Array
    indptr: Array
    column: Array
    value: Array

    @classmethod
    def of(cls, features: Any) -> Features:
        """Return the features of an array (N, d) or of a scipy.sparse csr_array; float32 and float64 are not copied."""
        none = (
            np.empty((0, 0)),
            np.empty((0, 0), np.float32),
            np.empty(0, np.int64),
            np.empty(0, np.int64),
            np.empty(0),
        )
        dense, single, indptr, column, value = none
        if not isinstance(features, np.ndarray):
            indptr, column = features.indptr.astype(np.int64), features.indices.astype(np.int64)
            value, kind = np.asarray(features.data, dtype=np.float64), SPARSE
        elif features.dtype == np.float32:
            single, kind = writable(features), SINGLE
        else:
            dense, kind = writable(features, np.float64), DENSE
        return cls(kind, features.shape[1], dense, single, indptr, column, value)

    def gather(self, rows: Array) -> Array:
        """Return a copy of some rows (n,) as float64, (n, d)."""
        if self.kind == DENSE:
            return self.dense[rows]
        if self.kind == SINGLE:
            return self.single[rows].astype(np.float64)
        stored = csr_array((self.value, self.column, self.indptr), shape=(len(self.indptr) - 1, self.d))
        return np.asarray(stored[rows].toarray())


@compiled
def score(x: Features, rows: Array, w: Array, scores: Array) -> None:
    """Write w · x of the documents `rows` (n,) to `scores` (n,)."""
    if x.kind == DENSE:
        for i in range(rows.shape[0]):
            scores[i] = product(x.dense[rows[i]], w)
    elif x.kind == SINGLE:
        for i in range(rows.shape[0]):
            scores[i] = product(x.single[rows[i]], w)
    else:
        for i in range(rows.shape[0]):
            total = 0.0
            for j in range(x.indptr[rows[i]], x.indptr[rows[i] + 1]):
                total += x.value[j] * w[x.column[j]]
            scores[i] = total


@compiled
def add_row(x: Features, row: int, c: float, total: Array) -> None:
    """Add c x of one stored document to `total` (d,)."""
    if x.kind == DENSE:
        dense = x.dense[row]
        for j in range(x.d):
            total[j] += c * dense[j]
    elif x.kind == SINGLE:
        single = x.single[row]
        for j in range(x.d):
            total[j] += c * single[j]
    else:
        for j in range(x.indptr[row], x.indptr[row + 1]):
            total[x.column[j]] += c * x.value[j]


@compiled
def gather(x: Features, rows: Array, found: Array) -> None:
    """Write the features of the documents `rows` (n,) to the first rows of `found`, (≥ n, d)."""
    for i in range(rows.shape[0]):
        for j in range(x.d):
            found[i, j] = 0.0
        add_row(x, rows[i], 1.0, found[i])
