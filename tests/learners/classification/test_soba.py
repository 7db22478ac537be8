"""SOBA by hand, and what its second order is good for."""

import numpy as np
import pytest

from learners import Simulation, create
from tests.learners.classification.helpers import play, random_data, start, weights


@pytest.mark.parametrize("matrix", ["full", "diagonal"])
def test_two_steps_by_hand(matrix):
    """γ = ½, K = 2, d = 1, a = 1. A random label 1 is right for x = 1: P = ¼, the rival is 0, z = (1, −1)/√¼ = (2, −2),
    g = (4, −4), m = 0, so it moves: θ = (−4, 4).

    Full: A = [[5, −4], [−4, 5]] with the inverse [[5, 4], [4, 5]]/9, so W = (−4, 4)/9. Diagonal: A = (5, 5), so
    W = (−4, 4)/5.

    Then x = 1 is answered by 1, right, P = ¾, z = (1, −1)/√¾, and the rival is 0.
    Full: ⟨W, z⟩ = −8/9 · 2/√3, ⟨W, z⟩² = 256/243, ⟨W, g⟩ = −8/9 · 4/3 = −32/27; zᵀ A⁻¹ z = 4/3 · 2/9 = 8/27.
    m = (256/243 − 64/27)/(35/27) < 0, so it does not move. Diagonal: ⟨W, g⟩ = −8/5 · 4/3, ⟨W, z⟩² = (8/5)² · 4/3:
    m is proportional to 2.56 − 3.2 < 0; neither does it."""
    learner = start(create("soba", gamma=0.5, a=1.0, matrix=matrix), 1, 2)
    play(learner, [1], 1, explore=1)
    expected = np.array([-4, 4]) / (9 if matrix == "full" else 5)
    np.testing.assert_allclose(weights(learner).ravel(), expected)
    np.testing.assert_allclose(learner.theta[0, 0], [-4, 4])
    assert play(learner, [1], 1).label == 1
    np.testing.assert_allclose(weights(learner).ravel(), expected)
    assert play(learner, [2], 0).label == 1, "and a wrong answer teaches nothing"
    np.testing.assert_allclose(weights(learner).ravel(), expected)


def test_gains_of_earlier_steps_pay_for_a_step_that_costs():
    """γ = 1, K = 2, d = 1, a = 1: P = ½. A right 0 for x = 1: z = (−√2, √2), g = (−2, 2), m = 0; A = [[3, −2],
    [−2, 3]], W = (2, −2)/5. Then a right 1 for x = 1: ⟨W, g⟩ = 8/5, ⟨W, z⟩² = 32/25, zᵀ A⁻¹ z = 4/5:
    m = (1.28 + 3.2)/1.8 > 0. Then a right 0 again: W = 0 by symmetry (θ = 0), so m = 0; then a right 0 with
    W = (2, −2)/(1 + 12): m < 0, but its sum with the gain of the second step is above 0, so it moves."""
    learner = start(create("soba", gamma=1.0, a=1.0), 1, 2)
    for label in (0, 1, 0):
        play(learner, [1], label, explore=label)
    assert learner.kept[0, 0] == pytest.approx((1.28 + 3.2) / 1.8)
    np.testing.assert_allclose(weights(learner).ravel(), np.array([2, -2]) / 13)
    play(learner, [1], 0, explore=0)
    np.testing.assert_allclose(learner.theta[0, 0], [4, -4])
    assert 0 < learner.kept[0, 0] < (1.28 + 3.2) / 1.8


def test_the_inverse_stays_that_of_the_matrix():
    """After 400 steps A⁻¹, which is only ever updated, is the inverse of a I + Σ z zᵀ to nine digits."""
    sim = Simulation(create("soba", gamma=0.3, a=2.0), "separable-points", seed=4)
    A, before = None, None
    for _ in range(400):
        before = sim.learner.theta[0].copy() if A is not None else None
        sim.advance(steps=1)
        theta = sim.learner.theta[0]
        if A is None:
            A, before = 2.0 * np.eye(theta.size), np.zeros_like(theta)
        g = (before - theta).ravel()
        if g.any():
            last = sim.last
            share = 0.3 / theta.shape[1]
            p = share + 0.7 * (last.shown.label[0] == last.shown.predicted[0])
            A += p * np.outer(g, g)
    found = sim.learner.kept[0, 1 : 1 + A.size].reshape(A.shape)
    np.testing.assert_allclose(found @ A, np.eye(len(A)), atol=1e-9)


def test_it_does_not_depend_on_the_units_of_the_features():
    """With a → 0 a second-order learner predicts the same whatever the features are multiplied by."""
    data = random_data(n=80, d=3, k=3, seed=2)
    scaled = type(data)("world", {}, data.features * np.array([1.0, 4.0, 0.25]), data.labels, data.names)
    runs = [Simulation(create("soba", gamma=0.3, a=1e-6), each, replicates=3, seed=1) for each in (data, scaled)]
    for run in runs:
        run.advance(steps=600)
    a, b = (run.history["error-rate-greedy"][-1] for run in runs)
    assert np.abs(a - b).max() < 0.05
