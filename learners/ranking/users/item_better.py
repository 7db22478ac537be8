"""The user of one-item recommendation who answers with an item of slightly better rating ([C] §6.1.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from learners.compiled import compiled
from learners.ranking.step.page import RANKING, Hidden, Page
from learners.ranking.users.answers import exchange_first, preferred
from learners.ranking.users.base import User


@compiled
def name_better(page: Page, hidden: Hidden) -> int:
    """Exchange the first document with one of the next higher grade, if there is any."""
    item = page.shown[0]
    now, wanted = hidden.grades[item], 1e308
    for i in range(hidden.grades.shape[0]):
        if now < hidden.grades[i] < wanted:
            wanted = hidden.grades[i]
    better = preferred(hidden, wanted)
    exchange_first(page, hidden, item if better < 0 else better)
    return RANKING


@dataclass(kw_only=True)
class ItemBetter(User):
    """Answers with an item of the next higher grade than the recommended item, or keeps that item if there is none.

    Grades of movies are the user's ratings; a movie that the user has not rated has the imputed rating, rounded. Ties
    are broken at random. The answer is the ranking with the two items exchanged.
    """

    id: ClassVar[str] = "item-better"
    title: ClassVar[str] = "One item, a better rating"
    summary: ClassVar[str] = (
        "Answers with a movie rated slightly better than the recommended one, with any of them if several tie. No "
        "linear model fits these whole-number ratings exactly, so this feedback is noisy."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "§6.1.2"
    gives: ClassVar[str] = "ranking"

    rule: ClassVar[Any] = staticmethod(name_better)
    by_document: ClassVar[str] = "random"
