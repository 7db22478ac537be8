"""The functions that make curves of [C]: the duel of movies, the bounds, and the examples of the proofs."""

import numpy as np
import pytest

from datasets import load
from datasets.ranking import RankingData
from learners import Simulation, create, create_user
from learners.theory.convex import theorem_6_linear
from learners.theory.measured import Convex, Measured
from pages.ui.figures.computed import coactive_bounds as bounds
from pages.ui.figures.computed import item_duel
from pages.ui.figures.computed.world import world
from pages.ui.figures.figure import Size
from pages.ui.figures.papers.coactive.convex import times_t
from pages.ui.figures.papers.coactive.dueling import needed
from pages.ui.figures.papers.coactive.sensitivity import width
from pages.ui.figures.result import Drawn, Result
from pages.ui.figures.statement import at

LINE = np.array([[-2.0], [1.0], [3.0], [0.0]])  # four movies with one feature, and w* = 1


def line(grades=(0.0, 0.0, 1.0, 0.0)):
    return RankingData(
        "line", {}, LINE, np.array([0, 4]), np.array([grades]), weights=np.ones((1, 1)), slots=1, consumable=True
    )


def test_a_duel_by_hand():
    """With one feature and w = 0 the first movie is 0. The second is 2 for u = 1, which wins, and 0 for u = −1."""
    rng = np.random.default_rng([5, 10])
    signs = np.sign([rng.standard_normal((1, 1))[0, 0] for _ in range(2)])
    found = item_duel.duel(line(), 1.0, 0.5, steps=2, people=1, rounded=False, seed=5)[:, 0]
    if signs[0] > 0:  # movies 0 and 2 are gone and w = 0.5, so that 1 stands first, and −0.5 turns to 3
        assert found[0] == pytest.approx(3 - (-2 + 3) / 2)
        assert found[1] == pytest.approx(0.0 if signs[1] > 0 else 1 - (1 + 0) / 2)
    else:  # movie 0 twice: no step, and 1 stands first
        assert found[0] == pytest.approx(3 - (-2))
        assert found[1] == pytest.approx(3 - (1 + 3) / 2 if signs[1] > 0 else 3 - (1 + 0) / 2)


def test_ratings_that_are_equal_teach_nothing():
    """Where all ratings are the same no movie wins a duel, so that the length of a step does not matter."""
    data = load("movies", users=60, movies=80, ratings=30, features=5)
    flat = RankingData("flat", {}, data.features, data.starts, np.ones_like(data.grades), weights=data.weights, slots=1)
    short, long = (item_duel.duel(flat, 1.0, delta, 200, 5, rounded=True, seed=0) for delta in (0.1, 5.0))
    assert np.array_equal(short, long) and short.shape == (200, 5)  # 80 movies come back in time
    taught = [item_duel.duel(flat, 1.0, delta, 200, 5, rounded=False, seed=0) for delta in (0.1, 5.0)]
    assert not np.array_equal(*taught) and min(found.min() for found in taught) >= 0


def test_the_lower_bound_holds_for_every_learner_exactly():
    found = bounds.lemma_3(3, Size(1))
    for _, y in found.values():
        assert y == pytest.approx([2 / np.sqrt(t) for t in bounds.LENGTHS], abs=1e-9)


def test_the_printed_constant_of_theorem_5_is_too_small():
    """Regret 2 after one step, against 2 log 2 + ½ as printed and 2 log 2 + 2 as proved."""
    found = bounds.theorem_5_by_hand(0, Size(1))
    assert found["as printed"][1][0] == pytest.approx(2 / (2 * np.log(2) + 0.5))
    assert found["with 2S"][1][0] == pytest.approx(2 / (2 * np.log(2) + 2))


def test_theorem_5_is_that_of_the_library_at_its_horizon():
    data = load("web-search", queries=40, documents=8, features=5)
    sim = Simulation(create("exponentiated-perceptron", horizon=30), data, create_user("strict-alpha"), 2, seed=0)
    sim.advance(steps=30)
    slack = sim.history["slack"].mean(axis=0)
    assert bounds.theorem_5_bounds(data, 0.5, slack, 30)[1] == pytest.approx(sim.history["bound"][-1])


def test_theorem_6_is_that_of_the_library():
    none = np.zeros((1, 1))
    convex = Convex(none, none, none, none, best=np.ones(1), ball=3.0)
    measured = Measured(np.full((1, 1), 16.0), none, none, radius=2.0, optimum=np.ones(1), convex=convex)
    assert bounds.theorem_6_bound(36.0, 2.0, 16) == pytest.approx(float(theorem_6_linear(measured)[0, 0]))


def test_with_the_diameter_theorem_6_fails_in_the_example():
    """REG = 2R‖w*‖/√T, divided by (2‖w*‖/2 + 2‖w*‖/√T + 4R²)/√T with R = 5, T = 64."""
    printed, squared = (y for _, y in bounds.theorem_6_by_hand(0, Size(1)).values())
    balls = np.array(bounds.BALLS)
    assert printed == pytest.approx(10 * balls / (balls + 2 * balls / 8 + 100))
    assert max(printed) > 1 and max(squared) < 1


def test_largest_ratios_never_fall_and_stay_below_1():
    size = Size(60, {"queries": 40, "documents": 8, "features": 5}, replicates=2)
    for made in (bounds.theorem_1_web, bounds.theorem_6, bounds.theorem_8):
        for x, y in made(1, size).values():
            assert len(x) == len(y) and (np.diff(y) >= 0).all() and 0 < y[-1] < 1


def test_the_world_is_the_stand_in_or_what_the_size_names():
    assert world("web-search", 3, Size(1, {"queries": 20})).params["data_seed"] == 3
    assert world("web-search", 3, Size(1, {"dataset": "toy-ranking", "documents": 4})).id == "toy-ranking"


def result(**series):
    x = (1, 10, 100, 1000)
    return Result({"p": {name: Drawn(x, np.array(y, dtype=float)) for name, y in series.items()}})


def test_steps_needed_are_read_off_the_mean_curve():
    found = result(ours=[[8, 4, 2, 1], [10, 4, 2, 1]], theirs=[[9, 9, 9, 2], [9, 9, 9, 4]], never=[[9, 9, 9, 0.5]] * 2)
    assert needed("p", "ours", at("p", "theirs")).of(found) == pytest.approx([10**1.5])  # halfway from 4 to 2 in log x
    assert needed("p", "ours", at("p", "never")).of(found) == pytest.approx([1000])


def test_width_counts_decades_within_a_factor_of_the_best():
    assert width("p", "ours").of(result(ours=[[8, 1, 1.4, 9], [1, 1, 1, 1]])) == pytest.approx([1, 3])


def test_times_t_turns_an_average_into_a_sum():
    assert times_t(np.array([1, 10]), np.array([[3.0, 2.0]])).tolist() == [[3.0, 20.0]]
