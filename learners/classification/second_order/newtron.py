"""Newtron, an online Newton step for the logistic loss from right and wrong (Hazan & Kale, NIPS 2011)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import choice, real
from learners.base import Array, Line
from learners.classification.banditron import Banditron, gamma_parameter
from learners.classification.base import Shown
from learners.classification.block import Turn, move, predict
from learners.classification.linear import Vector, best_of
from learners.classification.second_order.matrices import DIAGONAL, INVERSES, MATRICES, FullOrDiagonal, gain, towards
from learners.compiled import compiled
from learners.vectors import LARGEST


@compiled
def likelihood(turn: Turn, alpha: float, label: int) -> float:
    """Return P(label), the softmax of α times the scores."""
    top, total = turn.scores[best_of(turn.scores)], 0.0
    for k in range(len(turn.scores)):
        total += np.exp(alpha * (turn.scores[k] - top))
    return float(np.exp(alpha * (turn.scores[label] - top)) / total)


@compiled
def present(x: Vector, turn: Turn, gamma: float, sharpness: float) -> None:
    """Play a label drawn from (1 − γ) P + γ / K."""
    predict(x, turn)
    classes = len(turn.scores)
    turn.predicted[0] = turn.label[0] = best_of(turn.scores)
    below, best = 0.0, turn.predicted[0]
    turn.gamma[0] = 1.0 - (1.0 - gamma) * likelihood(turn, sharpness, best) - gamma / classes
    for k in range(classes):
        if k != best:  # the best label has the upper end of [0, 1)
            below += (1.0 - gamma) * likelihood(turn, sharpness, k) + gamma / classes
            if turn.label[0] == best and turn.draws[0] < below:
                turn.label[0] = k
    turn.explored[0] = turn.label[0] != best


@compiled
def update(x: Vector, turn: Turn, gamma: float, sharpness: float, beta: float, matrices: int) -> None:
    """Take the step of Newton by the quadratic approximation of the loss that was just seen."""
    label = turn.label[0]
    chance = likelihood(turn, sharpness, label)
    p = (1.0 - gamma) * chance + gamma / len(turn.scores)
    c = -(1.0 - chance) / p if turn.right[0] else chance / p  # the gradient is c x in the row of the label
    curvature = beta * (p if turn.right[0] else 1.0) * c * c
    if c == 0.0:
        return
    move(x, turn, 0, label, curvature * turn.scores[label] - c)
    if matrices != DIAGONAL:
        reach = towards(x, turn, label)
        gain(turn, label, 1.0 + curvature * reach, -c, curvature)
        return
    for i in range(len(x.feature)):
        place = INVERSES + x.feature[i] * len(turn.scores) + label
        own = turn.kept[place]
        turn.kept[place] = own + curvature * x.value[i] ** 2
        w = turn.W[x.feature[i], label] - c * x.value[i] / turn.kept[place]
        turn.W[x.feature[i], label] = w
        turn.finite[0] &= abs(w) <= LARGEST


@dataclass(kw_only=True)
class Newtron(FullOrDiagonal):
    """Plays labels by their logistic probability, and takes a Newton step after every answer, right or wrong.

    P(k) is the softmax of α w_k·x. The loss −log P(y) / α has the gradient P(k) − [k = y] times x in row k. The
    answer gives an estimate of it in the row of the label played alone: −(1 − P)/p if it was right and P/p if not, with
    p the chance with which it was played. W minimises the sum of the quadratic approximations of all past losses and
    ‖W‖² / 2D, that is W = A⁻¹ θ with a matrix A for each class.

    Source: [HK11] Algorithm 1, from memory, with three differences. The paper's estimate also has the mean of all rows
    taken off. This changes neither its expectation nor the P that a given gradient step leads to, but it changes the
    curvature: the paper has one matrix A over all classes, and here is one for each class, so that Newton steps differ
    and the theory does not carry over. W is not projected onto the ball of radius D, and β is a parameter here in place
    of a constant of the theory.

    matrices : "full" keeps A⁻¹ of each class, d² numbers. "diagonal" keeps the diagonals of A, as for large d, and
    moves by −c x / A, number by number.

    >>> from learners import Simulation, create
    >>> runs = [Simulation(create(id), "digits", seed=1) for id in ("newtron", "banditron")]
    >>> for run in runs:
    ...     run.advance(steps=1500)
    >>> newtron, banditron = (float(run.history["error-rate"][-1, 0]) for run in runs)
    >>> newtron < banditron
    True
    """

    id: ClassVar[str] = "newtron"
    title: ClassVar[str] = "Newtron, online Newton step"
    short: ClassVar[str] = "Newtron"
    summary: ClassVar[str] = (
        "Plays each label with its logistic probability and learns from right and wrong answers alike, by a Newton "
        "step: far where it knows little, and less where the answer was no surprise."
    )
    needs: ClassVar[str] = Banditron.needs
    paper: ClassVar[str] = "HK11"
    works: ClassVar[Mapping[str, str]] = {
        "HK11": "Hazan & Kale. Newtron: an Efficient Bandit Algorithm for Online Multiclass Prediction. NIPS 2011."
    }
    section: ClassVar[str] = "Algorithm 1, without the projection"
    weighs: ClassVar[bool] = False
    moved: ClassVar[str] = "θ of row"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"Set $w_k \leftarrow 0$ and $A_k \leftarrow I / D$ for each class $k$",
            "All weights are 0. A says how sure it is of each direction; a large D makes it unsure at first.",
        ),
        *Banditron.lines_of("observe"),
        Line(
            "predict",
            r"Compute $P(k) \propto \exp(\alpha\, w_k \cdot x_t)$",
            "Each class has a probability P by its score: the higher the score, the larger P.",
        ),
        Line(
            "perturb",
            r"Sample $\tilde y_t$ from $p(k) = (1 - \gamma) P(k) + \gamma / K$",
            "It plays a label by these probabilities, and with probability γ any label.",
        ),
        *Banditron.lines_of("feedback"),
        Line(
            "update",
            r"$c \leftarrow -(1 - P(\tilde y_t)) / p(\tilde y_t)$ and $\kappa \leftarrow p(\tilde y_t)$ if "
            r"$\tilde y_t = y_t$, else $c \leftarrow P(\tilde y_t) / p(\tilde y_t)$ and $\kappa \leftarrow 1$",
            "The number c says how far the answer was from what was expected, over the chance p of the label played. A "
            "right answer pulls its score up and a wrong one pulls it down.",
        ),
        Line(
            "update",
            r"$A \leftarrow A + \kappa \beta c^2\, x_t x_t^\top$ and $w \leftarrow w - c\, A^{-1} x_t$ for "
            r"$\tilde y_t$",
            "A grows in the direction of x, and the weights of the label played move against c. The surer it is of a "
            "direction, the less.",
        ),
    )

    rules = present, update
    chances: ClassVar[int] = 1
    explores: ClassVar[str] = "gamma"
    at_start: ClassVar[tuple[str, ...]] = ("radius", "matrices")

    gamma: float = gamma_parameter(0.05)
    sharpness: float = real(
        10.0, 1e-3, 1e4, symbol="α", step=1,
        help="How much the scores count in the probabilities. A small one plays all labels alike for long.",
    )  # fmt: skip
    beta: float = real(
        1.0, 1e-6, 100, symbol="β", step=0.1,
        help="How curved the loss is taken to be. A small one moves far in every step. Try 0.1.",
    )  # fmt: skip
    radius: float = real(
        1.0, 1e-3, 1e6, symbol="D", step=0.5,
        help="Size of weights that is not penalised much. Small, the first steps are small.",
    )  # fmt: skip
    matrices: str = choice(
        "full", MATRICES, named=True,
        help="Full, it keeps d² numbers for each class, too many for more than some hundred features. Diagonal, it "
        "only knows how far each weight has moved.",
    )  # fmt: skip

    @property
    def then(self) -> str:  # type: ignore[override]
        return "" if self.matrices == "diagonal" else "the weights follow from θ as w = A⁻¹ θ"

    @property
    def adapts(self) -> bool:
        return True

    @property
    def extra(self) -> float:
        return float(self.features) if self.matrices == "diagonal" else 2.0 * self.features**2

    @property
    def start(self) -> tuple[float | Array, float | Array]:
        radius = np.asarray(self.radius, dtype=float)
        return 1 / radius, radius

    def distribution(self, shown: Shown, r: int) -> Array:
        gamma, sharpness = (
            float(np.broadcast_to(np.asarray(value, dtype=float), len(shown.scores))[r])
            for value in (self.gamma, self.sharpness)
        )
        chances = np.exp(sharpness * (shown.scores[r] - shown.scores[r].max()))
        p: Array = (1 - gamma) * chances / chances.sum() + gamma / len(chances)
        return p
