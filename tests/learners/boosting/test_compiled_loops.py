"""Compiled loops of boosting beside the shortest that compute the same."""

from itertools import pairwise

import numpy as np
import pytest

from learners.boosting.learning_to_rank.measures import measure, ranked_queries
from learners.boosting.refinement.pairs import across, both_ways, turned
from learners.boosting.semi_supervised.similarity import add_pairs
from learners.boosting.stumps import Stumps
from learners.boosting.sums import inner
from tests.cases import cases

SEEDS = range(8)


def all_stumps(x, w):
    """η, feature, threshold and side of every stump, by feature, then by threshold."""
    for j in range(x.shape[1]):
        values = np.unique(x[:, j])
        for low, high in pairwise(values):
            eta = float(w[x[:, j] > low].sum())
            yield abs(eta), j, low / 2 + high / 2, eta > 0


@cases("weights", ["random", "ties", "zeros"])
@cases("d", [1, 5])
@cases("seed", SEEDS)
def test_of_equal_stumps_the_first_feature_and_the_least_threshold_win(seed, d, weights):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 30))
    x = rng.integers(0, 5, (n, d)) * rng.choice([1.0, -1 / 1024])
    x[:, -1] = x[:, 0]  # equal features
    w = {"random": rng.normal(size=n), "ties": rng.integers(-1, 2, n).astype(float), "zeros": np.zeros(n)}[weights]
    w -= w.mean()
    every = list(all_stumps(x, w))
    most = max((stump[0] for stump in every), default=0.0)
    found = Stumps(x).best(w)
    if most <= 1e-12:
        assert found is None or found.eta <= 1e-12
        return
    expected = next(stump for stump in every if stump[0] >= most * (1 - 1e-10))
    assert (found.feature, found.threshold, found.above) == expected[1:]
    assert found.eta == pytest.approx(expected[0], rel=1e-12)
    assert (w * found(x)).sum() == pytest.approx(found.eta, rel=1e-9)


def test_a_stump_between_neighbouring_numbers():
    low = np.nextafter(1.0, 2)
    high = np.nextafter(low, 2)  # the number between them would be rounded to this one
    stump = Stumps(np.array([[low], [high]])).best(np.array([-1.0, 1.0]))
    assert stump(np.array([[low], [high]])).tolist() == [0, 1]
    large = Stumps(np.array([[1e308], [1.5e308]])).best(np.array([-1.0, 1.0]))
    assert large.threshold == pytest.approx(1.25e308)


@cases("n", [0, 1, 7, 8, 9, 100])
def test_inner(n):
    x, y = np.random.default_rng(n).normal(size=(2, n))
    assert inner(x, y) == pytest.approx(sum(a * b for a, b in zip(x, y, strict=True)), rel=1e-12, abs=1e-15)


@cases("longest", [1, 5, 16, 17, 33, 200])
@cases("levels", [2, 10**6])
def test_queries_are_ranked_by_falling_score_and_then_in_the_given_order(longest, levels):
    rng = np.random.default_rng(longest)
    lengths = rng.integers(1, longest + 1, 6)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    scores = rng.integers(0, levels, starts[-1]).astype(float)
    given = np.concatenate([a + rng.permutation(b - a) for a, b in pairwise(starts)])
    found = ranked_queries(starts, given, scores)
    for a, b in pairwise(starts):
        assert found[a:b].tolist() == sorted(given[a:b].tolist(), key=lambda i: -scores[i])  # sorted() is stable


@cases("levels", [1, 3, 10**6])
@cases("seed", SEEDS)
def test_measures_of_a_ranking(seed, levels):
    """Gains, and the chance that a document ahead is relevant, are means over the group of tied documents."""
    rng = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.cumsum(rng.integers(1, 40, 5))])
    n = starts[-1]
    scores, gain = rng.integers(0, levels, n).astype(float), rng.integers(0, 4, n).astype(float)
    relevant, discounts = (gain > 0).astype(float), 1 / np.log2(np.arange(2, 42))
    dcg, hits = np.empty((5, 10)), np.empty(5)
    measure(starts, ranked_queries(starts, np.arange(n), scores), scores, gain, relevant, discounts, dcg, hits)
    for q, (a, b) in enumerate(pairwise(starts)):
        s, g, y = scores[a:b], gain[a:b], relevant[a:b]
        falling = np.argsort(-s, kind="stable")
        mean = np.array([g[s == s[i]].mean() for i in falling])
        np.testing.assert_allclose(dcg[q], [(mean * discounts[: b - a])[: k + 1].sum() for k in range(10)], rtol=1e-12)
        expected = 0.0
        for rank, i in enumerate(falling):
            tied, ahead = s == s[i], s > s[i]
            others = (y[tied].sum() - 1) / max(tied.sum() - 1, 1)  # chance that another of the group is relevant
            expected += y[tied].mean() * (y[ahead].sum() + 1 + (rank - ahead.sum()) * others) / (rank + 1)
        assert hits[q] == pytest.approx(expected, rel=1e-12, abs=1e-15)


@cases("seed", SEEDS)
def test_sums_over_the_pairs_of_two_blocks(seed):
    rng = np.random.default_rng(seed)
    n, K, cut = 23, int(rng.integers(2, 6)), int(rng.integers(1, 22))
    S = rng.random((n, n)) * rng.integers(0, 2, (n, n))
    S = S + S.T
    np.fill_diagonal(S, 0)
    b = rng.dirichlet(np.ones(K), n)
    r, V = np.zeros(n), np.zeros((n, K))
    for i in range(n):
        for j in range(n):
            z = b[i] @ b[j]
            r[i] += S[i, j] / z
            V[i] += S[i, j] / z**2 * b[j]
    found_r, found_V = np.zeros(n), np.zeros((K, n))
    for first, other in ((slice(0, cut), slice(0, cut)), (slice(0, cut), slice(cut, n)), (slice(cut, n),) * 2):
        block = np.ascontiguousarray(S[first, other])
        add_pairs(block, np.ascontiguousarray(b.T), first.start, other.start, found_r, found_V)
    np.testing.assert_allclose(found_r, r, rtol=1e-12)
    np.testing.assert_allclose(found_V.T, V, rtol=1e-12)


@cases("n", [1, 2, 9, 40])
def test_sums_over_pairs_of_documents(n):
    rng = np.random.default_rng(n)
    M, (u, v) = rng.random((n, n)), rng.random((2, n))
    f, place = rng.random(n) < 0.4, rng.permutation(n)
    weights = v[:, None] * M * u[None, :]
    rows, columns = np.empty((2, n))
    both_ways(M, u, v, rows, columns)
    np.testing.assert_allclose(rows, weights.sum(axis=1), rtol=1e-12)
    np.testing.assert_allclose(columns, weights.sum(axis=0), rtol=1e-12)
    right, wrong = across(M, u, v, f)
    assert right == pytest.approx(weights[f][:, ~f].sum(), rel=1e-12, abs=1e-15)
    assert wrong == pytest.approx(weights[~f][:, f].sum(), rel=1e-12, abs=1e-15)
    expected = sum(M[i, j] for i in range(n) for j in range(n) if place[j] < place[i])
    assert turned(M, place) == pytest.approx(expected, rel=1e-12, abs=1e-15)
