"""Learning to rank by boosting: steps worked out by hand, the theorems on random problems, metrics, and measured facts."""

import itertools
import math
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import load
from datasets.ranking import RankingData
from learners import Simulation, create
from learners.boosting.learning_to_rank import pairs as pairs_module
from learners.boosting.learning_to_rank import surrogate as module
from learners.boosting.learning_to_rank.base import Queries, RankBooster
from learners.boosting.learning_to_rank.measures import GradedQueries
from learners.boosting.learning_to_rank.pairs import pairs
from learners.boosting.learning_to_rank.surrogate import Surrogate
from learners.boosting.stumps import Stumps
from learners.boosting.ties import ties
from learners.catalogue import learner_classes

IDS = sorted(id for id, cls in learner_classes().items() if issubclass(cls, RankBooster))


def started(learner, x, grades, starts, seed=0):
    problem = Queries(np.asarray(x, dtype=float), np.asarray(starts), np.asarray(grades, dtype=float))
    learner.reset(problem, np.random.default_rng(seed))
    return learner


def random_problem(seed, queries=6, d=3, most=7, levels=4):
    """Queries of 2 to 7 documents with tied features and grades 0 … 3, now and then all of one grade."""
    rng = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.cumsum(rng.integers(2, most + 1, queries))])
    n = int(starts[-1])
    grades = rng.integers(0, levels, n).astype(float)
    if seed % 3 == 0:
        grades[: starts[1]] = seed % 2
    return Queries(rng.integers(0, 5, (n, d)) / 2 + rng.integers(0, 2, (n, d)), starts, grades)


def slow(problem, F):
    """M, w, θ and the gains / Z, pair by pair, as the text has them."""
    n = len(F)
    theta, gain, w, M = np.zeros((n, n)), np.zeros(n), np.zeros(n), 0.0
    for a, b in zip(problem.starts[:-1], problem.starts[1:], strict=True):
        best = sorted((2.0**r - 1 for r in problem.grades[a:b]), reverse=True)
        Z = sum(g / math.log2(k + 2) for k, g in enumerate(best)) or 1.0
        for i in range(a, b):
            gain[i] = (2.0 ** problem.grades[i] - 1) / Z
        for i in range(a, b):
            for j in range(a, b):
                if i != j:
                    M += gain[i] / (1 + math.exp(F[i] - F[j]))
                    theta[i, j] = math.exp(F[i] - F[j]) / (1 + math.exp(F[i] - F[j])) ** 2
                    w[i] += (gain[i] - gain[j]) * theta[i, j]
    return M, w, theta, gain


# ---- by hand ----------------------------------------------------------------------------------------------


def test_ndcg_boost_by_hand():
    """Grades 2, 1, 1: gains 3, 1, 1 and Z = 3 + .63093 + .5 = 4.13093; at F = 0 all θ = 1/4.

    w = ((2 + 2)/4, −2/4, −2/4)/Z = (1, −.5, −.5)/Z, M = (3·1 + 1·1 + 1·1)/Z = 5/Z. Feature 0 is 1, 0, 0.
    The stump above .5 has η = 1/Z, α₁ = (3/4 + 3/4)/Z, α₂ = (1/4 + 1/4)/Z: α = ½ log 3, ε = 1/4. Then
    M = (6/(1 + √3) + 2·√3/(1 + √3) + 2·½)/Z, and the bound is 5/Z · exp(−(√1.5 − √.5)²/5).
    """
    learner = started(create("ndcg-boost"), [[1, 2], [0, 3], [0, 1]], [2, 1, 1], [0, 3])
    Z = 4.1309297536
    done = learner.round()
    np.testing.assert_allclose(done.weights * done.targets, np.array([1, -0.5, -0.5]) / Z)
    assert done.details["feature"] == 0 and done.details["threshold"] == 0.5 and done.details["above"]
    assert done.answers.tolist() == [1, 0, 0]
    for name, value in (("eta", 1.0), ("right", 1.5), ("wrong", 0.5)):
        assert math.isclose(done.details[name], value / Z, rel_tol=1e-9)
    assert math.isclose(done.step, 0.549306144334) and math.isclose(done.error, 0.25)
    root = math.sqrt(3)
    assert math.isclose(done.values["surrogate"], (6 / (1 + root) + 2 * root / (1 + root) + 1) / Z, rel_tol=1e-9)
    assert math.isclose(
        done.values["bound"], 5 / Z * math.exp(-((math.sqrt(1.5) - math.sqrt(0.5)) ** 2) / 5), rel_tol=1e-9
    )
    np.testing.assert_allclose(learner.vote(np.array([[0.6, 0], [0.5, 9]])), [0.549306144334, 0])


def test_ndcg_boost_counts_pairs_of_the_same_grade_both_ways():
    """The same grades, with feature 2, 3, 1 alone: w in its order is −.5, 1, −.5, so both cuts have η = .5/Z.

    The first counts: f = 1 above 1.5, for documents 0 and 1. α₁ = (3/4 + 1/4)/Z, of the pairs (0, 2) and (1, 2);
    α₂ = (1/4 + 1/4)/Z of the same pairs the other way round: α = ½ log 2.
    """
    done = started(create("ndcg-boost"), [[2], [3], [1]], [2, 1, 1], [0, 3]).round()
    assert (done.details["threshold"], done.details["above"], done.answers.tolist()) == (1.5, True, [1, 1, 0])
    assert math.isclose(done.details["right"] / done.details["wrong"], 2) and math.isclose(done.step, math.log(2) / 2)


def test_adarank_by_hand():
    """Three queries of two documents, the first of them relevant; one ranked wrongly has NDCG 1/log2(3) = .63093.

    Feature 0 is right on queries 1 and 2, feature 1 on 2 and 3. Round 1: both have η = (2 + .63093)/3 = .876977, the
    first is taken, α = ½ log(1.876977/.123023) = 1.362521; p ∝ (e⁻¹, e⁻¹, e^−.63093) = (.290159, .290159, .419682).
    Round 2: η = .709841 + .63093 · .290159 = .892911 for feature 1, α = ½ log(1.892911/.107089) = 1.436106.
    F is 2 · 1.3625 against 1.4361 on query 1, so that F is right on all, though feature 1 is not: p = 1/3.
    """
    x = [[2, 0], [0, 1], [1, 1], [0, 0], [0, 1], [1, 0]]
    learner = started(create("adarank"), x, [1, 0] * 3, [0, 2, 4, 6])
    first = learner.round()
    assert (first.details["feature"], first.details["above"]) == (0, True)
    assert math.isclose(first.details["eta"], 0.876977, abs_tol=1e-6) and math.isclose(
        first.step, 1.362521, abs_tol=1e-5
    )
    np.testing.assert_allclose(first.details["queries"], 1 / 3)
    np.testing.assert_allclose(learner.p, [0.290159, 0.290159, 0.419682], atol=1e-6)
    assert math.isclose(first.values["objective"], 2 * math.exp(-1) + math.exp(-0.6309297536), abs_tol=1e-9)
    second = learner.round()
    assert (second.details["feature"], second.details["above"]) == (1, True)
    assert math.isclose(second.details["eta"], 0.892911, abs_tol=1e-6) and math.isclose(
        second.step, 1.436106, abs_tol=1e-5
    )
    np.testing.assert_allclose(second.weights, np.repeat([0.290159, 0.290159, 0.419682], 2) / 2, atol=1e-6)
    np.testing.assert_allclose(learner.F, [2.725043, 1.436106, 2.798628, 0, 1.436106, 1.362521], atol=1e-5)
    np.testing.assert_allclose(learner.p, 1 / 3)
    np.testing.assert_allclose(learner.vote(np.array([[5.0, 2.0]])), [2 * 1.436106], atol=1e-5)


def test_adarank_turns_a_feature_round_and_ends_when_it_comes_again():
    learner = started(create("adarank"), [[0], [1], [5], [9]], [1, 0, 1, 0], [0, 2, 4])
    done = learner.round()
    assert not done.details["above"] and done.details["eta"] == 1.0 and done.step == 10
    np.testing.assert_allclose(learner.vote(np.array([[3.0]])), [-30])
    again = learner.round()
    assert again.stopped.startswith("the same feature is best again") and again.values == done.values
    np.testing.assert_array_equal(learner.vote(np.array([[3.0]])), [0])


def test_adarank_of_stumps_by_hand():
    """One query of grades 2, 1, 0: centred 1, 0, −1, a third of it each. Feature 5, 5, 1: above 3, η_w = 1/3.

    The first two tie; `ties` puts the second first, so that NDCG is (1 + 3 · .63093) / (3 + .63093) = .796708.
    """
    done = started(create("adarank", weak="stumps"), [[5], [5], [1]], [2, 1, 0], [0, 3]).round()
    assert (done.details["feature"], done.details["threshold"], done.details["above"]) == (0, 3.0, True)
    assert done.answers.tolist() == [1, 1, 0] and math.isclose(done.details["eta"], 0.796708, abs_tol=1e-6)


def test_linear_regression_is_least_squares_with_a_constant():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(30, 4)) + 5, rng.integers(0, 3, 30)
    learner = started(create("linear-regression-ranking"), x, y, [0, 10, 30])
    done = learner.round()
    found = np.linalg.lstsq(np.column_stack([x, np.ones(30)]), y.astype(float), rcond=None)
    np.testing.assert_allclose(learner.w, found[0][:4], rtol=1e-8)
    assert math.isclose(done.values["objective"], found[1][0] / 30, rel_tol=1e-9)
    np.testing.assert_allclose(learner.vote(x), x @ learner.w)
    doubled = started(create("linear-regression-ranking"), np.hstack([x, x[:, :1], np.ones((30, 1))]), y, [0, 10, 30])
    doubled.round()
    np.testing.assert_allclose(doubled.vote(np.hstack([x, x[:, :1], np.ones((30, 1))])), learner.vote(x), rtol=1e-8)


def test_the_svm_sees_differences_within_queries_alone(monkeypatch):
    seen = []
    svm = sys.modules["learners.boosting.learning_to_rank.pairwise_svm"]
    monkeypatch.setattr(svm, "fit", lambda x, C: seen.append(x) or np.ones(x.shape[1]))
    x = np.array([[1.0], [2.0], [4.0], [8.0], [16.0]])
    started(create("pairwise-svm"), x, [1, 0, 2, 1, 1], [0, 2, 5]).round()
    assert sorted(seen[0][:, 0].tolist()) == [-12, -4, -1]  # 1 − 2; 4 − 8, 4 − 16
    monkeypatch.setattr(svm, "TRAINED", 2)
    started(create("pairwise-svm"), x, [1, 0, 2, 1, 1], [0, 2, 5]).round()
    assert seen[1].shape == (2, 1) and set(seen[1][:, 0].tolist()) < {-12, -4, -1}
    for seed in range(40):
        started(create("pairwise-svm"), x, [1, 0, 2, 1, 1], [0, 2, 5], seed).round()
    assert len({tuple(sorted(some[:, 0].tolist())) for some in seen[1:]}) == 3  # drawn at random


# ---- properties -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chunk", [1, 5, 10**6])
@pytest.mark.parametrize("seed", range(4))
def test_the_surrogate_is_the_sum_over_pairs(seed, chunk, monkeypatch):
    monkeypatch.setattr(module, "_CHUNK", chunk)
    problem = random_problem(seed)
    rng = np.random.default_rng(seed)
    surrogate = Surrogate(problem)
    for scale in (0.0, 1.0, 30.0):
        F, f = scale * rng.normal(size=len(problem.grades)), rng.integers(0, 2, len(problem.grades)).astype(float)
        M, w, theta, gain = slow(problem, F)
        assert math.isclose(surrogate.at(F), M, rel_tol=1e-12)
        np.testing.assert_allclose(surrogate.w, w, atol=1e-12)
        sums = np.add.reduceat(surrogate.w, problem.starts[:-1])
        assert np.abs(sums).max() < 1e-10
        right = (gain[:, None] * theta * (f[None, :] < f[:, None])).sum()
        wrong = (gain[:, None] * theta * (f[None, :] > f[:, None])).sum()
        assert math.isclose(surrogate.both(f), right + wrong, rel_tol=1e-12, abs_tol=1e-15)
        assert math.isclose((surrogate.w * f).sum(), right - wrong, rel_tol=1e-9, abs_tol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_w_is_minus_the_gradient_of_M(seed):
    problem = random_problem(seed)
    F = np.random.default_rng(seed).normal(size=len(problem.grades))
    surrogate = Surrogate(problem)
    surrogate.at(F)
    w, h = surrogate.w, 1e-5
    for i in range(len(F)):
        step = np.where(np.arange(len(F)) == i, h, 0)
        slope = (surrogate.at(F + step) - surrogate.at(F - step)) / (2 * h)
        assert math.isclose(slope, -w[i], abs_tol=1e-6)
    assert surrogate.w is not w  # replaced, not changed


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.floats(0, 2))
def test_theorem_6_with_a_minus(seed, alpha):
    problem = random_problem(seed, queries=3)
    rng = np.random.default_rng(seed)
    n = len(problem.grades)
    F, f = rng.normal(size=n), rng.integers(0, 2, n)
    surrogate = Surrogate(problem)
    before = surrogate.at(F)
    gain = np.array([surrogate.gain])
    _, w, theta, _ = slow(problem, F)
    gamma = (math.exp(3 * alpha) + math.exp(-3 * alpha) - 2) / 3 * (gain.T * theta).sum()
    assert surrogate.at(F + alpha * f) <= before + gamma - (math.exp(3 * alpha) - 1) / 3 * (f * w).sum() + 1e-9


def test_theorem_6_as_printed_is_false():
    """Grades 1, 0, F = 0, f = (0, 1), α small: M rises by α/4, and the printed bound falls by as much."""
    surrogate = Surrogate(Queries(np.zeros((2, 1)), np.array([0, 2]), np.array([1.0, 0.0])))
    before, w, alpha = surrogate.at(np.zeros(2)), surrogate.w, 1e-3
    gamma = (math.exp(3 * alpha) + math.exp(-3 * alpha) - 2) / 3 / 4
    printed = before + gamma + (math.exp(3 * alpha) - 1) / 3 * w[1]
    assert surrogate.at(np.array([0, alpha])) > printed + alpha / 4


@pytest.mark.parametrize("seed", range(12))
def test_M_never_rises_and_stays_under_theorem_7(seed):
    problem = random_problem(seed, queries=2 + seed, d=1 + seed % 4)
    learner = create("ndcg-boost")
    learner.reset(problem, np.random.default_rng(0))
    F, M = np.zeros(len(problem.grades)), slow(problem, np.zeros(len(problem.grades)))[0]
    start, progress = M, 0.0
    for _ in range(40):
        done = learner.round()
        if done.stopped:
            assert done.step == 0 and (learner.vote(problem.features) == 0).all()
            break
        _, w, theta, gain = slow(problem, F)
        f = done.answers
        right = (gain[:, None] * theta * (f[None, :] < f[:, None])).sum()
        wrong = (gain[:, None] * theta * (f[None, :] > f[:, None])).sum()
        np.testing.assert_allclose(done.weights * done.targets, w, atol=1e-10)
        assert done.error < 0.5 and done.step > 0
        if done.step < 10:
            assert math.isclose(done.step, 0.5 * math.log(right / wrong), rel_tol=1e-6)
            progress += (math.sqrt(right) - math.sqrt(wrong)) ** 2 / M
            assert math.isclose(done.values["bound"], start * math.exp(-progress), rel_tol=1e-6)
        else:
            progress = math.log(start / done.values["bound"])
        np.testing.assert_allclose(learner.vote(problem.features), done.step * f)
        F = F + done.step * f
        now = done.values["surrogate"]
        assert math.isclose(now, slow(problem, F)[0], rel_tol=1e-9)
        assert now <= M * (1 + 1e-12) and now <= done.values["bound"] * (1 + 1e-12)
        M = now


def test_a_perfect_stump_is_added_with_a_step_of_10_until_nothing_is_left():
    learner = started(create("ndcg-boost"), [[0], [1], [0], [1]], [0, 1, 0, 1], [0, 2, 4])
    steps = [learner.round() for _ in range(6)]
    assert [done.step for done in steps] == [10, 10, 10, 0, 0, 0] and steps[0].error == 0
    assert steps[-1].stopped == "no stump helps any more" and steps[-1].values == steps[2].values
    assert learner.vote(np.array([[1.0]])).tolist() == [0]


def test_theorem_7_is_false_for_M_over_n():
    """The printed theorem, with M divided by the number of queries in both places, does not hold."""
    problem = random_problem(1, queries=40)
    learner = create("ndcg-boost")
    learner.reset(problem, np.random.default_rng(0))
    done = [learner.round() for _ in range(10)][-1]
    progress = math.log(learner.start / done.values["bound"])
    assert done.values["surrogate"] / 40 > learner.start / 40 * math.exp(-40 * progress)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(2, 12))
def test_the_stump_is_the_best_of_all(seed, d, n):
    rng = np.random.default_rng(seed)
    x = rng.choice([0, 1, 1.5, 7], (n, d)) * rng.choice([1, -1e-3])
    w = rng.normal(size=n)
    w -= w.mean()
    best = 0.0
    for j in range(d):
        for threshold in np.unique(x[:, j])[:-1]:
            for answers in (x[:, j] > threshold, x[:, j] <= threshold):
                best = max(best, float((w * answers).sum()))
    stump = Stumps(x).best(w)
    if stump is None:
        assert best <= 1e-12
        return
    assert math.isclose(stump.eta, best, rel_tol=1e-9) and math.isclose((w * stump(x)).sum(), best, rel_tol=1e-9)
    values = np.unique(x[:, stump.feature])
    place = np.searchsorted(values, stump.threshold, side="right")
    assert math.isclose(stump.threshold, values[place - 1 : place + 1].mean(), abs_tol=1e-12)  # between two values


def test_a_stump_between_neighbouring_numbers():
    low = np.nextafter(1.0, 2)
    high = np.nextafter(low, 2)  # the number between them would be rounded to this one
    stump = Stumps(np.array([[low], [high]])).best(np.array([-1.0, 1.0]))
    assert stump(np.array([[low], [high]])).tolist() == [0, 1]
    large = Stumps(np.array([[1e308], [1.5e308]])).best(np.array([-1.0, 1.0]))
    assert math.isclose(large.threshold, 1.25e308)


@pytest.mark.parametrize("equal", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_pairs_are_those_within_queries(seed, equal):
    problem = random_problem(seed)
    a, b, counts = pairs(problem, equal)
    g, expected = problem.grades, []
    for lo, hi in zip(problem.starts[:-1], problem.starts[1:], strict=True):
        every = [
            (i, j)
            for i in range(lo, hi)
            for j in range(lo, hi)
            if g[i] > g[j] or (equal and g[i] == g[j] > 0 and i < j)
        ]
        expected += [every]
    found = list(zip(a.tolist(), b.tolist(), strict=True))
    ends = np.cumsum(counts)
    for k, every in enumerate(expected):
        got = found[ends[k] - counts[k] : ends[k]]
        assert {tuple(sorted(p)) if g[p[0]] == g[p[1]] else p for p in got} == set(every) and len(got) == len(every)


def test_too_many_pairs_are_refused(monkeypatch):
    monkeypatch.setattr(pairs_module, "MAX_PAIRS", 4)
    problem = Queries(np.zeros((4, 1)), np.array([0, 4]), np.array([3.0, 2.0, 1.0, 0.0]))
    with pytest.raises(ValueError, match="have 6 pairs of documents to compare; at most 4 are allowed"):
        pairs(problem)


# ---- what is measured -------------------------------------------------------------------------------------


def dcg(values, k, kind):
    """Term by term; LETOR's script divides by log2(j) from rank 2 on."""
    worth = [
        1 / math.log2(1 + j) if kind == "standard" else 1 / math.log2(max(2, j)) for j in range(1, len(values) + 1)
    ]
    return sum(g * w for g, w in zip(values[:k], worth, strict=False))


def quality(grades, ranking, kind="standard"):
    """NDCG at 1 … 10 and average precision of one ranking of one query."""
    gains, best = [2 ** grades[i] - 1 for i in ranking], sorted((2**g - 1 for g in grades), reverse=True)
    ndcg = [dcg(gains, k, kind) / dcg(best, k, kind) if any(best) else 0.0 for k in range(1, 11)]
    hits = [j for j, i in enumerate(ranking, start=1) if grades[i] >= 1]
    return [*ndcg, np.mean([(m + 1) / j for m, j in enumerate(hits)]) if hits else 0.0]


@pytest.mark.parametrize("kind", ["standard", "letor"])
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_ndcg_and_map_are_means_over_all_orders_of_tied_documents(seed, kind):
    rng = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.cumsum(rng.integers(2, 7, 5))])
    grades = rng.choice([0, 0, 0.5, 1, 2, 4], starts[-1])
    grades[: starts[1]] = rng.integers(0, 2)
    scores = rng.integers(0, 3, starts[-1]).astype(float)
    measures = GradedQueries(starts, grades, kind)
    found = np.column_stack([measures.ndcg_at(scores), measures.precision(scores)])
    for q, (a, b) in enumerate(itertools.pairwise(starts)):
        s, n = scores[a:b], b - a
        falling = [y for y in itertools.permutations(range(n)) if all(s[i] >= s[j] for i, j in itertools.pairwise(y))]
        np.testing.assert_allclose(
            found[q], np.mean([quality(grades[a:b], y, kind) for y in falling], axis=0), atol=1e-12
        )


def test_ties_as_many_as_in_letor_are_the_mean_of_random_orders():
    """Some 150 documents a query and a score with a handful of values, as OHSUMED has: 2,000 orders drawn at random."""
    rng = np.random.default_rng(3)
    starts = np.array([0, 150, 310])
    grades, scores = rng.choice([0, 0, 0, 1, 2], 310), rng.integers(0, 6, 310).astype(float)
    measures, drawn = GradedQueries(starts, grades), []
    expected = np.column_stack([measures.ndcg_at(scores), measures.precision(scores)])
    for _ in range(2000):
        broken = scores + 0.5 * rng.random(310)  # no two are equal, and none overtakes a larger one
        drawn.append(np.column_stack([measures.ndcg_at(broken), measures.precision(broken)]))
    mean, error = np.mean(drawn, axis=0), np.std(drawn, axis=0) / math.sqrt(2000)
    assert (error > 0).all() and (np.abs(mean - expected) < 3 * error + 1e-12).all()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_a_ranking_in_one_order_has_the_ndcg_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.cumsum(rng.integers(2, 15, 5))])
    grades = rng.choice([0, 0, 0.5, 1, 2, 4], starts[-1])
    grades[: starts[1]] = rng.integers(0, 2)
    scores = rng.integers(0, 4, starts[-1]).astype(float)
    measures = GradedQueries(starts, grades)
    order, keys = measures.order(scores), ties(len(grades))
    for q, (a, b) in enumerate(itertools.pairwise(starts)):
        ranked = sorted(range(a, b), key=lambda i: (-scores[i], keys[i]))
        assert order[a:b].tolist() == ranked
        gains, best = [2 ** grades[i] - 1 for i in ranked], sorted((2**g - 1 for g in grades[a:b]), reverse=True)
        expected = dcg(gains, b - a, "standard") / dcg(best, b - a, "standard") if sum(best) else 0
        assert math.isclose(measures.ndcg(order)[q], expected, abs_tol=1e-12)


def small(queries=20, **params):
    return load("web-search", queries=queries, documents=6, features=4, **params)


@pytest.mark.parametrize("id", IDS)
def test_metrics_are_means_over_the_parts(id):
    sim = Simulation(create(id, smallest=2) if id == "lambdarank" else id, small(), replicates=3, seed=4)
    total = np.zeros((3, 120))
    for step in range(4):
        sim.advance(steps=1)
        env = sim.environment
        for r, learner in enumerate(env.learners):
            if id != "random-scores" and not sim.last.rounds[r].stopped:
                total[r] += learner.vote(sim.dataset.features)
        if id == "random-scores":
            total = env.scores
        np.testing.assert_allclose(env.scores, total)
        measures = GradedQueries(sim.dataset.starts, sim.dataset.grades[0])
        for r in range(3):
            at, precision = measures.ndcg_at(total[r]), measures.precision(total[r])
            for suffix, queries in zip(("-train", "-validation", ""), env.folds[r], strict=True):
                for k in (1, 5, 10):
                    value = sim.history[f"ndcg@{k}{suffix}"][step, r]
                    assert math.isclose(value, at[queries, k - 1].mean(), rel_tol=1e-12)
                assert math.isclose(sim.history[f"map{suffix}"][step, r], precision[queries].mean())
    assert sim.last.t == 4 and {"surrogate", "objective", "bound", "step-size", "weak-error"} <= set(sim.history)


def test_queries_are_divided_at_random_in_three():
    runs = [Simulation(id, small(), replicates=4, seed=7) for id in ("ndcg-boost", "random-scores")]
    env = runs[0].environment
    for r in range(4):
        assert [len(part) for part in env.folds[r]] == [12, 4, 4]
        assert sorted(np.concatenate(env.folds[r]).tolist()) == list(range(20))
        for one, other in zip(env.folds[r], runs[1].environment.folds[r], strict=True):
            np.testing.assert_array_equal(one, other)
        problem = env.problems[r]
        np.testing.assert_array_equal(problem.features, env.data.features[env.rows[r]])
        expected = np.concatenate([env.data.documents(q) for q in env.folds[r][0]])
        np.testing.assert_array_equal(env.rows[r], expected)
        np.testing.assert_array_equal(problem.grades, env.data.grades[0, expected])
        assert problem.starts.tolist() == [6 * q for q in range(13)]
    assert any(not np.array_equal(env.folds[0][2], env.folds[r][2]) for r in range(1, 4))


def test_folds_of_the_data_are_taken_in_turn():
    data = small(queries=10)
    parts = [np.arange(5), np.array([7]), np.array([5, 6])], [np.array([9]), np.array([], dtype=int), np.array([8])]
    data = RankingData("folded", {}, data.features, data.starts, data.grades, folds=tuple(map(tuple, parts)))
    sim = Simulation("ndcg-boost", data, replicates=3)
    sim.advance(steps=2)
    assert [fold[2].tolist() for fold in sim.environment.folds] == [[5, 6], [8], [5, 6]]
    assert sim.environment.problems[2] is sim.environment.problems[0]  # stored once
    assert np.isnan(sim.history["ndcg@5-validation"]).tolist() == [[False, True, False]] * 2
    np.testing.assert_array_equal(sim.history["ndcg@5"][:, 0], sim.history["ndcg@5"][:, 2])


@pytest.mark.parametrize("id", IDS)
def test_the_learner_sees_no_grade_but_those_it_is_trained_on(id):
    data = small()
    first = Simulation(id, data, replicates=2, seed=1)
    hidden = [
        np.concatenate([data.documents(q) for part in fold[1:] for q in part]) for fold in first.environment.folds
    ]
    both = np.intersect1d(*hidden)
    grades = data.grades.copy()
    grades[0, both] = 4 - grades[0, both]
    second = Simulation(id, RankingData("other", {}, data.features, data.starts, grades), replicates=2, seed=1)
    for sim in (first, second):
        sim.advance(steps=5)
    metrics = "ndcg@5", "ndcg@5-validation"
    assert len(both) and any(not np.array_equal(first.history[m], second.history[m]) for m in metrics)
    np.testing.assert_array_equal(first.history["ndcg@5-train"], second.history["ndcg@5-train"])
    np.testing.assert_array_equal(first.environment.scores, second.environment.scores)


def test_weights_of_a_query_and_features_picked():
    sim = Simulation("ndcg-boost", small(), replicates=2, seed=1)
    env = sim.environment
    assert env.weights_of(0, int(env.folds[0][0][0])) is None  # before the first round
    before = env.picked
    expected = np.zeros((2, 4))
    for _ in range(5):
        sim.advance(steps=1)
        for r, done in enumerate(sim.last.rounds):
            expected[r, done.details["feature"]] += done.step
    np.testing.assert_allclose(env.picked, expected)
    assert (before == 0).all()
    query = int(env.folds[1][0][2])
    w = env.weights_of(1, query)
    done = sim.last.rounds[1]
    np.testing.assert_array_equal(w, (done.weights * done.targets)[12:18])
    assert abs(w.sum()) < 1e-10 and (w < 0).any()
    assert env.weights_of(1, int(env.folds[1][2][0])) is None  # no training query
    linear = Simulation("linear-regression-ranking", small())
    linear.advance(steps=3)
    assert (linear.environment.picked > 0).all() and linear.environment.weights_of(0, 0) is None


def test_letors_discount_is_a_parameter_of_its_files(tmp_path):
    """The same scores, which no two documents share, but measured as LETOR's script does: ranks 1 and 2 count alike."""
    rng = np.random.default_rng(0)
    file = tmp_path / "rank.txt"
    rows = [(g, q, rng.random(), g + 3 * rng.random()) for q in range(12) for g in rng.integers(0, 3, 8)]
    file.write_text("".join(f"{g} qid:{q} 1:{one:.6f} 2:{two:.6f}\n" for g, q, one, two in rows))
    standard, letor = (
        Simulation("linear-regression-ranking", load("letor-file", path=str(file), ndcg=kind))
        for kind in ("standard", "letor")
    )
    for sim in (standard, letor):
        sim.advance(steps=1)
    for name in ("objective", "map", "ndcg@1"):
        np.testing.assert_array_equal(letor.history[name], standard.history[name])
    for kind, sim in (("standard", standard), ("letor", letor)):
        world = sim.environment
        grades, scores = world.data.grades[0].reshape(12, 8), world.scores[0].reshape(12, 8)
        found = [quality(grades[q], np.argsort(-scores[q]), kind) for q in world.folds[0][2]]
        measured = [sim.history[f"ndcg@{k}"][-1, 0] for k in range(1, 11)]
        np.testing.assert_allclose(measured, np.mean(found, axis=0)[:10])
    assert letor.history["ndcg@5"][0, 0] != standard.history["ndcg@5"][0, 0]
    with pytest.raises(ValueError, match="ndcg must be one of standard, letor, got trec"):
        load("letor-file", path=str(file), ndcg="trec")


def test_replicates_of_data_with_several_tasks_want_different_ones():
    data = load("digits-search", queries=10, documents=10)
    sim = Simulation("ndcg-boost", data, replicates=11)
    sim.advance(steps=2)
    for r in (0, 3, 10):
        np.testing.assert_array_equal(sim.environment.problems[r].grades, data.grades[r % 10, sim.environment.rows[r]])


def test_points_of_a_sweep_meet_the_same_division_and_task():
    from learners.sweep.points import Points

    data = load("digits-search", queries=10, documents=10)
    runs = Points("ndcg-boost", data, None, points=2, replicates=3, seed=5)
    alone = Simulation("ndcg-boost", data, replicates=3, seed=5)
    for sim in (runs, alone):
        sim.advance(steps=3)
    for p in range(2):
        np.testing.assert_array_equal(runs.history["ndcg@5"][:, 3 * p : 3 * p + 3], alone.history["ndcg@5"])


@pytest.mark.parametrize(
    "id, sentence",
    [
        (
            "toy-ranking",
            "learning to rank needs at least 3 queries, to train, validate and test; toy-ranking has 1 query",
        ),
        ("news-topics", "learning to rank needs features that are stored in full, but those of news-topics are sparse"),
        ("movies", "learning to rank needs whole rankings, but in movies only the first places count"),
        ("digits", "ndcg-boost needs a ranking data set, got digits, which is for classification"),
    ],
)
def test_data_that_make_no_sense_are_refused(id, sentence):
    with pytest.raises(ValueError) as error:
        Simulation("ndcg-boost", id)
    assert str(error.value) == sentence


@pytest.mark.parametrize("id", IDS)
def test_slices_do_not_change_a_bit(id):
    whole, sliced = (Simulation(id, small(), replicates=2, seed=5) for _ in range(2))
    whole.advance(steps=6)
    for steps in (1, 3, 2):
        sliced.advance(steps=steps)
    for metric in whole.history:
        np.testing.assert_array_equal(whole.history[metric], sliced.history[metric])


# ---- degenerate problems ----------------------------------------------------------------------------------


def degenerate():
    rng = np.random.default_rng(0)
    n, starts = 12, np.array([0, 2, 4, 8, 10, 12])
    x, g = rng.normal(size=(n, 3)), rng.integers(0, 3, n).astype(float)
    alternating = np.tile([0.0, 1.0], n // 2)
    cases = {
        "all grades 0": (x, np.zeros(n)),
        "all grades 1": (x, np.ones(n)),
        "grades up to 100": (x, 100 * alternating),
        "constant features": (np.ones((n, 3)), g),
        "no features to speak of": (np.zeros((n, 3)), g),
        "perfect": (np.stack([alternating] * 2, axis=1), alternating),
        "huge": (np.where(x > 0, 1e30, -1e30), g),
        "tiny": (1e-30 * x, g),
        "single precision": (x.astype(np.float32), g),
    }
    return {name: RankingData(name, {}, x, starts, g[None]) for name, (x, g) in cases.items()}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", list(degenerate()))
@pytest.mark.parametrize("id", IDS)
def test_degenerate_problems_end_in_words(id, name):
    sim = Simulation(id, degenerate()[name], replicates=2)
    sim.advance(steps=8)
    known = {"step-size"} if sim.learner.boosts else set()
    for metric in set(sim.history) - {"surrogate", "objective", "bound", "weak-error", "step-size"} | known:
        assert np.isfinite(sim.history[metric]).all(), metric
    if name in ("all grades 0", "all grades 1", "constant features", "perfect", "no features to speak of"):
        assert all(done.stopped and done.step == 0 for done in sim.last.rounds)
    if name == "perfect" and id == "ndcg-boost":
        assert (sim.history["ndcg@1"][0] == 1).all() and sim.history["step-size"][0, 0] == 10
        assert (sim.history["surrogate"] <= sim.history["bound"] * (1 + 1e-12)).all()


def test_lambdarank_is_what_lightgbm_trains():
    import lightgbm

    sim = Simulation(create("lambdarank", smallest=5, leaves=4, rate=0.2), small(), seed=3)
    sim.advance(steps=6)
    problem = sim.environment.problems[0]
    given = {
        "objective": "lambdarank", "learning_rate": 0.2, "num_leaves": 4, "min_data_in_leaf": 5, "verbosity": -1,
        "deterministic": True, "force_row_wise": True, "num_threads": 1, "label_gain": [0, 1, 3, 7, 15],
    }  # fmt: skip
    train = lightgbm.Dataset(problem.features, label=problem.grades, group=np.diff(problem.starts))
    model = lightgbm.train(given, train, num_boost_round=6)
    np.testing.assert_allclose(sim.environment.scores[0], model.predict(sim.dataset.features), atol=1e-12)
    np.testing.assert_allclose(sim.environment.picked[0], model.feature_importance("gain"), rtol=1e-4)


def test_lambdarank_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(ValueError, match=r"needs LightGBM, .* install it with: pip install lightgbm"):
        Simulation("lambdarank", small())


def test_lambdarank_wants_whole_grades():
    with pytest.raises(ValueError, match="needs grades that are whole numbers"):
        started(create("lambdarank"), np.eye(2), [0.5, 1], [0, 2])


# ---- measured facts ---------------------------------------------------------------------------------------


def final(id, data, rounds=60, replicates=3, metric="ndcg@10", **params):
    sim = Simulation(create(id, **params), data, replicates=replicates, seed=0)
    sim.advance(steps=rounds)
    return sim.history[metric][-1].mean()


def test_boosting_wins_where_the_grades_are_not_linear():
    data = load("web-search", queries=300, documents=20, features=5, relevance="nonlinear")
    boost = final("ndcg-boost", data)
    assert boost >= final("linear-regression-ranking", data) + 0.05
    assert boost >= final("adarank", data) + 0.10


def test_a_linear_ranking_wins_where_features_are_correlated():
    data = load("web-search", queries=300, documents=20, features=20, spectrum="correlated")
    np.testing.assert_allclose(np.corrcoef(data.features[:, :3].T)[0], [1, 0.9, 0.81], atol=0.02)
    boost, svm = final("ndcg-boost", data), final("pairwise-svm", data)
    assert svm >= boost + 0.01 and final("random-scores", data) < boost - 0.3


def test_lambdarank_learns():
    data = load("web-search", queries=100, documents=10, features=4, relevance="nonlinear")
    assert final("lambdarank", data, rounds=30) >= final("random-scores", data) + 0.1


def test_the_order_in_the_file_tells_nothing():
    """Documents sorted by grade, a constant feature and noise: nobody ranks better than chance on the test queries."""
    rng = np.random.default_rng(0)
    queries, n = 60, 20
    x = np.column_stack([np.ones(queries * n), rng.standard_normal(queries * n)])
    grades = np.tile(np.sort(rng.integers(0, 3, n))[::-1], queries).astype(float)
    data = RankingData("sorted", {}, x, np.arange(queries + 1) * n, grades[None])
    for id in ("adarank", "ndcg-boost"):
        sim = Simulation(id, data, replicates=5)
        sim.advance(steps=5)
        assert abs(sim.history["ndcg@5"][-1].mean() - 0.5) < 0.12, id


def test_adarank_of_stumps_ends_when_the_same_stump_comes_again():
    """One feature of two values: the stump is the same in round 2, though its η for the new weights may not be."""
    learner = started(
        create("adarank", weak="stumps"), [[0], [1], [1], [0], [1], [0]], [0, 1, 2, 0, 0, 1], [0, 2, 4, 6]
    )
    assert not learner.round().stopped and learner.round().stopped
