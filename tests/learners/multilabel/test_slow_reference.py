"""The multilabel learners agree with a slow reference written from the paper."""

import itertools
import math

import numpy as np
import pytest

from datasets import load
from datasets.multilabel import link
from learners import Simulation, create
from learners.multilabel.base import Context
from learners.multilabel.multilabel_ucb import CONFIDENCE
from tests.cases import cases
from tests.learners.multilabel.helpers import SECOND_ORDER, feedback_on, least_loss, start, unit_vectors


class Reference:
    """[G] Fig. 1 for one replicate: plain loops, matrices inverted anew at every step."""

    def __init__(self, K, d, loss, R, matrices, confidence, width, a, costs, S, full):
        self.K, self.d, self.a, self.costs, self.S, self.full = K, d, a, costs, S, full
        self.loss, self.confidence, self.width, self.t = loss, confidence, width, 1
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
            raised = self.delta[i] + (0 if self.full else math.sqrt(self.squared_width(q)))
            z = max(min(raised, self.R), -self.R)
            p.append(round(self.g(-z) / (self.g(z) + self.g(-z)), 12))
        return least_loss(p, self.S, self.a, self.costs), p

    def squared_width(self, q):
        if self.confidence == "practical":
            return self.width * q
        c1, least = (4, (1 + self.R) ** 2 / 2) if self.loss == "square" else (1, math.log(1 + math.exp(self.R)))
        c2, t, d, U, delta = self.c2, self.t, self.d, 3.0, 0.1
        logarithm = d * c1 / c2**2 * math.log(1 + (t - 1) / d)
        rest = 12 / c2 * (c1 / c2 + 3 * least) * math.log(self.K * (t + 4) / delta)
        if self.confidence == "known norm":
            return q * (U**2 + logarithm + rest)
        return min(q * (2 * logarithm + rest), 4 * self.R**2)

    def update(self, x, shown, truth):
        self.t += 1
        for i in range(self.K):
            if self.full or i in shown:
                s = 1 if truth[i] else -1
                self.A[i] = self.A[i] + np.outer(x, x)
                self.w[i] = self.w[i] + self.g(s * self.delta[i]) * s * (self.inverse(i) @ x) / self.c2


CASES = [("online-binary-relevance", None), *(("multilabel-ucb", confidence) for confidence in CONFIDENCE)]
RANGES, WIDTHS, A, SIZES = [1.5, 3.0], [0.6, 1.2], [0.5, 0.7], [2, 4]


def both(id, confidence, loss, matrices, costs, K, d):
    """Return a learner with parameters of their own for two replicates, and the reference for each."""
    own = {"width": WIDTHS, "confidence": confidence} if confidence else {}
    learner = create(id, loss=loss, range=RANGES, matrices=matrices, a=A, costs=costs, size=SIZES, **own)
    return learner, [
        Reference(K, d, loss, RANGES[r], matrices, confidence, WIDTHS[r], A[r], costs, SIZES[r], id != "multilabel-ucb")
        for r in range(2)
    ]


@cases(("id", "confidence"), CASES)
@cases("loss", ["square", "logistic"])
@cases("matrices", ["full", "diagonal"])
@cases("costs", ["decreasing", "constant"])
def test_the_batch_equals_the_reference_replicate_by_replicate(id, confidence, loss, matrices, costs):
    K, d, T = 5, 4, 50
    learner, slow = both(id, confidence, loss, matrices, costs, K, d)
    start(learner, K, d, replicates=2)
    rng = np.random.default_rng(5)
    u = 3 * unit_vectors(rng, K, d)
    projected = 0
    for _ in range(T):
        x = unit_vectors(rng, 2, d)
        truth = rng.random((2, K)) < link(np.clip(x @ u.T, -1, 1), "square")
        context = Context(x)
        shown = learner.present(context)
        projected += int((np.abs(np.einsum("rkd,rd->rk", learner.w, x)) > np.reshape(learner.R, (-1, 1))).sum())
        learner.update(context, shown, feedback_on(learner, shown, truth))
        for r in range(2):
            labels, p = slow[r].present(x[r])
            slow[r].update(x[r], labels, truth[r])
            assert shown.order[r, : shown.size[r]].tolist() == labels
            np.testing.assert_allclose(shown.probability[r], p, atol=2e-12)
            np.testing.assert_allclose(learner.w[r], slow[r].w, rtol=1e-12, atol=1e-12)
    assert projected > 0 or loss == "square"


@cases(("id", "confidence"), CASES)
@cases("loss", ["square", "logistic"])
@cases("matrices", ["full", "diagonal"])
def test_a_block_of_steps_equals_the_reference(id, confidence, loss, matrices):
    """The examples and labels of a run step by step, given to the reference, lead to the weights of a run in blocks."""
    data = load("multilabel-synthetic", labels=6, features=5, density=0.4, examples=100)
    learner, slow = both(id, confidence, loss, matrices, "decreasing", 6, 5)
    single, block = Simulation(learner, data, replicates=2, seed=3), Simulation(learner, data, replicates=2, seed=3)
    assert not block.environment.by_hand and block.environment.block > 100
    for step in itertools.islice(single, 70):
        for r in range(2):
            labels, _ = slow[r].present(step.features[r])
            slow[r].update(step.features[r], labels, step.truth[r])
            assert step.shown.order[r, : step.shown.size[r]].tolist() == labels
        np.testing.assert_allclose(single.learner.w, [reference.w for reference in slow], rtol=1e-12, atol=1e-12)
    block.advance(steps=70)
    np.testing.assert_array_equal(block.learner.w, single.learner.w)
    np.testing.assert_array_equal(block.learner.Ainv, single.learner.Ainv)
    np.testing.assert_equal(dict(block.history), dict(single.history))


@pytest.mark.parametrize("id", SECOND_ORDER)
@pytest.mark.parametrize("loss", ["square", "logistic"])
@pytest.mark.parametrize("matrices", ["full", "diagonal"])
def test_a_batch_is_as_many_runs_alone(id, loss, matrices):
    K, d, R = 7, 5, 4
    batch = start(create(id, loss=loss, matrices=matrices, size=3), K, d, R)
    alone = [start(create(id, loss=loss, matrices=matrices, size=3), K, d) for _ in range(R)]
    rng = np.random.default_rng(2)
    for _ in range(70):
        x, truth = unit_vectors(rng, R, d), rng.random((R, K)) < 0.4
        shown = batch.present(Context(x))
        batch.update(Context(x), shown, feedback_on(batch, shown, truth))
        for r, learner in enumerate(alone):
            own = learner.present(Context(x[r : r + 1]))
            learner.update(Context(x[r : r + 1]), own, feedback_on(learner, own, truth[r : r + 1]))
            assert own.order[0].tolist() == shown.order[r].tolist() and own.size[0] == shown.size[r]
    np.testing.assert_array_equal(batch.w, np.concatenate([learner.w for learner in alone]))
