"""Interleaving: lists and credit by hand and against the published loops, and the simulated live search engine."""

import itertools
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from datasets import load
from datasets.ranking import RankingData
from learners import Simulation, catalogue, create, create_user
from learners.interleaving import Comparison, Verdict, credit, engine, interleave, preference, sign_test, wilson
from learners.interleaving.engine import shared_top
from learners.interleaving.fixed import fixed_weights
from learners.ranking.base import Context, RankingLearner
from learners.ranking.interleave import METHODS, balanced, team_draft
from tests.cases import cases
from tests.learners.run.problems import same

many = settings(max_examples=80, deadline=None)


def context(replicates, n, lengths=None):
    gamma = np.ones(n)
    if lengths is not None:
        lengths = np.asarray(lengths)
        gamma = np.where(np.arange(n) < lengths[:, None], gamma, 0.0)
    return Context(np.zeros((replicates, n, 1)), gamma, lengths)


def rows(*rankings):
    return np.array(rankings)


# ---- by hand ------------------------------------------------------------------------------------------


def test_team_draft_by_hand():
    """A = 0 1 2 3, B = 3 1 0 2. A picks first in round one: 0, and B: 3; B first in round two: 1, and A: 2. The other
    way round: B 3, A 0; A 1, B 2."""
    a, b = rows([0, 1, 2, 3]), rows([3, 1, 0, 2])
    mixed = team_draft(a, b, rows([True, False, True]))
    assert mixed.ranking.tolist() == [[0, 3, 1, 2]] and mixed.teams.tolist() == [[True, False, False, True]]
    clicks = rows([False, True, True, False])  # d3 and d1, both B's
    assert [x.tolist() for x in credit(mixed, clicks)] == [[0], [2]]
    assert preference(mixed, clicks).tolist() == [-1]
    assert preference(mixed, rows([True, True, False, False])).tolist() == [0]
    mixed = team_draft(a, b, rows([False, True, True]))
    assert mixed.ranking.tolist() == [[3, 0, 1, 2]] and mixed.teams.tolist() == [[False, True, True, False]]
    assert preference(mixed, rows([False, False, True, False])).tolist() == [1]


def test_balanced_by_hand():
    """The same rankings. A leads: 0 (A), 3 (B), 1 (A), [1], 2 (A). B leads: 3 (B), 0 (A), 1 (B), [1], [0], 2 (A).

    Clicks on d3 and d1: the lowest is d1, second in both, k = 2: one in A's top two {0, 1}, two in B's {3, 1}. A click
    on d0 alone: first in A, k = 1, and B's top is {3}. Clicks on d0 and d3: k = 1, one each.
    """
    a, b = rows([0, 1, 2, 3]), rows([3, 1, 0, 2])
    mixed = balanced(a, b, np.array([True]))
    assert mixed.ranking.tolist() == [[0, 3, 1, 2]] and mixed.teams.tolist() == [[True, False, True, True]]
    assert [x.tolist() for x in credit(mixed, rows([False, True, True, False]))] == [[1], [2]]
    assert [x.tolist() for x in credit(mixed, rows([True, False, False, False]))] == [[1], [0]]
    assert [x.tolist() for x in credit(mixed, rows([True, True, False, False]))] == [[1], [1]]
    assert [x.tolist() for x in credit(mixed, rows([False] * 4))] == [[0], [0]]
    mixed = balanced(a, b, np.array([False]))
    assert mixed.ranking.tolist() == [[3, 0, 1, 2]] and mixed.teams.tolist() == [[False, True, False, True]]


def test_unknown_method():
    with pytest.raises(ValueError, match="method must be one of team-draft, balanced, got coin"):
        interleave(rows([0, 1]), rows([1, 0]), "coin", np.random.default_rng(0))


# ---- against the loops of Chapelle et al. --------------------------------------------------------------


def slow_team_draft(a, b, heads):
    shown, team_a, team_b = [], [], []
    heads = list(heads)
    while set(shown) != set(a):
        if len(team_a) < len(team_b) or (len(team_a) == len(team_b) and heads.pop(0)):
            document = next(d for d in a if d not in shown)
            team_a.append(document)
        else:
            document = next(d for d in b if d not in shown)
            team_b.append(document)
        shown.append(document)
    return shown, [d in team_a for d in shown]


def slow_balanced(a, b, a_leads):
    shown, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        if i < j or (i == j and a_leads):
            if a[i] not in shown:
                shown.append(a[i])
            i += 1
        else:
            if b[j] not in shown:
                shown.append(b[j])
            j += 1
    return shown


def slow_balanced_credit(a, b, shown, clicked):
    if not clicked:
        return 0, 0
    lowest = max(clicked, key=shown.index)
    k = min(j + 1 for j in range(len(a)) if lowest in (a[j], b[j]))
    return sum(d in a[:k] for d in clicked), sum(d in b[:k] for d in clicked)


@st.composite
def problems(draw):
    """Two rankings, clicks and coins of a few replicates, some of unequal length."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    replicates, n = draw(st.integers(1, 4)), draw(st.integers(2, 9))
    lengths = rng.integers(2, n + 1, size=replicates) if draw(st.booleans()) else None
    c = context(replicates, n, lengths)
    a, b = c.rank(rng.normal(size=(replicates, n))), c.rank(rng.normal(size=(replicates, n)))
    clicks = (rng.random((replicates, n)) < 0.35) & (c.gamma > 0)
    return c, a, b, clicks, rng.random((replicates, 1 + n // 2)) < 0.5


@many
@given(problems())
def test_lists_and_credit_equal_the_published_loops(problem):
    c, a, b, clicks, heads = problem
    draft, even = team_draft(a, b, heads), balanced(a, b, heads[:, 0])
    lengths = np.full(len(a), c.n) if c.lengths is None else c.lengths
    for mixed in (draft, even):
        assert (np.sort(mixed.ranking, axis=1) == np.arange(c.n)).all()
        for row, length in zip(mixed.ranking, lengths, strict=True):
            assert row[length:].tolist() == list(range(length, c.n))  # what is not there stays at the end
    wins_a, wins_b = credit(draft, clicks)
    even_a, even_b = credit(even, clicks)
    for r in range(len(a)):
        y, z = a[r].tolist(), b[r].tolist()
        shown, teams = slow_team_draft(y, z, heads[r])
        assert draft.ranking[r].tolist() == shown and draft.teams[r].tolist() == teams
        assert wins_a[r] == sum(teams[i] for i in np.flatnonzero(clicks[r])) == clicks[r].sum() - wins_b[r]
        shown = slow_balanced(y, z, heads[r, 0])
        assert even.ranking[r].tolist() == shown
        assert (even_a[r], even_b[r]) == slow_balanced_credit(
            y, z, shown, [shown[i] for i in np.flatnonzero(clicks[r])]
        )


@many
@given(problems())
def test_every_prefix_of_a_balanced_list_is_balanced(problem):
    """The top m of the list are the top i of A and the top j of B, i and j at most one apart, the leader ahead."""
    c, a, b, _, heads = problem
    mixed = balanced(a, b, heads[:, 0])
    for r, leads in enumerate(heads[:, 0]):
        for m in range(1, c.n + 1):
            top = set(mixed.ranking[r, :m].tolist())
            steps = [(i, j) for i in range(c.n + 1) for j in range(c.n + 1) if 0 <= (i - j if leads else j - i) <= 1]
            assert any(set(a[r, :i]) | set(b[r, :j]) == top for i, j in steps)


@many
@given(problems())
def test_teams_are_as_large_and_each_drafts_its_best(problem):
    """After every round both teams have as many; what a team drafts is its best among what was left."""
    c, a, b, _, heads = problem
    mixed = team_draft(a, b, heads)
    taken = mixed.teams.cumsum(axis=1)[:, 1::2]
    assert (taken == np.arange(1, taken.shape[1] + 1)).all()
    for r in range(len(a)):
        left = list(range(c.n))
        for document, of_a in zip(mixed.ranking[r], mixed.teams[r], strict=True):
            order = (a if of_a else b)[r].tolist()
            assert document == min(left, key=order.index)
            left.remove(document)


@many
@given(problems())
def test_a_click_counts_for_the_side_that_put_the_document_there(problem):
    """The whole list is drafted, however few positions count: each document is the best that its side had left."""
    _, a, b, _, heads = problem
    mixed = team_draft(a, b, heads)
    for r in range(len(a)):
        for place, document in enumerate(mixed.ranking[r]):
            clicks = np.zeros(a.shape, dtype=bool)
            clicks[r, place] = True
            of_a, of_b = (int(count[r]) for count in credit(mixed, clicks))
            left = [d for d in ((a if of_a else b)[r]).tolist() if d not in mixed.ranking[r, :place]]
            assert (of_a, of_b) in ((1, 0), (0, 1)) and document == left[0]


# ---- fairness, by exact enumeration --------------------------------------------------------------------


@cases("n", [2, 3, 4])
def test_team_draft_is_fair_to_whoever_clicks_by_position(n):
    """For any two rankings each position belongs to either side in half of all cases, so that a click that does not
    depend on the documents is worth nothing; and with equal rankings any set of clicks wins as often as it loses."""
    orders = list(itertools.permutations(range(n)))
    heads = np.array(list(itertools.product([False, True], repeat=1 + n // 2)))
    for a, b in itertools.product(orders, orders):
        mixed = team_draft(np.tile(a, (len(heads), 1)), np.tile(b, (len(heads), 1)), heads)
        np.testing.assert_array_equal(mixed.teams.mean(axis=0), 0.5)
        if a == b:
            assert (mixed.ranking == a).all()
            for marks in itertools.product([False, True], repeat=n):
                assert preference(mixed, np.tile(marks, (len(heads), 1))).sum() == 0


@pytest.mark.parametrize("method", METHODS)
def test_neither_side_is_favoured(method):
    """Exchange the rankings and turn the coins round: the same list, and the opposite verdict on any clicks."""
    make, n = (balanced if method == "balanced" else team_draft), 4
    rng = np.random.default_rng(0)
    for _ in range(100):
        a, b = rng.permuted(np.tile(np.arange(n), (8, 1)), axis=1), rng.permuted(np.tile(np.arange(n), (8, 1)), axis=1)
        heads, clicks = rng.random((8, 3)) < 0.5, rng.random((8, n)) < 0.4
        coins = heads[:, 0] if method == "balanced" else heads
        one, other = make(a, b, coins), make(b, a, ~coins)
        np.testing.assert_array_equal(one.ranking, other.ranking)
        np.testing.assert_array_equal(one.teams, ~other.teams)
        np.testing.assert_array_equal(preference(one, clicks), -preference(other, clicks))


def test_the_known_flaw_of_balanced_interleaving():
    """Chapelle et al.: A = 0 1 2 3, B = 1 2 3 0. In either order a single click at random prefers B in three of four
    cases; team-draft prefers neither."""
    a, b = np.tile([0, 1, 2, 3], (4, 1)), np.tile([1, 2, 3, 0], (4, 1))
    clicks = np.eye(4, dtype=bool)
    for leads in (False, True):
        mixed = balanced(a, b, np.full(4, leads))
        assert sorted(preference(mixed, clicks).tolist()) == [-1, -1, -1, 1]
    total = 0
    for heads in itertools.product([False, True], repeat=3):
        total += preference(team_draft(a, b, np.tile(heads, (4, 1))), clicks).sum()
    assert total == 0


# ---- interval and sign test ----------------------------------------------------------------------------


@cases("wins, losses", [(0, 1), (1, 0), (3, 3), (8, 2), (60, 40), (500, 560), (0, 30)])
def test_interval_and_p_value_equal_scipys(wins, losses):
    exact = binomtest(wins, wins + losses)
    interval = exact.proportion_ci(method="wilson")
    low, high = wilson(np.array([wins]), np.array([losses]))
    np.testing.assert_allclose([low[0], high[0]], [interval.low, interval.high], atol=1e-12)
    np.testing.assert_allclose(sign_test(np.array([wins]), np.array([losses])), exact.pvalue, rtol=1e-9)


def test_nothing_decided_says_nothing():
    low, high = wilson(np.zeros(1), np.zeros(1))
    assert np.isnan(low).all() and np.isnan(high).all() and sign_test(np.zeros(1), np.zeros(1)).tolist() == [1.0]
    assert Verdict.of(0, 0, 9).says == "no difference"
    assert Verdict.of(2, 20, 0).says == "worse" and Verdict.of(20, 2, 0).says == "better"
    assert Verdict.of(20, 8, 0, level=0.01).says == "no difference" != Verdict.of(20, 8, 0).says


# ---- the live search engine ----------------------------------------------------------------------------


@dataclass(kw_only=True)
class Frozen(RankingLearner):
    """Ranks by the weights the data start with, for ever."""

    def update(self, context, shown, feedback):
        return shown.ranking


def mirrored(queries=150, documents=12, seed=0):
    """Queries with two features and again with the two exchanged: [1, 0] and [0, 1] are equally good on the whole."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(queries, documents, 2))
    x = np.concatenate([x, x[..., ::-1]])
    grades = np.digitize(x.sum(axis=2), [0.0, 1.0, 2.0]).astype(float).reshape(1, -1)
    return RankingData("mirrored", {}, x.reshape(-1, 2), np.arange(0, len(x) * documents + 1, documents), grades)


@pytest.fixture(scope="module")
def web():
    return load("web-search", queries=150, documents=12, features=6)


@cases("id", ["preference-perceptron", "perturbed-perceptron", "dueling-bandit", "random-ranking"])
def test_the_learning_half_is_a_simulation(web, id):
    """The comparisons take nothing from the learner's streams; and its metrics are all there."""
    alone = Simulation(id, web, "noisy-grades", replicates=3, seed=4)
    live = Comparison(id, web, "noisy-grades", replicates=3, seed=4)
    alone.advance(150)
    live.advance(150)
    assert live.t == 150 and set(live.history) > set(alone.history)
    for metric in alone.history:
        np.testing.assert_array_equal(alone.history[metric], live.history[metric], err_msg=metric)
    np.testing.assert_array_equal(alone.last.after, live.last.learning.after)


@pytest.mark.parametrize("method", METHODS)
def test_counts_and_the_record_of_a_comparison(web, method):
    run = Comparison("preference-perceptron", web, "noisy-grades", method=method, sample=1, replicates=2, seed=1)
    wins = np.zeros(2)
    for steps, trial in enumerate(itertools.islice(run, 40), start=1):
        c = Context(web.features[trial.documents].astype(float), np.ones(12))
        mine, fixed = (c.rank(c.scores(w)) for w in (trial.learning.after, run.fixed))
        np.testing.assert_array_equal(trial.mixed.first, mine)
        np.testing.assert_array_equal(trial.mixed.second, fixed)
        np.testing.assert_array_equal(trial.outcome, preference(trial.mixed, trial.response.clicks))
        np.testing.assert_array_equal(trial.grades, web.grades[0][trial.documents])
        for search in (trial, trial.learning):  # each has the documents of its own query
            np.testing.assert_array_equal(search.documents, web.candidates(search.query))
        np.testing.assert_array_equal(run.history["top10-shared"][-1], shared_top(c, mine, fixed))
        wins += trial.outcome == 1
        total = sum(run.history[name][-1] for name in ("wins", "losses", "ties"))
        assert trial.t == steps and trial.mixed.method == method and (total == steps).all()
        np.testing.assert_array_equal(run.history["wins"][-1], wins)
    h, losses = run.history, run.history["losses"][-1]
    np.testing.assert_allclose(h["win-share"][-1], wins / (wins + losses))
    np.testing.assert_allclose(h["win-ratio"][-1], wins / losses)
    share = np.array(
        [binomtest(int(w), int(w + n)).proportion_ci(method="wilson") for w, n in zip(wins, losses, strict=True)]
    )
    np.testing.assert_allclose(h["win-ratio-low"][-1], share[:, 0] / (1 - share[:, 0]))
    np.testing.assert_allclose(h["win-ratio-high"][-1], share[:, 1] / (1 - share[:, 1]))
    assert (h["win-ratio-low"][-1] < h["win-ratio"][-1]).all()


def test_slices_and_reset_repeat_the_run(web):
    whole = Comparison("perturbed-perceptron", web, "scan", replicates=2, seed=3)
    whole.advance(130)
    sliced = Comparison("perturbed-perceptron", web, "scan", replicates=2, seed=3)
    for size in (1, 63, 2, 64):
        sliced.advance(size)
    sliced.reset()
    assert sliced.t == 0 and sliced.last is None and sliced.verdict().wins == 0
    for size in (63, 1, 1, 65):
        sliced.advance(size)
    np.testing.assert_equal(dict(whole.history), dict(sliced.history))


def ragged():
    """Queries of 2 to 13 documents, and two tasks."""
    rng = np.random.default_rng(2)
    starts = np.concatenate([[0], np.cumsum(rng.integers(2, 14, size=30))])
    grades = rng.integers(0, 3, (2, starts[-1])) * 1.0
    return RankingData("mixed", {}, rng.normal(size=(starts[-1], 3)), starts, grades)


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "id", [info.id for info in catalogue() if info.family == "ranking" and not info.learner.fixed_list]
)
@pytest.mark.parametrize("data", ["web", "ragged"])
def test_blocks_of_searches_equal_searches_one_by_one(id, method, data, web):
    """A learner with a method of its own is asked for its scores at each search; the numbers are the same."""
    cls = type(create(id))
    by_hand = type(cls.__name__, (cls,), {"scores": lambda self, context: context.scores(self.weights)})
    runs = []
    for learner in (create(id), by_hand(**create(id).params)):
        run = Comparison(learner, web if data == "web" else ragged(), "noisy-grades", method=method, replicates=3)
        run.advance(61)
        runs.append(run)
    fast, slow = runs
    for metric in fast.history:
        np.testing.assert_allclose(fast.history[metric], slow.history[metric], rtol=1e-12, atol=1e-12, err_msg=metric)
    same(replace(fast.last, learning=None), replace(slow.last, learning=None))
    same(fast.last.learning, slow.last.learning)


def test_a_block_keeps_few_copies_of_the_weights(web, monkeypatch):
    fixed = np.ones(6)  # nothing is fitted
    one, many = (Comparison("preference-perceptron", web, fixed=fixed, replicates=r).environment for r in (1, 200))
    assert one.block > 1000 and many.block * 200 * 6 * 8 <= 2**23
    monkeypatch.setattr(engine, "COPIES", 200 * 6 * 8 - 1)
    assert many.block == 1, "a step is taken, however many replicates there are"


@pytest.mark.parametrize("id", ["perturbed-perceptron", "dueling-bandit", "random-ranking"])
def test_records_do_not_depend_on_slices(id):
    """Shorter queries leave nothing of longer ones in the record of a step."""
    whole, single = (Comparison(id, ragged(), "cascade", replicates=3, seed=1) for _ in range(2))
    whole.advance(57)
    for _ in range(57):
        single.advance(1)
    same(whole.last, single.last)


def test_queries_of_unequal_length_and_several_tasks():
    data = ragged()
    for method in METHODS:
        run = Comparison("preference-perceptron", data, "cascade", method=method, replicates=3, seed=0)
        run.advance(100)
        assert (
            run.fixed.shape == (3, 3) and (run.fixed[0] == run.fixed[2]).all() and (run.fixed[0] != run.fixed[1]).any()
        )
        assert ((run.history["top10-shared"] >= 0) & (run.history["top10-shared"] <= 10)).all()
    assert (
        Comparison("random-ranking", data, fixed=np.eye(3)[:2], replicates=2).fixed.tolist() == np.eye(3)[:2].tolist()
    )


def test_linear_sample_is_least_squares_on_what_was_seen(web):
    """On all queries it is w*; on few it is worse, and depends on the seed."""
    np.testing.assert_allclose(
        fixed_weights("linear-sample", web, 10**6, np.random.default_rng(0)), web.weights, atol=1e-9
    )
    few = [fixed_weights("linear-sample", web, 2, np.random.default_rng(seed)) for seed in (0, 1)]
    assert (few[0] != few[1]).any() and np.linalg.norm(few[0] - web.weights) > 0.05


def test_a_ranker_tuned_by_hand(web):
    """It is the data's own, the same for every task and seed; data without one are told what to do."""
    tuned = np.array([0.0, 2.0, 0.0, 0.0, -1.0, 0.0])
    data = replace(web, tuned=tuned)
    for seed in (0, 1):
        run = Comparison("preference-perceptron", data, "cascade", "hand-tuned", replicates=2, seed=seed)
        np.testing.assert_array_equal(run.fixed, [tuned] * 2)
    several = replace(ragged(), tuned=np.array([1.0, -1.0, 0.5]))
    assert Comparison("random-ranking", several, fixed="hand-tuned", replicates=3).fixed.tolist() == [[1, -1, 0.5]] * 3
    started = Comparison("perturbed-perceptron", data, "cascade", "hand-tuned", warm_start=True)
    np.testing.assert_array_equal(started.learner.w, [tuned])
    with pytest.raises(ValueError, match=r"^web-search has no ranker tuned by hand; choose linear-sample, which .*\w$"):
        Comparison("preference-perceptron", web, fixed="hand-tuned")


def test_warm_start(web):
    """[S] §7: both start at the weights of the fixed ranker, and then agree on everything."""
    run = Comparison("preference-perceptron", web, "cascade", fixed=[1, 0, 0, 0, 0, 0], warm_start=True, replicates=2)
    assert run.learner.w.tolist() == [[1, 0, 0, 0, 0, 0]] * 2
    run.advance(50)
    assert run.learner.w.tolist() != [[1, 0, 0, 0, 0, 0]] * 2


def test_better_worse_and_no_difference(web):
    """Rankers by w*, by −w* and by the fixed ranker's own weights, 30 replicates of 100 comparisons: the test says so
    in every one of the first two; identical rankers tie (balanced) or win by chance (team-draft)."""
    fixed = fixed_weights("linear-sample", web, 1, np.random.default_rng(1))[0]
    for method in METHODS:
        says = {}
        for name, weights in (("better", web.weights[0]), ("worse", -web.weights[0]), ("no difference", fixed)):
            start = replace(web, initial_weights=weights)
            run = Comparison(Frozen(), start, "noisy-grades", fixed=fixed, method=method, replicates=30, seed=0)
            run.advance(100)
            says[name] = [run.verdict(replicate=r).says for r in range(30)]
            assert run.verdict().says == name
            if name != "no difference":
                assert np.sign(run.history["advantage"][-1]).tolist() == [1.0 if name == "better" else -1.0] * 30
        assert says["worse"].count("worse") == 30 and says["better"].count("better") >= 25
        assert says["no difference"].count("no difference") >= (30 if method == "balanced" else 27)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("user", ["noisy-grades", "cascade"])
def test_equal_rankers_differ_at_the_nominal_rate(method, user):
    """Two different rankers that are equally good by symmetry, 600 replicates of 120 comparisons: an exact test at 5 %
    errs in at most 5 % of them (fewer, being discrete), and wins equal losses to three standard errors."""
    data = replace(mirrored(), initial_weights=np.array([1.0, 0.0]))
    run = Comparison(Frozen(), data, user, fixed=[0.0, 1.0], method=method, replicates=600, seed=7)
    run.advance(120)
    wrong = (run.history["p-value"][-1] < 0.05).mean()
    assert 0.01 < wrong < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 600)
    verdict = run.verdict()
    decided = verdict.wins + verdict.losses
    assert decided > 20_000 and abs(verdict.wins - verdict.losses) < 3 * np.sqrt(decided)


@pytest.mark.parametrize("method", METHODS)
def test_a_learner_gets_better_than_a_poor_ranker_and_random_rankings_are_worse(web, method):
    for id, says in (("perturbed-perceptron", "better"), ("random-ranking", "worse")):
        run = Comparison(id, web, "noisy-grades", method=method, sample=1, replicates=10, seed=0)
        run.advance(300)
        late = run.verdict(since=100)
        assert late.says == says and late.wins + late.losses + late.ties == 2000
        assert (late.low - 0.5) * (late.high - 0.5) > 0


def test_verdict_since_a_step(web):
    run = Comparison("preference-perceptron", web, "cascade", replicates=2)
    assert run.verdict().says == "no difference"
    run.advance(30)
    h = run.history
    part = run.verdict(since=10, replicate=1)
    assert part.wins == h["wins"][-1, 1] - h["wins"][9, 1] and part.wins + part.losses + part.ties == 20
    assert run.verdict().wins == h["wins"][-1].sum() and run.verdict(since=30).wins == 0
    for wrong in ({"since": 31}, {"since": -1}, {"replicate": 2}):
        with pytest.raises(ValueError):
            run.verdict(**wrong)


def test_what_cannot_be_compared_is_refused(web):
    two = RankingData("two", {}, np.eye(4), np.array([0, 4]), np.eye(4)[:2])
    for message, args, more in (
        ("user who clicks; strict-alpha", (web, create_user("strict-alpha")), {}),
        ("method must be one of", (web,), {"method": "coin"}),
        ("sample must be a whole number", (web,), {"sample": 0}),
        ("fixed must be linear-sample, hand-tuned or weights, got hand", (web,), {"fixed": "hand"}),
        ("fixed must be 6 finite weights", (web,), {"fixed": [1.0, 2.0]}),
        ("warm_start needs data with one task", (two,), {"warm_start": True}),
    ):
        with pytest.raises(ValueError, match=message):
            Comparison("preference-perceptron", *args, **more)
    with pytest.raises(ValueError, match="only rankings"):
        Comparison("banditron", "synsep")
