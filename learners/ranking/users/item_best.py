"""The user of one-item recommendation who answers with an item of the best rating ([C] §6.1.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from learners.compiled import compiled
from learners.ranking.step.page import RANKING, Hidden, Page
from learners.ranking.users.answers import exchange_first, preferred
from learners.ranking.users.base import User


@compiled
def name_best(page: Page, hidden: Hidden) -> int:
    """Exchange the first document with one of the highest grade."""
    highest = hidden.grades[page.shown[0]]
    for i in range(hidden.grades.shape[0]):
        highest = max(highest, hidden.grades[i])
    exchange_first(page, hidden, preferred(hidden, highest))
    return RANKING


@dataclass(kw_only=True)
class ItemBest(User):
    """Answers with an item of the highest grade that is left, whatever is recommended.

    Ties are broken at random; the recommended item takes part if it has that grade. Grades are those of `item-better`.
    The answer is the ranking with the two items exchanged.
    """

    id: ClassVar[str] = "item-best"
    title: ClassVar[str] = "One item, the best rating"
    summary: ClassVar[str] = (
        "Answers with a movie of the best rating that is left, with any of them if several tie. No linear model fits "
        "these whole-number ratings exactly, so this feedback is noisy."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "§6.1.2"
    gives: ClassVar[str] = "ranking"

    rule: ClassVar[Any] = staticmethod(name_best)
    by_document: ClassVar[str] = "random"
