"""The exponentiated preference perceptron: multiplicative updates ([C] Algorithm 4, §5.1, §6.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import choice, integer
from learners.base import Array, Line, Shape, column
from learners.random import Source
from learners.ranking.base import Context, Feedback, Shown
from learners.ranking.parts.feedback import interpret
from learners.ranking.preference_perceptron import PreferencePerceptron


@dataclass(kw_only=True)
class ExponentiatedPerceptron(PreferencePerceptron):
    """Multiplies its weights by exp(η (φ(x, ȳ) − φ(x, y))) and scales them to add up to one.

    Such weights are never negative, so the features are doubled to (+φ, −φ) of length N = 2d ([C] Eq. 23), and the
    score of a document is (u⁺ − u⁻) · x. Only the exponent v = Σ η (φ(x, ȳ) − φ(x, y)), shape (R, d), is kept, since
    u⁺ ∝ exp(v) and u⁻ ∝ exp(−v). Weights start uniform, v = 0, whatever initial weights the data set has. The rate is
    η = 1/(2S√T) for the horizon T, or 1/(2S√t) at step t; S ≥ |φ(x, y)|_∞ comes with the shape of the data set.

    >>> from learners.base import Shape
    >>> learner = ExponentiatedPerceptron(rate="variable")
    >>> learner.reset(Shape(features=2, documents=2, largest=0.5), replicates=1, rng=np.random.default_rng(0))
    >>> context = Context(np.eye(2)[None], gamma=np.array([1.0, 0.5]))
    >>> shown = learner.present(context)
    >>> learner.update(context, shown, Feedback(clicks=np.array([[False, True]])))  # η = 1/(2 · ½ · √1) = 1
    array([[1, 0]])
    >>> learner.v
    array([[-0.5,  0.5]])
    >>> learner.weights.round(4), round(float(np.sinh(0.5) / (2 * np.cosh(0.5))), 4)
    (array([[-0.2311,  0.2311]]), 0.2311)
    """

    id: ClassVar[str] = "exponentiated-perceptron"
    title: ClassVar[str] = "Exponentiated perceptron"
    summary: ClassVar[str] = (
        "Multiplies its weights instead of adding to them, which finds a few important features among many. With a "
        "rate fixed for a long horizon it hardly differs from the preference perceptron. A rate that falls with time "
        "learns faster at the start."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "Algorithm 4, Theorem 5, Eq. 22 and 23, §6.3"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $w_1^i \leftarrow 1/N$, $\eta \leftarrow 1/(2S\sqrt{T})$, or $1/(2S\sqrt{t})$"),
        Line("observe", r"Observe $x_t$"),
        Line("predict", r"Present $y_t \leftarrow \mathrm{argmax}_{y}\, w_t^\top \phi(x_t, y)$"),
        Line("feedback", r"Obtain feedback $\bar y_t$"),
        Line(
            "update",
            r"Update $w_{t+1}^i \leftarrow w_t^i \exp(\eta\,(\phi^i(x_t, \bar y_t) - \phi^i(x_t, y_t)))/Z_t$, "
            r"where $Z_t$ makes the weights add up to one",
        ),
    )

    rate: str = choice(
        "fixed", ("fixed", "variable"), named=True,
        help="How fast it learns. A fixed rate is chosen for the horizon, and the bound is proved for it. A variable "
        "rate falls with the square root of time and learns faster at the start.",
    )  # fmt: skip
    horizon: int = integer(
        2000, 1, 10_000_000, symbol="T", when=("rate", "fixed"),
        help="Number of steps for which the fixed rate is chosen. Set it to the length of the run.",
    )  # fmt: skip

    @property
    def bounds(self) -> tuple[str, ...]:
        return ("theorem-5",) if self.rate == "fixed" else ()  # nothing is proved for a variable rate

    def bound_terms(self) -> Mapping[str, Any]:
        return {"horizon": self.horizon, "largest": self.largest}

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        self.v: Array = np.zeros((replicates, shape.features))
        self.w = np.zeros((replicates, shape.features))  # u⁺ − u⁻, by which documents are scored
        self.largest, self.t = shape.largest or 1.0, 0  # S; any value serves if all features are 0

    def memory(self, shape: Shape, replicates: int) -> int:
        return 2 * super().memory(shape, replicates)

    def update(self, context: Context, shown: Shown, feedback: Feedback) -> Array:
        improved = interpret(context, shown, feedback, self.feedback)
        self.t += 1
        eta = 1.0 / (2.0 * self.largest * np.sqrt(self.horizon if self.rate == "fixed" else self.t))
        # [C] Alg. 4: u ← u exp(η (φ(x, ȳ) − φ(x, y))) / Z for both halves of the doubled features
        self.v = self.v + column(eta) * context.feature_difference(improved, shown.ranking)
        size = np.abs(self.v)
        most = size.max(axis=1, keepdims=True)
        up, down = np.exp(size - most), np.exp(-size - most)  # scaled by exp(−most), which Z takes out again
        self.w = np.copysign((up - down) / (up + down).sum(axis=1, keepdims=True), self.v)
        return improved
