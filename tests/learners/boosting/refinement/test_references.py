"""Rocchio, the ranking SVM and judged-first."""

import dataclasses

import numpy as np

from datasets import load
from learners import Simulation, create, create_user
from learners.boosting.refinement.base_feature import base_feature
from learners.boosting.refinement.linear import scaled
from tests.cases import cases
from tests.learners.boosting.refinement.problems import LEARNERS, judged_of


def test_rocchio_by_hand():
    """Scaled: documents [0, 1], [1, 0], [½, ½], [½, 0] (feature, base). Relevant: 0 and 3, mean [¼, ½]; not: 1, [1, 0].
    α = 2, β = 3: Q = [½ − 3, 1] = [−2.5, 1].
    """
    problem = judged_of([[2], [4], [3], [3]], [9, 7, 8, 7], [0, 1, 3], [1, 0, 2])
    np.testing.assert_allclose(scaled(problem), [[0, 1], [1, 0], [0.5, 0.5], [0.5, 0]])
    learner = create("rocchio", alpha=2, beta=3)
    learner.reset(problem, np.random.default_rng(0))
    learner.round()
    np.testing.assert_allclose(learner.vote(problem.features), [1, -2.5, -0.75, -1.25])
    assert learner.round().stopped and not learner.vote(problem.features).any()
    learner = create(
        "rocchio", alpha=2, beta=3, least=2
    )  # only document 3 is relevant: Q = 2 [½, 0] − 3 [½, ½] = [−.5, −1.5]
    learner.reset(problem, np.random.default_rng(0))
    learner.round()
    np.testing.assert_allclose(learner.vote(problem.features), [-1.5, -0.5, -1, -0.25])


def test_judged_first_puts_documents_in_their_place():
    problem = judged_of(np.zeros((6, 1)), [6, 5, 4, 3, 2, 1], [0, 1, 2, 3], [0, 1, 3, 1])
    learner = create("judged-first")
    learner.reset(problem, np.random.default_rng(0))
    learner.round()
    order = np.lexsort((-problem.base, -learner.vote(problem.features)))
    assert order.tolist() == [2, 1, 3, 4, 5, 0]
    learner = create("judged-first", least=3)
    learner.reset(problem, np.random.default_rng(0))
    learner.round()
    assert np.lexsort((-problem.base, -learner.vote(problem.features))).tolist() == [2, 4, 5, 1, 3, 0]


def test_the_svm_orders_what_was_judged():
    """With a large C and a feature that allows it, every judged pair is in order with a margin of 1 and no more."""
    x = np.array([[0.0, 3], [1, 1], [2, 4], [3, 0], [4, 2]])
    problem = judged_of(x, [1, 5, 2, 4, 3], [0, 2, 4], [0, 1, 2])
    learner = create("feedback-svm", C=1000)
    learner.reset(problem, np.random.default_rng(0))
    learner.round()
    score = learner.vote(x)
    assert score[2] - score[0] > 0.98 and score[4] - score[2] > 0.98
    assert min(score[2] - score[0], score[4] - score[2]) < 1.01


@cases("id", LEARNERS)
def test_refiners_know_nothing_but_what_was_judged(id):
    """Other true grades of the unjudged documents change no score."""
    data = load("web-search", queries=10, documents=20, features=4)
    user = create_user("judge", judged=8, query=3)
    rows = data.documents(2)
    sim = Simulation(id, data, user, replicates=1, seed=0)
    sim.advance(steps=5)
    changed = data.grades.copy()
    unjudged = np.setdiff1d(np.arange(20), sim.environment.problems[0].judged)
    changed[0, rows[unjudged]] = 4 - changed[0, rows[unjudged]]
    other = dataclasses.replace(data, grades=changed, base=data.features[:, base_feature(data, "best")])
    again = Simulation(id, other, user, replicates=1, seed=0)
    again.advance(steps=5)
    np.testing.assert_array_equal(sim.environment.scores[0], again.environment.scores[0])
