"""MCSSB: steps by hand, similarities, the gradient of the paper's sums, Theorem 4."""

import math

import numpy as np
import pytest

import learners.boosting.semi_supervised.similarity as similarity
from learners import create
from learners.boosting.semi_supervised.base import Training
from tests.cases import cases
from tests.learners.boosting.semi_supervised.problems import SIMILARITIES, begun, problem, rounds

# --- MCSSB ------------------------------------------------------------------------------------------------------------


def test_mcssb_by_hand():
    """Three points, two classes, S = I, C = 1; the first is labelled 0. b = ½ everywhere.

    Z_ii = ½, so r = 2, V = ½ / ¼ = 2 and α = ½ (2 − 2) = 0; F_u = 6. T = Y: β_0 = ½ (½ · 2 − 2, ½ · 2) = (−½, ½);
    F_l = 2. So the first has pseudo-label 0 and weight ½, the others 0; the tree says 0 everywhere. A_u = 3 · ½ · 2 =
    3, B_u = 3, A_l = ½ · ½ · 2 = ½, B_l = ½ · 2 = 1: α = ¼ ln(4 / 3.5), ε = 3.5 / 7.5.
    """
    given = Training(np.arange(3.0)[:, None], np.array([0, -1, -1]), 2)
    learner = begun("mcssb", given, similarity="absolute", C=1)
    assert (learner.F_u, learner.F_l, learner.F) == (6, 2, 8)
    done = learner.round()
    np.testing.assert_allclose(done.weights, [0.5, 0, 0], atol=1e-15)
    assert done.targets[0] == 0 and done.answers.tolist() == [0, 0, 0]
    assert (done.details["sample"] == 0).all() and len(done.details["sample"]) == 20
    assert [done.details[name] for name in ("A_u", "A_l", "B_u", "B_l")] == pytest.approx([3, 0.5, 3, 1])
    assert done.step == pytest.approx(0.25 * math.log(4 / 3.5))
    assert done.error == pytest.approx(3.5 / 7.5)
    p = 1 / (1 + math.exp(-done.step))
    assert done.values["objective-unlabelled"] == pytest.approx(3 / (p**2 + (1 - p) ** 2))
    assert done.values["objective-labelled"] == pytest.approx(1 / p)
    assert done.values["bound"] == pytest.approx(8 * math.exp(-((2 - math.sqrt(3.5)) ** 2) / 8))
    np.testing.assert_allclose(learner.vote(np.array([[7.0]])), [[done.step, 0]])


def test_gaussian_by_hand():
    """Points 0, 1, 3: distances 1, 2, 3, a range of 2; half of that is σ = 1. The first is labelled 0, b = ½.

    F_u = 2 · 2 (e^−½ + e^−4½ + e^−2); F_l = 2 (e^−½ + e^−4½), none of it of the first itself; β_j^0 = −½ S_0j.
    """
    given = Training(np.array([[0.0], [1.0], [3.0]]), np.array([0, -1, -1]), 2)
    learner = begun("mcssb", given, width=0.5, C=10)
    s01, s02, s12 = math.exp(-0.5), math.exp(-4.5), math.exp(-2)
    assert learner.F_u == pytest.approx(4 * (s01 + s02 + s12), rel=1e-13)
    assert learner.F_l == pytest.approx(2 * (s01 + s02), rel=1e-13)
    alpha, beta = learner.gradient()
    np.testing.assert_allclose(alpha, 0, atol=1e-14)
    np.testing.assert_allclose(beta[:, 0], [0, -s01 / 2, -s02 / 2], rtol=1e-13)
    np.testing.assert_allclose(beta[:, 1], [0, s01 / 2, s02 / 2], rtol=1e-13)


def matrix(x, kind, width):
    """S, pair by pair."""
    n = len(x)
    if kind == "absolute":
        return np.eye(n)
    d = np.array([[np.linalg.norm(a - b) for b in x] for a in x])
    apart = d[~np.eye(n, dtype=bool)]
    sigma = width * (apart.max() - apart.min())
    S = np.exp(-(d**2) / (2 * sigma**2)) if kind == "gaussian" else np.ones((n, n))
    return S * (1 - np.eye(n))


def objective(H, S, labels, C):
    """Eq. 2.4, 2.6 and 2.7 as they stand."""
    b = np.exp(H) / np.exp(H).sum(axis=1, keepdims=True)
    F_u = (S / (b @ b.T)).sum()
    F_l = sum(S[i, j] / b[j, labels[i]] for i in np.flatnonzero(labels >= 0) for j in range(len(b)))
    return F_u + C * F_l


@cases("kind", SIMILARITIES)
@cases("seed", range(3))
def test_mcssb_is_the_gradient_of_the_papers_sums(kind, seed):
    """α and β by Eq. 2.10–2.12 pair by pair; their sum over classes is 0; ∂F/∂H = 2 (α + C β) by finite differences."""
    given, C = problem(seed, n=14, classes=3), 20.0
    learner = begun("mcssb", given, seed, similarity=kind, C=C)
    for _ in rounds(learner, 5):
        pass
    H = np.random.default_rng(seed).normal(size=learner.H.shape)
    learner.H = H
    learner._measure()
    S, y = matrix(given.features, kind, 0.15), given.labels
    n, K = H.shape
    b = np.exp(H) / np.exp(H).sum(axis=1, keepdims=True)
    alpha, beta = np.zeros((n, K)), np.zeros((n, K))
    for i in range(n):
        for j in range(n):
            z = b[i] @ b[j]
            alpha[i] += S[i, j] * (b[i] - b[i] * b[j] / z) / z
            if y[j] >= 0:
                own = np.arange(K) == y[j]
                beta[i] += 0.5 * S[i, j] * (b[i] / b[i, y[j]] - own / b[i])
    found = learner.gradient()
    np.testing.assert_allclose(found[0], alpha, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found[1], beta, rtol=1e-9, atol=1e-12)
    G = found[0] + C * found[1]
    assert np.abs(G.sum(axis=1)).max() <= 1e-10 * np.abs(G).max()
    assert pytest.approx(objective(H, S, y, C), rel=1e-12) == learner.F
    slope, h = np.zeros((n, K)), 1e-5
    for at in np.ndindex(n, K):
        up, down = H.copy(), H.copy()
        up[at] += h
        down[at] -= h
        slope[at] = (objective(up, S, y, C) - objective(down, S, y, C)) / (2 * h)
    assert np.abs(slope - 2 * G).max() <= 1e-6 * np.abs(slope).max()


@cases("train", ["sample", "weights"])
@cases("kind", SIMILARITIES)
@cases("C", [0.0, 1.0, 1e4, 1e10])
def test_mcssb_never_rises_and_obeys_theorem_4(kind, C, train):
    """Lemma 2, Theorem 4, and the sums over classes, in every round of random problems."""
    for seed in range(3):
        given = problem(seed, n=60, classes=2 + seed, labelled=0.2)
        learner = begun("mcssb", given, seed, similarity=kind, C=C, train=train)
        S = matrix(given.features, kind, 0.15)
        before = bound = learner.F
        least = np.add(*(part * by for part, by in zip(learner.gradient(), (1, C), strict=True)))
        for done in rounds(learner, 15):
            F, t = done.values["objective"], done.details
            np.testing.assert_array_equal(done.weights, np.maximum(-least.min(axis=1), 0))
            np.testing.assert_array_equal(done.targets, least.argmin(axis=1))
            assert before * (1 + 1e-12) >= F
            assert done.values["bound"] * (1 + 1e-12) >= F
            A, B = t["A_u"] + C * t["A_l"], t["B_u"] + C * t["B_l"]
            grow = math.exp(2 * done.step)
            bound *= math.exp(-((math.sqrt(A) - math.sqrt(B)) ** 2) / before)
            assert done.values["bound"] == pytest.approx(bound, rel=1e-9)
            assert F - before <= (grow - 1) * A + (1 / grow - 1) * B + 1e-9 * before
            G = np.add(*(part * by for part, by in zip(learner.gradient(), (1, C), strict=True)))
            assert np.abs(G.sum(axis=1)).max() <= 1e-10 * np.abs(G).max() + 1e-12 * learner.F
            assert (done.weights >= 0).all() and 0 < done.error < 0.5
            before, least = F, G
        assert pytest.approx(objective(learner.H, S, given.labels, C), rel=1e-9) == learner.F


@pytest.mark.parametrize("kind", SIMILARITIES)
def test_mcssb_in_blocks_is_the_same(kind, monkeypatch):
    """Above FORMED rows S is computed anew in every round: the same bits; with other blocks the same up to rounding."""
    given = problem(7, n=90, d=5, classes=4)
    runs = []
    for formed, block in ((2000, 32), (10, 32), (10, 17), (2000, 512)):
        monkeypatch.setattr(similarity, "FORMED", formed)
        monkeypatch.setattr(similarity, "BLOCK", block)
        learner = begun("mcssb", given, similarity=kind)
        assert (learner.S.kept is None) == (formed == 10 or kind != "gaussian")
        runs.append([done.values["objective"] for done in rounds(learner, 15)])
    assert runs[0] == runs[1] and len(runs[0]) > 1
    for other in runs[2:]:
        np.testing.assert_allclose(other, runs[0], rtol=1e-9)


@cases(("n", "size"), [(40, 20), (100, 20), (150, 30)])
def test_mcssb_draws_a_fifth_of_the_examples_and_at_least_twenty(n, size):
    rng = np.random.default_rng(0)
    learner = create("mcssb")
    labels = np.where(np.arange(n) < 10, np.arange(n) % 2, -1)
    learner.reset(Training(rng.standard_normal((n, 2)), labels, 2), rng)
    assert len(learner.round().details["sample"]) == size
