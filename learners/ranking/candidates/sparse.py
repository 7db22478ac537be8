"""Candidate documents with sparse features: feature numbers and values side by side, and their arithmetic.

Where numba is installed the inner loops are compiled. They add up in the order of the features, as the NumPy form does,
so that both give the same bits; so do batches that are padded to different widths.
"""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from learners.base import Array


class SparseRows:
    """The features of n documents in each of R replicates, m numbers of which are kept for each.

    index, value : (R, n, m) feature numbers and values; places that a document does not need have the value 0.
    width : number d of features. lengths : (R, n) places that each document needs, or None for all m.

    >>> x = SparseRows(np.array([[[0, 2], [1, 0]]]), np.array([[[1.0, 2.0], [3.0, 0.0]]]), width=3)
    >>> x.shape, x.scores(np.array([[1.0, 10.0, 100.0]])), x.combine(np.array([[1.0, -1.0]]))
    ((1, 2, 3), array([[201.,  30.]]), array([[ 1., -3.,  2.]]))
    """

    __slots__ = ("_lengths", "index", "shape", "value")

    def __init__(self, index: Array, value: Array, width: int, lengths: Array | None = None) -> None:
        self.index, self.value = index, value
        self.shape: tuple[int, int, int] = (*index.shape[:2], width)
        self._lengths = np.full(index.shape[:2], index.shape[2]) if lengths is None else lengths

    @classmethod
    def of(cls, features: Any, documents: Array) -> SparseRows:
        """The rows `documents` (R, n) of a scipy.sparse csr_array (N, d)."""
        starts = features.indptr.take(documents)
        lengths = features.indptr.take(documents + 1) - starts
        shape = (*documents.shape, max(1, int(lengths.max())))
        loops = _loops()
        if loops is not None:
            index, value = np.zeros(shape, dtype=features.indices.dtype), np.zeros(shape)
            loops.gather(starts, lengths, features.indices, features.data, index, value)
        else:
            place = np.arange(shape[2])
            there = place < lengths[..., None]
            at = np.where(there, starts[..., None] + place, 0)
            index = np.where(there, features.indices.take(at, mode="clip"), 0)
            value = np.where(there, features.data.take(at, mode="clip"), 0.0).astype(np.float64)
        return cls(index, value, int(features.shape[1]), lengths)

    def __len__(self) -> int:
        return self.shape[0]

    def scores(self, weights: Array) -> Array:
        """w · x of every document for weights (R, d), shape (R, n)."""
        loops = _loops()
        if loops is not None:
            scores = np.zeros(self.shape[:2])
            loops.scores(self._lengths, self.index, self.value, weights, scores)
            return scores
        products = weights.take(self._flat()) * self.value
        added: Array = np.cumsum(products, axis=-1)[..., -1]  # one after the other, unlike np.sum
        return added

    def combine(self, coefficients: Array) -> Array:
        """Σ_i c_i x_i for coefficients (R, n) of the documents, shape (R, d)."""
        replicates, _, width = self.shape
        loops = _loops()
        if loops is not None:
            total = np.zeros((replicates, width))
            loops.combine(self._lengths, self.index, self.value, coefficients, total)
            return total
        parts = coefficients[..., None] * self.value
        return np.bincount(self._flat().ravel(), parts.ravel(), replicates * width).reshape(replicates, width)

    def _flat(self) -> Array:
        """(R, n, m) where the features' weights stand in a flattened (R, d) array."""
        replicates, _, width = self.shape
        return np.arange(0, replicates * width, width)[:, None, None] + self.index


@cache
def _loops() -> Any:
    """The compiled loops, or None without numba; they are translated at their first use, and kept on disk."""
    try:
        import numba
    except ImportError:
        return None
    jit = numba.njit(cache=True, nogil=True)

    @jit
    def gather(starts, lengths, indices, data, index, value):  # type: ignore[no-untyped-def]
        for r in range(starts.shape[0]):
            for i in range(starts.shape[1]):
                for j in range(lengths[r, i]):
                    index[r, i, j] = indices[starts[r, i] + j]
                    value[r, i, j] = data[starts[r, i] + j]

    @jit
    def scores(lengths, index, value, weights, scores):  # type: ignore[no-untyped-def]
        for r in range(index.shape[0]):
            for i in range(index.shape[1]):
                total = 0.0
                for j in range(lengths[r, i]):
                    total += weights[r, index[r, i, j]] * value[r, i, j]
                scores[r, i] = total

    @jit
    def combine(lengths, index, value, coefficients, total):  # type: ignore[no-untyped-def]
        for r in range(index.shape[0]):
            for i in range(index.shape[1]):
                c = coefficients[r, i]
                if c != 0:
                    for j in range(lengths[r, i]):
                        total[r, index[r, i, j]] += c * value[r, i, j]

    return SimpleNamespace(**{name: f for name, f in locals().items() if name not in ("jit", "numba")})
