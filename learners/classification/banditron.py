"""The Banditron ([B] Algorithm 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from datasets.parameters import real
from learners.base import Line
from learners.classification.base import ClassificationLearner
from learners.classification.block import Turn, explore, move, predict, probability
from learners.classification.linear import Vector
from learners.compiled import compiled


def gamma_parameter(default: float = 0.05) -> float:
    """Return the declaration of γ that all learners with a fixed exploration rate share."""
    declared: float = real(
        default,
        1e-6,
        1,
        symbol="γ",
        step=0.01,
        named=True,
        help="Share of steps on which the label is drawn at random. If it is too low, the learner never finds out what "
        "is right; if it is too high, it keeps making mistakes on purpose. Try 0.01 and 0.3.",
    )
    return declared


@compiled
def present(x: Vector, turn: Turn, gamma: float) -> None:
    """Play the prediction, or with probability γ a random label."""
    predict(x, turn)
    explore(turn, gamma)


@compiled
def learn(x: Vector, turn: Turn) -> None:
    """Add x over P(ỹ) to the row of a right label, and subtract x from the row of the predicted one."""
    # [B] Alg. 1 divides by the probability of the label played, P(ỹ), never by P(ŷ)
    move(x, turn, 0, turn.label[0], turn.right[0] / probability(turn))
    move(x, turn, 1, turn.predicted[0], -1.0)


@compiled
def update(x: Vector, turn: Turn) -> None:
    """Learn from the feedback."""
    learn(x, turn)


@dataclass(kw_only=True)
class Banditron(ClassificationLearner):
    """A perceptron that learns from right and wrong alone.

    A right answer counts 1 over the probability with which its label was played. Averaged over the label drawn, the
    update is therefore the perceptron's: it adds x to the row of the true label and subtracts x from the row of the
    predicted one.

    Example
    -------
    One step by hand, with x = [1], two classes and γ = 1/2. All scores are 0, so ŷ is class 0, and so is ỹ. It is
    right. Since P(0) = 1/2 + 1/4, row 0 gains 1/0.75 − 1.

    >>> import numpy as np
    >>> from learners.base import Shape
    >>> from learners.classification.base import Feedback
    >>> from learners.classification.linear import Examples
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
    summary: ClassVar[str] = (
        "A perceptron that never hears the true class, only whether its answer was right. It usually gives its best "
        "guess and sometimes a random label; the less likely a correct random label was, the more it counts."
    )
    needs: ClassVar[str] = "whether the label played is right"
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
            r"Update $W^{t+1}_r \leftarrow W^t_r + x_t \left(\frac{\mathbf{1}[\tilde y_t = y_t]\,\mathbf{1}[\tilde "
            r"y_t = r]}{P(\tilde y_t)} - \mathbf{1}[\hat y_t = r]\right)$",
        ),
    )

    rules = present, update
    explores: ClassVar[str] = "gamma"

    gamma: float = gamma_parameter()

    @property
    def bounds(self) -> tuple[str, ...]:
        return ("banditron-theorem-1",)
