"""The averaged preference perceptron ([S] §4.2, after Collins 2002)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from learners.base import Array, Line, Shape
from learners.random import Source
from learners.ranking.base import Context, Feedback, Shown
from learners.ranking.preference_perceptron import PreferencePerceptron


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
        ),
        Line("feedback", r"Obtain feedback $\bar y_t$"),
        Line("update", r"Update $w_{t+1} \leftarrow w_t + \phi(x_t, \bar y_t) - \phi(x_t, y_t)$"),
    )

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        self.total, self.count = self.w, 1  # sum of w₁ … w_t, and t

    @property
    def bounds(self) -> tuple[str, ...]:
        return ()  # nothing is proved for the mean of the weights

    @property
    def weights(self) -> Array:
        return self.total / self.count

    def update(self, context: Context, shown: Shown, feedback: Feedback) -> Array:
        improved = super().update(context, shown, feedback)
        self.total, self.count = self.total + self.w, self.count + 1
        return improved
