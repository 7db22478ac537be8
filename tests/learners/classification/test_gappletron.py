"""Gappletron by hand, the gap that pays for its steps, and what its paper says it is as good as."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners import Simulation, create
from tests.learners.classification.helpers import play, smooth_hinge, start, weights


def test_three_steps_by_hand():
    """K = 2, D = 1, s = ¼, x = 1. All scores are 0, so a = 1, and γ' = 1 whatever γ is: P = ½. A random 1 is right, and
    ŷ = 0: the slope is 2 over ½, θ = (−4, 4), ‖θ‖² = Σ‖ĝ‖² = 32, and W = θ/√32 = (−1, 1)/√2.

    Then x = ½: the lead is √2/2, a = (1 − 1/√2)², γ₂ = ¼ √(2/2) = ¼. A wrong answer teaches nothing. At t = 3 the lead
    of x = ½ is the same, γ₃ = √(2/3)/4, and it plays 1, right: P = 1 − γ'/2, the slope 2(1 − 1/√2)/P. θ is longer now
    than √Σ‖ĝ‖², so W has length 1 as before."""
    learner = start(create("gappletron", exploration=0.25, radius=1.0), 1, 2)
    root, gap = np.sqrt(0.5), (1 - np.sqrt(0.5)) ** 2
    assert play(learner, [1], 1, explore=1).gamma[0] == 1
    np.testing.assert_allclose(learner.W.ravel(), [-4, 4])
    np.testing.assert_allclose(weights(learner).ravel(), [-root, root])
    assert play(learner, [0.5], 0).gamma[0] == pytest.approx(0.25 + 0.75 * gap)
    np.testing.assert_allclose(learner.W.ravel(), [-4, 4])
    gamma = np.sqrt(2 / 3) / 4
    explored = gamma + (1 - gamma) * gap
    assert play(learner, [0.5], 1).gamma[0] == pytest.approx(explored)
    slope = 2 * (1 - root) / (1 - explored / 2)
    np.testing.assert_allclose(learner.W.ravel(), [-4 - slope / 2, 4 + slope / 2])
    assert learner.kept[0].tolist() == pytest.approx([3, 32 + 2 * slope**2 / 4, 2 * (4 + slope / 2) ** 2])
    np.testing.assert_allclose(weights(learner).ravel(), [-root, root])


@given(st.lists(st.floats(-3, 3), min_size=2, max_size=6), st.integers(0, 5), st.floats(1e-6, 0.5))
def test_the_gap_is_a_kth_of_the_loss(scores, label, gamma):
    """For any scores and true label: the chance of a mistake is at most (K − 1)/K of the loss and γ, and the squared
    gradient, which is at most 8 ‖x‖² times the loss, costs at most that times K/γ on average."""
    k, label = len(scores), label % len(scores)
    order = sorted(range(k), key=lambda i: -scores[i])
    q = gamma + (1 - gamma) * (1 - min(1.0, scores[order[0]] - scores[order[1]])) ** 2
    chance = (1 - q) * (label == order[0]) + q / k
    margin = scores[label] - max(s for i, s in enumerate(scores) if i != label)
    loss = 1 - 2 * margin if label != order[0] else max(0.0, 1 - margin) ** 2
    slope = 2.0 if label != order[0] else 2 * max(0.0, 1 - margin)
    assert 1 - chance <= (k - 1) / k * loss + gamma + 1e-9
    assert 2 * slope**2 <= 8 * loss + 1e-9
    assert 2 * slope**2 / chance <= 8 * loss * k / gamma * (1 + 1e-9)


def test_the_weights_stay_in_the_ball_and_their_norm_is_known():
    sim = Simulation(create("gappletron", radius=np.repeat([0.5, 3.0], 2)), "digits", replicates=4, seed=1)
    sim.advance(steps=3000)
    np.testing.assert_allclose(sim.learner.kept[:, 2], (sim.learner.W**2).sum(axis=(1, 2)), rtol=1e-10)
    norms = np.sqrt((sim.learner.weights**2).sum(axis=(1, 2)))
    assert (norms <= np.repeat([0.5, 3.0], 2) * (1 + 1e-10)).all()


def test_mistakes_stay_below_the_loss_of_any_weights():
    """E mistakes ≤ Σ ℓ(U) + 8 K² L D²/γ_T + Σ γ_t with L = 4X²: scale-free dual averaging has a regret of at most
    4 D √(Σ‖ĝ‖²), of which a K-th of the loss pays all but 8 K² L D²/γ_T, as 2ab ≤ a²/c + c b²."""
    steps, D = 4000, 2.0
    sim = Simulation(create("gappletron", radius=D), "separable-points", replicates=40, seed=3)
    sim.advance(steps=steps)
    data = sim.environment.data
    k, square = data.classes, (data.features**2).sum(axis=1).max()
    U = data.comparator * D / np.linalg.norm(data.comparator)
    loss = smooth_hinge(data, U) * steps
    gamma = np.minimum(0.5, np.sqrt(k / np.arange(1, steps + 1)))
    bound = loss + 8 * k**2 * 4 * square * D**2 / gamma[-1] + gamma.sum()
    assert sim.history["mistakes"][-1].mean() < bound


@pytest.mark.parametrize(("data", "least"), [("synsep", 0.05), ("digits", 0.02)])
def test_it_is_competitive_with_known_baselines(data, least):
    """The abstract: “competitive against known baselines” on synthetic data. With the values it starts with, it makes
    fewer mistakes than the Banditron, on SynSep and on digits (0.05 against 0.11, and 0.44 against 0.51)."""
    own, rival = (Simulation(id, data, replicates=3, seed=2) for id in ("gappletron", "banditron"))
    for sim in (own, rival):
        sim.advance(steps=10_000)
    assert own.history["error-rate"][-1].mean() < rival.history["error-rate"][-1].mean() - least
