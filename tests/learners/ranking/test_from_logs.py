"""Learners from a log: by hand, against the library's slow ways, without bias, with coverage, and safely."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import datasets
from datasets.check import check_dataset
from learners import Simulation, create, create_user
from learners.base import Shape
from learners.off_policy import learn, value
from learners.off_policy.log import EVEN, ODD, RANDOM, Log, Policy, counts
from learners.off_policy.propensity import by_em, by_swaps
from learners.off_policy.proximal import assign
from learners.ranking.base import Context, Feedback
from learners.ranking.from_logs import table
from learners.ranking.from_logs.table import PLACES, chance, fit
from learners.ranking.step.page import page_of
from learners.run.watch import Watch
from tests.cases import cases
from tests.learners.dice import Dice

IDS = ["logged-clicks", "logged-propensity", "logged-doubly-robust", "logged-proximal"]
LIST = "graded-list"


def log_of(simulation, steps):
    """Take steps one by one, and return the log that the learner has read, with what it predicted before each."""
    shown, clicks, pairing, predicted = [], [], [], []
    epsilon = simulation.learner.epsilon
    for _ in range(steps):
        simulation.advance(1)
        step = simulation.last
        draws = step.shown.draws
        shown.append(step.shown.ranking.copy())
        clicks.append(step.response.clicks.copy())
        pairing.append(np.where(draws[:, 0] < epsilon, RANDOM, np.where(draws[:, 1] < 0.5, EVEN, ODD)))
        predicted.append(step.shown.predicted.copy())
    found = Log(*(np.stack(part, axis=1) for part in (shown, clicks, pairing)))
    return found, np.stack(predicted, axis=1)


def part(log, first, end):
    return Log(*(each[:, first:end] for each in log))


def started(id, steps, replicates=3, data=LIST, seed=4, **params):
    return Simulation(create(id, **params), data, "position-based", replicates=replicates, seed=seed), steps


# ---- by hand


def test_two_interactions_by_hand():
    """Three documents, list d1 d2 d3, ε = 0.5, θ = (1, ½, ⅓) assumed.

    1: pairs (1, 2), exchanged: shown d2 d1 d3, clicks on places 1 and 2. The pair has one click above, one below.
    2: pairs (2, 3), not exchanged: shown d1 d2 d3, a click on place 3.
    Each of d1, d2 and d3 has one click. π₀ without random orders: rows (¾ ¼ 0), (¼ ½ ¼), (0 ¼ ¾), with them half of it
    plus ⅙. ρ of d1: ½ (¾ + ⅛) + ½ · 11/18 = 107/144; of d2: ½ (¼ + ¼ + 1/12) + 11/36 = 43/72; of d3: ½ (⅛ + ¼) +
    11/36 = 71/144.
    So r̂ = 1 / (2 ρ) = 72/107, 36/43, 72/71: d3 first, then d2.
    """
    context = Context(np.zeros((1, 3, 1)), np.array([1.0, 0.6, 0.5]))
    learner = create("logged-propensity", epsilon=0.5)
    learner.reset(Shape(1, 3), 1, np.random.default_rng(0))
    learner.rng = Dice([0.9, 0.1, 0.4, 0, 0, 0], [0.9, 0.7, 0.6, 0, 0, 0], [0.1, 0.0, 0.0, 0.2, 0.9, 0.5])
    seen = []
    for clicked in ([0, 1], [2], []):
        shown = learner.present(context)
        seen.append((shown.ranking[0].tolist(), shown.predicted[0].tolist()))
        learner.update(context, shown, Feedback(clicks=np.isin(np.arange(3), clicked)[None]))
        if len(seen) == 2:
            both = learner.counts
            assert both[0][0].tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 2]]
            assert both[1][0].tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 1]]
            assert learner._row(table.ABOVE)[0].tolist() == [1, 0, 0]
            assert learner._row(table.BELOW)[0].tolist() == [1, 1, 0]
    assert seen == [([1, 0, 2], [0, 1, 2]), ([0, 1, 2], [1, 0, 2]), ([1, 2, 0], [2, 1, 0])]


# ---- against the library, whose functions are the slow ones


def test_plain_rewards_are_those_of_the_library():
    simulation, steps = started("logged-proximal", 40, replicates=30, rewards="plain", patience=0)
    log, predicted = log_of(simulation, steps)
    P0, looks, before = Policy(np.arange(10), 0.1).chances(), 1 / np.arange(1.0, 11), part(log, 0, 39)
    estimate = learn.relevance_doubly_robust(before, P0, looks)
    gamma = simulation.dataset.gamma
    plain, relative = (learn.safe(estimate, np.arange(10), gamma, 1.2, relative) for relative in (False, True))
    np.testing.assert_array_equal(predicted[:, 39], plain)
    assert (plain != relative).any()


@pytest.mark.parametrize("id", IDS)
def test_what_is_learned_is_what_the_library_learns_from_the_same_log(id):
    params = {} if id == "logged-clicks" else {"clip": 0.05}
    simulation, steps = started(id, 70, **params, **{"patience": 0} if id == "logged-proximal" else {})
    log, predicted = log_of(simulation, steps)
    n, gamma = 10, simulation.dataset.gamma
    P0, looks = Policy(np.arange(n), 0.1).chances(), 1 / np.arange(1.0, n + 1)
    for t in (1, 2, 3, 10, 33, 69):
        before = part(log, 0, t)
        if id == "logged-clicks":
            expected = learn.by_falling(counts(before)[1].sum(axis=2))
        elif id == "logged-propensity":
            expected = learn.inverse_propensity(before, P0, looks, 0.05)
        else:
            expected = learn.doubly_robust(before, P0, looks, 0.05)
            if id == "logged-proximal":
                estimate = learn.relevance_doubly_robust(before, P0, looks, 0.05)
                expected = learn.safe(estimate, np.arange(n), gamma, 1.2)
        np.testing.assert_array_equal(predicted[:, t], expected)
    shown, clicked = counts(log)
    np.testing.assert_array_equal(simulation.learner.counts, (shown, clicked))
    found = simulation.learner.looks()
    np.testing.assert_allclose(found["swaps"], by_swaps(log))
    np.testing.assert_allclose(found["EM"], by_em(log)[0])


@pytest.mark.parametrize(("id", "propensities"), [("logged-doubly-robust", "em"), ("logged-clicks", None)])
def test_values_are_those_of_the_library_on_the_interactions_since_the_list_was_put_aside(id, propensities):
    params = {"propensities": propensities} if propensities else {}
    simulation, steps = started(id, 100, data=datasets.load(LIST, documents=4), epsilon=0.3, **params)
    log, predicted = log_of(simulation, steps)
    learner, since = simulation.learner, part(log, 63, 100)  # from step 64 on
    np.testing.assert_array_equal(learner.valued, predicted[:, 63])
    P0 = Policy(np.arange(4), 0.3).chances()
    model = learner._row(table.MODEL)
    for r in range(3):
        one = Log(*(each[r : r + 1] for each in since))
        P, expected = np.zeros((2, 4, 4))
        P[learner.valued[r], np.arange(4)] = 1
        expected[learner.valued[r], np.arange(4)] = model[r]
        slow = value.ips(one, P, P0), value.snips(one, P, P0), value.doubly_robust(one, P, P0, expected)
        for mine, theirs in zip(learner.values().values(), slow, strict=True):
            np.testing.assert_allclose([each[r] for each in mine], [each[0] for each in theirs], rtol=1e-9)


def test_all_read_the_same_log_whatever_they_learn():
    logs = [log_of(*started(id, 40))[0] for id in IDS]
    for log in logs[1:]:
        for one, other in zip(logs[0], log, strict=True):
            np.testing.assert_array_equal(one, other)
    other = Simulation(create("logged-proximal", reach=9.0), LIST, "position-based", replicates=3, seed=4)
    np.testing.assert_array_equal(log_of(other, 40)[0].shown, logs[0].shown)


@cases("n", [2, 3, 6, 7])
@cases("logged", ["given", "reversed", "random"])
def test_the_chances_are_those_of_the_policy(n, logged):
    data = datasets.load(LIST, documents=n)
    simulation = Simulation(create("logged-clicks", logged=logged, epsilon=0.3), data, "position-based", replicates=2)
    simulation.advance(1)
    learner = simulation.learner
    work = simulation.environment._work.of_learner(learner.rule_numbers(), learner.tally)
    for r in range(2):
        page = page_of.py_func(work.page, r, n, 1, n, n, n, data.gamma, np.zeros(0))
        ranking = learner._row(table.LIST)[r].astype(int)
        found = [[chance.py_func(page, d, k, 0.3) for k in range(n)] for d in range(n)]
        np.testing.assert_allclose(found, Policy(ranking, 0.3).chances(), atol=1e-15)
        assert sorted(ranking) == list(range(n))


def test_a_round_of_em_is_that_of_the_library():
    """From θ = r = ½, on what the log holds then: the first of its rounds."""
    simulation, _ = started("logged-clicks", 0)
    log, _ = log_of(simulation, 30)
    learner = simulation.learner
    work = simulation.environment._work.of_learner(learner.rule_numbers(), learner.tally)
    theta, r = by_em(log, rounds=1)
    for replicate in range(3):
        page = page_of.py_func(work.page, replicate, 10, 30, 10, 10, 10, simulation.dataset.gamma, np.zeros(0))
        fit.py_func(page)
    looks, attracts = learner._row(table.EM_LOOKS), learner._row(table.EM_ATTRACTS)
    np.testing.assert_allclose(looks / looks[:, :1], theta)
    np.testing.assert_allclose(attracts * looks[:, :1], r)


@cases("n", [1, 2, 3, 8, 20])
def test_an_assignment_is_the_best(n):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        gain = rng.normal(size=(n, n)) if seed % 2 else rng.integers(-3, 4, size=(n, n)).astype(float)
        found = np.empty(n, dtype=np.int64)
        assign(gain.ravel(), np.empty(6 * (n + 1)), found)
        assert sorted(found) == list(range(n))
        assert gain[found, np.arange(n)].sum() == pytest.approx(gain[linear_sum_assignment(-gain)].sum())


# ---- what holds over many logs


def truths(simulation, rankings):
    """The clicks that lists (R, n) get on their first places, in expectation."""
    data = simulation.dataset
    return simulation.user.attention(data.grades[0][rankings], data.top_grade).clicked[:, :PLACES].sum(axis=1)


def test_estimates_have_no_bias_and_intervals_hold_as_often_as_they_say():
    """800 logs, of which the last 128 of 255 interactions value a list: 10⁵ draws; within four standard errors."""
    simulation = Simulation(create("logged-doubly-robust", epsilon=0.5), LIST, "position-based", replicates=800, seed=2)
    simulation.advance(255)
    truth = truths(simulation, simulation.learner.valued)
    values = simulation.learner.values()
    for way in ("IPS", "DR"):
        error = values[way].value - truth
        assert abs(error.mean()) < 4 * error.std() / np.sqrt(800)
    assert abs(np.nanmean(values["SNIPS"].value - truth)) < 0.05  # its bias is of the order 1/N
    for estimate in values.values():
        known = np.isfinite(estimate.high)
        assert ((estimate.low <= truth) & (estimate.high >= truth))[known].mean() > 0.94


@pytest.mark.parametrize("id", ["logged-propensity", "logged-doubly-robust", "logged-proximal"])
def test_intervals_hold_where_clicks_are_rare_and_count_a_hundredfold(id):
    """A tenth of the lists in a random order, 128 to 512 interactions: D ± 1.96 s/√N held in .63 to .9 of such logs."""
    simulation = Simulation(create(id), datasets.load(LIST, disorder=1.0), "position-based", replicates=400, seed=3)
    for end in (255, 1023):
        simulation.advance(end - simulation.t)
        truth = truths(simulation, simulation.learner.valued)
        for estimate in simulation.learner.values().values():
            known = np.isfinite(estimate.high)
            inside = ((estimate.low <= truth) & (estimate.high >= truth))[known]
            assert len(inside) < 50 or inside.mean() > 0.935


def test_attention_is_found_out_from_swaps_and_by_em():
    """1/k, from the clicks of 30 logs of 4,000 interactions without any random order: 3PR's perturbation suffices."""
    simulation = Simulation(create("logged-clicks", epsilon=0.0), LIST, "position-based", replicates=30, seed=1)
    simulation.advance(4000)
    true = 1 / np.arange(1.0, 11)
    for way, found in simulation.learner.looks().items():
        np.testing.assert_allclose(found[:, :6].mean(axis=0), true[:6], rtol=0.15, err_msg=way)


def final(id, steps, replicates, disorder=1.0, data_seed=0, **params):
    """The discounted share of clicks of what is learned from logs, less that of the lists in the log, (replicates,)."""
    data = datasets.load(LIST, disorder=disorder, data_seed=data_seed)
    simulation = Simulation(create(id, **params), data, "position-based", replicates=replicates, seed=data_seed)
    simulation.advance(steps)
    attracts = simulation.user.table(data.grades, data.top_grade)[0][0]
    policy = Policy(np.arange(10), 0.1).chances()
    learned = (data.gamma * attracts[simulation.last.shown.predicted]).sum(axis=1)
    return learned - (policy * data.gamma * attracts[:, None]).sum()


def test_a_safe_learner_stays_above_the_log_where_plain_ones_fall_below():
    """Ten lists, ten logs of each: after 100 interactions PRPO is above the lists of the log in all, without patience
    too. After 30, when that is not sure, it falls below far more rarely than inverse propensities."""
    asked = {id: {"patience": 0} if id == "logged-proximal" else {} for id in IDS[1:]}
    few, more = (
        {id: np.concatenate([final(id, size, 10, data_seed=seed, **own) for seed in range(10)])
         for id, own in asked.items()} for size in (30, 100)
    )  # fmt: skip
    assert (more["logged-proximal"] > 0).all()
    assert (few["logged-propensity"] < 0).sum() > 3 * (few["logged-proximal"] < 0).sum() + 5
    many = {id: final(id, 5000, 10, data_seed=3) for id in IDS}
    assert many["logged-propensity"].mean() > max(many["logged-proximal"].mean(), many["logged-clicks"].mean())


def test_who_waits_never_falls_below_the_log():
    """100 lists, a log of each, after each of 150 interactions: with the default patience it is the list of the log up
    to 100, and above what the log shows from there, all the time in all. Without, after 5 interactions, below in 26."""
    waited, at_once, moved = [], [], 0
    for seed in range(100):
        data = datasets.load(LIST, disorder=1.0, data_seed=seed)
        sim, other = (
            Simulation(create("logged-proximal", **own), data, "position-based", replicates=1, seed=seed)
            for own in ({}, {"patience": 0})
        )
        sim.advance(150)
        other.advance(5)
        predicted = Watch(sim, 0).advance(150)["predicted"]
        assert (predicted[:100] == np.arange(10)).all()
        moved += (predicted[100] != np.arange(10)).any()
        attracts = sim.user.table(data.grades, data.top_grade)[0][0]
        log = (Policy(np.arange(10), 0.1).chances() * data.gamma * attracts[:, None]).sum()
        for found, rankings in ((waited, predicted[100:]), (at_once, other.last.shown.predicted)):
            found.append((data.gamma * attracts[rankings]).sum(axis=1) - log)
    assert np.min(waited) > 0 and (np.array(at_once) < 0).sum() > 20 and moved > 90


# ---- promises


def test_the_data_set():
    check_dataset(datasets.classes()[LIST])
    data = datasets.load(LIST, documents=20)
    assert data.fixed_candidates and np.bincount(data.grades[0].astype(int)).tolist() == sorted(
        np.bincount(data.grades[0].astype(int)).tolist(), reverse=True
    )
    assert (np.diff(datasets.load(LIST, disorder=0.0).grades[0]) <= 0).all()
    assert (data.utility == data.grades).all()


def test_no_list_is_valued_that_the_log_never_shows():
    simulation = Simulation(create("logged-clicks", epsilon=0.0), LIST, "position-based", replicates=40, seed=0)
    simulation.advance(20)
    learner = simulation.learner
    chances = Policy(np.arange(10), 0.0).chances()
    expected = [bool((chances[target, np.arange(10)] > 0).all()) for target in learner.valued]
    assert True in expected and False in expected
    for estimate in learner.values().values():
        assert np.isfinite(estimate.value[~np.array(expected)]).sum() == 0
    assert np.isfinite(learner.values()["IPS"].value).tolist() == expected


def test_a_user_who_answers_with_a_ranking_is_refused():
    with pytest.raises(ValueError, match="logged-clicks learns from clicks, but expert answers with a ranking"):
        Simulation("logged-clicks", LIST, "expert")
    assert create_user("position-based").gives == "clicks"
