"""Checks what [G] says of label sets and of confidence: Lemma 1 by trying out every set, and the width of Remark 1."""

from functools import cache
from itertools import permutations

import numpy as np

from learners.base import Array
from pages.ui.figures.figure import Curves, Size

SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)  # values of a
LABELS, DRAWS = 6, 20
COSTS = "decreasing c", "constant c"
FEATURES, MOST = 20, 1_000_000  # of Remark 1's panel
STEPS = tuple(int(t) for t in np.unique(np.geomspace(10, MOST, 26).round()))
PRINTED, MEANT = "maximum, as printed", "minimum"
RANGE, SQUARED_SLOPE, CURVATURE, LARGEST = 1.0, 4.0, 1.0, 2.0  # R, c′_L, c″_L and L(−R) of the square loss
CLASSES, DELTA = 40, 0.1


def expected_loss(p: Array, a: float, decreasing: bool) -> Array:
    """Return the expected loss of showing labels with the probabilities p (…, s) in this order, [G] Eq. 3.

    >>> expected_loss(np.array([[0.9, 0.2], [0.2, 0.9]]), 0.5, decreasing=True).round(3)
    array([-0.3  , -0.125])
    """
    s = p.shape[-1]
    cost = (s - np.arange(s)) / s if decreasing else np.ones(s)
    loss: Array = (1 - a) * (cost - (a / (1 - a) + cost) * p).sum(axis=-1)
    return loss


@cache
def _orders(size: int) -> Array:
    return np.array(list(permutations(range(LABELS), size)), dtype=int)  # (number, size)


def prefixes(seed: int, size: Size) -> Curves:
    """Return by how much the best of all ordered sets beats the best prefix of Lemma 1, by a.

    It is the largest difference over 20 draws of the probabilities of six labels, which have 1957 ordered sets.
    """
    p = np.sort(np.random.default_rng(seed).random((DRAWS, LABELS)), axis=1)[:, ::-1]
    found = {cost: (SHARES, np.zeros(len(SHARES))) for cost in COSTS}
    for cost, (_, y) in found.items():
        for place, a in enumerate(SHARES):
            prefix = [expected_loss(p[:, :s], a, cost == COSTS[0]) for s in range(LABELS + 1)]
            best = [expected_loss(p[:, _orders(s)], a, cost == COSTS[0]).min(axis=1) for s in range(LABELS + 1)]
            y[place] = (np.min(prefix, axis=0) - np.min(best, axis=0)).max()
    return found


def squared_width(likeness: float, t: int) -> tuple[float, float]:
    """Return the two numbers between which Remark 1 chooses ε², the first with x·A⁻¹x = `likeness`.

    >>> squared_width(0.5, 1)[1], squared_width(0.0, 1)[0]
    (4.0, 0.0)
    """
    growth = 2 * FEATURES * SQUARED_SLOPE / CURVATURE**2 * np.log(1 + (t - 1) / FEATURES)
    chance = 12 / CURVATURE * (SQUARED_SLOPE / CURVATURE + 3 * LARGEST) * np.log(CLASSES * (t + 4) / DELTA)
    return float(likeness * (growth + chance)), 4 * RANGE**2


def widths(seed: int, size: Size) -> Curves:
    """Return ε of a label that is shown in every step, by the step, with Remark 1's maximum and with a minimum."""
    rng = np.random.default_rng(seed)
    steps = [t for t in STEPS if t <= size.steps]
    A, before = np.eye(FEATURES), 1
    found: dict[str, list[float]] = {PRINTED: [], MEANT: []}
    for t in steps:
        while before < t:  # steps before t, in blocks
            x = rng.normal(size=(min(50_000, t - before), FEATURES))
            x /= np.linalg.norm(x, axis=1, keepdims=True)
            A += x.T @ x
            before += len(x)
        x = rng.normal(size=FEATURES)
        x /= np.linalg.norm(x)
        pair = squared_width(float(x @ np.linalg.solve(A, x)), t)
        found[PRINTED].append(max(pair) ** 0.5)
        found[MEANT].append(min(pair) ** 0.5)
    return {name: (tuple(steps), np.array(y)) for name, y in found.items()}
