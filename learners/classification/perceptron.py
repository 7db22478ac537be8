"""The multiclass perceptron, which hears the true label ([B] §2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from learners.base import Array, Line
from learners.classification.base import ClassificationLearner, Feedback, Shown
from learners.classification.linear import Examples, Moves


@dataclass(kw_only=True)
class Perceptron(ClassificationLearner):
    """After a mistake, adds x to the row of the true label and subtracts it from the row of the predicted one.

    >>> from learners import Simulation
    >>> sim = Simulation("perceptron", "digits", replicates=3)
    >>> sim.advance(steps=1000)
    >>> bool(sim.history["accuracy"][-200:].mean() > 0.8)
    True
    """

    id: ClassVar[str] = "perceptron"
    title: ClassVar[str] = "Perceptron (told the truth)"
    needs: ClassVar[str] = "the true label"
    summary: ClassVar[str] = (
        "The classical multiclass perceptron with full information: it hears the true class after every answer. It "
        "shows how much it costs the others to hear only right or wrong."
    )
    paper: ClassVar[str] = "B"
    section: ClassVar[str] = "§2, Eq. 2 and 3"
    hears: ClassVar[str] = "label"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $W^1 \leftarrow 0 \in \mathbb{R}^{K \times d}$"),
        Line("observe", r"Receive $x_t \in \mathbb{R}^d$"),
        Line("predict", r"Predict $\hat y_t \leftarrow \mathrm{argmax}_r\, (W^t x_t)_r$"),
        Line("feedback", r"Receive the true label $y_t$"),
        Line("update", r"Update $W^{t+1}_r \leftarrow W^t_r + x_t\,(\mathbf{1}[y_t = r] - \mathbf{1}[\hat y_t = r])$"),
    )

    @property
    def bounds(self) -> tuple[str, ...]:
        return ("perceptron-mistakes",)

    def sample(self, predicted: Array, gamma: float | Array) -> tuple[Array, Array]:
        return predicted, np.zeros(self.replicates, dtype=bool)

    def update(self, x: Examples, shown: Shown, feedback: Feedback) -> Moves:
        assert feedback.label is not None
        wrong = (shown.predicted != feedback.label).astype(float)
        # [B] Eq. 3: U_r = x (1[y = r] − 1[ŷ = r])
        moves = (feedback.label, wrong), (shown.predicted, -wrong)
        x.add(self.W, moves)
        return moves
