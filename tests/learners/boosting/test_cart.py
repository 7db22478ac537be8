"""Compiled trees, question by question beside those of scikit-learn."""

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from learners.boosting.weak import CRITERIA, Columns, tree
from tests.cases import cases


class Seed:
    """A generator that draws one number."""

    def __init__(self, seed):
        self.seed = seed

    def integers(self, high):
        return self.seed % high


def data(seed):
    """Rows with ties, features that are the same, constant, or closer than float32 tells apart, and a sample."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(2, 120), rng.integers(1, 12)
    x = rng.normal(size=(n, d)) if seed % 3 == 0 else rng.integers(0, rng.integers(2, 7), (n, d)).astype(float)
    if seed % 4 == 0:
        x[:, 0] = x[:, -1]
    if seed % 5 == 0:
        x[:, rng.integers(d)] = 1
    if seed % 7 == 0:
        x[:, rng.integers(d)] = rng.integers(0, 3, n) * 6e-8
    return x, rng.integers(0, rng.integers(2, 8), n), rng.integers(0, n, max(1, n // 2)), int(rng.integers(1, 9))


@cases("criterion", CRITERIA)
@cases("seed", range(60))
def test_trees_are_those_of_scikit_learn(seed, criterion):
    x, y, sample, depth = data(seed)
    single = x.astype(np.float32)
    model = DecisionTreeClassifier(criterion=criterion, max_depth=depth, random_state=1000 + seed)
    model.fit(single[sample], y[sample])
    found = Columns(x).tree(y, sample, depth, Seed(1000 + seed), criterion)
    expected = model.tree_
    for mine, other in (
        (found.feature, expected.feature),
        (found.threshold, expected.threshold),
        (found.left, expected.children_left),
        (found.right, expected.children_right),
        (found.predict(x), model.predict(single)),
    ):
        np.testing.assert_array_equal(mine, other)
    whole = DecisionTreeClassifier(criterion=criterion, max_depth=depth, random_state=seed).fit(single, y)
    np.testing.assert_array_equal(tree(x, y, None, depth, Seed(seed), criterion).predict(x), whole.predict(single))


def test_a_sample_of_one_row_and_labels_that_are_signs():
    columns = Columns(np.array([[0.0], [1.0], [2.0]]))
    one = columns.tree(np.array([-1, 1, 1]), np.array([2, 2, 2]), 3, Seed(0))
    assert one.feature.tolist() == [-2] and one.predict(np.zeros((2, 1))).tolist() == [1, 1]
    two = columns.tree(np.array([-1, 1, 1]), np.array([0, 1]), 3, Seed(0))
    assert two.predict(np.array([[0.5], [0.6]])).tolist() == [-1, 1]
