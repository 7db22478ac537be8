"""Linear regression, the ranking SVM and LightGBM's LambdaRank."""

import math
import sys

import numpy as np
import pytest

from learners import Simulation, create
from tests.learners.boosting.learning_to_rank.problems import small, started


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


@pytest.mark.parametrize("id", ["lambdarank", "rank-xendcg"])
def test_it_is_what_lightgbm_trains(id):
    import lightgbm

    sim = Simulation(create(id, smallest=5, leaves=4, rate=0.2), small(), seed=3)
    sim.advance(steps=6)
    problem = sim.environment.problems[0]
    given = {
        "objective": id.replace("-", "_"), "learning_rate": 0.2, "num_leaves": 4, "min_data_in_leaf": 5,
        "verbosity": -1, "deterministic": True, "force_row_wise": True, "num_threads": 1,
        "label_gain": [0, 1, 3, 7, 15], "seed": sim.environment.learners[0].settings["seed"],
    }  # fmt: skip
    train = lightgbm.Dataset(problem.features, label=problem.grades, group=np.diff(problem.starts))
    model = lightgbm.train(given, train, num_boost_round=6)
    np.testing.assert_allclose(sim.environment.scores[0], model.predict(sim.dataset.features), atol=1e-12)
    np.testing.assert_allclose(sim.environment.picked[0], model.feature_importance("gain"), rtol=1e-4)


@pytest.mark.parametrize("id", ["lambdarank", "rank-xendcg"])
def test_it_says_what_is_missing(id, monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(ValueError, match=rf"{id} needs LightGBM, .* install it with: pip install lightgbm"):
        Simulation(id, small())


def test_the_cross_entropy_draws_other_numbers_for_another_seed():
    runs = [Simulation(create("rank-xendcg", smallest=5), small(), seed=seed) for seed in (3, 3)]
    again = create("rank-xendcg", smallest=5)
    other = Simulation(again, small(), seed=3)
    other.advance(steps=1)
    other.environment.learners[0].settings["seed"] += 1  # the same data, other random numbers
    other.environment.learners[0].__setstate__(other.environment.learners[0].__getstate__())
    for run in (*runs, other):
        run.advance(steps=4)
    first, same, third = (run.environment.learners[0].decision_function(run.dataset.features) for run in (*runs, other))
    np.testing.assert_array_equal(first, same)
    assert np.abs(first - third).max() > 0


def test_lambdarank_wants_whole_grades():
    with pytest.raises(ValueError, match="needs grades that are whole numbers"):
        started(create("lambdarank"), np.eye(2), [0.5, 1], [0, 2])
