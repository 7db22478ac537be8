"""The classification data sets against what the papers say of them, what is refused, and golden runs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from datasets import create as declare
from datasets import load
from datasets.classification import ClassificationData
from datasets.made.synsep import _topics
from learners import Simulation, create
from tests.cases import cases

# ---- [B] Fig. 1 ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def clean():
    return load("synsep", examples=20_000)


@pytest.fixture(scope="module")
def noisy():
    return load("synnonsep", examples=20_000)


@cases("seed", range(5))
def test_topics_have_20_to_40_keywords_among_the_first_120(seed):
    """And each has more than five beyond any other's, so that no document can be of two topics."""
    topics = _topics(np.random.default_rng(seed))
    assert topics.shape == (9, 120)
    assert topics.sum(axis=1).min() >= 20 and topics.sum(axis=1).max() <= 40
    assert all((topics[a] & ~topics[b]).sum() > 5 for a in range(9) for b in range(9) if a != b)
    assert (topics.sum(axis=0) > 1).any()  # the supports of some overlap


def test_documents_of_synsep(clean):
    """All keywords of the topic but five, 20 of the last 280 words, nothing else; all of them equally often."""
    x, keywords = clean.features.toarray(), clean.separator[:, :120] > 0
    assert x.shape == (20_000, 400) and set(np.unique(x)) == {0, 1}
    assert (x[:, 120:].sum(axis=1) == 20).all()
    own = keywords[clean.labels]
    assert not (x[:, :120].astype(bool) & ~own).any()
    assert ((own & (x[:, :120] == 0)).sum(axis=1) == 5).all()
    common = x[:, 120:].mean(axis=0)
    assert np.abs(common - 20 / 280).max() < 5 * np.sqrt(20 / 280 / 20_000)
    for k in range(9):
        of = x[clean.labels == k][:, :120][:, keywords[k]]
        missing = 5 / keywords[k].sum()
        assert np.abs((1 - of.mean(axis=0)) - missing).max() < 5 * np.sqrt(missing / len(of))
        assert abs(len(of) - 20_000 / 9) < 5 * np.sqrt(20_000 / 9)
    assert ((clean.features @ clean.separator.T).argmax(axis=1) == clean.labels).all()


def test_label_noise_picks_a_different_label(clean, noisy):
    """5 % of them, each other label as often; the documents are the same."""
    assert (clean.features != noisy.features).nnz == 0
    changed = clean.labels != noisy.labels
    assert abs(changed.mean() - 0.05) < 5 * np.sqrt(0.05 * 0.95 / 20_000)
    shift = (noisy.labels - clean.labels)[changed] % 9
    counts = np.bincount(shift, minlength=9)
    assert counts[0] == 0 and np.abs(counts[1:] - changed.sum() / 8).max() < 5 * np.sqrt(changed.sum() / 8)
    most = load("synnonsep", examples=2000, noise=0.5)
    assert abs((most.labels != load("synsep", examples=2000).labels).mean() - 0.5) < 0.05
    assert (load("synnonsep", examples=500, noise=0.0).labels == load("synsep", examples=500).labels).all()


def test_synsep_stays_sparse_and_repeats(clean):
    assert clean.sparse and (clean.features.data == 1).all() and clean.features.indices.dtype == np.int32
    again, other = load("synsep", examples=20_000), load("synsep", examples=20_000, data_seed=1)
    assert (again.features != clean.features).nnz == 0 and (again.labels == clean.labels).all()
    assert (other.features != clean.features).nnz > 0
    size = declare("synsep", examples=20_000).size()
    assert (size.examples, size.features, size.classes) == (20_000, 400, 9)
    rows = clean.features
    held = rows.data.nbytes + rows.indices.nbytes + rows.indptr.nbytes + clean.labels.nbytes
    assert 0.5 * size.bytes < held <= size.bytes


# ---- points and digits -------------------------------------------------------------------------------------


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 6), st.integers(2, 4), st.sampled_from([0.0, 0.1, 0.2]), st.integers(0, 100))
def test_points_are_separable_with_their_margin(classes, dimensions, margin, seed):
    try:
        data = load(
            "separable-points", classes=classes, dimensions=dimensions, margin=margin, examples=200, data_seed=seed
        )
    except ValueError as error:  # two random directions may lie too close
        assert "margin must be smaller" in str(error)
        return
    scores = data.features @ data.separator.T
    own = scores[np.arange(200), data.labels]
    scores[np.arange(200), data.labels] = -np.inf
    assert (own - scores.max(axis=1) >= margin).all()
    assert data.radius <= 1 + 1e-12
    np.testing.assert_allclose(np.linalg.norm(data.separator, axis=1), 1)


def test_digits():
    data = load("digits")
    assert (data.examples, data.dimension, data.classes, data.image_shape) == (1797, 64, 10, (8, 8))
    np.testing.assert_allclose(data.norms, 1)
    raw = load("digits", unit_length=False)
    assert raw.features.max() == 16
    np.testing.assert_allclose(raw.features / raw.norms[:, None], data.features)


# ---- what is refused, and what is kept -----------------------------------------------------------------------


@cases(
    ("features", "labels", "names", "message"),
    [
        (np.eye(2), [0, 1, 1], "ab", "features must have one row for each of the 3 labels, got 2"),
        (np.zeros((0, 2)), [], "ab", "features must have one row for each of the 0 labels, got 0"),
        (np.eye(2), [0, 0], "a", "classification needs 2 to 1000 classes, got only the class 'a'"),
        (np.eye(2), [0, 0], "", "classification needs 2 to 1000 classes, got no class"),
        (np.eye(2), [0, 1], ["x"] * 1001, "classification needs 2 to 1000 classes, got 1001 classes"),
        (np.eye(2), [0, 2], "ab", "labels must be whole numbers from 0 to 1"),
        (np.eye(2), [0, -1], "ab", "labels must be whole numbers from 0 to 1"),
        (np.eye(2), [0, 0.5], "ab", "labels must be whole numbers from 0 to 1"),
        (np.eye(2), [0, np.nan], "ab", "labels must be whole numbers from 0 to 1"),
        (np.eye(2), ["a", "b"], "ab", "labels must be whole numbers from 0 to 1"),
        (np.array([[1.0, np.nan]] * 2), [0, 1], "ab", "a feature is missing or not a finite number"),
        (csr_array(np.array([[1.0, np.inf]] * 2)), [0, 1], "ab", "a feature is missing or not a finite number"),
        (np.zeros((2, 2)), [0, 1], "ab", "every feature is 0 in every example"),
        (csr_array((2, 2)), [0, 1], "ab", "every feature is 0 in every example"),
    ],
)
def test_wrong_data_are_refused_in_a_sentence(features, labels, names, message):
    with pytest.raises(ValueError, match=message):
        ClassificationData("wrong", {}, features, np.array(labels), tuple(names))


def test_labels_may_be_whole_numbers_of_any_type():
    for labels in ([0.0, 1.0], np.array([0, 1], dtype=np.int8), np.array([False, True])):
        assert ClassificationData("two", {}, np.eye(2), np.array(labels), ("a", "b")).labels.dtype == np.intp


def test_entries_given_twice_are_added_up_and_the_given_matrix_stays_as_it_was():
    twice = csr_array((np.array([1.0, 2.0, 1.0]), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2))
    data = ClassificationData("twice", {}, twice, np.array([0, 1]), ("a", "b"))
    assert data.features.toarray().tolist() == [[3, 0], [0, 1]]
    assert twice.nnz == 3 and data.features.nnz == 2


def random_sparse(seed, n=30, d=12):
    rng = np.random.default_rng(seed)
    dense = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.3)
    dense[0, 0], dense[1] = 1.0, 0.0  # one example without any feature
    return dense, ClassificationData("s", {}, csr_array(dense), rng.integers(0, 3, n), ("a", "b", "c"))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000))
def test_gathered_rows_hold_the_examples(seed):
    dense, data = random_sparse(seed)
    rows = np.random.default_rng(seed).integers(0, 30, 5)
    index, value = data.gather(rows)
    found = np.zeros((5, 13))
    np.add.at(found, (np.arange(5)[:, None], index), value)
    assert np.array_equal(found[:, :12], dense[rows]) and (found[:, 12] == 0).all()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000))
def test_sparse_and_dense_data_have_the_same_norms_and_hinge_losses(seed):
    dense, data = random_sparse(seed)
    same = ClassificationData("d", {}, dense, data.labels, data.names, separator=data.comparator)
    np.testing.assert_allclose(data.norms, np.linalg.norm(dense, axis=1))
    np.testing.assert_allclose(same.norms, data.norms)
    np.testing.assert_allclose(
        same.comparator / np.linalg.norm(same.comparator), data.comparator / np.linalg.norm(data.comparator)
    )
    weights = np.random.default_rng(seed).normal(size=(3, 12))
    for d in (same, data):
        d.__dict__["comparator"] = weights
        d.__dict__.pop("hinge", None)
    np.testing.assert_allclose(same.hinge, data.hinge)


def test_the_comparator_is_the_separator_at_the_best_length():
    """Of 25 lengths the one with the lowest bound [B] Eq. 7; on separable data it makes no mistake."""
    for name in ("synsep", "separable-points"):
        data = load(name, examples=1000)
        direction = data.separator / np.linalg.norm(data.separator)
        bounds = []
        for length in np.geomspace(0.1, 1000, 25):
            scores = data.features @ (direction * length / data.radius).T
            own = scores[np.arange(1000), data.labels].copy()
            scores[np.arange(1000), data.labels] = -np.inf
            loss, complexity = np.maximum(0, 1 - own + scores.max(axis=1)).sum(), 2 * length**2
            bounds.append(loss + complexity + np.sqrt(loss * complexity))
        loss, complexity = data.hinge.sum(), data.complexity
        assert loss + complexity + np.sqrt(loss * complexity) == pytest.approx(min(bounds))
        assert data.hinge.max() < 1
        np.testing.assert_allclose(data.comparator / np.linalg.norm(data.comparator), direction)


# ---- golden runs: ranges measured independently, of 99 % of seeds ----------------------------------------------


def errors(learner, data, steps, replicates=20):
    sim = Simulation(learner, data, replicates=replicates, seed=0)
    sim.advance(steps=steps)
    return sim.history["error-rate"][-1]


def test_synnonsep_at_a_hundred_thousand_steps():
    """The perceptron .094–.101, the Banditron with γ = .05 .141–.174; the rest is the figure B-fig1.

    Dividing by P(ŷ) instead, the Banditron ends at a third of all answers wrong."""
    data = load("synnonsep", examples=100_000)
    found = errors("perceptron", data, 100_000, replicates=2)
    assert found.min() > 0.092 and found.max() < 0.103
    found = errors(create("banditron", gamma=0.05), data, 100_000, replicates=8)
    assert found.min() > 0.138 and found.max() < 0.19 and 0.145 < found.mean() < 0.17


def test_synsep_at_twenty_thousand_steps():
    """The perceptron all but stops making mistakes; the Banditron errs on little more than the K − 1 of K exploring
    steps that show a wrong label."""
    data = load("synsep", examples=20_000)
    assert errors("perceptron", data, 20_000, replicates=5).max() < 25 / 20_000
    runs = errors(create("banditron", gamma=np.repeat([0.05, 0.1], 10)), data, 20_000)
    assert runs[:10].min() > 0.05 * 8 / 9 * 0.9 and runs[10:].min() > 0.1 * 8 / 9 * 0.9
    assert runs[:10].mean() < 0.12 and runs[10:].mean() < 0.13


@pytest.fixture(scope="module")
def digits():
    """Mean error rates of 10 replicates after five passes."""
    data, each, gammas = load("digits"), 10, (0.01, 0.05, 0.1, 0.2, 0.25, 0.5)
    steps = 5 * data.examples
    found = {"perceptron": errors("perceptron", data, steps, each)}
    batch = errors(create("banditron", gamma=np.repeat(gammas, each)), data, steps, each * len(gammas)).reshape(
        -1, each
    )
    found |= {f"γ = {gamma}": rates for gamma, rates in zip(gammas, batch, strict=True)}
    for strategy in ("ag0", "ag1", "ag2", "ag3"):
        found[strategy] = errors(create("adaptive-banditron", strategy=strategy), data, steps, each)
    found["exponentiated"] = errors(create("exponentiated-gradient", gamma=0.25), data, steps, each)
    found["positive"] = errors(create("banditron-positive", gamma=0.25), data, steps, each)
    return {name: rates.mean() for name, rates in found.items()}


def test_seven_comparisons_on_the_digits(digits):
    best = digits["γ = 0.2"]
    assert digits["perceptron"] == pytest.approx(0.102, abs=0.003)
    assert best == pytest.approx(0.463, abs=0.02)
    assert all(best < digits[f"γ = {gamma}"] + 0.01 for gamma in (0.01, 0.05, 0.1, 0.25, 0.5))
    assert digits["ag3"] - best < 0.01
    assert digits["ag2"] - best < 0.04
    assert digits["ag2"] - digits["ag0"] < -0.09
    assert digits["ag1"] - digits["ag2"] > 0.15
    assert digits["γ = 0.25"] - digits["exponentiated"] > 0.035
    assert digits["positive"] > max(digits["γ = 0.25"], digits["exponentiated"])


@cases(
    "params, classes, examples, rows, known",
    [
        ({}, 2, 100, 20, 2),  # the defaults: one fifth, and 5 % of it, but one of each class
        ({"training": 0.5, "labelled": 0.5}, 2, 100, 50, 25),
        ({"training": 0.95, "labelled": 1.0}, 2, 10, 9, 9),  # one is left to test
        ({"training": 0.01, "labelled": 0.01}, 3, 100, 3, 3),  # one of each class
        ({"training": 0.01}, 3, 4, 2, 2),
    ],
)
def test_the_rows_that_semi_supervised_learners_train_on(params, classes, examples, rows, known):
    labels = np.arange(examples) % classes
    data = ClassificationData("x", params, np.ones((examples, 1)), labels, tuple("abc"[:classes]))
    assert (data.training_rows, data.labelled_rows) == (rows, known)
