"""Logs of clicks, estimates from them, and rankings learned: by hand, without bias, with coverage, and safely."""

import itertools

import numpy as np
import pytest

from learners.off_policy import learn, value
from learners.off_policy.log import RANDOM, Log, Policy, counts, make_log
from learners.off_policy.propensity import by_em, by_swaps
from learners.random import Stream
from tests.cases import cases

RELEVANCE = np.array([0.1, 0.8, 0.3, 0.6, 0.2, 0.45])
LOOKS = 1 / np.arange(1.0, 7)
LOGGING, TARGET = Policy(np.array([1, 3, 5, 2, 0, 4]), 0.2), Policy(np.argsort(-RELEVANCE), 0.2)
TRUTH = (TARGET.chances() * LOOKS * RELEVANCE[:, None]).sum()


def logs(interactions, replicates=1, seed=1):
    return make_log(LOGGING, RELEVANCE, LOOKS, interactions, Stream(np.random.default_rng(seed), replicates))


# ---- the log


def test_the_chances_are_the_shares_of_what_is_shown():
    """Over 200,000 lists, within five standard errors; rows and columns add up to 1."""
    shown, _ = counts(logs(200_000))
    expected = LOGGING.chances()
    np.testing.assert_allclose(expected.sum(axis=0), 1)
    np.testing.assert_allclose(expected.sum(axis=1), 1)
    error = np.sqrt(expected * (1 - expected) / 200_000)
    assert (np.abs(shown[0] / 200_000 - expected) < 5 * error + 1e-12).all()


def test_a_log_by_loops():
    log = logs(50, replicates=2)
    shown, clicked = counts(log)
    for r, t in itertools.product(range(2), range(50)):
        row, base = log.shown[r, t], LOGGING.ranking
        assert sorted(row) == list(range(6))
        if log.pairing[r, t] != RANDOM:
            moved = [k for k in range(6) if row[k] != base[k]]
            assert all(row[k] == base[k ^ 1 if log.pairing[r, t] == 0 else ((k - 1) ^ 1) + 1] for k in moved)
    for r, d, k in itertools.product(range(2), range(6), range(6)):
        assert shown[r, d, k] == (log.shown[r, :, k] == d).sum()
        assert clicked[r, d, k] == ((log.shown[r, :, k] == d) & log.clicks[r, :, k]).sum()


def test_replicates_of_a_sweep_have_the_same_log():
    alone, sweep = (
        make_log(LOGGING, RELEVANCE, LOOKS, 20, Stream(np.random.default_rng(3), R, points=P))
        for R, P in ((2, 1), (6, 3))
    )
    for one, all_ in zip(alone, sweep, strict=True):
        np.testing.assert_array_equal(np.tile(one, (3, 1, 1)[: one.ndim]), all_)


# ---- propensities


def test_neighbours_that_are_exchanged_tell_how_places_are_looked_at():
    """3PR's perturbation alone, without random orders: θ_{k+1}/θ_k by clicks below over clicks above, and by EM."""
    policy = Policy(LOGGING.ranking, 0.0)
    log = make_log(policy, RELEVANCE, LOOKS, 20_000, Stream(np.random.default_rng(0), 20))
    np.testing.assert_allclose(by_swaps(log).mean(axis=0), LOOKS, rtol=0.06)
    theta, relevance = by_em(log, rounds=400)
    np.testing.assert_allclose(theta.mean(axis=0), LOOKS, rtol=0.06)
    np.testing.assert_allclose(relevance.mean(axis=0), RELEVANCE, rtol=0.06)


def test_swaps_by_hand():
    """Two lists in pairs (1, 2): clicks on place 1, then on place 2 and 1: θ_2/θ_1 = 1/2. (2, 3) was never a pair."""
    log = Log(np.array([[[0, 1, 2], [1, 0, 2]]]), np.array([[[1, 0, 0], [1, 1, 1]]], dtype=bool), np.array([[0, 0]]))
    np.testing.assert_array_equal(by_swaps(log), [[1, 0.5, np.nan]])


def test_a_round_of_em_never_makes_the_log_less_likely():
    log = logs(300, replicates=5)
    shown, clicked = counts(log)
    before = -np.inf
    for rounds in range(1, 30):
        theta, r = by_em(log, rounds)
        p = np.clip(theta[:, None, :] * r[:, :, None], 1e-300, 1 - 1e-15)
        likely = (clicked * np.log(p) + (shown - clicked) * np.log1p(-p)).sum(axis=(1, 2))
        assert (likely >= before - 1e-9).all()
        before = likely


# ---- values


def slow(log, r, target, logging, model=None):
    """IPS, SNIPS and DR of one log, in plain loops."""
    N, n = log.shown.shape[1:]
    plain = robust = 0.0
    clicks, weight = [0.0] * n, [0.0] * n
    for t, k in itertools.product(range(N), range(n)):
        d = log.shown[r, t, k]
        w, c = target[d, k] / logging[d, k], float(log.clicks[r, t, k])
        plain += w * c / N
        clicks[k] += w * c
        weight[k] += w
        robust += w * (c - model[d, k]) / N
    robust += sum(target[d, k] * model[d, k] for d in range(n) for k in range(n))
    return plain, sum(c / w for c, w in zip(clicks, weight, strict=True)), robust


def test_values_agree_with_plain_loops():
    log, model = logs(40, replicates=3), np.random.default_rng(5).random((6, 6))
    P, P0 = TARGET.chances(), LOGGING.chances()
    found = value.ips(log, P, P0), value.snips(log, P, P0), value.doubly_robust(log, P, P0, model)
    for r in range(3):
        np.testing.assert_allclose([estimate.value[r] for estimate in found], slow(log, r, P, P0, model), rtol=1e-12)


def test_estimates_have_no_bias():
    """Over 400 logs of 250 interactions, 10⁵ in all, within four standard errors; with any model, also a bad one."""
    log, P, P0 = logs(250, replicates=400), TARGET.chances(), LOGGING.chances()
    for estimate in (value.ips(log, P, P0), value.doubly_robust(log, P, P0, np.full((6, 6), 0.3))):
        error = estimate.value.std() / np.sqrt(400)
        assert abs(estimate.value.mean() - TRUTH) < 4 * error
    assert abs(value.snips(log, P, P0).value.mean() - TRUTH) < 0.02  # its bias is of the order 1/N


@pytest.mark.parametrize("interactions", [20, 400])
def test_intervals_hold_the_value_as_often_as_they_say(interactions):
    """In 95 % of 400 logs or a little more often; the benchmark takes 1000 logs of several sizes."""
    log, P, P0 = logs(interactions, replicates=400, seed=7), TARGET.chances(), LOGGING.chances()
    first, second = value.halves(log)
    theta, r = by_em(first, 100)
    robust = value.doubly_robust(second, P, P0, theta[:, None, :] * r[:, :, None])
    for estimate in (value.ips(log, P, P0), value.snips(log, P, P0), robust):
        share = ((estimate.low <= TRUTH) & (estimate.high >= TRUTH)).mean()
        assert 0.94 < share < 0.99


def slow_end(D, W, N, m, side):
    """The last p on one side of D from which D is 1.96 deviations away, by halving, and half a click on."""
    inner, outer = min(max(D, 0), 1), 1e6 * side
    for _ in range(200):
        p = (inner + outer) / 2
        if (D - p) ** 2 <= value.Z**2 * (W * p * (1 - p) + (W - 1) * (p - m) ** 2) / N:
            inner = p
        else:
            outer = p
    return min(max(inner + side * W / (2 * N), 0), 1)


@cases(("D", "W", "N", "m"), [(0.3, 1, 12, 0), (0.1, 100, 500, 0), (0.2, 100, 500, 0.15)])
def test_an_interval_holds_all_chances_from_which_the_estimate_is_not_far(D, W, N, m):
    found = value.Estimate.of(np.array([[D]]), W, N, m)
    np.testing.assert_allclose([found.low[0], found.high[0]], [slow_end(D, W, N, m, side) for side in (-1, 1)])
    twice = value.Estimate.of(np.array([[D, D]]), W, N, m)
    np.testing.assert_allclose(twice.high - 2 * D, np.sqrt(2) * (found.high - D))


def test_clicks_that_are_rare_and_have_not_come_are_in_the_interval():
    """Each click counts a hundredfold, and half of the logs have none: s/√N is 0 there, and an interval of it wrong."""
    policy, target = Policy(np.arange(10), 0.1), np.eye(10)[::-1]
    relevance, looks = np.full(10, 0.05), 1 / np.arange(1.0, 11)
    log = make_log(policy, relevance, looks, 50, Stream(np.random.default_rng(3), 500))
    estimate, truth = value.ips(log, target, policy.chances()), (looks * relevance).sum()
    each = (value.weights(log, target, policy.chances()) * log.clicks).sum(axis=2)
    half = value.Z * each.std(axis=1, ddof=1) / np.sqrt(50)
    assert (np.abs(each.mean(axis=1) - truth) <= half).mean() < 0.5
    assert ((estimate.low <= truth) & (truth <= estimate.high)).mean() > 0.94


def test_what_no_log_can_tell_is_refused():
    narrow = Policy(np.arange(6), 0.0).chances()
    with pytest.raises(ValueError, match="the logging policy must show every document wherever"):
        value.ips(logs(5), TARGET.chances(), narrow)


# ---- rankings


def best_by_trying(estimate, ranking, discounts, bound, relative):
    """The largest objective of PRPO over all permutations, in plain loops."""
    mean, old = estimate.mean() if relative else 0.0, dict(zip(ranking.tolist(), discounts, strict=True))

    def objective(order):
        total = 0.0
        for d, omega in zip(order, discounts, strict=True):
            ratio, reward = omega / old[d], estimate[d] - mean
            total += reward * old[d] * (min(ratio, bound) if reward >= 0 else max(ratio, 1 / bound))
        return total

    return objective, max(map(objective, itertools.permutations(range(len(ranking)))))


@cases("relative", [True, False])
@cases("bound", [1.0, 1.2, 2.0, 1e9])
def test_safe_rankings_are_the_best_of_all(bound, relative):
    discounts = 1 / np.log2(np.arange(2, 7))
    for seed in range(10):
        rng = np.random.default_rng(seed)
        estimate, ranking = rng.random(5), rng.permutation(5)
        found = learn.safe(estimate[None], ranking, discounts, bound, relative)[0]
        objective, best = best_by_trying(estimate, ranking, discounts, bound, relative)
        assert objective(found) == pytest.approx(best, abs=1e-10)
        if bound == 1.0:
            assert found.tolist() == ranking.tolist()
        if bound == 1e9:
            assert found.tolist() == np.argsort(-estimate).tolist()


def test_plain_rewards_lose_no_more_than_the_bound_allows_however_wrong_they_are():
    """At most (bound − 1) max(r / r̂) Σ ω₀ r̂, for an adversary who turns the list round and for any other rewards.

    Relative rewards lose much at once: an adversary exchanges good documents for bad ones at any bound above 1.
    """
    ranking, discounts = np.arange(10), 1 / np.log2(np.arange(2, 12))
    for seed in range(5):
        rng = np.random.default_rng(seed)
        relevance = np.sort(rng.beta(1, 3, 10))[::-1]
        wrong = np.concatenate([1 - relevance[None], rng.uniform(0.1, 1, (50, 10)), rng.exponential(size=(50, 10))])
        most = (relevance / wrong).max(axis=1) * (discounts * wrong).sum(axis=1)
        lost = {}
        for bound in (1.0, 1.01, 1.1, 1.5, 1e9):
            for relative in (False, True):
                found = learn.safe(wrong, ranking, discounts, bound, relative)
                lost[relative, bound] = (discounts * relevance).sum() - (discounts * relevance[found]).sum(axis=1)
            assert (lost[False, bound] <= (bound - 1) * most + 1e-12).all()
        turned = lost[False, 1e9][0]
        assert lost[False, 1.01][0] < 0.01 * turned and lost[True, 1.01][0] > 0.2 * turned
        assert (lost[True, 1.0] == 0).all() and (lost[False, 1.0] == 0).all()


def test_estimated_relevance_has_no_bias():
    log, P0 = logs(250, replicates=400), LOGGING.chances()
    for estimate in (learn.relevance_by_ips, learn.relevance_doubly_robust):
        found = estimate(log, P0, LOOKS)
        assert (np.abs(found.mean(axis=0) - RELEVANCE) < 4.5 * found.std(axis=0) / 20).all()
    clipped = learn.relevance_by_ips(log, P0, LOOKS, clip=0.5)
    assert (clipped <= learn.relevance_by_ips(log, P0, LOOKS) + 1e-12).all()


def gains(interactions, seeds=100, n=10):
    """The gain of each way of learning over the logging policy, on 100 lists that were ranked well, (seeds,) each."""
    looks, discounts = 1 / np.arange(1.0, n + 1), 1 / np.log2(np.arange(2, n + 2))
    found = {name: [] for name in ("naive", "ips", "doubly robust", "safe")}
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        relevance = rng.beta(1, 3, n)
        policy = Policy(np.argsort(-(relevance + 0.1 * rng.normal(size=n))))
        P0, log = policy.chances(), make_log(policy, relevance, looks, interactions, Stream(rng, 1))
        before = (P0 * discounts * relevance[:, None]).sum()
        estimate = learn.relevance_doubly_robust(log, P0, looks)
        rankings = {
            "naive": learn.naive(log), "ips": learn.inverse_propensity(log, P0, looks),
            "doubly robust": learn.doubly_robust(log, P0, looks),
            "safe": learn.safe(estimate, policy.ranking, discounts, bound=1.2),
        }  # fmt: skip
        for name, ranking in rankings.items():
            found[name].append((discounts * relevance[ranking[0]]).sum() - before)
    return {name: np.array(each) for name, each in found.items()}


def test_safe_learning_never_falls_below_the_logging_policy():
    """CIKM 2024: PRPO keeps safe where inverse propensities fall. With 100 interactions IPS ends below the logging
    policy in 15 of 100 seeds, PRPO with bound 1.2 in none; with 5000 IPS gains more, since it may move farther."""
    few, many = gains(100), gains(5000, seeds=30)
    assert (few["safe"] > 0).all() and (few["ips"] < 0).sum() >= 10 and (few["doubly robust"] < 0).sum() >= 10
    assert (
        many["ips"].min() > 0 and many["ips"].mean() > many["safe"].mean() and many["ips"].mean() > many["naive"].mean()
    )
