"""The environment: slices, races, the learner's view, metrics and records."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from datasets import load
from learners import Simulation, create
from learners.catalogue import learner_classes
from learners.classification.banditron import Banditron
from learners.classification.environment import ClassificationEnvironment
from learners.classification.metrics import MISTAKES
from learners.random import Seeds
from tests.cases import cases
from tests.learners.classification.helpers import IDS, run
from tests.learners.classification.setups import NAMES, SETUPS, create_batch, data_in_form, same_history


@pytest.mark.parametrize(("id", "params"), SETUPS, ids=NAMES)
@settings(max_examples=2, deadline=None)
@given(slices=st.lists(st.integers(1, 300), max_size=5), form=st.sampled_from(["dense", "sparse", "binary"]))
@example(slices=[1, 1, 7, 256, 15], form="dense")
def test_no_slicing_changes_a_bit_of_any_metric(id, params, slices, form):
    """Nor does a reset."""
    data = data_in_form(d=2 if id == "halving" else 6, form=form)
    sliced = Simulation(create_batch(id, params), data, replicates=3, seed=3)
    for steps in slices:
        sliced.advance(steps=steps)
    sliced.advance(steps=20)
    whole = run(create_batch(id, params), data, steps=sliced.t, seed=3)
    assert same_history(whole, sliced)
    sliced.reset()
    assert sliced.t == 0 and sliced.last is None
    sliced.advance(steps=whole.t)
    assert same_history(whole, sliced)


def test_learners_raced_on_one_seed_meet_the_same_examples():
    sims = [Simulation(id, data_in_form(), replicates=3, seed=7) for id in IDS if id != "halving"]
    rows = [[sim.last.row.tolist() for _ in range(80) if sim.advance(steps=1) is None] for sim in sims]
    assert all(found == rows[0] for found in rows)
    passes = np.array(rows[0]).reshape(2, 40, 3)
    assert (np.sort(passes, axis=1) == np.arange(40)[None, :, None]).all()  # every example once a pass
    assert len({tuple(order) for order in passes.transpose(0, 2, 1).reshape(6, 40)}) == 6  # each in an order of its own


def reachable(item, depth=4):
    """All arrays in an object, its fields and items."""
    if isinstance(item, np.ndarray):
        yield item
    elif depth and isinstance(item, (tuple, list)):
        for part in item:
            yield from reachable(part, depth - 1)
    elif depth and (hasattr(item, "__dict__") or hasattr(item, "__slots__")):
        names = [*getattr(item, "__dict__", {}), *getattr(type(item), "__slots__", ())]
        for name in names:
            yield from reachable(getattr(item, name), depth - 1)


@cases("id", IDS)
def test_a_bandit_learner_never_receives_the_true_label(id):
    """Nothing that it is handed equals the true labels of 50 replicates, in any shape."""
    data, handed, features = load("separable-points", classes=6, margin=0.05, examples=300), [], set()

    class Spy(learner_classes()[id]):
        def reset(self, shape, replicates, rng):
            handed.append((shape,))
            super().reset(shape, replicates, rng)

        def present(self, x):
            handed.append((x,))
            features.update(x.__slots__)
            return super().present(x)

        def update(self, x, shown, feedback):
            handed.append((x, shown, feedback))
            assert (feedback.label is None) == (id != "perceptron")
            return super().update(x, shown, feedback)

    sim = Simulation(Spy(**({"levels": 2} if id == "halving" else {})), data, replicates=50, seed=0)
    labels_heard = 0
    for _ in range(30):
        sim.advance(steps=1)
        truth = sim.last.truth
        for item in handed:
            labels_heard += sum(
                a.shape[:1] == (50,) and (a.reshape(50, -1) == truth[:, None]).all(axis=0).any()
                for a in reachable(item)
            )
        handed.clear()
    assert (labels_heard > 0) == (id == "perceptron")
    assert features == {"features", "index", "value"}


@pytest.mark.parametrize("id", ["banditron", "banditron-labels"])
def test_confusion_counts_true_and_played_labels(id):
    """Of the latest steps, at most a thousand; of several labels shown the right one is counted, or else the first."""
    data = data_in_form(k=4)
    sim = Simulation(id, data, replicates=3, seed=0)
    pairs = []
    for _ in range(1100):
        sim.advance(steps=1)
        label = sim.last.shown.label.reshape(3, -1)
        pairs.append(
            [(y, y if y in shown else shown[0]) for y, shown in zip(sim.last.truth, label.tolist(), strict=True)]
        )
    for steps in (0, 1, 300, 1000, 5000):
        for replicate in (None, 1):
            counts = np.zeros((4, 4), dtype=int)
            for step in pairs[max(0, len(pairs) - min(steps, 1000)) :]:
                for y, label in step if replicate is None else [step[replicate]]:
                    counts[y, label] += 1
            assert sim.environment.confusion(steps, replicate).tolist() == counts.tolist()
    assert sim.environment.confusion(1000).sum() == 3000


def test_the_record_of_the_latest_step():
    data = data_in_form(k=4)
    sim = run(create("banditron", gamma=0.5), data, steps=20)
    step = sim.last
    assert step.t == 20 and (step.truth == data.labels[step.row]).all()
    assert (step.examples.features == data.features[step.row]).all()
    assert (step.right == (step.shown.label == step.truth)).all()
    assert (sim.history["accuracy"][-1] == step.right).all()


def test_a_block_is_measured_no_more_than_once():
    environment = ClassificationEnvironment(data_in_form(), None, create("banditron"), 2, Seeds(0, 2))
    assert environment.t == 0 and environment.last() is None
    first, second = environment.run(1)[MISTAKES], environment.run(3)[MISTAKES]
    assert first.shape == (1, 2) and second.shape == (3, 2) and environment.t == 4
    assert (second[0] - first[0] <= 1).all() and (np.diff(second, axis=0) <= 1).all()


def test_all_bounds_of_a_learner_are_recorded():
    """The first under `bound`, the second under `bound-a-priori`, each as for a learner that has it alone."""

    class TwoBounds(Banditron):
        bounds = ("banditron-theorem-1", "perceptron-mistakes")

    class OtherBound(Banditron):
        bounds = ("perceptron-mistakes",)

    TwoBounds.id = OtherBound.id = ""  # not learners to be found
    data = data_in_form(k=4)
    both, first, second = (run(cls(gamma=0.3), data) for cls in (TwoBounds, Banditron, OtherBound))
    np.testing.assert_array_equal(both.history["bound"], first.history["bound"])
    np.testing.assert_array_equal(both.history["bound-a-priori"], second.history["bound"])
    assert np.isfinite(second.history["bound"]).all() and "bound-a-priori" not in first.history
    assert (first.history["bound"] != second.history["bound"]).any()
