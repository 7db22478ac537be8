"""Dueling bandits of a fixed list, and the user who compares: by hand, against slow ones, and what the papers claim."""

from math import cos, exp, log, pi, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import beta as posterior
from scipy.stats import kstest

import datasets
from learners import Simulation, create, create_user
from learners.random import Stream
from learners.ranking.base import Feedback
from learners.ranking.fixed_list.duel import beta, uniform
from learners.ranking.fixed_list.tsallis import draw, weigh
from learners.ranking.users.base import View
from learners.ranking.users.bradley_terry import prefers
from tests.cases import cases
from tests.learners.ranking.test_tables import lists, start, step

few = settings(max_examples=30, deadline=None)


# ---- the user


def test_preferences_by_hand():
    """σ(1/½) = 1/(1 + e⁻²); with ties θ = 1, σ(2 − 1), σ(−2 − 1), else neither; it is sure at τ = 0."""
    assert prefers(1.0, 0.5, 0.0) == pytest.approx(1 / (1 + exp(-2)))
    assert prefers(1.0, 0.5, 1.0) == pytest.approx(1 / (1 + exp(-1)))
    assert prefers(-1.0, 0.5, 1.0) == pytest.approx(1 / (1 + exp(3)))
    assert [prefers(gap, 0.0, 1.0) for gap in (0.1, 0.0, -0.1)] == [1, 0, 0]
    assert prefers(-1e9, 1e-3, 0.0) == pytest.approx(0)


@pytest.mark.parametrize("ties", [0.0, 0.7])
def test_shares_of_clicks_are_those_of_the_model(ties):
    """Over 20,000 comparisons, within five standard errors; and the same decision in either order."""
    R, gap, tau = 20_000, 0.8, 0.5
    context = lists(3, replicates=R)
    utility = np.tile([0.3 + gap, 0.3, 9.0], (R, 1))
    user = create_user("bradley-terry", temperature=tau, ties=ties)
    found = []
    for order in ([0, 1, 2], [1, 0, 2]):
        view = View(np.tile(order, (R, 1)), np.zeros((R, 3)), utility, context)
        found.append(user.respond(view, Stream(np.random.default_rng(0), R)))
    assert (found[0].clicks[:, 0] == found[1].clicks[:, 1]).all() and not found[0].clicks[:, 2].any()
    assert (found[0].judged[:, 2] == -1).all() and not found[0].clicks[:, :2].all(axis=1).any()
    for place, sign in ((0, 1), (1, -1)):
        p = 1 / (1 + exp(ties - sign * gap / tau))
        assert abs(found[0].clicks[:, place].mean() - p) < 5 * sqrt(p * (1 - p) / R)


# ---- random numbers and chances


def test_numbers_of_a_seed_are_those_of_splitmix():
    def slow(seed, i):
        z = (int(seed * 2**53) + (i + 1) * 0x9E3779B97F4A7C15) % 2**64
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        return (((z ^ (z >> 31)) >> 11) + 0.5) / 2**53

    for seed in (0.0, 0.123456789, 0.999999):
        assert [uniform(seed, i) for i in (0, 1, 77, 10**7)] == [slow(seed, i) for i in (0, 1, 77, 10**7)]


@cases(("wins", "losses"), [(0, 0), (3, 1), (40, 60)])
def test_draws_have_the_posterior(wins, losses):
    seeds = np.random.default_rng(wins).random(5000)
    found = [beta(wins, losses, seed, i % 50) for i, seed in enumerate(seeds)]
    assert kstest(found, posterior(wins + 1, losses + 1).cdf).pvalue > 0.001


@given(st.lists(st.floats(0, 1e4), min_size=2, max_size=20), st.floats(1e-3, 2))
def test_chances_solve_the_problem_of_tsallis(losses, eta):
    """p = 4/(η(L − x))², with the x of a root finder; they add up to 1."""
    losses, p = np.array(losses), np.empty(len(losses))
    weigh(losses, eta, p)
    total = lambda x: (4 / (eta * (losses - x)) ** 2).sum() - 1  # noqa: E731
    low = losses.min()
    x = brentq(total, low - 2.0001 * sqrt(len(p)) / eta, low - 1.9999 / eta, xtol=1e-13 * max(1, low))
    np.testing.assert_allclose(p, 4 / (eta * (losses - x)) ** 2, rtol=1e-6, atol=1e-9)
    assert p.sum() == pytest.approx(1, abs=1e-12)
    assert [draw(np.array([0.2, 0.3, 0.5]), u) for u in (0.0, 0.2, 0.49, 0.51, 1.0)] == [0, 1, 1, 2, 2]


# ---- the learners


@few
@given(st.integers(0, 10**6), st.integers(2, 6), st.sampled_from([0.3, 1.0]))
def test_double_thompson_against_a_slow_one(seed, n, alpha):
    """Algorithm 1 in plain loops, with a gamma by Marsaglia and Tsang, and the learner's numbers."""
    rng, context = np.random.default_rng(seed), lists(n)
    rows = [rng.random(n + 2) for _ in range(60)]
    learner = start(create("double-thompson", alpha=alpha), context, *rows)
    B = np.zeros((n, n))

    def gamma(a, at, i):
        while True:
            x = sqrt(-2 * log(uniform(at, i))) * cos(2 * pi * uniform(at, i + 1))
            v = (1 + x / sqrt(9 * (a - 1 / 3))) ** 3
            if v > 0 and log(uniform(at, i + 2)) < x * x / 2 + (a - 1 / 3) * (1 - v + log(v)):
                return (a - 1 / 3) * v
            i += 3

    def theta(i, j, at, number):
        a, b = gamma(B[i, j] + 1, at, 2000 * number), gamma(B[j, i] + 1, at, 2000 * number + 1000)
        return a / (a + b)

    for t, row in enumerate(rows, 1):
        N, at = B + B.T, row[n + 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            share, width = np.where(N, B / N, 0.5), np.where(N, np.sqrt(alpha * log(t) / N), 0.5)
        may = [sum(share[i, j] + width[i, j] > 0.5 for j in range(n) if j != i) for i in range(n)]
        beats = [0] * n
        for i in range(n):
            for j in range(i + 1, n):
                beats[i if theta(i, j, at, i * n + j) > 0.5 else j] += 1
        first = max((i for i in range(n) if may[i] == max(may)), key=lambda i: (beats[i], row[i]))
        fits = {i: share[i, first] - width[i, first] <= 0.5 for i in range(n)}
        others = [i for i in range(n) if i != first]
        second = max(others, key=lambda i: (fits[i], theta(i, first, at, n * n + i)))
        pair = [first, second] if row[n] < 0.5 else [second, first]
        won = pair[int(rng.random() < 0.3)] if rng.random() < 0.9 else None
        shown, _ = step(learner, context, *([] if won is None else [won]))
        assert shown[:2] == pair and sorted(shown) == list(range(n))
        if won is not None:
            B[won, pair[0] + pair[1] - won] += 1
        np.testing.assert_array_equal(learner.tally[0].reshape(n, n), B)


@few
@given(st.integers(0, 10**6), st.integers(2, 6))
def test_versatile_duels_against_a_slow_one(seed, n):
    rng, context = np.random.default_rng(seed), lists(n)
    rows = [rng.random(n + 3) for _ in range(60)]
    learner, L = start(create("versatile-duel"), context, *rows), np.zeros((2, n))
    for t, row in enumerate(rows, 1):
        p = np.empty((2, n))
        for side in range(2):
            weigh(L[side], 2 / sqrt(t), p[side])
        drawn = [int((np.cumsum(p[side]) <= row[n + side]).sum()) for side in range(2)]
        won = int(rng.integers(-1, 2))
        presented = learner.present(context)
        shown = presented.ranking[0].tolist()
        other = drawn[1] if drawn[0] != drawn[1] else None
        assert set(shown[:2]) >= {drawn[0]} and (other is None or set(shown[:2]) == set(drawn))
        assert (shown[0] == drawn[0]) == (row[n + 2] < 0.5) and sorted(shown) == list(range(n))
        first_lost = 0.5 if won < 0 or other is None else float(won == 1)
        winner = None if won < 0 else drawn[0] if won == 0 else next(d for d in shown[:2] if d != drawn[0])
        clicks = np.array([[winner == d for d in shown]])
        learner.update(context, presented, Feedback(clicks=clicks))
        L[0, drawn[0]] += first_lost / p[0, drawn[0]]
        L[1, drawn[1]] += (1 - first_lost) / p[1, drawn[1]]
        np.testing.assert_allclose(learner.tally[0, : 2 * n].reshape(2, n), L, rtol=1e-12)


def regret(id, steps, temperature=1.0, replicates=20):
    """The share of places in duels that went to another than the best, by step, in a list with one good document."""
    sim = Simulation(
        id,
        datasets.load("toy-ranking", documents=10),
        create_user("bradley-terry", temperature=temperature),
        replicates=replicates,
        seed=1,
    )
    sim.advance(steps=steps)
    return 1 - (sim.history["rank-of-best"] <= 2).mean(axis=1)


def test_regret_grows_as_the_papers_say():
    """D-TS: O(K log T + K² log log T); Versatile-DB: O(Σ log T/Δ_i). So the share of duels without the best document
    falls about as 1/T: from the first to the second half of 4000 steps to less than a third. Of the two, Thompson
    sampling leaves it out less often, as it is not made for users who change."""
    found = {id: regret(id, 4000) for id in ("double-thompson", "versatile-duel")}
    for id, share in found.items():
        assert share[2000:].mean() < share[:2000].mean() / 3, id
    assert found["double-thompson"].mean() < found["versatile-duel"].mean()


def test_comparisons_teach_nobody_who_takes_them_for_the_best():
    """The perceptron takes a preference between two documents for a click on the best, and loses the best document."""
    sims = [
        Simulation(id, "toy-ranking", "bradley-terry", replicates=5, seed=0)
        for id in ("double-thompson", "preference-perceptron")
    ]
    for sim in sims:
        sim.advance(steps=1500)
    good, lost = (sim.history["rank-of-best-predicted"][-1] for sim in sims)
    assert (good == 1).all() and (lost > 1).all()
