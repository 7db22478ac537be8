"""The user of the toy example, who clicks the first document judged relevant ([S] §4.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from datasets.parameters import integer, real
from learners.base import Array, column
from learners.compiled import compiled
from learners.ranking.parts.attention import Attention, going_down, judged_relevant, there
from learners.ranking.parts.page import CLICKS, Hidden, Page
from learners.ranking.users.answers import misjudged, seems_relevant
from learners.ranking.users.base import Response, User


@compiled
def click_first(page: Page, hidden: Hidden, noise: float, relevant_from: int) -> int:
    """Click the first document judged relevant."""
    hidden.clicks[:], hidden.judged[:] = False, -1
    for i in range(page.size):
        relevant = seems_relevant(page, hidden, i, noise, relevant_from)
        hidden.clicks[i] = hidden.judged[i] = relevant
        if relevant:
            break
    return CLICKS


@dataclass(kw_only=True)
class Cascade(User):
    """Scans from the top, clicks the first document judged relevant, and stops.

    Each judgement is wrong with probability `noise`.
    """

    id: ClassVar[str] = "cascade"
    title: ClassVar[str] = "Impatient user (one click)"
    summary: ClassVar[str] = (
        "Reads from the top and clicks the first document that seems relevant, then leaves. Each judgement is "
        "wrong with probability noise."
    )
    paper: ClassVar[str] = "S"
    section: ClassVar[str] = "§4.2"

    noise: float = real(
        0.2, 0, 1, symbol="η", step=0.05,
        help="Chance that a single judgement is wrong. 0.2 is the paper's; try 0 to see the perceptron behave.",
    )  # fmt: skip
    relevant_from: int = integer(
        1, 1, 4, help="Lowest grade that counts as relevant. It matters for data with grades above 1."
    )

    def mistaken(self, grades: Array, response: Response) -> Array:
        return misjudged(grades, response, self.relevant_from)

    def attention(self, grades: Array, top_grade: int | None = None) -> Attention:
        click = judged_relevant(grades, column(self.relevant_from), column(self.noise))
        return going_down(click, click, there(grades))

    rule: ClassVar[Any] = staticmethod(click_first)
    by_document: ClassVar[str] = "random"
    mistakes: ClassVar[str] = "noise"
