"""The contextual bandits by hand: how they fit rewards, and how inverse gaps become chances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners import Simulation, create
from learners.classification.linear import Examples
from tests.cases import cases
from tests.learners.classification.helpers import play, present_and_update, start, weights


def test_ridge_regression_by_hand():
    """λ = 1, K = 2, d = 1. x = 2 is answered by 0, right: A₀ = 1 + 4, θ₀ = 2, w₀ = 2/5. Then x = 1: ŷ = 0 is wrong:
    A₀ = 6, θ₀ = 1, w₀ = 1/6. Then label 1 is drawn at random for x = 1 and right: w₁ = 1/2."""
    learner = start(create("epsilon-greedy", gamma=0.5), 1, 2)
    play(learner, [2], 0)
    np.testing.assert_allclose(weights(learner).ravel(), [2 / 5, 0])
    play(learner, [1], 1)
    np.testing.assert_allclose(weights(learner).ravel(), [1 / 6, 0])
    play(learner, [1], 1, explore=1)
    np.testing.assert_allclose(weights(learner).ravel(), [1 / 6, 1 / 2])


def test_gradient_by_hand():
    """η = ½: x = 2 answered by 0, right: w₀ = ½ · 1 · 2/4 = ¼. Then x = 2, wrong: w·x = ½, the error is −3/2, and
    w₀ = ¼ − ½ · 3/2 · 2/4 = −1/8. x = 0 tells nothing."""
    learner = start(create("epsilon-greedy", gamma=0.5, regression="gradient", rate=0.5), 1, 2)
    play(learner, [2], 0)
    np.testing.assert_allclose(weights(learner).ravel(), [1 / 4, 0])
    play(learner, [2], 1)
    np.testing.assert_allclose(weights(learner).ravel(), [-1 / 8, 0])
    play(learner, [0], 1)
    np.testing.assert_allclose(weights(learner).ravel(), [-1 / 8, 0])


def test_diagonal_by_hand():
    """λ = 1. x = (2, 1) is answered by 0, right: xᵀA⁻¹x = 5, so that w₀ = (2, 1)/6 and A = (5, 2). Then x = (1, 0),
    wrong: the error is −1 − 1/3, xᵀA⁻¹x = 1/5, and w₀ loses 4/3 · 1/5 / (6/5) = 2/9 in front: (1/9, 1/6)."""
    learner = start(create("epsilon-greedy", gamma=0.5, matrices="diagonal"), 2, 2)
    play(learner, [2, 1], 0)
    np.testing.assert_allclose(weights(learner)[0], [1 / 3, 1 / 6])
    play(learner, [1, 0], 1)
    np.testing.assert_allclose(weights(learner)[0], [1 / 9, 1 / 6])


def test_adaptive_steps_by_hand():
    """η = ½. x = (2, 1) is answered by 0, right: g = (2, 1), G = (4, 1), and w₀ = ½ (1, 1). Then x = (1, 0), wrong: the
    error is −3/2, G = 4 + 9/4 in front, √G = 5/2, and w₀ loses ½ · 3/2 / (5/2) = 3/10: (1/5, ½)."""
    learner = start(create("epsilon-greedy", gamma=0.5, regression="gradient", adaptive=True, rate=0.5), 2, 2)
    play(learner, [2, 1], 0)
    np.testing.assert_allclose(weights(learner)[0], [1 / 2, 1 / 2])
    play(learner, [1, 0], 1)
    np.testing.assert_allclose(weights(learner)[0], [1 / 5, 1 / 2])
    play(learner, [0, 0], 1)
    np.testing.assert_allclose(weights(learner)[0], [1 / 5, 1 / 2])


@cases(("draw", "label"), [(0.0, 1), (0.1999, 1), (0.2001, 2), (0.3249, 2), (0.3251, 0), (0.9999, 0)])
def test_inverse_gaps_by_hand(draw, label):
    """K = 3, c = 5, no growth, x = 1, w = (1, 1/5, −1). The estimates are 1, .6 and 0, the gaps .4 and 1, so label 1
    has the chance 1/(3 + 2) = 1/5, label 2 has 1/(3 + 5) = 1/8, and label 0 the rest, 27/40."""
    learner = start(create("inverse-gap", sharpness=5.0, grows=False), 1, 3)
    learner.W[0, 0] = [1.0, 1 / 5, -1.0]
    learner.draws = lambda steps: np.full((steps, 1, 1), draw)
    shown = present_and_update(learner, Examples(np.array([[1.0]])), np.array([0]))
    assert shown.label[0] == label and shown.predicted[0] == 0
    assert shown.gamma[0] == pytest.approx(13 / 40) and shown.explored[0] == (label != 0)
    np.testing.assert_allclose(learner.distribution(shown, 0), [27 / 40, 1 / 5, 1 / 8])


def test_the_gap_counts_more_with_every_step():
    """c = 5 and growth: in step 4 the weight of the gap is 10. Gap 1: 1/(2 + 10)."""
    learner = start(create("inverse-gap", sharpness=5.0), 1, 2)
    learner.draws = lambda steps: np.full((steps, 1, 1), 0.99)
    for _ in range(3):
        present_and_update(learner, Examples(np.array([[0.0]])), np.array([0]))
    learner.W[0, 0] = [1.0, -1.0]
    shown = present_and_update(learner, Examples(np.array([[1.0]])), np.array([0]))
    assert shown.gamma[0] == pytest.approx(1 / 12)
    np.testing.assert_allclose(learner.distribution(shown, 0), [11 / 12, 1 / 12])


@given(
    st.lists(st.floats(-1e9, 1e9), min_size=2, max_size=8), st.sampled_from([0.0, 1e-9, 0.5, 100.0, 1e6]), st.booleans()
)
def test_chances_are_chances(scores, sharpness, grows):
    """They are positive, add up to 1, fall with the score, and the best has at least 1/K."""
    learner = start(create("inverse-gap", sharpness=sharpness, grows=grows), 1, len(scores))
    learner.W[0, 0] = scores
    shown = present_and_update(learner, Examples(np.array([[1.0]])), np.array([0]))
    learner.W[0, 0] = scores
    p = learner.distribution(shown, 0)
    assert (p > 0).all() and p.sum() == pytest.approx(1) and p[shown.predicted[0]] >= 1 / len(scores) - 1e-12
    others = np.delete(np.arange(len(p)), shown.predicted[0])
    order = others[np.argsort(np.array(scores)[others], kind="stable")]
    assert (np.diff(p[order]) >= -1e-15).all()


@pytest.mark.parametrize("id", ["epsilon-greedy", "inverse-gap"])
def test_ridge_is_least_squares_of_what_was_played(id):
    """After 300 steps on separable data, w of a class solves (λI + Σ x xᵀ) w = Σ s x over the steps that played it."""
    sim = Simulation(create(id, ridge=0.5), "separable-points", seed=2)
    data, sums = sim.environment.data, {}
    for _ in range(300):
        sim.advance(steps=1)
        k, x = int(sim.last.shown.label[0]), data.features[sim.last.row[0]]
        A, b = sums.get(k, (0.5 * np.eye(data.dimension), np.zeros(data.dimension)))
        sums[k] = A + np.outer(x, x), b + (2 * bool(sim.last.right[0]) - 1) * x
    for k, (A, b) in sums.items():
        np.testing.assert_allclose(sim.learner.weights[0, k], np.linalg.solve(A, b), rtol=1e-9, atol=1e-12)


def test_exploration_fades_where_it_is_sure():
    sim = Simulation("inverse-gap", "synsep", seed=0)
    sim.advance(steps=2000)
    gamma = sim.history["gamma"][:, 0]
    assert gamma[0] == pytest.approx(8 / 9) and gamma[-200:].mean() < 0.3


def test_confidit_and_newtron_make_fewer_mistakes_than_the_banditron():
    """[CG13] §6 has Confidit ahead of the Banditron on all of its data sets; [HK11] has regret of order log T at best,
    the Banditron T^(2/3). Here on digits, three seeds, half the errors."""
    found = {}
    for id in ("confidit", "newtron", "banditron"):
        runs = [Simulation(create(id), "digits", replicates=1, seed=seed) for seed in range(3)]
        for run in runs:
            run.advance(steps=1797)
        found[id] = np.mean([run.history["error-rate"][-1, 0] for run in runs])
    assert max(found["confidit"], found["newtron"]) < found["banditron"] / 2, found
