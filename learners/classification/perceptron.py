"""The multiclass perceptron, which hears the true label ([B] §2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from learners.base import Line
from learners.classification.base import ClassificationLearner
from learners.classification.block import Turn, answer, move, predict
from learners.classification.linear import Vector
from learners.compiled import compiled


@compiled
def present(x: Vector, turn: Turn) -> None:
    """Play the prediction."""
    predict(x, turn)
    answer(turn)


@compiled
def update(x: Vector, turn: Turn) -> None:
    """Learn from a mistake."""
    wrong = 1.0 - turn.right[0]
    # [B] Eq. 3: U_r = x (1[y = r] − 1[ŷ = r])
    move(x, turn, 0, turn.heard[0], wrong)
    move(x, turn, 1, turn.predicted[0], -wrong)


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
    short: ClassVar[str] = "Perceptron"
    needs: ClassVar[str] = "the true label"
    summary: ClassVar[str] = (
        "The classical multiclass perceptron with full information: it hears the true class after every answer. It "
        "shows how much it costs the others to hear only right or wrong."
    )
    paper: ClassVar[str] = "B"
    section: ClassVar[str] = "§2, Eq. 2 and 3"
    hears: ClassVar[str] = "label"
    rules = present, update
    chances = 0
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $W^1 \leftarrow 0 \in \mathbb{R}^{K \times d}$"),
        Line("observe", r"Receive $x_t \in \mathbb{R}^d$"),
        Line("predict", r"Predict $\hat y_t \leftarrow \mathrm{argmax}_r\, (W^t x_t)_r$"),
        Line("feedback", r"Receive the true label $y_t$", "It is told the true label y."),
        Line(
            "update",
            r"Update $W^{t+1}_r \leftarrow W^t_r + x_t\,(\mathbf{1}[y_t = r] - \mathbf{1}[\hat y_t = r])$",
            "If ŷ was wrong, it adds x to the row of the true class and subtracts it from the row of ŷ. If ŷ was "
            "right, nothing moves.",
        ),
    )

    @property
    def bounds(self) -> tuple[str, ...]:
        return ("perceptron-mistakes",)
