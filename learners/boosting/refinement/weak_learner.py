"""The weak learner of ranking refinement: a classifier f: x → {0, 1} that maximises Eq. 4.13 of [V]."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from learners.base import Array
from learners.boosting.stumps import Stump, Stumps


@dataclass(frozen=True)
class SignedTree:
    """f(x) = 1 in the leaves of a tree whose weight is positive, 0 in the others."""

    tree: Any

    def __call__(self, features: Array) -> Array:
        """Return its answers (n,) for rows (n, d): 0.0 or 1.0."""
        found: Array = (self.tree.predict(features) > 0).astype(float)
        return found

    def __str__(self) -> str:
        return f"a tree with {self.tree.get_n_leaves()} leaves"

    @property
    def details(self) -> dict[str, Any]:
        """Nothing: the inspector has no words for a tree."""
        return {}


class WeakLearner:
    """Find f on the features (n, d) of a query, with a depth of 1 the best stump (see `Stumps`).

    A deeper tree is scikit-learn's, trained on the labels sign(w_i) with the sample weights |w_i|; where the best stump
    has a larger η, the stump is taken.

    >>> find = WeakLearner(np.array([[1.0], [2.0], [4.0]]))
    >>> print(find(np.array([-0.25, -0.25, 0.5])))
    feature 1 > 3
    """

    def __init__(self, features: Array, depth: int = 1) -> None:
        self.features, self.depth, self.stumps = features, depth, Stumps(features)

    def __call__(self, w: Array) -> Stump | SignedTree | None:
        """Return f for the weights w (n,), which sum to 0, or None where no feature separates different weights."""
        stump = self.stumps.best(w)
        if stump is None or self.depth == 1:
            return stump
        tree = self._tree(w)
        return tree if w @ tree(self.features) > w @ stump(self.features) + 1e-12 else stump

    def _tree(self, w: Array) -> SignedTree:
        from sklearn.tree import DecisionTreeClassifier

        tree = DecisionTreeClassifier(max_depth=self.depth, random_state=0)
        return SignedTree(tree.fit(self.features, np.where(w > 0, 1, -1), sample_weight=np.abs(w)))
