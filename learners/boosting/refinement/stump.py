"""The weak learner of ranking refinement: a classifier f: x → {0, 1} that maximises Eq. 4.13 of [V]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from learners.base import Array


@dataclass(frozen=True)
class Stump:
    """f(x) = 1 where x_j > threshold, or where x_j ≤ threshold if it looks for `low` values."""

    feature: int
    threshold: float
    low: bool

    def __call__(self, features: Array) -> Array:
        """(n,) bool for features (n, d)."""
        above: Array = features[:, self.feature] > self.threshold
        return ~above if self.low else above

    @property
    def told(self) -> dict[str, Any]:
        """What the inspector says of it."""
        return {"feature": self.feature, "threshold": self.threshold, "above": not self.low}

    def __str__(self) -> str:
        return f"feature {self.feature + 1} {'≤' if self.low else '>'} {self.threshold:.4g}"


@dataclass(frozen=True)
class Tree:
    """f(x) = 1 in the leaves of a tree whose weight is positive."""

    tree: Any

    def __call__(self, features: Array) -> Array:
        """(n,) bool for features (n, d)."""
        found: Array = self.tree.predict(features) > 0
        return found

    @property
    def told(self) -> dict[str, Any]:
        """Nothing: the inspector has no words for a tree."""
        return {}

    def __str__(self) -> str:
        return f"a tree with {self.tree.get_n_leaves()} leaves"


class WeakLearner:
    """Finds f on the features (n, d) of a query, with a depth of 1 the best stump.

    The stump maximises η = Σ_i w_i f(x_i) over all features, thresholds and both directions: of the sorted weights of a
    feature every partial sum is η of a stump, and as Σ_i w_i = 0, minus it is η of the opposite one. Of equals (to
    twelve digits) the first feature and the lowest threshold win. A deeper tree is scikit-learn's, trained on the labels
    sign(w_i) with the sample weights |w_i|; where the best stump has a larger η, the stump is taken.

    >>> find = WeakLearner(np.array([[1.0], [2.0], [4.0]]))
    >>> print(find(np.array([-0.25, -0.25, 0.5])))
    feature 1 > 3
    """

    def __init__(self, features: Array, depth: int = 1) -> None:
        self.features, self.depth = features, depth
        self._order = np.argsort(features, axis=0, kind="stable")
        self._sorted = np.take_along_axis(features, self._order, axis=0)
        self._cut = self._sorted[:-1] < self._sorted[1:]  # between equal values there is no threshold

    def __call__(self, w: Array) -> Stump | Tree | None:
        """f for the weights w (n,), which sum to 0; None where no feature tells documents of different weight apart."""
        stump = self._stump(w)
        if stump is None or self.depth == 1:
            return stump
        tree = self._tree(w)
        return tree if w @ tree(self.features) > w @ stump(self.features) + 1e-12 else stump

    def _stump(self, w: Array) -> Stump | None:
        partial = np.cumsum(w[self._order], axis=0)[:-1]
        eta = np.where(self._cut, np.abs(partial), 0.0).round(12)
        if not eta.any():
            return None
        j = int(eta.max(axis=0).argmax())
        k = int(eta[:, j].argmax())
        low, high = float(self._sorted[k, j]), float(self._sorted[k + 1, j])
        middle = low + (high - low) / 2
        return Stump(j, middle if middle < high else low, bool(partial[k, j] > 0))

    def _tree(self, w: Array) -> Tree:
        from sklearn.tree import DecisionTreeClassifier

        tree = DecisionTreeClassifier(max_depth=self.depth, random_state=0)
        return Tree(tree.fit(self.features, np.where(w > 0, 1, -1), sample_weight=np.abs(w)))
