"""The learner's knowledge, measured on test queries, and the cost of learning it, by discounted NDCG."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

import datasets
from datasets.ranking import RankingData
from learners import Simulation, create_user
from learners.ndcg import expected_ndcg
from learners.ranking.measured import held_out
from learners.ranking.measured.held_out import HeldOut
from learners.ranking.metrics import GAMMA

ID = "held-out-ndcg@10"


def two(test, **more):
    """Data with one query and test queries."""
    return RankingData("two", {}, np.eye(2), np.array([0, 2]), np.array([[1.0, 0.0]]), test=test, **more)


def queries_of(grades, x, lengths):
    return RankingData(
        "tests", {}, x, np.cumsum([0, *lengths]), np.atleast_2d(grades), weights=np.zeros((1, x.shape[1]))
    )


# ---- by hand ------------------------------------------------------------------------------------------


def test_held_out_ndcg_by_hand():
    """Two test queries. In the first, grades 2 and 1 of documents with scores 0 and 1: the DCG of 1, 2 is
    1 + 3 · .6309 = 2.893, the best is 3 + .6309 = 3.631, so NDCG is .797. In the second, documents of grades 1, 0 and 0
    have equal scores: the relevant one stands at ranks 1, 2 and 3 alike, (1 + .6309 + .5) / 3 = .710. The mean is .753;
    with the other weights (scores 1 and 0, still a tie) it is (1 + .710) / 2."""
    x = np.array([[1.0, 0], [0, 1], [0, 0], [0, 0], [0, 0]])
    found = HeldOut(two(queries_of([2, 1, 1, 0, 0], x, [2, 3])), np.array([0, 0]))
    seen = found.look(np.array([[0.0, 1.0], [1.0, 0.0]]))
    np.testing.assert_allclose(seen, [0.753509, 0.855155], atol=1e-6)


def test_when_it_measures():
    """At each of the steps 50, 100 … 1000, then at the first multiples of 50 past 1.05 times the last: 1050, 1150
    (1102.5), 1250 (1207.5), 1350 (1312.5), 1450 (1417.5) and so on. Before step 50 it is that of the weights at the
    start, here of none, and between two measures the former stays."""
    found = HeldOut(two(queries_of([1, 0], np.eye(2), [2])), np.array([0]))
    seen = []
    found.look = lambda weights: seen.append(float(weights[0])) or np.array([weights[0]])
    steps = 1500
    weights = [np.array([float(t)]) for t in range(50, steps + 1, 50)]
    values = found.values(0, steps, weights)[:, 0]
    assert seen == [*range(50, 1001, 50), 1050, 1150, 1250, 1350, 1450]
    assert np.isnan(values[:49]).all() and values[49] == 50 and values[98] == 50 and values[99] == 100
    assert values[1148] == 1050 and values[1149] == 1150 == values[1248]


def test_discounted_ndcg_by_hand():
    """One query of two documents, the best one first as the learner starts: NDCG 1 in every step while it is not
    changed, so that after t steps the sum is (1 − γ^t) / (1 − γ). A user who never errs changes nothing."""
    data = datasets.load("toy-ranking", documents=2)
    sim = Simulation("preference-perceptron", data, "depth", replicates=2)
    sim.advance(steps=300)
    assert (sim.history["ndcg@5"] == 1).all()
    expected = (1 - GAMMA ** np.arange(1.0, 301)) / (1 - GAMMA)
    np.testing.assert_allclose(sim.history["discounted-ndcg"], np.stack([expected] * 2, axis=1), rtol=1e-12)


# ---- against what is slow and obvious -----------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), lengths=st.lists(st.integers(2, 25), min_size=1, max_size=5),
       form=st.sampled_from(["dense", "float32", "sparse"]))  # fmt: skip
def test_held_out_ndcg_is_the_mean_of_the_expected_ndcg_of_the_queries(seed, lengths, form):
    """With scores from a few whole numbers, so that many documents are tied."""
    rng, n = np.random.default_rng(seed), sum(lengths)
    x, grades = rng.integers(0, 3, (n, 3)).astype(float), rng.integers(0, 3, (2, n)).astype(float)
    weights, starts = rng.integers(-1, 2, (3, 3)).astype(float), np.cumsum([0, *lengths])
    stored = {"dense": x, "float32": x.astype(np.float32), "sparse": csr_array(x)}[form]
    test = RankingData("tests", {}, stored, starts, grades, weights=np.zeros((2, 3)))
    data = RankingData("few", {}, np.eye(3), np.array([0, 3]), np.eye(3)[:2], test=test)
    found = HeldOut(data, np.array([0, 1, 0])).look(weights)
    for r, task in enumerate([0, 1, 0]):
        parts = [slice(a, b) for a, b in pairwise(starts)]
        mean = np.mean([expected_ndcg(grades[task, part], x[part] @ weights[r], k=10) for part in parts])
        assert found[r] == pytest.approx(mean, abs=1e-12)


def test_a_run_measures_the_weights_of_its_steps():
    """After 50 and 100 steps, by the weights there were, with NDCG of each test query; and discounted NDCG is the sum
    of those of the rankings shown, each for itself."""
    data = datasets.load("web-search", queries=30, documents=14, features=5, test_queries=40, lengths="varied")
    sim = Simulation("perturbed-perceptron", data, "dependent-click", replicates=2, seed=3)
    total, found = np.zeros(2), []
    for t in range(1, 101):
        sim.advance(steps=1)
        grades = np.take_along_axis(sim.last.grades, sim.last.shown.ranking, axis=1)
        for r in range(2):
            falling = -np.arange(grades.shape[1], dtype=float)
            there = grades[r] >= 0
            total[r] += GAMMA ** (t - 1) * expected_ndcg(grades[r][there], falling[there], k=10)
        found.append(total.copy())
        if t % 50 == 0:
            queries = [data.test.documents(q) for q in range(40)]
            mean = [
                np.mean(
                    [expected_ndcg(data.test.grades[0, rows], data.test.features[rows] @ w, k=10) for rows in queries]
                )
                for w in sim.last.after
            ]
            np.testing.assert_allclose(sim.history[ID][-1], mean, atol=1e-12)
    np.testing.assert_allclose(sim.history["discounted-ndcg"], found, rtol=1e-12)


# ---- properties ---------------------------------------------------------------------------------------


def test_however_the_steps_are_cut():
    data = datasets.load("web-search", queries=30, documents=6, features=4, test_queries=20)
    whole, cut = (Simulation("dueling-bandit", data, "position-based", replicates=2, seed=1) for _ in range(2))
    whole.advance(steps=1300)
    for steps in (1, 48, 1, 2, 400, 748, 100):
        cut.advance(steps=steps)
    fork = whole.fork(at=707)
    fork.advance(steps=594)
    for other in (cut, fork):
        np.testing.assert_equal(dict(other.history), dict(whole.history))
    assert not np.isnan(whole.history[ID]).any()
    assert (whole.history[ID][:49] == HeldOut(data, np.array([0])).look(np.zeros((1, 4)))).all()


def test_data_without_test_queries_and_learners_without_weights_have_no_value():
    data = datasets.load("web-search", queries=30, documents=6, features=4, test_queries=20)
    for learner, world in (("preference-perceptron", replace(data, test=None)), ("random-ranking", data)):
        sim = Simulation(learner, world, "cascade")
        sim.advance(steps=60)
        assert np.isnan(sim.history[ID]).all()


def test_test_queries_change_nothing_else():
    plain, more = (datasets.load("web-search", queries=30, documents=6, features=4, test_queries=m) for m in (0, 20))
    np.testing.assert_array_equal(plain.features, more.features)
    np.testing.assert_array_equal(plain.weights, more.weights)
    one, other = (Simulation("perturbed-perceptron", data, "scan", seed=1) for data in (plain, more))
    for sim in (one, other):
        sim.advance(steps=120)
    for id, values in one.history.items():
        assert id == ID or np.array_equal(values, other.history[id], equal_nan=True)


def test_of_many_numbers_it_takes_queries_evenly_spaced(monkeypatch):
    monkeypatch.setattr(held_out, "NUMBERS", 2 * 2 * 3)
    x = np.tile(np.eye(2), (9, 1))
    grades = np.repeat([[1, 0], [0, 1], [1, 0]] * 3, 1, axis=0).ravel()
    found = HeldOut(two(queries_of(grades, x, [2] * 9)), np.array([0]))
    assert found._rows.tolist() == [[0, 1], [8, 9], [16, 17]]  # queries 1, 5 and 9, the first, middle and last


def test_test_queries_of_another_kind_are_refused():
    with pytest.raises(ValueError, match=r"^test must have 2 features and 1 task\(s\), got 3 and 1$"):
        two(queries_of([1, 0], np.ones((2, 3)), [2]))
    data = two(queries_of([1, 0], np.eye(2), [2]))
    assert data.size().bytes == replace(data, test=None).size().bytes + data.test.size().bytes
    both = RankingData("k", {}, np.eye(2), np.array([0, 2]), np.eye(2), task_names=("a", "b"))
    assert replace(both, test=both).only(slice(1, 2)).test.task_names == ("b",)


# ---- measured -----------------------------------------------------------------------------------------


def test_the_more_clicks_say_the_more_is_learned():
    """1,000 searches of 3PR with dependent clicks of each behaviour, 10 replicates, and NDCG on 300 test queries of a
    nearly noiseless linear model. w* reaches .995 and no knowledge .367. Means and standard errors that came out:
    perfect .980 ± .002, navigational .958 ± .003, informational .926 ± .008, almost random .671 ± .057; and of
    discounted NDCG 727 ± 2, 704 ± 4, 652 ± 7 and 466 ± 44."""
    data = datasets.load("web-search", queries=500, documents=20, features=10, relevance_noise=0.1, test_queries=300)
    look = HeldOut(data, np.array([0])).look
    assert look(data.weights)[0] == pytest.approx(0.9954, abs=1e-4)
    assert look(np.zeros((1, 10)))[0] == pytest.approx(0.3672, abs=1e-4)
    learned, shown = [], []
    for behaviour in ("perfect", "navigational", "informational", "almost random"):
        user = create_user("dependent-click", behaviour=behaviour)
        sim = Simulation("perturbed-perceptron", data, user, replicates=10, seed=0)
        sim.advance(steps=1000)
        learned.append(sim.history[ID][-1].mean())
        shown.append(sim.history["discounted-ndcg"][-1].mean())
    np.testing.assert_allclose(learned, [0.980, 0.958, 0.926, 0.671], atol=0.001)
    np.testing.assert_allclose(shown, [727, 704, 652, 466], atol=1)
