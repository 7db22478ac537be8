"""NDCG_Boost: rounds by hand, the surrogate and its pairs, Theorems 6 and 7."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import create
from learners.boosting.learning_to_rank import pairs as pairs_module
from learners.boosting.learning_to_rank.base import Queries
from learners.boosting.learning_to_rank.pairs import pairs
from learners.boosting.learning_to_rank.surrogate import Surrogate
from tests.cases import cases
from tests.learners.boosting.learning_to_rank.problems import random_problem, slow, started


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


@cases("seed", range(4))
def test_the_surrogate_is_the_sum_over_pairs(seed):
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


@cases("seed", range(3))
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


@cases("seed", range(12))
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


@cases("equal", [False, True])
@cases("seed", range(6))
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
