"""The multilabel environment: feedback, metrics, slices, races."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from datasets import MultilabelData, load
from learners import Simulation, create
from learners.catalogue import learner_classes
from learners.multilabel.metrics import SHOWN_SIZE, WIDTH
from tests.cases import cases
from tests.learners.multilabel.helpers import IDS, expected_loss


@cases("id", IDS)
@cases("known", [True, False])
def test_nobody_hears_more_than_the_setting_allows(id, known):
    heard = []

    class Spy(learner_classes()[id]):
        def update(self, context, shown, feedback):
            heard.append((shown, feedback))
            super().update(context, shown, feedback)

    Spy.id = ""  # not a learner to be found
    data = load("multilabel-synthetic", examples=300)
    if not known:
        data = MultilabelData("plain", {}, data.features, data.labels, data.names)
    spy = Spy(size=12)
    sim = Simulation(spy, data, replicates=2)
    for step in itertools.islice(sim, 60):
        shown, feedback = heard[-1]
        inside = np.zeros((2, 40), dtype=bool)
        for r in range(2):
            inside[r, shown.order[r, : shown.size[r]]] = True
        if Spy.hears == "nothing":
            assert feedback == (None, None)
            continue
        np.testing.assert_array_equal(feedback.right, step.truth & inside)
        np.testing.assert_array_equal(step.right, step.truth & inside)
        assert (feedback.labels is not None) == (Spy.hears == "labels")
        if feedback.labels is not None:
            np.testing.assert_array_equal(feedback.labels, step.truth)
    assert len(heard) == 60 and sim.learner.id == ""
    slow = ("random-labels", "structured-bandit")  # the one never learns, the other not in 60 steps
    assert id in slow or any((shown.size < 12).any() for shown, _ in heard)


def test_what_is_not_shown_plays_no_role():
    """Data that agree on what is shown and differ in everything else lead to the same run."""
    data = load("multilabel-synthetic", examples=100, density=0.3)
    one = MultilabelData("one", {}, data.features, data.labels, data.names)
    first = Simulation(create("multilabel-ucb", size=2), one)
    changed = data.labels.copy()
    shown_at = np.zeros_like(changed)
    for step in itertools.islice(first, 100):
        shown_at[step.row[0], step.shown.order[0, : step.shown.size[0]]] = True
    changed[~shown_at] = ~changed[~shown_at]
    second = Simulation(create("multilabel-ucb", size=2), MultilabelData("two", {}, data.features, changed, data.names))
    second.advance(steps=100)
    assert shown_at.any() and not shown_at.all()
    np.testing.assert_array_equal(first.learner.w, second.learner.w)


@pytest.mark.parametrize("costs", ["decreasing", "constant"])
@pytest.mark.parametrize("known", [True, False])
def test_metrics_are_those_of_the_definitions(costs, known):
    data = load("multilabel-synthetic", labels=6, features=5, density=0.4, examples=120)
    if not known:
        data = MultilabelData("plain", {}, data.features, data.labels, data.names)
    a, S, T = np.array([0.5, 0.7]), np.array([3, 4]), 150
    sim = Simulation(create("multilabel-ucb", a=a, size=S, width=0.8, costs=costs), data, replicates=2, seed=3)
    total = np.zeros((4, 2))
    for step in itertools.islice(sim, T):
        for r in range(2):
            order, f = step.shown.order[r, : step.shown.size[r]].tolist(), step.shown.probability[r]
            Y, s = set(np.flatnonzero(step.truth[r]).tolist()), len(order)
            missed, wrong = Y - set(order), set(order) - Y
            c = {i: (s - j) / s if costs == "decreasing" else 1 for j, i in enumerate(order)}
            cost_now = a[r] * len(missed) + (1 - a[r]) * sum(c[i] for i in wrong)
            assert math.isclose(step.loss[r], cost_now)
            pairs = sum((f[i] < f[j]) + (f[i] == f[j]) / 2 for i in order if i in Y for j in order if j not in Y)
            total[:3, r] += cost_now, len(missed) + len(wrong), (pairs + S[r] * len(missed)) / S[r]
            if known:
                p = data.probabilities(step.row)[r]
                np.testing.assert_array_equal(step.probabilities[r], p)
                sets = (y for n in range(S[r] + 1) for y in itertools.permutations(np.argsort(-p)[: S[r]], n))
                best = min(expected_loss(p, y, a[r], costs) for y in sets)
                bayes = step.bayes[0][r, : step.bayes[1][r]]
                assert math.isclose(expected_loss(p, bayes, a[r], costs), best, abs_tol=1e-9)
                total[3, r] += expected_loss(p, order, a[r], costs) - best
            else:
                assert step.probabilities is None and step.bayes is None
                assert any((data.labels == step.truth[r]).all(axis=1))
    for row, name in enumerate(("loss", "hamming-loss", "ranking-loss")):
        np.testing.assert_allclose(sim.history[name][-1], total[row] / T)
    if known:
        np.testing.assert_allclose(sim.history["cumulative-regret"][-1], total[3], atol=1e-9)
        assert (np.diff(sim.history["cumulative-regret"], axis=0) > -1e-9).all()
    else:
        assert np.isnan(sim.history["cumulative-regret"]).all()
    np.testing.assert_array_equal(sim.history["shown-size"][-1], step.shown.size)
    np.testing.assert_allclose(sim.history["width"][-1], step.shown.width.mean(axis=1))
    assert SHOWN_SIZE.per_step and WIDTH.per_step


@pytest.mark.long
@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize(("labels", "features"), [(5, 3), (40, 20), (200, 60)])
@settings(max_examples=4, deadline=None)
@given(slices=st.lists(st.integers(1, 70), max_size=6), replicates=st.integers(1, 4))
@example(slices=[1, 3, 60, 1], replicates=3)
def test_no_slicing_changes_a_bit_of_any_metric(id, labels, features, slices, replicates):
    """Label probabilities, and with them regret, do not depend on how many steps are measured at once."""
    data = load("multilabel-synthetic", labels=labels, features=features, examples=100)
    sliced = Simulation(id, data, replicates=replicates, seed=5)
    for steps in slices:
        sliced.advance(steps=steps)
    sliced.advance(steps=70)
    whole = Simulation(id, data, replicates=replicates, seed=5)
    whole.advance(steps=sliced.t)
    np.testing.assert_equal(dict(whole.history), dict(sliced.history))


def test_learners_raced_on_one_seed_meet_the_same_examples_and_labels():
    runs = [Simulation(id, "multilabel-synthetic", replicates=2, seed=1) for id in IDS]
    for _ in range(20):
        for sim in runs:
            sim.advance(steps=1)
            np.testing.assert_array_equal(sim.last.row, runs[0].last.row)
            np.testing.assert_array_equal(sim.last.truth, runs[0].last.truth)


def test_labels_follow_their_probabilities():
    data = load("multilabel-synthetic", labels=5, examples=100, density=0.4)
    sim = Simulation("never-play", data, replicates=100)
    truth, p = zip(*((step.truth, step.probabilities) for step in itertools.islice(sim, 100)), strict=True)
    truth, p = np.concatenate(truth), np.concatenate(p)
    for k in range(5):
        error = (truth[:, k] - p[:, k]).sum() / np.sqrt((p[:, k] * (1 - p[:, k])).sum())
        assert abs(error) < 4


def test_data_of_another_family_are_refused():
    with pytest.raises(ValueError, match="multilabel-ucb needs a multilabel data set, got digits"):
        Simulation("multilabel-ucb", "digits")
