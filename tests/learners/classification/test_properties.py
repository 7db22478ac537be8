"""What must hold of the classification learners for any data."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import load
from datasets.classification import ClassificationData
from learners import Simulation, create
from learners.catalogue import learner_classes
from learners.classification import banditron
from learners.classification.banditron import Banditron
from learners.classification.block import explore
from learners.classification.linear import Examples
from learners.compiled import compiled
from tests.cases import cases
from tests.learners.classification.helpers import IDS, fix_draws, present_and_update, random_data, run, start


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000), st.floats(0.05, 0.9))
def test_positive_weights_stay_positive(seed, gamma):
    sim = run(create("banditron-positive", gamma=gamma), random_data(seed=seed))
    assert sim.learner.weights.min() >= 0


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000), st.floats(1e-6, 1))
def test_rows_of_exponentiated_gradient_are_distributions(seed, scale):
    w = run(create("exponentiated-gradient", scale=scale), random_data(seed=seed)).learner.weights
    np.testing.assert_allclose(w.sum(axis=2), 1)
    assert w.min() >= 0


@pytest.mark.parametrize("params", [{"potential": "squared-norm"}, {"potential": "p-norm", "power": 2.0}])
def test_two_potentials_are_the_banditron_bit_for_bit(params):
    for data in (random_data(), load("synsep", examples=200)):
        same = run(create("potential", gamma=0.2, **params), data), run(create("banditron", gamma=0.2), data)
        assert (same[0].learner.weights == same[1].learner.weights).all()
        assert (same[0].history["error-rate"] == same[1].history["error-rate"]).all()


def test_the_margin_learner_without_margin_is_the_banditron():
    same = (
        run(create("banditron-margin", gamma=0.2, margin=0), random_data()),
        run(create("banditron", gamma=0.2), random_data()),
    )
    np.testing.assert_allclose(same[0].learner.weights, same[1].learner.weights, atol=1e-9)


def test_exponentiated_gradient_with_tiny_steps_is_the_banditron_on_centred_rows():
    """w_k = (1 + η (θ_k − mean θ_k)) / d + O(η²): the scores order the labels as x · (θ_k − mean θ_k) does."""

    @compiled
    def present(x, turn, gamma):
        for k in range(len(turn.scores)):
            mean, turn.scores[k] = turn.W[:, k].mean(), 0.0
            for i in range(len(x.feature)):
                turn.scores[k] += x.value[i] * (turn.W[x.feature[i], k] - mean)
        explore(turn, gamma)

    class Centred(Banditron):
        rules = present, banditron.update

    data = load("digits")
    first = run(create("exponentiated-gradient", gamma=0.25, scale=1e-8), data, steps=1500)
    second = run(Centred(gamma=0.25), data, steps=1500)
    assert (first.history["mistakes"] == second.history["mistakes"]).all()
    assert (
        run(create("banditron", gamma=0.25), data, steps=1500).history["mistakes"] != second.history["mistakes"]
    ).any()


@cases("strategy", ["ag0", "ag1", "ag2", "ag3"])
@cases("exponent", [0.1, 0.5, 1.0])
def test_rates_of_exploration(strategy, exponent):
    """0 < γ_t ≤ ½; ag0 and ag1 never rise; ag2 and ag3 fall after a hit by exploiting and never fall after any other
    step; after the first such hit ag3 is below ag2."""
    learner = create("adaptive-banditron", strategy=strategy, exponent=exponent)
    sim = Simulation(learner, random_data(), replicates=4, seed=1)
    hits, gammas = [], []
    for step in sim:
        gammas.append(np.array(step.shown.gamma))
        hits.append(step.right & (step.shown.label == step.shown.predicted))
        if step.t == 120:
            break
    gamma, hit = np.array(gammas), np.array(hits)[:-1]
    assert (gamma > 0).all() and (gamma <= 0.5).all()
    rise = np.diff(gamma, axis=0)
    if strategy in ("ag0", "ag1"):
        assert (rise <= 1e-15).all()
    elif exponent < 1:
        assert (rise[hit] < 0).all() and (rise[~hit] >= -1e-15).all()
    if strategy == "ag3" and exponent < 1:
        before = np.arange(120)[:, None]
        total = np.concatenate([np.zeros((1, 4)), np.cumsum(hit, axis=0)])
        second = 0.5 * ((2 + before) / (1 + before - total)) ** (exponent - 1)
        assert (gamma[total > 0] < second[total > 0]).all()


@pytest.mark.parametrize(("classes", "levels"), [(2, 5), (3, 3)])
def test_halving_keeps_the_perfect_hypothesis(classes, levels):
    """Labels are given by one hypothesis of the grid: it is never struck off, and mistakes are at most K ln |H|."""
    rng = np.random.default_rng(classes)
    features = rng.normal(size=(200, 2))
    for seed in range(5):
        learner = start(create("halving", levels=levels), 2, classes)
        perfect = int(rng.integers(learner.hypotheses))
        labels = (features @ learner.grid[perfect].T.astype(float)).argmax(axis=1)
        data = ClassificationData("grid", {}, features, labels, tuple("abc"[:classes]))
        sim = run(create("halving", levels=levels), data, steps=400, seed=seed)
        assert sim.learner.active[:, perfect].all()
        assert (sim.history["mistakes"][-1] <= classes * np.log(learner.hypotheses)).all()
        assert (sim.history["bound"] == classes * np.log(learner.hypotheses)).all()


@cases("id", ["perceptron", "banditron", "banditron-positive", "adaptive-banditron"])
def test_examples_twice_as_long_give_the_same_answers(id):
    """The scores grow fourfold, exactly."""
    data = random_data()
    twice = ClassificationData("twice", {}, 2 * data.features, data.labels, data.names)
    assert (run(id, data).history["mistakes"] == run(id, twice).history["mistakes"]).all()


def test_the_order_of_the_features_is_of_no_account():
    """Whole numbers, so that sums are exact."""
    data = random_data(whole=True)
    mixed = ClassificationData("mixed", {}, data.features[:, [3, 0, 4, 2, 1]], data.labels, data.names)
    assert (run("perceptron", data).history["mistakes"] == run("perceptron", mixed).history["mistakes"]).all()


# with one draw that picks from the labels in their order, or with scores that are clipped and so tie, names matter
DRAWS_TWO = [id for id in IDS if learner_classes()[id].chances == 2 and id != "halving"]  # whether, and any label


@cases("id", ["perceptron", *DRAWS_TWO])
def test_renaming_the_labels_renames_the_answers(id):
    """The same draws with labels renamed; random weights at the start, so that there are no ties."""
    k, d, n = 4, 3, 5
    rng = np.random.default_rng(2)
    name = np.array([2, 0, 3, 1])
    first, second = start(id, d, k, n), start(id, d, k, n)
    theta = rng.random((n, d, k)) * (1e-6 if id == "exponentiated-gradient" or id == "potential" else 1)
    for learner, order in ((first, np.arange(k)), (second, np.argsort(name))):
        learner.W[:] = learner.theta[:] = theta[:, :, order]
        if "potential" in id or "gradient" in id:
            learner.W[:] = np.exp(learner.theta)
            learner.kept[:, k:] = learner.W.sum(axis=1)
    for _ in range(30):
        x, truth = Examples(rng.normal(size=(n, d))), rng.integers(k, size=n)
        draw, label = rng.random(n), rng.integers(k, size=n)
        fix_draws(first, draw, label)
        fix_draws(second, draw, name[label])
        one, two = present_and_update(first, x, truth), present_and_update(second, x, name[truth])
        assert (name[one.label] == two.label).all() and (name[one.predicted] == two.predicted).all()
    np.testing.assert_array_equal(first.W, second.W[:, :, name])
