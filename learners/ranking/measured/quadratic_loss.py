"""The quadratic loss of [C] §6.4.1, and what the bounds for convex losses need from a run."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from datasets.ranking import RankingData
from learners.base import Array
from learners.environment import RunningSums
from learners.theory import Convex


class QuadraticLoss:
    """The loss c(θ) = (θ − M)² of θ = U(y) − U(y*). M = R‖w*‖ is the largest utility for weights of the length of w*.

    >>> from datasets import load
    >>> loss = QuadraticLoss(load("toy-ranking", documents=3), np.arange(1), 1)
    >>> loss.best.round(4), loss.regret(np.array([2.0])).round(4)  # R = 2.1309, ‖w*‖ = √2; 2² + 2M·2
    (array([3.0136]), array([16.0544]))
    """

    shared: ClassVar[tuple[str, ...]] = ("data", "task")

    def __init__(self, data: RankingData, task: Array, replicates: int) -> None:
        self.data, self.task = data, task
        self._accumulate = RunningSums(replicates).add
        self._most = np.zeros((2, replicates))  # largest gap and reach so far

    @property
    def best(self) -> Array:
        """(R,) M, by R ≥ ‖φ(x, y)‖."""
        largest: Array = self.data.radius * np.linalg.norm(self.data.weights[self.task], axis=1)
        return largest

    def regret(self, gap: Array) -> Array:
        """Return c(−gap) − c(0) = gap² + 2M·gap, for gaps (B, R) or (R,)."""
        loss: Array = gap * (gap + 2.0 * self.best)
        return loss

    def measured(
        self, steps: Array, gap: Array, gain: Array, slack: Array, change: Array, alpha: float | Array,
        terms: Mapping[str, Any],
    ) -> Convex:  # fmt: skip
        """Return what the bounds need up to each of the next B steps. All arrays are (B, R).

        terms : of the learner's bounds, by name. gap : U(y*) − U(y). gain : U(ȳ) − U(y). slack : ξ of each step.
        change : w_t·φ(x, ȳ) − w_t·φ(x, y).
        """
        clipped = np.maximum(slack, 0.0)
        reach = np.maximum(gap, gain / alpha)
        most = np.maximum.accumulate(np.concatenate([self._most[:, None], np.stack([gap, reach])], axis=1), axis=1)
        self._most = most[:, -1]
        best = self.best
        given_up = -change / alpha  # b = w_t·(φ(x, y) − φ(x, ȳ))/α
        beyond = np.maximum(given_up * (given_up - 2.0 * best), 0.0)  # c(b) − c(0)
        means = {
            name: self._accumulate(name, values) / steps
            for name, values in (
                ("clipped", clipped),
                ("squared", clipped**2),
                ("beyond", beyond),
                ("turned", (gain - change) ** 2),
            )
        }
        own = dict(terms)
        ball = own.pop("radius", np.inf)
        return Convex(gap=most[0, 1:], reach=most[1, 1:], best=best, ball=ball, **means, **own)
