"""AdaRank: rounds by hand, and when it ends."""

import math

import numpy as np

from learners import create
from tests.learners.boosting.learning_to_rank.problems import started


def test_adarank_by_hand():
    """Three queries of two documents, the first of them relevant; one ranked wrongly has NDCG 1/log2(3) = .63093.

    Feature 0 is right on queries 1 and 2, feature 1 on 2 and 3. Round 1: both have η = (2 + .63093)/3 = .876977, the
    first is taken, α = ½ log(1.876977/.123023) = 1.362521; p ∝ (e⁻¹, e⁻¹, e^−.63093) = (.290159, .290159, .419682).
    Round 2: η = .709841 + .63093 · .290159 = .892911 for feature 1, α = ½ log(1.892911/.107089) = 1.436106.
    F is 2 · 1.3625 against 1.4361 on query 1, so that F is right on all, though feature 1 is not: p = 1/3.
    """
    x = [[2, 0], [0, 1], [1, 1], [0, 0], [0, 1], [1, 0]]
    learner = started(create("adarank"), x, [1, 0] * 3, [0, 2, 4, 6])
    first = learner.round()
    assert (first.details["feature"], first.details["above"]) == (0, True)
    assert math.isclose(first.details["eta"], 0.876977, abs_tol=1e-6) and math.isclose(
        first.step, 1.362521, abs_tol=1e-5
    )
    np.testing.assert_allclose(first.details["queries"], 1 / 3)
    np.testing.assert_allclose(learner.p, [0.290159, 0.290159, 0.419682], atol=1e-6)
    assert math.isclose(first.values["objective"], 2 * math.exp(-1) + math.exp(-0.6309297536), abs_tol=1e-9)
    second = learner.round()
    assert (second.details["feature"], second.details["above"]) == (1, True)
    assert math.isclose(second.details["eta"], 0.892911, abs_tol=1e-6) and math.isclose(
        second.step, 1.436106, abs_tol=1e-5
    )
    np.testing.assert_allclose(second.weights, np.repeat([0.290159, 0.290159, 0.419682], 2) / 2, atol=1e-6)
    np.testing.assert_allclose(learner.F, [2.725043, 1.436106, 2.798628, 0, 1.436106, 1.362521], atol=1e-5)
    np.testing.assert_allclose(learner.p, 1 / 3)
    np.testing.assert_allclose(learner.vote(np.array([[5.0, 2.0]])), [2 * 1.436106], atol=1e-5)


def test_adarank_turns_a_feature_round_and_ends_when_it_comes_again():
    learner = started(create("adarank"), [[0], [1], [5], [9]], [1, 0, 1, 0], [0, 2, 4])
    done = learner.round()
    assert not done.details["above"] and done.details["eta"] == 1.0 and done.step == 10
    np.testing.assert_allclose(learner.vote(np.array([[3.0]])), [-30])
    again = learner.round()
    assert again.stopped.startswith("the same feature is best again") and again.values == done.values
    np.testing.assert_array_equal(learner.vote(np.array([[3.0]])), [0])


def test_adarank_of_stumps_by_hand():
    """One query of grades 2, 1, 0: centred 1, 0, −1, a third of it each. Feature 5, 5, 1: above 3, η_w = 1/3.

    The first two tie; `ties` puts the second first, so that NDCG is (1 + 3 · .63093) / (3 + .63093) = .796708.
    """
    done = started(create("adarank", weak="stumps"), [[5], [5], [1]], [2, 1, 0], [0, 3]).round()
    assert (done.details["feature"], done.details["threshold"], done.details["above"]) == (0, 3.0, True)
    assert done.answers.tolist() == [1, 1, 0] and math.isclose(done.details["eta"], 0.796708, abs_tol=1e-6)


def test_adarank_of_stumps_ends_when_the_same_stump_comes_again():
    """One feature of two values: the stump is the same in round 2, though its η for the new weights may not be."""
    learner = started(
        create("adarank", weak="stumps"), [[0], [1], [1], [0], [1], [0]], [0, 1, 2, 0, 0, 1], [0, 2, 4, 6]
    )
    assert not learner.round().stopped and learner.round().stopped
