"""The user of the toy example, who clicks the first document judged relevant ([S] §4.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from datasets.parameters import real
from learners.base import Array
from learners.compiled import compiled
from learners.ranking.step.page import CLICKS, Hidden, Page
from learners.ranking.users.answers import JudgingUser, seems_relevant
from learners.ranking.users.attention import Attention, going_down, there


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
class Cascade(JudgingUser):
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

    def attention(self, grades: Array, top_grade: int | None = None) -> Attention:
        click = self.relevant(grades)
        return going_down(click, click, there(grades))

    rule: ClassVar[Any] = staticmethod(click_first)
