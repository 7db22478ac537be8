"""The arithmetic of linear classifiers, on examples that are read where they lie.

W has the shape (d, K) for each replicate, so that the K weights of a feature lie side by side. An example is a list of
features that are not 0 and their values. All sums run in the order of the features, so that a dense example, whose
other features would add 0, has the same bits as a sparse one, whatever stands beside it in the batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np

from learners.base import Array
from learners.compiled import compiled
from learners.vectors import LARGEST, prefetch

# the terms that an update adds to the weights, as pairs of a label and a coefficient of x, both (R,)
Moves = Sequence[tuple[Array, Array]]

_NOTHING: Array = np.zeros(0, dtype=np.int32)


class Vector(NamedTuple):
    """An example x. feature, value : (m,) its features that are not 0, and their values."""

    feature: Annotated[Array, "int64 m"]
    value: Annotated[Array, "m"]


class Rows(NamedTuple):
    """Examples in memory. dense : (N, d) numbers, of no length if the examples are sparse.

    start, feature, value : compressed sparse rows. Example n has the features feature[start[n] : start[n + 1]], with
    values likewise, of no length if all are 1.
    """

    dense: Array
    start: Array
    feature: Array
    value: Array

    @classmethod
    def of(cls, features: Any) -> Rows:
        """Return the rows of an array or of a matrix in compressed sparse rows, which are not copied."""
        if isinstance(features, np.ndarray):
            return cls(features, _NOTHING, _NOTHING, np.zeros(0))
        value = np.zeros(0) if (features.data == 1).all() else features.data
        return cls(np.zeros((0, 0)), features.indptr, features.indices, value)


class Examples:
    """One example for each replicate.

    features : (R, d) dense numbers, or None. index, value : (R, m) feature numbers and values of sparse examples;
    value is None if all are 1. Feature number d is padding.

    >>> x = Examples(index=np.array([[0, 2, 3]]))  # of d = 3 features the first and the third; 3 is padding
    >>> W = np.zeros((1, 3, 2))
    >>> x.add(W, [(np.array([1]), np.array([0.5]))])
    >>> x.predict(W)
    (array([[0., 1.]]), array([1]))
    """

    __slots__ = ("features", "index", "value")

    def __init__(self, features: Array | None = None, index: Array | None = None, value: Array | None = None) -> None:
        self.features, self.index, self.value = features, index, value

    def rows(self, features: int) -> Rows:
        """Return the examples as R rows of d features, without padding."""
        if self.features is not None:
            return Rows.of(np.ascontiguousarray(self.features, dtype=float))
        assert self.index is not None
        there = self.index < features
        start = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
        value = np.ones(start[-1]) if self.value is None else self.value[there].astype(float)
        return Rows(np.zeros((0, 0)), start, self.index[there].astype(np.int64), value)

    def predict(self, W: Array) -> tuple[Array, Array]:
        """Return the scores W x (R, K), and the label of the highest (R,), the first of ties."""
        scores, predicted = np.empty((len(W), W.shape[2])), np.empty(len(W), dtype=np.intp)
        _predict(self.rows(W.shape[1]), W, scores, predicted, blank(W.shape[1]))
        return scores, predicted

    def add(self, W: Array, moves: Moves) -> None:
        """Add coefficient · x to W[label] in place, for each (label, coefficient) of the moves, all (R,)."""
        for label, coefficient in moves:
            _add(self.rows(W.shape[1]), W, label.astype(np.intp), coefficient.astype(float), blank(W.shape[1]))

    def moved_by(self, moves: Moves, features: int) -> Array:
        """Return the norm of what the moves add to W, (R,), for examples of d features."""
        squares = np.empty(len(self.index if self.features is None else self.features))  # type: ignore[arg-type]
        _squares(self.rows(features), squares, blank(features))
        for r in range(len(squares)):
            total: dict[int, float] = {}
            for label, coefficient in moves:
                total[int(label[r])] = total.get(int(label[r]), 0.0) + float(coefficient[r])
            square = 0.0
            for factor in total.values():  # not sum(), which compensates for rounding from Python 3.12 on
                square += factor**2
            squares[r] *= square
        return np.asarray(np.sqrt(squares))

    def dense(self, r: int, features: int) -> Array:
        """Return the example of replicate r as dense numbers, (d,)."""
        if self.features is not None:
            return np.asarray(self.features[r], dtype=float)
        assert self.index is not None
        x = np.zeros(features + 1)
        x[self.index[r]] = 1.0 if self.value is None else self.value[r]
        return x[:features]


def blank(features: int) -> Vector:
    """Return room for an example of d features."""
    return Vector(np.empty(features + 1, np.int64), np.empty(features + 1))


@compiled
def read(rows: Rows, n: int, room: Vector) -> Vector:
    """Return example n, which is written into `room`."""
    m = 0
    if len(rows.dense):
        for j in range(rows.dense.shape[1]):
            x = rows.dense[n, j]
            room.feature[m], room.value[m] = j, x
            m += x != 0
    elif len(rows.value) == 0:
        m = rows.start[n + 1] - rows.start[n]
        for i in range(m):
            room.feature[i], room.value[i] = rows.feature[rows.start[n] + i], 1.0
    else:
        for i in range(rows.start[n], rows.start[n + 1]):
            x = rows.value[i]
            room.feature[m], room.value[m] = rows.feature[i], x
            m += x != 0
    return Vector(room.feature[:m], room.value[:m])


@compiled
def fetch(rows: Rows, soon: int, later: int) -> None:
    """Have the processor fetch an example that is read soon, and where another begins that is read later."""
    if len(rows.dense):
        for j in range(0, rows.dense.shape[1], 8):
            prefetch(rows.dense[soon], j)
        return
    prefetch(rows.start, later)
    for i in range(rows.start[soon], rows.start[soon + 1], 8):
        prefetch(rows.feature, i)
        if len(rows.value):
            prefetch(rows.value, i)


@compiled
def score(x: Vector, W: Array, scores: Array) -> None:
    """Compute the scores Σ_j x_j W_jk (K,), four labels at a time."""
    classes = len(scores)
    k = 0
    while k + 4 <= classes:
        a = b = c = d = 0.0
        for i in range(len(x.feature)):
            value, w = x.value[i], W[x.feature[i]]
            a += value * w[k]
            b += value * w[k + 1]
            c += value * w[k + 2]
            d += value * w[k + 3]
        scores[k], scores[k + 1], scores[k + 2], scores[k + 3] = a, b, c, d
        k += 4
    while k < classes:
        a = 0.0
        for i in range(len(x.feature)):
            a += x.value[i] * W[x.feature[i], k]
        scores[k] = a
        k += 1


@compiled
def squared(x: Vector) -> float:
    """Return ‖x‖², with four running totals."""
    n = len(x.value) - len(x.value) % 4
    a = b = c = d = 0.0
    for i in range(0, n, 4):
        a += x.value[i] * x.value[i]
        b += x.value[i + 1] * x.value[i + 1]
        c += x.value[i + 2] * x.value[i + 2]
        d += x.value[i + 3] * x.value[i + 3]
    for i in range(n, len(x.value)):
        a += x.value[i] * x.value[i]
    return (a + b) + (c + d)


@compiled
def best_of(scores: Array) -> int:
    """Return the label with the highest score, the first of ties."""
    best = 0
    for k in range(1, len(scores)):
        if scores[k] > scores[best]:
            best = k
    return best


@compiled
def add(x: Vector, W: Array, label: int, factor: float) -> bool:
    """Add factor · x to the weights of a label, and return whether they are finite then."""
    fine = True
    if factor != 0:
        for i in range(len(x.feature)):
            w = W[x.feature[i], label] + factor * x.value[i]
            W[x.feature[i], label] = w
            fine &= abs(w) <= LARGEST
    return fine


@compiled
def _predict(rows: Rows, W: Array, scores: Array, predicted: Array, room: Vector) -> None:
    for r in range(len(W)):
        score(read(rows, r, room), W[r], scores[r])
        predicted[r] = best_of(scores[r])


@compiled
def _squares(rows: Rows, found: Array, room: Vector) -> None:
    for r in range(len(found)):
        found[r] = squared(read(rows, r, room))


@compiled
def _add(rows: Rows, W: Array, label: Array, factor: Array, room: Vector) -> None:
    for r in range(len(W)):
        add(read(rows, r, room), W[r], label[r], factor[r])
