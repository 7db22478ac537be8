"""Gaptron by hand, and the gap that pays for its steps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners import Simulation, create
from tests.learners.classification.helpers import play, smooth_hinge, start, weights


def test_three_steps_by_hand():
    """γ = ½, K = 2, x = 2, s = 1. All scores are 0, so γ₁ = max(½, 1) = 1 and P = ½. A random 1 is right while ŷ = 0,
    so ℓ = 1 − 2m has the slope 2. η = ½/(4 · 4 · 4) = 1/128, and the step is 2/128/½ = 1/32: W = 2 (−1, 1)/32.

    Then x = 2: the lead is ¼, γ₂ = max(½, (¾)²) = 9/16. It plays 1, right: P = 1 − 9/32 = 23/32, the slope is
    2 (1 − ¼) = 3/2, and the step 3/2/128 · 32/23 = 3/184: W₁ = 1/16 + 2 · 3/184.
    A wrong answer teaches nothing, but for the largest norm: x = 4 makes X² = 16."""
    learner = start(create("gaptron", gamma=0.5), 1, 2)
    assert play(learner, [2], 1, explore=1).gamma[0] == 1
    np.testing.assert_allclose(weights(learner).ravel(), [-1 / 16, 1 / 16])
    assert play(learner, [2], 1).gamma[0] == pytest.approx(9 / 16)
    np.testing.assert_allclose(weights(learner).ravel(), [-1 / 16 - 6 / 184, 1 / 16 + 6 / 184])
    play(learner, [4], 0)
    np.testing.assert_allclose(weights(learner).ravel(), [-1 / 16 - 6 / 184, 1 / 16 + 6 / 184])
    assert learner.kept[0, 0] == 16


@given(st.lists(st.floats(-3, 3), min_size=2, max_size=6), st.integers(0, 5), st.floats(1e-3, 1), st.floats(0.01, 100))
def test_the_gap_pays_for_the_step(scores, label, gamma, norm):
    """For any scores and true label: the chance of a mistake and half the squared step over the rate, on average, are
    at most the smooth hinge loss and γ (K − 1)/K, worked out here from the paper's quantities alone."""
    k, label = len(scores), label % len(scores)
    order = sorted(range(k), key=lambda i: -scores[i])
    a = (1 - min(1.0, scores[order[0]] - scores[order[1]])) ** 2
    q = max(a, gamma)
    chance = [(1 - q) * (i == order[0]) + q / k for i in range(k)]
    margin = scores[label] - max(s for i, s in enumerate(scores) if i != label)
    loss = 1 - 2 * margin if label != order[0] else max(0.0, 1 - margin) ** 2
    slope = 2.0 if label != order[0] else 2 * max(0.0, 1 - margin)
    rate = gamma / (4 * k**2 * norm)
    cost = rate / 2 * slope**2 * 2 * norm / chance[label]  # η/2 E ‖g 1[right]/P‖²
    assert 1 - chance[label] + cost <= loss + gamma * (k - 1) / k + 1e-9


def test_mistakes_stay_below_the_loss_of_any_weights():
    """The sum of the above over the steps: E mistakes ≤ Σ ℓ(U) + ‖U‖²/2η + γ T (K − 1)/K for the data's own U, scaled
    as one likes. On separable data with 40 replicates the mean stays below it."""
    sim = Simulation(create("gaptron", gamma=0.2), "separable-points", replicates=40, seed=3)
    sim.advance(steps=4000)
    data, steps = sim.environment.data, 4000
    k, X = data.classes, np.sqrt((data.features**2).sum(axis=1)).max()
    rate = 0.2 / (4 * k**2 * X**2)
    bounds = []
    for scale in (0.25, 0.5, 1.0, 2.0):
        loss = smooth_hinge(data, scale * data.comparator) * steps
        bounds.append(loss + (scale**2) * (data.comparator**2).sum() / (2 * rate) + 0.2 * steps * (k - 1) / k)
    assert sim.history["mistakes"][-1].mean() < min(bounds)


def test_it_explores_less_as_it_becomes_sure():
    sim = Simulation(create("gaptron", gamma=0.05, scale=100), "synsep", seed=0)
    sim.advance(steps=3000)
    gamma = sim.history["gamma"][:, 0]
    assert gamma[0] == 1 and (gamma >= 0.05).all() and gamma[-300:].mean() < 0.2
