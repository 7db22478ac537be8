"""The multilabel learners: updates worked out by hand, a slow reference, properties, metrics, measured facts."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import MultilabelData, load
from datasets.multilabel import link
from learners import Simulation, catalogue, create
from learners.base import PAPERS, PHASES, Shape
from learners.catalogue import learner_classes
from learners.multilabel.base import Context, Feedback, best_size, cost, loss, objective
from learners.multilabel.environment import disagreements
from learners.multilabel.metrics import SHOWN_SIZE, WIDTH

IDS = [info.id for info in catalogue() if info.family == "multilabel"]
SECOND_ORDER = ["multilabel-ucb", "online-binary-relevance"]
many = settings(max_examples=60, deadline=None)


def start(learner, labels, features, replicates=1, seed=0):
    learner.reset(Shape(features, classes=labels), replicates, np.random.default_rng(seed))
    return learner


def told(learner, shown, truth):
    """The feedback that the environment gives on these label sets (R, K)."""
    inside = np.arange(truth.shape[1]) < shown.size[:, None]
    right = np.zeros_like(truth)
    np.put_along_axis(right, shown.order, np.take_along_axis(truth, shown.order, 1) & inside, axis=1)
    return Feedback(right if learner.hears != "nothing" else None, truth if learner.hears == "labels" else None)


def step(learner, x, *right):
    """One step of one replicate, with these labels right: the labels shown and p̂."""
    context = Context(np.array([x], dtype=float))
    shown = learner.present(context)
    truth = np.isin(np.arange(learner.classes), right)[None]
    learner.update(context, shown, told(learner, shown, truth))
    return shown.order[0, : shown.size[0]].tolist(), shown.probability[0]


def unit(rng, *shape):
    x = rng.normal(size=shape)
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


# ---- by hand ------------------------------------------------------------------------------------------


def test_square_loss_full_matrices_by_hand():
    """width ¼, constant costs, a = ½: a label is shown where p̂ > ½.

    x = (1, 0): ε = √(¼ · 1) = ½, p̂ = (1 + ½)/2 = ¾ for both. Label 0 is right, 1 is wrong: A = diag(2, 1) for both,
    w_0 = g(0) · (½, 0) = (½, 0), w_1 = −(½, 0).
    x = (.6, .8): A⁻¹x = (.3, .8), x·A⁻¹x = .82, margins ±.3, ε = √(.25 · .82) = .452769, p̂ = (1 + .3 + ε)/2 = .876385
    and (1 − .3 + ε)/2 = .576385. Both are right: the new A⁻¹x = (.3, .8)/1.82 and w_0 = (½, 0) + (1 − .3)(.3, .8)/1.82
    = (8/13, 4/13), w_1 = (−½, 0) + (1 + .3)(.3, .8)/1.82 = (−2/7, 4/7).
    """
    learner = start(create("multilabel-ucb", width=0.25, costs="constant"), 2, 2)
    labels, p = step(learner, [1, 0], 0)
    assert labels == [0, 1] and p.tolist() == [0.75, 0.75]
    np.testing.assert_allclose(learner.w[0], [[0.5, 0], [-0.5, 0]])
    np.testing.assert_allclose(learner.Ainv[0], [[[0.5, 0], [0, 1]]] * 2)
    labels, p = step(learner, [0.6, 0.8], 0, 1)
    assert labels == [0, 1]
    np.testing.assert_allclose(p, [0.876385, 0.576385], atol=1e-6)
    np.testing.assert_allclose(learner.w[0], [[8 / 13, 4 / 13], [-2 / 7, 4 / 7]])


def test_projection_by_hand_also_of_labels_not_shown():
    """A = I, w_0 = (2, 0), w_1 = (−3, 1), x = (1, 0), width ¼: w'_0 = (1, 0), w'_1 = (−1, 1). p̂_0 = 1 is shown and
    wrong: w_0 = (1, 0) − g(−1) · (½, 0) = (1, 0) − 2 · (½, 0) = 0. p̂_1 = (1 − 1 + ½)/2 = ¼ is not shown: w_1 = w'_1,
    A_1 = I.
    """
    learner = start(create("multilabel-ucb", width=0.25, costs="constant"), 2, 2)
    learner.w[0] = [[2, 0], [-3, 1]]
    labels, p = step(learner, [1, 0])
    assert labels == [0] and p.tolist() == [1, 0.25]
    np.testing.assert_allclose(learner.w[0], [[0, 0], [-1, 1]], atol=1e-15)
    np.testing.assert_allclose(learner.Ainv[0], [[[0.5, 0], [0, 1]], np.eye(2)])


def test_logistic_loss_by_hand():
    """R = 2: 1/c″ = 2(1 + cosh 2) = 9.524391. x = 1, width 4: z = clip(0 + 2) = 2, p̂ = 1/(1 + e⁻²) = .880797, shown and
    right: w = 9.524391 · g(0) · ½ = 2.381098. Again x = 1: w > 2, w' = 2, p̂ as before; wrong: A⁻¹x = 1/3, g(−2) = .880797,
    w = 2 − 9.524391 · .880797 / 3 = −.796353.
    """
    learner = start(create("multilabel-ucb", loss="logistic", range=2, width=4), 1, 1)
    labels, p = step(learner, [1], 0)
    assert labels == [0]
    np.testing.assert_allclose(p, 0.880797, atol=1e-6)
    np.testing.assert_allclose(learner.w[0], 2.381098, atol=1e-6)
    labels, p = step(learner, [1])
    assert labels == [0]
    np.testing.assert_allclose(p, 0.880797, atol=1e-6)
    np.testing.assert_allclose(learner.w[0], -0.796353, atol=1e-5)


def test_diagonal_matrices_by_hand():
    """x = (.6, .8), right: A = (1.36, 1.64), w = (.6/1.36, .8/1.64). x = (1, 0): margin .6/1.36 = .441176, width
    √(.3/1.36) = .469668, p̂ = .955422. Wrong: A = (2.36, 1.64), w_1 = .441176 − 1.441176/2.36 = −10/59.
    """
    learner = start(create("multilabel-ucb", matrices="diagonal"), 1, 2)
    assert step(learner, [0.6, 0.8], 0)[0] == [0]
    np.testing.assert_allclose(learner.Ainv[0, 0], [1 / 1.36, 1 / 1.64])
    np.testing.assert_allclose(learner.w[0, 0], [0.6 / 1.36, 0.8 / 1.64])
    labels, p = step(learner, [1, 0])
    assert labels == [0]
    np.testing.assert_allclose(p, 0.955422, atol=1e-6)
    np.testing.assert_allclose(learner.w[0, 0], [-10 / 59, 0.8 / 1.64])


def test_online_binary_relevance_by_hand():
    """x = (1, 0): p̂ = ½ for both, nothing is shown, yet both learn: label 0 is right, 1 is not, one matrix diag(2, 1),
    w = ±(½, 0). x = (.6, .8): p̂ = (1 ± .3)/2, label 0 is shown. Label 1 alone is right: g(−.3) = 1.3 for both,
    w_0 = (½, 0) − 1.3 (.3, .8)/1.82 = (2/7, −4/7), w_1 = −w_0.
    """
    learner = start(create("online-binary-relevance", costs="constant"), 2, 2)
    labels, p = step(learner, [1, 0], 0)
    assert labels == [] and p.tolist() == [0.5, 0.5]
    np.testing.assert_allclose(learner.w[0], [[0.5, 0], [-0.5, 0]])
    np.testing.assert_allclose(learner.Ainv[0], [[[0.5, 0], [0, 1]]])
    labels, p = step(learner, [0.6, 0.8], 1)
    assert labels == [0]
    np.testing.assert_allclose(p, [0.65, 0.35])
    np.testing.assert_allclose(learner.w[0], [[2 / 7, -4 / 7], [-2 / 7, 4 / 7]])


def test_the_papers_widths_by_hand():
    """Square, d = K = 1, x = 1, U = 2, δ = .1: c′ = 4, c″ = 1, L(−1) = 2.
    t = 1: ε² = 4 + 0 + 12 (4 + 6) ln(5/.1); t = 2, A = 2: ε² = ½ (4 + 4 ln 2 + 120 ln(6/.1)). Remark 1: min(…, 4).
    """
    learner = start(create("multilabel-ucb", confidence="known norm", norm=2), 1, 1)
    x = Context(np.array([[1.0]]))
    np.testing.assert_allclose(learner.present(x).width, math.sqrt(4 + 120 * math.log(50)))
    step(learner, [1], 0)
    np.testing.assert_allclose(learner.present(x).width, math.sqrt((4 + 4 * math.log(2) + 120 * math.log(60)) / 2))
    learner = start(create("multilabel-ucb", confidence="remark 1"), 1, 1)
    assert learner.present(x).width == 2
    learner.t = 2
    learner.Ainv[:] = 1e-4
    expected = 1e-4 * (2 * 4 * math.log(2) + 120 * math.log(60))
    np.testing.assert_allclose(learner.present(x).width, math.sqrt(expected))
    # logistic, R = 2: c′ = 1, L(−2) = ln(1 + e²), 1/c″ = 9.524391
    learner = start(create("multilabel-ucb", loss="logistic", confidence="known norm", norm=2), 1, 1)
    expected = 4 + 12 * 9.524391 * (9.524391 + 3 * math.log(1 + math.e**2)) * math.log(50)
    np.testing.assert_allclose(learner.present(x).width, math.sqrt(expected), rtol=1e-6)


def test_the_papers_example_of_the_loss():
    """[G] §2: K = 10, Ŷ = (4, 3, 6), Y = {1, 3, 8}: |Y \\ Ŷ| = 2 and 3/3 + 1/3 for 4 in the first place, 6 in the third."""
    truth, order, size = np.isin(np.arange(1, 11), [1, 3, 8]), np.array([4, 3, 6, 1]) - 1, np.array(3)
    for a in (0.0, 0.3, 1.0):
        assert math.isclose(float(loss(truth, order, size, a, "decreasing")), 2 * a + (1 - a) * (1 + 1 / 3))
        assert math.isclose(float(loss(truth, order, size, a, "constant")), 2 * a + (1 - a) * 2)


# ---- Lemma 1 ------------------------------------------------------------------------------------------


def expected_loss(p, chosen, a, costs):
    """[G] Eq. 3 of an ordered set, from its definition."""
    s = len(chosen)
    c = [(s - j) / s if costs == "decreasing" else 1.0 for j in range(s)]
    return sum((1 - a) * c[j] * (1 - p[i]) - a * p[i] for j, i in enumerate(chosen))


@pytest.mark.parametrize("costs", ["decreasing", "constant"])
@pytest.mark.parametrize("a", [0.0, 0.3, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("cap", [1, 2, 4])
def test_the_prefix_is_the_best_of_all_ordered_sets(costs, a, cap):
    rng = np.random.default_rng(int(10 * a) + cap)
    learner = start(create("online-binary-relevance", a=a, costs=costs, size=cap), 4, 1, replicates=20)
    p = rng.random((20, 4)) ** rng.choice([0.3, 1, 3], size=(20, 1))
    order, size = learner.choose(p)
    for r in range(20):
        found = expected_loss(p[r], order[r, : size[r]], a, costs)
        every = (set for s in range(cap + 1) for set in itertools.permutations(range(4), s))
        assert math.isclose(found, min(expected_loss(p[r], chosen, a, costs) for chosen in every), abs_tol=1e-12)
        assert math.isclose(objective(p[r][order[r]][None], a, costs)[0, size[r]], found, abs_tol=1e-12)


def test_ties_go_to_the_first_label_and_the_smallest_set():
    p = np.array([[0.5, 0.7, 0.5, 0.7]])
    learner = start(create("online-binary-relevance", costs="constant"), 4, 1)
    order, size = learner.choose(p)
    assert order.tolist() == [[1, 3, 0, 2]] and size.tolist() == [2]
    assert best_size(np.full((1, 3), 0.5), 0.5, "constant", 3).tolist() == [0]
    assert best_size(np.full((2, 3), 0.9), np.array([0.5, 1.0]), "constant", np.array([1, 3])).tolist() == [1, 3]


# ---- a slow reference, from the paper --------------------------------------------------------------------


class Reference:
    """[G] Fig. 1 for one replicate: plain loops, matrices inverted anew at every step."""

    def __init__(self, K, d, loss, R, matrices, width, a, costs, S, full):
        self.K, self.d, self.width, self.a, self.costs, self.S, self.full = K, d, width, a, costs, S, full
        self.diagonal = matrices == "diagonal"
        self.R = 1.0 if loss == "square" else R
        self.c2 = 1.0 if loss == "square" else 1 / (2 * (1 + math.cosh(R)))
        self.g = (lambda v: 1 - v) if loss == "square" else (lambda v: 1 / (math.exp(v) + 1))
        self.A = [np.eye(d) for _ in range(K)]
        self.w = [np.zeros(d) for _ in range(K)]

    def inverse(self, i):
        return np.diag(1 / np.diag(self.A[i])) if self.diagonal else np.linalg.inv(self.A[i])

    def present(self, x):
        self.delta, p = [], []
        for i in range(self.K):
            inverse = self.inverse(i)
            q, m = x @ inverse @ x, self.w[i] @ x
            if abs(m) > self.R:
                self.w[i] = self.w[i] - (m - self.R * np.sign(m)) / q * (inverse @ x)
            self.delta.append(self.w[i] @ x)
            raised = self.delta[i] + (0 if self.full else math.sqrt(self.width * q))
            z = max(min(raised, self.R), -self.R)
            p.append(round(self.g(-z) / (self.g(z) + self.g(-z)), 12))
        ranked = sorted(range(self.K), key=lambda i: (-p[i], i))
        values = [round(expected_loss(p, ranked[:s], self.a, self.costs), 12) for s in range(min(self.S, self.K) + 1)]
        return ranked[: values.index(min(values))], p

    def update(self, x, shown, truth):
        for i in range(self.K):
            if self.full or i in shown:
                s = 1 if truth[i] else -1
                self.A[i] = self.A[i] + np.outer(x, x)
                self.w[i] = self.w[i] + self.g(s * self.delta[i]) * s * (self.inverse(i) @ x) / self.c2


@pytest.mark.parametrize("id", SECOND_ORDER)
@pytest.mark.parametrize("loss", ["square", "logistic"])
@pytest.mark.parametrize("matrices", ["full", "diagonal"])
@pytest.mark.parametrize("costs", ["decreasing", "constant"])
def test_the_batch_equals_the_reference_replicate_by_replicate(id, loss, matrices, costs):
    K, d, T, ranges, a, sizes = 5, 4, 80, [1.5, 3.0], [0.5, 0.7], [2, 4]
    own = {"width": [0.6, 1.2]} if id == "multilabel-ucb" else {}
    learner = create(id, loss=loss, range=ranges, matrices=matrices, a=a, costs=costs, size=sizes, **own)
    start(learner, K, d, replicates=2)
    width = own.get("width", [0, 0])
    slow = [
        Reference(K, d, loss, ranges[r], matrices, width[r], a[r], costs, sizes[r], id != "multilabel-ucb")
        for r in range(2)
    ]
    rng = np.random.default_rng(5)
    u = 3 * unit(rng, K, d)
    projected = 0
    for _ in range(T):
        x = unit(rng, 2, d)
        truth = rng.random((2, K)) < link(np.clip(x @ u.T, -1, 1), "square")
        context = Context(x)
        shown = learner.present(context)
        projected += int((np.abs(np.einsum("rkd,rd->rk", learner.w, x)) > np.reshape(learner.R, (-1, 1))).sum())
        learner.update(context, shown, told(learner, shown, truth))
        for r in range(2):
            labels, p = slow[r].present(x[r])
            slow[r].update(x[r], labels, truth[r])
            assert shown.order[r, : shown.size[r]].tolist() == labels
            np.testing.assert_allclose(shown.probability[r], p, atol=1e-10)
            np.testing.assert_allclose(learner.w[r], slow[r].w, atol=1e-10)
    assert projected > 0 or loss == "square"


@pytest.mark.parametrize("id", SECOND_ORDER)
@pytest.mark.parametrize("loss", ["square", "logistic"])
@pytest.mark.parametrize("matrices", ["full", "diagonal"])
def test_a_batch_is_as_many_runs_alone(id, loss, matrices):
    K, d, R = 7, 5, 4
    batch = start(create(id, loss=loss, matrices=matrices, size=3), K, d, R)
    alone = [start(create(id, loss=loss, matrices=matrices, size=3), K, d) for _ in range(R)]
    rng = np.random.default_rng(2)
    for _ in range(150):
        x, truth = unit(rng, R, d), rng.random((R, K)) < 0.4
        shown = batch.present(Context(x))
        batch.update(Context(x), shown, told(batch, shown, truth))
        for r, learner in enumerate(alone):
            own = learner.present(Context(x[r : r + 1]))
            learner.update(Context(x[r : r + 1]), own, told(learner, own, truth[r : r + 1]))
            assert own.order[0].tolist() == shown.order[r].tolist() and own.size[0] == shown.size[r]
    np.testing.assert_allclose(batch.w, np.concatenate([learner.w for learner in alone]), atol=1e-12)


# ---- properties -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("matrices", ["full", "diagonal"])
def test_the_inverse_does_not_drift(matrices):
    K, d = 3, 6
    learner = start(create("multilabel-ucb", matrices=matrices, size=2, width=1), K, d)
    rng, A = np.random.default_rng(4), np.tile(np.eye(d), (K, 1, 1))
    for _ in range(4000):
        x = unit(rng, 1, d) * [1, 1, 1, 0.1, 0.1, 0.01]  # ill-conditioned
        context = Context(x)
        shown = learner.present(context)
        truth = rng.random((1, K)) < 0.5
        learner.update(context, shown, told(learner, shown, truth))
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
        "a": st.floats(0, 1),
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
        x = Context(unit(rng, R, d))
        before = learner.weights.copy()
        shown = learner.present(x)
        np.testing.assert_array_equal(learner.weights, before)  # only update learns
        assert ((shown.probability >= 0) & (shown.probability <= 1)).all()
        assert (shown.probability >= shown.estimate).all()
        assert ((shown.size >= 0) & (shown.size <= params["size"])).all()
        assert (np.sort(shown.order, axis=1) == np.arange(K)).all()
        assert (np.diff(np.take_along_axis(shown.probability, shown.order, 1), axis=1) <= 0).all()
        learner._project(learner._seen)
        projected = np.einsum("rkd,rd->rk", learner.w, x.features)
        assert (np.abs(projected) <= learner.R + 1e-9).all()
        np.testing.assert_allclose(projected, learner._seen.delta, atol=1e-9)
        learner.present(x)
        learner.update(x, shown, told(learner, shown, rng.random((R, K)) < 0.4))
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
        x, truth = Context(unit(rng, 1, d)), rng.random((1, K)) < 0.4
        renumbered = np.empty_like(truth)
        renumbered[:, perm] = truth
        a, b = one.present(x), two.present(x)
        np.testing.assert_allclose(b.probability[:, perm], a.probability, atol=2e-12)
        ranked = -np.sort(-a.probability[0])
        if np.diff(ranked).max() > -1e-9:
            return  # ties go by number
        assert perm[a.order].tolist() == b.order.tolist() and a.size == b.size
        one.update(x, a, told(one, a, truth))
        two.update(x, b, told(two, b, renumbered))
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
    count = sum(
        (score[i] < score[j]) + 0.5 * (score[i] == score[j])
        for i in np.flatnonzero(inside & right)
        for j in np.flatnonzero(inside & ~right)
    )
    if labels:
        assert disagreements(score, right & inside, inside) == count


# ---- every learner found ----------------------------------------------------------------------------------


def test_the_learners_are_found():
    assert IDS == ["multilabel-ucb", "never-play", "online-binary-relevance", "random-labels"]


@pytest.mark.parametrize("id", IDS)
def test_every_learner_says_what_it_is(id):
    cls = learner_classes()[id]
    info = cls.info()
    assert info.title and info.summary and info.feedback and info.paper in PAPERS and info.section
    assert cls.lines and all(line.phase in PHASES and line.text for line in cls.lines)
    assert f"class {cls.__name__}" in cls.source_code() and cls.hears in ("shown", "labels", "nothing")
    for parameter in cls.parameters():
        assert parameter.help
        if parameter.when is not None:
            assert parameter.when[1] in cls.parameter(parameter.when[0]).choices


@pytest.mark.parametrize("id", IDS)
def test_what_is_handed_over_stays_as_it_was(id):
    rng = np.random.default_rng(2)
    learner = start(create(id), 6, 4, replicates=3)
    for _ in range(5):
        context = Context(unit(rng, 3, 4))
        shown = learner.present(context)
        feedback = told(learner, shown, rng.random((3, 6)) < 0.4)
        parts = [part for part in (*context, *shown, *feedback) if part is not None]
        copies = [part.copy() for part in parts]
        for part in parts:
            part.setflags(write=False)
        learner.update(context, shown, feedback)
        for part, copy in zip(parts, copies, strict=True):
            np.testing.assert_array_equal(part, copy)


@pytest.mark.parametrize("id", SECOND_ORDER)
@pytest.mark.parametrize("matrices", ["full", "diagonal"])
def test_the_memory_is_what_the_state_takes(id, matrices):
    learner = start(create(id, matrices=matrices), 30, 20, replicates=4)
    learner.present(Context(np.ones((4, 20))))
    taken = learner.w.nbytes + learner.Ainv.nbytes + learner._seen.V.nbytes
    assert learner.memory(Shape(20, classes=30), 4) == taken


# ---- the environment --------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("known", [True, False])
def test_nobody_hears_more_than_the_setting_allows(id, known):
    heard = []

    class Spy(learner_classes()[id]):
        def update(self, context, shown, feedback):
            heard.append((shown, feedback))
            super().update(context, shown, feedback)

    Spy.id = ""  # not a learner to be found
    data = load("multilabel-synthetic", examples=300)
    if not known:
        data = MultilabelData("plain", {}, data.features, data.labels, data.names)
    spy = Spy(size=12)
    sim = Simulation(spy, data, replicates=2)
    for step in itertools.islice(sim, 60):
        shown, feedback = heard[-1]
        inside = np.zeros((2, 40), dtype=bool)
        for r in range(2):
            inside[r, shown.order[r, : shown.size[r]]] = True
        if Spy.hears == "nothing":
            assert feedback == (None, None)
            continue
        np.testing.assert_array_equal(feedback.right, step.truth & inside)
        np.testing.assert_array_equal(step.right, step.truth & inside)
        assert (feedback.labels is not None) == (Spy.hears == "labels")
        if feedback.labels is not None:
            np.testing.assert_array_equal(feedback.labels, step.truth)
    assert len(heard) == 60 and sim.learner.id == ""
    assert id == "random-labels" or any((shown.size < 12).any() for shown, _ in heard)


def test_what_is_not_shown_plays_no_role():
    """Data that agree on what is shown and differ in everything else lead to the same run."""
    data = load("multilabel-synthetic", examples=100, density=0.3)
    one = MultilabelData("one", {}, data.features, data.labels, data.names)
    first = Simulation(create("multilabel-ucb", size=2), one)
    changed = data.labels.copy()
    shown_at = np.zeros_like(changed)
    for step in itertools.islice(first, 100):
        shown_at[step.row[0], step.shown.order[0, : step.shown.size[0]]] = True
    changed[~shown_at] = ~changed[~shown_at]
    second = Simulation(create("multilabel-ucb", size=2), MultilabelData("two", {}, data.features, changed, data.names))
    second.advance(steps=100)
    assert shown_at.any() and not shown_at.all()
    np.testing.assert_array_equal(first.learner.w, second.learner.w)


@pytest.mark.parametrize("costs", ["decreasing", "constant"])
@pytest.mark.parametrize("known", [True, False])
def test_metrics_are_those_of_the_definitions(costs, known):
    data = load("multilabel-synthetic", labels=6, features=5, density=0.4, examples=120)
    if not known:
        data = MultilabelData("plain", {}, data.features, data.labels, data.names)
    a, S, T = np.array([0.5, 0.7]), np.array([3, 4]), 150
    sim = Simulation(create("multilabel-ucb", a=a, size=S, width=0.8, costs=costs), data, replicates=2, seed=3)
    total = np.zeros((4, 2))
    for step in itertools.islice(sim, T):
        for r in range(2):
            order, f = step.shown.order[r, : step.shown.size[r]].tolist(), step.shown.probability[r]
            Y, s = set(np.flatnonzero(step.truth[r]).tolist()), len(order)
            missed, wrong = Y - set(order), set(order) - Y
            c = {i: (s - j) / s if costs == "decreasing" else 1 for j, i in enumerate(order)}
            cost_now = a[r] * len(missed) + (1 - a[r]) * sum(c[i] for i in wrong)
            assert math.isclose(step.loss[r], cost_now)
            pairs = sum((f[i] < f[j]) + (f[i] == f[j]) / 2 for i in order if i in Y for j in order if j not in Y)
            total[:3, r] += cost_now, len(missed) + len(wrong), (pairs + S[r] * len(missed)) / S[r]
            if known:
                p = data.probabilities(step.row)[r]
                np.testing.assert_array_equal(step.probabilities[r], p)
                sets = (y for n in range(S[r] + 1) for y in itertools.permutations(np.argsort(-p)[: S[r]], n))
                best = min(expected_loss(p, y, a[r], costs) for y in sets)
                bayes = step.bayes[0][r, : step.bayes[1][r]]
                assert math.isclose(expected_loss(p, bayes, a[r], costs), best, abs_tol=1e-9)
                total[3, r] += expected_loss(p, order, a[r], costs) - best
            else:
                assert step.probabilities is None and step.bayes is None
                assert any((data.labels == step.truth[r]).all(axis=1))
    for row, name in enumerate(("loss", "hamming-loss", "ranking-loss")):
        np.testing.assert_allclose(sim.history[name][-1], total[row] / T)
    if known:
        np.testing.assert_allclose(sim.history["cumulative-regret"][-1], total[3], atol=1e-9)
        assert (np.diff(sim.history["cumulative-regret"], axis=0) > -1e-9).all()
    else:
        assert np.isnan(sim.history["cumulative-regret"]).all()
    np.testing.assert_array_equal(sim.history["shown-size"][-1], step.shown.size)
    np.testing.assert_allclose(sim.history["width"][-1], step.shown.width.mean(axis=1))
    assert SHOWN_SIZE.per_step and WIDTH.per_step


@pytest.mark.parametrize("id", IDS)
def test_slices_do_not_change_a_bit(id):
    data = load("multilabel-synthetic", examples=150)
    whole, sliced, again = (Simulation(id, data, replicates=2, seed=5) for _ in range(3))
    whole.advance(steps=200)
    for steps in (1, 63, 64, 65, 7):
        sliced.advance(steps=steps)
    again.advance(steps=200)
    for metric in whole.history:
        np.testing.assert_array_equal(whole.history[metric], sliced.history[metric])
        np.testing.assert_array_equal(whole.history[metric], again.history[metric])
    other = Simulation(id, data, replicates=2, seed=6)
    other.advance(steps=200)
    assert not np.array_equal(whole.history["loss"], other.history["loss"])


def test_learners_raced_on_one_seed_meet_the_same_examples_and_labels():
    runs = [Simulation(id, "multilabel-synthetic", replicates=2, seed=1) for id in IDS]
    for _ in range(20):
        for sim in runs:
            sim.advance(steps=1)
            np.testing.assert_array_equal(sim.last.row, runs[0].last.row)
            np.testing.assert_array_equal(sim.last.truth, runs[0].last.truth)


def test_labels_follow_their_probabilities():
    data = load("multilabel-synthetic", labels=5, examples=100, density=0.4)
    sim = Simulation("never-play", data, replicates=100)
    truth, p = zip(*((step.truth, step.probabilities) for step in itertools.islice(sim, 100)), strict=True)
    truth, p = np.concatenate(truth), np.concatenate(p)
    for k in range(5):
        error = (truth[:, k] - p[:, k]).sum() / np.sqrt((p[:, k] * (1 - p[:, k])).sum())
        assert abs(error) < 4


def test_data_of_another_family_are_refused():
    with pytest.raises(ValueError, match="multilabel-ucb needs a multilabel data set, got digits"):
        Simulation("multilabel-ucb", "digits")


# ---- the data ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("model", ["square", "logistic"])
@pytest.mark.parametrize("density, features", [(0.02, 3), (0.1, 20), (0.5, 60)])
def test_synthetic_data_are_as_promised(model, density, features):
    given = {"model": model, "density": density, "features": features, "examples": 3000}
    data, same = load("multilabel-synthetic", **given), load("multilabel-synthetic", **given)
    np.testing.assert_array_equal(data.labels, same.labels)
    np.testing.assert_allclose(np.linalg.norm(data.features, axis=1), 1)
    p = data.probabilities(np.arange(3000))
    assert p.min() > 0 and p.max() < 1
    np.testing.assert_allclose(p, link(data.features @ data.model[0].T, model))
    np.testing.assert_allclose(p.mean(axis=0), density, rtol=1e-9 if model == "square" else 0.1)
    assert abs(data.density - density) < 0.01 and math.isnan(MultilabelData(
        "x", {}, data.features, data.labels, data.names).margin)  # fmt: skip
    if model == "square":
        assert data.margin < 1


# ---- measured facts (measured independently) ----------------------------------------------------------------------


def last_quarter(sim):
    """Mean loss of the last quarter of the steps."""
    values = sim.history["loss"].mean(axis=1)
    T, q = len(values), len(values) * 3 // 4
    return (values[-1] * T - values[q - 1] * q) / (T - q)


def run(data, id, steps, replicates=3, **params):
    sim = Simulation(create(id, **params), data, replicates=replicates, seed=0)
    sim.advance(steps=steps)
    return sim


def test_partial_feedback_comes_close_to_full_information():
    data = load("multilabel-synthetic", labels=40)
    ucb, full = (run(data, id, 3000) for id in SECOND_ORDER)
    random, never = (run(data, id, 500) for id in ("random-labels", "never-play"))
    assert last_quarter(full) < last_quarter(ucb) <= 1.25 * last_quarter(full)
    assert last_quarter(ucb) < 0.97 * last_quarter(never) < 0.6 * last_quarter(random)


def test_regret_grows_slower_than_the_theorem_says():
    sim = run(load("multilabel-synthetic"), "multilabel-ucb", 5000, width=1.0)
    regret = sim.history["cumulative-regret"].mean(axis=1)
    t = np.unique(np.geomspace(500, 5000, 30).astype(int))
    slope = np.polyfit(np.log(t), np.log(regret[t - 1]), 1)[0]
    assert slope < 0.6
    ratio = regret / (np.sqrt(np.arange(1, 5001)) * np.log(np.arange(2, 5002)))
    assert ratio[4999] < ratio[1999] < ratio[999]


def test_the_best_number_of_labels_is_small():
    """Hamming loss with constant costs against S: least well below the largest S, for the square loss and width 1."""
    sizes = np.array([1, 2, 5, 20, 40])
    sim = Simulation(
        create("multilabel-ucb", width=1.0, costs="constant", size=np.repeat(sizes, 3)),
        load("multilabel-synthetic"), replicates=15,
    )  # fmt: skip
    sim.advance(steps=1000)
    losses = sim.history["hamming-loss"][-1].reshape(5, 3).mean(axis=1)
    assert losses.argmin() <= 2 and losses[-1] > 1.1 * losses.min()


def test_costs_at_places():
    assert cost(np.arange(4), np.array([4]), "decreasing").tolist() == [1, 0.75, 0.5, 0.25]
    assert cost(np.arange(3), np.array([0]), "decreasing").tolist() == [0, 0, 0]
    assert cost(np.arange(3), np.array([2]), "constant").tolist() == [1, 1, 0]
