"""NDCG: what its rules for ties, for queries without relevant documents and for LETOR's discount come to."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from datasets.ranking import RankingData
from learners import Simulation, create_user
from learners.ndcg import discounts, expected_ndcg, first_of_ties, ndcg, shared
from pages.ui.draw.ranking_data import headroom

queries = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=2, max_size=7)


@settings(max_examples=60, deadline=None)
@given(queries, st.integers(1, 8))
def test_ties_and_empty_queries_are_as_scikit_learn_has_them(query, k):
    grades, scores = np.array(query, dtype=float).T
    expected = ndcg_score([2**grades - 1], [scores], k=k)
    assert expected_ndcg(grades, scores, k) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(queries, st.integers(1, 8), st.sampled_from(["standard", "letor"]))
def test_a_tied_list_is_the_mean_of_its_orders(query, k, kind):
    grades, scores = np.array(query, dtype=float).T
    worth = [1 / math.log2(j + 1) if kind == "standard" else 1 / math.log2(max(j, 2)) for j in range(1, k + 1)]
    best = sum((2**g - 1) * w for g, w in zip(sorted(grades, reverse=True), worth, strict=False))
    found = [
        sum((2 ** grades[i] - 1) * w for i, w in zip(order, worth, strict=False)) / best if best else 0.0
        for order in itertools.permutations(range(len(grades)))
        if (np.diff(scores[list(order)]) <= 0).all()
    ]
    assert expected_ndcg(grades, scores, k, kind) == pytest.approx(np.mean(found), abs=1e-12)


def test_letors_script_counts_the_first_two_ranks_alike():
    """Its DCG is g1 + Σ_{j ≥ 2} g_j / log2(j)."""
    np.testing.assert_allclose(discounts(5, "letor"), [1, 1, 1 / math.log2(3), 1 / 2, 1 / math.log2(5)])
    assert discounts(1, "letor").tolist() == [1.0]
    assert expected_ndcg(np.array([0.0, 1.0]), np.array([2.0, 1.0]), kind="letor") == 1.0


def test_a_group_of_ties_shares_its_places_and_no_other():
    keys = np.array([[3.0, 1.0, 1.0], [1.0, 1.0, 0.0]])  # two lists side by side: no group goes from one to the other
    first = first_of_ties(keys)
    assert first.tolist() == [[True, True, False], [True, False, True]]
    assert shared(np.array([[7.0, 3.0, 0.0], [1.0, 0.0, 5.0]]), first).tolist() == [[7, 1.5, 1.5], [0.5, 0.5, 5]]


def test_a_query_without_relevant_documents_counts_0_in_every_family():
    """Four queries, in none of which a document is relevant."""
    rng = np.random.default_rng(0)
    data = RankingData(
        "empty", {}, rng.normal(size=(12, 2)), np.arange(0, 13, 3), np.zeros((1, 12)), weights=np.ones((1, 2))
    )
    for learner, metric in (("preference-perceptron", "ndcg@5"), ("ndcg-boost", "ndcg@5-train")):
        sim = Simulation(learner, data)
        sim.advance(steps=3)
        assert (sim.history[metric] == 0).all()
    sim = Simulation("base-ranker", data, create_user("judge", query=1))
    sim.advance(steps=1)
    assert sim.history["ndcg"][-1, 0] == sim.history["ndcg@1"][-1, 0] == sim.history["gain"][-1, 0] == 0
    assert sim.history["ndcg-unjudged"][-1, 0] == sim.history["gain-unjudged"][-1, 0] == 0
    assert ndcg(np.zeros(3), np.array(0.0), 5) == 0
    assert headroom(data).random == headroom(data).linear == 0


def test_the_portrait_of_a_data_set_has_the_mean_of_random_rankings():
    """NDCG@5 of rankings in random order, drawn 4,000 times, to three standard errors."""
    rng = np.random.default_rng(1)
    grades, drawn = rng.integers(0, 4, 12).astype(float), []
    data = RankingData("one", {}, rng.normal(size=(12, 3)), np.array([0, 12]), grades[None])
    ideal = (2 ** np.sort(grades)[::-1][:5] - 1) @ discounts(5)
    for _ in range(4000):
        drawn.append(float(ndcg(rng.permutation(grades), ideal, 5)))
    assert abs(np.mean(drawn) - headroom(data).random) < 3 * np.std(drawn) / math.sqrt(4000)
