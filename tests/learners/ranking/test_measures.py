"""Measures of a ranking, the history that keeps them, and ranking stability."""

import itertools
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from datasets import load
from datasets.ranking import RankingData
from learners import Simulation
from learners.metric import Metric
from learners.ranking.measured.stability import PAIRS, RankingLook, Stability, kept, pairs_of
from learners.ranking.searches.measures import dcg, flips, ndcg, rank_of_best
from learners.ranking.step.features import Features
from learners.run.history import History

X, Y = (Metric(id, id.upper(), "A running value.") for id in "xy")

many = settings(max_examples=60, deadline=None)


# ---- one ranking ---------------------------------------------------------------------------------------


def test_dcg_by_hand():
    """Grades 3 0 1 0 2 4: 7/1 + 0 + 1/2 + 0 + 3/log2 6 = 8.6606; the sixth is beyond 5. Padding (−1) adds nothing."""
    grades = np.array([3.0, 0, 1, 0, 2, 4])
    assert dcg(grades, 5) == pytest.approx(7 + 0.5 + 3 / np.log2(6))
    assert dcg(grades, 1) == 7 and dcg(grades, 6) == pytest.approx(dcg(grades, 5) + 15 / np.log2(7))
    assert dcg(np.array([3.0, 0, 1, -1, -1]), 5) == 7.5
    assert dcg(np.array([[2.0, 1.0], [0.0, 1.0]]), 5).tolist() == [3 + 1 / np.log2(3), 1 / np.log2(3)]


@many
@given(st.lists(st.integers(0, 4), min_size=2, max_size=12).filter(any), st.integers(1, 12), st.integers(0, 10**6))
def test_ndcg_equals_scikit_learn(grades, k, seed):
    grades = np.array(grades, dtype=float)
    order = np.random.default_rng(seed).permutation(len(grades))
    ideal = dcg(-np.sort(-grades), k)
    ours = float(ndcg(grades[order], ideal, k))
    scores = -np.argsort(order).astype(float)  # highest for the document shown first
    assert ours == pytest.approx(ndcg_score([2**grades - 1], [scores], k=k))
    assert 0 <= ours <= 1 + 1e-12
    padded = np.concatenate([grades[order], [-1.0, -1.0]])
    assert float(ndcg(padded, ideal, k)) == pytest.approx(ours)


def test_ndcg_is_1_for_the_best_ranking_and_0_where_nothing_is_relevant():
    grades = np.array([[4.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    assert ndcg(grades, dcg(grades, 5), 5).tolist() == [1.0, 0.0]


def test_rank_of_best_is_that_of_the_first_of_the_best():
    assert rank_of_best(np.array([[0.0, 1.0, 3.0, 3.0], [1.0, 0.0, -1.0, -1.0]])).tolist() == [3, 1]


def looks(top, order):
    return RankingLook(np.array(top), np.array(order, dtype=np.int8))


def test_overlap_by_hand():
    """Two queries with top lists of 2 and 1: one of two and one of one in common, 10 · (½ + 1)/2 = 7.5."""
    a = np.array([[True, True, False, False], [True, False, False, False]])
    b = np.array([[True, False, False, True], [True, False, False, False]])
    none = np.zeros((2, 1))
    assert kept(looks([a, a], none), looks([b, a], none))[:, 0].tolist() == [7.5, 10.0]


def test_order_kept_by_hand():
    """Of four pairs with an order two keep it, one is turned round and one is tied; a new order does not count."""
    before, after = np.array([1, -1, 1, 1, 0]), np.array([1, -1, -1, 0, 1])
    top, nothing = np.ones((4, 1, 1), dtype=bool), np.zeros(5)
    found = kept(looks(top, [before, before, before, nothing]), looks(top, [after, before, -before, after]))
    np.testing.assert_array_equal(found[:, 1], [0.5, 1, 0, np.nan])


# ---- flips ---------------------------------------------------------------------------------------------


def slow_flips(rank, documents, up):
    """One replicate, step by step."""
    found = []
    for r, n in zip(rank, documents, strict=True):
        fell = up and r > n / 2
        found.append(int(fell))
        up = True if r == 1 else False if r > n / 2 else up
    return found, up


def test_flips_by_hand():
    """Of ten: 1 (up), 5 (between), 6 (lower half: a flip), 7 (still down), 3, 1 (up), 10 (a flip), 10."""
    rank = np.array([1, 5, 6, 7, 3, 1, 10, 10])[:, None]
    fell, up = flips(rank, np.full((8, 1), 10), np.array([False]))
    assert fell.ravel().tolist() == [0, 0, 1, 0, 0, 0, 1, 0] and up.tolist() == [False]
    fell, up = flips(np.array([[3], [2]]), np.array([[10], [3]]), np.array([True]))  # 2 of 3 is the lower half
    assert fell.ravel().tolist() == [0, 1]
    fell, up = flips(np.array([[4], [5]]), np.full((2, 1), 10), np.array([True]))  # neither end: it stays up
    assert fell.sum() == 0 and up.tolist() == [True]


@many
@given(st.integers(0, 10**6), st.integers(1, 30), st.integers(1, 4))
def test_flips_equal_a_state_machine_however_they_are_sliced(seed, steps, replicates):
    rng = np.random.default_rng(seed)
    documents = rng.integers(2, 9, size=(steps, replicates))
    rank = rng.integers(1, documents + 1)
    up = rng.random(replicates) < 0.5
    fell, after = flips(rank, documents, up)
    for r in range(replicates):
        expected, last = slow_flips(rank[:, r], documents[:, r], up[r])
        assert fell[:, r].tolist() == expected and after[r] == last
    cut = int(rng.integers(0, steps + 1))
    if 0 < cut < steps:
        first, middle = flips(rank[:cut], documents[:cut], up)
        second, end = flips(rank[cut:], documents[cut:], middle)
        np.testing.assert_array_equal(np.concatenate([first, second]), fell)
        np.testing.assert_array_equal(end, after)


# ---- stability -----------------------------------------------------------------------------------------


def world(lengths, d=4, seed=0):
    rng = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    features = rng.normal(size=(starts[-1], d))
    return RankingData("world", {}, features, starts, rng.integers(0, 3, size=(1, starts[-1])).astype(float))


@pytest.mark.parametrize("lengths", [[25] * 6, [25, 12, 5, 2, 3, 24], [4, 4, 4]])
def test_stability_compares_weights_a_hundred_steps_apart_once_in_fifty(lengths):
    """w after t steps against w after t − 100, at t = 100, 150, 200, …; in between the latest value stands.

    The top list of a query has min(10, n // 2) documents. There is room for all pairs of these queries.
    """
    data, replicates = world(lengths), 3
    weights = np.random.default_rng(1).normal(size=(261, replicates, 4)).cumsum(axis=0)  # after 0 … 260 steps
    stability = Stability(data, Features.of(data.features), replicates, np.random.default_rng(2), weights[0])

    def top(w, query):
        rows = data.documents(query)
        scores = [float(data.features[row] @ w) for row in rows]
        return set(sorted(range(len(rows)), key=lambda i: -scores[i])[: min(10, len(rows) // 2)])

    def expected(t, r):
        if t < 100:
            return np.nan
        shares = []
        for q in range(data.queries):
            a, b = top(weights[t - 100, r], q), top(weights[t, r], q)
            shares.append(10 * len(a & b) / len(a))
        return np.mean(shares)

    def standing(measure):
        latest = {t: [measure(t, r) for r in range(replicates)] for t in range(0, 261, 50)}
        return [latest[t // 50 * 50] for t in range(1, 261)]

    found, ends = [], [0, 30, 99, 177, 260]
    for before, end in itertools.pairwise(ends):
        bins = [weights[t] for t in range(before + 1, end + 1) if t % 50 == 0]
        found.append(stability.values(before, end - before, bins))
    found = np.concatenate(found)
    overlap, kept = found[:, :, 0], found[:, :, 1]
    wanted = standing(expected)
    np.testing.assert_allclose(overlap, wanted)
    assert np.nanmin(overlap) >= 0 and np.nanmax(overlap) <= 10 and np.nanstd(overlap) > 0
    wanted = standing(partial(same_order, data, weights))
    np.testing.assert_allclose(kept, wanted)
    assert np.nanmin(kept) >= 0 and np.nanmax(kept) <= 1 and np.nanstd(kept) > 0


def same_order(data, weights, t, r):
    """The share of all pairs of all queries in the same order by the weights (t, R, d) after t and t − 100 steps."""
    if t < 100:
        return np.nan
    t, same = t // 50 * 50, []
    for query in range(data.queries):
        rows = data.documents(query)
        old, new = (data.features[rows] @ weights[at, r] for at in (t - 100, t))
        for i, j in itertools.combinations(range(len(rows)), 2):
            if old[i] != old[j]:
                same.append(float(np.sign(old[i] - old[j]) == np.sign(new[i] - new[j])))
    return np.mean(same)


def test_a_flip_of_the_toy_turns_every_pair_round():
    """Only d1 differs: the pairs that count are those with d1, which all turn when it falls to the bottom."""
    data = load("toy-ranking", documents=7)
    stability = Stability(data, Features.of(data.features), 2, np.random.default_rng(0), np.array([[1.0, -1.0]] * 2))
    up, down = [1.0, 0.0], [0.0, 1.0]
    found = stability.values(0, 200, np.array([[up, up], [up, down], [up, down], [down, up]]))
    assert np.isnan(found[:99]).all()
    assert found[[99, 149, 199], :, 1].tolist() == [[1.0, 0.0], [1.0, 0.0], [0.0, 0.0]]
    assert found[99, :, 0].tolist() == [10.0, pytest.approx(20 / 3)], "its top three share two, so it hardly shows"


@many
@given(st.integers(2, 90), st.integers(0, 10**6))
def test_pairs_are_all_pairs_or_as_many_random_ones_of_two_documents_each(n, seed):
    pairs = pairs_of(n, 50, np.random.default_rng(seed))
    assert pairs.shape == (min(50, n * (n - 1) // 2), 2) and (pairs[:, 0] != pairs[:, 1]).all()
    assert pairs.min() >= 0 and pairs.max() < n
    if n <= 10:
        assert len(set(map(tuple, pairs.tolist()))) == n * (n - 1) // 2


def test_random_pairs_stand_for_all_pairs():
    data = world([200] * 2)
    stability = Stability(data, Features.of(data.features), 1, np.random.default_rng(0), None)
    assert stability.look(np.ones((1, 4))).order.shape == (1, PAIRS)
    weights = np.random.default_rng(1).normal(size=(2, 1, 4))
    stability._looks = [stability.look(w) for w in (weights[0], weights[0])]
    kept = stability.values(50, 50, weights[1:])[-1, 0, 1]
    path = np.concatenate([weights[:1]] * 100 + [weights[1:]])
    assert kept == pytest.approx(same_order(data, path, 100, 0), abs=0.04)


def test_stability_looks_at_a_hundred_queries_at_most_and_at_no_weights_if_there_are_none():
    data, few = world([3] * 150), world([3] * 5)
    stability = Stability(data, Features.of(data.features), 2, np.random.default_rng(0), np.zeros((2, 4)))
    assert stability.look(np.zeros((2, 4))).top.shape == (2, 100, 3)
    silent = Stability(few, Features.of(few.features), 2, np.random.default_rng(0), None)
    assert np.isnan(silent.values(0, 200, [])).all()
    sim = Simulation("random-ranking", few, "cascade", replicates=2)
    sim.advance(200)
    assert np.isnan(sim.history["top10-overlap"]).all() and np.isnan(sim.history["order-kept"]).all()


# ---- history -------------------------------------------------------------------------------------------


def test_history_keeps_every_row_while_it_grows():
    rng = np.random.default_rng(0)
    everything = rng.normal(size=(1500, 3))
    history, at = History(3), 0
    for size in (1, 64, 191, 1, 300, 500, 443):
        early = history["x"] if at else None
        kept = None if early is None else early.copy()
        history.append({X: everything[at : at + size], Y: np.full((size, 3), np.nan)})
        at += size
        np.testing.assert_array_equal(history["x"], everything[:at])
        assert history.steps == at and history["y"].shape == (at, 3)
        if early is not None:
            np.testing.assert_array_equal(early, kept)
    assert at == 1500 and list(history) == ["x", "y"] and len(history) == 2
    with pytest.raises(ValueError):
        history["x"][0, 0] = 1.0
    with pytest.raises(KeyError, match=r"no metric 'z'.*x, y"):
        history["z"]


def test_frame_is_tidy():
    history = History(2)
    assert history.frame().empty and history.frame().columns.tolist() == ["step", "replicate", "metric", "value"]
    history.append({X: np.arange(10.0).reshape(5, 2), Y: -np.arange(10.0).reshape(5, 2)})
    frame = history.frame(every=2)
    assert frame["step"].unique().tolist() == [2, 4] and len(frame) == 2 * 2 * 2
    row = frame[(frame["step"] == 4) & (frame["replicate"] == 1)].set_index("metric")["value"]
    assert row.to_dict() == {"x": 7.0, "y": -7.0}
