"""Every learner with every user, step by step, against the slow reference fed with the same random numbers."""

import dataclasses
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from datasets.ranking import RankingData
from learners import Simulation, create, create_user
from learners.catalogue import learner_classes, user_classes
from tests.cases import cases
from tests.learners.ranking import slow_newer  # noqa: F401  # adds its learners to LEARNERS
from tests.learners.ranking.slow_reference import LEARNERS, USERS, Slow

STEPS = {
    "unequal": 14,
    "three count": 12,
    "used up": 18,
    "dense": 6,
    "float32": 6,
    "sparse": 6,
}  # the last three differ in x alone
LONGER = {("feel-good-thompson", "unequal"): 21}  # until its sample of the queries is full
REPLICATES = 2  # each of another task
CLOSE = 1e-12  # but what one projects by halving an interval, and another has exponentials
LOOSE = {"second-order-perceptron": 1e-8, "pairwise-differentiable": 1e-9}
VARIANTS = [
    ("preference-perceptron", {"feedback": "top"}),
    ("preference-perceptron", {"feedback": "swap"}),
    ("preference-perceptron", {"feedback": "pair"}),
    ("averaged-perceptron", {}),
    ("batch-perceptron", {"k": [1, 3], "feedback": "swap"}),
    ("exponentiated-perceptron", {"rate": "fixed", "horizon": 20}),
    ("exponentiated-perceptron", {"rate": "variable"}),
    ("convex-perceptron", {"radius": [0.7, 100.0]}),
    ("second-order-perceptron", {"gamma": [0.3, 2.0], "epsilon": [0.5, 0.1], "radius": [0.4, 100.0]}),
    ("perturbed-perceptron", {"swap_probability": 0.4}),
    ("perturbed-perceptron", {"dynamic": True, "delta": 0.1}),
    ("dueling-bandit", {}),
    ("pairwise-differentiable", {"eta": 3.0}),
    ("pairwise-greedy", {"epsilon": 0.5, "eta": 0.1}),
    ("multileave-descent", {"delta": 0.3, "candidates": 4}),
    ("multileave-descent", {"gamma": 0.5, "delta": 0.3, "candidates": 1}),
    ("feel-good-thompson", {"optimism": 0.3, "window": 10}),
    ("informative-pair", {"width": 0.3}),
    ("informative-pair", {"pair": "leader", "rate": 0.5}),
    ("coactive-network", {"hidden": 3}),
    ("structured-perceptron", {"optimal": "grades"}),
    ("structured-perceptron", {"optimal": "utility"}),
    ("random-ranking", {}),
]


@cache
def world(form):
    """Two tasks and seven queries of 7 documents, or of 2 to 27, where all places count or the first three; or 15
    documents that are used up, for one slot."""
    rng = np.random.default_rng(3)
    unequal = [2, 14, 5, 9, 3, 27, 12]
    lengths = {"unequal": unequal, "three count": unequal, "used up": [15]}.get(form, [7] * 7)
    n = sum(lengths)
    x = rng.normal(size=(n, 5)) * (rng.random((n, 5)) < (0.5 if form == "sparse" else 1.0))
    x[np.arange(n), np.arange(n) % 5] += 1.0
    x = x.astype(np.float32) if form in ("float32", "used up") else x
    grades = rng.integers(0, 4, (2, n)).astype(float)
    starts, names = np.cumsum([0, *lengths]), ("one", "two")
    data = RankingData(
        "small", {}, csr_array(x) if form == "sparse" else x, starts, grades, task_names=names, top_grade=4
    )
    if form == "three count":
        data = dataclasses.replace(data, slots=3)
    if form == "used up":
        data = dataclasses.replace(data, slots=1, consumable=True)
    return data, x.astype(float)


def documents(y):
    return [list(map(int, row)) for row in y]


# by default every learner meets every user once, and each form a third of the users, others for the next learner
FORMS = [("unequal", 0, 1), ("three count", 0, 3), ("used up", 0, 3), ("sparse", 0, 5)]
FORMS += [
    pytest.param(form, first, 3, marks=pytest.mark.long) for form in ("three count", "used up") for first in (1, 2)
]
FORMS += [pytest.param(form, 0, 3, marks=pytest.mark.long) for form in ("dense", "float32")]


@pytest.mark.parametrize("form, first, every", FORMS, ids=str)
@cases("id, params", VARIANTS)
def test_every_learner_and_user(id, params, form, first, every):
    data, x = world(form)
    close = LOOSE.get(id, CLOSE)
    for user in sorted(USERS)[(VARIANTS.index((id, params)) + first) % every :: every]:
        learner, answers = create(id, **params), create_user(user)
        sim, slow = (kind(learner, *about, answers, REPLICATES, 5) for kind, about in (
            (Simulation, [data]), (Slow, [data, x]),
        ))  # fmt: skip
        for t in range(LONGER.get((id, form), STEPS[form])):
            sim.environment.take(1)
            step, around = sim.last, f"{user}, step {t + 1}"
            best, y, p, answer, improved = zip(*slow.step(), strict=True)
            assert documents(step.shown.predicted) == [*map(list, best)], around
            assert documents(step.shown.ranking) == [*map(list, y)], around
            assert documents(step.feedback_ranking) == [*map(list, improved)], around
            if step.response.clicks is None:
                assert documents(step.response.ranking) == [*map(list, answer)], around
            else:
                assert [set(np.flatnonzero(row).tolist()) for row in step.response.clicks] == [*answer], around
            assert np.abs(np.subtract(step.shown.swap_probability, p)).max() < 1e-9, around
            if step.after is not None:
                w = np.array([one.w for one in slow.each])
                assert np.abs(step.after - w).max() <= close * np.abs(w).max(), around


def test_nobody_is_left_out():
    """But the ranking SVM, whose solver stops when it is near enough; its own tests compare it with Newton's method.
    Learners that need one fixed list have slow versions of their own, in test_tables.py, and so has whatever has a test
    file of its own."""
    own = {path.stem.removeprefix("test_").replace("_", "-") for path in Path(__file__).parent.rglob("test_*.py")}
    learners, users = (
        {id for id, cls in classes().items() if cls.family == "ranking" and not getattr(cls, "fixed_list", False)}
        for classes in (learner_classes, user_classes)
    )
    assert {id for id, _ in VARIANTS} == set(LEARNERS) and set(LEARNERS) ^ learners <= {"ranking-svm"} | (
        own & learners
    )
    assert set(USERS) ^ users <= own & users
