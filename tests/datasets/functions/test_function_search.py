"""The data set of searches for functions: queries, grades and candidates as the docstring promises."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import RankingData, create, load
from datasets.functions import features
from datasets.functions.asking import ask, grade
from datasets.functions.corpus import DocumentedFunction, functions
from datasets.functions.index import index
from datasets.functions.tuned import tuned_weights
from datasets.functions.words import split, stem
from datasets.ranking import discounts
from tests.cases import cases


@pytest.fixture(scope="module")
def data():
    return load("function-search", queries=200, documents=15)


def by_name():
    return {f"{f.qualified} · {f.summary}": f for f in functions()}


def slow_grade(wanted, other):
    """The grade as the docstring says it."""
    shared = {stem(w) for w in split(wanted.last)} & {stem(w) for w in split(other.last)}
    if other == wanted:
        return 4
    if other.last == wanted.last:
        return 3
    place = [f.qualified[: -len(f.last)] for f in (wanted, other)]
    if place[0] == place[1]:
        return 2 if len(shared) >= len({stem(w) for w in split(wanted.last)}) / 2 else 1
    return 1 if shared and wanted.package == other.package else 0


def test_every_query_offers_the_function_sought_and_grades_go_by_names(data):
    known = by_name()
    for query in range(data.queries):
        rows = data.documents(query)
        offered = [known[data.document_names[row]] for row in rows]
        grades = data.grades[0, rows]
        assert len(set(offered)) == 15 and (grades == 4).sum() == 1
        wanted = offered[int(grades.argmax())]
        assert grades.tolist() == [slow_grade(wanted, other) for other in offered]


def test_queries_are_words_of_the_function_sought(data):
    known = by_name()
    packages = summaries = 0
    for query in range(data.queries):
        rows = data.documents(query)
        wanted = known[data.document_names[rows[int(data.grades[0, rows].argmax())]]]
        typed = data.query_name(query).split()
        packages += typed[0] == wanted.package
        typed = typed[1:] if typed[0] == wanted.package and len(typed) > 1 else typed
        parts = split(wanted.last)
        run = next(k for k in (3, 2, 1) if any(parts[i : i + k] == typed[:k] for i in range(len(parts) - k + 1)))
        left = typed[run:]
        assert len(left) <= 1 and all(word in split(wanted.summary) for word in left), (typed, wanted)
        summaries += len(left)
    assert 0.1 < packages / data.queries < 0.35 and 0.3 < summaries / data.queries < 0.6


def test_features_are_those_of_the_index(data):
    names = {name: row for row, name in enumerate(by_name())}
    held = index()
    for query in (0, 7, 199):
        rows = data.documents(query)
        given_rows = np.array([names[data.document_names[row]] for row in rows])
        raw = held.describe(data.query_name(query), given_rows).raw
        assert np.array_equal(data.features[rows, : raw.shape[1]], raw * np.float32(features.RAW_SCALE))


def test_documents_come_in_random_order(data):
    places = [int(data.grades[0, data.documents(q)].argmax()) for q in range(data.queries)]
    assert 5 < np.mean(places) < 9 and len(set(places)) == 15


def test_size_and_arrays(data):
    assert data.features.shape == (3000, len(features.names())) and data.features.dtype == np.float32
    assert data.size().bytes <= create("function-search", queries=200, documents=15).size().bytes + data.grades.nbytes
    assert np.array_equal(data.tuned, tuned_weights())
    norms = np.linalg.norm(data.features, axis=1)
    assert 0.9 < norms.mean() < 1.15 and norms.min() > 0.6


def ndcg(data, scores, k=10):
    gains = 2 ** data.grades[0].reshape(data.queries, -1) - 1
    order = np.argsort(-scores.reshape(data.queries, -1), axis=1, kind="stable")
    gamma = discounts(gains.shape[1]) * (np.arange(gains.shape[1]) < k)
    return float(np.mean(np.take_along_axis(gains, order, 1) @ gamma / (-np.sort(-gains, axis=1) @ gamma)))


def test_the_tuned_ranker_is_decent_and_can_be_beaten(data):
    tuned, best = ndcg(data, data.features @ data.tuned), ndcg(data, data.utility[0])
    random = ndcg(data, np.random.default_rng(0).random(len(data.features)))
    assert random < 0.5 < 0.78 < tuned < best - 0.03
    other = load("function-search", queries=300, documents=15, data_seed=1)
    learned = ndcg(other, other.features @ data.weights[0])
    assert learned > ndcg(other, other.features @ other.tuned) + 0.02  # what is learned holds for other queries


def test_the_weights_are_the_ridge_fit(data):
    x, y = data.features.astype(float), data.grades[0]
    damping = (x**2).sum(axis=1).mean()
    slope = x.T @ (x @ data.weights[0] - y) + damping * data.weights[0]  # zero at the minimum
    assert np.abs(slope).max() < 1e-6 * np.abs(x.T @ y).max()


def test_another_seed_gives_other_queries():
    one, other = (load("function-search", queries=100, documents=10, data_seed=seed) for seed in (0, 1))
    assert one.query_names != other.query_names


@settings(max_examples=5)
@given(st.integers(0, 2**31 - 1))
def test_functions_are_sought_as_often_as_others_name_them(seed):
    held = [DocumentedFunction("a", "a", f"f{i}", "function", "", "", mentions=m) for i, m in enumerate((0, 1, 8))]
    sought, queries = ask(held, 3000, np.random.default_rng(seed))
    assert np.abs(np.bincount(sought, minlength=3) / 3000 - np.array([1, 2, 9]) / 12).max() < 0.04
    assert set(queries) <= {f"{package}f{i}" for package in ("", "a ") for i in range(3)}


def test_grades_of_functions_without_words_in_common():
    held = [
        DocumentedFunction("a", "a", "x", "function", "", ""),
        DocumentedFunction("b", "b", "y", "function", "", ""),
    ]
    assert grade(held, np.array([0, 1]), np.array([[0, 1], [0, 1]])).tolist() == [[4, 0], [0, 4]]


@cases("tuned", [np.ones(3), np.array([1.0, np.nan]), np.ones((1, 2))])
def test_a_tuned_ranker_needs_a_weight_for_each_feature(tuned):
    with pytest.raises(ValueError, match="tuned must be 2 finite numbers, one per feature, or None"):
        RankingData("x", {}, np.eye(2), np.array([0, 2]), np.eye(2)[:1], tuned=tuned)
    assert RankingData("x", {}, np.eye(2), np.array([0, 2]), np.eye(2)[:1]).tuned is None
