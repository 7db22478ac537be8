"""A crowd that goes on searching: from given weights, the same queries for all, and what the clicks can teach."""

import numpy as np
import pytest

from datasets.ranking import RankingData
from learners import Simulation, create_user
from learners.interleaving import Comparison
from learners.interleaving.crowd import crowd, started
from tests.cases import cases

BOTH = ("preference-perceptron", "perturbed-perceptron")


def search_data(seed=0, queries=60, documents=20, features=8):
    """Queries whose grades follow the first two features; the ranker tuned by hand knows only the first."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(queries * documents, features)) / np.sqrt(features)
    worth = x[:, 0] + x[:, 1]
    grades = np.digitize(worth, np.quantile(worth, [0.6, 0.75, 0.9])).astype(float)[None]
    tuned = np.eye(features)[0]
    return RankingData("small", {}, x, np.arange(0, len(x) + 1, documents), grades, tuned=tuned)


@pytest.fixture(scope="module")
def data():
    return search_data()


def test_half_of_the_searches_teach_and_half_compare(data):
    own = np.array([0, 0, 5.0, 0, 0, 0, 0, 0])
    runs = crowd(data, {BOTH[0]: data.tuned, BOTH[1]: own}, 101, 0.1, 1.0, seed=3)
    assert list(runs) == list(BOTH) and all(run.t == 51 for run in runs.values())
    for id, start in zip(BOTH, (data.tuned, own), strict=True):
        run = runs[id]
        np.testing.assert_array_equal(run.fixed, [data.tuned])
        np.testing.assert_array_equal(run.at(1).learning.before, [start])
        total = sum(run.history[name][-1, 0] for name in ("wins", "losses", "ties"))
        assert total == 51 and run.last.mixed.method == "balanced" and run.user.bias == 1.0
    queries = [[run.at(t).query.tolist() for t in range(1, 51)] for run in runs.values()]
    assert queries[0] == queries[1]  # raced on the same people
    assert data.initial_weights is None


def test_a_crowd_repeats_itself_and_another_seed_is_another_crowd(data):
    weights = dict.fromkeys(BOTH, data.tuned)
    ends = [crowd(data, weights, 60, 0.2, 1.0, seed)[BOTH[1]].learner.w for seed in (0, 0, 1)]
    np.testing.assert_array_equal(ends[0], ends[1])
    assert (ends[0] != ends[2]).any()


def test_two_crowds_continue_where_the_first_stopped(data):
    """The weights of one crowd are handed to the next, whose learner starts there."""
    first = crowd(data, {BOTH[0]: data.tuned}, 40, 0.1, 1.0, 0)[BOTH[0]].learner.w[0]
    second = crowd(data, {BOTH[0]: first}, 40, 0.1, 1.0, 1)[BOTH[0]]
    np.testing.assert_array_equal(second.at(1).learning.before[0], first)


def test_data_that_start_elsewhere_share_what_was_computed(data):
    other = started(data, 2 * data.tuned)
    assert other.utility is data.utility and other.features is data.features
    np.testing.assert_array_equal(other.initial_weights, 2 * data.tuned)
    user = create_user("position-biased")
    plain = Comparison(BOTH[0], other, user, "hand-tuned", "balanced", seed=0)
    np.testing.assert_array_equal(plain.learner.w, [2 * data.tuned])


def test_3pr_learns_from_a_crowd_what_the_hand_tuned_ranker_misses(data):
    """It starts as good as the fixed ranker and finds the second feature; without noise people come to prefer it."""
    run = crowd(data, {BOTH[1]: data.tuned}, 6000, 0.0, 1.0, 0, relevant_from=2)[BOTH[1]]
    w = run.learner.w[0] / np.linalg.norm(run.learner.w[0])
    assert w[1] > 0.4 and run.verdict(since=1500).says == "better" and run.history["advantage"][-1, 0] > 0


def test_clicks_without_meaning_teach_nothing_worth_having(data):
    """At noise ½ the clicks do not depend on the documents: the start is lost, and the fixed ranker is truly better."""
    for run in crowd(data, dict.fromkeys(BOTH, data.tuned), 4000, 0.5, 1.0, 0).values():
        assert run.history["advantage"][-1, 0] < 0


@cases(
    ("sentence", "changed"),
    [
        ("the weights of preference-perceptron must be 8 finite numbers", {"weights": {BOTH[0]: [1.0, 2.0]}}),
        ("the weights of perturbed-perceptron must be 8 finite", {"weights": {BOTH[1]: np.full(8, np.nan)}}),
        ("searches must be", {"searches": 1}),
        ("noise must be in", {"noise": 1.5}),
        ("bias must be in", {"bias": -1.0}),
        ("relevant_from must be", {"relevant_from": 0}),
    ],
)
def test_what_a_crowd_refuses(data, sentence, changed):
    usual = {"weights": {BOTH[0]: data.tuned}, "searches": 10, "noise": 0.1, "bias": 1.0, "seed": 0}
    with pytest.raises(ValueError, match=f"^{sentence}"):
        crowd(data, **usual | changed)


def test_data_without_a_ranker_tuned_by_hand():
    plain = search_data()
    bare = RankingData("bare", {}, plain.features, plain.starts, plain.grades)
    with pytest.raises(ValueError, match="bare has no ranker tuned by hand"):
        crowd(bare, {BOTH[0]: plain.tuned}, 10, 0.1, 1.0, 0)


def test_position_bias_hides_what_stands_below(data):
    """The steeper the bias, the higher the results that are clicked."""
    places = []
    for bias in (0.0, 1.0, 3.0):
        sim = Simulation(BOTH[0], data, create_user("position-biased", noise=0.1, bias=bias), replicates=50, seed=0)
        sim.advance(steps=1)
        places.append(np.nonzero(sim.last.response.clicks)[1].mean())
    assert places[0] > places[1] > places[2]
