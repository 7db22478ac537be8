"""The arithmetic of linear classifiers: dense and sparse data, compiled and plain loops give the same answers."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from datasets.classification import ClassificationData
from learners.classification import linear
from learners.classification.linear import Examples
from tests.learners.classification.helpers import run
from tests.learners.classification.setups import NAMES, SETUPS, create_batch, data_in_form, same_history


@pytest.mark.parametrize(("id", "params"), SETUPS, ids=NAMES)
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


@pytest.mark.parametrize(("id", "params"), SETUPS, ids=NAMES)
@pytest.mark.parametrize("form", ["dense", "sparse", "binary"])
def test_compiled_and_plain_loops_give_the_same_bits(id, params, form, monkeypatch):
    data = data_in_form(form=form, d=6 if id != "halving" else 2)
    first = run(create_batch(id, params), data)
    monkeypatch.setattr(linear, "_loops", lambda: None)
    second = run(create_batch(id, params), data)
    assert same_history(first, second)
    if first.learner.weights is not None:
        assert np.array_equal(first.learner.weights, second.learner.weights)


@pytest.mark.parametrize(("id", "params"), SETUPS[:-2], ids=NAMES[:-2])
def test_padded_and_gathered_rows_give_the_same_answers(id, params):
    """Sparse rows of much the same length are kept padded, others are gathered when they are met."""
    for form in ("sparse", "binary"):
        padded, gathered = data_in_form(form=form, d=6), data_in_form(form=form, d=6)
        padded.__dict__["even"], gathered.__dict__["even"] = True, False
        first, second = run(create_batch(id, params), padded), run(create_batch(id, params), gathered)
        assert first.last.examples.index.shape[1] == padded.widest
        assert same_history(first, second)


def test_rows_of_very_different_lengths_are_not_padded():
    wide = ClassificationData(
        "wide", {}, csr_array(np.vstack([np.ones((1, 200)), np.eye(200)])), np.arange(201) % 2, ("a", "b")
    )
    assert not wide.even
    sim = run("banditron", wide, steps=60)
    assert sim.last.examples.index.shape[1] < 200
    triangle = csr_array(np.tril(np.ones((50, 50))))
    assert ClassificationData("triangle", {}, triangle, np.arange(50) % 2, ("a", "b")).even


def test_padding_neither_counts_nor_learns():
    """The place beyond the features stays 0 in every learner."""
    for id, params in SETUPS[:-2]:
        learner = run(create_batch(id, params), data_in_form(form="binary", d=6)).learner
        assert (learner.W[:, -1] == 0).all()
        assert not hasattr(learner, "theta") or (learner.theta[:, -1] == 0).all()


def test_dense_tells_the_example():
    x = Examples(index=np.array([[0, 2, 3], [1, 3, 3]]), value=np.array([[2.0, 3.0, 0.0], [4.0, 0.0, 0.0]]))
    assert x.dense(0, 3).tolist() == [2, 0, 3] and x.dense(1, 3).tolist() == [0, 4, 0]
    assert Examples(index=np.array([[0, 2, 3]])).dense(0, 3).tolist() == [1, 0, 1]
