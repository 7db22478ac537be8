"""What every boosting learner keeps to, round after round."""

import dataclasses

import numpy as np
import pytest

from datasets import load
from datasets.classification import ClassificationData
from datasets.parameters import of_replicate
from learners import Simulation, create, create_user
from learners.boosting.base import Round
from learners.theory import BOUNDS
from tests.cases import cases
from tests.learners.boosting.problems import CLASSES, IDS, PACKAGES, SHARES, STEPS, arrays, run, same_problems
from tests.learners.test_simulation import leaks


@cases("id", IDS)
def test_rounds_and_votes_have_the_right_form(id):
    """And what was told of a round is still the same after later ones."""
    family = CLASSES[id].family
    sim = run(id, steps=0)
    learner, problem = sim.environment.learners[0], sim.environment.problems[0]
    n = len(problem.features)
    shape = (n, problem.classes) if family == "semi-supervised" else (n,)
    told = []
    for _ in range(STEPS):
        done = learner.round()
        assert isinstance(done, Round) and done.step >= 0 and np.isfinite(done.step)
        assert np.isnan(done.error) or -1e-12 <= done.error <= 1 + 1e-12
        assert isinstance(done.stopped, str) and (done.step == 0 or not done.stopped)
        for name in ("weights", "targets", "answers"):
            array = getattr(done, name)
            assert array is None or (array.shape == (n,) and np.isfinite(array).all()), name
        assert all(np.isfinite(value) for value in done.values.values())
        vote = learner.vote(problem.features)
        assert vote.shape == shape and np.isfinite(vote).all()
        if family != "refinement" and learner.needs != "nothing":  # refiners rank the documents they were given
            np.testing.assert_array_equal(learner.vote(problem.features[3:5]), vote[3:5])
        held = [
            a for a in (done.weights, done.targets, done.answers, *done.details.values()) if isinstance(a, np.ndarray)
        ]
        told.append([(array, array.copy()) for array in held])
    for held in told:
        for array, copy in held:
            np.testing.assert_array_equal(array, copy)


@pytest.mark.long
@pytest.mark.parametrize("id", IDS)
def test_the_problem_is_never_written_to(id):
    cls, frozen = CLASSES[id], []

    class Spy(cls):
        id = ""

        def reset(self, problem, rng):
            for array in arrays(problem).values():
                array.setflags(write=False)
            frozen.append((problem, {name: array.copy() for name, array in arrays(problem).items()}))
            super().reset(problem, rng)

    sim = run(Spy())
    assert sim.t == STEPS and len(frozen) == 2
    for problem, copies in frozen:
        for name, array in arrays(problem).items():
            np.testing.assert_array_equal(array, copies[name], err_msg=name)


@cases("id", IDS)
def test_one_learner_for_each_replicate_has_its_own_values(id):
    numbers = [p for p in CLASSES[id].parameters() if p.kind in ("real", "integer")]
    for parameter in numbers:
        low = parameter.default
        high = parameter.check(min(low + 1, parameter.high))
        learner = create(id, **{parameter.name: np.array([low, high])})
        for r, value in enumerate((low, high)):
            own = getattr(of_replicate(learner, r), parameter.name)
            assert own == value and type(own) is (int if parameter.kind == "integer" else float)
        assert isinstance(getattr(learner, parameter.name), np.ndarray), "the learner that was asked keeps its own"


@cases("id", [id for id in IDS if CLASSES[id].family == "semi-supervised"])
def test_labels_are_hidden_and_no_test_example_is_given(id):
    data = load("moons", labelled=0.2)
    sim = run(id, data=data, replicates=3)
    env = sim.environment
    for r, problem in enumerate(env.problems):
        assert {f.name for f in dataclasses.fields(problem)} == {"features", "labels", "classes"}
        assert len(problem.labels) == 200 and (problem.labels >= 0).sum() == 40
        seen = problem.labels >= 0
        np.testing.assert_array_equal(problem.labels[seen], data.labels[env.rows[r]][seen])
        assert set(problem.labels[~seen]) == {-1} and problem.classes == 2
        np.testing.assert_array_equal(problem.features, data.features[env.rows[r]])
        tests = data.features[env.tests[r]]
        assert sorted([*env.rows[r], *env.tests[r]]) == list(range(400))
        own = env.learners[r]
        assert leaks([problem, vars(own)], {"test rows": tests}) == set()
        assert not any(isinstance(value, ClassificationData) for value in vars(own).values())
    for array in arrays(env.problems[0]).values():
        assert not any(np.shares_memory(array, whole) for whole in (data.features, data.labels))


@cases("id", [id for id in IDS if CLASSES[id].family == "learning-to-rank"])
def test_queries_of_validation_and_test_are_not_given(id):
    data = load("web-search", queries=20, documents=6, features=3, lengths="varied")
    if id not in ("lambdarank", "rank-xendcg"):  # which take whole numbers only; for the others each grade occurs once
        marked = data.grades + np.arange(len(data.features)) / 1e6
        data = dataclasses.replace(data, grades=marked, top_grade=None)
    sim = run(id, data=data, replicates=3)
    env = sim.environment
    for r, problem in enumerate(env.problems):
        assert {f.name for f in dataclasses.fields(problem)} == {"features", "starts", "grades"}
        train, *others = env.folds[r]
        assert sorted(np.concatenate([train, *others])) == list(range(20)) and len(train) == 12
        rows = np.concatenate([data.documents(q) for q in train])
        np.testing.assert_array_equal(problem.features, data.features[rows])
        np.testing.assert_array_equal(problem.grades, data.grades[0][rows])
        np.testing.assert_array_equal(np.diff(problem.starts), data.lengths[train])
        hidden = np.concatenate([data.documents(q) for q in np.concatenate(others)])
        secrets = {"features": data.features[hidden], "w*": data.weights}
        secrets |= {"grades": data.grades[0][hidden]} if id not in ("lambdarank", "rank-xendcg") else {}
        assert leaks([problem, vars(env.learners[r])], secrets) == set()


@cases("id", [id for id in IDS if CLASSES[id].family == "refinement"])
def test_grades_of_documents_that_nobody_judged_are_not_given(id):
    data = load("web-search", queries=10, documents=30, features=3)
    different = data.grades + np.arange(len(data.features)) / 1e6
    marked = dataclasses.replace(data, grades=different, top_grade=None)
    sim = Simulation(id, marked, create_user("judge", judged=8), replicates=3)
    sim.advance(STEPS)
    env = sim.environment
    for r, problem in enumerate(env.problems):
        assert {f.name for f in dataclasses.fields(problem)} == {"features", "base", "judged", "grades"}
        rows = env.documents[r]
        assert len(problem.judged) == len(problem.grades) == 8 == len(set(problem.judged))
        np.testing.assert_array_equal(problem.features, marked.features[rows])
        np.testing.assert_array_equal(problem.grades, marked.grades[0][rows][problem.judged])
        best = np.argsort(-problem.base, kind="stable")[:8]
        assert sorted(problem.judged) == sorted(best)
        hidden = np.delete(marked.grades[0][rows], problem.judged)
        found = leaks([problem, vars(env.learners[r])], {"grades": hidden, "w*": marked.weights})
        assert found == set()


@cases("id", IDS)
def test_a_replicate_does_not_depend_on_those_beside_it(id):
    several, alone = run(id, replicates=3, seed=2), run(id, replicates=1, seed=2)
    same_problems(several.environment.problems[:1], alone.environment.problems)
    for name, values in several.history.items():  # sums over several replicates may differ in the last bit
        np.testing.assert_allclose(values[:, :1], alone.history[name], rtol=1e-12, atol=1e-14, err_msg=name)
    with pytest.raises(AssertionError):  # and yet each has a problem of its own
        same_problems(several.environment.problems[:1], several.environment.problems[1:2])


@pytest.mark.parametrize("family", PACKAGES)
def test_raced_learners_meet_the_same_problems(family):
    ids = [id for id in IDS if CLASSES[id].family == family]
    first, *others = (run(id, steps=2, replicates=3, seed=1).environment.problems for id in ids)
    for other in others:
        same_problems(first, other)


@cases("id", IDS)
def test_histories_are_finite_or_missing_altogether(id):
    """A metric that a learner does not have is NaN in every round; the weak error also where nothing was added."""
    sim = run(id, replicates=3)
    for name, values in sim.history.items():
        assert values.shape == (STEPS, 3)
        if name == "weak-error":
            assert (np.isnan(values) | ((values >= -1e-12) & (values <= 1 + 1e-12))).all()
            continue
        missing = np.isnan(values)
        assert (missing.all(axis=0) | ~missing.any(axis=0)).all(), name
        assert not np.isinf(values).any(), name
        if name.startswith(SHARES):
            assert not missing.any() and (values >= 0).all() and (values <= 1 + 1e-12).all(), name
    assert (sim.history["step-size"] >= 0).all() if CLASSES[id].boosts else np.isnan(sim.history["step-size"]).all()


@cases("id", [id for id in IDS if CLASSES[id]().bounds])
def test_bounds_hold_in_every_round(id):
    sim = run(id, steps=25, replicates=3)
    bound = sim.history["bound"]
    measured = sim.history["surrogate" if "surrogate" in BOUNDS[CLASSES[id]().bounds[0]].bounded else "objective"]
    told = ~np.isnan(bound)
    assert told.any() and (measured[told] <= bound[told] * (1 + 1e-9)).all()


@cases("id", IDS)
def test_the_inspector_gets_the_latest_round(id):
    sim = run(id, replicates=3)
    last = sim.last
    assert last.t == STEPS and len(last.rounds) == 3
    if CLASSES[id].boosts:
        np.testing.assert_array_equal([done.step for done in last.rounds], sim.history["step-size"][-1])
        np.testing.assert_array_equal([done.error for done in last.rounds], sim.history["weak-error"][-1])
