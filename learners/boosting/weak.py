"""Weak learners: small decision trees, trained with weights or on a weighted sample."""

from __future__ import annotations

import numpy as np

from learners.base import Array

_LARGEST = float(np.finfo(np.float32).max)


def single(features: Array) -> Array:
    """Return the features (n, d) as trees compare them, float32 in rows, without a copy if they are so already."""
    if features.dtype != np.float32:
        features = np.clip(features, -_LARGEST, _LARGEST).astype(np.float32)
    return np.ascontiguousarray(features)


class Tree:
    """A trained decision tree with the label of each of its leaves."""

    def __init__(self, fitted: object, leaves: Array) -> None:
        self.fitted, self.leaves = fitted, leaves

    def predict(self, features: Array) -> Array:
        """Return the label (n,) of rows (n, d); of classes equally frequent in a leaf the lowest."""
        found: Array = self.leaves[self.fitted.apply(single(features))]  # type: ignore[attr-defined]
        return found


def tree(features: Array, labels: Array, weights: Array | None, depth: int, rng: np.random.Generator) -> Tree:
    """Train a decision tree of at most `depth` levels of questions (scikit-learn's CART with Gini impurity).

    Parameters
    ----------
    features : (n, d). labels : (n,) whole numbers, such as classes or signs. weights : (n,) at least 0 and not all 0,
        on any scale, or None for equal ones; rows with weight 0 play no part. depth : 1 for a stump.
    rng : decides between questions that are equally good, with a single draw.

    >>> stump = tree(np.array([[0.0], [1.0], [2.0]]), np.array([-1, 1, 1]), None, 1, np.random.default_rng(0))
    >>> stump.predict(np.array([[0.4], [0.6]]))
    array([-1,  1])
    """
    from sklearn import config_context
    from sklearn.tree import DecisionTreeClassifier

    if weights is not None:
        kept = np.flatnonzero(weights > 0)
        features, labels, weights = features[kept], labels[kept], weights[kept] / weights.max()
    grown = DecisionTreeClassifier(max_depth=int(depth), random_state=int(rng.integers(2**31 - 1)))
    with config_context(skip_parameter_validation=True):
        grown.fit(single(features), labels, sample_weight=weights, check_input=False)
    return Tree(grown.tree_, grown.classes_[grown.tree_.value[:, 0, :].argmax(axis=1)])


def resample(weights: Array, size: int, rng: np.random.Generator) -> Array:
    """Return (size,) rows drawn with replacement, each with a chance in proportion to its weight (n,).

    >>> resample(np.array([0.0, 2.0, 0.0]), 4, np.random.default_rng(0))
    array([1, 1, 1, 1])
    """
    up_to = np.cumsum(weights)
    rows = np.searchsorted(up_to, rng.random(size) * up_to[-1], side="right")
    drawn: Array = np.minimum(rows, np.flatnonzero(weights)[-1])
    return drawn
