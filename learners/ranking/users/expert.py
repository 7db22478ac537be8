"""The expert, who answers with the best ranking y* ([S] §8.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from datasets.parameters import choice
from learners.base import Array
from learners.compiled import compiled
from learners.ranking.step.page import RANKING, Hidden, Page
from learners.ranking.step.rankings import sort
from learners.ranking.users.base import User
from learners.vectors import copy


@compiled
def sort_shown(page: Page, hidden: Hidden, values: Array) -> None:
    """Answer with the documents by falling value, ties in the order shown."""
    n = page.shown.shape[0]
    for i in range(n):
        page.key[i] = values[page.shown[i]]
    order = hidden.answer
    sort(page.key, page.size, order, page.place)
    for i in range(n):
        page.place[i] = page.shown[order[i] if i < page.size else i]
    copy(page.place, order)


@compiled
def sort_by_grade(page: Page, hidden: Hidden) -> int:
    """Answer with the documents by falling grade."""
    sort_shown(page, hidden, hidden.grades)
    return RANKING


@compiled
def sort_by_utility(page: Page, hidden: Hidden) -> int:
    """Answer with the documents by falling utility."""
    sort_shown(page, hidden, hidden.utility)
    return RANKING


@dataclass(kw_only=True)
class Expert(User):
    """Answers with y*, the documents by falling grade or utility. Ties keep the order shown."""

    id: ClassVar[str] = "expert"
    title: ClassVar[str] = "Expert (answers with the best ranking)"
    summary: ClassVar[str] = "Answers with the best ranking itself. No real user can; it serves as a reference."
    paper: ClassVar[str] = "S"
    section: ClassVar[str] = "§8.1"
    gives: ClassVar[str] = "ranking"

    optimal: str = choice(
        "grades", ("grades", "utility"),
        help="What the expert sorts by: the relevance grades of the data, or the linear utility by w* that regret is "
        "measured with.",
    )  # fmt: skip

    @property
    def rule(self) -> Any:
        return sort_by_grade if self.optimal == "grades" else sort_by_utility
