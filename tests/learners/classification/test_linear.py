"""The arithmetic of linear classifiers: the same features give the same answers in whatever form they are stored."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from datasets.classification import ClassificationData
from learners.classification.linear import Examples, Rows
from tests.cases import cases
from tests.learners.classification.helpers import present_and_update, run, start
from tests.learners.classification.setups import NAMES, SETUPS, create_batch, data_in_form, same_history


@cases(("id", "params"), SETUPS)
def test_dense_and_sparse_forms_of_the_same_data_give_the_same_answers(id, params):
    """Features that are 0 add nothing to a sum, so that even the bits agree; the winnow's scale is another one."""
    for dense, sparse in (("dense", "sparse"), ("binary-dense", "binary")):
        a, b = data_in_form(form=dense, d=4), data_in_form(form=sparse, d=4)
        if id == "halving" and "projection" not in params:
            a, b = data_in_form(form=dense, d=2), data_in_form(form=sparse, d=2)
        first, second = run(create_batch(id, params), a), run(create_batch(id, params), b)
        np.testing.assert_array_equal(first.history["mistakes"], second.history["mistakes"])
        if first.learner.weights is not None:
            np.testing.assert_allclose(first.learner.weights, second.learner.weights, rtol=1e-9)


@pytest.mark.long
@pytest.mark.parametrize(("id", "params"), SETUPS[:-2], ids=NAMES[:-2])
def test_the_layout_of_the_numbers_in_memory_is_of_no_account(id, params):
    """Single precision, the columns one after another, other integers, read-only: the values are the same."""
    for form in ("binary-dense", "binary"):
        data = data_in_form(form=form, d=6)
        expected = run(create_batch(id, params), data)
        for features in layouts(data.features):
            same = ClassificationData("same", {}, features, data.labels, data.names, separator=data.comparator)
            assert same_history(expected, run(create_batch(id, params), same))


def layouts(features):
    """The same features in other layouts."""
    if isinstance(features, np.ndarray):
        frozen = features.copy()
        frozen.flags.writeable = False
        return features.astype(np.float32), np.asfortranarray(features), frozen
    wide = csr_array(features)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    return wide, features.astype(np.float32), features.astype(np.int8)


@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_features_are_read_where_they_lie(form):
    data = data_in_form(form=form)
    rows = Rows.of(data.features)
    held = [rows.dense] if form == "dense" else [rows.start, rows.feature, rows.value]
    own = [data.features] if form == "dense" else [data.features.indptr, data.features.indices, data.features.data]
    assert all(np.shares_memory(a, b) for a, b in zip(held, own, strict=True))


def test_rows_of_very_different_lengths():
    wide = ClassificationData(
        "wide", {}, csr_array(np.vstack([np.ones((1, 200)), np.eye(200)])), np.arange(201) % 2, ("a", "b")
    )
    dense = ClassificationData("dense", {}, wide.features.toarray(), wide.labels, wide.names)
    first, second = run("banditron", wide, steps=201), run("banditron", dense, steps=201)
    np.testing.assert_array_equal(first.learner.weights, second.learner.weights)
    assert first.last.examples.index.shape[1] in (1, 200)


@cases(("id", "params"), SETUPS[:-2])
def test_padding_neither_counts_nor_learns(id, params):
    """Examples with padding teach the same as the same examples without it, with values and where all are 1."""
    for value in (None, np.array([[1.0, 2.0, 0.0], [3.0, 0.0, 0.0], [1.0, 1.0, 5.0]])):
        index = np.array([[0, 2, 6], [1, 6, 6], [3, 4, 5]])
        dense = np.zeros((3, 7))
        dense[np.arange(3)[:, None], index] = 1.0 if value is None else value
        first, second = (start(create_batch(id, params), 6, 3, 3) for _ in range(2))
        for x, learner in ((Examples(index=index, value=value), first), (Examples(dense[:, :6]), second)):
            for truth in ([0, 1, 2], [2, 2, 2], [1, 0, 1]):
                present_and_update(learner, x, np.array(truth))
        assert np.array_equal(first.weights, second.weights) and (first.weights != 0).any()


def test_what_a_learner_in_python_computes_with():
    """The scores W x, the first of the best, and what is added, for dense and sparse examples."""
    rng = np.random.default_rng(0)
    W, x = rng.normal(size=(4, 5, 3)), rng.normal(size=(4, 5)) * (rng.random((4, 5)) < 0.6)
    index = np.where(x != 0, np.arange(5), 5)
    label, factor = np.array([0, 2, 1, 1]), rng.normal(size=4)
    for examples in (Examples(x), Examples(index=index, value=x)):
        scores, best = examples.predict(W)
        np.testing.assert_allclose(scores, np.einsum("rd,rdk->rk", x, W))
        assert (best == scores.argmax(axis=1)).all()
        changed, expected = W.copy(), W.copy()
        examples.add(changed, [(label, factor)])
        expected[np.arange(4), :, label] += factor[:, None] * x
        np.testing.assert_allclose(changed, expected)


def test_dense_tells_the_example():
    x = Examples(index=np.array([[0, 2, 3], [1, 3, 3]]), value=np.array([[2.0, 3.0, 0.0], [4.0, 0.0, 0.0]]))
    assert x.dense(0, 3).tolist() == [2, 0, 3] and x.dense(1, 3).tolist() == [0, 4, 0]
    assert Examples(index=np.array([[0, 2, 3]])).dense(0, 3).tolist() == [1, 0, 1]
