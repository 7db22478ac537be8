"""Candidate documents with sparse features, stored as feature numbers and values side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from learners.base import Array


class SparseRows:
    """The features of n documents in each of R replicates, with room for m numbers per document.

    index, value : (R, n, m) feature numbers and values; room that a document does not need has the value 0.
    width : number d of features. lengths : (R, n) numbers that each document has, or None if all have m.

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
        """Return the rows `documents` (R, n) of a scipy.sparse csr_array (N, d)."""
        from learners.ranking.parts.kernels import gather_sparse

        starts = features.indptr.take(documents)
        lengths = features.indptr.take(documents + 1) - starts
        shape = (*documents.shape, max(1, int(lengths.max())))
        index, value = np.zeros(shape, dtype=features.indices.dtype), np.zeros(shape)
        gather_sparse(starts, lengths, features.indices, features.data, index, value)
        return cls(index, value, int(features.shape[1]), lengths)

    def __len__(self) -> int:
        return self.shape[0]

    def scores(self, weights: Array) -> Array:
        """Return w · x of every document, shape (R, n), for weights (R, d)."""
        from learners.ranking.parts.kernels import score_sparse

        scores = np.zeros(self.shape[:2])
        score_sparse(self._lengths, self.index, self.value, weights, scores)
        return scores

    def combine(self, coefficients: Array) -> Array:
        """Return Σ_i c_i x_i, shape (R, d), for document coefficients (R, n)."""
        from learners.ranking.parts.kernels import combine_sparse

        total = np.zeros((self.shape[0], self.shape[2]))
        combine_sparse(self._lengths, self.index, self.value, coefficients, total)
        return total
