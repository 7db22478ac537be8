"""The Pareto front of the two losses."""

import numpy as np
import pytest

from datasets import load
from learners import Simulation, create
from learners.boosting.refinement.front import front, weights
from learners.boosting.refinement.pairs import Pairs
from tests.learners.boosting.refinement.problems import DEGENERATE, problem_of


@pytest.mark.parametrize("seed", [0, 3, 5])
def test_the_front_is_the_least_there_is(seed):
    """Each point minimises γ êrr_w + êrr_t: a general solver finds nothing lower; the curve is convex and falls."""
    from scipy.optimize import minimize

    pairs = Pairs(problem_of(seed, n=12))
    found = front(pairs, 9)
    assert found.shape == (9, 2)
    assert (np.diff(found[:, 0]) >= -1e-12).all() and (np.diff(found[:, 1]) <= 1e-12).all()
    for gamma, point in zip(weights(9), found, strict=True):
        best = minimize(lambda F, g=gamma: np.array([g, 1]) @ (np.array(pairs.losses(F)) / pairs.start), np.zeros(12))
        assert np.array([gamma, 1]) @ point <= best.fun * (1 + 1e-9)
        assert np.array([gamma, 1]) @ point >= best.fun * (1 - 1e-5)


@pytest.mark.parametrize(
    "params", [{}, {"combine": "sum", "gamma": 0.01}, {"depth": 3}], ids=["product", "sum", "trees"]
)
def test_nobody_gets_below_the_front(params):
    """γ x + y of every round is at least the front's, for each of its γ; and the product's minimum lies on it."""
    data = load("web-search", queries=10, documents=40, features=5)
    sim = Simulation(create("ranking-refinement", **params), data, replicates=4, seed=0)
    sim.advance(steps=30)
    for r in range(4):
        found = sim.environment.front(r, 15)
        assert found is sim.environment.front(r, 15)
        path = np.column_stack([sim.history["loss-w"][:, r], sim.history["loss-t"][:, r]])
        for gamma, point in zip(weights(15), found, strict=True):
            assert (path @ [gamma, 1] >= point @ [gamma, 1] - 1e-9).all()


def test_no_front_where_it_would_take_too_long_or_nothing_was_judged():
    assert front(Pairs(problem_of(0, n=301)), 5) is None
    assert front(Pairs(DEGENERATE["one grade"][0]), 5) is None
    far = front(Pairs(DEGENERATE["a base that is sure"][0], eta=0.0), 5)  # a minimum that no F attains
    assert np.isfinite(far).all()
