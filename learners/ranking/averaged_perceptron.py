"""The averaged preference perceptron ([S] §4.2, after Collins 2002)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from learners.base import Array, Line, Shape
from learners.compiled import compiled
from learners.random import Source
from learners.ranking.preference_perceptron import PreferencePerceptron
from learners.ranking.step.page import Page


@compiled
def add_and_average(page: Page, w: Array, delta: Array, change: float, heard: int) -> None:
    """Update w, the second row, by [C] Alg. 1. The third is the sum of w₁ … w_{t+1}, the first their mean."""
    for j in range(delta.shape[0]):
        w[1, j] += delta[j]
        w[2, j] += w[1, j]
        w[0, j] = w[2, j] / (page.t + 1)


@dataclass(kw_only=True)
class AveragedPerceptron(PreferencePerceptron):
    """A preference perceptron that presents by the mean of all weights so far.

    >>> import numpy as np
    >>> from learners import Simulation
    >>> sim = Simulation("averaged-perceptron", "toy-ranking", "cascade", replicates=2, seed=0)
    >>> sim.advance(steps=5)
    >>> bool(np.allclose(sim.learner.weights, sim.learner.total / 6))  # w₁ … w₆
    True
    """

    id: ClassVar[str] = "averaged-perceptron"
    title: ClassVar[str] = "Averaged perceptron"
    short: ClassVar[str] = "Averaged"
    summary: ClassVar[str] = (
        "The preference perceptron, except that it presents by the mean of all weights it has had. Averaging cures "
        "unbiased noise. The paper's point is that noisy clicks are biased, so that the mean flips as well."
    )
    section: ClassVar[str] = "§4.2"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $w_1 \leftarrow 0$"),
        Line("observe", r"Observe $x_t$"),
        Line(
            "predict",
            r"Present $y_t \leftarrow \mathrm{argmax}_{y}\, \bar w_t^\top \phi(x_t, y)$ with "
            r"$\bar w_t = \frac1t \sum_{i=1}^t w_i$",
            "It ranks by w̄, the mean of all weights so far, which changes more slowly than w.",
        ),
        Line("feedback", r"Obtain feedback $\bar y_t$"),
        Line("update", r"Update $w_{t+1} \leftarrow w_t + \phi(x_t, \bar y_t) - \phi(x_t, y_t)$"),
    )

    rule_to_learn: ClassVar[Any] = staticmethod(add_and_average)
    rows: ClassVar[int] = 3

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        self.state[:] = self.state[:, :1]

    def memory(self, shape: Shape, replicates: int) -> int:
        return 3 * super().memory(shape, replicates)

    @property
    def bounds(self) -> tuple[str, ...]:
        return ()  # nothing is proved for the mean of the weights

    def remark(self, replicate: int) -> str:
        return "It ranks by the mean of all weights so far, which a single step moves less and less."

    @property
    def w(self) -> Array:
        """(R, d) the weights w_t of the preference perceptron, copied."""
        return self.state[:, 1].copy()

    @w.setter
    def w(self, weights: Array) -> None:
        self.state[:, 1] = weights

    @property
    def total(self) -> Array:
        """(R, d) the sum of w₁ … w_t, copied."""
        return self.state[:, 2].copy()

    @property
    def weights(self) -> Array:
        return self.state[:, 0].copy()
