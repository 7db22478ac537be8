"""Blocks of steps in one compiled call: the batch, threads, learners in Python, what rules hear, weights that
overflow."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from datasets.classification import ClassificationData
from learners import Simulation, create
from learners.classification import banditron, perceptron
from learners.classification.banditron import Banditron
from learners.classification.base import ClassificationLearner, Shown
from learners.classification.block import NOBODY
from learners.classification.environment import REMEMBERED
from learners.classification.perceptron import Perceptron
from learners.compiled import compiled
from learners.environment import Diverged
from learners.random import EACH, Seeds, Stream
from learners.sweep.points import Points
from tests.cases import cases
from tests.learners.classification.helpers import run
from tests.learners.classification.setups import SETUPS, create_batch, data_in_form, same_history


@cases(("id", "params"), SETUPS)
def test_a_replicate_has_the_same_bits_alone_and_in_a_batch(id, params, monkeypatch):
    """Replicate 1 of three, by itself with its own numbers of the streams, one step at a time."""
    data = data_in_form(form="sparse", d=2 if id == "halving" and "projection" not in params else 6)
    batch = run(create_batch(id, params), data, steps=70)

    class Middle(Stream):
        def _draw(self, size, draw):
            whole = draw(tuple(3 if n is EACH else n for n in size))
            return np.take(whole, [1], axis=size.index(EACH))

    def spawn(self, number, first=0):
        return [Middle(stream.common, 1) for stream in original(self, number, first)]

    original = Seeds.spawn
    monkeypatch.setattr(Seeds, "spawn", spawn)
    one = {k: v[1] if isinstance(v, list) else v for k, v in params.items()}
    alone = Simulation(create(id, **one), data, replicates=1)
    for _ in range(70):
        alone.advance(steps=1)
    for metric in batch.history:
        assert np.array_equal(batch.history[metric][:, [1]], alone.history[metric], equal_nan=True), metric
    if alone.learner.weights is not None:
        assert np.array_equal(batch.learner.weights[[1]], alone.learner.weights)


@pytest.mark.parametrize("id", ["banditron", "potential", "banditron-winnow", "banditron-labels", "halving"])
def test_a_thread_beside_changes_nothing(id):
    data, steps = data_in_form(form="binary", d=2 if id == "halving" else 6), 100 if id == "halving" else 2000
    alone = [run(id, data, steps=steps, seed=seed) for seed in (0, 1)]
    with ThreadPoolExecutor(2) as pool:
        beside = list(pool.map(lambda seed: run(id, data, steps=steps, seed=seed), (0, 1)))
    assert all(same_history(a, b) for a, b in zip(alone, beside, strict=True))


@cases("id", ["banditron", "adaptive-banditron", "banditron-labels", "exponentiated-gradient"])
def test_points_of_a_sweep_have_the_numbers_of_a_simulation(id):
    data = data_in_form()
    one = run(id, data, steps=300, replicates=2)
    points = Points(create(id), data, None, points=3, replicates=2, seed=0)
    points.advance(steps=300)
    for metric in one.history:
        assert np.array_equal(points.history[metric], np.tile(one.history[metric], (1, 3)), equal_nan=True)


def test_a_block_is_some_thirty_milliseconds_long():
    """Its length falls with the replicates and with the work of a step, and is never 0."""
    small, wide = data_in_form(), data_in_form(d=500, k=20)

    def block(data, replicates):
        return Simulation("banditron", data, replicates=replicates).environment.block

    assert block(small, 1) > 10_000 and block(small, 1) // 20 == block(small, 20)
    assert block(wide, 1) < block(small, 1) / 10 and block(wide, 100_000) == 1
    assert block(small, 1) > REMEMBERED, "the ring of confusions goes round within a block"


def test_confusion_after_a_block_longer_than_what_is_remembered():
    data = data_in_form(k=4)
    whole, single = run("banditron", data, steps=3456), Simulation("banditron", data, replicates=3)
    for _ in range(3456 // 32):
        single.advance(steps=32)
    for steps in (1, 400, 1000):
        assert np.array_equal(whole.environment.confusion(steps), single.environment.confusion(steps))
    assert whole.environment.confusion(1000).sum() == 3000


# ---- learners in plain Python


class Plain(ClassificationLearner):
    """The Banditron in NumPy, by somebody who knows of no rules."""

    gamma = 0.3
    paper = "B"

    def present(self, x):
        scores, predicted = x.predict(self.W)
        explore, label = self.draws(1)[0]
        explored = explore < self.gamma
        played = np.where(explored, (label * self.classes).astype(int), predicted)
        return Shown(played, predicted, scores, self.gamma, explored)

    def update(self, x, shown, feedback):
        share = self.gamma / self.classes
        p = np.where(shown.label == shown.predicted, 1 - self.gamma + share, share)
        moves = (shown.label, feedback.right / p), (shown.predicted, np.full(self.replicates, -1.0))
        x.add(self.W, moves)
        return moves


@pytest.mark.parametrize("form", ["dense", "sparse", "binary"])
def test_a_learner_in_plain_python_runs_step_by_step(form):
    data = data_in_form(form=form, d=6)
    plain, rules = run(Plain(), data, steps=300), run(create("banditron", gamma=0.3), data, steps=300)
    assert np.array_equal(plain.learner.weights, rules.learner.weights)
    for metric in set(rules.history) - {"bound"}:
        assert np.array_equal(plain.history[metric], rules.history[metric]), metric
    first, second = plain.last, rules.last
    assert (first.row == second.row).all() and (first.right == second.right).all()
    assert np.array_equal(first.shown.scores, second.shown.scores)
    assert all(
        np.array_equal(a, b)
        for one, two in zip(first.moves, second.moves, strict=True)
        for a, b in zip(one, two, strict=True)
    )


def test_a_method_of_ones_own_beside_rules():
    """Who overrides `update` alone is asked at every step, and what is inherited are the rules."""
    heard = []

    class Spy(Banditron):
        def update(self, x, shown, feedback):
            heard.append(feedback.label)
            return super().update(x, shown, feedback)

    Spy.id = ""  # no learner to be found
    data = data_in_form(form="sparse")
    assert same_history(run(Spy(gamma=0.3), data, steps=200), run(create("banditron", gamma=0.3), data, steps=200))
    assert heard == [None] * 200


# ---- what rules hear


@compiled
def overhears(x, turn):
    turn.kept[0] = turn.heard[0]
    banditron.learn(x, turn)


@compiled
def listens(x, turn):
    turn.kept[0] = turn.heard[0]


@pytest.mark.parametrize("steps", [1, 50])
def test_the_rules_of_a_bandit_learner_never_receive_the_true_label(steps):
    """Neither before nor after playing; those of a learner with full information receive it with the feedback."""

    class Spy(Banditron):
        rules = banditron.present, overhears

        def reset(self, shape, replicates, rng):
            super().reset(shape, replicates, rng)
            self.kept = np.zeros((replicates, 1))

    class Told(Perceptron):
        rules = perceptron.present, listens

        reset = Spy.reset

    Told.reset = lambda self, *args: (Perceptron.reset(self, *args), setattr(self, "kept", np.zeros((3, 1))))[0]
    Spy.id = Told.id = ""
    data = data_in_form(k=4)
    bandit, full = run(Spy(gamma=0.5), data, steps=steps), run(Told(), data, steps=steps)
    assert (bandit.learner.kept == NOBODY).all()
    assert (full.learner.kept[:, 0] == full.last.truth).all()


# ---- weights that overflow


def growing(form="dense"):
    """Data with one example among forty that is too large for numbers, once it has been added."""
    data = data_in_form(form=form, d=4)
    features = data.features.copy() if form == "dense" else data.features.toarray()
    features[17] = 1e308
    features = features if form == "dense" else type(data.features)(features)
    return ClassificationData("growing", {}, features, data.labels, data.names, separator=np.eye(3, 4))


@cases("form", ["dense", "sparse"])
@cases("slices", [[1000], [7] * 50, [1] * 200])
def test_weights_that_overflow_end_at_the_last_good_step(form, slices):
    sim = Simulation(create("banditron-margin", gamma=0.1, margin=0), growing(form), replicates=3, seed=2)
    with np.errstate(over="ignore", invalid="ignore"), pytest.raises(Diverged) as caught:
        for steps in slices:
            sim.advance(steps=steps)
    step = sim.t + 1
    advice = "choose data with smaller features"
    assert str(caught.value) == (
        f"the weights of banditron-margin are no longer finite numbers at step {step}; {advice}"
    )
    assert sim.last.t == sim.t > 0 and sim.history["mistakes"].shape == (sim.t, 3)
    assert np.isfinite(sim.learner.weights).all() and np.isfinite(sim.last.shown.scores).all()
    good = Simulation(create("banditron-margin", gamma=0.1, margin=0), growing(form), replicates=3, seed=2)
    good.advance(steps=sim.t)
    assert np.array_equal(good.learner.weights, sim.learner.weights) and same_history(good, sim)
    assert np.array_equal(good.last.shown.scores, sim.last.shown.scores)
    assert np.array_equal(good.environment.confusion(1000), sim.environment.confusion(1000))
    for _ in range(2):
        with pytest.raises(Diverged, match=f"at step {step};"):
            sim.advance(steps=1)
    assert sim.t == step - 1
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and isinstance(again, ValueError)
    sim.reset()
    sim.advance(steps=step - 1)
    assert same_history(good, sim)


def test_the_parameter_to_lower_is_named():
    data = data_in_form(d=4)
    large = ClassificationData("large", {}, data.features * 1e307, data.labels, data.names, separator=np.eye(3, 4))
    for id, params, advice in (
        ("potential", {"potential": "p-norm", "power": 5.0}, "scale (s)"),
        ("banditron-winnow", {"gamma": 0.3}, "rate (η)"),
    ):
        with np.errstate(all="ignore"), pytest.raises(Diverged, match=r"; choose a smaller") as caught:
            Simulation(create(id, **params), large, replicates=2).advance(steps=2000)
        assert str(caught.value).endswith(f"choose a smaller {advice}")


def test_a_learner_in_plain_python_that_overflows():
    with np.errstate(over="ignore", invalid="ignore"), pytest.raises(Diverged):
        sim = Simulation(Plain(), growing(), replicates=3, seed=2)
        sim.advance(steps=1000)
    assert sim.t == len(sim.history["mistakes"]) > 0 and np.isfinite(sim.last.shown.scores).all()


def test_parameters_that_changed_on_the_way_are_the_same_on_the_way_back():
    """The environment begins again where weights overflow, and changes γ where it changed before."""
    pair = [
        Simulation(create("banditron-margin", gamma=0.1, margin=0), growing(), replicates=3, seed=2) for _ in range(2)
    ]
    pair[0].advance(steps=1)
    for sim, steps in zip(pair, (1000, None), strict=True):
        sim.advance(steps=2 - sim.t)
        sim.learner.gamma = 0.9
        sim.environment.changed()
        if steps:
            with np.errstate(over="ignore", invalid="ignore"), pytest.raises(Diverged):
                sim.advance(steps=steps)
        else:
            sim.advance(steps=pair[0].t - 2)
    assert pair[0].t > 2 and same_history(*pair)
    assert np.array_equal(pair[0].learner.weights, pair[1].learner.weights)
