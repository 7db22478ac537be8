"""The semi-supervised learners: steps by hand, identities and bounds on random problems, figures measured independently."""

import dataclasses
import math

import numpy as np
import pytest

import learners.boosting.semi_supervised.environment as environment
import learners.boosting.semi_supervised.similarity as similarity
from datasets import load
from datasets.classification import ClassificationData
from learners import Simulation, catalogue, create
from learners.boosting.semi_supervised.base import Training
from learners.boosting.semi_supervised.environment import labelled_first
from learners.boosting.semi_supervised.places import plane
from learners.boosting.weak import resample, tree
from tests.conftest import ROOT

SHARED = ROOT.parent / "shared" / "data"
IDS = sorted(info.id for info in catalogue() if info.family == "semi-supervised")
SIMILARITIES = ("gaussian", "uniform", "absolute")


def problem(seed, n=40, d=3, classes=3, labelled=0.3):
    """Overlapping clouds, some of whose rows are labelled, at least one of each class."""
    rng = np.random.default_rng(seed)
    truth = np.concatenate([np.arange(classes), rng.integers(classes, size=n - classes)])
    features = rng.normal(size=(classes, d))[truth] * 1.5 + rng.normal(size=(n, d))
    hidden = rng.random(n) >= labelled
    hidden[:classes] = False
    return Training(features, np.where(hidden, -1, truth), classes)


def data_of(features, labels, **params):
    names = tuple(f"class {k}" for k in range(max(labels) + 1))
    return ClassificationData("made", params, np.asarray(features, dtype=float), np.asarray(labels), names)


def begun(id, given, seed=0, **params):
    learner = create(id, **params)
    learner.reset(given, np.random.default_rng(seed))
    return learner


def rounds(learner, most):
    """The rounds until it stops, at most so many."""
    for _ in range(most):
        done = learner.round()
        if done.stopped:
            return
        yield done


# --- AdaBoost ---------------------------------------------------------------------------------------------------------


def test_adaboost_by_hand():
    """Points 0, 1, 2 with classes 0, 1, 0, and one without a label, whose answer only counts as an answer.

    D = (1, 1, 1)/3. Every stump errs on one point: ε = 1/3, α = ½ ln 2. e^−α = 1/√2, so the two right ones get
    1/(3√2) and the wrong one √2/3: normalised ¼, ¼, ½. The mean of e^−yF is (2/√2 + √2)/3 = 2√2/3 = 2√(1/3 · 2/3).
    """
    learner = begun("adaboost", Training(np.array([[0.0], [1.0], [2.0], [9.0]]), np.array([0, 1, 0, -1]), 2), depth=1)
    first = learner.round()
    assert first.error == pytest.approx(1 / 3, abs=1e-15)
    assert first.step == pytest.approx(0.5 * math.log(2), abs=1e-15)
    np.testing.assert_allclose(first.weights, [1 / 3, 1 / 3, 1 / 3, 0], rtol=1e-15)
    assert first.targets.tolist() == [0, 1, 0, -1]
    assert first.values["objective"] == pytest.approx(2 * math.sqrt(2) / 3, rel=1e-14)
    assert first.values["bound"] == pytest.approx(2 * math.sqrt(2) / 3, rel=1e-14)
    second = learner.round()
    wrong = first.answers[:3] != [0, 1, 0]
    np.testing.assert_allclose(second.weights[:3], np.where(wrong, 0.5, 0.25), rtol=1e-14)
    assert second.error == pytest.approx(0.25, abs=1e-15)
    np.testing.assert_allclose(learner.vote(np.array([[0.0]])).sum(), 0.5 * math.log(3), rtol=1e-14)


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("seed", range(5))
def test_adaboost_identities(classes, seed):
    """Mean exp(−yF) = Π 2√(ε(1 − ε)); the new weights give the same hypothesis an error of exactly ½."""
    given = problem(seed, n=150, d=2, classes=classes, labelled=0.8)
    learner = begun("adaboost", given, depth=1 if classes == 2 else 3)
    has = given.labels >= 0
    y, x = given.labels[has], given.features[has]
    product, F = 1.0, np.zeros((has.sum(), classes))
    seen = 0
    for done in rounds(learner, 12):
        if learner.end:
            break
        seen += 1
        product *= 2 * math.sqrt(done.error * (1 - done.error))
        F = F + learner.vote(x)
        right = F[np.arange(len(y)), y]
        margin = right - (F.sum(axis=1) - right)  # with two classes y F
        assert np.exp(-margin).mean() == pytest.approx(product, rel=1e-12)
        assert done.values["objective"] == pytest.approx(product, rel=1e-12)
        assert done.values["bound"] == pytest.approx(product, rel=1e-12)
        assert (F.argmax(axis=1) != y).mean() <= done.values["bound"] + 1e-12
        assert learner.D[done.answers[has] != y].sum() == pytest.approx(0.5, abs=1e-12)
    assert seen >= 3


def test_adaboost_perfect_tree_decides_alone():
    """ε = 0: a step of 1 more than all before, the training error is 0, and from then on nothing is added."""
    late = 0
    for seed in range(50):
        given = problem(seed, n=14, d=2, classes=2, labelled=0.6)
        learner = begun("adaboost", given, seed, depth=2)
        steps = [done.step for done in rounds(learner, 40)]
        if learner.last.error == 0:
            late += len(steps) > 1
            assert steps[-1] == pytest.approx(1 + sum(steps[:-1]))
            assert learner.last.values["objective"] == pytest.approx(learner.last.values["bound"], rel=1e-12)
            assert "no mistake" in learner.round().stopped
            np.testing.assert_array_equal(learner.predict(learner.x), learner.y)
    assert late >= 3  # some become perfect after they have erred


def test_adaboost_that_errs_on_half_keeps_its_first_tree():
    """Four classes, four points and one question: two are wrong, ε = ½. It is kept with step 1; then nothing."""
    learner = begun("adaboost", Training(np.arange(4.0)[:, None], np.arange(4), 4), depth=1)
    assert learner.round().step == 1
    assert learner.last.values["objective"] == pytest.approx((math.e + 1 / math.e) / 2)
    assert learner.last.values["bound"] == pytest.approx((math.e + 1 / math.e) / 2)
    again = learner.round()
    assert again.step == 0 and "half of the weight" in again.stopped
    np.testing.assert_array_equal(again.weights, learner.last.weights)


# --- ASSEMBLE ---------------------------------------------------------------------------------------------------------


def test_assemble_by_hand():
    """Points 0, 1, 2 with classes 0, 1, 0, and a fourth at 2.2 without; β = ½, stumps.

    Round 1 is trained on the first three: ε = 1/3, α = ½ ln 2, so e^{2α} = 2: the weights are (1, 1, 1)/3 with the
    wrong one doubled, ¼ ¼ ½, of which the labelled keep half; the fourth has ½. As printed e^α = √2, and the fourth
    has 0.
    """
    given = Training(np.array([[0.0], [1.0], [2.0], [2.2]]), np.array([0, 1, 0, -1]), 2)
    for variant, by, share in (("corrected", 2, 0.5), ("printed", math.sqrt(2), 0.0)):
        learner = begun("assemble", given, depth=1, variant=variant, beta=0.5)
        first = learner.round()
        assert first.step == pytest.approx(0.5 * math.log(2))
        np.testing.assert_allclose(first.weights, [1 / 3, 1 / 3, 1 / 3, 0])
        assert first.targets.tolist() == [0, 1, 0, -1]
        second = learner.round()
        wrong = first.answers[:3] != [0, 1, 0]
        raw = np.where(wrong, by, 1.0)
        np.testing.assert_allclose(second.weights[:3], (1 - share) * raw / raw.sum())
        assert second.weights[3] == pytest.approx(share)
        assert second.targets[3] == first.answers[3]  # its pseudo-label is what F says


def test_assemble_first_labels_by_the_nearest():
    learner = begun("assemble", problem(1, n=50), first="nearest", depth=3, beta=0.3)
    done, given = learner.round(), learner.problem
    has = given.labels >= 0
    near = np.linalg.norm(given.features[:, None] - given.features[has], axis=2).argmin(axis=1)
    np.testing.assert_array_equal(done.targets, given.labels[has][near])
    assert done.weights[~has].sum() == pytest.approx(0.3)


@pytest.mark.parametrize("seed", range(3))
def test_assemble_reweights_to_error_half(seed):
    """With exp(2αI) the new weights, on the same pseudo-labels, give the same hypothesis an error of ½ (as AdaBoost)."""
    given = problem(seed, n=80, classes=3)
    learner = begun("assemble", given, depth=3, beta=0.4)
    next(rounds(learner, 1))
    for done in rounds(learner, 8):
        if not learner.end:
            assert learner.w[done.answers != done.targets].sum() == pytest.approx(0.5, abs=1e-12)
            assert done.details["pseudo-labels"] == (given.labels < 0).sum()


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


@pytest.mark.parametrize("kind", SIMILARITIES)
@pytest.mark.parametrize("seed", range(3))
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


@pytest.mark.parametrize("train", ["sample", "weights"])
@pytest.mark.parametrize("kind", SIMILARITIES)
@pytest.mark.parametrize("C", [0.0, 1.0, 1e4, 1e10])
def test_mcssb_never_rises_and_obeys_theorem_4(kind, C, train):
    """Lemma 2, Theorem 4, and the sums over classes, in every round of random problems."""
    for seed in range(3):
        given = problem(seed, n=60, classes=2 + seed, labelled=0.2)
        learner = begun("mcssb", given, seed, similarity=kind, C=C, train=train)
        S = matrix(given.features, kind, 0.15)
        before = bound = learner.F
        least = np.add(*(part * by for part, by in zip(learner.gradient(), (1, C), strict=True)))
        for done in rounds(learner, 25):
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


# --- the environment --------------------------------------------------------------------------------------------------


def small(seed=0, N=60, d=2, classes=3, **params):
    rng = np.random.default_rng(seed)
    labels = np.arange(N) % classes
    return data_of(rng.normal(size=(classes, d))[labels] * 3 + rng.normal(size=(N, d)), labels, **params)


def test_who_trains_and_who_is_told():
    """Sizes; every row once; labels of the labelled rows alone, one of each class at least; the truth is kept back."""
    data = small(N=90, training=0.4, labelled=0.15)
    sim = Simulation("single-tree", data, replicates=6, seed=3)
    world = sim.environment
    assert world.rows.shape == (6, 36) and world.tests.shape == (6, 54) and world.labelled == 5
    for r in range(6):
        assert sorted([*world.rows[r], *world.tests[r]]) == list(range(90))
        given = world.problems[r]
        np.testing.assert_array_equal(given.features, data.features[world.rows[r]])
        np.testing.assert_array_equal(given.labels[:5], data.labels[world.rows[r, :5]])
        assert (given.labels[5:] == -1).all() and set(given.labels[:5]) == {0, 1, 2}
        assert vars(given).keys() == {"features", "labels", "classes"}
    assert len({tuple(rows) for rows in world.rows}) == 6


def test_at_least_one_label_a_class_and_the_defaults():
    few = Simulation("single-tree", small(N=100, classes=4, labelled=0.01)).environment
    assert few.rows.shape == (1, 20) and few.labelled == 4
    tiny = Simulation("single-tree", small(N=4, classes=2, training=0.01)).environment
    assert tiny.rows.shape == (1, 2) and tiny.labelled == 2
    every = Simulation("single-tree", small(labelled=1.0))
    every.advance(steps=1)
    assert np.isnan(every.history["accuracy-unlabelled"]).all()


def test_labelled_first_is_random_beyond_the_classes():
    """Class 1 is rare: its row is told by right. Which of the others are told is left to chance, in the order given."""
    labels = np.array([0] * 9 + [1])
    rng = np.random.default_rng(0)
    told = [labelled_first(rng.permutation(10), labels, 4)[:4] for _ in range(2000)]
    counts = np.bincount(np.concatenate(told), minlength=10) / 2000
    assert counts[9] == 1
    np.testing.assert_allclose(counts[:9], 3 / 9, atol=0.05)


def test_metrics_are_shares_of_right_rows():
    data = small(d=3, training=0.5, labelled=0.3)
    sim = Simulation(create("adaboost", depth=1), data, replicates=2, seed=1)
    sim.advance(steps=4)
    world = sim.environment
    for r in range(2):
        right = world.predicted(r) == data.labels
        told, others = world.rows[r, : world.labelled], world.rows[r, world.labelled :]
        for name, rows in (("train", told), ("unlabelled", others), ("test", world.tests[r])):
            assert sim.history[f"accuracy-{name}"][-1, r] == right[rows].mean()
        F = np.zeros((60, 3))
        learner = begun("adaboost", world.problems[r], depth=1)
        learner.rng = np.random.default_rng(world_start(sim, r))
        for _ in rounds(learner, 4):
            F += learner.vote(data.features)
        np.testing.assert_array_equal(F, world.scores[r])
    assert sim.history["step-size"].shape == (4, 2)


def world_start(sim, r):
    """The seed that the environment gives the learner of replicate r: the third stream."""
    own = np.random.SeedSequence(sim.seed).spawn(4)[2]
    return np.random.default_rng(own).integers(0, 2**62, size=sim.replicates)[r]


@pytest.mark.parametrize("id", IDS)
def test_same_seed_same_numbers_and_same_problems(id):
    data = small(d=4, labelled=0.3, training=0.5)
    one, two = (Simulation(id, data, replicates=3, seed=5) for _ in range(2))
    one.advance(steps=6)
    for _ in range(6):
        two.advance(steps=1)
    for name in ("accuracy-test", "step-size", "objective"):
        np.testing.assert_array_equal(one.history[name], two.history[name])
    other = Simulation("single-tree", data, replicates=3, seed=5).environment
    np.testing.assert_array_equal(one.environment.rows, other.rows)
    one.reset()
    one.advance(steps=6)
    np.testing.assert_array_equal(one.history["accuracy-test"], two.history["accuracy-test"])


@pytest.mark.parametrize("id", IDS)
def test_what_was_read_stays(id):
    """The inspector keeps the record of a round: later rounds do not change it."""
    sim = Simulation(id, small(labelled=0.5, training=0.6), replicates=2, seed=2)
    kept = []
    for _ in range(4):
        sim.advance(steps=1)
        arrays = [a for r in sim.last.rounds for a in (r.weights, r.targets, r.answers) if a is not None]
        arrays += [sim.environment.scores, sim.environment.region]
        kept.append([(a, a.copy()) for a in arrays])
    for pairs in kept:
        for now, then in pairs:
            np.testing.assert_array_equal(now, then)


def test_an_array_of_parameters_is_one_value_a_replicate():
    data = small(d=3, labelled=0.3, training=0.5)
    both = Simulation(create("mcssb", C=np.array([1.0, 1e6]), depth=np.array([1, 3])), data, replicates=2, seed=0)
    both.advance(steps=5)
    for r, (C, depth) in enumerate(((1.0, 1), (1e6, 3))):
        one = Simulation(create("mcssb", C=C, depth=depth), data, replicates=2, seed=0)
        one.advance(steps=5)
        np.testing.assert_array_equal(both.history["objective"][:, r], one.history["objective"][:, r])


@pytest.mark.parametrize(("n", "size"), [(40, 20), (100, 20), (150, 30)])
def test_mcssb_draws_a_fifth_of_the_examples_and_at_least_twenty(n, size):
    rng = np.random.default_rng(0)
    learner = create("mcssb")
    labels = np.where(np.arange(n) < 10, np.arange(n) % 2, -1)
    learner.reset(Training(rng.standard_normal((n, 2)), labels, 2), rng)
    assert len(learner.round().details["sample"]) == size


@pytest.mark.parametrize("id", ["single-tree", "nearest-neighbour", "label-spreading", "self-training"])
def test_references_vote_once(id):
    """One vote of 1 a row, for what the learner answers; nothing is added after the first round."""
    sim = Simulation(id, small(d=3, labelled=0.4, training=0.5), replicates=2, seed=4)
    sim.advance(steps=1)
    first, answers = sim.environment.scores, [done.answers for done in sim.last.rounds]
    sim.advance(steps=3)
    np.testing.assert_array_equal(sim.environment.scores, first)
    assert (first.sum(axis=2) == 1).all() and (first.max(axis=2) == 1).all()
    for r in range(2):
        np.testing.assert_array_equal(sim.environment.predicted(r)[sim.environment.rows[r]], answers[r])
    assert (sim.history["accuracy-test"] > 0.6).all()
    assert np.isnan(sim.history["step-size"]).all()


def test_region_and_places():
    data = small(labelled=0.3, training=0.5)
    sim = Simulation(create("adaboost", depth=3), data, replicates=2, seed=1)
    assert sim.environment.region is None
    sim.advance(steps=5)
    world = sim.environment
    x0, x1, y0, y1 = world.extent
    assert world.region.shape == (60, 60) and x0 < data.features[:, 0].min() and y1 > data.features[:, 1].max()
    j, i = np.round((data.features - [x0, y0]) / [x1 - x0, y1 - y0] * 59).astype(int).T
    assert (world.region[i, j] == world.predicted(0)).mean() > 0.9  # up to what lies between two points of the grid
    np.testing.assert_array_equal(world.places(1), world.problems[1].features)
    flat = Simulation("single-tree", small(d=5)).environment
    assert flat.region is None and flat.extent is None
    places = flat.places(0)
    assert places.shape == (12, 2) and places is flat.places(0)
    x = flat.problems[0].features
    spread = np.linalg.svd(x - x.mean(axis=0), compute_uv=False)
    np.testing.assert_allclose(np.linalg.norm(places, axis=0), spread[:2])
    np.testing.assert_array_equal(plane(np.ones((3, 4))), np.zeros((3, 2)))
    assert plane(np.array([[1.0], [2.0]])).tolist() == [[-0.5, 0], [0.5, 0]]


def test_refusals(monkeypatch):
    from scipy.sparse import csr_array

    sparse = ClassificationData("wide", {}, csr_array(np.eye(4)), np.array([0, 1, 0, 1]), ("a", "b"))
    with pytest.raises(ValueError, match="need dense features, but those of wide are sparse"):
        Simulation("mcssb", sparse)
    with pytest.raises(ValueError, match="at least 4 examples, but made has 3"):
        Simulation("mcssb", data_of(np.eye(3), [0, 1, 1]))
    monkeypatch.setattr(environment, "MOST", 20)
    with pytest.raises(
        ValueError, match=r"training on 30 of the 60 examples of made .* at most 20 .* lower training to 0.3333"
    ):
        Simulation("mcssb", small(training=0.5))
    Simulation("mcssb", small(training=0.3333))
    monkeypatch.setattr("learners.boosting.semi_supervised.label_spreading.MOST", 15)
    with pytest.raises(ValueError, match="at most 15 training rows, got 18"):
        Simulation(create("label-spreading", kernel="gaussian"), small(training=0.3))
    Simulation(create("label-spreading"), small(training=0.3))


DEGENERATE = {
    "one-class-labelled": Training(np.arange(8.0)[:, None], np.array([1, 1, 1, -1, -1, -1, -1, -1]), 3),
    "all-rows-alike": Training(np.ones((8, 2)), np.array([0, 1, 2, -1, -1, -1, -1, -1]), 3),
    "one-label": Training(np.arange(12.0).reshape(6, 2), np.array([2, -1, -1, -1, -1, -1]), 3),
    "all-labelled": Training(np.arange(8.0)[:, None], np.arange(8) % 2, 2),
    "two-rows": Training(np.array([[0.0], [1.0]]), np.array([0, 1]), 2),
    "two-rows-alike": Training(np.zeros((2, 1)), np.array([0, -1]), 2),
    "huge-and-tiny": Training(np.array([[1e300], [-1e300], [1e-300], [0.0]]), np.array([0, 1, -1, -1]), 2),
}
VARIANTS = [(id, {}) for id in IDS] + [
    ("mcssb", {"similarity": "uniform"}),
    ("mcssb", {"similarity": "absolute", "C": 1e10}),
    ("mcssb", {"train": "weights", "width": 0.001}),
    ("mcssb", {"C": 0}),
    ("assemble", {"variant": "printed"}),
    ("assemble", {"first": "nearest", "depth": 5}),
    ("label-spreading", {"kernel": "gaussian"}),
    ("self-training", {"depth": 20, "threshold": 0}),
    ("adaboost", {"depth": 1}),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize(("id", "params"), VARIANTS, ids=[f"{i}-{'-'.join(map(str, p.values()))}" for i, p in VARIANTS])
def test_degenerate_problems_end_in_words(id, params, name):
    """No warning, no number that is none; who stops says why, and goes on saying so."""
    given = DEGENERATE[name]
    learner = begun(id, given, **params)
    ended = ""
    for _ in range(30):
        done = learner.round()
        assert not ended or done.stopped == ended
        if done.stopped:
            ended = done.stopped
            assert done.step == 0 and ended.endswith(".")
        else:
            votes = learner.vote(given.features)
            assert votes.shape == (len(given.labels), given.classes) and np.isfinite(votes).all()
            assert done.step > 0 and np.isfinite(done.error)
        assert all(np.isfinite(value) for value in done.values.values())


# --- weak learners ----------------------------------------------------------------------------------------------------


def test_tree_heeds_its_weights_and_breaks_ties_alike():
    x, y = np.array([[0.0], [1.0], [2.0]]), np.array([0, 1, 0])
    for light, split in ((0, (1, 0)), (2, (0, 1))):
        weights = np.ones(3)
        weights[light] = 0
        said = tree(x, y, weights * 1e-9, 1, np.random.default_rng(0)).predict(np.array([[-5.0], [5.0]]))
        assert tuple(said) == split
    twice = [
        tree(np.ones((4, 2)) * [[0], [1], [0], [1]], np.array([0, 1, 0, 1]), None, 1, np.random.default_rng(3))
        for _ in "ab"
    ]
    assert twice[0].fitted.feature[0] == twice[1].fitted.feature[0]


def test_resample_is_in_proportion():
    rows = resample(np.array([1.0, 0.0, 3.0]), 20_000, np.random.default_rng(0))
    np.testing.assert_allclose(np.bincount(rows) / 20_000, [0.25, 0, 0.75], atol=0.01)


# --- figures ----------------------------------------------------------------------------------------------------------


def final(id, data, replicates, steps=50, **params):
    sim = Simulation(create(id, **params), data, replicates=replicates, seed=0)
    sim.advance(steps=steps)
    return sim.history["accuracy-test"][-1]


def test_digits_as_measured():
    """5 % labelled, trained on a fifth: MCSSB − tree ≥ .20 (.34 ± .03), uniform ≤ .13, C hardly matters, neighbours win."""
    data = load("digits")
    assert data.params["labelled"] == 0.05 and data.params["training"] == 0.2
    tree_, mcssb = final("single-tree", data, 10, 1), final("mcssb", data, 10)
    assert (mcssb - tree_).mean() >= 0.20
    assert final("mcssb", data, 5, similarity="uniform").mean() <= 0.13
    assert abs(mcssb.mean() - final("mcssb", data, 10, C=1e10).mean()) <= 0.04
    assert final("nearest-neighbour", data, 10, 1).mean() > mcssb.mean()
    assert final("assemble", data, 10, 10).mean() <= tree_.mean() + 0.02


@pytest.mark.skipif(not SHARED.is_dir(), reason="the real data are not part of the repository")
def test_pendigits_as_measured():
    """2 % labelled: the paper has 33 → 48 %, an independent measurement 27 → 63 %."""
    data = load("classification-file", path=str(SHARED / "pendigits" / "pendigits.tra.gz"))
    data = dataclasses.replace(data, params=data.params | {"labelled": 0.02})
    tree_, mcssb = final("single-tree", data, 3, 1), final("mcssb", data, 3)
    assert 0.2 < tree_.mean() < 0.33 and 0.55 < mcssb.mean() < 0.75
