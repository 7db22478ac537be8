"""Matrix products and solutions with the same bits on every machine, whatever its BLAS adds first.

A product of whole numbers below 2⁵³ is exact in any order. So each matrix is split into slices of a few bits (Ozaki,
Ogita, Oishi and Rump, Numerical Algorithms 59, 2012), whose products BLAS computes, and which are added in one order.
"""

import numpy as np

from datasets.base import Array

BITS = 53  # of a float
PART = 1 << 18  # numbers that are sliced at a time, so that a cache holds them
LARGEST_EXPONENT = 1000  # exponent whose power of two and its inverse are normal floats


def product(a: Array, b: Array) -> Array:
    """Return a @ b (n, k) for a (n, m) and b (m, k) of finite numbers.

    Each is right to about 10⁻¹⁶ · m times the largest number of its row times the largest of its column.

    >>> product(np.array([[1.0, 1e-9]]), np.array([[1.0], [1.0]]))
    array([[1.]])
    """
    rows = max(1, PART // max(1, a.shape[1]))
    if len(a) > rows:  # each row of the product has its own row of a alone
        return np.concatenate([product(a[i : i + rows], b) for i in range(0, len(a), rows)])
    bits = _bits(a.shape[1])
    left, height = _slices(a, bits, axis=1)
    right, width = _slices(b, bits, axis=0)
    total: Array = np.zeros((a.shape[0], b.shape[1]))
    for level in reversed(range(-(-BITS // bits))):  # the smallest first
        for i in range(level + 1):
            if i < len(left) and level - i < len(right):
                total += (left[i] @ right[level - i]) * 2.0 ** (-bits * (level + 2))
    scaled: Array = np.ldexp(total, height + width)
    return scaled


def gram(x: Array) -> Array:
    """Return xᵀ x (m, m) for x (n, m), with the same bits as `product(x.T, x)` at half its cost.

    >>> x = np.random.default_rng(0).normal(size=(50, 3)) * [1e-6, 1, 1e6]
    >>> bool((gram(x) == product(x.T, x)).all())
    True
    """
    bits = _bits(x.shape[0])
    parts, width = _slices(x, bits, axis=0)
    total: Array = np.zeros((x.shape[1], x.shape[1]))
    for level in reversed(range(-(-BITS // bits))):  # the smallest first
        pairs: dict[tuple[int, int], Array] = {}
        for i in range(level + 1):
            j = level - i
            if max(i, j) < len(parts):
                if (j, i) in pairs:
                    total += pairs[j, i].T
                else:
                    pairs[i, j] = (parts[i].T @ parts[j]) * 2.0 ** (-bits * (level + 2))
                    total += pairs[i, j]
    scaled: Array = np.ldexp(total, width.T + width)
    return scaled


def _bits(terms: int) -> int:
    """Return how many bits each factor may have, so that a sum of so many products is exact."""
    return (BITS - int(np.ceil(np.log2(max(2, terms))))) // 2


def _slices(a: Array, bits: int, axis: int) -> tuple[list[Array], Array]:
    """Return whole numbers A₀, A₁, … of so many bits and exponents e with a = 2^e (A₀ 2^−bits + A₁ 2^−2 bits + …)."""
    exponent = np.frexp(np.abs(a).max(axis=axis, keepdims=True, initial=0.0))[1]
    modest = exponent.size == 0 or np.abs(exponent).max() < LARGEST_EXPONENT
    # a product with a power of two is exact, and many times as fast as ldexp
    rest = a * np.ldexp(1.0, -exponent) if modest else np.ldexp(a, -exponent)
    found = list[Array]()
    for _ in range(-(-BITS // bits)):
        rest *= 2.0**bits
        whole = np.rint(rest)
        rest -= whole
        found.append(whole)
        if not rest.any():
            break
    return found, exponent


def factor(gram: Array) -> Array:
    """Return the Cholesky factor L (d, d) of a positive definite matrix."""
    rest, lower = gram.copy(), np.zeros_like(gram)
    for j in range(len(gram)):
        lower[j:, j] = rest[j:, j] / np.sqrt(rest[j, j])
        rest[j + 1 :, j + 1 :] -= np.multiply.outer(lower[j + 1 :, j], lower[j + 1 :, j])
    return lower


def forward(lower: Array, right: Array) -> Array:
    """Return L⁻¹ b for a lower triangle L (d, d) and b (d, k)."""
    found = np.array(right, dtype=float)
    for j in range(len(lower)):
        found[j] /= lower[j, j]
        found[j + 1 :] -= np.multiply.outer(lower[j + 1 :, j], found[j])
    return found


def backward(lower: Array, right: Array) -> Array:
    """Return L⁻ᵀ b for a lower triangle L (d, d) and b (d, k)."""
    found = np.array(right, dtype=float)
    for j in reversed(range(len(lower))):
        found[j] /= lower[j, j]
        found[:j] -= np.multiply.outer(lower[j, :j], found[j])
    return found
