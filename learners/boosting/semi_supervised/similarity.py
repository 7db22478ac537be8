"""Similarities S of all pairs of examples, and the sums over them that MCSSB needs ([V] Eq. 2.4 and 2.12)."""

from collections.abc import Iterator

import numpy as np

from learners.base import Array
from learners.boosting.sums import inner
from learners.compiled import compiled
from learners.threads import one_thread

FORMED = 2_000  # rows up to which the similarities are kept; beyond, they are computed again in every round
BLOCK = 512  # rows and columns of S that are worked on at once


def scale_of(features: Array) -> float:
    """Return the largest |x_ij|, or 1 if all are 0. Features divided by it have squares that do not overflow."""
    return float(np.abs(features).max(initial=0)) or 1.0


class Similarity:
    """The symmetric similarity S of n examples: gaussian, uniform or absolute.

    gaussian : S_ij = exp(−d_ij² / 2σ²) with d_ij the Euclidean distance and σ a share `width` of the range of the
    distances, d_max − d_min over all pairs; S_ii = 0, as [V] §2.3.1 has it. Where all distances are equal, so that σ
    would be 0, S is uniform. uniform : S_ij = 1, S_ii = 0. absolute : S_ii = 1, and 0 elsewhere.

    At most half of S is kept, in float64 (16 MB for 2,000 rows), and only up to FORMED rows; beyond that it is
    computed again in blocks for every sum, with the same numbers. The work is O(n² (d + K)).

    >>> S = Similarity(np.array([[0.0], [1.0], [3.0]]), "uniform", width=0.15)
    >>> S.spread(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]))
    array([[0., 1.],
           [1., 0.],
           [1., 1.]])
    """

    def __init__(self, features: Array, kind: str, width: float) -> None:
        self.n, self.kind = len(features), kind
        self.kept: list[Array] | None = None
        if kind not in ("gaussian", "range"):
            return
        x = np.asarray(features, dtype=float) / scale_of(features)
        self.x = np.ascontiguousarray(x - x.mean(axis=0))
        self.squares = np.einsum("nd,nd->n", self.x, self.x)
        low, high = self._range()
        self.sigma = width * (high - low)
        if kind == "range":
            return
        if self.sigma <= 1e-9 * high:  # all distances are equal, or there are none
            self.kind = "uniform"
        elif self.n <= FORMED:
            with one_thread():
                self.kept = [self._gaussian(a, c) for a, c in self._pairs()]

    @staticmethod
    def width_of(features: Array, width: float) -> float:
        """Return σ of the gaussian similarity of these rows, in units of `scale_of` them."""
        found: float = Similarity(features, "range", width).sigma
        return found

    def _pairs(self) -> Iterator[tuple[slice, slice]]:
        """Yield blocks of rows and columns, on and above the diagonal."""
        starts = range(0, self.n, BLOCK)
        for i in starts:
            for j in range(i, self.n, BLOCK):
                yield slice(i, min(i + BLOCK, self.n)), slice(j, min(j + BLOCK, self.n))

    def _distances(self, a: slice, c: slice) -> Array:
        """Return the squared distances of the rows a to the rows c."""
        d: Array = self.x[a] @ self.x[c].T
        d *= -2
        d += self.squares[a, None]
        d += self.squares[c]
        np.maximum(d, 0, out=d)
        return d

    def _range(self) -> tuple[float, float]:
        """Return the smallest and the largest distance of two different rows."""
        low, high = np.inf, 0.0
        with one_thread():
            for a, c in self._pairs():
                d = self._distances(a, c)
                if a == c:
                    np.fill_diagonal(d, d.max())
                low, high = min(low, float(d.min())), max(high, float(d.max()))
        return float(np.sqrt(low)), float(np.sqrt(high))

    def _gaussian(self, a: slice, c: slice) -> Array:
        S = self._distances(a, c)
        S *= -0.5 / self.sigma**2
        np.exp(S, out=S)
        if a == c:
            np.fill_diagonal(S, 0)
        return S

    def _blocks(self) -> Iterator[tuple[slice, slice, Array]]:
        """Yield the blocks of S on and above the diagonal, each with its rows and columns."""
        for i, (a, c) in enumerate(self._pairs()):
            if self.kept is not None:
                S = self.kept[i]
            elif self.kind == "gaussian":
                S = self._gaussian(a, c)
            else:
                S = np.ones((a.stop - a.start, c.stop - c.start))
                if a == c:
                    np.fill_diagonal(S, 0)
            yield a, c, S

    def spread(self, Y: Array) -> Array:
        """Return S Y for any Y (n, K): how similar each row is to each class, if Y marks the classes."""
        if self.kind == "absolute":
            return Y.copy()
        if self.kind == "uniform":
            return np.asarray(Y.sum(axis=0) - Y)
        total = np.zeros(Y.shape)
        with one_thread():
            for a, c, S in self._blocks():
                total[a] += S @ Y[c]
                if a != c:
                    total[c] += S.T @ Y[a]
        return total

    def sums(self, b: Array) -> tuple[Array, Array]:
        """Return r_i = Σ_j S_ij / Z_ij (n,) and V_i = Σ_j (S_ij / Z_ij²) b_j (n, K), with Z_ij = b_i · b_j.

        b : (n, K) probabilities. So F_u = Σ_i r_i (Eq. 2.4), and α_i^k = b_i^k (r_i − V_i^k) (Eq. 2.12).
        """
        if self.kind == "absolute":
            z = (b * b).sum(axis=1)
            return 1 / z, b / z[:, None] ** 2
        if self.kind == "uniform":
            return _uniform(b)
        by_class = np.ascontiguousarray(b.T)  # (K, n)
        r, V = np.zeros(len(b)), np.zeros(by_class.shape)
        with one_thread():
            for a, c, S in self._blocks():
                add_pairs(S, by_class, a.start, c.start, r, V)
        return r, np.ascontiguousarray(V.T)


def _uniform(b: Array) -> tuple[Array, Array]:
    """Return `sums` where all similarities are 1: rows with the same probabilities are counted together."""
    kinds, of, counts = np.unique(b, axis=0, return_inverse=True, return_counts=True)
    of = of.reshape(-1)
    r, V = np.empty(len(kinds)), np.empty(kinds.shape)
    with one_thread():
        for i in range(0, len(kinds), BLOCK):
            mine = kinds[i : i + BLOCK]
            Z = mine @ kinds.T
            R = counts / Z
            r[i : i + BLOCK] = R.sum(axis=1)
            V[i : i + BLOCK] = (R / Z) @ kinds
    z = (kinds * kinds).sum(axis=1)
    return (r - 1 / z)[of], (V - kinds / z[:, None] ** 2)[of]  # without the row itself


@compiled(allocates=True)
def add(x, factor, y):  # type: ignore[no-untyped-def]
    """Add factor · y to x."""
    for j in range(len(x)):
        x[j] += factor * y[j]


@compiled(allocates=True)
def divide(similar, z, square):  # type: ignore[no-untyped-def]
    """Put similar / z² into square, and similar / z in the place of z."""
    for j in range(len(z)):
        one = np.divide(similar[j], z[j])
        square[j] = np.divide(one, z[j])
        z[j] = one


@compiled(allocates=True)
def add_pairs(S, b, first, other, r, V):  # type: ignore[no-untyped-def]
    """Add S_ij / Z_ij to r_j, and (S_ij / Z_ij²) b_i to V_j, with Z_ij = b_i · b_j; in turn for i where it is no j.

    S : (m, l) similarities of the examples first … first + m − 1 to the examples other … other + l − 1. Where both are
    the same, S holds each pair twice. b : (K, n) probabilities of the classes. r : (n,). V : (K, n).
    """
    K, others, block = len(b), S.shape[1], slice(other, other + S.shape[1])
    rows, sums = b[:, block].copy(), np.zeros((K, others))  # in one piece
    one, square, ones, r_sum = np.empty(others), np.empty(others), np.ones(others), np.zeros(others)
    for i in range(len(S)):
        at = first + i
        one[:] = 0.0
        for k in range(K):
            add(one, b[k, at], rows[k])
        divide(S[i], one, square)
        add(r_sum, 1.0, one)
        for k in range(K):
            add(sums[k], b[k, at], square)
        if first != other:
            r[at] += inner(one, ones)
            for k in range(K):
                V[k, at] += inner(square, rows[k])
    r[block] += r_sum
    V[:, block] += sums
