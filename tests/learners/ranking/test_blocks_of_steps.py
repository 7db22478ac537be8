"""Blocks of compiled steps: the same bits however they are cut, batched, threaded or written, nothing hidden, and
weights that overflow."""

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest

from datasets import load
from datasets.ranking import RankingData
from learners import Simulation, create, create_user
from learners.catalogue import learner_classes
from learners.compiled import compiled
from learners.environment import Diverged
from learners.interleaving import Comparison
from learners.random import Seeds
from learners.ranking.base import RankingLearner
from learners.ranking.environment import RankingEnvironment
from tests.cases import cases
from tests.learners.ranking.test_against_the_slow_reference import REPLICATES, VARIANTS, world

FORMS = ["unequal", "sparse", "used up"]


def run(id, params, form, user="scan", slices=(60,)):
    sim = Simulation(
        create(id, **params) if isinstance(id, str) else id, world(form)[0], user, replicates=REPLICATES, seed=2
    )
    for steps in slices:
        sim.advance(steps)
    return sim


def same_bits(first, second):
    assert first.t == second.t
    np.testing.assert_equal(dict(first.history), dict(second.history))
    np.testing.assert_array_equal(first.learner.weights, second.learner.weights)
    same_records(first.last, second.last)


def same_records(first, second):
    """What the inspector shows of the latest step, but for documents that are not there."""
    there = np.isfinite(first.utility)
    assert first.t == second.t
    for name in ("query", "feedback_ranking", "before", "after", "grades", "utility", "lengths", "documents"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), err_msg=name)
    for name in ("ranking", "predicted"):
        np.testing.assert_array_equal(getattr(first.shown, name), getattr(second.shown, name), err_msg=name)
    if first.shown.scores is not None:
        np.testing.assert_array_equal(first.shown.scores[there], second.shown.scores[there])
    for name in ("clicks", "ranking", "judged"):
        np.testing.assert_array_equal(getattr(first.response, name), getattr(second.response, name), err_msg=name)


# ---- the same numbers ----------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("id, params", VARIANTS, ids=lambda part: part if isinstance(part, str) else str(part))
def test_slices_and_methods_written_in_python_change_nothing(id, params, form):
    """A learner whose methods only call those of its base class takes step by step, and has the bits of the blocks."""

    class Written(learner_classes()[id]):
        id = ""

        def present(self, context):
            return super().present(context)

        def update(self, context, shown, feedback):
            return super().update(context, shown, feedback)

    whole = run(id, params, form)
    same_bits(whole, run(id, params, form, slices=(1, 52, 7)))
    same_bits(whole, run(Written.make(**params), {}, form))


@cases("user", ["cascade", "noisy-grades", "strict-alpha", "expected-alpha", "item-best"])
@cases("form", FORMS)
def test_users_written_in_python_change_nothing(form, user):
    kind = type(create_user(user))

    class Written(kind):
        id = ""

        def respond(self, view, rng):
            return super().respond(view, rng)

    same_bits(run("perturbed-perceptron", {}, form, user), run("perturbed-perceptron", {}, form, Written.make()))


@cases("form", FORMS)
@cases("id", sorted({id for id, _ in VARIANTS}))
def test_replicates_have_the_bits_that_they_have_alone(id, form):
    """Two replicates, and the same two three times over in a batch of six, as in the points of a sweep."""
    data = world(form)[0]
    alone, batch = (
        RankingEnvironment(data, create_user("expected-alpha"), create(id), 2 * points, Seeds(7, 2 * points, points))
        for points in (1, 3)
    )
    for steps in (1, 30, 19):
        few, many = alone.run(steps), batch.run(steps)
        for metric, values in few.items():
            np.testing.assert_array_equal(np.concatenate([values] * 3, axis=1), many[metric], err_msg=metric.id)


def test_two_threads_have_the_numbers_of_one_after_the_other():
    setups = [(id, params, form) for form in FORMS for id, params in VARIANTS[::3]]
    one_by_one = [run(*setup, slices=(1, 30, 29)) for setup in setups]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(2) as threads:
            at_once = list(threads.map(lambda setup: run(*setup, slices=(1, 30, 29)), setups))
    finally:
        sys.setswitchinterval(interval)
    for first, second in zip(one_by_one, at_once, strict=True):
        same_bits(first, second)


def test_a_record_that_was_asked_for_stays_as_it_was():
    sim = run("perturbed-perceptron", {}, "unequal")
    kept, early = [], []
    for _ in range(4):
        sim.advance(3)
        early.append(sim.last)
        kept.append([np.array(part) for part in (sim.last.before, sim.last.shown.ranking, sim.last.utility)])
    for step, parts in zip(early, kept, strict=True):
        for now, then in zip((step.before, step.shown.ranking, step.utility), parts, strict=True):
            np.testing.assert_array_equal(now, then)


# ---- nothing hidden ------------------------------------------------------------------------------------

MOST = 27  # documents of the longest query


@compiled
def remember(page, w, delta, change, heard):
    """Keep what is on the page beside the rankings and scores."""
    n = page.shown.shape[0]
    for i in range(n):
        page.memory[i] = page.key[i]
        page.memory[MOST + i] = page.place[i]
        page.memory[2 * MOST + i] = page.tried[i]
        page.memory[3 * MOST + i] = page.improved[i]
    for j in range(page.u.shape[1]):
        page.memory[4 * MOST + j] = page.u[0, j]


class SpyRule(RankingLearner):
    """Writes down what its rule is given, before any computation of its own."""

    id = ""
    linear = False
    remembers = 5 * MOST
    rule_to_learn = staticmethod(remember)


class Seen(SpyRule):
    """Writes down what it is given for the record."""

    def seen(self, work, draws):
        self.arrays = work
        return super().seen(work, draws)


@cache
def telling():
    """Data whose grades and utilities are like no other numbers."""
    rng, lengths = np.random.default_rng(0), [2, 14, 5, 9, 3, MOST, 12]
    grades = rng.integers(0, 4, (1, sum(lengths))) + rng.random((1, sum(lengths)))
    x = rng.normal(size=(sum(lengths), 5))
    return RankingData("telling", {}, x, np.cumsum([0, *lengths]), grades)


@cases("user", ["depth", "noisy-grades", "strict-alpha", "expected-alpha", "item-best", "expert"])
def test_a_rule_meets_nothing_that_only_the_user_knows(user):
    data = telling()
    secrets = np.concatenate([data.grades.ravel(), data.utility.ravel()])
    sim = Simulation(Seen(), data, user, replicates=3, seed=0)
    for _ in range(12):
        sim.advance(1)
        key, place, tried, improved = (sim.learner.tally[:, k * MOST : (k + 1) * MOST] for k in range(4))
        assert not key.any() and not place.any() and not tried.any() and not sim.learner.tally[:, 4 * MOST :].any()
        answer = sim.last.feedback_ranking
        np.testing.assert_array_equal(improved[:, : answer.shape[1]], answer)
        assert sim.learner.arrays is not None
        assert sim.learner.arrays.hidden is None  # what the user judged
        page, _, *others = sim.learner.arrays
        for array in (*page, *others):
            assert not np.isin(array, secrets).any()


# ---- weights that overflow -----------------------------------------------------------------------------


SENTENCE = "the weights of {} are no longer finite numbers at step {}; choose data with smaller features"
# an update adds numbers that are too large; the batch perceptron learns first at step 7
STEEP = [("batch-perceptron", {"k": 7}, 7), ("perturbed-perceptron", {"dynamic": True, "delta": 0.1}, None)]


@cache
def steep(form="queries"):
    """Features of the order of 1e200, whose squares are no finite numbers."""
    rng = np.random.default_rng(0)
    x, grades = rng.normal(size=(40, 3)) * 1e200, rng.integers(0, 3, (1, 40)).astype(float)
    extra = {"slots": 1, "consumable": True} if form == "used up" else {}
    starts = np.array([0, 40]) if form == "used up" else np.arange(0, 41, 5)
    return RankingData("steep", {}, x, starts, grades, weights=np.array([[1e-200, -1e-200, 5e-201]]), **extra)


def written(id, **params):
    """The learner with a method of its own, which makes it go step by step."""

    class Written(learner_classes()[id]):
        def update(self, context, shown, feedback):
            return super().update(context, shown, feedback)

    return Written.make(**params)


def ends(sim, *slices):
    """The step at which the weights cease to be finite numbers; every further step says so too, and nothing moves."""
    said = []
    for steps in (*slices, 40, 1, 5):
        try:
            sim.advance(steps)
        except Diverged as error:
            said.append(str(error))
    assert len(said) >= 3 and set(said) == {SENTENCE.format(sim.learner.id, sim.t + 1)}
    last = sim.last
    learned = getattr(last, "learning", last)
    assert sim.t == sim.history.steps == (0 if last is None else last.t)
    assert last is None or (np.isfinite(learned.after).all() and learned.t == sim.t)
    assert np.isfinite(sim.history["weight-norm"]).all() if sim.t else last is None
    return sim.t + 1


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@cases("replicates", [1, 3])
@cases("form", ["queries", "used up"])
@cases("id, params, step", STEEP)
def test_weights_that_overflow_end_the_run_in_one_sentence(id, params, step, form, replicates):
    """At the last good step, however it was reached."""
    runs = []
    for kind in (create, written):
        for slices in ((), (2, 1), (1, 1, 1, 1, 1, 1), (6, 3)):
            sim = Simulation(kind(id, **params), steep(form), "scan", replicates=replicates, seed=1)
            found = ends(sim, *slices)
            assert step in (None, found)
            runs.append(sim)
    for sim in runs[1:]:
        assert sim.t == runs[0].t
        np.testing.assert_equal(dict(sim.history), dict(runs[0].history))
        assert (sim.last is None) == (sim.t == 0)
        if sim.t:
            same_records(sim.last, runs[0].last)
    for sim in runs[:4]:  # blocks also put the learner back
        assert np.isfinite(sim.learner.weights).all()
        assert sim.last is None or np.array_equal(sim.learner.weights, sim.last.after)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_at_the_first_step_there_is_no_record():
    for make in (create, written):
        assert ends(Simulation(make("preference-perceptron"), steep(), "scan", replicates=3)) == 1


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@cases("slices", [(), (6, 3), (3, 2), (1, 1, 1, 1, 1, 1)])
def test_a_comparison_ends_at_the_last_good_step(slices):
    fixed = np.array([1.0, -1.0, 0.5])
    for make in (create, written):
        sim = Comparison(make("batch-perceptron", k=7), steep(), "scan", fixed, replicates=2)
        assert ends(sim, *slices) == 7
        h = sim.history
        np.testing.assert_array_equal(h["wins"][-1] + h["losses"][-1] + h["ties"][-1], 6)


def test_weights_in_the_record_of_a_short_query_are_whole():
    """Also where there are as many features as documents of the longest query."""
    longest = load("web-search", queries=20, documents=12, features=6, lengths="varied").longest
    data = load("web-search", queries=20, documents=12, features=longest, lengths="varied")
    sim = Simulation("preference-perceptron", data, "cascade", seed=0)
    for _ in range(20):
        sim.advance(steps=1)
        assert sim.last.before.shape == sim.last.after.shape == (1, longest)
        assert sim.last.shown.ranking.shape == (1, sim.last.lengths[0])
