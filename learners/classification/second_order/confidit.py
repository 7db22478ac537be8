"""Confidit, multiclass bandit classification by upper confidence (Crammer & Gentile, Machine Learning 90, 2013)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import choice, real
from learners.base import Array, Line
from learners.classification.banditron import Banditron
from learners.classification.base import Shown
from learners.classification.block import Turn, answer, move, predict
from learners.classification.linear import Vector
from learners.classification.second_order.matrices import (
    DIAGONAL,
    INVERSES,
    MATRICES,
    STEPS,
    FullOrDiagonal,
    gain,
    towards,
)
from learners.compiled import compiled
from learners.vectors import LARGEST


@compiled
def reach(x: Vector, turn: Turn, matrices: int, label: int) -> float:
    """Return xᵀ A⁻¹ x of a label; with the full matrix, room in `kept` then holds A⁻¹ x."""
    if matrices != DIAGONAL:
        return towards(x, turn, label)
    total, classes = 0.0, len(turn.scores)
    for i in range(len(x.feature)):
        total += x.value[i] ** 2 / turn.kept[INVERSES + x.feature[i] * classes + label]
    return total


@compiled
def clipped(score: float, alpha: float) -> float:
    """Return the score within [−α, 1], where the chance (α + score) / (1 + α) lies between 0 and 1."""
    return min(max(score, -alpha), 1.0)


@compiled
def present(x: Vector, turn: Turn, alpha: float, eta: float, matrices: int) -> None:
    """Play the label with the highest upper confidence bound; of ties that with the highest score, and the first."""
    predict(x, turn)
    answer(turn)
    log, highest = np.log(turn.kept[STEPS] + 1.0), -np.inf
    for k in range(len(turn.scores)):
        bound = clipped(turn.scores[k], alpha) + eta * np.sqrt(reach(x, turn, matrices, k) * log)
        if bound > highest or (bound == highest and turn.scores[k] > turn.scores[turn.label[0]]):
            turn.label[0], highest = k, bound


@compiled
def update(x: Vector, turn: Turn, alpha: float, matrices: int) -> None:
    """Fit the regressor of the label played to (1 + α)[right] − α, from where its score is clipped."""
    turn.kept[STEPS] += 1.0
    label = turn.label[0]
    length = reach(x, turn, matrices, label)
    if length <= 0.0:
        return
    score = turn.scores[label]
    inside = clipped(score, alpha)
    target = 1.0 if turn.right[0] else -alpha
    projected = (inside - score) / length  # w′ = w + A⁻¹ x · projected lies where w′·x is clipped
    move(x, turn, 0, label, projected + target)
    step = projected + (target - inside) / (1.0 + length)
    if matrices != DIAGONAL:
        gain(turn, label, 1.0 + length, step * (1.0 + length), 1.0)
        return
    classes = len(turn.scores)
    for i in range(len(x.feature)):
        place = INVERSES + x.feature[i] * classes + label
        turn.kept[place] += x.value[i] ** 2
        w = turn.theta[x.feature[i], label] / turn.kept[place]
        turn.W[x.feature[i], label] = w
        turn.finite[0] &= abs(w) <= LARGEST


@dataclass(kw_only=True)
class Confidit(FullOrDiagonal):
    """Keeps for each label an estimate of its chance and how sure it is of it, and plays the one that may be best.

    The chance that label k is right is modelled as (α + u_k·x)/(1 + α). Each label has a ridge regression of
    (1 + α)[right] − α on x, w = A⁻¹ θ with A = (1 + α)² I + Σ x xᵀ over the steps that played it, and its score is kept
    in [−α, 1]. It explores without chance: where few examples like x were answered by a label, its bound is wide.

    matrices : "full" keeps A⁻¹ of each class, with K d² numbers. "diagonal" keeps the diagonals alone, as for large d.

    Source: [CG13] Fig. 1, from memory. The paper's ε² has constants, the norm of u and the sum of all past xᵀ A⁻¹ x in
    the place of η² log t; its experiments also tune a single factor. The paper assumes ‖x‖ = 1, which is not asked for
    here. The diagonal and the projection with it, θ ← θ + A x (clipped − score) / xᵀ A⁻¹ x, are those of the full
    matrix with A diagonal.

    >>> from learners import Simulation, create
    >>> runs = [Simulation(create(id), "digits", seed=1) for id in ("confidit", "banditron")]
    >>> for run in runs:
    ...     run.advance(steps=1500)
    >>> confidit, banditron = (float(run.history["error-rate"][-1, 0]) for run in runs)
    >>> confidit < banditron
    True
    """

    id: ClassVar[str] = "confidit"
    title: ClassVar[str] = "Confidit, upper confidence"
    short: ClassVar[str] = "Confidit"
    summary: ClassVar[str] = (
        "Estimates how likely each label is right and how far this may be off, and plays the label that may be best. "
        "It never tosses a coin: it tries a label where it has seldom tried it on examples like this one."
    )
    needs: ClassVar[str] = Banditron.needs
    paper: ClassVar[str] = "CG13"
    works: ClassVar[Mapping[str, str]] = {
        "CG13": "Crammer & Gentile. Multiclass Classification with Bandit Feedback Using Adaptive Regularization. "
        "Machine Learning 90, 2013."
    }
    section: ClassVar[str] = "Fig. 1, with one factor for the width as in the experiments"
    weighs: ClassVar[bool] = False
    moved: ClassVar[str] = "θ of row"
    then: ClassVar[str] = "the weights follow from θ as w = A⁻¹ θ"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"Set $w_k \leftarrow 0$ and $A_k \leftarrow (1 + \alpha)^2 I$ for each class $k$",
            "Each class has a linear function of x that estimates how likely it is right, and a matrix A that says how "
            "sure it is in each direction.",
        ),
        *Banditron.lines_of("observe"),
        Line(
            "predict",
            r"Compute $\hat\Delta_k = w_k \cdot x_t$, clipped to $[-\alpha, 1]$, and $\epsilon_k = \eta \sqrt{x_t^\top "
            r"A_k^{-1} x_t\, \log t}$",
            "Each class has an estimate and a width. The width is large where few examples like x were answered by it.",
        ),
        Line(
            "perturb",
            r"Play $\tilde y_t \leftarrow \mathrm{argmax}_k\, (\hat\Delta_k + \epsilon_k)$",
            "It plays the label that may be best: the one with the largest sum of estimate and width.",
        ),
        *Banditron.lines_of("feedback"),
        Line(
            "update",
            r"Fit $w_{\tilde y_t}$ to $(1 + \alpha)\,\mathbf{1}[\tilde y_t = y_t] - \alpha$ at $x_t$ by least squares; "
            r"$A_{\tilde y_t} \leftarrow A_{\tilde y_t} + x_t x_t^\top$",
            "The function of the label played is corrected towards the answer, and A grows, so that its width shrinks "
            "for examples like x. The others stay.",
        ),
    )

    rules = present, update
    chances: ClassVar[int] = 0
    at_start: ClassVar[tuple[str, ...]] = ("alpha", "matrices")

    alpha: float = real(
        1.0, 1e-3, 1, symbol="α", step=0.1,
        help="The score of a label that is surely wrong is −α. It also weighs wrong answers against right ones.",
    )  # fmt: skip
    eta: float = real(
        0.1, 0, 100, symbol="η", step=0.05, named=True,
        help="Width of the confidence bounds. 0 always plays the highest score. Try 1, which explores much.",
    )  # fmt: skip
    matrices: str = choice(
        "full", MATRICES, named=True,
        help="Full, it keeps d² numbers for each class, too many for more than some hundred features. Diagonal, it "
        "only knows how often each feature was seen.",
    )  # fmt: skip

    @property
    def extra(self) -> float:
        return self.classes * float(2 * self.features if self.matrices == "diagonal" else 2 * self.features**2)

    @property
    def start(self) -> tuple[float | Array, float | Array]:
        first = (1 + np.asarray(self.alpha, dtype=float)) ** 2
        return first, 1 / first

    def distribution(self, shown: Shown, r: int) -> Array:
        p = np.zeros(shown.scores.shape[1])
        p[int(shown.label[r])] = 1.0
        return p
