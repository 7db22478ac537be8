"""Which queries train and test, what is measured, and what is refused."""

import math

import numpy as np
import pytest

from datasets import load
from datasets.ranking import RankingData
from learners import Simulation, create
from learners.boosting.learning_to_rank.measures import GradedQueries
from tests.cases import cases
from tests.learners.boosting.learning_to_rank.problems import IDS, small


@cases("id", IDS)
def test_metrics_are_means_over_the_parts(id):
    sim = Simulation(
        create(id, smallest=2) if id in ("lambdarank", "rank-xendcg") else id, small(), replicates=3, seed=4
    )
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


@cases("id", IDS)
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


def test_replicates_of_data_with_several_tasks_want_different_ones():
    data = load("digits-search", queries=10, documents=10)
    sim = Simulation("ndcg-boost", data, replicates=11)
    sim.advance(steps=2)
    for r in (0, 3, 10):
        np.testing.assert_array_equal(sim.environment.problems[r].grades, data.grades[r % 10, sim.environment.rows[r]])


@pytest.mark.parametrize(
    "id, sentence",
    [
        (
            "toy-ranking",
            "learning to rank needs at least 3 queries, to train, validate and test; toy-ranking has 1 query",
        ),
        (
            "news-topics",
            "learning to rank needs dense features, but those of news-topics are sparse; choose another data set",
        ),
        ("movies", "learning to rank needs whole rankings, but in movies only the first places count"),
        ("digits", "ndcg-boost needs a ranking data set, got digits, which is for classification"),
    ],
)
def test_data_that_make_no_sense_are_refused(id, sentence):
    with pytest.raises(ValueError) as error:
        Simulation("ndcg-boost", id)
    assert str(error.value) == sentence


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
@cases("name", list(degenerate()))
@cases("id", IDS)
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
