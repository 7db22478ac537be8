"""The winners on each data set, as measured."""

import numpy as np
import pytest

from datasets import load
from datasets.ranking import RankingData
from learners import Simulation, create


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


@pytest.mark.parametrize("id", ["lambdarank", "rank-xendcg"])
def test_lightgbm_learns(id):
    data = load("web-search", queries=100, documents=10, features=4, relevance="nonlinear")
    assert final(id, data, rounds=30) >= final("random-scores", data) + 0.1


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
