"""Weak learners: small decision trees, trained with weights or on a weighted sample."""

from typing import Any

import numpy as np

from datasets.parameters import choice
from learners.base import Array
from learners.boosting.cart import SEEDS, Tree, grown, presorted, single

GINI, ENTROPY = CRITERIA = "gini", "entropy"


def criterion_field() -> Any:
    """Declare by what a tree chooses its questions."""
    return choice(
        GINI, CRITERIA,
        help="What makes a question good: that its answers are seldom of two classes (gini, CART), or that it gains "
        "much information about the class (entropy, as C4.5). Try entropy where classes are many.",
    )  # fmt: skip


def tree(
    features: Array, labels: Array, weights: Array | None, depth: int, rng: np.random.Generator, criterion: str = GINI
) -> Tree:
    """Train a decision tree of at most `depth` levels of questions, as scikit-learn does.

    Parameters
    ----------
    features : (n, d). labels : (n,) whole numbers, such as classes or signs. weights : (n,) at least 0 and not all 0,
        on any scale, or None for equal ones; rows with weight 0 play no part. depth : 1 for a stump.
    rng : decides between questions that are equally good, with a single draw. criterion : one of CRITERIA, the
        impurity that a question lowers. That of entropy is the information gain.

    >>> stump = tree(np.array([[0.0], [1.0], [2.0]]), np.array([-1, 1, 1]), None, 1, np.random.default_rng(0))
    >>> stump.predict(np.array([[0.4], [0.6]]))
    array([-1,  1])
    """
    if weights is None:
        return Columns(features).tree(labels, np.arange(len(labels)), depth, rng, criterion)
    from sklearn import config_context
    from sklearn.tree import DecisionTreeClassifier

    kept = np.flatnonzero(weights > 0)
    features, labels, weights = features[kept], labels[kept], weights[kept] / weights.max()
    model = DecisionTreeClassifier(criterion=criterion, max_depth=int(depth), random_state=int(rng.integers(SEEDS)))
    with config_context(skip_parameter_validation=True):
        model.fit(single(features), labels, sample_weight=weights, check_input=False)
    found = model.tree_
    label = model.classes_[found.value[:, 0, :].argmax(axis=1)].astype(np.int64)
    arrays = (found.feature, found.threshold, found.children_left, found.children_right, label)
    return Tree(*(np.ascontiguousarray(array) for array in arrays))


class Columns:
    """The rows of each feature in their order, sorted once, on which many samples train a tree.

    features : (n, d).
    """

    def __init__(self, features: Array) -> None:
        self.features = single(features)
        self.order = presorted(self.features)

    def tree(self, labels: Array, sample: Array, depth: int, rng: np.random.Generator, criterion: str = GINI) -> Tree:
        """Train a tree (see `tree`) on a sample of the rows, each as often as its number is in it.

        labels : (n,) whole numbers, of all rows. sample : row numbers, at least one.

        >>> columns = Columns(np.array([[0.0], [1.0], [2.0]]))
        >>> grown = columns.tree(np.array([1, 0, 0]), np.array([0, 1, 1]), 1, np.random.default_rng(0))
        >>> grown.predict(np.array([[0.4], [0.6]]))
        array([1, 0])
        """
        counts = np.bincount(sample, minlength=len(labels)).astype(float)
        classes, numbers = np.unique(labels, return_inverse=True)
        seed, by_entropy = int(rng.integers(SEEDS)), criterion == ENTROPY
        found = grown(self.features, self.order, numbers, counts, int(depth), seed, by_entropy)
        return found._replace(label=classes[found.label].astype(np.int64))


def resample(weights: Array, size: int, rng: np.random.Generator) -> Array:
    """Return (size,) rows drawn with replacement, each with a chance in proportion to its weight (n,).

    >>> resample(np.array([0.0, 2.0, 0.0]), 4, np.random.default_rng(0))
    array([1, 1, 1, 1])
    """
    up_to = np.cumsum(weights)
    rows = np.searchsorted(up_to, rng.random(size) * up_to[-1], side="right")
    drawn: Array = np.minimum(rows, np.flatnonzero(weights)[-1])
    return drawn
