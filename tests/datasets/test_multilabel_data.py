"""Multilabel data: what is refused, and the synthetic topics."""

import math

import numpy as np
import pytest

from datasets import MultilabelData, load
from datasets.multilabel import link
from tests.cases import cases


@cases(
    "given, sentence",
    [
        ({"names": (), "labels": np.zeros((3, 0))}, "needs 1 to 1000 labels, got no label"),
        ({"names": ("x",) * 1001, "labels": np.zeros((3, 1001))}, "needs 1 to 1000 labels, got 1001 labels"),
        ({"labels": np.zeros((2, 2))}, "labels must be a table of 3 examples × 2 names, got 2 × 2"),
        ({"labels": np.zeros(3)}, "must be tables with a row for each example"),
        ({"features": np.zeros((0, 2))}, "must be tables with a row for each example"),
        ({"features": np.full((3, 2), np.nan)}, "a feature is missing or not a finite number"),
        ({"model": (np.zeros((2, 3)), "square")}, "u must be 2 × 2 finite numbers"),
        ({"model": (np.zeros((2, 2)), "hinge")}, "must be one of square, logistic, got hinge"),
        ({"model": (np.full((2, 2), 2.0), "square")}, r"u·x must be in \[-1, 1\] for the square loss, got 4"),
    ],
)
def test_data_that_do_not_fit_are_refused(given, sentence):
    good = {"features": np.ones((3, 2)), "labels": np.ones((3, 2)), "names": ("a", "b")}
    with pytest.raises(ValueError, match=sentence):
        MultilabelData("x", {}, **{**good, **given})


@cases(("labels", "features"), [(5, 3), (40, 20), (200, 60)])
def test_probabilities_do_not_depend_on_the_other_rows_asked_for(labels, features):
    data = load("multilabel-synthetic", labels=labels, features=features, examples=100)
    together = data.probabilities(np.arange(100))
    for size in (1, 2, 7, 64):
        parts = [data.probabilities(np.arange(a, min(a + size, 100))) for a in range(0, 100, size)]
        np.testing.assert_array_equal(np.concatenate(parts), together)


@cases("model", ["square", "logistic"])
@cases("density, features", [(0.02, 3), (0.1, 20), (0.5, 60)])
def test_synthetic_data_are_as_promised(model, density, features):
    given = {"model": model, "density": density, "features": features, "examples": 3000}
    data, same = load("multilabel-synthetic", **given), load("multilabel-synthetic", **given)
    np.testing.assert_array_equal(data.labels, same.labels)
    np.testing.assert_allclose(np.linalg.norm(data.features, axis=1), 1)
    p = data.probabilities(np.arange(3000))
    assert p.min() > 0 and p.max() < 1
    np.testing.assert_allclose(p, link(data.features @ data.model[0].T, model))
    np.testing.assert_allclose(p.mean(axis=0), density, rtol=1e-9 if model == "square" else 0.1)
    assert abs(data.density - density) < 0.01 and math.isnan(
        MultilabelData("x", {}, data.features, data.labels, data.names).margin
    )
    if model == "square":
        assert data.margin < 1
