"""A fork has the same past and one difference; without one it is a twin."""

import numpy as np
import pytest

from datasets import load
from learners import Simulation, create, create_user
from learners.catalogue import learner_classes
from learners.interleaving.comparison import Comparison
from learners.ranking.base import RankingLearner
from learners.run import past
from tests.cases import cases
from tests.learners.run.problems import SMALL, every, same, same_histories, simulation

# (id, kind, steps) of every learner, in simulations, comparisons and games against the adversary
ALL = [pytest.param(id, kind, 70, id=f"{id} {kind}".strip()) for id, kind in every()] + [
    pytest.param(id, kind, 5, id=id) for id, kind in every(online=False)
]

PLAIN = [param for param in ALL if not param.values[1]]


@pytest.fixture(autouse=True)
def often(monkeypatch):
    monkeypatch.setattr(past, "SHARE", float("inf"))


@cases(("id", "kind", "steps"), ALL)
def test_a_fork_without_a_change_is_a_twin(id, kind, steps):
    sim = simulation(id, seed=7, kind=kind)
    sim._past.interval = 1 if steps < 10 else 16
    sim.advance(steps=steps)
    for at in (1, steps // 2, steps + 1):
        twin = sim.fork(at=at)
        assert type(twin) is type(sim) and twin.t == at - 1 == twin.history.steps
        assert twin.learner is twin.environment.learner is not sim.learner
        twin.advance(steps=steps - at + 1)
        same_histories(twin.history, sim.history)
        same(twin.last, sim.last)
        same(twin.at(steps // 3), sim.at(steps // 3))
    sim.advance(steps=3)
    twin.advance(steps=3)
    same_histories(twin.history, sim.history)
    twin.reset()
    assert twin.t == 0
    twin.advance(steps=steps + 3)
    same_histories(twin.history, sim.history)


@pytest.mark.parametrize("recorded", [1, 10, 64])
@pytest.mark.parametrize("id", ["perturbed-perceptron", "multilabel-ucb"])
def test_the_thinned_history_of_a_fork_is_that_of_a_run_that_stopped_there(id, recorded):
    rng = np.random.default_rng(recorded)
    sim = simulation(id, seed=3, recorded=recorded)
    sim.advance(steps=400)
    for at in (1, 2, recorded + 1, recorded + 2, *rng.integers(1, 402, size=3)):
        twin, short = sim.fork(at=int(at)), simulation(id, seed=3, recorded=recorded)
        short.advance(steps=int(at) - 1)
        same_histories(twin.history, short.history)
        for run in (twin, short):
            run.advance(steps=100)
        same_histories(twin.history, short.history)
        for name in twin.history:
            assert np.array_equal(twin.history.final(name), short.history.final(name), equal_nan=True)


def test_histories_with_missing_values_are_cut_as_well():
    """alpha is NaN in steps without a gap; the number of values behind a row counts."""
    sim = simulation("perturbed-perceptron", seed=3, recorded=8)
    sim.advance(steps=500)
    assert np.isnan(sim.history["alpha"]).any() and "alpha" in sim.history._numbers
    twin, short = sim.fork(at=400), simulation("perturbed-perceptron", seed=3, recorded=8)
    for run in (twin, short):
        run.advance(steps=700 - run.t)
    same_histories(twin.history, short.history)


# ---- one click, one answer ----------------------------------------------------------------------------------


def test_a_removed_click_makes_a_difference_from_that_step_on_and_only_there():
    sim = simulation("preference-perceptron", seed=2, replicates=3)
    sim.advance(steps=300)
    at = next(t for t in range(120, 300) if sim.at(t).response.clicks[1, 1:].any())
    clicks = sim.at(at).response.clicks.copy()
    clicks[1] = False
    fork = sim.fork(at=at, change={"clicks": clicks})
    assert fork.t == at - 1
    same_histories(fork.history, sim.history.until(at - 1))
    fork.advance(steps=300 - fork.t)
    for t in (1, at - 1):
        same(fork.at(t), sim.at(t))
    mine, theirs = fork.at(at), sim.at(at)
    same(mine.shown, theirs.shown)
    assert not mine.response.clicks[1].any() and np.array_equal(mine.before, theirs.before)
    assert (mine.after != theirs.after).any(axis=1).tolist() == [False, True, False]
    assert np.array_equal(mine.after[1], mine.before[1])  # nothing was clicked, so nothing was learned
    for name, values in fork.history.items():  # the other replicates never notice
        assert np.array_equal(values[:, [0, 2]], sim.history[name][:, [0, 2]], equal_nan=True), name
        assert np.array_equal(values[: at - 1], sim.history[name][: at - 1], equal_nan=True), name
    assert (fork.history["weight-norm"][at - 1 :, 1] != sim.history["weight-norm"][at - 1 :, 1]).any()
    for t in range(at, 301, 20):  # the same queries, and the user errs on the same documents
        assert np.array_equal(fork.at(t).query, sim.at(t).query)


@cases("id", [id for id, kind in every() if not kind and issubclass(learner_classes()[id], RankingLearner)])
def test_the_answer_that_was_given_anyway_changes_nothing(id):
    for user, kind in (("scan", "clicks"), ("strict-alpha", "answer")):
        if kind == "answer" and learner_classes()[id].fixed_list:
            continue  # it learns from clicks alone
        sim = simulation(id, seed=5, user=user)
        sim.advance(steps=100)
        step = sim.at(60)
        given = step.response.clicks if kind == "clicks" else step.response.ranking
        fork = sim.fork(at=60, change={kind: given})
        fork.advance(steps=41)
        same_histories(fork.history, sim.history)
        same(fork.last, sim.last)


def test_another_answer_is_learned_from():
    sim = simulation("preference-perceptron", seed=5, user="strict-alpha", replicates=2)
    sim.advance(steps=50)
    shown = sim.at(20).shown.ranking
    fork = sim.fork(at=20, change={"answer": shown[:, ::-1]})
    fork.advance(steps=1)
    assert np.array_equal(fork.last.feedback_ranking, shown[:, ::-1])
    assert np.array_equal(fork.last.response.ranking, shown[:, ::-1])
    assert (fork.last.after != sim.at(20).after).any()


def test_the_next_step_can_be_answered_before_it_is_taken():
    sim = simulation("preference-perceptron", seed=5, user="cascade")
    sim.advance(steps=50)
    fork = sim.fork(at=51, change={"clicks": np.zeros(sim.last.shown.ranking.shape[1], dtype=bool)})
    fork.advance(steps=1)
    assert not fork.last.response.clicks.any() and np.array_equal(fork.last.before, fork.last.after)
    fork.reset()
    fork.advance(steps=51)
    assert not fork.last.response.clicks.any() and sim.t == 50


def test_documents_that_are_used_up_are_those_of_the_answer():
    sim = Simulation("preference-perceptron", load("movies", movies=60), "item-best", replicates=2, seed=1)
    sim.advance(steps=40)
    step = sim.at(20)
    answer = step.shown.ranking.copy()
    answer[:, [0, 1]] = answer[:, [1, 0]]
    fork = sim.fork(at=20, change={"answer": answer})
    fork.advance(steps=21)
    same(fork.at(19), sim.at(19))
    assert np.array_equal(fork.at(20).feedback_ranking[:, 0], answer[:, 0])


def test_a_comparison_is_forked_in_the_search_that_teaches():
    sim = simulation("preference-perceptron", seed=5, kind="comparison")
    sim.advance(steps=80)
    at = next(t for t in range(40, 80) if sim.at(t).learning.response.clicks[:, 1:].any())
    fork = sim.fork(at=at, change={"clicks": np.zeros_like(sim.at(at).learning.response.clicks)})
    assert isinstance(fork, Comparison) and fork.fixed.shape == sim.fixed.shape
    fork.advance(steps=81 - at)
    same(fork.at(at - 1), sim.at(at - 1))
    assert not fork.at(at).learning.response.clicks.any()
    assert np.array_equal(fork.last.query, sim.last.query) and fork.t == sim.t == 80
    assert (fork.at(at).learning.after != sim.at(at).learning.after).any()


# ---- parameters -------------------------------------------------------------------------------------------


def other_value(parameter, value):
    """Another value that is allowed."""
    if parameter.kind == "flag":
        return not value
    if parameter.kind == "choice":
        return next(c for c in parameter.choices if c != value)
    if parameter.kind == "vector":
        return tuple(min(parameter.high, x + 0.25) for x in value)
    low, high = max(parameter.low, -10), min(parameter.high, 1e6)
    if parameter.kind == "integer":
        return int(value) + 1 if value + 1 <= high else int(value) - 1
    return next(x for x in (value / 2 + 0.01, value / 4 + 0.3, (low + high) / 2) if low < x < high and x != value)


def changeable(learner):
    return [p for p in learner.parameters() if not p.shapes_state and p.name not in learner.at_start]


@cases(("id", "kind", "steps"), PLAIN)
def test_a_parameter_changed_in_the_first_step_makes_the_run_that_had_it_from_the_start(id, kind, steps):
    sim = simulation(id, seed=9)
    sim.advance(steps=steps)
    for parameter in changeable(sim.learner):
        value = other_value(parameter, getattr(sim.learner, parameter.name))
        fork = sim.fork(at=1, change={"learner": {parameter.name: value}})
        plain = Simulation(
            create(id, **(SMALL.get(id, {}) | {parameter.name: value})), sim.dataset, sim.user, replicates=2, seed=9
        )
        for run in (fork, plain):
            run.advance(steps=steps)
        try:
            same_histories(fork.history, plain.history)
        except AssertionError as error:
            raise AssertionError(f"{parameter.name} = {value}: {error}") from None


@cases(("id", "kind", "steps"), PLAIN)
def test_a_parameter_can_change_in_a_run(id, kind, steps):
    sim = simulation(id, seed=9)
    sim._past.interval = 1 if steps < 10 else 16
    sim.advance(steps=steps)
    before = dict(sim.learner.params)
    for parameter in changeable(sim.learner):
        value = other_value(parameter, getattr(sim.learner, parameter.name))
        at = steps // 2
        fork = sim.fork(at=at, change={"learner": {parameter.name: value}})
        assert getattr(fork.learner, parameter.name) == value
        fork.advance(steps=steps - at + 1)
        assert sim.learner.params == before
        same_histories(fork.history.until(at - 1), sim.history.until(at - 1))
        same(fork.at(steps), fork.last)
        same(fork.at(at - 1), sim.at(at - 1))
        late, again = fork.at(steps - 1), fork.fork(at=steps)  # the change is part of its past
        again.advance(steps=1)
        same(again.last, fork.last)
        same(again.at(steps - 1), late)
        last = fork.last
        fork.reset()
        assert fork.learner.params == before
        fork.advance(steps=steps)
        same(fork.last, last)


@pytest.mark.parametrize(("user", "name", "value"), [
    ("cascade", "noise", 0.0), ("scan", "noise", 0.4), ("noisy-grades", "sigma", 3.0), ("strict-alpha", "alpha", 0.9),
])  # fmt: skip
def test_a_user_can_change(user, name, value):
    sim = simulation("averaged-perceptron", seed=9, user=user)
    sim.advance(steps=120)
    first = sim.fork(at=1, change={"user": {name: value}})
    plain = Simulation("averaged-perceptron", sim.dataset, create_user(user, **{name: value}), replicates=2, seed=9)
    for run in (first, plain):
        run.advance(steps=120)
    same_histories(first.history, plain.history)
    fork = sim.fork(at=61, change={"user": {name: value}})
    assert getattr(fork.user, name) == value != getattr(sim.user, name) and fork.user is fork.environment.user
    fork.advance(steps=60)
    same(fork.at(60), sim.at(60))
    answers = [[getattr(run.at(t).response, sim.user.gives) for t in range(61, 71)] for run in (fork, sim)]
    alike = [np.array_equal(a, b) for a, b in zip(*answers, strict=True)]
    assert not all(alike) or len(sim.last.shown.ranking[0]) <= 5  # of few documents all are put on top or clicked
    again = fork.fork(at=100)
    assert getattr(again.user, name) == value
    fork.reset()
    assert fork.user is sim.user
    fork.advance(steps=120)
    assert getattr(fork.environment.user, name) == value
    again.advance(steps=21)
    same_histories(fork.history, again.history)


def test_replicates_can_change_apart():
    sim = Simulation("banditron", "digits", replicates=3, seed=1)
    sim.advance(steps=200)
    fork = sim.fork(at=101, change={"learner": {"gamma": np.array([0.05, 0.3, 0.9])}})
    assert sim.learner.gamma == 0.05
    fork.advance(steps=100)
    rate, before = fork.history["error-rate"], sim.history["error-rate"]
    assert np.array_equal(rate[:, 0], before[:, 0]) and (rate[-1, 1:] != before[-1, 1:]).all()


def test_a_fork_before_a_change_makes_it_again():
    sim = simulation("banditron", seed=1)
    sim.advance(steps=200)
    fork = sim.fork(at=101, change={"learner": {"gamma": 0.5}})
    fork.advance(steps=100)
    twin = fork.fork(at=51)
    assert twin.learner.gamma == sim.learner.gamma
    twin.advance(steps=150)
    assert twin.learner.gamma == 0.5
    same_histories(twin.history, fork.history)
    both = fork.fork(at=151, change={"learner": {"gamma": 0.9}})
    both.advance(steps=50)
    assert both.history["gamma"][[99, 100, 149, 150], 0].tolist() == [sim.learner.gamma, 0.5, 0.5, 0.9]


# ---- what is refused --------------------------------------------------------------------------------------


@cases("at", [0, -3, 102, "x", None, 2.5, True])
def test_a_step_that_is_not_there_is_refused(at):
    sim = simulation("perceptron")
    sim.advance(steps=100)
    wanted = r"^at must be a step that has been taken or the next one, a whole number from 1 to 101, got "
    with pytest.raises(ValueError, match=wanted):
        sim.fork(at=at)


SHAPE = r"of shape \(2, \d+\) or \(\d+,\), got "
REFUSED = [
    ("cascade", {}, "change must be None or a mapping with one of .*, answers, got nothing"),
    ("cascade", {"gama": 1}, "change must be None or a mapping with one of .*, answers, got gama"),
    ("cascade", {"learner": {}, "user": {}}, "a mapping with one of .*, answers, got learner, user"),
    ("cascade", 3, "change must be None or a mapping with one of .*, answers, got 3"),
    ("cascade", {"learner": 3}, "a change of perturbed-perceptron must give parameters by name, out of .* got 3"),
    ("cascade", {"learner": {"gamma": 0.1}}, "perturbed-perceptron has no parameter 'gamma'; its parameters are: "),
    ("cascade", {"learner": {"swap_probability": 1.5}}, r"swap_probability must be in \[0, 1\], got 1.5"),
    ("cascade", {"learner": {"swap_probability": [0.1, 0.2, 0.3]}}, "swap_probability must be one number or 2 of them"),
    ("cascade", {"user": {"noise": -1}}, r"noise must be in \[0, .*\], got -1"),
    ("cascade", {"user": {"sigma": 1}}, "cascade has no parameter 'sigma'; its parameters are: noise"),
    ("cascade", {"clicks": [1, 0]}, f"clicks must be Booleans, one for each position, {SHAPE}"),
    ("cascade", {"clicks": [True]}, f"clicks must be Booleans, one for each position, {SHAPE}"),
    ("cascade", {"clicks": [[True], []]}, f"clicks must be Booleans, one for each position, {SHAPE}"),
    ("cascade", {"answer": [0, 1]}, "an answer can only change where the user answers with a ranking; cascade clicks"),
    ("expert", {"clicks": [True]}, "clicks can only change where the user clicks; expert answers with a ranking"),
    ("expert", {"answer": [0, 1]}, f"answer must be document numbers, {SHAPE}"),
]  # fmt: skip


@cases(("user", "change", "sentence"), REFUSED)
def test_a_change_that_cannot_be_is_refused(user, change, sentence):
    sim = simulation("perturbed-perceptron", user=user)
    sim.advance(steps=10)
    with pytest.raises(ValueError, match=sentence):
        sim.fork(at=5, change=change)
    assert sim.t == 10


def test_an_answer_must_be_a_ranking_of_what_was_shown():
    sim = simulation("preference-perceptron", user="expert")
    sim.advance(steps=10)
    shown = sim.at(5).shown.ranking
    for wrong in (np.zeros_like(shown), shown + 1, np.where(shown == 1, 0, shown)):
        with pytest.raises(ValueError, match=r"^answer must hold every document of the ranking shown once, those not"):
            sim.fork(at=5, change={"answer": wrong})


def test_no_click_behind_the_last_document():
    lengths = np.array([2, 5])
    from datasets.ranking import RankingData

    rng = np.random.default_rng(0)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    data = RankingData("uneven", {}, rng.normal(size=(7, 3)), starts, rng.integers(0, 2, (1, 7)).astype(float))
    sim = Simulation("preference-perceptron", data, "cascade", replicates=8)
    sim.advance(steps=4)
    assert sim.at(2).shown.ranking.shape == (8, 5) and sim.at(2).lengths.min() == 2
    with pytest.raises(
        ValueError, match=r"^clicks must be false at the positions behind the last document of a query$"
    ):
        sim.fork(at=2, change={"clicks": np.ones(5, dtype=bool)})
    assert sim.fork(at=2, change={"clicks": np.arange(5) < 2}).t == 1


@cases(("id", "kind", "change"), [
    ("perceptron", "", "clicks"), ("multilabel-ucb", "", "answer"), ("adaboost", "", "user"), ("rocchio", "", "user"),
    ("preference-perceptron", "adversary", "clicks"), ("preference-perceptron", "adversary", "user"),
])  # fmt: skip
def test_where_no_user_answers_none_can_change(id, kind, change):
    sim = simulation(id, kind=kind)
    sim.advance(steps=3)
    with pytest.raises(ValueError, match=f"^{change} cannot change, since no simulated user answers {id} in a run$"):
        sim.fork(at=2, change={change: {}})


@pytest.mark.parametrize(("id", "name", "value"), [("halving", "levels", 3), ("banditron-labels", "labels", 3)])
def test_what_shapes_the_state_cannot_change(id, name, value):
    sim = simulation(id)
    sim.advance(steps=3)
    with pytest.raises(
        ValueError, match=f"^{name} of {id} determines the state at the start, so it cannot change in a"
    ):
        sim.fork(at=2, change={"learner": {name: value}})


def test_the_record_of_the_latest_step_is_there_wherever_one_forks():
    """States are kept at multiples of an interval, and hold no such record."""
    run = Simulation("perturbed-perceptron", "toy-ranking", "cascade", replicates=2, seed=0)
    run.advance(steps=9000)
    kept = [t for t in run._past.states if t]
    assert kept, "the run is long enough for a state"
    for t in (1, 2, *kept[:2], kept[0] + 1, 9000):
        twin = run.fork(at=t + 1)
        assert twin.t == t and twin.last is not None and twin.last.t == t
        np.testing.assert_array_equal(twin.history["average-regret"], run.history.until(t)["average-regret"])
