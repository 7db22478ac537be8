"""Learners that stop say why, and what does not fit is refused in words."""

import dataclasses

import numpy as np
import pytest

from datasets import load
from datasets.classification import ClassificationData
from datasets.ranking import RankingData
from learners import Simulation
from learners.catalogue import families
from tests.cases import cases
from tests.learners.boosting.problems import CLASSES, DATA, IDS, PACKAGES, run


def dull(family):
    """Data on which nothing can be learnt: no feature tells one example or document from another."""
    data = load(families()[family].smallest.id, **families()[family].smallest.values)
    return dataclasses.replace(data, features=np.ones_like(data.features), **({} if family == "semi-supervised" else
                               {"weights": np.zeros_like(data.weights)}))  # fmt: skip


def one_grade(family):
    """All documents are graded alike; of classes there are two, but all examples save two are of one."""
    data = load(families()[family].smallest.id, **families()[family].smallest.values)
    if family == "semi-supervised":
        return dataclasses.replace(data, labels=(np.arange(data.examples) < 2).astype(int))
    return dataclasses.replace(data, grades=np.ones_like(data.grades))


def easy(family):
    """The first feature says all."""
    data = load(families()[family].smallest.id, **families()[family].smallest.values)
    truth = data.labels if family == "semi-supervised" else data.grades[0]
    return dataclasses.replace(data, features=np.column_stack([truth, data.features]).astype(float),
                               **({} if family == "semi-supervised" else {"weights": None}))  # fmt: skip


def check_the_end(sim):
    """After its end a learner adds nothing and every metric stays as it was; it says why."""
    stopped = []
    for _ in range(30):
        sim.advance(1)
        stopped.append([done.stopped for done in sim.last.rounds])
        for done in sim.last.rounds:
            if done.stopped:
                assert done.step == 0 and np.isnan(done.error) and len(done.stopped.split()) >= 3
        if sim.learner.family == "refinement":  # whose environment adds the votes of every round
            for done, learner, problem in zip(
                sim.last.rounds, sim.environment.learners, sim.environment.problems, strict=True
            ):
                assert not done.stopped or not learner.vote(problem.features).any()
    ended = np.array([[bool(why) for why in row] for row in stopped])
    assert (np.diff(ended.astype(int), axis=0) >= 0).all(), "once stopped it never goes on"
    assert all(len({row[r] for row in stopped if row[r]}) <= 1 for r in range(ended.shape[1])), "for one reason"
    for name, values in sim.history.items():
        assert not np.isinf(values).any(), name
        for r in range(ended.shape[1]):
            first = int(ended[:, r].argmax()) if ended[:, r].any() else len(ended)
            if name not in ("step-size", "weak-error"):
                flat = values[max(first - 1, 0) :, r] if first else values[:, r]
                np.testing.assert_array_equal(flat, np.repeat(flat[:1], len(flat)), err_msg=name)
    return ended


@cases("id", IDS)
@cases("make", [dull, one_grade, easy])
def test_a_learner_that_stops_says_why_and_its_curves_stay_flat(id, make):
    data = make(CLASSES[id].family)
    if CLASSES[id].family == "refinement" and make is one_grade:
        with pytest.raises(ValueError, match="nothing to refine"):
            run(id, data=data)
        return
    check_the_end(run(id, steps=0, data=data))


@cases("id", ["adaboost", "mcssb", "adarank", "ndcg-boost", "ranking-refinement"])
def test_where_nothing_can_be_told_apart_boosting_ends(id):
    assert check_the_end(run(id, steps=0, data=dull(CLASSES[id].family)))[-1].all()


@pytest.mark.parametrize(
    ("learner", "data", "user", "words"),
    [
        ("mcssb", "toy-ranking", None, "mcssb needs a classification data set, got toy-ranking, which is for ranking"),
        ("ndcg-boost", "digits", None, "ndcg-boost needs a ranking data set, got digits, which is for classification"),
        ("ranking-refinement", "digits", None, "ranking-refinement needs a ranking data set, got digits"),
        ("mcssb", "moons", "cascade", "mcssb has no simulated user; user must be None, got cascade"),
        ("ndcg-boost", "web-search", "judge", "ndcg-boost has no simulated user; user must be None, got judge"),
        ("ranking-refinement", "web-search", "cascade", "needs a refinement user, got cascade, which is for ranking"),
        ("preference-perceptron", "toy-ranking", "judge", "needs a ranking user, got judge, which is for refinement"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_in_words(learner, data, user, words):
    with pytest.raises(ValueError, match=words):
        Simulation(learner, data, user)


@cases("family", PACKAGES)
def test_sparse_features_are_refused_in_words(family):
    from scipy.sparse import csr_array

    data = DATA[family]
    thin = dataclasses.replace(data, features=csr_array(data.features))
    assert isinstance(thin, (ClassificationData, RankingData))
    for id in (id for id in IDS if CLASSES[id].family == family):
        with pytest.raises(ValueError, match=r"dense|in full"):
            Simulation(id, thin)
