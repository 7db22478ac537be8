"""The Banditron ([B] Algorithm 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from datasets.parameters import real
from learners.base import Array, Line
from learners.classification.base import ClassificationLearner, Feedback, Shown
from learners.classification.linear import Examples, Moves


def gamma_parameter(default: float = 0.05) -> float:
    """The declaration of γ, the same for all that explore at a fixed rate."""
    declared: float = real(
        default, 0, 1, low_open=True, symbol="γ", step=0.01, named=True,
        help="Share of steps on which a label is drawn at random. Too low and it never finds out what is right; too "
        "high and it keeps making mistakes on purpose. Try 0.01 and 0.3.",
    )  # fmt: skip
    return declared


@dataclass(kw_only=True)
class Banditron(ClassificationLearner):
    """The perceptron's update, made from right and wrong alone.

    On average over the label drawn, the update is the perceptron's: x is added to the row of the true label and
    subtracted from that of the predicted one. What is observed is divided by the chance of the label played.

    Example
    -------
    One step by hand: x = [1], two classes, γ = 1/2. ŷ is class 0, as all scores are 0, and so is ỹ. It is right:
    P(0) = 1/2 + 1/4, so that row 0 gains 1/0.75 − 1.

    >>> import numpy as np
    >>> from learners.base import Shape
    >>> learner = Banditron(gamma=0.5)
    >>> learner.reset(Shape(features=1, classes=2), replicates=1, rng=np.random.default_rng(0))
    >>> x = Examples(np.array([[1.0]]))
    >>> shown = learner.present(x)
    >>> shown.predicted, shown.label
    (array([0]), array([0]))
    >>> _ = learner.update(x, shown, Feedback(right=np.array([True])))
    >>> learner.weights.round(3)
    array([[[0.333],
            [0.   ]]])
    """

    id: ClassVar[str] = "banditron"
    title: ClassVar[str] = "Banditron"
    needs: ClassVar[str] = "whether the label played is right"
    summary: ClassVar[str] = (
        "A perceptron that is never told the true class, only whether its answer was right. It mostly says what it "
        "believes, and sometimes a random label; a lucky hit is weighted up by how unlikely it was."
    )
    paper: ClassVar[str] = "B"
    section: ClassVar[str] = "Algorithm 1"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $W^1 \leftarrow 0 \in \mathbb{R}^{K \times d}$"),
        Line("observe", r"Receive $x_t \in \mathbb{R}^d$"),
        Line("predict", r"Set $\hat y_t \leftarrow \mathrm{argmax}_r\, (W^t x_t)_r$"),
        Line("perturb", r"Sample $\tilde y_t$ from $P(r) = (1-\gamma)\mathbf{1}[r = \hat y_t] + \gamma/K$"),
        Line("feedback", r"Play $\tilde y_t$ and receive $\mathbf{1}[\tilde y_t = y_t]$"),
        Line(
            "update",
            r"Update $W^{t+1}_r \leftarrow W^t_r + x_t \left(\frac{\mathbf{1}[\tilde y_t = y_t]\,\mathbf{1}[\tilde y_t = r]}"
            r"{P(\tilde y_t)} - \mathbf{1}[\hat y_t = r]\right)$",
        ),
    )

    gamma: float = gamma_parameter()

    @property
    def bounds(self) -> tuple[str, ...]:
        return ("banditron-theorem-1",)

    def exploration(self) -> float | Array:
        return self.gamma

    def update(self, x: Examples, shown: Shown, feedback: Feedback) -> Moves:
        # [B] Alg. 1; what is divided by is the chance of the label played, P(ỹ), never P(ŷ)
        gain = feedback.right / self.probability(shown)
        moves = (shown.label, gain), (shown.predicted, self.minus_one)
        x.add(self.W, moves)
        return moves
