"""The exponentiated preference perceptron: multiplicative updates ([C] Algorithm 4, §5.1, §6.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import choice, integer
from learners.base import Array, Line, Shape
from learners.compiled import compiled
from learners.random import Source
from learners.ranking.preference_perceptron import PreferencePerceptron
from learners.ranking.step.page import Page


@compiled
def multiply(page: Page, w: Array, delta: Array, change: float, heard: int, largest: float, fixed: int) -> None:
    """Update v, the second row, and from it the weights u⁺ − u⁻ for both halves of the doubled features.

    [C] Alg. 4: u ← u exp(η (φ(x, ȳ) − φ(x, y))) / Z, with η = 1/(2S√T), or 1/(2S√t) if the horizon T is 0
    """
    eta = 1.0 / (2.0 * largest * np.sqrt(fixed if fixed > 0 else page.t))
    d = delta.shape[0]
    most = 0.0
    for j in range(d):
        w[1, j] += eta * delta[j]
        most = max(most, abs(w[1, j]))
    total = 0.0
    for j in range(d):
        size = abs(w[1, j])
        up, down = np.exp(size - most), np.exp(-size - most)  # scaled by exp(−most), which Z takes out again
        w[0, j] = up - down
        total += up + down
    for j in range(d):
        w[0, j] = np.copysign(w[0, j] / total, w[1, j])


@dataclass(kw_only=True)
class ExponentiatedPerceptron(PreferencePerceptron):
    """Multiplies its weights by exp(η (φ(x, ȳ) − φ(x, y))) and scales them to add up to one.

    Such weights are never negative, so the features are doubled to (+φ, −φ) of length N = 2d ([C] Eq. 23), and the
    score of a document is (u⁺ − u⁻) · x. Only the exponent v = Σ η (φ(x, ȳ) − φ(x, y)), shape (R, d), is kept, since
    u⁺ ∝ exp(v) and u⁻ ∝ exp(−v). Weights start uniform, v = 0, whatever initial weights the data set has. The rate is
    η = 1/(2S√T) for the horizon T, or 1/(2S√t) at step t; S ≥ |φ(x, y)|_∞ comes with the shape of the data set.

    >>> from learners.base import Shape
    >>> from learners.ranking.base import Context, Feedback
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
    short: ClassVar[str] = "Exponentiated"
    summary: ClassVar[str] = (
        "Multiplies its weights instead of adding to them, which finds a few important features among many. With a "
        "rate fixed for a long horizon it hardly differs from the preference perceptron. A rate that falls with time "
        "learns faster at the start."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "Algorithm 4, Theorem 5, Eq. 22 and 23, §6.3"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"Initialise $w_1^i \leftarrow 1/N$, $\eta \leftarrow 1/(2S\sqrt{T})$, or $1/(2S\sqrt{t})$",
            "All N weights are equal at first. The rate η at which they change follows from the largest feature S "
            "and the length T of the run.",
        ),
        Line("observe", r"Observe $x_t$"),
        Line("predict", r"Present $y_t \leftarrow \mathrm{argmax}_{y}\, w_t^\top \phi(x_t, y)$"),
        Line("feedback", r"Obtain feedback $\bar y_t$"),
        Line(
            "update",
            r"Update $w_{t+1}^i \leftarrow w_t^i \exp(\eta\,(\phi^i(x_t, \bar y_t) - \phi^i(x_t, y_t)))/Z_t$, "
            r"where $Z_t$ makes the weights add up to one",
            "Each weight is multiplied. It grows if its feature is larger in ȳ than in y, and shrinks if it is "
            "smaller. Then all are divided by their sum Z.",
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

    rule_to_learn: ClassVar[Any] = staticmethod(multiply)
    rows: ClassVar[int] = 2

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        self.state[:] = 0.0
        self.largest = shape.largest or 1.0  # S; any value serves if all features are 0

    def remark(self, replicate: int) -> str:
        return "It multiplies weights where others add to them, and scales them to add up to one."

    @property
    def fixed(self) -> int | Array:
        """The horizon T of a fixed rate, or 0."""
        return self.horizon if self.rate == "fixed" else 0

    @property
    def v(self) -> Array:
        """(R, d) the exponents, copied."""
        return self.state[:, 1].copy()

    def memory(self, shape: Shape, replicates: int) -> int:
        return 2 * super().memory(shape, replicates)
