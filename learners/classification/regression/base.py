"""The base of the contextual bandits: a linear regressor of the reward of each label, learned online."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import choice, flag, real
from learners.base import Line, Shape
from learners.classification.banditron import Banditron
from learners.classification.base import ClassificationLearner
from learners.classification.block import Turn, move
from learners.classification.linear import Vector, squared
from learners.classification.regression.diagonal import solve_diagonal, step_adaptively
from learners.classification.second_order.matrices import DIAGONAL, INVERSES, MATRICES, STEPS, gain, inverses, towards
from learners.compiled import compiled
from learners.random import Source

REGRESSIONS = ("ridge", "gradient")
GRADIENT = 1


@compiled
def update(x: Vector, turn: Turn, regression: int, rate: float, matrices: int, adaptive: bool) -> None:
    """Fit the regressor of the label played to the answer s, 1 for right and −1 for wrong."""
    turn.kept[STEPS] += 1
    label = turn.label[0]
    s = 1.0 if turn.right[0] else -1.0
    if regression == GRADIENT and adaptive:
        step_adaptively(x, turn, label, s - turn.scores[label], rate)
    elif regression == GRADIENT:
        length = squared(x)
        if length > 0:
            move(x, turn, 0, label, rate * (s - turn.scores[label]) / length)
    elif matrices == DIAGONAL:
        solve_diagonal(x, turn, label, s - turn.scores[label])
    else:
        move(x, turn, 0, label, s)
        solve(x, turn, label, s - turn.scores[label])


@compiled
def solve(x: Vector, turn: Turn, label: int, error: float) -> None:
    """Set w = A⁻¹ θ of a label after A has gained x xᵀ, by the formula of Sherman and Morrison."""
    gain(turn, label, 1.0 + towards(x, turn, label), error, 1.0)


@dataclass(kw_only=True)
class RewardRegressor(ClassificationLearner):
    """Base of the learners that estimate the reward of each label by a linear function of x.

    The answer on the label played is s = 1 for right and −1 for wrong, so that (1 + w·x)/2 estimates the chance that
    the label is right. Only the regressor of the label played learns.

    regression : "ridge" solves least squares with the penalty λ‖w‖² exactly, w = A⁻¹ θ with A = λI + Σ x xᵀ and
    θ = Σ s x over the steps that played the label. "gradient" moves w by η (s − w·x) x/‖x‖².
    matrices : "diagonal" keeps of A the diagonal alone, and moves w by A⁻¹ x (s − w·x)/(1 + xᵀ A⁻¹ x), as A does.
    adaptive : the gradient step of AdaGrad (Duchi, Hazan & Singer, JMLR 12, 2011), as Vowpal Wabbit takes by default:
    η g_j/√G_j with g = (s − w·x) x and G_j the sum of all g_j².
    """

    needs: ClassVar[str] = Banditron.needs
    weighs: ClassVar[bool] = False
    fastest: ClassVar[str] = "rate"
    at_start: ClassVar[tuple[str, ...]] = ("regression", "ridge", "matrices", "adaptive")
    start: ClassVar[Line] = Line(
        "start",
        r"Set $w_k \leftarrow 0$ for each class $k$",
        "Each class has a linear function of x that estimates how likely it is right. All are 0 at first, a chance of "
        "one half.",
    )
    fit: ClassVar[Line] = Line(
        "update",
        r"Fit $w_{\tilde y_t}$ to $s_t = 2 \cdot \mathbf{1}[\tilde y_t = y_t] - 1$ at $x_t$ by least squares",
        "It corrects the function of the label played towards the answer, 1 for right and −1 for wrong. The others, "
        "of which it heard nothing, stay.",
    )

    regression: str = choice(
        "ridge", REGRESSIONS, named=True,
        help="Ridge regression is exact and keeps d² numbers for each class, too many for more than some thousand "
        "features. A gradient step corrects the error of the latest example alone.",
    )  # fmt: skip
    ridge: float = real(
        1.0, 1e-6, 1e6, symbol="λ", step=0.5, when=("regression", "ridge"),
        help="Penalty on the squared weights. A large one keeps estimates near one half until much was heard.",
    )  # fmt: skip
    rate: float = real(
        0.1, 1e-6, 1, symbol="η", step=0.05, when=("regression", "gradient"),
        help="Share of the error at the latest example that a step removes. Try 0.5 and 0.02.",
    )  # fmt: skip
    matrices: str = choice(
        "full", MATRICES, when=("regression", "ridge"),
        help="Diagonal, it only knows how often each feature was seen, and a step takes as long as the example is.",
    )  # fmt: skip
    adaptive: bool = flag(
        False, when=("regression", "gradient"),
        help="Whether each feature has a step of its own, which becomes shorter as it moves. Try rates of 0.03 to 0.1.",
    )  # fmt: skip

    @property
    def moved(self) -> str:  # type: ignore[override]
        return "row" if self.regression == "gradient" and not self.adaptive else "θ of row"

    @property
    def then(self) -> str:  # type: ignore[override]
        if self.regression == "gradient":
            return "its weights move likewise, but less in features that moved often" if self.adaptive else ""
        if self.matrices == "diagonal":
            return "its weights move likewise, but less in features that were seen often"
        return "its weights follow from θ as w = A⁻¹ θ"

    @property
    def full(self) -> bool:
        """Whether it keeps A⁻¹."""
        return self.regression == "ridge" and self.matrices == "full"

    @property
    def extra(self) -> float:
        return 2.0 * self.features**2 if self.full else 0.0

    def memory(self, shape: Shape, replicates: int) -> int:
        more = shape.classes * (shape.features + 1) + 1 if self.full else 2 * shape.classes
        more = 0 if self.moved == "row" else more
        return super().memory(shape, replicates) + 8 * replicates * shape.features * more

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        d, classes = shape.features, shape.classes
        ridge = np.asarray(self.ridge, dtype=float)
        if self.moved == "row":
            self.kept = np.zeros((replicates, 1))
            return
        self.theta = np.zeros_like(self.W)
        if self.full:
            self.kept = inverses(1 / ridge, replicates, classes, d)
            return
        self.kept = np.zeros((replicates, INVERSES + classes * d))
        if self.regression == "ridge":
            self.kept[:, INVERSES:] = np.broadcast_to(ridge, replicates)[:, None]
