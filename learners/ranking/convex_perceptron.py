"""The convex preference perceptron: falling steps within a ball ([C] Algorithm 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Array, Line, Shape
from learners.compiled import compiled
from learners.random import Source
from learners.ranking.ball import into_ball, project
from learners.ranking.preference_perceptron import PreferencePerceptron
from learners.ranking.step.page import Page


@compiled
def add_and_project(page: Page, w: Array, delta: Array, change: float, heard: int, radius: float) -> None:
    """Update w by [C] Alg. 5: w̄ ← w + η (φ(x, ȳ) − φ(x, y)), η = 1/√t, then the nearest point of the ball."""
    eta = 1.0 / np.sqrt(page.t)
    for j in range(delta.shape[0]):
        w[0, j] += eta * delta[j]
    project(w[0], radius)


@dataclass(kw_only=True)
class ConvexPerceptron(PreferencePerceptron):
    """Adds (φ(x, ȳ) − φ(x, y)) / √t to its weights and brings them back into a ball around 0.

    It does not need to know the convex loss: the proof covers every loss that falls with utility. Initial weights of a
    data set are projected onto the ball as well.

    >>> from learners.base import Shape
    >>> from learners.ranking.base import Context, Feedback
    >>> learner = ConvexPerceptron(radius=0.5)
    >>> learner.reset(Shape(features=2, documents=2), replicates=1, rng=np.random.default_rng(0))
    >>> context = Context(np.array([[[3.0, 0.0], [0.0, 4.0]]]), gamma=np.array([1.0, 0.5]))
    >>> shown = learner.present(context)
    >>> learner.update(context, shown, Feedback(clicks=np.array([[False, True]])))
    array([[1, 0]])
    >>> learner.w  # [−1.5, 2] has the length 2.5
    array([[-0.3,  0.4]])
    """

    id: ClassVar[str] = "convex-perceptron"
    title: ClassVar[str] = "Convex perceptron"
    short: ClassVar[str] = "Convex"
    summary: ClassVar[str] = (
        "The preference perceptron with steps that shrink as 1/√t and weights that stay within a ball. Its guarantee "
        "holds for every convex loss of the missed utility, not only for the regret."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "Algorithm 5, Theorem 6, §6.4"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $w_1 \leftarrow 0$"),
        Line(
            "observe",
            r"Set $\eta_t \leftarrow 1/\sqrt{t}$; observe $x_t$",
            "A query x arrives. The rate η falls with the root of the number of steps.",
        ),
        Line("predict", r"Present $y_t \leftarrow \mathrm{argmax}_{y}\, w_t^\top \phi(x_t, y)$"),
        Line("feedback", r"Obtain feedback $\bar y_t$"),
        Line(
            "update",
            r"Update $\bar w_{t+1} \leftarrow w_t + \eta_t\,(\phi(x_t, \bar y_t) - \phi(x_t, y_t))$",
            "It takes a step of rate η towards the features of ȳ and away from those of y.",
        ),
        Line(
            "update",
            r"Project $w_{t+1} \leftarrow \mathrm{argmin}_{u \in \mathcal B}\, \|u - \bar w_{t+1}\|^2$",
            "If the weights have left the ball B, they return to its nearest point.",
        ),
    )

    radius: float = real(
        100.0, 0.001, 1e9, symbol="ρ",
        help="Radius of the ball in which the weights stay. The guarantee needs the true weights to lie in it. "
        "Try 1 and see whether it matters.",
    )  # fmt: skip

    @property
    def bounds(self) -> tuple[str, ...]:
        return ("theorem-6-linear", "theorem-6")

    def bound_terms(self) -> Mapping[str, Any]:
        return {"radius": self.radius}

    def remark(self, replicate: int) -> str:
        return f"The step was multiplied by 1/√t = {1 / np.sqrt(self.t):.3g}, so that later steps move w less."

    rule_to_learn: ClassVar[Any] = staticmethod(add_and_project)

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        self.w = into_ball(self.w, self.radius)
