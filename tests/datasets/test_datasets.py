"""The ranking data sets: hand-computed small cases and properties that hold for every setting."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits

import datasets.made
from datasets import Info, RankingData, catalogue, classes, create, discovery, exact, load
from datasets.ranking import discounts
from learners.catalogue import families
from tests.cases import cases
from tests.strategies import amounts

few = settings(max_examples=20, deadline=None)


def test_catalogue_says_all_a_page_needs():
    infos = catalogue()
    ranking = [info.id for info in infos if info.family == "ranking"]
    ours = ["toy-ranking", "digits-search", "web-search", "letor-file", "news-topics"]
    assert {*ours, "movies", "movielens-file", "movielens"} <= set(ranking)
    for info in infos:
        assert isinstance(info, Info) and info.family in families() and info.title and info.source
        assert 1 <= info.summary.count(". ") <= 2 and info.summary.endswith(".")
        for parameter in info.parameters:
            assert parameter.help.endswith(".")
            if info.family == "ranking":  # the names of users' parameters, which share the link
                assert parameter.name not in {"noise", "sigma", "alpha", "k"}
            assert parameter.parse(parameter.format(parameter.default)) == parameter.default


@cases(
    "id, params, sentence",
    [
        ("toys", {}, "there is no data set 'toys'; known are: " + ", ".join(classes())),
        ("toy-ranking", {"size": 3},
         "toy-ranking has no parameter 'size'; its parameters are: documents, initial_weights"),
        ("toy-ranking", {"documents": 1}, "documents must be a whole number in [2, 100], got 1"),
        ("toy-ranking", {"documents": 2.5}, "documents must be a whole number in [2, 100], got 2.5"),
        ("toy-ranking", {"documents": [3, 4]},
         "documents of toy-ranking must be a single value: all replicates share the data"),
        ("toy-ranking", {"initial_weights": (1, np.nan)},
         "initial_weights must be 2 numbers, each in [-100, 100], got [ 1. nan]"),
        ("digits-search", {"topic": "10"}, "topic must be one of all, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, got 10"),
        ("digits-search", {"documents": 9}, "documents must be a whole number in [10, 50], got 9"),
        ("digits-search", {"data_seed": -1}, "data_seed must be a whole number in [0, 2147483647], got -1"),
        ("web-search", {"relevance_noise": 5.1}, "relevance_noise must be in [0, 5], got 5.1"),
        ("web-search", {"queries": 28001}, "queries must be a whole number in [10, 28000], got 28001"),
        ("web-search", {"precision": "half"}, "precision must be one of double, single, got half"),
        ("web-search", {"queries": 28000, "documents": 200, "features": 1000},
         "28000 queries of 200 documents with 1000 features would take 44.8 GB, at most 4 GB are allowed; "
         "choose fewer or single precision"),
    ],
)  # fmt: skip
def test_what_is_not_allowed_is_refused_in_a_sentence(id, params, sentence):
    with pytest.raises(ValueError) as error:
        load(id, **params)
    assert str(error.value) == sentence


def test_parameters_survive_the_way_through_a_url():
    spec = create("toy-ranking", initial_weights=(0.1234567891, -1e-7))
    parameter = spec.parameter("initial_weights")
    assert parameter.parse(parameter.format(spec.initial_weights)) == (0.1234567891, -1e-7)
    assert parameter.format((1.0, -1.0)) == "1,-1"
    with pytest.raises(ValueError, match=r"^topic must be one of all, .*, got x{60}…$"):
        create("digits-search").parameter("topic").parse("x" * 10_000)


def test_toy_is_the_one_of_the_paper():
    data = load("toy-ranking", documents=4, initial_weights=(-1, 1))
    assert data.features.tolist() == [[1, 0], [0, 1], [0, 1], [0, 1]]
    assert data.starts.tolist() == [0, 4] and data.queries == 1
    assert data.grades.tolist() == [[1, 0, 0, 0]]
    assert data.weights.tolist() == [[1, -1]] and data.utility.tolist() == [[1, -1, -1, -1]]
    assert data.initial_weights.tolist() == [-1, 1]
    gamma = 1 / np.log2([2, 3, 4, 5])
    assert data.radius == pytest.approx(gamma.sum())


PIXELS, LABELS = load_digits(return_X_y=True)


@settings(few, max_examples=5)
@given(
    documents=st.integers(10, 50),
    topic=st.sampled_from(["all", *"0123456789"]),
    queries=st.integers(10, 60),
    data_seed=st.integers(0, 2**31 - 1),
)
def test_every_digits_query_is_balanced_without_repetition(documents, topic, queries, data_seed):
    spec = create("digits-search", documents=documents, topic=topic, queries=queries, data_seed=data_seed)
    data, labels = spec.build(), LABELS
    if topic == "all":
        assert np.array_equal(data.grades.argmax(axis=0), labels)
    assert np.allclose(data.features * np.linalg.norm(PIXELS, axis=1)[:, None], PIXELS)
    assert data.image_shape == (8, 8)
    assert data.rows is not None and data.rows.shape == (queries * documents,)
    for rows in data.rows.reshape(queries, documents):
        assert len(set(rows.tolist())) == documents
        counts = np.bincount(labels[rows], minlength=10)
        assert counts.min() >= 1 and counts.max() - counts.min() <= 1
    wanted = range(10) if topic == "all" else [int(topic)]
    assert data.task_names == tuple(f"digit {d}" for d in wanted)
    assert np.array_equal(data.grades, [labels == d for d in wanted])
    assert np.allclose(np.linalg.norm(data.features, axis=1), 1)
    size = spec.size()
    held = data.features.nbytes + data.grades.nbytes + data.starts.nbytes + data.rows.nbytes
    assert (size.queries, size.documents, size.features) == (queries, documents, 64)
    assert size.bytes == held
    assert np.array_equal(data.rows, spec.build().rows)


def test_digits_are_drawn_evenly_and_in_random_order():
    data = load("digits-search", documents=14, queries=10000)
    times = np.bincount(data.rows, minlength=1797)
    assert times.min() > 40  # about 78 each
    digits = data.grades.argmax(axis=0)[data.rows].reshape(-1, 14)
    shares = np.array([(digits == d).mean(axis=0) for d in range(10)])  # by place in the query
    assert np.abs(shares - 0.1).max() < 0.02
    one, other = (load("digits-search", documents=14, queries=100, data_seed=seed).rows for seed in (0, 1))
    assert not np.array_equal(one, other)


web_settings = st.fixed_dictionaries(
    {
        "queries": st.integers(10, 60),
        "documents": st.integers(2, 30),
        "features": st.integers(2, 12),
        "relevance": st.sampled_from(["linear", "nonlinear"]),
        "relevance_noise": amounts(5),
        "spectrum": st.sampled_from(["isotropic", "ill-conditioned"]),
        "lengths": st.sampled_from(["equal", "varied"]),
        "precision": st.sampled_from(["double", "single"]),
        "data_seed": st.integers(0, 2**31 - 1),
    }
)


@few
@given(web_settings)
def test_web_search_is_what_was_asked_for(params):
    spec = create("web-search", **params)
    data, size = spec.build(), spec.size()
    assert (size.queries, size.documents, size.features) == (data.queries, data.longest, data.dimension)
    assert size.bytes == data.features.nbytes + data.grades.nbytes + data.starts.nbytes
    assert data.features.dtype == (np.float32 if params["precision"] == "single" else np.float64)
    assert data.lengths.min() >= 2 and data.longest <= max(2, 2 * params["documents"] - 2)
    if params["lengths"] == "equal":
        assert data.same_length and data.longest == params["documents"]
    n = len(data.features)
    shares = np.bincount(data.grades[0].astype(int), minlength=5) / n
    assert np.abs(np.cumsum(shares) - [0.5, 0.75, 0.9, 0.97, 1]).max() <= 2 / n
    again = spec.build()
    assert np.array_equal(again.features, data.features) and np.array_equal(again.grades, data.grades)
    expected = np.linalg.lstsq(data.features.astype(float), data.grades[0], rcond=None)[0]
    assert np.allclose(data.weights[0], expected, rtol=1e-6, atol=1e-9)


def test_web_search_follows_its_model():
    common = {"queries": 1000, "documents": 20, "features": 10}
    clean = load("web-search", relevance_noise=0, **common)
    order = np.argsort(clean.utility[0])
    assert np.corrcoef(clean.utility[0], clean.grades[0])[0, 1] > 0.85
    assert np.mean(np.diff(clean.grades[0][order]) < 0) < 0.02  # grades rise with utility
    explained = {
        (relevance, noise): np.corrcoef(data.utility[0], data.grades[0])[0, 1] ** 2
        for relevance in ("linear", "nonlinear")
        for noise in (0.0, 1.0)
        for data in [load("web-search", relevance=relevance, relevance_noise=noise, **common)]
    }
    for noise in (0.0, 1.0):  # half of the signal is not linear
        assert 0.3 < explained["nonlinear", noise] / explained["linear", noise] < 0.7
    assert 0.4 < explained["linear", 1.0] / explained["linear", 0.0] < 0.6
    variances = load("web-search", spectrum="ill-conditioned", **common).features.var(axis=0)
    assert np.allclose(variances, 1 / np.arange(1, 11) ** 2, rtol=0.1)
    varied = load("web-search", lengths="varied", **common)
    assert varied.longest == 38 and varied.lengths.min() == 2 and abs(varied.lengths.mean() - 20) < 1
    other = load("web-search", data_seed=1, **common)
    assert not np.array_equal(other.features, load("web-search", **common).features)


def test_web_search_does_not_depend_on_the_size_of_its_chunks(monkeypatch):
    params = {"queries": 50, "documents": 5, "features": 7, "precision": "single"}
    whole = load("web-search", **params)
    monkeypatch.setattr("datasets.made.web_search._CHUNK", 64)
    monkeypatch.setattr("datasets.ranking._CHUNK", 64)
    cut = load("web-search", **params)
    assert np.array_equal(whole.features, cut.features) and np.array_equal(whole.grades, cut.grades)
    assert np.allclose(whole.weights, cut.weights) and np.allclose(whole.utility, cut.utility)


@few
@given(web_settings, st.integers(0, 2**32 - 1))
def test_radius_bounds_every_ranking(params, seed):
    data = load("web-search", **params)
    rng = np.random.default_rng(seed)
    for query in range(data.queries):
        x = data.features[data.documents(query)].astype(float)
        x = x[rng.permutation(len(x))]
        assert np.linalg.norm(discounts(len(x)) @ x) <= data.radius * (1 + 1e-12)


def test_weights_are_the_smallest_least_squares_fit():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((60, 6))
    x[:, 3] = 0  # never set
    x[:, 4] = 3 * x[:, 0]  # says what another one says, in another unit
    x *= [1, 1e4, 1e-4, 1, 1, 1]  # very different units
    grades = rng.integers(0, 5, (2, 60)).astype(float)
    data = RankingData("x", {}, x, np.array([0, 30, 60]), grades)
    assert data.weights.shape == (2, 6)
    expected = np.linalg.lstsq(x, grades.T, rcond=1e-13)[0].T
    assert np.allclose(data.weights, expected, rtol=1e-5, atol=1e-9)


UNITS = np.array([1e-6, 1e6, 1e-3, 1.0, 1e3, 1e-6])


def fit(x, grades):
    return RankingData("x", {}, x, np.array([0, len(x)]), grades).weights


@cases("turn", range(6))
def test_the_fit_is_exact_whatever_the_units_of_the_columns(turn, monkeypatch):
    """Two columns say the same in units 10³ to 10¹² apart, one is a sum of two others, one is never set."""
    rng = np.random.default_rng(turn)
    z = rng.integers(-9, 10, (80, 4)).astype(float)  # well conditioned, so its fit is known to rounding
    grades = rng.integers(0, 5, (2, 80)).astype(float)
    u = np.linalg.lstsq(z, grades.T, rcond=None)[0].T
    a, b, c, d = np.roll(UNITS, turn)[:4]
    x = np.stack([a * z[:, 0], b * z[:, 0], c * z[:, 1], d * z[:, 2], 0 * z[:, 0], z[:, 3], z[:, 3]], axis=1)
    weights = fit(x, grades)
    # of the weights with a w0 + b w1 = u0 the smallest are (a, b) u0 / (a² + b²)
    whole = np.hypot(a, b)
    expected = [u[:, 0] / whole * (a / whole), u[:, 0] / whole * (b / whole), u[:, 1] / c, u[:, 2] / d]
    expected = np.stack([*expected, 0 * u[:, 0], u[:, 3] / 2, u[:, 3] / 2], axis=1)
    assert np.allclose(weights, expected, rtol=1e-11, atol=0)
    order = rng.permutation(80)  # another order of summation rounds otherwise, as another processor does
    assert np.array_equal(fit(x[order], grades[:, order]), weights), "the bits depend on the order of summation"
    monkeypatch.setattr(exact, "PART", 100)  # in many parts
    assert np.array_equal(fit(x, grades), weights), "the bits depend on how many rows are multiplied at a time"


def test_dependent_columns_of_other_units_share_the_smallest_weights():
    rng = np.random.default_rng(3)
    z = rng.standard_normal((50, 3))
    x = np.stack([1e3 * z[:, 0], 1e-2 * z[:, 1], 1e3 * z[:, 0] + 1e-2 * z[:, 1], 5 * z[:, 2]], axis=1)
    grades = rng.integers(0, 3, (1, 50)).astype(float)
    # by hand: w = (p, q, 0, r) + s (1, 1, −1, 0) with s = −(p + q) / 3
    p, q, r = (np.linalg.lstsq(z, grades[0], rcond=None)[0]) / [1e3, 1e-2, 5]
    s = -(p + q) / 3
    assert np.allclose(fit(x, grades), [[p + s, q + s, -s, r]], rtol=1e-9, atol=0)


def test_nearly_equal_columns_are_fitted_and_not_merged():
    """Columns that differ by 10⁻⁴ of their length are independent; the weights must still be those of the truth."""
    rng = np.random.default_rng(4)
    z = rng.standard_normal((200, 2))
    x = np.stack([1e5 * z[:, 0], 1e-5 * (z[:, 0] + 1e-4 * z[:, 1])], axis=1)
    truth = np.array([2e-5, 3e5])
    grades = (x @ truth)[None] + 100
    centred = np.column_stack([x, np.ones(200)])  # exact for the weights and a constant
    assert np.allclose(fit(centred, grades), [[*truth, 100]], rtol=1e-8, atol=0)


@cases(
    "change, sentence",
    [
        ({"starts": np.array([0, 1, 4])}, "query 1 has 1 document(s); a ranking needs at least 2"),
        ({"starts": np.array([0])}, "the data set has no queries"),
        ({"starts": np.array([0, 3])}, "starts must run from 0 to 4, got 0 to 3"),
        ({"grades": np.ones((1, 3))}, "grades must be (K, 4) numbers, got (1, 3)"),
        ({"grades": -np.ones((1, 4))}, "a relevance grade is negative or not a finite number"),
        ({"grades": np.array([[1, 0, np.nan, 0]])}, "a relevance grade is negative or not a finite number"),
        ({"features": np.full((4, 2), np.inf)}, "a feature is not a finite number, or too large to compute with"),
        ({"features": np.full((4, 2), 1e200)}, "a feature is not a finite number, or too large to compute with"),
    ],
)
def test_data_that_do_not_fit_are_refused(change, sentence):
    given = {"features": np.eye(4), "starts": np.array([0, 2, 4]), "grades": np.ones((1, 4))} | change
    with pytest.raises(ValueError) as error:
        RankingData("x", {}, **given)
    assert str(error.value) == sentence


def test_a_new_data_set_is_one_new_file(tmp_path, monkeypatch):
    code = (
        "from dataclasses import dataclass\nfrom datasets.made.toy_ranking import ToyRanking\n\n"
        "@dataclass(kw_only=True)\nclass Mine(ToyRanking):\n    id = 'my-ranking'\n    order = 99_999\n"
    )
    (tmp_path / "my_ranking.py").write_text(code)
    monkeypatch.setattr(datasets.made, "__path__", [*datasets.made.__path__, str(tmp_path)])
    before = list(classes())
    discovery.classes.cache_clear()
    try:
        assert list(classes()) == [*before, "my-ranking"] and load("my-ranking").id == "my-ranking"
    finally:
        discovery.classes.cache_clear()
        sys.modules.pop("datasets.made.my_ranking", None)


def test_the_catalogue_keeps_its_order():
    kept = [
        "toy-ranking", "digits-search", "web-search", "one-list", "letor-file", "letor-folds", "letor-split",
        "news-topics", "function-search", "movies", "movielens-file", "rated-movies", "rated-movies-file", "synsep",
        "synnonsep", "four-topics", "digits", "separable-points", "moons", "blobs", "rings", "wine", "breast-cancer",
        "multilabel-synthetic", "multilabel-file", "classification-file", "openml", "reuters4", "newsgroups",
        "movielens",
    ]  # fmt: skip
    assert [info.id for info in catalogue() if info.id in kept] == kept


@pytest.mark.parametrize("source", ["web-search", "digits-search"])
def test_one_list_is_a_query_of_its_source(source):
    """With the documents, grades and true utilities that this query has there; and there are no others."""
    whole, one = load(source, queries=100, data_seed=2), load("one-list", source=source, query=7, data_seed=2)
    rows = whole.documents(6)
    assert one.fixed_candidates and one.queries == 1 and one.longest == len(rows) == 20
    np.testing.assert_array_equal(one.features, whole.features[rows])
    np.testing.assert_array_equal(one.grades, whole.grades[:, rows])
    np.testing.assert_allclose(one.utility, whole.utility[:, rows], rtol=1e-12)
    assert (one.top_grade, one.image_shape, one.task_names) == (whole.top_grade, whole.image_shape, whole.task_names)
    with pytest.raises(ValueError, match="query must be from 0 to 99, got 100"):
        whole.one_list(100)


def test_what_is_used_up_is_no_list():
    data = load("movies", users=20, movies=30, ratings=20, features=2)
    with pytest.raises(ValueError, match="documents that are used up are no fixed list"):
        data.one_list(0)
