"""Weak learners: trees with weights, and weighted samples."""

import numpy as np
import pytest

from learners import Simulation, create
from learners.boosting.weak import CRITERIA, resample, tree
from tests.cases import cases

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
    assert twice[0].feature[0] == twice[1].feature[0]


# of the classes 0, 1, 2, 2, 2, 2 the first question sets two of class 2 apart, the second 1, 2, 2 from 0, 2, 2
ROWS = np.array([[1.0, 1], [1, 0], [1, 0], [1, 1], [0, 0], [0, 1]])
CLASSES = np.array([0, 1, 2, 2, 2, 2])


@pytest.mark.parametrize("weights", [None, np.full(6, 0.5)])
def test_gini_and_information_gain_choose_by_hand(weights):
    """Impurity times rows on both sides, of the first question and of the second.

    Gini: 2 · 0 + 4 (1 − 1/16 − 1/16 − 4/16) = 2.5 and 2 · 3 (1 − 1/9 − 4/9) = 2.67, so it asks the first.
    Entropy: 2 · 0 + 4 · 1.5 = 6 bits and 2 · 3 (log₂ 3 − ⅔) = 5.51, so that the second gains more information.
    """
    asked = [tree(ROWS, CLASSES, weights, 1, np.random.default_rng(0), by).feature[0] for by in CRITERIA]
    assert asked == [0, 1]


@cases("id", ["single-tree", "adaboost", "assemble", "mcssb", "self-training"])
def test_learners_hand_their_criterion_on(id):
    """Gini's is that of learners who are told none."""
    said = []
    for given in ({}, {"criterion": "gini"}, {"criterion": "entropy"}):
        sim = Simulation(create(id, **given), "digits", replicates=1, seed=0)
        sim.advance(1)
        said.append(sim.last.rounds[0].answers)
    np.testing.assert_array_equal(said[0], said[1])
    assert (said[1] != said[2]).any()


def test_resample_is_in_proportion():
    rows = resample(np.array([1.0, 0.0, 3.0]), 20_000, np.random.default_rng(0))
    np.testing.assert_allclose(np.bincount(rows) / 20_000, [0.25, 0, 0.75], atol=0.01)
