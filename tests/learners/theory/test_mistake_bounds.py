"""Bounds on mistakes: their formulas on numbers, and that what they say of runs is so."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import load
from datasets.classification import ClassificationData
from learners import Simulation, create
from learners.theory import BOUNDS, MISTAKE_BOUNDS, Mistakes
from tests.cases import cases


def measured(**changes):
    """T = 100 steps of K = 4 classes, D = 8, L = 32."""
    values = {"t": 100.0, "loss": 32.0, "gamma": 0.5, "explored": 50.0, "variance": 18.0} | changes
    arrays = {name: np.array([[value]]) for name, value in values.items()}
    return Mistakes(**arrays, complexity=8.0, classes=4, hypotheses=1000)


@cases(
    ("id", "changes", "expected"),
    [
        ("perceptron-mistakes", {}, 32 + 8 + 16),  # L + D + √(L D)
        # L + γT + 3 max(KD/γ = 64, √(DγT) = 20) + √(KDL/γ = 2048)
        ("banditron-theorem-1", {}, 32 + 50 + 3 * 64 + 2048**0.5),
        ("banditron-theorem-1", {"t": 40_000.0}, 32 + 20_000 + 3 * 400 + 2048**0.5),  # √(8 · 20000) = 400
        ("banditron-theorem-1", {"gamma": 0.6}, np.nan),
        # L + Σγ + ‖U‖ √(2 Σ …), ‖U‖ = √(D/2) = 2
        ("adaptive-exploration", {}, 32 + 50 + 2 * 36**0.5),
        ("halving-lemma-6", {}, 4 * np.log(1000)),
    ],
)
def test_formulas(id, changes, expected):
    np.testing.assert_allclose(MISTAKE_BOUNDS[id].evaluate(measured(**changes)), [[expected]])
    assert BOUNDS[id] is MISTAKE_BOUNDS[id] and BOUNDS[id].bounded == "number of mistakes"


def world(seed, n, d, k, length, noise):
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, d)) * length
    labels = (features @ rng.normal(size=(d, k)) + noise * rng.normal(size=(n, k))).argmax(axis=1)
    return ClassificationData("world", {}, features, labels, tuple(map(str, range(k))))


worlds = st.builds(
    world,
    st.integers(0, 10_000),
    st.integers(2, 60),
    st.integers(1, 6),
    st.integers(2, 6),
    st.sampled_from([0.1, 1.0, 30.0]),
    st.sampled_from([0.0, 0.5, 5.0]),
)


@settings(max_examples=30, deadline=None)
@given(worlds)
def test_the_perceptron_makes_no_more_mistakes_than_its_bound_on_any_prefix(data):
    """[B] Eq. 7, which holds on every single run and for every W*; so on separable data mistakes are at most D."""
    sim = Simulation("perceptron", data, replicates=4, seed=0)
    sim.advance(steps=200)
    assert (sim.history["mistakes"] <= sim.history["bound"] + 1e-9).all()
    if data.hinge.max() == 0:
        assert (sim.history["mistakes"][-1] <= data.complexity).all()


@settings(max_examples=30, deadline=None)
@given(worlds, st.integers(0, 1000))
def test_the_hinge_loss_is_above_the_mistakes_of_the_comparator(data, seed):
    """[B] §2; and with any other weights Eq. 7 holds as well."""
    predicted = (data.features @ data.comparator.T).argmax(axis=1)
    assert (data.hinge >= (predicted != data.labels) - 1e-12).all()
    other = np.random.default_rng(seed).normal(size=(data.classes, data.dimension)) / data.radius
    data.__dict__["comparator"] = other  # a cached property
    data.__dict__.pop("hinge", None)
    scores = data.features @ other.T
    loops = [
        max(0.0, *(1 - s[y] + s[r] for r in range(data.classes) if r != y))
        for s, y in zip(scores, data.labels, strict=True)
    ]
    np.testing.assert_allclose(data.hinge, loops, atol=1e-9)
    assert data.complexity == pytest.approx(2 * (other**2).sum() * data.radius**2)
    sim = Simulation("perceptron", data, replicates=2, seed=1)
    sim.advance(steps=150)
    assert (sim.history["mistakes"] <= sim.history["bound"] + 1e-9).all()


@cases("params", [{"gamma": 0.05}, {"gamma": 0.2}, {"gamma": 0.5}])
@cases("name", ["synsep", "synnonsep", "separable-points"])
def test_the_banditrons_mean_number_of_mistakes_is_below_theorem_1(name, params):
    """On every prefix of 3000 steps, in the mean over 20 replicates."""
    sim = Simulation(create("banditron", **params), load(name, examples=1000), replicates=20, seed=0)
    sim.advance(steps=3000)
    mistakes, bound = (sim.history[m].mean(axis=1) for m in ("mistakes", "bound"))
    assert np.isfinite(bound).all() and (mistakes <= bound).all()


def test_theorem_1_is_not_stated_beyond_one_half():
    sim = Simulation(create("banditron", gamma=np.array([0.5, 0.51])), load("separable-points"), replicates=2, seed=0)
    sim.advance(steps=5)
    assert np.isfinite(sim.history["bound"][:, 0]).all() and np.isnan(sim.history["bound"][:, 1]).all()


@pytest.mark.parametrize("strategy", ["ag0", "ag1", "ag2", "ag3"])
def test_the_adaptive_banditrons_mean_number_of_mistakes_is_below_inequality_6_2(strategy):
    for name in ("synnonsep", "separable-points"):
        sim = Simulation(
            create("adaptive-banditron", strategy=strategy), load(name, examples=1000), replicates=20, seed=0
        )
        sim.advance(steps=3000)
        assert (sim.history["mistakes"].mean(axis=1) <= sim.history["bound"].mean(axis=1)).all()


@pytest.mark.parametrize("seed", range(2))
def test_halving_is_below_lemma_6_on_separable_points(seed):
    """Five levels come close enough to the separator of points with a margin of 0.3."""
    data = load("separable-points", margin=0.3, examples=200, data_seed=seed)
    sim = Simulation(create("halving", levels=5), data, replicates=3, seed=seed)
    grid = sim.learner.grid.astype(float)
    said = np.einsum("hkd,nd->hnk", grid, data.features).argmax(axis=2)
    assert (said == data.labels).all(axis=1).any()  # a perfect hypothesis is on the grid
    sim.advance(steps=200)
    assert (sim.history["mistakes"] <= sim.history["bound"]).all()


def test_learners_without_a_bound_show_none():
    for id in (
        "banditron-positive",
        "exponentiated-gradient",
        "banditron-margin",
        "banditron-labels",
        "banditron-winnow",
    ):
        sim = Simulation(id, load("separable-points"), replicates=2, seed=0)
        sim.advance(steps=3)
        assert np.isnan(sim.history["bound"]).all()
