"""The structured bandit: a step by hand, estimates without bias, a slow reference, and what it learns."""

import itertools
import math

import numpy as np
import pytest

from datasets import load
from learners import Simulation, create
from learners.multilabel.base import Context
from learners.multilabel.unheard import ESTIMATORS
from tests.cases import cases
from tests.learners.multilabel.helpers import drawing, feedback_on, least_loss, start, unit_vectors


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_step_by_hand(estimator):
    """K = 2, S = 1, q = ½, η = 1, constant costs, a = ¾, x = 1. p̂ = ½ for both, and z = {0}. It explores (0.2 < ½) and
    shows label 1, whose number .9 is the highest; it is right. s = 1, so P = ¼ I + ½ diag(1, 0): ỹ_1 = 1/¼ = 4 either
    way, and ỹ_0 = 0. w = (0 − ½, 4 − ½)."""
    learner = create("structured-bandit", size=1, q=0.5, rate=1, a=0.75, costs="constant", estimator=estimator)
    drawing(start(learner, 2, 1), [0.1, 0.9, 0.2])
    shown = learner.present(Context(np.ones((1, 1))))
    assert shown.order[0, : shown.size[0]].tolist() == [1]
    learner.update(Context(np.ones((1, 1))), shown, feedback_on(learner, shown, np.array([[True, True]])))
    np.testing.assert_allclose(learner.w[0].ravel(), [-0.5, 3.5])


class Reference:
    """One replicate, in plain loops; the pseudo-inverse by NumPy, of E[ŷŷᵀ] over all sets that may be shown."""

    def __init__(self, K, d, q, rate, estimator, a, costs, S):
        self.K, self.q, self.rate, self.estimator, self.a, self.costs, self.S = K, q, rate, estimator, a, costs, S
        self.w, self.s = np.zeros((K, d)), max(1, min(S, K - 1))

    def sets(self, z):
        """All sets that may be shown, and their chances."""
        drawn = list(itertools.combinations(range(self.K), self.s))
        return [(z, 1 - self.q), *((list(y), self.q / len(drawn)) for y in drawn)]

    def estimate(self, z, chosen, truth):
        vector = lambda y: np.isin(np.arange(self.K), y).astype(float)  # noqa: E731
        P = sum(chance * np.outer(vector(y), vector(y)) for y, chance in self.sets(z))
        if self.estimator == "inverse-weighted":
            return vector(chosen) * truth / np.diag(P)
        return np.linalg.pinv(P) @ vector(chosen) * (vector(chosen) @ truth)

    def step(self, x, draws, truth):
        p = [1 / (1 + math.exp(-w @ x)) for w in self.w]
        z = least_loss(p, self.S, self.a, self.costs)
        chosen = sorted(range(self.K), key=lambda i: -draws[i])[: self.s] if draws[self.K] < self.q else z
        self.w = self.w + self.rate * np.outer(self.estimate(z, chosen, truth) - p, x)
        return chosen


@cases("estimator", ESTIMATORS)
@cases(("K", "S"), [(1, 1), (4, 2), (4, 4), (6, 3)])
def test_the_estimates_have_no_bias(estimator, K, S):
    """Over all sets that may be shown, with their chances, ỹ is y on average; so too in the compiled rules."""
    rng = np.random.default_rng(K)
    learner = start(create("structured-bandit", size=S, q=0.3, rate=1, estimator=estimator), K, 1)
    learner.w[0, :, 0] = w = rng.normal(size=K)
    slow = Reference(K, 1, 0.3, 1, estimator, learner.a, learner.costs, S)
    slow.w, x, truth, mean = w[:, None], Context(np.ones((1, 1))), rng.random(K) < 0.5, np.zeros(K)
    z = least_loss([1 / (1 + math.exp(-v)) for v in w], slow.S, slow.a, slow.costs)
    for i, (chosen, chance) in enumerate(slow.sets(z)):
        learner.w[0, :, 0] = w
        drawing(learner, [*np.isin(np.arange(K), chosen) * 1.0, 0.9 if i == 0 else 0.0])
        shown = learner.present(x)
        assert sorted(shown.order[0, : shown.size[0]]) == sorted(chosen)
        learner.update(x, shown, feedback_on(learner, shown, truth[None]))
        estimate = learner.w[0, :, 0] - w + 1 / (1 + np.exp(-w))
        np.testing.assert_allclose(estimate, slow.estimate(z, chosen, truth), atol=1e-9)
        mean += chance * estimate
    np.testing.assert_allclose(mean, truth, atol=1e-9)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("costs", ["decreasing", "constant"])
def test_runs_agree_with_a_slow_reference(estimator, costs):
    K, d, R, rng = 5, 3, 2, np.random.default_rng(1)
    learner = start(create("structured-bandit", size=3, q=0.3, rate=0.1, estimator=estimator, costs=costs), K, d, R)
    slow = [Reference(K, d, 0.3, 0.1, estimator, learner.a, costs, 3) for _ in range(R)]
    for _ in range(60):
        x, draws, truth = unit_vectors(rng, R, d), rng.random((R, K + 1)), rng.random((R, K)) < 0.5
        learner.draws = lambda steps, draws=draws: draws[None]
        shown = learner.present(Context(x))
        learner.update(Context(x), shown, feedback_on(learner, shown, truth))
        for r in range(R):
            assert sorted(slow[r].step(x[r], draws[r], truth[r])) == sorted(shown.order[r, : shown.size[r]])
            np.testing.assert_allclose(learner.w[r], slow[r].w, rtol=1e-12, atol=1e-12 * np.abs(slow[r].w).max())


def test_both_learn_and_the_number_alone_is_worth_less():
    """The abstract has regret O(√T) for inverse weights and O(T^(2/3)) for the pseudo-inverse: to hear labels is worth
    more than to hear a number. Both end below what random labels cost, and the first near never playing."""
    data, found = load("multilabel-synthetic", labels=12), {}
    for name, learner in {
        "labels": create("structured-bandit", size=4),
        "number": create("structured-bandit", size=4, estimator="pseudo-inverse", rate=0.01),
        "random": create("random-labels", size=4),
    }.items():
        sim = Simulation(learner, data, replicates=3, seed=0)
        sim.advance(steps=6000)
        found[name] = sim.history["loss"][-1].mean()
    assert found["labels"] < found["number"] < 0.6 * found["random"]
