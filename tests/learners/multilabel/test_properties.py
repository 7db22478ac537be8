"""Properties of the multilabel learners on any data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets import load
from learners import Simulation, create
from learners.multilabel.base import Context
from learners.multilabel.second_order import project
from learners.multilabel.sets import disagreements
from tests.learners.multilabel.helpers import SECOND_ORDER, feedback_on, many, page_at, start, unit_vectors
from tests.strategies import amounts


@pytest.mark.long
@pytest.mark.parametrize("matrices", ["full", "diagonal"])
def test_the_inverse_does_not_drift(matrices):
    K, d = 3, 6
    learner = start(create("multilabel-ucb", matrices=matrices, size=2, width=1), K, d)
    rng, A = np.random.default_rng(4), np.tile(np.eye(d), (K, 1, 1))
    for _ in range(4000):
        x = unit_vectors(rng, 1, d) * [1, 1, 1, 0.1, 0.1, 0.01]  # ill-conditioned
        context = Context(x)
        shown = learner.present(context)
        truth = rng.random((1, K)) < 0.5
        learner.update(context, shown, feedback_on(learner, shown, truth))
        for i in shown.order[0, : shown.size[0]]:
            A[i] += np.outer(x, x) if matrices == "full" else np.diag(x[0] ** 2)
    found = learner.Ainv[0]
    if matrices == "diagonal":
        found = np.stack([np.diag(row) for row in found])
    assert A[:, 0, 0].min() > 50  # each was shown often
    np.testing.assert_array_equal(found, found.swapaxes(1, 2))
    np.testing.assert_allclose(found, np.linalg.inv(A), rtol=1e-9, atol=1e-12)


settings_of = st.fixed_dictionaries(
    {
        "loss": st.sampled_from(["square", "logistic"]),
        "matrices": st.sampled_from(["full", "diagonal"]),
        "costs": st.sampled_from(["decreasing", "constant"]),
        "a": amounts(1),
        "size": st.integers(1, 8),
        "range": st.floats(0.5, 4),
    }
)


@many
@given(settings_of, st.sampled_from(SECOND_ORDER), st.sampled_from([0.0, 0.3, 3.0]), st.integers(0, 999))
def test_what_always_holds(params, id, width, seed):
    K, d, R = 6, 3, 2
    own = {"width": width} if id == "multilabel-ucb" else {}
    learner, rng = start(create(id, **params, **own), K, d, R), np.random.default_rng(seed)
    learner.w = rng.normal(size=learner.w.shape) * 5  # so that the projection has work
    for _ in range(6):
        x = Context(unit_vectors(rng, R, d))
        before = learner.weights.copy()
        shown = learner.present(x)
        np.testing.assert_array_equal(learner.weights, before)  # only update learns
        assert ((shown.probability >= 0) & (shown.probability <= 1)).all()
        assert (shown.probability >= shown.estimate).all()
        assert ((shown.size >= 0) & (shown.size <= params["size"])).all()
        assert (np.sort(shown.order, axis=1) == np.arange(K)).all()
        assert (np.diff(np.take_along_axis(shown.probability, shown.order, 1), axis=1) <= 0).all()
        pages = [page_at(learner, r, x) for r in range(R)]
        for page in pages:
            project(page)
        projected = np.einsum("rkd,rd->rk", learner.w, x.features)
        assert (np.abs(projected) <= learner.R + 1e-9).all()
        np.testing.assert_allclose(projected, [page.delta for page in pages], atol=1e-9)
        learner.present(x)
        learner.update(x, shown, feedback_on(learner, shown, rng.random((R, K)) < 0.4))
        if id == "multilabel-ucb":  # what was not shown changes by the projection alone
            hidden = shown.order[0, shown.size[0] :]
            np.testing.assert_allclose(learner.w[0, hidden] @ x.features[0], projected[0, hidden], atol=1e-9)


@many
@given(settings_of, st.sampled_from(SECOND_ORDER), st.integers(0, 999))
def test_labels_can_be_renumbered(params, id, seed):
    K, d = 6, 3
    rng = np.random.default_rng(seed)
    perm = rng.permutation(K)  # label k of the first is label perm[k] of the second
    one, two = (start(create(id, **params), K, d) for _ in range(2))
    one.w = rng.normal(size=one.w.shape)
    two.w = np.empty_like(one.w)
    two.w[:, perm] = one.w
    for _ in range(5):
        x, truth = Context(unit_vectors(rng, 1, d)), rng.random((1, K)) < 0.4
        renumbered = np.empty_like(truth)
        renumbered[:, perm] = truth
        a, b = one.present(x), two.present(x)
        np.testing.assert_allclose(b.probability[:, perm], a.probability, atol=2e-12)
        ranked = -np.sort(-a.probability[0])
        if np.diff(ranked).max() > -1e-9:
            return  # ties go by number
        assert perm[a.order].tolist() == b.order.tolist() and a.size == b.size
        one.update(x, a, feedback_on(one, a, truth))
        two.update(x, b, feedback_on(two, b, renumbered))
        np.testing.assert_allclose(two.w[:, perm], one.w, atol=1e-9)


def test_with_constant_costs_and_no_width_nothing_is_ever_shown():
    learner = create("multilabel-ucb", width=0, costs="constant")
    sim = Simulation(learner, load("multilabel-synthetic", examples=200), replicates=3)
    sim.advance(steps=200)
    assert not sim.history["shown-size"].any() and not sim.learner.w.any()


def test_the_papers_widths_show_all_they_may():
    for confidence in ("known norm", "remark 1"):
        sim = Simulation(create("multilabel-ucb", confidence=confidence, size=5), "multilabel-synthetic")
        sim.advance(steps=300)
        assert (sim.history["shown-size"] == 5).all()


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=7), st.integers(0, 7))
def test_disagreements_are_those_of_the_definition(labels, size):
    labels = sorted(labels, key=lambda pair: -pair[0])
    score = np.array([s / 3 for s, _ in labels])
    right = np.array([y for _, y in labels], dtype=bool)
    inside = np.arange(len(labels)) < size
    order = np.arange(len(labels))
    count = sum(
        (score[i] < score[j]) + 0.5 * (score[i] == score[j])
        for i in np.flatnonzero(inside & right)
        for j in np.flatnonzero(inside & ~right)
    )
    if labels:
        assert disagreements(score, right, order, int(inside.sum())) == count
