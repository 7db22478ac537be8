"""The user of a search engine who rarely looks far down (the examination model of click models, and [S] §7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from datasets.parameters import real
from learners.base import Array, column
from learners.compiled import compiled
from learners.random import Stream
from learners.ranking.step.page import CLICKS, Hidden, Page
from learners.ranking.step.work import rows_of
from learners.ranking.users.answers import JudgingUser, seems_relevant
from learners.ranking.users.attention import Attention, by_place, there


@compiled
def click_where_looked(page: Page, hidden: Hidden, noise: float, relevant_from: int, bias: float) -> int:
    """Click what is looked at and judged relevant. The document at place i is looked at with probability i^−bias.

    The numbers drawn are one for each document, by which it is judged, and as many by which it is looked at.
    """
    hidden.clicks[:], hidden.judged[:] = False, -1
    n = hidden.grades.shape[0]
    for i in range(page.size):
        if hidden.noise[n + page.shown[i]] < (i + 1.0) ** -bias:
            hidden.clicks[i] = hidden.judged[i] = seems_relevant(page, hidden, i, noise, relevant_from)
    return CLICKS


@dataclass(kw_only=True)
class PositionBiased(JudgingUser):
    """Looks at the document at place i with probability (1/i)^bias, and clicks it if it seems relevant.

    Each judgement is wrong with probability `noise`. So a relevant document that is looked at is clicked with
    probability 1 − noise, and any other with probability noise. Where clicks are rare, the place says more about a
    document than its relevance.

    Source: examination by place, with a bias that is an exponent, as in the experiments of Joachims, Swaminathan &
    Schnabel, *Unbiased Learning-to-Rank with Biased Feedback*, WSDM 2017.
    """

    id: ClassVar[str] = "position-biased"
    title: ClassVar[str] = "Searching user (position bias)"
    summary: ClassVar[str] = (
        "Always looks at the first result, and at the others the more rarely, the lower they stand. It clicks each "
        "result that it looks at and that seems relevant. Each judgement is wrong with probability noise."
    )
    paper: ClassVar[str] = "S"
    section: ClassVar[str] = "§7, where people searched; the model is of Joachims, Swaminathan & Schnabel 2017"

    noise: float = real(
        0.2, 0, 1, symbol="η", step=0.05,
        help="Chance that a single judgement is wrong. At 0.5 the clicks tell nothing but where the user looked.",
    )  # fmt: skip
    bias: float = real(
        1.0, 0, 4, symbol="b", step=0.25,
        help="How quickly attention fades. Place i is looked at with probability (1/i) to the power of b. "
        "0 is a user who looks at everything.",
    )  # fmt: skip

    def attention(self, grades: Array, top_grade: int | None = None) -> Attention:
        click = self.relevant(grades)
        return by_place(click, column(self.bias), there(grades))

    def draws(self, rng: Stream, n: int, slots: int, steps: int) -> Array:
        return rows_of(rng.random, steps, 2 * n)

    rule: ClassVar[Any] = staticmethod(click_where_looked)
