"""The cost of a set of labels, and that the set shown is the best one ([G] §2 and Lemma 1)."""

import itertools
import math

import numpy as np

from learners import create
from learners.multilabel.sets import best_size, cost, expected_cost, loss
from tests.cases import cases
from tests.learners.multilabel.helpers import expected_loss, start


def test_the_papers_example_of_the_loss():
    """In [G] §2, K = 10, Ŷ = (4, 3, 6), Y = {1, 3, 8}. |Y \\ Ŷ| is 2; 4 in first place costs 3/3, 6 in third 1/3."""
    truth, order, size = np.isin(np.arange(1, 11), [1, 3, 8]), np.array([4, 3, 6, 1]) - 1, 3
    for a in (0.0, 0.3, 1.0):
        assert math.isclose(float(loss(truth, order, size, a, False)), 2 * a + (1 - a) * (1 + 1 / 3))
        assert math.isclose(float(loss(truth, order, size, a, True)), 2 * a + (1 - a) * 2)


@cases("costs", ["decreasing", "constant"])
@cases("a", [0.0, 0.3, 0.5, 0.9, 1.0])
@cases("cap", [1, 2, 4])
def test_the_prefix_is_the_best_of_all_ordered_sets(costs, a, cap):
    rng = np.random.default_rng(int(10 * a) + cap)
    learner = start(create("online-binary-relevance", a=a, costs=costs, size=cap), 4, 1, replicates=20)
    p = rng.random((20, 4)) ** rng.choice([0.3, 1, 3], size=(20, 1))
    order, size = learner.choose(p)
    for r in range(20):
        found = expected_loss(p[r], order[r, : size[r]], a, costs)
        every = (set for s in range(cap + 1) for set in itertools.permutations(range(4), s))
        assert math.isclose(found, min(expected_loss(p[r], chosen, a, costs) for chosen in every), abs_tol=1e-12)
        assert math.isclose(expected_cost(p[r], order[r], size[r], a, costs == "constant"), found, abs_tol=1e-12)


def test_ties_go_to_the_first_label_and_the_smallest_set():
    p = np.array([[0.5, 0.7, 0.5, 0.7]])
    learner = start(create("online-binary-relevance", costs="constant"), 4, 1)
    order, size = learner.choose(p)
    assert order.tolist() == [[1, 3, 0, 2]] and size.tolist() == [2]
    order = np.arange(3)
    assert best_size(np.full(3, 0.5), order, 0.5, True, 3) == 0
    assert [best_size(np.full(3, 0.9), order, a, True, cap) for a, cap in ((0.5, 1), (1.0, 3))] == [1, 3]


def test_costs_at_places():
    assert [cost(j, 4, False) for j in range(4)] == [1, 0.75, 0.5, 0.25]
    assert [cost(j, 2, True) for j in range(2)] == [1, 1]
    truth, order = np.zeros(3, dtype=bool), np.arange(3)
    assert loss(truth, order, 0, 0.5, False) == 0  # nothing beyond the labels shown costs anything
    assert loss(truth, order, 2, 0.5, True) == 1
