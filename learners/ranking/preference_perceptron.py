"""The preference perceptron ([C] Algorithm 1; [S] Algorithm 1, §4.2, §8.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from datasets.parameters import choice
from learners.base import Array, Line
from learners.compiled import compiled
from learners.ranking.base import RankingLearner, show_best
from learners.ranking.step.page import Page
from learners.ranking.step.rankings import form_pairs
from learners.vectors import copy


@compiled
def show_in_pairs(page: Page) -> float:
    """Present ŷ_t as it is, in pairs as 3PR forms them."""
    form_pairs(page, 0.0, page.draws)
    copy(page.predicted, page.shown)
    return 0.0


@compiled
def add_difference(page: Page, w: Array, delta: Array, change: float, heard: int) -> None:
    """Update w by [C] Alg. 1: w ← w + φ(x, ȳ) − φ(x, y)."""
    weights = w[0]
    weights += delta


@dataclass(kw_only=True)
class PreferencePerceptron(RankingLearner):
    """Adds φ(x, ȳ) − φ(x, y) to its weights. `feedback` says how clicks become ȳ.

    Example
    -------
    One step by hand: two documents have the features [1, 0] and [0, 1]. w = 0 shows them in order; the user clicks the
    second, which moves to the top. The discounts are 1 and 0.63, so the weights move by ±0.37.

    >>> import numpy as np
    >>> from learners.base import Shape
    >>> from learners.ranking.base import Context, Feedback
    >>> learner = PreferencePerceptron(feedback="top")
    >>> learner.reset(Shape(features=2, documents=2), replicates=1, rng=np.random.default_rng(0))
    >>> context = Context(np.eye(2)[None], gamma=1 / np.log2([2, 3]))
    >>> shown = learner.present(context)
    >>> learner.update(context, shown, Feedback(clicks=np.array([[False, True]])))
    array([[1, 0]])
    >>> learner.w.round(2)
    array([[-0.37,  0.37]])
    """

    id: ClassVar[str] = "preference-perceptron"
    title: ClassVar[str] = "Preference perceptron"
    short: ClassVar[str] = "Perceptron"
    needs: ClassVar[str] = "clicks, or an improved ranking"
    summary: ClassVar[str] = (
        "Shows the ranking it believes best and moves its weights towards the ranking that the clicks suggest. "
        "Without noise it is never wrong for long. With noisy clicks it can flip the best document to the bottom, "
        "again and again."
    )
    paper: ClassVar[str] = "S"
    section: ClassVar[str] = "Algorithm 1, §4.2 and §8.1; Algorithm 1 of [C]"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $w_1 \leftarrow 0$"),
        Line("observe", r"Observe $x_t$"),
        Line("predict", r"Present $y_t \leftarrow \mathrm{argmax}_{y}\, w_t^\top \phi(x_t, y)$"),
        Line("feedback", r"Obtain feedback $\bar y_t$"),
        Line("update", r"Update $w_{t+1} \leftarrow w_t + \phi(x_t, \bar y_t) - \phi(x_t, y_t)$"),
    )

    feedback: str = choice(
        "top",
        ("top", "swap", "pair"),
        named=True,
        help="How clicks become the feedback ranking: move clicked documents to the top, swap the topmost one with the "
        "first, or exchange pairs as 3PR does. Try all three on the toy data.",
    )

    rule_to_learn: ClassVar[Any] = staticmethod(add_difference)

    @property
    def rule_to_present(self) -> Any:
        return show_in_pairs if self.in_pairs else show_best

    @property
    def in_pairs(self) -> bool:
        return self.reading == "pair"

    @property
    def reading(self) -> str:
        return self.feedback

    @property
    def bounds(self) -> tuple[str, ...]:
        return ("theorem-1",)
