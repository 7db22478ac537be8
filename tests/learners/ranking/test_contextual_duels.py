"""Contextual dueling bandits: steps by hand, what is kept, the posterior, and what the papers claim."""

from math import exp, sqrt
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import minimize

import datasets
from learners import Simulation, create, create_user
from learners.base import Shape
from learners.ranking.base import Context, Feedback

IDS = ["feel-good-thompson", "informative-pair"]
CORNERS = Context(np.array([[[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]]), np.array([1.0, 0.5, 0.25]))


def start(learner, context=CORNERS, normal=0.0):
    learner.reset(Shape(context.x.d, context.n), 1, np.random.default_rng(0))
    learner.rng = SimpleNamespace(
        replicates=1,
        random=lambda shape: np.zeros((1, *shape[1:])),  # coins
        standard_normal=lambda shape: np.full((1, *shape[1:]), normal),
    )
    return learner


def click(learner, place, context=CORNERS):
    shown = learner.present(context)
    learner.update(context, shown, Feedback(clicks=np.arange(context.n)[None] == place))
    return shown.ranking[0].tolist()


def test_a_langevin_step_by_hand():
    """θ¹ = θ² = 0 tie: d0 stands above d1, and d1 is clicked, z = [−1, 1], ‖z‖² = 2. With s = 1, δ = ½ and no noise,
    ε = ½/(1 + 2/4) = 1/3, and θ = ε σ(0) z = [−1, 1]/6. With μ = 1, θ¹ = 0 ranks d0 first, whose gain over d1, the
    document of θ², is [1, −1]: θ¹ = ε ([−½, ½] + [1, −1]) = [1, −1]/6; θ² gains 0, since d0 was that of θ¹."""
    learner = start(create("feel-good-thompson", optimism=0.0, step=0.5, moves=1))
    assert click(learner, 1) == [0, 1, 2]
    np.testing.assert_allclose(learner.w, [[-1 / 6, 1 / 6]], rtol=1e-12)
    learner = start(create("feel-good-thompson", optimism=1.0, step=0.5, moves=1))
    click(learner, 1)
    np.testing.assert_allclose(learner.tally[0, 2:6], [1 / 6, -1 / 6, -1 / 6, 1 / 6], rtol=1e-12)
    learner = start(create("feel-good-thompson", optimism=0.0, step=0.5, moves=1), normal=1.0)
    click(learner, 1)
    np.testing.assert_allclose(learner.w, [[-1 / 6 + sqrt(2 / 3), 1 / 6 + sqrt(2 / 3)]], rtol=1e-12)
    learner.present(CORNERS)
    assert learner.present(CORNERS).ranking[0].tolist()[:2] == [1, 0], "the best by θ², but for that of θ¹"


def test_the_most_informative_pair_by_hand():
    """H = I, w = 0: all three may be best; d0 and d1 differ most, by √2. d1 is clicked, z = [−1, 1], σ = ½, σ′ = ¼,
    H⁻¹ z = z, zᵀH⁻¹z = 2: w = ½ z/(1 + ¼ · 2) = z/3. Then p = σ(2/3), H = I + p(1 − p) zzᵀ. With β = ⅓ the margin of
    d0 to d1 is −2/3 + ⅓ √(zᵀH⁻¹z) < 0, and that of d2 is −1/3 + ⅓ √(H⁻¹)₁₁ < 0, as (H⁻¹)₁₁ < 1: d1 alone may be best.
    The second is d2, whose margin is larger."""
    learner = start(create("informative-pair", width=1 / 3))
    assert click(learner, 1) == [0, 1, 2]
    np.testing.assert_allclose(learner.w, [[-1 / 3, 1 / 3]], rtol=1e-12)
    p = 1 / (1 + exp(-2 / 3))
    H = np.eye(2) + p * (1 - p) * np.array([[1, -1], [-1, 1]])
    np.testing.assert_allclose(learner.tally[0, :4].reshape(2, 2), np.linalg.inv(H), rtol=1e-12)
    assert learner.present(CORNERS).ranking[0].tolist() == [1, 2, 0]


@pytest.mark.parametrize("id", IDS)
def test_who_wins(id):
    """The one clicked alone of both on top; of an improved ranking the one that stands higher. Else w stays, but for
    the prior of feel-good sampling, which moves nothing at 0."""
    for feedback, won in (
        (Feedback(clicks=np.array([[True, False, False]])), 0),
        (Feedback(clicks=np.array([[False, True, True]])), 1),
        (Feedback(clicks=np.array([[True, True, False]])), None),
        (Feedback(clicks=np.array([[False, False, True]])), None),
        (Feedback(ranking=np.array([[2, 1, 0]])), 1),
        (Feedback(ranking=np.array([[0, 2, 1]])), 0),
        (Feedback(), None),
    ):
        learner = start(create(id))
        learner.update(CORNERS, learner.present(CORNERS), feedback)
        w = learner.w[0]
        assert (w == 0).all() if won is None else (w[won] > 0 > w[1 - won]), feedback


def test_langevin_draws_from_the_posterior():
    """Two comparisons in one dimension, z = 1 and z = −½ with s = 2, and 4,000 chains: mean and variance of θ after 200
    steps of δ = 0.05 are those of the density, which is integrated on a grid, within six standard errors and the bias
    of the steps, δ."""
    learner, R = create("feel-good-thompson", optimism=0.0, step=0.05, prior=2.0, moves=20), 4000
    lists = (np.array([[1.0], [0.0]]), np.array([[0.0], [0.5]]))
    learner.reset(Shape(1, 2), R, np.random.default_rng(1))
    for x in lists:
        context = Context(np.tile(x, (R, 1, 1)), np.array([1.0, 0.5]))
        shown = learner.present(context)
        learner.update(context, shown, Feedback(clicks=shown.ranking == 0))
    for _ in range(10):
        learner.update(context, learner.present(context), Feedback())
    theta = np.linspace(-12, 12, 20001)
    density = np.exp(-(theta**2) / 8) / (1 + np.exp(-theta)) / (1 + np.exp(theta / 2))
    density /= density.sum()
    mean = (density * theta).sum()
    variance = (density * (theta - mean) ** 2).sum()
    for chain in learner.tally[:, 2], learner.tally[:, 3]:
        assert abs(chain.mean() - mean) < 6 * sqrt(variance / R) + 0.05 * abs(mean)
        assert abs(chain.var() / variance - 1) < 6 * sqrt(2 / R) + 0.05
    assert abs(np.corrcoef(learner.tally[:, 2], learner.tally[:, 3])[0, 1]) < 0.1, "both samples are independent"


def test_one_pass_comes_near_the_best_fit():
    """w after 1,500 random comparisons in 5 dimensions lies nearer to the penalised maximum of the likelihood than this
    to the truth."""
    rng, truth, T = np.random.default_rng(0), np.array([1.5, -1.0, 0.5, 0.0, 2.0]), 1500
    learner = create("informative-pair", ridge=1.0)
    learner.reset(Shape(5, 2), 1, rng)
    z = rng.normal(size=(T, 5))
    for i in range(T):
        z[i] *= 1.0 if rng.random() < 1 / (1 + exp(-truth @ z[i])) else -1.0
        context = Context(np.array([[z[i], np.zeros(5)]]), np.array([1.0, 0.5]))
        shown = learner.present(context)
        learner.update(context, shown, Feedback(clicks=shown.ranking == 0))
    fit = minimize(lambda w: np.logaddexp(0, -z @ w).sum() + w @ w / 2, np.zeros(5)).x
    assert np.linalg.norm(learner.w[0] - fit) < np.linalg.norm(fit - truth) / 2


@pytest.mark.parametrize("id", IDS)
def test_regret_grows_like_the_root_of_time(id):
    """O(d √T): the mean utility that the two on top miss falls by a third at least from each quarter of √4 times the
    steps to the next, in ten runs of 20 documents in 5 dimensions."""
    data = datasets.load("web-search", queries=500, features=5, relevance_noise=0)
    sim = Simulation(id, data, create_user("bradley-terry", temperature=0.5), replicates=10, seed=0)
    sim.advance(steps=1600)
    regret = sim.history["cumulative-regret"].mean(axis=1)
    assert regret[1599] - regret[399] < 3 * regret[399] * 0.75


@pytest.mark.parametrize("id", IDS)
def test_a_comparison_teaches_more_than_a_duel_of_rankings(id):
    """The abstract of FGTS.CDB: by a large margin better than before. Here than DBGD, with the same user."""
    found = {}
    for learner in (id, "dueling-bandit"):
        sim = Simulation(learner, "web-search", "bradley-terry", replicates=5, seed=0)
        sim.advance(steps=800)
        found[learner] = sim.history["ndcg@5-predicted"][-100:].mean()
    assert found[id] > found["dueling-bandit"] + 0.1


@pytest.mark.parametrize("id", IDS)
def test_one_place_teaches_nothing(id):
    sim = Simulation(id, datasets.load("movies", users=20, movies=30, ratings=20, features=2), "item-best", seed=0)
    sim.advance(steps=50)
    compared = sim.learner.tally[0, 0] if id == "feel-good-thompson" else abs(sim.learner.w).max()
    assert compared == 0
