"""Confidit by hand, its projection and confidence, and how it compares."""

import numpy as np
import pytest

from learners import Simulation, create
from tests.cases import cases
from tests.learners.classification.helpers import play, start, weights


@pytest.mark.parametrize("matrices", ["full", "diagonal"])
def test_three_steps_by_hand(matrices):
    """α = η = 1, K = 2, d = 1, so that both matrices are alike; A = 4 at first.

    x = 2 in step 1: log 1 = 0, both bounds are 0, and 0 is played and right. θ₀ = 2, A₀ = 8, w₀ = 1/4.
    x = 2 in step 2: score ½, widths √(4/8 · log 2) = .589 and √(4/4 · log 2) = .833; bounds 1.089 and .833. 0 is played
    and wrong: θ₀ = 2 − 2 = 0, A₀ = 12, w₀ = 0.
    x = 1 in step 3: scores 0, widths √(log 3 / 12) and √(log 3 / 4): 1 is played, though 0 is predicted, and right.
    θ₁ = 1, A₁ = 5, w₁ = 1/5.
    """
    learner = start(create("confidit", alpha=1.0, eta=1.0, matrices=matrices), 1, 2)
    assert play(learner, [2], 0).label[0] == 0
    np.testing.assert_allclose(weights(learner).ravel(), [1 / 4, 0])
    assert play(learner, [2], 1).label[0] == 0
    np.testing.assert_allclose(weights(learner).ravel(), [0, 0], atol=1e-15)
    shown = play(learner, [1], 1)
    assert shown.label[0] == 1 and shown.predicted[0] == 0 and not shown.explored[0]
    np.testing.assert_allclose(weights(learner).ravel(), [0, 1 / 5])


@cases("matrices", ["full", "diagonal"])
@cases("truth", [0, 1])
def test_a_score_beyond_its_bounds_is_projected_by_hand(matrices, truth):
    """α = .6, so A = 1.6² = 2.56, and w₀ = 1, θ₀ = 2.56: x = 2 has the score 2, clipped to 1. xᵀ A⁻¹ x = 1.5625.

    Right: the target is 1, which the projected score has already: w′ = ½ stays. Wrong: the target is −.6, and with
    A = 6.56 the projected w′ = ½, θ′ = 1.28, becomes (1.28 − 1.2) / 6.56 = .0122.
    """
    learner = start(create("confidit", alpha=0.6, eta=0.0, matrices=matrices), 1, 2)
    learner.W[0, 0, 0], learner.theta[0, 0, 0] = 1.0, 2.56
    play(learner, [2], truth)
    expected = 0.5 if truth == 0 else 0.08 / 6.56
    np.testing.assert_allclose(weights(learner)[0], [expected])


@pytest.mark.parametrize("matrices", ["full", "diagonal"])
def test_nothing_is_learned_from_an_example_of_zeros(matrices):
    learner = start(create("confidit", matrices=matrices), 2, 3)
    play(learner, [0, 0], 1)
    assert (weights(learner) == 0).all()


@pytest.mark.parametrize("matrices", ["full", "diagonal"])
def test_without_width_it_plays_what_it_predicts(matrices):
    """Also where several scores are clipped alike."""
    learner = start(create("confidit", eta=0.0, matrices=matrices), 1, 3)
    learner.W[0, 0] = [1.2, 1.5, -3.0]
    shown = play(learner, [1], 0)
    assert shown.label[0] == shown.predicted[0] == 1
    sim = Simulation(create("confidit", eta=0.0, matrices=matrices), "digits", replicates=2, seed=0)
    sim.advance(steps=300)
    assert (sim.history["error-rate"] == sim.history["error-rate-greedy"]).all()


@pytest.mark.parametrize("matrices", ["full", "diagonal"])
def test_a_tiny_example_teaches_as_well(matrices):
    learner = start(create("confidit", matrices=matrices), 1, 2)
    play(learner, [1e-9], 0)
    np.testing.assert_allclose(weights(learner).ravel(), [1e-9 / 4, 0])


def test_the_chance_is_that_of_the_label_played():
    learner = start(create("confidit"), 2, 3)
    shown = play(learner, [1, 2], 1)
    assert learner.distribution(shown, 0).tolist() == np.eye(3)[shown.label[0]].tolist()
