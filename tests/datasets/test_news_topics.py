"""Text search: the corpora, features that stay sparse, and the same numbers as with dense features."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array, csc_array, csr_array
from sklearn.feature_extraction.text import TfidfTransformer

from datasets import create, load
from datasets.news.corpus import synthetic, telling_words, tf_idf
from datasets.news.headlines import TOPICS
from datasets.ranking import RIDGE, RankingData
from datasets.ridge import ridge
from datasets.tables import packing
from learners import Simulation, catalogue, create_user, sweep
from learners import create as learner
from learners.catalogue import user_classes
from learners.ranking.base import Context
from learners.ranking.measured.stability import Stability
from learners.ranking.step.features import Features

pytestmark = pytest.mark.long

IDS = [info.id for info in catalogue() if info.family == "ranking" and not info.learner.fixed_list]
few = settings(max_examples=25, deadline=None)


def texts(seed, n, d, empty=True):
    """(n, d) random csr features, some rows and columns of which may be 0."""
    rng = np.random.default_rng(seed)
    dense = np.where(rng.random((n, d)) < 0.2, rng.normal(size=(n, d)), 0.0)
    if not empty:
        dense[np.arange(n), rng.integers(0, d, n)] = 1.0
    return csr_array(dense)


def dense_of(features):
    """The same numbers, dense; without the methods that `never_dense` forbids."""
    dense = np.zeros(features.shape)
    dense[features.nonzero()] = features.data
    return dense


@pytest.fixture
def never_dense(monkeypatch):
    """Every step that makes a sparse matrix dense fails, but for a single column or row."""

    def guard(was):
        def guarded(self, *args, **more):
            assert len(self.shape) == 1 or min(self.shape) <= 1, "made dense"
            return was(self, *args, **more)

        return guarded

    for kind in {c for t in (csr_array, csc_array, coo_array) for c in t.__mro__}:
        for name in {"toarray", "todense"} & set(vars(kind)):
            monkeypatch.setattr(kind, name, guard(vars(kind)[name]))


# ---- the corpus ----------------------------------------------------------------------------------------


@settings(max_examples=5, deadline=None)
@given(
    documents=st.integers(20, 70),
    topic=st.sampled_from(["all", "1", "20"]),
    queries=st.integers(10, 120),
    words=st.integers(100, 3000),
    data_seed=st.integers(0, 2**31 - 1),
)
def test_queries_are_balanced_and_texts_have_length_one(documents, topic, queries, words, data_seed):
    spec = create("news-topics", documents=documents, topic=topic, queries=queries, words=words, data_seed=data_seed)
    data, everyone = spec.build(), create("news-topics", queries=10, words=words, data_seed=data_seed).build()
    labels = everyone.grades.argmax(axis=0)
    assert data.sparse and data.features.shape == (4000, words) and data.queries == queries
    np.testing.assert_allclose(np.sqrt((data.features**2).sum(axis=1)), 1)
    assert (data.features.data > 0).all() and (np.bincount(labels) == 200).all()
    for rows in data.rows.reshape(queries, documents):
        assert len(set(rows.tolist())) == documents
        counts = np.bincount(labels[rows], minlength=20)
        assert counts.min() >= 1 and counts.max() - counts.min() <= 1
    wanted = range(20) if topic == "all" else [int(topic) - 1]
    assert data.task_names == tuple(f"topic {k + 1}: {list(TOPICS)[k]}" for k in wanted)
    assert np.array_equal(data.grades, [labels == k for k in wanted])
    again = spec.build()
    assert np.array_equal(again.features.data, data.features.data) and np.array_equal(again.rows, data.rows)
    size = spec.size()
    held = [data.features.data, data.features.indices, data.features.indptr, data.rows, data.starts]
    held = sum(part.nbytes for part in [*held, data.grades, data.weights, data.utility])
    assert (size.queries, size.documents, size.features) == (queries, documents, words)
    assert 0.5 < held / size.bytes < 2


def test_the_made_up_corpus():
    """Words are frequent by Zipf's law, documents have about 80 different ones of 20,000, and the topics can be told
    apart by their words: by w* the relevant text of a query is first."""
    corpus = synthetic(20_000, np.random.default_rng(0))
    assert 70 < corpus.features.nnz / 4000 < 100
    found = np.sort(np.bincount(corpus.features.indices, minlength=20_000))[::-1]
    ranks = np.arange(100, 1000)
    assert -1.3 < np.polyfit(np.log(ranks), np.log(found[ranks]), 1)[0] < -0.7
    data = load("news-topics", words=20_000, queries=100)
    best = data.utility[:, data.rows.reshape(100, 20)].argmax(axis=2)
    right = data.grades[:, data.rows.reshape(100, 20)].argmax(axis=2)
    assert (best == right).mean() > 0.99
    other = load("news-topics", words=500, data_seed=1)
    assert not np.array_equal(other.features.data, load("news-topics", words=500).features.data)


@pytest.mark.parametrize("words", [100, 1000, 20_000])
def test_a_headline_tells_the_topic_of_a_text(words):
    """Nearly every headline begins with a word of the text's own topic, and all its words are spelled in one topic."""
    assert len({word for text in TOPICS.values() for word in text.split()}) == 20 * 12
    data = load("news-topics", words=words, queries=10)
    topic_of = {word: k for k, text in enumerate(TOPICS.values()) for word in text.split()}
    labels = data.grades.argmax(axis=0)
    first = [topic_of[name.split(", ")[0]] for name in data.document_names]
    assert (np.array(first) == labels).mean() > 0.95
    assert max(len(name.split(", ")) for name in data.document_names) <= 6
    assert data.document_names == load("news-topics", words=words, queries=10).document_names


@few
@given(st.integers(0, 10**6))
def test_tf_idf_is_the_one_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    counts = csr_array(np.where(rng.random((12, 7)) < 0.4, rng.integers(1, 5, (12, 7)), 0).astype(float))
    np.testing.assert_allclose(tf_idf(counts).toarray(), TfidfTransformer().fit_transform(counts).toarray())


@few
@given(st.integers(0, 10**6), st.integers(1, 9))
def test_telling_words_by_the_definition_of_chi_square(seed, words):
    """The statistic of each 2 × 2 table, Σ (observed − expected)² / expected, the largest over the topics."""
    rng = np.random.default_rng(seed)
    x, labels = rng.random((30, 9)) < rng.random(9), rng.integers(0, 3, 30)

    def statistic(there, right):
        total = 0.0
        for a in (False, True):
            for b in (False, True):
                expected = (there == a).sum() * (right == b).sum() / len(there)
                total += (((there == a) & (right == b)).sum() - expected) ** 2 / expected if expected else 0.0
        return total

    best = [max(statistic(x[:, j], labels == k) for k in range(3)) for j in range(9)]
    chosen = telling_words(csr_array(x * 0.5), labels, 3, words)
    assert len(set(chosen.tolist())) == words and (np.diff(chosen) > 0).all()
    others = np.delete(best, chosen)
    assert not len(others) or min(np.array(best)[chosen]) >= max(others) - 1e-9


# ---- corpora that are downloaded -------------------------------------------------------------------------


@pytest.fixture
def disk(tmp_path, monkeypatch):
    """Small stand-ins for the two downloads, as `datasets.download` leaves them."""
    monkeypatch.setenv("FEEDBACK_LAB_DOWNLOADS", str(tmp_path))
    rng = np.random.default_rng(0)

    def put(id, topics, dtype):
        labels = np.arange(topics * 30) % topics
        counts = rng.poisson(0.05, (len(labels), 400)) + 3 * (np.arange(400) % topics == labels[:, None]) * (
            rng.random((len(labels), 400)) < 0.3
        )
        counts[0] = 0  # a text without any word
        rows = packing.unit_rows(csr_array(counts.astype(dtype)))
        np.savez(tmp_path / f"{id}.npz", **packing.pack(rows, labels, tuple(f"{id} {k}" for k in range(topics)), ()))
        return rows, labels

    return {"20newsgroups": put("newsgroups", 20, np.float64), "rcv1": put("reuters4", 4, np.float32)}


@pytest.mark.parametrize("corpus, topics", [("20newsgroups", 20), ("rcv1", 4)])
def test_downloads_are_read_from_the_disk(disk, corpus, topics):
    spec = create("news-topics", corpus=corpus, words=100, documents=24, queries=50, topic="2")
    data, size = spec.build(), spec.size()
    assert data.sparse and data.features.shape == (topics * 30 - 1, 100) == (data.features.shape[0], size.features)
    assert data.features.dtype == np.float64 and data.task_names[0].endswith(" 1")
    np.testing.assert_allclose(np.sqrt((data.features**2).sum(axis=1)), 1)
    all_words = create("news-topics", corpus=corpus, words=50_000, documents=24, queries=50).build()
    assert all_words.tasks == topics and all_words.dimension == 400
    relevant = all_words.grades[:, all_words.rows.reshape(50, 24)].sum(axis=2)
    assert relevant.min() >= 24 // topics and relevant.max() <= -(-24 // topics)
    rows, _ = disk[corpus]
    wanted = tf_idf(rows)[1:] if corpus == "20newsgroups" else rows[1:]  # rcv1 is weighted already
    np.testing.assert_allclose(all_words.features.toarray(), wanted.toarray(), atol=1e-7)
    sim = Simulation("preference-perceptron", data, "scan", replicates=2)
    sim.advance(5)


def test_a_large_corpus_is_cut_to_some_of_its_texts(disk, monkeypatch):
    monkeypatch.setattr("datasets.news.topics.MOST_DOCUMENTS", 300)
    data = create("news-topics", corpus="20newsgroups", documents=20, queries=10).build()
    assert 290 <= data.features.shape[0] <= 300 and data.grades.shape[1] == data.features.shape[0]


@pytest.mark.parametrize(
    "params, sentence",
    [
        ({"corpus": "20newsgroups"}, "newsgroups is not downloaded yet; press Download in the catalogue, "
         "or call datasets.download('newsgroups')"),
        ({"corpus": "rcv1"}, "reuters4 is not downloaded yet; press Download in the catalogue, "
         "or call datasets.download('reuters4')"),
        ({"corpus": "rcv1", "topic": "5"}, "topic must be all or a number from 1 to 4 for rcv1, got 5"),
        ({"words": 99}, "words must be a whole number in [100, 50000], got 99"),
        ({"documents": 19}, "documents must be a whole number in [20, 200], got 19"),
    ],
)  # fmt: skip
def test_what_is_not_there_or_not_allowed_is_said_in_a_sentence(params, sentence, tmp_path, monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_DOWNLOADS", str(tmp_path))
    for ask in (lambda: create("news-topics", **params).size(), lambda: load("news-topics", **params)):
        with pytest.raises(ValueError) as error:
            ask()
        assert str(error.value) == sentence


# ---- sparse ranking data ---------------------------------------------------------------------------------


@few
@given(st.integers(0, 10**6), st.integers(2, 30), st.integers(1, 12), st.floats(1e-3, 10))
def test_ridge_solves_the_normal_equations(seed, n, d, damping):
    x, y = texts(seed, n, d), np.random.default_rng(seed).normal(size=(n, 3))
    y[:, 2] = 0
    dense = x.toarray()
    wanted = np.linalg.solve(dense.T @ dense + damping * np.eye(d), dense.T @ y)
    np.testing.assert_allclose(ridge(x, y, damping), wanted, rtol=1e-5, atol=1e-6)


def test_sparse_data_know_what_dense_data_know(never_dense):
    features = texts(0, 30, 12)
    dense = dense_of(features)
    starts, grades = np.array([0, 4, 13, 30]), np.random.default_rng(1).integers(0, 3, (2, 30)).astype(float)
    data = RankingData("x", {}, features, starts, grades)
    damping = RIDGE * (dense**2).sum(axis=1).mean()
    wanted = np.linalg.solve(dense.T @ dense + damping * np.eye(12), dense.T @ grades.T).T
    np.testing.assert_allclose(data.weights, wanted, atol=1e-7)
    twin = RankingData("x", {}, dense, starts, grades, weights=data.weights)
    np.testing.assert_allclose(data.utility, twin.utility, atol=1e-14)
    assert data.radius == pytest.approx(twin.radius, rel=1e-14) and data.dimension == 12 and data.sparse
    assert not twin.sparse


def test_any_sparse_format_is_taken_and_left_as_it_is():
    parts = coo_array((np.array([1, 2, 3, 4]), (np.array([0, 0, 1, 1]), np.array([1, 1, 2, 0]))), shape=(2, 3))
    grades = np.array([[1.0, 0.0]])
    for given_ in (parts, parts.tocsc(), csr_array((np.ones(3), np.array([2, 0, 2]), np.array([0, 3, 3])), (2, 3))):
        kept = given_.copy().toarray()
        data = RankingData("x", {}, given_, np.array([0, 2]), grades)
        assert data.features.format == "csr" and data.features.dtype == np.float64
        assert data.features.has_canonical_format and np.array_equal(data.features.toarray(), kept)
        assert given_.nnz == 4 - (given_.format == "csr") - (given_.format == "csc")


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e200])
def test_sparse_features_that_are_no_numbers_are_refused(value):
    features = csr_array(np.array([[value, 0.0], [0.0, 1.0]]))
    with pytest.raises(ValueError, match=r"^a feature is not a finite number, or too large to compute with$"):
        RankingData("x", {}, features, np.array([0, 2]), np.array([[1.0, 0.0]]))


# ---- the arithmetic of a step ------------------------------------------------------------------------------


def searched(features, documents, gamma=None):
    """A context with these rows (R, n) of stored features."""
    gamma = np.ones(documents.shape[1]) if gamma is None else gamma
    return Context(Features.of(features), gamma, rows=documents)


def in_turn(features, documents, weights):
    """w · x of sparse documents, added up in the order of the features as the compiled loop does, in plain Python."""
    scores = np.zeros(documents.shape)
    for r, block in enumerate(documents.tolist()):
        for i, row in enumerate(block):
            for j in range(features.indptr[row], features.indptr[row + 1]):
                scores[r, i] += features.data[j] * weights[r, features.indices[j]]
    return scores


def moved(features, documents, better, worse, gamma):
    """φ(x, ȳ) − φ(x, y) of dense features in NumPy."""
    rows = np.arange(len(documents))[:, None]
    apart = features[documents[rows, better]] - features[documents[rows, worse]]
    return np.einsum("n,rnd->rd", gamma, apart)


@few
@given(st.integers(0, 10**6), st.sampled_from([np.float32, np.float64]))
def test_compiled_and_plain_arithmetic_have_the_same_bits(seed, dtype):
    """Both equal the dense arithmetic to rounding."""
    rng = np.random.default_rng(seed)
    features, documents = texts(seed, 15, 8).astype(dtype), rng.integers(0, 15, (3, 5))
    weights, gamma = rng.normal(size=(3, 8)), rng.normal(size=5)
    better, worse = (rng.permuted(np.tile(np.arange(5), (3, 1)), axis=1) for _ in range(2))
    context, dense = searched(features, documents, gamma), features.toarray().astype(float)
    assert context.shape == (3, 5) and context.x.d == 8
    np.testing.assert_array_equal(context.features, dense[documents])
    np.testing.assert_array_equal(context.scores(weights), in_turn(features, documents, weights))
    np.testing.assert_allclose(context.scores(weights), np.einsum("rnd,rd->rn", dense[documents], weights), atol=1e-12)
    wanted = moved(dense, documents, better, worse, gamma)
    np.testing.assert_allclose(context.feature_difference(better, worse), wanted, atol=1e-12)
    for r in range(3):  # and whatever stands beside in the batch
        alone = searched(features, documents[[r]], gamma)
        np.testing.assert_array_equal(alone.scores(weights[[r]])[0], context.scores(weights)[r])
        both = context.feature_difference(better, worse)[r]
        np.testing.assert_array_equal(alone.feature_difference(better[[r]], worse[[r]])[0], both)


def test_a_step_by_hand():
    """Documents [1, 0, 2] and [0, 3, 0], discounts 1 and ½: exchanging them changes D by (−½, ½), so that
    φ(x, ȳ) − φ(x, y) = [−½, 3/2, −1]; with w = [1, 10, 100] the scores are 201 and 30."""
    features = csr_array(np.array([[1.0, 0, 2], [0, 3, 0], [0, 0, 0]]))
    context = searched(features, np.array([[0, 1]]), np.array([1.0, 0.5]))
    assert context.scores(np.array([[1.0, 10.0, 100.0]])).tolist() == [[201, 30]]
    assert context.feature_difference(np.array([[1, 0]]), np.array([[0, 1]])).tolist() == [[-0.5, 1.5, -1]]
    assert searched(features, np.array([[2, 2]])).scores(np.ones((1, 3))).tolist() == [[0, 0]]


# ---- whole runs --------------------------------------------------------------------------------------------


def worlds(lengths=(6,) * 12, tasks=3, seed=0):
    """The same data sparse and dense, with the same w*."""
    n = sum(lengths)
    features = texts(seed, n, 25, empty=False)
    grades = np.random.default_rng(seed + 1).integers(0, 3, (tasks, n)).astype(float)
    names = tuple(map(str, range(tasks)))
    thin = RankingData("x", {}, features, np.cumsum([0, *lengths]), grades, task_names=names, top_grade=4)
    return thin, dataclasses.replace(thin, features=dense_of(features))


def same(first, second, tolerance):
    assert set(first) == set(second)
    for name in first:
        np.testing.assert_allclose(first[name], second[name], rtol=tolerance, atol=tolerance, err_msg=name)


def both(id, user, lengths, steps=80, seed=2, **params):
    runs = []
    for data in worlds(lengths):
        sim = Simulation(learner(id, **params), data, user, replicates=4, seed=seed)
        sim.advance(steps)
        runs.append(sim)
    return runs


@pytest.mark.parametrize("lengths", [(6,) * 12, (2, 9, 5, 14, 2, 3, 21)], ids=["equal", "unequal"])
@pytest.mark.parametrize("id", IDS)
def test_every_learner_learns_the_same_from_sparse_features(id, lengths, never_dense):
    thin, dense = both(id, "scan", lengths)
    assert thin.dataset.sparse and not dense.dataset.sparse
    tolerance = 1e-3 if id == "ranking-svm" else 1e-11  # an iterative solver, which ends when it is near enough
    same(dict(thin.history), dict(dense.history), tolerance)
    if thin.learner.weights is not None:
        np.testing.assert_allclose(thin.learner.weights, dense.learner.weights, rtol=tolerance, atol=tolerance)
    np.testing.assert_array_equal(thin.last.shown.ranking, dense.last.shown.ranking)


@pytest.mark.parametrize("id", sorted(id for id, cls in user_classes().items() if cls.family == "ranking"))
def test_every_user_answers_the_same_to_sparse_features(id):
    thin, dense = both("preference-perceptron", create_user(id), (6,) * 12)
    same(dict(thin.history), dict(dense.history), 1e-10)


@pytest.mark.parametrize("params", [{"feedback": "swap"}, {"feedback": "pair"}])
def test_variants_learn_the_same(params):
    same(*(dict(sim.history) for sim in both("preference-perceptron", "scan", (6,) * 12, **params)), 1e-10)
    dynamic = both("perturbed-perceptron", "scan", (6,) * 12, dynamic=True, delta=0.1)
    same(*(dict(sim.history) for sim in dynamic), 1e-9)


def test_stability_of_sparse_features():
    weights = np.random.default_rng(3).normal(size=(5, 25))
    tops = [
        Stability(data, Features.of(data.features), 5, np.random.default_rng(0), None).look(weights).top
        for data in worlds((2, 9, 5, 14))
    ]
    np.testing.assert_array_equal(*tops)


def test_news_run_without_ever_being_made_dense(never_dense):
    """In 1500 steps 3PR learns to put the one relevant text of twenty near the top."""
    data = load("news-topics", queries=200, words=5000)
    sim = Simulation("perturbed-perceptron", data, "scan", replicates=4, seed=0)
    sim.advance(1500)
    ndcg = sim.history["ndcg@5-predicted"]
    assert ndcg[-300:].mean() > 0.7 > 0.35 > ndcg[:20].mean()
    assert sim.learner.weights.shape == (4, 5000) and np.isfinite(sim.history["bound"]).all()
    assert (sim.history["bound"][-1] >= sim.history["average-regret"][-1]).all()
    assert 0 < sim.history["top10-overlap"][-1].mean() <= 10


def test_slices_change_nothing_and_scores_have_the_bits_of_plain_python():
    data = load("news-topics", queries=50, words=300)

    def run(sizes):
        sim = Simulation("preference-perceptron", data, "scan", replicates=3, seed=1)
        for size in sizes:
            sim.advance(size)
            last = sim.last
            np.testing.assert_array_equal(last.shown.scores, in_turn(data.features, last.documents, last.before))
        return dict(sim.history)

    whole = run([130])
    pieces = run([1, 70, 59])
    for name, values in whole.items():
        np.testing.assert_array_equal(values, pieces[name], err_msg=name)


def test_sweeps_over_the_learner_the_user_and_the_words():
    setup = {"learner": "perturbed-perceptron", "dataset": create("news-topics", queries=30, words=200), "user": "scan"}
    table = sweep(setup, {"swap_probability": [0.0, 0.25, 0.5]}, replicates=3, steps=60)
    for p in (0.0, 0.25, 0.5):
        sim = Simulation(learner("perturbed-perceptron", swap_probability=p), setup["dataset"].build(), "scan", 3)
        sim.advance(60)
        found = table[(table.swap_probability == p) & (table.metric == "average-regret")].value
        np.testing.assert_array_equal(found, sim.history["average-regret"][-1])
    table = sweep(setup, {"words": [100, 300]}, replicates=2, steps=20, metrics=["average-regret"])
    assert len(table) == 4 and table.value.notna().all()
