"""Decision stumps: the best split of a single feature for signed weights."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from learners.base import Array

_CHUNK = 1 << 18  # numbers that are summed at a time
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
        self.order = np.empty((d, n), dtype=np.int32)
        self.cut = np.zeros((d, n), dtype=bool)  # whether a threshold fits behind the k-th smallest value
        for j in range(d):
            self.order[j] = np.argsort(features[:, j], kind="stable")
            column = features[self.order[j], j]
            self.cut[j, :-1] = column[1:] > column[:-1]

    def best(self, w: Array) -> Stump | None:
        """Return the best stump for weights (n,), or None where every stump has η = 0."""
        d, n = self.order.shape
        most = np.zeros(d)
        step = max(1, _CHUNK // n)
        for j in range(0, d, step):
            most[j : j + step] = self._sizes(slice(j, j + step), w)[1].max(axis=1)
        best = most.max(initial=0.0)
        if best <= 0:
            return None
        feature = int(np.argmax(most >= best * (1 - _EQUAL)))
        sums, sizes = self._sizes(slice(feature, feature + 1), w)
        k = int(np.argmax(sizes[0] >= best * (1 - _EQUAL)))
        low, high = (float(self.features[self.order[feature, i], feature]) for i in (k, k + 1))
        middle = low / 2 + high / 2
        return Stump(feature, middle if low <= middle < high else low, bool(sums[0, k] < 0), float(sizes[0, k]))

    def _sizes(self, columns: slice, w: Array) -> tuple[Array, Array]:
        """Return the sums of the weights up to each place of some columns, and their sizes, 0 if no threshold fits."""
        sums = np.cumsum(w[self.order[columns]], axis=1)
        return sums, np.where(self.cut[columns], np.abs(sums), 0.0)
