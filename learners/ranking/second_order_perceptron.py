"""The second-order preference perceptron ([C] Algorithm 6, after Hazan, Agarwal & Kale 2007)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Array, Line, Shape, column
from learners.compiled import compiled
from learners.random import Source
from learners.ranking.ball import NUMBERS, into_ball, into_ball_by
from learners.ranking.base import learn_nothing
from learners.ranking.preference_perceptron import PreferencePerceptron
from learners.vectors import product


@compiled
def shrink(inverse: Array, delta: Array, gamma: Array, direction: Array, known: Array) -> None:
    """Update A⁻¹ (R, d, d) by §5.3: A⁻¹ ← A⁻¹ − A⁻¹ΔΔᵀA⁻¹ / (1/γ + ΔᵀA⁻¹Δ).

    Write A_{t−1}⁻¹ Δ to `direction` (R, d) and 1 + γ ΔᵀA_{t−1}⁻¹Δ to `known` (R,).
    """
    d = delta.shape[1]
    for r in range(delta.shape[0]):
        for i in range(d):
            direction[r, i] = product(inverse[r, i], delta[r])
        known[r] = 1.0 + gamma[r] * max(product(delta[r], direction[r]), 0.0)
        scale = np.sqrt(gamma[r] / known[r])
        for i in range(d):
            row, part = inverse[r, i], direction[r, i] * scale
            for j in range(d):
                row[j] -= part * (direction[r, j] * scale)


@dataclass(kw_only=True)
class SecondOrderPerceptron(PreferencePerceptron):
    """Adds A⁻¹ Δ with Δ = φ(x, ȳ) − φ(x, y) and A = εI + γ Σ ΔΔᵀ, and brings its weights back into a ball.

    The Sherman–Morrison formula updates A⁻¹, shape (R, d, d). Since it is large, it is changed in place; the weights
    are replaced. The term subtracted from A⁻¹ is symmetric to the last bit, so A⁻¹ stays symmetric. Its relative error,
    about 1e-16 · γR²/ε, comes from the first steps and does not grow: 2e-8 after 20,000 updates with the extreme
    γR²/ε = 1e11, and 1e-14 with ε = 1.

    >>> from learners.base import Shape
    >>> from learners.ranking.base import Context, Feedback
    >>> learner = SecondOrderPerceptron(gamma=1.0, epsilon=0.5)
    >>> learner.reset(Shape(features=2, documents=2), replicates=1, rng=np.random.default_rng(0))
    >>> context = Context(np.array([[[2.0, 0.0], [0.0, 2.0]]]), gamma=np.array([1.0, 0.5]))
    >>> shown = learner.present(context)
    >>> learner.update(context, shown, Feedback(clicks=np.array([[False, True]])))  # Δ = [−1, 1], A = ½I + ΔΔᵀ
    array([[1, 0]])
    >>> learner.inverse, learner.w
    (array([[[1.2, 0.8],
            [0.8, 1.2]]]), array([[-0.4,  0.4]]))
    """

    id: ClassVar[str] = "second-order-perceptron"
    title: ClassVar[str] = "Second-order perceptron"
    short: ClassVar[str] = "Second order"
    summary: ClassVar[str] = (
        "Weights each direction of the features by how much was learned along it so far, so that features of very "
        "different spread no longer slow it down. Its regret grows with the logarithm of time. A step costs d² "
        "instead of d."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "Algorithm 6, Theorem 8, §6.4"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"Initialise $w_1 \leftarrow 0$, $A_0 \leftarrow \epsilon I$",
            "It begins with weights w of 0 and a matrix A, which will say what has been taught.",
        ),
        Line("observe", r"Observe $x_t$"),
        Line("predict", r"Present $y_t \leftarrow \mathrm{argmax}_{y}\, w_t^\top \phi(x_t, y)$"),
        Line("feedback", r"Obtain feedback $\bar y_t$"),
        Line(
            "update",
            r"$A_t \leftarrow A_{t-1} + \gamma\,\Delta_t\Delta_t^\top$ with "
            r"$\Delta_t = \phi(x_t, \bar y_t) - \phi(x_t, y_t)$",
            "The matrix A notes the difference Δ between the feedback ranking ȳ and the ranking shown.",
        ),
        Line(
            "update",
            r"Update $\bar w_{t+1} \leftarrow w_t + A_t^{-1} \Delta_t$",
            "The weights move along Δ, but less in directions that A knows well.",
        ),
        Line(
            "update",
            r"Project $w_{t+1} \leftarrow \mathrm{argmin}_{w \in \mathcal B}\, "
            r"(\bar w_{t+1} - w)^\top A_t\,(\bar w_{t+1} - w)$",
            "If the weights have left the ball B, they return to the point that is nearest as A measures.",
        ),
    )

    rule_to_learn: ClassVar[Any] = staticmethod(learn_nothing)
    at_start: ClassVar[tuple[str, ...]] = ("epsilon",)

    gamma: float = real(
        1.0, 1e-6, 1e6, symbol="γ", named=True,
        help="How much each step adds to the knowledge of its direction: λ/G for a loss with curvature λ and slope at "
        "most G. Small values turn it into the preference perceptron. Try 0.01 and 100.",
    )  # fmt: skip
    epsilon: float = real(
        10.0, 1e-6, 1e9, symbol="ε",
        help="Initial value of A in every direction. The larger it is, the longer the second order takes to matter. "
        "It has the unit of squared features. Try 1 if they are ill-conditioned.",
    )  # fmt: skip
    radius: float = real(
        100.0, 0.001, 1e9, symbol="ρ",
        help="Radius of the ball in which the weights stay. The guarantee needs the true weights to lie in it.",
    )  # fmt: skip

    @property
    def bounds(self) -> tuple[str, ...]:
        return ("theorem-8-linear", "theorem-8")

    def bound_terms(self) -> Mapping[str, Any]:
        return {"gamma": self.gamma, "epsilon": self.epsilon, "radius": self.radius}

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        d = shape.features
        self.w = into_ball(self.w, self.radius)
        self.inverse: Array = np.zeros((replicates, d, d))  # A⁻¹
        self.inverse[:, range(d), range(d)] = 1.0 / column(self.epsilon)

    def memory(self, shape: Shape, replicates: int) -> int:
        return 8 * replicates * shape.features * (shape.features + 3)

    def scratch(self, shape: Shape, steps: int) -> int:
        return 4 * max(8 * shape.features**2, NUMBERS)  # a matrix, its eigenvectors, and room to find them

    def exert(self) -> None:
        into_ball_by(np.full_like(self.w, 2 * np.max(self.radius)), self.inverse, self.radius)  # all replicates are out

    def remark(self, replicate: int) -> str:
        return "It moves less along directions of the features about which it has learned much already."

    def solve(self, delta: Array) -> None:
        direction, known = np.empty(delta.shape), np.empty(len(delta))
        shrink(self.inverse, delta, np.broadcast_to(self.gamma, len(delta)).astype(float), direction, known)
        # [C] Alg. 6: w̄ ← w + A_t⁻¹ Δ, where A_t⁻¹ Δ = A_{t−1}⁻¹ Δ / (1 + γ ΔᵀA_{t−1}⁻¹Δ), then the projection
        self.w = into_ball_by(self.w + direction / known[:, None], self.inverse, self.radius)
