"""Poisson learning: a graph by hand, its equation, symmetries, and what it is good for."""

import numpy as np
from scipy.sparse import csr_array

from datasets import load
from learners import Simulation, create
from learners.boosting.semi_supervised.base import Training
from learners.boosting.semi_supervised.poisson_learning import PoissonLearning, solve, sources
from tests.cases import cases


def begun(x, labels, classes=2, **params):
    learner = PoissonLearning(**params)
    learner.reset(Training(np.asarray(x, dtype=float), np.asarray(labels), classes), np.random.default_rng(0))
    return learner


def test_the_graph_by_hand():
    """Points at 0, 1 and 3 with k = 2. The second neighbours are at distances 3, 2 and 3.

    w₀₁ = e^(−4/9) + e^(−4/4), from 0 to 1 and back; w₀₂ = e^(−4) + e^(−4); w₁₂ = e^(−4 · 4/4) + e^(−4 · 4/9).
    """
    learner = begun([[0], [1], [3]], [0, -1, 1], neighbours=2)
    learner.round()
    w = learner.graph().toarray()
    expected = [np.exp(-4 / 9) + np.exp(-1), 2 * np.exp(-4), np.exp(-4) + np.exp(-16 / 9)]
    assert np.allclose([w[0, 1], w[0, 2], w[1, 2]], expected, rtol=1e-6)
    assert np.allclose(w, w.T) and (np.diag(w) == 0).all()


def test_a_path_of_three_by_hand():
    """Weights 1 between 0 – 1 – 2, sources ½ and −½ at the ends: L u = b gives u = (½, 0, −½).

    L = [[1, −1, 0], [−1, 2, −1], [0, −1, 1]]; L (½, 0, −½) = (½, 0, −½), and the sum of d u is ½ + 0 − ½ = 0.
    """
    w = csr_array(np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    b = sources(np.array([0, -1, 1]), np.array([0, 1]))[:, :1]
    assert np.allclose(b[:, 0], [0.5, 0, -0.5])
    assert np.allclose(solve(w, b)[:, 0], [0.5, 0, -0.5], atol=1e-9)


@cases("seed", range(5))
def test_it_solves_the_equation_of_the_paper(seed):
    """Dense and slow: u = pinv(L) b, moved so that Σ d u = 0."""
    rng = np.random.default_rng(seed)
    half = rng.random((12, 12))
    w = half + half.T
    np.fill_diagonal(w, 0)
    labels = np.full(12, -1)
    labels[:4] = [0, 1, 2, 0]
    b = sources(labels, np.arange(3))
    degree = w.sum(axis=1)
    slow = np.linalg.pinv(np.diag(degree) - w) @ b
    slow -= (degree[:, None] * slow).sum(axis=0) / degree.sum()
    u = solve(csr_array(w), b)
    np.testing.assert_allclose(u, slow, atol=1e-9)
    np.testing.assert_allclose(u.sum(axis=1), 0, atol=1e-12)  # what one class gains, others lose


def test_names_and_the_scale_of_features_do_not_matter():
    data = load("moons", examples=100)
    labels = np.where(np.arange(100) < 6, data.labels[:100], -1)
    first = begun(data.features[:100], labels)
    answers = first.round().answers
    other = begun(data.features[:100] * 1000, labels).round().answers
    swapped = begun(data.features[:100], np.where(labels >= 0, 1 - labels, -1)).round().answers
    assert (answers == other).all() and (swapped == 1 - answers).all()


def test_a_class_without_labels_is_never_predicted():
    x = np.random.default_rng(0).normal(size=(30, 2))
    labels = np.full(30, -1)
    labels[:4] = [0, 2, 0, 2]
    learner = begun(x, labels, classes=4)
    assert set(learner.round().answers) <= {0, 2} and set(learner.predict(x + 0.1)) <= {0, 2}


def test_with_one_label_in_a_hundred_it_is_ahead_of_label_spreading():
    """[CCTS20] Tables 1 to 3: far ahead with a label or two of each class. Here .88 ± .03 against .81 ± .04."""
    data = load("digits", labelled=0.01, training=0.5)

    def final(id):
        sim = Simulation(create(id), data, replicates=10, seed=0)
        sim.advance(steps=1)
        return sim.history["accuracy-test"][-1]

    gain = final("poisson-learning") - final("label-spreading")
    assert gain.mean() > 2 * gain.std(ddof=1) / np.sqrt(10)


def test_it_stops_when_the_walk_has_mixed_long_before_the_equation_is_solved():
    """u is then far from the solution, and the largest of its classes is nearly everywhere that of the solution."""
    data = load("digits")
    x, y = np.asarray(data.features[:600], dtype=float), np.asarray(data.labels[:600])
    labels = np.full(len(y), -1)
    for k in range(10):
        labels[np.flatnonzero(y == k)[:2]] = k
    learner = begun(x, labels, 10)
    learner.round()
    w = learner.graph().toarray()
    degree, b = w.sum(axis=1), sources(labels, np.arange(10))
    exact = np.linalg.pinv(np.diag(degree) - w) @ b
    exact -= (degree[:, None] * exact).sum(axis=0) / degree.sum()
    assert np.linalg.norm(learner.u - exact) > 0.5 * np.linalg.norm(exact)
    assert (learner.u.argmax(axis=1) == exact.argmax(axis=1)).mean() > 0.95
    assert not any("settle" in text for text in (learner.summary, learner.finds))
