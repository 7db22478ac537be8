"""Which queries are refined and what is measured."""

import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import given

from datasets import load
from datasets.ranking import RankingData
from learners import Simulation, create, create_user, sweep
from learners.boosting.refinement.base_feature import base_feature, mixed, qualities
from learners.boosting.refinement.lists import Lists
from learners.boosting.refinement.pairs import Pairs
from learners.ndcg import dcg, ndcg
from learners.sweep.points import Points
from tests.cases import cases
from tests.learners.boosting.refinement.problems import LEARNERS, few, seeds


@cases("id", LEARNERS)
def test_metrics_against_a_slow_reference(web, id):
    sim = Simulation(id, web, create_user("judge", judged=5), replicates=7, seed=1)
    sim.advance(steps=4)
    world = sim.environment
    for r in range(7):
        problem, g, F = world.problems[r], world.grades[r], world.scores[r]
        np.testing.assert_array_equal(g, web.grades[0][web.documents(world.queries[r])])
        before = np.argsort(-problem.base, kind="stable")
        order = np.array(sorted(range(len(g)), key=lambda i, b=problem.base, F=F: (-F[i], -b[i], i)))
        np.testing.assert_array_equal(world.ranking(r), order)
        np.testing.assert_array_equal(world.base_ranking(r), before)
        if id == "ranking-refinement":
            np.testing.assert_allclose(F, world.learners[r].F)  # the sum of all votes
        np.testing.assert_array_equal(problem.judged, before[:5])
        np.testing.assert_array_equal(problem.grades, g[problem.judged])

        def quality(order, k, g=g):
            ideal = ((2.0 ** np.sort(g)[::-1] - 1) / np.log2(np.arange(2, len(g) + 2)))[:k].sum()
            return ndcg(g[order], np.array(ideal), k)

        left = [np.array([i for i in y if i not in problem.judged], dtype=int) for y in (order, before)]
        ideal = ((2.0 ** np.sort(g[left[0]])[::-1] - 1) / np.log2(np.arange(2, len(left[0]) + 2))).sum()
        rest = [ndcg(g[y], np.array(ideal), len(y)) for y in left]
        expected = {f"ndcg@{k}": quality(order, k) for k in (1, 2, 5, 10, 25)} | {
            "ndcg": quality(order, len(g)), "gain": quality(order, len(g)) - quality(before, len(g)),
            "ndcg-unjudged": rest[0], "gain-unjudged": rest[0] - rest[1],
        }  # fmt: skip
        expected["err-w"], expected["err-t"] = Pairs(problem).ranked(order)
        for name, value in expected.items():
            assert sim.history[name][-1, r] == pytest.approx(float(value), abs=1e-12), name
        np.testing.assert_allclose(world.before[r], [quality(before, k) for k in range(1, 26)])
        np.testing.assert_allclose(world.after[r], [quality(order, k) for k in range(1, 26)])


@few
@given(seeds)
def test_ndcg_is_the_mean_over_all_orders_of_what_the_base_ranker_ties_too(seed):
    """Three queries of up to six documents, every order written out; judged documents are taken out of each."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 7, 3)
    grades = [rng.integers(0, 3, n).astype(float) for n in sizes]
    base, scores = ([rng.integers(0, 2, n).astype(float) for n in sizes] for _ in range(2))
    judged = [rng.random(n) < 0.4 for n in sizes]
    lists = Lists(grades, base, judged)
    order = lists.order(scores)
    at, (full, unjudged) = lists.at(order, scores), lists.whole(order, scores)
    for r, n in enumerate(sizes):
        key = list(zip(-scores[r], -base[r], strict=True))
        orders = [
            y for y in itertools.permutations(range(n)) if all(key[i] <= key[j] for i, j in itertools.pairwise(y))
        ]
        assert tuple(order[r, :n]) in orders

        def mean(k, keep, g=grades[r], orders=orders):
            kept = [[g[i] for i in y if keep[i]] for y in orders]
            ideal = dcg(-np.sort(-g[keep]), k)
            return np.mean([ndcg(np.array(y), ideal, k) for y in kept])

        everything = np.ones(n, dtype=bool)
        np.testing.assert_allclose(at[r], [mean(min(k, n), everything) for k in range(1, 26)], atol=1e-12)
        np.testing.assert_allclose(full[r], mean(n, everything), atol=1e-12)
        np.testing.assert_allclose(unjudged[r], mean(n, ~judged[r]) if (~judged[r]).any() else 0.0, atol=1e-12)


def test_everybody_meets_the_same_problems(web):
    sims = [Simulation(id, web, create_user("judge", noise=0.5), replicates=5, seed=4) for id in LEARNERS]
    first = sims[0].environment
    for sim in sims[1:]:
        np.testing.assert_array_equal(sim.environment.queries, first.queries)
        for one, other in zip(sim.environment.problems, first.problems, strict=True):
            np.testing.assert_array_equal(one.grades, other.grades)
    again = Simulation(LEARNERS[0], web, create_user("judge", noise=0.5), replicates=9, seed=4)
    np.testing.assert_array_equal(again.environment.queries[:5], first.queries)  # more runs do not change the first


def test_queries_are_dealt_without_repetition():
    """Of ten queries one has equal grades and one no relevant document: eight are dealt, then they come again."""
    rng = np.random.default_rng(0)
    grades = rng.integers(0, 2, (10, 4)).astype(float)
    grades[:, 0], grades[:, 1], grades[3], grades[7] = 1, 0, 0, 1
    data = RankingData("ten", {}, rng.normal(size=(40, 2)), np.arange(0, 41, 4), grades.reshape(1, 40))
    assert mixed(data).tolist() == [0, 1, 2, 4, 5, 6, 8, 9]
    for seed in range(3):
        dealt = Simulation("base-ranker", data, replicates=16, seed=seed).environment.queries
        assert sorted(dealt[:8]) == sorted(dealt[8:]) == mixed(data).tolist()
    asked = Simulation("base-ranker", data, create_user("judge", query=4), replicates=3, seed=0)
    assert asked.environment.queries.tolist() == [3, 3, 3]  # asked for by its number
    asked.advance(steps=1)
    assert (asked.history["ndcg"] == 0).all() and (asked.history["gain-unjudged"] == 0).all()
    mine = Simulation("base-ranker", data, create_user("judge", query=np.array([0, 2, 5])), replicates=3, seed=0)
    assert mine.environment.queries[1:].tolist() == [1, 4]


def test_data_that_cannot_be_refined(web):
    beyond = create_user("judge", query=31)
    movies = load("movies", users=30, movies=40, ratings=20, features=3)
    flat = RankingData("flat", {}, np.eye(4), np.array([0, 4]), np.ones((1, 4)))
    cases = {
        "no query of flat has documents of different grades": lambda: Simulation("rocchio", flat),
        "query must be at most 30 for web-search, got 31": lambda: Simulation("rocchio", web, beyond),
        "ranking refinement needs one row of grades": lambda: Simulation("rocchio", movies),
        "ranking refinement needs dense features": lambda: Simulation("rocchio", load("news-topics", documents=100)),
    }
    for words, make in cases.items():
        with pytest.raises(ValueError, match=words):
            make()


def test_points_of_a_sweep_meet_the_same_queries(web):
    """A grid of values stands on the replicate axis; each point has the queries and judgements of a run of its own."""
    learner = create("ranking-refinement", eta=np.repeat([0.1, 0.5], 3))
    points = Points(learner, web, create_user("judge", noise=0.3), 2, 3, 5)
    points.advance(steps=4)
    for k, eta in enumerate((0.1, 0.5)):
        alone = Simulation(create("ranking-refinement", eta=eta), web, create_user("judge", noise=0.3), 3, 5)
        alone.advance(steps=4)
        np.testing.assert_array_equal(points.environment.queries[3 * k : 3 * k + 3], alone.environment.queries)
        for metric in ("objective", "gain", "gain-unjudged", "ndcg@5"):
            np.testing.assert_array_equal(points.history[metric][:, 3 * k : 3 * k + 3], alone.history[metric])


def test_a_sweep_over_the_judge(web):
    setup = {"learner": "ranking-refinement", "dataset": web, "user": "judge"}
    table = sweep(setup, over={"judged": [2, 15]}, replicates=6, seed=0, steps=10)
    gain = table[table.metric == "gain"].groupby("judged").value.mean()
    assert gain[15] > gain[2]


def test_base_rankers(web):
    """The best, the middle and the worst feature by mean NDCG over the queries with different grades."""
    found = []
    for j in range(web.dimension):
        each = []
        for q in mixed(web):
            rows = web.documents(q)
            g = web.grades[0][rows]
            order = np.argsort(-web.features[rows, j], kind="stable")
            ideal = ((2 ** np.sort(g)[::-1] - 1) / np.log2(np.arange(2, len(g) + 2))).sum()
            each.append(ndcg(g[order], np.array(ideal), len(g)))
        found.append(np.mean(each))
    np.testing.assert_allclose(qualities(web), found)
    falling = np.argsort(-np.array(found))
    names = {}
    for which, at in (("best", 0), ("medium", 3), ("worst", 5)):
        assert base_feature(web, which) == falling[at]
        world = Simulation("base-ranker", web, create_user("judge", base=which), replicates=2, seed=0).environment
        names[which] = world.base_name
        np.testing.assert_array_equal(world.problems[0].base, web.features[world.documents[0], falling[at]])
    assert names["best"] == f"feature {falling[0] + 1}" and len(set(names.values())) == 3
    own = dataclasses.replace(web, base=np.arange(float(len(web.features))))
    world = Simulation("base-ranker", own, replicates=2, seed=0).environment
    assert world.base_name == "base ranker of the data" and world.base_ranking(0)[0] == len(world.documents[0]) - 1
