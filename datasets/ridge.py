"""Ridge regression on sparse features, for several targets at once, without a d × d matrix."""

from typing import Any

import numpy as np

from datasets.base import Array

TOLERANCE, MOST_ROUNDS = 1e-8, 500


def ridge(features: Any, targets: Array, damping: float) -> Array:
    """Return the W (d, K) that minimises ‖X W − Y‖² + λ‖W‖² for X (N, d), dense or scipy.sparse, and Y (N, K).

    λ is `damping`. Solve (XᵀX + λ) W = XᵀY by conjugate gradients, each column by itself but with one pass over X for
    all of them. Stop when the residual is 1e-8 of the right-hand side, or after 500 iterations.

    >>> ridge(np.array([[1.0, 0.0], [0.0, 3.0]]), np.array([[2.0], [4.0]]), damping=1.0).round(6)
    array([[1. ],
           [1.2]])
    """
    transposed = features.T
    residual = np.asarray(transposed @ targets, dtype=np.float64)
    weights, direction = np.zeros_like(residual), residual.copy()
    square = (residual**2).sum(axis=0)
    enough = TOLERANCE**2 * square
    for _ in range(MOST_ROUNDS):
        going = square > enough
        if not going.any():
            break
        image = transposed @ (features @ direction) + damping * direction
        step = _ratio(square, (direction * image).sum(axis=0), going)
        weights += step * direction
        residual -= step * image
        before, square = square, (residual**2).sum(axis=0)
        direction = residual + _ratio(square, before, going) * direction
    return weights


def _ratio(above: Array, below: Array, where: Array) -> Array:
    """Return above / below where `where` holds and below > 0, and 0 elsewhere."""
    return np.divide(above, below, out=np.zeros_like(above), where=where & (below > 0))
