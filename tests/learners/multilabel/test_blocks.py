"""Blocks of steps in one compiled call have the numbers of single steps, whatever runs beside them."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from datasets import MultilabelData, load
from learners import Simulation, create
from learners.catalogue import learner_classes
from learners.compiled import compiled
from learners.environment import Diverged
from learners.multilabel.base import MultilabelLearner, Shown
from learners.multilabel.multilabel_ucb import MultilabelUCB
from learners.sweep.points import Points
from tests.cases import cases
from tests.learners.multilabel.helpers import IDS, SECOND_ORDER

DATA = load("multilabel-synthetic", labels=12, features=20, density=0.3, examples=100)
PLAIN = MultilabelData("plain", {}, DATA.features, DATA.labels, DATA.names)  # without known probabilities


def same(one, two):
    """Assert that two simulations have the same bits."""
    assert one.t == two.t
    np.testing.assert_equal(dict(one.history), dict(two.history))
    for name in ("w", "Ainv"):
        if one.learner.weights is not None and name in vars(one.learner):
            np.testing.assert_array_equal(getattr(one.learner, name), getattr(two.learner, name))
    for name, value in vars(one.last).items():
        other = getattr(two.last, name)
        if isinstance(value, tuple):
            assert len(value) == len(other)
            for part, its in zip(value, other, strict=True):
                np.testing.assert_array_equal(part, its, err_msg=name)
        else:
            np.testing.assert_array_equal(value, other, err_msg=name)


@pytest.mark.long
@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("data", [DATA, PLAIN], ids=["known", "plain"])
def test_a_learner_in_python_runs_step_by_step_with_the_same_numbers(id, data):
    """Overriding `update` or `present` is enough, in a class or for one instance."""
    cls = learner_classes()[id]

    class Own(cls):
        def present(self, context):
            return super().present(context)

    Own.id = ""  # not a learner to be found
    size = np.array([3, 5, 40])
    block = Simulation(cls(size=size), data, replicates=3, seed=2)
    own = Simulation(Own(size=size), data, replicates=3, seed=2)
    assert own.environment.by_hand and not block.environment.by_hand
    for sim in (block, own):
        sim.advance(steps=150)
    same(block, own)
    heard = []
    block.learner.update = lambda context, shown, feedback: heard.append(feedback)
    assert block.environment.by_hand
    block.advance(steps=2)
    assert len(heard) == 2


def test_a_learner_of_somebody_else_needs_no_rules():
    class Favourites(MultilabelLearner):
        """Shows the labels that were most often right."""

        def reset(self, shape, replicates, rng):
            super().reset(shape, replicates, rng)
            self.count = np.ones((replicates, self.classes))

        def present(self, context):
            p = self.count / self.count.sum(axis=1, keepdims=True)
            return Shown(*self.choose(p), p, p)

        def update(self, context, shown, feedback):
            assert feedback.labels is None
            self.count += feedback.right

    sim = Simulation(Favourites(a=0.9), DATA, replicates=2)
    sim.advance(steps=100)
    assert sim.environment.by_hand and sim.last.t == 100 and np.isfinite(sim.history["loss"]).all()
    assert np.isnan(sim.history["width"]).all() and sim.learner.count.sum() > 24
    sim.learner.choose = lambda p: (np.argsort(-p, axis=1), np.full(2, 11))
    with pytest.raises(ValueError, match="must show at most size = 10 labels, got 11"):
        sim.advance(steps=1)
    with pytest.raises(NotImplementedError, match="Nothing needs rules, or a method present of its own"):
        Simulation(type("Nothing", (MultilabelLearner,), {})(), DATA).advance(steps=1)


@compiled
def note(page):
    """Keep what is heard in the column of the step."""
    for k in range(len(page.heard)):
        page.w[k, page.t - 1] = page.heard[k]


@cases("hears", ["nothing", "shown", "labels"])
@cases("data", [DATA, PLAIN])
def test_no_rule_hears_more_than_the_setting_allows(hears, data):
    class Spy(MultilabelUCB):
        rules = MultilabelUCB.rules[0], note

    Spy.id, Spy.hears = "", hears
    block, single = (Simulation(Spy(size=4), data, replicates=2) for _ in range(2))
    block.advance(steps=20)
    heard = np.zeros((2, 12, 20))
    for t in range(20):
        single.advance(steps=1)
        step = single.last
        for r in range(2):
            labels = {"nothing": [], "shown": step.shown.order[r, : step.shown.size[r]], "labels": range(12)}[hears]
            for k in labels:
                heard[r, k, t] = 1 if step.truth[r, k] else -1
    np.testing.assert_array_equal(block.learner.w, heard)
    assert hears == "nothing" or ((heard == 1).any() and (heard == -1).any())


@cases("id", IDS)
def test_slices_leave_the_same_state_and_the_same_record(id):
    whole, sliced = (Simulation(id, DATA, replicates=3, seed=5) for _ in range(2))
    whole.advance(steps=150)
    for steps in (1, 2, 80, 67):
        sliced.advance(steps=steps)
    same(whole, sliced)


@pytest.mark.parametrize("id", IDS)
def test_runs_in_threads_have_the_numbers_of_runs_alone(id):
    def run(seed):
        sim = Simulation(id, DATA, replicates=2, seed=seed)
        sim.advance(steps=300)
        return sim

    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(run, range(4)))
    for seed, sim in enumerate(together):
        same(sim, run(seed))


@cases("id", IDS)
def test_points_of_a_sweep_have_the_bits_of_runs_alone(id):
    sizes = [2, 9, 5]  # what shows most labels makes room for the others too
    points = Points(create(id, size=np.repeat(sizes, 2)), DATA, None, points=3, replicates=2, seed=4)
    points.advance(steps=120)
    for i, size in enumerate(sizes):
        alone = Simulation(create(id, size=size), DATA, replicates=2, seed=4)
        alone.advance(steps=120)
        here = slice(2 * i, 2 * i + 2)
        for metric in alone.history:
            np.testing.assert_array_equal(points.history[metric][:, here], alone.history[metric], err_msg=metric)
        if alone.learner.weights is not None:
            np.testing.assert_array_equal(points.learner.w[here], alone.learner.w)


def test_a_record_keeps_what_it_says():
    sim = Simulation("multilabel-ucb", DATA, replicates=2)
    assert sim.last is None
    sim.advance(steps=40)
    first = sim.last
    kept = [np.copy(part) for part in (first.row, first.truth, first.right, *first.shown)]
    sim.advance(steps=40)
    for part, copy in zip((first.row, first.truth, first.right, *first.shown), kept, strict=True):
        np.testing.assert_array_equal(part, copy)


def test_blocks_are_as_long_as_time_and_memory_allow():
    def block(id, replicates, **params):
        environment = Simulation(create(id, **params), DATA).environment
        environment.replicates = replicates  # without their weights, which would take gigabytes
        return environment.block

    assert block("multilabel-ucb", 1, matrices="diagonal") > block("multilabel-ucb", 1) > 1000
    assert block("multilabel-ucb", 10) == pytest.approx(block("multilabel-ucb", 1) / 10, abs=1)
    assert block("multilabel-ucb", 100_000) == 1
    assert block("never-play", 1) * 12 * 8 < 20e6


@cases("id", [*SECOND_ORDER, "set-ucb"])
@cases("python", [False, True])
def test_weights_that_overflow_end_in_one_sentence(id, python):
    """An example so large that its margins are ∞ − ∞, after others from which weights have come."""
    features = DATA.features.copy()
    features[70] = 1.7e308 * (-1.0) ** np.arange(20)
    data = MultilabelData("huge", {}, features, DATA.labels, DATA.names)
    cls = learner_classes()[id]
    if python:
        cls = type("Own", (cls,), {"present": lambda self, context: super(cls, self).present(context)})
        cls.id = id
    sim = Simulation(create(id) if not python else cls(), data, replicates=3, seed=1)
    with pytest.raises(Diverged, match=rf"the weights of {id} are no longer finite numbers at step \d+; choose"):
        sim.advance(steps=1000)
    assert 0 < sim.t < 1000 and len(sim.history["loss"]) == sim.t == sim.last.t
    assert 70 in sim.last.row and np.isfinite(sim.history["loss"]).all()
    before = Simulation(create(id), data, replicates=3, seed=1)
    before.advance(steps=sim.t - 1)
    assert np.isfinite(before.learner.w).all() and not np.isfinite(sim.learner.w).all()
    np.testing.assert_array_equal(before.history["loss"], sim.history["loss"][:-1])
    with pytest.raises(ValueError, match=f"at step {sim.t};"):
        sim.advance(steps=1)


def test_a_parameter_may_change_between_blocks():
    sim, other = (Simulation(create("multilabel-ucb", size=2, confidence="remark 1"), DATA) for _ in range(2))
    for run in (sim, other):
        run.advance(steps=10)
        run.learner.size = 12
    sim.advance(steps=10)
    for _ in range(10):
        other.advance(steps=1)
    assert sim.history["shown-size"].ravel().tolist() == [2.0] * 10 + [12.0] * 10
    same(sim, other)
