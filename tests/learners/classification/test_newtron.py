"""Newtron by hand, its gradient on average, its diagonals, and how it compares."""

import numpy as np
import pytest

from learners import create
from learners.classification.linear import Examples
from tests.cases import cases
from tests.learners.classification.helpers import present_and_update, start, weights


def one(learner, x, truth, draw=0.999):
    """A step with the draw fixed; a draw near 1 plays the best label."""
    learner.draws = lambda steps: np.full((steps, 1, 1), draw)
    return present_and_update(learner, Examples(np.array([x], dtype=float)), np.array([truth]))


@pytest.mark.parametrize("matrices", ["full", "diagonal"])
def test_two_steps_by_hand(matrices):
    """K = 2, d = 1, γ = ½, β = D = 1, α = 1.5 log 3, and x = 1. All scores are 0: P = p = ½.

    0 is right: c = −½ / ½ = −1, κ = ½, A₀ = 1 + ½ = 3/2, w₀ = 1 / A₀ = 2/3.
    Then α w₀ = log 3, P(0) = ¾, p(0) = ½ · ¾ + ¼ = 5/8. 0 is wrong: c = ¾ / (5/8) = 1.2, A₀ = 1.5 + 1.44 = 2.94, and
    w₀ = 2/3 − 1.2 / 2.94.
    """
    learner = start(create("newtron", gamma=0.5, beta=1.0, sharpness=1.5 * np.log(3), matrices=matrices), 1, 2)
    one(learner, [1], 0)
    np.testing.assert_allclose(weights(learner).ravel(), [2 / 3, 0])
    shown = one(learner, [1], 1)
    np.testing.assert_allclose(learner.distribution(shown, 0), [5 / 8, 3 / 8])
    assert shown.gamma[0] == pytest.approx(3 / 8)
    np.testing.assert_allclose(weights(learner).ravel(), [2 / 3 - 1.2 / 2.94, 0])


@cases(("draw", "label"), [(0.0, 1), (0.2499, 1), (0.2501, 2), (0.4999, 2), (0.5001, 0), (0.9999, 0)])
def test_the_label_is_drawn_by_its_chance(draw, label):
    """K = 3, γ = 0 as near as it gets, scores log 2, 0, 0 with α = 1: P = ½, ¼, ¼."""
    learner = start(create("newtron", gamma=1e-6, sharpness=1.0), 1, 3)
    learner.W[0, 0] = [np.log(2), 0, 0]
    assert one(learner, [1], 0, draw).label[0] == label


def test_the_estimate_of_the_gradient_is_right_on_average():
    """Σ_k p(k) c(k) e_k is P − e_y: the moves of θ at scores s, less their curvature, are −c in the row played."""
    scores, gamma, alpha, y = np.array([0.3, -0.2, 0.1]), 0.3, 2.0, 2
    P = np.exp(alpha * scores) / np.exp(alpha * scores).sum()
    p = (1 - gamma) * P + gamma / 3
    total = np.zeros(3)
    for k in range(3):
        learner = start(create("newtron", gamma=gamma, sharpness=alpha, beta=1e-6), 1, 3)
        learner.W[0, 0] = scores
        best = int(scores.argmax())
        others = [j for j in range(3) if j != best]
        draw = 0.9999 if k == best else p[others[: others.index(k)]].sum() + 1e-6
        shown = one(learner, [1], y, draw)
        assert shown.label[0] == k
        total += p[k] * -learner.theta[0, 0]
    np.testing.assert_allclose(total, P - np.eye(3)[y], atol=1e-5)


def test_diagonals_by_a_plain_loop():
    rng = np.random.default_rng(0)
    learner = start(create("newtron", gamma=0.2, sharpness=3.0, beta=0.5, radius=2.0, matrices="diagonal"), 4, 3)
    w, A = np.zeros((3, 4)), np.full((3, 4), 1 / 2.0)
    for _ in range(50):
        x, y, draw = rng.normal(size=4), int(rng.integers(3)), float(rng.random())
        powers = np.exp(3.0 * (w @ x))
        P = powers / powers.sum()
        p = 0.8 * P + 0.2 / 3
        k = int(one(learner, x, y, draw).label[0])
        c = -(1 - P[k]) / p[k] if k == y else P[k] / p[k]
        A[k] += 0.5 * (p[k] if k == y else 1.0) * c**2 * x**2
        w[k] -= c * x / A[k]
        np.testing.assert_allclose(weights(learner), w, rtol=1e-9, atol=1e-12)
