"""Minimum-norm least squares for several targets at once, independent of the columns' units."""

from collections.abc import Callable, Iterable

import numpy as np

from datasets.base import Array
from datasets.exact import backward, factor, forward, product
from datasets.exact import gram as squares

DEPENDENT = 1e-12  # squared distance of a unit column from the span of the others that counts as 0
ABOUT = 0.1  # columns within this share of the largest squared distance are candidates for the next pivot
ABSENT = 1e-10  # smaller coefficients of a dependence between unit columns are rounding errors
REFINEMENTS = 2

Blocks = Callable[[], Iterable[tuple[Array, Array]]]


def least_squares(blocks: Blocks) -> Array:
    """Return the W (d, K) of smallest ‖W‖ among those that minimise ‖X W − Y‖² for X (N, d) and Y (N, K).

    Parameters
    ----------
    blocks : each call iterates over the rows of X and Y again, in blocks of float64, so X is never held as a whole.

    Columns are scaled to length 1. A column within 10⁻⁶ of the span of the others counts as dependent on them. The
    normal equations of the independent columns are solved and refined twice with the residuals of X itself. Among all
    solutions, the one with the smallest weights in the columns' own units is chosen. The units therefore do not matter,
    and each weight has the same bits on every machine. It is right up to about 10⁻¹⁵ · κ times its size or times ‖Y‖ /
    the length of its column, whichever is larger; κ ≤ 10⁶ is the condition number of the independent columns of
    length 1.

    Raises
    ------
    ValueError : for numbers that are not finite, or whose squares are not.

    >>> x, y = np.array([[1.0, 2e6, 0], [2.0, 4e6, 0]]), np.array([[2.0], [4.0]])
    >>> (least_squares(lambda: [(x, y)]).ravel() * [1e12, 1e6, 1]).round(9)  # (2, 4 · 10⁶, 0) / (1 + 4 · 10¹²)
    array([0.5, 1. , 0. ])
    """
    gram, right = _sums(blocks)
    length = np.sqrt(np.diag(gram))
    units = np.where(length > 0, length, 1.0)
    used = np.flatnonzero(length > 0)
    length = length[used]
    lower, kept = _independent(gram[np.ix_(used, used)] / length / length[:, None], length)
    left = np.setdiff1d(np.arange(len(used)), kept)
    basis, rest = used[kept], used[left]
    # the fit on the independent columns alone
    fit: Array = np.zeros(right.shape)
    for turn in range(1 + REFINEMENTS):
        if turn:
            right = sum(
                (product(x.T, y - product(x / units, fit * units[:, None])) for x, y in blocks()), np.zeros(fit.shape)
            )
        scaled = backward(lower[kept], forward(lower[kept], right[basis] / length[kept, None]))
        fit[basis] += scaled / length[kept, None]
    if len(rest):
        # X[:, rest] = X[:, basis] C, so giving the rest the weights V changes the fit from U to U − C V.
        # ‖U − C V‖² + ‖V‖² is smallest where (1 + CᵀC) V = CᵀU.
        unit = backward(lower[kept], lower[left].T)
        ratio = length[left] / length[kept, None]
        present = np.where(np.abs(unit) > ABSENT, unit, 0.0) * ratio
        both = factor(np.eye(len(rest)) + product(present.T, present))
        fit[rest] = backward(both, forward(both, product(present.T, fit[basis])))
        fit[basis] -= product(unit, fit[rest] * length[left, None]) / length[kept, None]
    return fit


def _sums(blocks: Blocks) -> tuple[Array, Array]:
    """Return XᵀX (d, d) and XᵀY (d, K)."""
    gram = right = np.zeros(())
    with np.errstate(over="ignore", invalid="ignore"):  # checked below
        for x, y in blocks():
            gram, right = gram + squares(x), right + product(x.T, y)
    if not (np.isfinite(gram).all() and np.isfinite(right).all()):
        raise ValueError("a feature is not a finite number, or too large to compute with")
    return gram, right


def _independent(gram: Array, length: Array) -> tuple[Array, Array]:
    """Return the pivoted Cholesky factor (d, r) of a Gram matrix with ones on its diagonal, and its r pivots in order.

    The next pivot is the longest among the columns that are about as far as any from the span of the pivots so far.
    """
    lower, pivots = np.zeros(gram.shape), list[int]()
    distance = np.ones(len(gram))  # squared distance from that span
    while distance.max(initial=0.0) > DEPENDENT:
        r = len(pivots)
        j = int(np.where(distance > ABOUT * distance.max(), length, 0.0).argmax())
        lower[:, r] = gram[:, j] - (lower[:, :r] * lower[j, :r]).sum(axis=1)
        lower[pivots, r] = 0.0
        lower[:, r] /= np.sqrt(lower[j, r])
        distance -= lower[:, r] ** 2
        pivots.append(j)
        distance[pivots] = 0.0
    return lower[:, : len(pivots)], np.array(pivots, dtype=int)
