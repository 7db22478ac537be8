"""The ensembles that boosting leaves behind: every learner scores rows as its environment does, and new rows too."""

import pickle

import numpy as np
import pytest

from datasets import load
from learners import Simulation, create
from learners.boosting.base import Booster
from learners.catalogue import learner_classes
from tests.cases import cases

BOOSTERS = {id: cls for id, cls in learner_classes().items() if issubclass(cls, Booster)}
DATA = {
    "semi-supervised": lambda: load("wine"),
    "learning-to-rank": lambda: load("web-search", queries=20, documents=8, features=4),
    "refinement": lambda: load("web-search", queries=20, documents=30, features=4),
}
OPTIONS = {"lambdarank": [{"smallest": 2}], "rank-xendcg": [{"smallest": 2}],
           "adarank": [{}, {"weak": "stumps"}], "mcssb": [{}, {"train": "weights"}],
           "label-spreading": [{}, {"kernel": "gaussian"}], "ranking-refinement": [{}, {"depth": 3}]}  # fmt: skip
SETUPS = [(id, options) for id in sorted(BOOSTERS) for options in OPTIONS.get(id, [{}])]


def boosted(id, options, rounds=6, replicates=2):
    sim = Simulation(create(id, **options), DATA[BOOSTERS[id].family](), replicates=replicates, seed=3)
    sim.advance(steps=rounds)
    return sim


def rows_of(sim, r):
    """The rows that the environment scores in replicate r."""
    return sim.environment.problems[r].features if sim.learner.family == "refinement" else sim.dataset.features


@cases("id, options", SETUPS)
def test_the_ensemble_scores_rows_as_the_environment_does(id, options):
    sim = boosted(id, options)
    for r, learner in enumerate(sim.environment.learners):
        features, scores = rows_of(sim, r), sim.environment.scores[r]
        np.testing.assert_array_equal(learner.decision_function(features), scores)
        stages = list(learner.staged_decision_function(features))
        assert len(stages) == len(learner.ensemble) <= 6
        if stages:
            np.testing.assert_array_equal(stages[-1], scores)
        if sim.learner.family == "semi-supervised":
            np.testing.assert_array_equal(learner.predict(features), sim.environment.predicted(r))


@cases("id, options", SETUPS)
def test_the_stages_are_the_rounds(id, options):
    """One round more in each stage: a shorter run of the same learner ends where the stage of a longer one is."""
    short, long = boosted(id, options, rounds=2, replicates=1), boosted(id, options, rounds=6, replicates=1)
    one, other = short.environment.learners[0], long.environment.learners[0]
    stages = list(other.staged_decision_function(rows_of(long, 0)))
    if one.ensemble:
        np.testing.assert_array_equal(stages[len(one.ensemble) - 1], one.decision_function(rows_of(short, 0)))


@cases("id, options", SETUPS)
def test_new_rows_are_scored_one_by_one_and_after_pickling(id, options):
    sim = boosted(id, options, replicates=1)
    learner = sim.environment.learners[0]
    rng = np.random.default_rng(0)
    known = rows_of(sim, 0)
    new = known[rng.permutation(len(known))[:9]] + 0.01 * known.std(axis=0) * rng.normal(size=(9, known.shape[1]))
    with_base = (rng.normal(size=9),) if id in ("rocchio", "feedback-svm") else ()
    scores = learner.decision_function(new, *with_base)
    assert scores.shape == ((9, 3) if sim.learner.family == "semi-supervised" else (9,)) and np.isfinite(scores).all()
    again = pickle.loads(pickle.dumps(learner))
    np.testing.assert_array_equal(again.decision_function(new, *with_base), scores)
    if id != "random-scores":  # by place
        each = [learner.decision_function(new[i : i + 1], *(b[i : i + 1] for b in with_base)) for i in range(9)]
        np.testing.assert_allclose(np.concatenate(each), scores, atol=1e-12)
    if sim.learner.family == "semi-supervised":
        assert learner.predict(new).tolist() == scores.argmax(axis=1).tolist()


def test_before_the_first_round_every_score_is_0():
    for id in BOOSTERS:
        sim = Simulation(id, DATA[BOOSTERS[id].family]())
        assert not sim.environment.learners[0].decision_function(rows_of(sim, 0)).any()


@pytest.mark.parametrize("id", ["rocchio", "feedback-svm"])
def test_linear_refiners_score_new_documents_with_their_base_score(id):
    """The query's own documents need none; the same documents with their base scores have the same scores."""
    sim = boosted(id, {}, replicates=1)
    learner, problem = sim.environment.learners[0], sim.environment.problems[0]
    scores = learner.decision_function(problem.features)
    np.testing.assert_allclose(
        learner.decision_function(problem.features[5:9], problem.base[5:9]), scores[5:9], atol=1e-12
    )
    with pytest.raises(
        ValueError, match=f"^{id} needs base, the base ranker's scores of documents other than the query's"
    ):
        learner.decision_function(problem.features[5:9])


def test_judged_first_knows_documents_by_their_features():
    sim = boosted("judged-first", {}, replicates=1)
    learner, problem = sim.environment.learners[0], sim.environment.problems[0]
    scores = learner.decision_function(problem.features)
    np.testing.assert_array_equal(learner.decision_function(problem.features[::-1]), scores[::-1])
    assert learner.decision_function(problem.features[:2] + 1).tolist() == [0.5, 0.5]  # nobody judged these


@cases("id, options", SETUPS)
def test_values_are_missing_only_where_that_is_documented(id, options):
    """With every kind of row there, only what a learner does not measure is NaN, from the first round to the last."""
    sim = boosted(id, options, rounds=12)
    measured = set().union(*(done.values for done in sim.environment.rounds))
    reported = {metric.id for metric in sim.environment.reported}
    for metric, values in sim.history.items():
        if metric in reported and metric not in measured:
            assert np.isnan(values).all(), metric  # the learner has no such value
        elif metric == "weak-error" or (metric == "step-size" and not sim.learner.boosts):
            continue  # NaN in rounds without a weighted error, and of references
        else:
            assert np.isfinite(values).all(), metric
