"""Candidate documents that all replicates share, stored as one matrix that is never copied."""

from __future__ import annotations

from typing import Any

import numpy as np

from learners.base import Array
from learners.threads import one_thread


class SharedRows:
    """The features (n, d) of n documents that each of R replicates is offered.

    Scores are computed in the type of the features, and do not depend on which replicates stand beside each other.

    >>> x = SharedRows(np.array([[1.0, 0.0], [0.0, 2.0]]), replicates=2)
    >>> x.shape, x.scores(np.array([[1.0, 1.0], [3.0, 0.0]]))
    ((2, 2, 2), array([[1., 2.], [3., 0.]]))
    >>> x.combine(np.array([[1.0, 1.0], [0.0, -1.0]]))
    array([[ 1.,  2.], [ 0., -2.]])
    """

    __slots__ = ("_columns", "rows", "shape")

    def __init__(self, rows: Array, replicates: int) -> None:
        self.rows = rows
        self.shape: tuple[int, int, int] = (replicates, rows.shape[0], rows.shape[1])
        self._columns = np.ascontiguousarray(rows.T)

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        """Return the (R, n, d) array it stands for: a view of the matrix, unless another type is asked for."""
        seen = np.broadcast_to(self.rows, self.shape)
        return seen.astype(dtype) if copy or (dtype is not None and dtype != seen.dtype) else seen

    def scores(self, weights: Array) -> Array:
        """Return w · x of every document, shape (R, n), for weights (R, d)."""
        from learners.ranking.parts.kernels import score_shared

        scores = np.zeros((len(weights), self.shape[1]), dtype=self.rows.dtype)
        score_shared(weights.astype(self.rows.dtype, order="C", copy=False), self._columns, scores)
        return scores

    def combine(self, coefficients: Array) -> Array:
        """Return Σ_i c_i x_i, shape (R, d), for document coefficients (R, n)."""
        with one_thread():
            return np.stack([row @ self.rows for row in coefficients])

    def difference(self, better: Array, worse: Array, gamma: Array) -> Array:
        """Return Σ_i γ_i (x_better_i − x_worse_i), shape (R, d), for rankings (R, s) and discounts (s,) or (R, s)."""
        apart = self.rows[better].astype(np.float64, copy=False) - self.rows[worse]
        change: Array = np.einsum("...s,...sd->...d", np.broadcast_to(gamma, better.shape), apart)
        return change
