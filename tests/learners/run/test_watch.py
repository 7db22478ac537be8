"""Watching a replicate tells of every step what `at` says of it, for every learner, and touches nothing."""

import threading
from dataclasses import replace

import numpy as np
import pytest

from datasets import load
from datasets.ranking import RankingData
from learners import Simulation, create, create_user
from learners.adversary import Adversary
from learners.interleaving.comparison import Comparison
from learners.moved import MOST_MOVED
from learners.ranking.base import RankingLearner
from learners.ranking.users.base import Response, User
from learners.run.watch import Watch
from tests.cases import cases
from tests.learners.run.problems import every, same, same_histories, simulation

STEPS = 70


def padded(values, width):
    """The values with −1 behind them."""
    return np.concatenate([values, np.full(width - len(values), -1.0)])


def flags(positions, width):
    """0 or 1 at each place, and 0 behind them."""
    return np.concatenate([np.asarray(positions, dtype=float), np.zeros(width - len(positions))])


def moved(step, r):
    """The weights that a step moved most, the largest move first, by the weights before and after it."""
    weighs = step.before is not None and step.after is not None
    return most(*(step.before[r], step.after[r]) if weighs else np.zeros((2, 0)))


def most(was, now):
    found = {"moved": np.full(MOST_MOVED, -1), "was": np.zeros(MOST_MOVED), "now": np.zeros(MOST_MOVED)}
    at = np.argsort(-abs(now - was), kind="stable")[:MOST_MOVED]
    at = at[now[at] != was[at]]
    for name, values in (("moved", at), ("was", was[at]), ("now", now[at])):
        found[name][: len(at)] = values
    return found


def kept(sim, replicate):
    """The numbers that a learner without weights tells, before each step and after the last."""
    if not getattr(sim.learner, "cells", ()):
        return None
    twin, (first, count, _) = sim.fork(at=1), sim.learner.told
    found = [twin.learner.tally[replicate, first : first + count].copy()]
    for _ in range(sim.t):
        twin.advance(steps=1)
        found.append(twin.learner.tally[replicate, first : first + count].copy())
    assert (found[0] != found[-1]).any()
    return found


def search(step, r, user, shown, predicted, improved, swapped, width, used=False):
    """The columns of a search, by its record."""
    n = int(step.lengths[r])
    known = step.grades.shape[1] if used else n
    clicked = mistaken = np.zeros(n)
    if step.response.clicks is not None:
        grades = np.take_along_axis(step.grades, shown, axis=1)
        clicked, mistaken = step.response.clicks[r, :n], user.mistaken(grades, step.response)[r, :n]
    return {
        "query": step.query[r], "rows": padded(step.documents[r, :known], width), "count": n,
        "shown": padded(shown[r, :n], width), "predicted": padded(predicted[r, :n], width),
        "improved": padded(improved[r, :n], width), "clicked": flags(clicked, width),
        "mistaken": flags(mistaken, width), "grades": padded(step.grades[r, :known], width),
        "swapped": flags(np.zeros(n) if swapped is None else swapped[r, :n], width),
    }  # fmt: skip


def ranked(step, r, sim):
    pairs = step.shown.pairs
    swapped = None if pairs is None else pairs.swapped
    return moved(step, r) | search(
        step, r, sim.user, step.shown.ranking, step.shown.predicted, step.feedback_ranking, swapped,
        sim.dataset.longest, sim.dataset.consumable,
    )  # fmt: skip


def compared(step, r, sim):
    mixed, width, n = step.mixed, sim.dataset.longest, int(step.lengths[r])
    found = search(step, r, sim.user, mixed.ranking, mixed.first, mixed.ranking, None, width) | moved(step.learning, r)
    team = padded(mixed.teams[r, :n].astype(float), width)
    fixed = padded(mixed.second[r, :n], width)
    before = ranked(step.learning, r, sim)
    taught = {f"taught_{name}": before[name] for name in ("query", "rows", "shown", "improved", "swapped")}
    return found | {"team": team, "fixed": fixed, "outcome": step.outcome[r]} | taught


def classified(step, r, sim):
    shown = step.shown
    return {
        "row": step.row[r], "label": step.truth[r], "played": shown.label[r], "predicted": shown.predicted[r],
        "explored": shown.explored[r], "heard": step.heard.right[r].any(),
        "told": -1 if step.heard.label is None else step.heard.label[r],
        "chance": np.broadcast_to(shown.gamma, sim.replicates)[r],
    }  # fmt: skip


def labelled(step, r, sim):
    K = sim.dataset.classes
    labels = step.shown.order[r, : step.shown.size[r]]
    return {
        "row": step.row[r], "shown": padded(labels, K), "right": flags(step.right[r, labels], K),
        "true": padded(np.flatnonzero(step.truth[r]), K),
    }  # fmt: skip


SCORES = ("was", "now", "width")  # see `test_scores_are_those_before_and_after_the_step`
EXPECTED = {"ranking": ranked, "classification": classified, "multilabel": labelled}


def check(sim, replicate, watch=None, first=1, expected=None):
    """Compare what is watched, in parts of odd lengths, with the records of the steps."""
    expected = expected or EXPECTED[sim.learner.family]
    watch = watch or Watch(sim, replicate)
    parts = []
    for size in (1, 6, 33, 1000, 5):
        if found := watch.advance(size):
            parts.append(found)
            assert list(found) == list(watch.columns)
    columns = {name: np.concatenate([part[name] for part in parts]) for name in watch.columns}
    numbers = kept(sim, replicate)
    for t in range(first, sim.t + 1):
        wanted = expected(sim.at(t), replicate, sim) | (most(*numbers[t - 1 : t + 1]) if numbers else {})
        assert {*wanted} == {*columns} - ({*SCORES} if "moved" not in columns else set())
        for name, value in wanted.items():
            assert np.array_equal(columns[name][t - first], value), f"{name} of step {t}"
    assert all(len(values) == sim.t - first + 1 for values in columns.values())
    return columns


@pytest.mark.long
@pytest.mark.parametrize(("id", "kind"), [run for run in every() if run[1] != "adversary"])
def test_every_learner_is_told_as_its_records_say(id, kind):
    sim = simulation(id, seed=3, kind=kind, replicates=3)
    sim.advance(steps=STEPS)
    for replicate in (0, 2):
        check(sim, replicate, expected=compared if kind else None)


@cases("id", ["banditron", "perceptron", "adaptive-banditron", "multilabel-ucb", "random-labels",
                                "online-binary-relevance"])  # fmt: skip
def test_scores_are_those_before_and_after_the_step(id):
    sim = simulation(id, seed=3, replicates=2)
    sim.advance(steps=STEPS)
    columns = Watch(sim, 1).advance(STEPS)
    for t in (1, 2, 7, STEPS):
        before, after = sim.fork(at=t).learner, sim.fork(at=t + 1)
        step = after.last
        if before.weights is None:
            assert not columns["was"].any() and not columns["now"].any()
            continue
        labelled = sim.learner.family == "multilabel"
        x = step.features[1] if labelled else step.examples.dense(1, sim.learner.features)
        np.testing.assert_allclose(columns["was"][t - 1], before.weights[1] @ x, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(columns["now"][t - 1], after.learner.weights[1] @ x, rtol=1e-5, atol=1e-6)
        if labelled and step.shown.width is not None:
            np.testing.assert_allclose(columns["width"][t - 1], step.shown.width[1], rtol=1e-6)


@cases("user", ["scan", "noisy-grades", "strict-alpha", "expert", "item-best"])
@cases("id", ["perturbed-perceptron", "second-order-perceptron"])
def test_every_kind_of_user(id, user):
    sim = Simulation(id, "toy-ranking", user, replicates=2, seed=4)
    sim.advance(steps=STEPS)
    columns = check(sim, 1)
    clicks = create_user(user).gives == "clicks"
    assert bool(columns["clicked"].any()) == clicks
    assert bool(columns["mistaken"].any()) == clicks


def test_queries_of_different_lengths_and_documents_that_are_used_up():
    search = load("web-search", queries=20, documents=6, features=4, lengths="varied")
    sim = Simulation("perturbed-perceptron", search, "scan", replicates=3, seed=1)
    sim.advance(steps=STEPS)
    columns = check(sim, 2)
    assert len(set(columns["count"])) > 1 and (columns["shown"] < 0).any()
    movies = load("movies", users=20, movies=30, ratings=20, features=2)
    assert movies.consumable
    sim = Simulation("perturbed-perceptron", movies, "item-alpha", replicates=3, seed=1)
    sim.advance(steps=STEPS)
    columns = check(sim, 1)
    assert len(set(columns["count"])) > 10  # they become fewer, and all are offered again


class InPython(RankingLearner):
    """A learner whose methods are its own, so that it takes step by step."""

    id, title = "in-python", "In Python"

    def present(self, context):
        return super().present(context)


class Patient(User):
    """A user in Python, who clicks the second document, and says nothing of what it looked at."""

    id, title = "patient", "Patient"

    def respond(self, view, rng):
        clicks = np.zeros(view.shown.shape, dtype=bool)
        clicks[:, 1] = True
        return Response(clicks=clicks)


@pytest.mark.parametrize("kind", ["movies", "web-search", "comparison"])
@pytest.mark.parametrize("own", ["learner", "user"])
def test_learners_and_users_that_take_step_by_step(kind, own):
    learner, user = (InPython(), "cascade") if own == "learner" else (create("perturbed-perceptron"), Patient())
    if kind == "movies":
        data = load("movies", users=20, movies=30, ratings=20, features=2)
        sim = Simulation(learner, data, "item-alpha" if own == "learner" else user, replicates=2, seed=2)
    else:
        data = load("web-search", queries=20, documents=6, features=4, lengths="varied")
        make = Comparison if kind == "comparison" else Simulation
        sim = make(learner, data, user, replicates=2, seed=2)
    sim.advance(steps=30)
    columns = check(sim, 1, expected=compared if kind == "comparison" else None)
    if own == "user":
        assert (columns["clicked"] == [0, 1, *[0] * (columns["clicked"].shape[1] - 2)])[columns["count"] > 1].all()


def test_a_user_with_parameters_of_its_own_for_each_replicate():
    user = create_user("scan", noise=np.array([0.4, 0.0, 0.2]))
    sim = Simulation("perturbed-perceptron", "toy-ranking", user, replicates=3, seed=2)
    sim.advance(steps=STEPS)
    assert check(sim, 0)["mistaken"].any() and not check(sim, 1)["mistaken"].any()


CHANGES = [
    ("perturbed-perceptron", {"learner": {"swap_probability": 0.0}}),
    ("perturbed-perceptron", {"user": {"noise": 0.5}}),
    ("perturbed-perceptron", {"clicks": [True, False, False]}),
    ("banditron", {"learner": {"gamma": 0.9}}),
    ("multilabel-ucb", {"learner": {"a": 0.95}}),
]


@pytest.mark.parametrize(("id", "change"), CHANGES)
def test_a_fork_is_watched_as_it_went_and_the_run_is_not_touched(id, change):
    sim, plain = (simulation(id, seed=5, replicates=2) for _ in range(2))
    sim.advance(steps=40)
    before = check(sim, 0)
    fork = sim.fork(at=21, change=change)
    watch = Watch(sim, 0)
    watch.advance(30)
    fork.advance(steps=30)
    after = check(fork, 0)
    for name in before:  # the past is shared
        assert np.array_equal(before[name][:20], after[name][:20])
    assert any(not np.array_equal(before[name][20:], after[name][20:40]) for name in before)
    assert fork.environment.watching == sim.environment.watching == -1
    sim.advance(steps=STEPS - 40)
    plain.advance(steps=STEPS)
    same_histories(sim.history, plain.history)
    same(sim.last, plain.last)
    check(sim, 0, watch, first=31)


@cases("id", ["perturbed-perceptron", "banditron", "multilabel-ucb"])
def test_it_can_begin_anywhere_and_goes_as_far_as_the_run(id):
    sim = simulation(id, seed=6)
    watch = Watch(sim, 1)
    assert watch.advance(10) == {} and watch.t == 0
    sim.advance(steps=50)
    check(sim, 1, Watch(sim, 1, after=37), first=38)
    assert {len(values) for values in watch.advance(1000).values()} == {50}
    assert watch.advance(1000) == {} and watch.t == 50
    sim.advance(steps=3)
    assert {len(values) for values in watch.advance(1000).values()} == {3}


RANKINGS = RankingData(
    "steep", {}, np.random.default_rng(0).normal(size=(40, 3)) * 1e200, np.arange(0, 41, 5),
    np.random.default_rng(1).integers(0, 3, (1, 40)).astype(float), weights=np.array([[1e-200, -1e-200, 5e-201]]),
)  # fmt: skip


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@cases("id", ["batch-perceptron", "banditron-margin", "multilabel-ucb"])
def test_a_run_whose_weights_overflow_is_watched_up_to_its_end(id):
    if id == "batch-perceptron":
        sim = Simulation(create(id, k=7), RANKINGS, "scan", replicates=3, seed=1)
    else:
        data = load("separable-points" if id == "banditron-margin" else "multilabel-synthetic", examples=100)
        features = data.features.copy()
        features[17] = 1.7e308 * (-1.0) ** np.arange(features.shape[1])
        hidden = {"separator": None} if id == "banditron-margin" else {"model": None}
        sim = Simulation(id, replace(data, features=features, **hidden), replicates=2, seed=1)
    with pytest.raises(ValueError, match="no longer finite"):
        sim.advance(steps=2000)
    assert 0 < sim.t < 2000
    check(sim, 1)


def test_one_thread_watches_while_another_advances():
    sim, other = (simulation("perturbed-perceptron", seed=7) for _ in range(2))
    other.advance(steps=3000)
    whole, parts = Watch(other, 0).advance(3000), []
    thread = threading.Thread(target=lambda: [sim.advance(steps=100) for _ in range(30)])
    thread.start()
    watch = Watch(sim, 0)
    while watch.t < 3000:
        if found := watch.advance(170):
            parts.append(found)
    thread.join()
    assert all(np.array_equal(np.concatenate([part[name] for part in parts]), whole[name]) for name in whole)


def test_a_block_keeps_little():
    """The columns of the largest block stay within 16 MB, however many documents there are."""
    for sim in (
        Simulation("perturbed-perceptron", load("movies", users=60, movies=2000, ratings=40, features=2), "item-alpha"),
        Simulation("preference-perceptron", "web-search"),
        Simulation("multilabel-ucb", load("multilabel-synthetic", labels=60)),
    ):
        watch = Watch(sim, 0)
        sim.advance(steps=min(watch.block, 5000))
        found = watch.advance(watch.block)
        assert len(found[watch.columns[0]]) == sim.t
        assert sum(values.nbytes for values in found.values()) < 16e6


@cases(
    ("arguments", "words"),
    [
        ({"replicate": 2}, "replicate must be from 0 to 1, got 2"),
        ({"replicate": -1}, "replicate must be from 0 to 1, got -1"),
        ({"replicate": True}, "replicate must be from 0 to 1, got True"),
        ({"replicate": 0, "after": 11}, "after must be a step from 0 to 10, got 11"),
        ({"replicate": 0, "after": -1}, "after must be a step from 0 to 10, got -1"),
    ],
)
def test_what_cannot_be_watched_is_refused(arguments, words):
    sim = simulation("perceptron")
    sim.advance(steps=10)
    with pytest.raises(ValueError, match=words):
        Watch(sim, **arguments)


def test_rounds_and_games_cannot_be_watched():
    runs = [simulation("adaboost"), Adversary(create("perturbed-perceptron"), horizon=10)]
    for sim in runs:
        with pytest.raises(ValueError, match=f"^the steps of {sim.learner.id} cannot be watched here$"):
            Watch(sim, 0)
