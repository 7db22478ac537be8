"""The user who looks at the first k documents and puts the five with the highest grades on top ([C] §6.1.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from datasets.parameters import integer
from learners.compiled import compiled
from learners.ranking.step.page import RANKING, Hidden, Page
from learners.ranking.users.answers import put_on_top, take_up
from learners.ranking.users.base import User


@compiled
def sort_first(page: Page, hidden: Hidden, k: int) -> int:
    """Put the five documents with the highest grades among the first k on top."""
    size = 0
    for i in range(min(page.size, int(k))):
        page.key[i] = hidden.grades[page.shown[i]]
        size, _ = take_up(page, size, i)
    put_on_top(page, hidden, size)
    return RANKING


@dataclass(kw_only=True)
class Depth(User):
    """Puts the five documents with the highest grades among the first k on top, by falling grade.

    Ties, and the documents below, keep the order shown. If k is less than five, the first k are sorted.
    """

    id: ClassVar[str] = "depth"
    title: ClassVar[str] = "Grading user (to depth k)"
    summary: ClassVar[str] = (
        "Looks at the first k results and puts the five with the highest relevance grades on top. No linear model fits "
        "the grades exactly, so this feedback is noisy however carefully it is given."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "§6.1.1"
    gives: ClassVar[str] = "ranking"

    k: int = integer(
        10, 1, 1000, symbol="k", named=True,
        help="How many results the user looks at. The paper compares 10 and 25. Looking deeper does not help when "
        "grades are noisy.",
    )  # fmt: skip

    @property
    def page(self) -> int:
        return self.k

    rule: ClassVar[Any] = staticmethod(sort_first)
