"""The arithmetic of linear classifiers on a batch of dense or sparse examples.

W has the shape (R, d + 1, K), so that the K weights of a feature lie side by side and an example touches only the
features it has. The last row is always 0; the padding of sparse examples points to it.

Where numba is installed, the two inner loops are compiled. They add in the order of the features, as NumPy does here,
so both forms give the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from learners.base import Array

# what an update adds to the weights, as pairs of a label and a coefficient of x, both (R,)
Moves = Sequence[tuple[Array, Array]]


class Examples:
    """One example for each replicate.

    features : (R, d) dense numbers, or None. index, value : (R, m) feature numbers and values of sparse examples;
    value is None if all are 1.

    >>> x = Examples(index=np.array([[0, 2, 3]]))  # of d = 3 features the first and the third; 3 is padding
    >>> W = np.zeros((1, 4, 2))
    >>> x.add(W, [(np.array([1]), np.array([0.5]))])
    >>> x.predict(W)
    (array([[0., 1.]]), array([1]))
    """

    __slots__ = ("features", "index", "value")

    def __init__(self, features: Array | None = None, index: Array | None = None, value: Array | None = None) -> None:
        self.features, self.index, self.value = features, index, value

    def predict(self, W: Array) -> tuple[Array, Array]:
        """Return the scores W x (R, K), and the label of the highest (R,), the first of ties."""
        loops = _loops()
        if loops is None:
            scores = self.weigh(self.entries(W))
            return scores, scores.argmax(axis=1)
        replicates, _, classes = W.shape
        scores, best = np.zeros((replicates, classes)), np.empty(replicates, np.intp)
        if self.features is not None:
            loops.dense_scores(W, self.features, scores, best)
        elif self.value is None:
            loops.binary_scores(W, self.index, scores, best)
        else:
            loops.sparse_scores(W, self.index, self.value, scores, best)
        return scores, best

    def add(self, W: Array, moves: Moves) -> None:
        """Add coefficient · x to W[label] in place, for each (label, coefficient) of the moves, all (R,)."""
        loops = _loops()
        if loops is None:
            for label, coefficient in moves:
                self._add(W, label, coefficient)
            return
        (a, u), (b, v) = moves if len(moves) == 2 else (*moves, (moves[0][0], 0 * moves[0][1]))
        if self.features is not None:
            loops.dense_add(W, self.features, a, u, b, v)
        elif self.value is None:
            loops.binary_add(W, self.index, a, u, b, v)
        else:
            loops.sparse_add(W, self.index, self.value, a, u, b, v)

    def _add(self, W: Array, label: Array, coefficient: Array) -> None:
        replicates = np.arange(W.shape[0])
        if self.features is not None:
            W[replicates, : self.features.shape[1], label] += coefficient[:, None] * self.features
            return
        assert self.index is not None
        change = coefficient[:, None] if self.value is None else coefficient[:, None] * self.value
        W[replicates[:, None], self.index, label[:, None]] += change
        W[:, -1] = 0.0

    def change(self, W: Array, label: Array, by: Callable[[Array], Array]) -> None:
        """Apply a function to the weights (R, m) of one label for each replicate, at the features of the examples."""
        index = np.arange(self.features.shape[1]) if self.features is not None else self.index
        at = np.arange(W.shape[0])[:, None], index, label[:, None]
        W[at] = by(W[at])

    def entries(self, W: Array) -> Array:
        """Return the weights of the features that the examples have, (R, m, K)."""
        if self.features is not None:
            return W[:, : self.features.shape[1]]
        assert self.index is not None
        replicates, width, classes = W.shape
        start = np.arange(0, replicates * width, width)[:, None]
        found: Array = W.reshape(-1, classes).take(start + self.index, axis=0)
        return found

    def weigh(self, entries: Array) -> Array:
        """Return Σ_j x_j entries_j (R, K) for entries (R, m, K) at the features of the examples."""
        value = self.features if self.index is None else self.value
        if value is None:
            assert self.index is not None
            total: Array = entries.sum(axis=1)
            return total
        return np.asarray((value[:, :, None] * entries).sum(axis=1))

    def dense(self, r: int, features: int) -> Array:
        """Return the example of replicate r as dense numbers, (d,)."""
        if self.features is not None:
            return np.asarray(self.features[r], dtype=float)
        assert self.index is not None
        x = np.zeros(features + 1)
        x[self.index[r]] = 1.0 if self.value is None else self.value[r]
        return x[:features]


@cache
def _loops() -> Any:
    """Return the compiled loops, or None without numba; they are compiled at first use and cached on disk."""
    try:
        import numba
    except ImportError:
        return None
    jit = numba.njit(cache=True, nogil=True)

    @jit
    def best_of(scores):  # type: ignore[no-untyped-def]
        best = 0
        for k in range(1, len(scores)):
            if scores[k] > scores[best]:
                best = k
        return best

    @jit
    def dense_scores(W, x, scores, best):  # type: ignore[no-untyped-def]
        for r in range(W.shape[0]):
            for j in range(x.shape[1]):
                for k in range(W.shape[2]):
                    scores[r, k] += x[r, j] * W[r, j, k]
            best[r] = best_of(scores[r])

    @jit
    def binary_scores(W, index, scores, best):  # type: ignore[no-untyped-def]
        for r in range(W.shape[0]):
            for m in range(index.shape[1]):
                j = index[r, m]
                for k in range(W.shape[2]):
                    scores[r, k] += W[r, j, k]
            best[r] = best_of(scores[r])

    @jit
    def sparse_scores(W, index, value, scores, best):  # type: ignore[no-untyped-def]
        for r in range(W.shape[0]):
            for m in range(index.shape[1]):
                j, v = index[r, m], value[r, m]
                for k in range(W.shape[2]):
                    scores[r, k] += v * W[r, j, k]
            best[r] = best_of(scores[r])

    @jit
    def dense_add(W, x, a, u, b, v):  # type: ignore[no-untyped-def]
        for r in range(W.shape[0]):
            for k, c in ((a[r], u[r]), (b[r], v[r])):
                if c != 0:
                    for j in range(x.shape[1]):
                        W[r, j, k] += c * x[r, j]

    @jit
    def binary_add(W, index, a, u, b, v):  # type: ignore[no-untyped-def]
        last = W.shape[1] - 1
        for r in range(W.shape[0]):
            for k, c in ((a[r], u[r]), (b[r], v[r])):
                if c != 0:
                    for m in range(index.shape[1]):
                        if index[r, m] != last:
                            W[r, index[r, m], k] += c

    @jit
    def sparse_add(W, index, value, a, u, b, v):  # type: ignore[no-untyped-def]
        last = W.shape[1] - 1
        for r in range(W.shape[0]):
            for k, c in ((a[r], u[r]), (b[r], v[r])):
                if c != 0:
                    for m in range(index.shape[1]):
                        if index[r, m] != last:
                            W[r, index[r, m], k] += c * value[r, m]

    return SimpleNamespace(**{name: f for name, f in locals().items() if name not in ("jit", "numba")})
