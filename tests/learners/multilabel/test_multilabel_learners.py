"""The declarations and promises of every multilabel learner, and measured facts about how well they do."""

import numpy as np

from datasets import load
from learners import Simulation, create
from learners.base import Shape
from learners.multilabel.base import Context
from tests.cases import cases
from tests.learners.multilabel.helpers import IDS, SECOND_ORDER, feedback_on, start, unit_vectors


@cases("id", IDS)
def test_what_is_handed_over_stays_as_it_was(id):
    rng = np.random.default_rng(2)
    learner = start(create(id), 6, 4, replicates=3)
    for _ in range(5):
        context = Context(unit_vectors(rng, 3, 4))
        shown = learner.present(context)
        feedback = feedback_on(learner, shown, rng.random((3, 6)) < 0.4)
        parts = [part for part in (*context, *shown, *feedback) if part is not None]
        copies = [part.copy() for part in parts]
        for part in parts:
            part.setflags(write=False)
        learner.update(context, shown, feedback)
        for part, copy in zip(parts, copies, strict=True):
            np.testing.assert_array_equal(part, copy)


@cases("id", SECOND_ORDER)
@cases("matrices", ["full", "diagonal"])
def test_the_memory_is_what_the_state_takes(id, matrices):
    learner = start(create(id, matrices=matrices), 30, 20, replicates=4)
    learner.present(Context(np.ones((4, 20))))
    taken = learner.w.nbytes + learner.Ainv.nbytes + learner.V.nbytes
    assert learner.memory(Shape(20, classes=30), 4) == taken


def last_quarter(sim):
    """Mean loss of the last quarter of the steps."""
    values = sim.history["loss"].mean(axis=1)
    T, q = len(values), len(values) * 3 // 4
    return (values[-1] * T - values[q - 1] * q) / (T - q)


def run(data, id, steps, replicates=3, **params):
    sim = Simulation(create(id, **params), data, replicates=replicates, seed=0)
    sim.advance(steps=steps)
    return sim


def test_partial_feedback_comes_close_to_full_information():
    data = load("multilabel-synthetic", labels=40)
    ucb, full = (run(data, id, 3000) for id in SECOND_ORDER)
    random, never = (run(data, id, 500) for id in ("random-labels", "never-play"))
    assert last_quarter(full) < last_quarter(ucb) <= 1.25 * last_quarter(full)
    assert last_quarter(ucb) < 0.97 * last_quarter(never) < 0.6 * last_quarter(random)


def test_regret_grows_slower_than_the_theorem_says():
    sim = run(load("multilabel-synthetic"), "multilabel-ucb", 5000, width=1.0)
    regret = sim.history["cumulative-regret"].mean(axis=1)
    t = np.unique(np.geomspace(500, 5000, 30).astype(int))
    slope = np.polyfit(np.log(t), np.log(regret[t - 1]), 1)[0]
    assert slope < 0.6
    ratio = regret / (np.sqrt(np.arange(1, 5001)) * np.log(np.arange(2, 5002)))
    assert ratio[4999] < ratio[1999] < ratio[999]


def test_the_best_number_of_labels_is_small():
    """Hamming loss with constant costs against S: least well below the largest S, for the square loss and width 1."""
    sizes = np.array([1, 2, 5, 20, 40])
    sim = Simulation(
        create("multilabel-ucb", width=1.0, costs="constant", size=np.repeat(sizes, 3)),
        load("multilabel-synthetic"),
        replicates=15,
    )
    sim.advance(steps=1000)
    losses = sim.history["hamming-loss"][-1].reshape(5, 3).mean(axis=1)
    assert losses.argmin() <= 2 and losses[-1] > 1.1 * losses.min()
