"""Every learner that boosts, of the three families: declaration, template, what it is given, seeds, replicates,
stopping.

What each of them computes is checked in tests of their own.
"""

import dataclasses
import inspect
import re

import numpy as np
import pytest

from datasets import load
from datasets.classification import ClassificationData
from datasets.ranking import RankingData
from learners import Simulation, catalogue, create, create_user
from learners.base import PHASES
from learners.boosting.base import Booster, Round
from learners.catalogue import learner_classes, user_classes
from learners.run.simulation import FAMILIES
from learners.sweep.plan import SMALL
from learners.theory import BOUNDS
from tests.learners.test_simulation import leaks

PACKAGES = {
    "semi-supervised": "boosting.semi_supervised",
    "learning-to-rank": "boosting.learning_to_rank",
    "refinement": "boosting.refinement",
}
CLASSES = {id: cls for id, cls in learner_classes().items() if cls.family in PACKAGES}
IDS = sorted(CLASSES)
JUDGES = sorted(id for id, cls in user_classes().items() if cls.family == "refinement")
STEPS = 6
SHARES = ("accuracy-", "ndcg", "map", "err-")  # metrics between 0 and 1 begin with one of these


def small(family):
    """The smallest data of a family, on which a round takes milliseconds; nobody may write to them."""
    name, params = SMALL[family]
    data = load(name, **params)
    for array in (data.features, getattr(data, "grades", None), getattr(data, "labels", None)):
        if array is not None:
            array.setflags(write=False)
    return data


DATA = {family: small(family) for family in PACKAGES}


def run(learner, steps=STEPS, replicates=2, seed=0, sizes=None, data=None, **params):
    learner = create(learner, **params) if isinstance(learner, str) else learner
    if isinstance(learner, CLASSES["lambdarank"]):
        pytest.importorskip("lightgbm", reason="needs LightGBM, which is optional")
    sim = Simulation(learner, DATA[learner.family] if data is None else data, replicates=replicates, seed=seed)
    for size in sizes or [steps]:
        sim.advance(size)
    return sim


def same(first, second):
    assert list(first.history) == list(second.history)
    for name in first.history:
        np.testing.assert_array_equal(first.history[name], second.history[name], err_msg=name)


def arrays(problem):
    return {name: value for name, value in vars(problem).items() if isinstance(value, np.ndarray)}


def same_problems(first, second):
    for one, other in zip(first, second, strict=True):
        assert type(one) is type(other) and vars(one).keys() == vars(other).keys()
        for name in vars(one):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


# ---- declaration ---------------------------------------------------------------------------------------


def test_the_algorithms_of_the_dissertation_are_there():
    wanted = {
        "semi-supervised": {"adaboost", "assemble", "mcssb"},
        "learning-to-rank": {"adarank", "ndcg-boost", "linear-regression-ranking"},
        "refinement": {"ranking-refinement", "rocchio", "base-ranker", "judged-first"},
    }
    for family, ids in wanted.items():
        assert ids <= {info.id for info in catalogue() if info.family == family}
    assert "judge" in JUDGES


@pytest.mark.parametrize("id", IDS)
def test_declaration(id):
    cls = CLASSES[id]
    assert issubclass(cls, Booster) and cls.family in FAMILIES
    assert cls.__module__ == f"learners.{PACKAGES[cls.family]}.{id.replace('-', '_')}"
    assert cls.title and cls.summary.endswith(".") and cls.needs and cls.paper == "V" and cls.section
    assert ">>>" in inspect.getdoc(cls) or id == "lambdarank"  # whose example would need LightGBM
    assert all(p.help.endswith(".") for p in cls.parameters())
    assert all(bound in BOUNDS for bound in cls().bounds)
    assert CLASSES[id] is type(create(id)) and cls.source_code().startswith('"""')


@pytest.mark.parametrize("id", IDS)
def test_lines_have_phases_and_formulas(id):
    lines = CLASSES[id].lines
    assert lines and ("Algorithm" not in CLASSES[id].section or sum("$" in line.text for line in lines) >= 3)
    phases = [PHASES.index(line.phase) for line in lines]
    assert phases == sorted(phases) and len({line.text for line in lines}) == len(lines)
    for line in lines:
        assert line.text.count("$") % 2 == 0
        for formula in re.findall(r"\$(.*?)\$", line.text):
            plain = formula.replace(r"\{", "").replace(r"\}", "")
            assert formula.strip() and plain.count("{") == plain.count("}")
            assert len(re.findall(r"\\left\b", formula)) == len(re.findall(r"\\right\b", formula))
        assert not re.search(r"[\t\a\b\f\r\v]", line.text), "a backslash was taken for a control character"


@pytest.mark.parametrize("id", JUDGES)
def test_judges_are_declared(id):
    cls = user_classes()[id]
    assert (
        cls.__module__.startswith("learners.boosting.refinement.judges.")
        and cls.__doc__
        and cls.title
        and cls.summary.endswith(".")
    )
    assert cls.paper == "V" and all(p.help.endswith(".") for p in cls.parameters())


# ---- the template --------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", IDS)
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


@pytest.mark.parametrize("id", IDS)
def test_one_learner_for_each_replicate_has_its_own_values(id):
    numbers = [p for p in CLASSES[id].parameters() if p.kind in ("real", "integer")]
    for parameter in numbers:
        low = parameter.default
        high = parameter.check(min(low + 1, parameter.high))
        learner = create(id, **{parameter.name: np.array([low, high])})
        for r, value in enumerate((low, high)):
            own = getattr(learner.one(r), parameter.name)
            assert own == value and type(own) is (int if parameter.kind == "integer" else float)
        assert isinstance(getattr(learner, parameter.name), np.ndarray), "the learner that was asked keeps its own"


# ---- what it is given ----------------------------------------------------------------------------------


@pytest.mark.parametrize("id", [id for id in IDS if CLASSES[id].family == "semi-supervised"])
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


@pytest.mark.parametrize("id", [id for id in IDS if CLASSES[id].family == "learning-to-rank"])
def test_queries_of_validation_and_test_are_not_given(id):
    data = load("web-search", queries=20, documents=6, features=3, lengths="varied")
    if id != "lambdarank":  # which takes whole numbers only; for the others each grade occurs once
        data = dataclasses.replace(data, grades=data.grades + np.arange(len(data.features)) / 1e6)
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
        secrets |= {"grades": data.grades[0][hidden]} if id != "lambdarank" else {}
        assert leaks([problem, vars(env.learners[r])], secrets) == set()


@pytest.mark.parametrize("id", [id for id in IDS if CLASSES[id].family == "refinement"])
def test_grades_of_documents_that_nobody_judged_are_not_given(id):
    data = load("web-search", queries=10, documents=30, features=3)
    marked = dataclasses.replace(data, grades=data.grades + np.arange(len(data.features)) / 1e6)
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


# ---- seeds and replicates ------------------------------------------------------------------------------


@pytest.mark.parametrize("id", IDS)
def test_the_seed_makes_the_numbers_however_the_run_is_sliced(id):
    whole = run(id, seed=3)
    same(whole, run(id, seed=3, sizes=[1, 1, 0, 3, 1]))
    sim = run(id, seed=3, steps=2)
    sim.reset()
    assert sim.t == 0 and len(sim.history) == 0 and sim.last is None
    sim.advance(STEPS)
    same(whole, sim)
    other = run(id, seed=4, steps=0)
    with pytest.raises(AssertionError):
        same_problems(whole.environment.problems, other.environment.problems)


@pytest.mark.parametrize("id", IDS)
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


# ---- numbers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", IDS)
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


@pytest.mark.parametrize("id", [id for id in IDS if CLASSES[id]().bounds])
def test_bounds_hold_in_every_round(id):
    sim = run(id, steps=25, replicates=3)
    bound = sim.history["bound"]
    measured = sim.history["surrogate" if "surrogate" in BOUNDS[CLASSES[id]().bounds[0]].bounded else "objective"]
    told = ~np.isnan(bound)
    assert told.any() and (measured[told] <= bound[told] * (1 + 1e-9)).all()


@pytest.mark.parametrize("id", IDS)
def test_the_inspector_gets_the_latest_round(id):
    sim = run(id, replicates=3)
    last = sim.last
    assert last.t == STEPS and len(last.rounds) == 3
    if CLASSES[id].boosts:
        np.testing.assert_array_equal([done.step for done in last.rounds], sim.history["step-size"][-1])
        np.testing.assert_array_equal([done.error for done in last.rounds], sim.history["weak-error"][-1])


# ---- stopping ------------------------------------------------------------------------------------------


def dull(family):
    """Data on which nothing can be learnt: no feature tells one example or document from another."""
    data = load(SMALL[family][0], **SMALL[family][1])
    return dataclasses.replace(data, features=np.ones_like(data.features), **({} if family == "semi-supervised" else
                               {"weights": np.zeros_like(data.weights)}))  # fmt: skip


def one_grade(family):
    """All documents are graded alike; of classes there are two, but all examples save two are of one."""
    data = load(SMALL[family][0], **SMALL[family][1])
    if family == "semi-supervised":
        return dataclasses.replace(data, labels=(np.arange(data.examples) < 2).astype(int))
    return dataclasses.replace(data, grades=np.ones_like(data.grades))


def easy(family):
    """The first feature says all."""
    data = load(SMALL[family][0], **SMALL[family][1])
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


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("make", [dull, one_grade, easy])
def test_a_learner_that_stops_says_why_and_its_curves_stay_flat(id, make):
    data = make(CLASSES[id].family)
    if CLASSES[id].family == "refinement" and make is one_grade:
        with pytest.raises(ValueError, match="nothing to refine"):
            run(id, data=data)
        return
    check_the_end(run(id, steps=0, data=data))


@pytest.mark.parametrize("id", ["adaboost", "mcssb", "adarank", "ndcg-boost", "ranking-refinement"])
def test_where_nothing_can_be_told_apart_boosting_ends(id):
    assert check_the_end(run(id, steps=0, data=dull(CLASSES[id].family)))[-1].all()


# ---- what is refused -----------------------------------------------------------------------------------


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


@pytest.mark.parametrize("family", PACKAGES)
def test_sparse_features_are_refused_in_words(family):
    from scipy.sparse import csr_array

    data = DATA[family]
    thin = dataclasses.replace(data, features=csr_array(data.features))
    assert isinstance(thin, (ClassificationData, RankingData))
    for id in (id for id in IDS if CLASSES[id].family == family):
        with pytest.raises(ValueError, match=r"dense|in full"):
            Simulation(id, thin)
