"""CoRLL in small: a step by hand, gradients against finite differences, and what a linear ranker cannot learn."""

import numpy as np
import pytest

import datasets
from learners import Simulation, create
from learners.base import Shape
from learners.ranking.base import Context, Feedback
from learners.ranking.from_edits.network import forward
from tests.cases import cases


def start(hidden, d, n, seed=0, **params):
    learner = create("coactive-network", hidden=hidden, **params)
    learner.reset(Shape(d, n), 1, np.random.default_rng(seed))
    return learner


def test_a_step_by_hand():
    """One unit with U = ½, b = 0, v = 2, documents x = 1 and x = −1, discounts 1 and ½. f = ±2 tanh ½ = ±2h shows d0
    first. ȳ puts d1 first: r(ȳ) − r(y) = (½ − 1) 2h + (1 − ½)(−2h) = −2h, so that the step is η σ(2h). The gradient is
    that of −½ f(1) + ½ f(−1): by v −h, by U −½ · 2(1 − h²) · 1 + ½ · 2(1 − h²)(−1) = −2(1 − h²), and by b 0."""
    learner = start(1, 1, 2, eta=0.5)
    learner.units[:] = [[[0.5, 0.0, 2.0]]]
    context = Context(np.array([[[1.0], [-1.0]]]), np.array([1.0, 0.5]))
    shown = learner.present(context)
    assert shown.ranking.tolist() == [[0, 1]]
    learner.update(context, shown, Feedback(ranking=np.array([[1, 0]])))
    h = np.tanh(0.5)
    step = 0.5 / (1 + np.exp(-2 * h))
    np.testing.assert_allclose(learner.units[0, 0], [0.5 - step * 2 * (1 - h**2), 0.0, 2 - step * h], rtol=1e-12)


@cases("seed", range(4))
def test_steps_go_down_the_loss(seed):
    """The step is −η ∇ log(1 + e^−(r(ȳ) − r(y))), by central differences of the loss in each weight."""
    rng = np.random.default_rng(seed)
    n, d, hidden = 7, 4, 3
    context = Context(rng.normal(size=(1, n, d)), 1 / np.log2(np.arange(2, n + 2)))
    learner = start(hidden, d, n, seed, eta=1e-3)
    learner.units[:] += rng.normal(size=learner.units.shape)
    units, shown, better = learner.units.copy(), learner.present(context), rng.permutation(n)

    def loss(units):
        f = forward(units, context.features)[0]
        return np.logaddexp(0, -context.gamma @ (f[better] - f[shown.ranking[0]]))

    learner.update(context, shown, Feedback(ranking=better[None]))
    for place in np.ndindex(*units.shape):
        e = np.zeros_like(units)
        e[place] = 1e-6
        slope = (loss(units + e) - loss(units - e)) / 2e-6
        assert (learner.units - units)[place] == pytest.approx(-1e-3 * slope, abs=1e-11)


def test_scores_are_those_it_ranks_by():
    rng = np.random.default_rng(0)
    context = Context(rng.normal(size=(1, 9, 5)), 1 / np.log2(np.arange(2, 11)))
    learner = start(8, 5, 9)
    best = np.argsort(-learner.scores(context)[0], kind="stable")
    assert best.tolist() == learner.present(context).ranking[0].tolist()


def test_it_learns_what_no_linear_ranker_can():
    """Half of the signal is a product of two projections; users edit by the grades. From the same edits, the network's
    NDCG@5 in the last 500 of 6,000 searches is above that of the preference perceptron, and of its best."""
    data = datasets.load("web-search", queries=2000, features=5, relevance="nonlinear", relevance_noise=0.1)
    found = {}
    for learner in (create("coactive-network", hidden=16), create("preference-perceptron")):
        sim = Simulation(learner, data, "depth", replicates=4, seed=0)
        sim.advance(steps=6000)
        found[learner.id] = sim.history["ndcg@5"][-500:].mean()
    assert found["coactive-network"] > found["preference-perceptron"] + 0.03
