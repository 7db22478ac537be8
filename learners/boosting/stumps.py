"""Decision stumps: the best split of a single feature for signed weights."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from learners.base import Array
from learners.compiled import compiled

_EQUAL = 1e-10  # sums that differ by less, relatively, count as equal: the first feature and the least threshold win


@dataclass(frozen=True)
class Stump:
    """f(x) = 1 for rows whose feature is above the threshold, or for those whose feature is not; 0 for the others.

    eta : η = Σ_i w_i f(x_i) for the weights it was found with.

    >>> print(Stump(0, 3.0, True, 0.5), "or", Stump(0, 3.0, False, 0.5))
    feature 1 > 3 or feature 1 ≤ 3
    """

    feature: int
    threshold: float
    above: bool
    eta: float = field(compare=False)  # the same stump may have another one with other weights

    def __call__(self, features: Array) -> Array:
        """Return its answers (n,) for rows (n, d): 0.0 or 1.0."""
        answer: Array = ((features[:, self.feature] > self.threshold) == self.above).astype(float)
        return answer

    def __str__(self) -> str:
        return f"feature {self.feature + 1} {'>' if self.above else '≤'} {self.threshold:.4g}"

    @property
    def details(self) -> dict[str, Any]:
        """Return what the inspector shows of it."""
        return {"feature": self.feature, "threshold": self.threshold, "above": self.above}


class Stumps:
    """Find the stump with the largest η = Σ_i w_i f(x_i), for weights that sum to 0.

    The columns are sorted once; then a search takes time linear in their size. A stump that says 1 above a threshold
    has η = −(sum of the weights up to it), as all weights sum to 0, and the opposite one has that sum.

    features : (n, d).

    >>> stumps = Stumps(np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 6.0]]))
    >>> stumps.best(np.array([-1.0, 0.25, 0.75]))
    Stump(feature=0, threshold=0.5, above=True, eta=1.0)
    >>> Stumps(np.ones((3, 1))).best(np.array([-1.0, 0.25, 0.75])) is None  # nothing can be split
    True
    """

    def __init__(self, features: Array) -> None:
        self.features = features
        n, d = features.shape
        self.order = np.empty((d, n), dtype=np.uint32)
        self.cut = np.zeros((d, n), dtype=bool)  # whether a threshold fits behind the k-th smallest value
        for j in range(d):
            self.order[j] = np.argsort(features[:, j], kind="stable")
            column = features[self.order[j], j]
            self.cut[j, :-1] = column[1:] > column[:-1]

    def best(self, w: Array) -> Stump | None:
        """Return the best stump for weights (n,), or None where every stump has η = 0."""
        feature, k, total = best_split(self.order, self.cut, w, 1 - _EQUAL)
        if feature < 0:
            return None
        low, high = (float(self.features[self.order[feature, i], feature]) for i in (k, k + 1))
        middle = low / 2 + high / 2
        return Stump(feature, middle if low <= middle < high else low, total < 0, abs(total))


@compiled(allocates=True)
def best_split(order, cut, w, equal):  # type: ignore[no-untyped-def]
    """Return the column and the place k of the largest |Σ w| over the k + 1 least rows, and this sum.

    order : (d, n) the rows of each column, rising. cut : (d, n) the places that count. w : (n,). equal : sums of at
    least this share of the largest are as good; the first column, and in it the first place, is taken. Where all sums
    are 0 the column is −1.
    """
    d, n = order.shape
    most = np.zeros(d)
    for j in range(d):
        total = 0.0
        for k in range(n):
            total += w[order[j, k]]
            if cut[j, k] and abs(total) > most[j]:
                most[j] = abs(total)
    best = most.max() if d else 0.0
    if not best > 0:
        return -1, -1, 0.0
    for j in range(d):
        if most[j] >= best * equal:
            total = 0.0
            for k in range(n):
                total += w[order[j, k]]
                if cut[j, k] and abs(total) >= best * equal:
                    return j, k, total
    return -1, -1, 0.0
