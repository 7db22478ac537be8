"""NDCG and MAP of graded queries, ties and all."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import load
from learners import Simulation
from learners.boosting.learning_to_rank.measures import GradedQueries
from learners.boosting.ties import ties


def dcg(values, k, kind):
    """Term by term; LETOR's script divides by log2(j) from rank 2 on."""
    worth = [
        1 / math.log2(1 + j) if kind == "standard" else 1 / math.log2(max(2, j)) for j in range(1, len(values) + 1)
    ]
    return sum(g * w for g, w in zip(values[:k], worth, strict=False))


def quality(grades, ranking, kind="standard"):
    """NDCG at 1 … 10 and average precision of one ranking of one query."""
    gains, best = [2 ** grades[i] - 1 for i in ranking], sorted((2**g - 1 for g in grades), reverse=True)
    ndcg = [dcg(gains, k, kind) / dcg(best, k, kind) if any(best) else 0.0 for k in range(1, 11)]
    hits = [j for j, i in enumerate(ranking, start=1) if grades[i] >= 1]
    return [*ndcg, np.mean([(m + 1) / j for m, j in enumerate(hits)]) if hits else 0.0]


@pytest.mark.parametrize("kind", ["standard", "letor"])
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_ndcg_and_map_are_means_over_all_orders_of_tied_documents(seed, kind):
    rng = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.cumsum(rng.integers(2, 7, 5))])
    grades = rng.choice([0, 0, 0.5, 1, 2, 4], starts[-1])
    grades[: starts[1]] = rng.integers(0, 2)
    scores = rng.integers(0, 3, starts[-1]).astype(float)
    measures = GradedQueries(starts, grades, kind)
    found = np.column_stack([measures.ndcg_at(scores), measures.precision(scores)])
    for q, (a, b) in enumerate(itertools.pairwise(starts)):
        s, n = scores[a:b], b - a
        falling = [y for y in itertools.permutations(range(n)) if all(s[i] >= s[j] for i, j in itertools.pairwise(y))]
        np.testing.assert_allclose(
            found[q], np.mean([quality(grades[a:b], y, kind) for y in falling], axis=0), atol=1e-12
        )


def test_ties_as_many_as_in_letor_are_the_mean_of_random_orders():
    """Some 150 documents a query and a score with a handful of values, as OHSUMED has: 2,000 orders drawn at random."""
    rng = np.random.default_rng(3)
    starts = np.array([0, 150, 310])
    grades, scores = rng.choice([0, 0, 0, 1, 2], 310), rng.integers(0, 6, 310).astype(float)
    measures, drawn = GradedQueries(starts, grades), []
    expected = np.column_stack([measures.ndcg_at(scores), measures.precision(scores)])
    for _ in range(2000):
        broken = scores + 0.5 * rng.random(310)  # no two are equal, and none overtakes a larger one
        drawn.append(np.column_stack([measures.ndcg_at(broken), measures.precision(broken)]))
    mean, error = np.mean(drawn, axis=0), np.std(drawn, axis=0) / math.sqrt(2000)
    assert (error > 0).all() and (np.abs(mean - expected) < 3 * error + 1e-12).all()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_a_ranking_in_one_order_has_the_ndcg_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.cumsum(rng.integers(2, 15, 5))])
    grades = rng.choice([0, 0, 0.5, 1, 2, 4], starts[-1])
    grades[: starts[1]] = rng.integers(0, 2)
    scores = rng.integers(0, 4, starts[-1]).astype(float)
    measures = GradedQueries(starts, grades)
    order, keys = measures.order(scores), ties(len(grades))
    for q, (a, b) in enumerate(itertools.pairwise(starts)):
        ranked = sorted(range(a, b), key=lambda i: (-scores[i], keys[i]))
        assert order[a:b].tolist() == ranked
        gains, best = [2 ** grades[i] - 1 for i in ranked], sorted((2**g - 1 for g in grades[a:b]), reverse=True)
        expected = dcg(gains, b - a, "standard") / dcg(best, b - a, "standard") if sum(best) else 0
        assert math.isclose(measures.ndcg(order)[q], expected, abs_tol=1e-12)


def test_letors_discount_is_a_parameter_of_its_files(tmp_path):
    """The same scores, which no two documents share, but measured as LETOR's script does: ranks 1 and 2 count alike."""
    rng = np.random.default_rng(0)
    file = tmp_path / "rank.txt"
    rows = [(g, q, rng.random(), g + 3 * rng.random()) for q in range(12) for g in rng.integers(0, 3, 8)]
    file.write_text("".join(f"{g} qid:{q} 1:{one:.6f} 2:{two:.6f}\n" for g, q, one, two in rows))
    standard, letor = (
        Simulation("linear-regression-ranking", load("letor-file", path=str(file), ndcg=kind))
        for kind in ("standard", "letor")
    )
    for sim in (standard, letor):
        sim.advance(steps=1)
    for name in ("objective", "map", "ndcg@1"):
        np.testing.assert_array_equal(letor.history[name], standard.history[name])
    for kind, sim in (("standard", standard), ("letor", letor)):
        world = sim.environment
        grades, scores = world.data.grades[0].reshape(12, 8), world.scores[0].reshape(12, 8)
        found = [quality(grades[q], np.argsort(-scores[q]), kind) for q in world.folds[0][2]]
        measured = [sim.history[f"ndcg@{k}"][-1, 0] for k in range(1, 11)]
        np.testing.assert_allclose(measured, np.mean(found, axis=0)[:10])
    assert letor.history["ndcg@5"][0, 0] != standard.history["ndcg@5"][0, 0]
    with pytest.raises(ValueError, match="ndcg must be one of standard, letor, got trec"):
        load("letor-file", path=str(file), ndcg="trec")
