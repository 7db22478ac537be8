"""References and problems without an answer: every learner ends in words."""

import numpy as np
import pytest

from learners import Simulation
from learners.boosting.semi_supervised.base import Training
from tests.cases import cases
from tests.learners.boosting.semi_supervised.problems import IDS, begun, small


@cases("id", ["single-tree", "nearest-neighbour", "label-spreading", "self-training"])
def test_references_vote_once(id):
    """One vote of 1 a row, for what the learner answers; nothing is added after the first round."""
    sim = Simulation(id, small(d=3, labelled=0.4, training=0.5), replicates=2, seed=4)
    sim.advance(steps=1)
    first, answers = sim.environment.scores, [done.answers for done in sim.last.rounds]
    sim.advance(steps=3)
    np.testing.assert_array_equal(sim.environment.scores, first)
    assert (first.sum(axis=2) == 1).all() and (first.max(axis=2) == 1).all()
    for r in range(2):
        np.testing.assert_array_equal(sim.environment.predicted(r)[sim.environment.rows[r]], answers[r])
    assert (sim.history["accuracy-test"] > 0.6).all()
    assert np.isnan(sim.history["step-size"]).all()


DEGENERATE = {
    "one-class-labelled": Training(np.arange(8.0)[:, None], np.array([1, 1, 1, -1, -1, -1, -1, -1]), 3),
    "all-rows-alike": Training(np.ones((8, 2)), np.array([0, 1, 2, -1, -1, -1, -1, -1]), 3),
    "one-label": Training(np.arange(12.0).reshape(6, 2), np.array([2, -1, -1, -1, -1, -1]), 3),
    "all-labelled": Training(np.arange(8.0)[:, None], np.arange(8) % 2, 2),
    "two-rows": Training(np.array([[0.0], [1.0]]), np.array([0, 1]), 2),
    "two-rows-alike": Training(np.zeros((2, 1)), np.array([0, -1]), 2),
    "huge-and-tiny": Training(np.array([[1e300], [-1e300], [1e-300], [0.0]]), np.array([0, 1, -1, -1]), 2),
}
VARIANTS = [(id, {}) for id in IDS] + [
    ("mcssb", {"similarity": "uniform"}),
    ("mcssb", {"similarity": "absolute", "C": 1e10}),
    ("mcssb", {"train": "weights", "width": 0.001}),
    ("mcssb", {"C": 0}),
    ("assemble", {"variant": "printed"}),
    ("assemble", {"first": "nearest", "depth": 5}),
    ("label-spreading", {"kernel": "gaussian"}),
    ("self-training", {"depth": 20, "threshold": 0}),
    ("adaboost", {"depth": 1}),
]


@pytest.mark.filterwarnings("error")
@cases("name", DEGENERATE)
@cases(("id", "params"), VARIANTS)
def test_degenerate_problems_end_in_words(id, params, name):
    """No warning, no number that is none; who stops says why, and goes on saying so."""
    given = DEGENERATE[name]
    learner = begun(id, given, **params)
    ended = ""
    for _ in range(30):
        done = learner.round()
        assert not ended or done.stopped == ended
        if done.stopped:
            ended = done.stopped
            assert done.step == 0 and ended.endswith(".")
        else:
            votes = learner.vote(given.features)
            assert votes.shape == (len(given.labels), given.classes) and np.isfinite(votes).all()
            assert done.step > 0 and np.isfinite(done.error)
        assert all(np.isfinite(value) for value in done.values.values())
