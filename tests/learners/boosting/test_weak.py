"""Weak learners: trees with weights, and weighted samples."""

import numpy as np

from learners.boosting.weak import resample, tree

# --- weak learners ----------------------------------------------------------------------------------------------------


def test_tree_heeds_its_weights_and_breaks_ties_alike():
    x, y = np.array([[0.0], [1.0], [2.0]]), np.array([0, 1, 0])
    for light, split in ((0, (1, 0)), (2, (0, 1))):
        weights = np.ones(3)
        weights[light] = 0
        said = tree(x, y, weights * 1e-9, 1, np.random.default_rng(0)).predict(np.array([[-5.0], [5.0]]))
        assert tuple(said) == split
    twice = [
        tree(np.ones((4, 2)) * [[0], [1], [0], [1]], np.array([0, 1, 0, 1]), None, 1, np.random.default_rng(3))
        for _ in "ab"
    ]
    assert twice[0].fitted.feature[0] == twice[1].fitted.feature[0]


def test_resample_is_in_proportion():
    rows = resample(np.array([1.0, 0.0, 3.0]), 20_000, np.random.default_rng(0))
    np.testing.assert_allclose(np.bincount(rows) / 20_000, [0.25, 0, 0.75], atol=0.01)
