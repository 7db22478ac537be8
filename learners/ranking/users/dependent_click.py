"""The dependent click model, the cascading user of online learning to rank, and what click models by grade share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import choice, integer
from datasets.ranking import RankingData
from learners.base import Array, column
from learners.compiled import compiled
from learners.random import Stream
from learners.ranking.step.page import CLICKS, Hidden, Page
from learners.ranking.step.work import rows_of
from learners.ranking.users.attention import Attention, going_down, there
from learners.ranking.users.base import User
from learners.ranking.users.click_tables import (
    ALMOST_RANDOM,
    CLICK,
    INFORMATIONAL,
    NAVIGATIONAL,
    PERFECT,
    STOP,
    TABLES,
    chance,
    chances,
)


@dataclass(kw_only=True)
class ClickModel(User):
    """A user who clicks with a chance that depends on the grade, among the first results."""

    draws_each: ClassVar[int] = 2  # random numbers for each document

    behaviour: str = choice(
        NAVIGATIONAL, (PERFECT, NAVIGATIONAL, INFORMATIONAL, ALMOST_RANDOM), named=True,
        help="How the chances of a click, and of leaving after it, depend on the grade. A perfect user clicks by the "
        "grade alone and reads on; a navigational one wants a single good page; an informational one clicks much and "
        "reads on; the clicks of an almost random one hardly tell grades apart. The data declare whether grades end at "
        "4, 2 or 1, and grade 1 of those that end there is clicked as grade 2 of 2. Try almost random.",
    )  # fmt: skip
    depth: int = integer(
        10, 1, 1000, step=5,
        help="Results on the page, below which the user never looks. In the papers it has 10.",
    )  # fmt: skip

    def unfit(self, data: RankingData) -> str:
        if data.top_grade in (1, *TABLES):
            return ""
        has = "declares no such scale" if data.top_grade is None else f"has grades from 0 to {data.top_grade}"
        return (
            f"{self.id} clicks by tables for relevance grades from 0 to 1, 2 or 4, and {data.id} {has}; choose another "
            "user or other data"
        )

    @property
    def page(self) -> int | Array:
        return self.depth

    def draws(self, rng: Stream, n: int, slots: int, steps: int) -> Array:
        return rows_of(rng.random, steps, self.draws_each * n)

    def rule_numbers(self, replicates: int, top_grade: int | None = None) -> Array:
        """Return what the rule names, and then the table, (R, ·)."""
        table = np.tile(chances(self.behaviour, top_grade).ravel(), (replicates, 1))
        return np.concatenate([super().rule_numbers(replicates), table], axis=1)

    def table(self, grades: Array, top_grade: int | None) -> Array:
        """Return the chances of a click, and of leaving after one, of documents with grades (R, n), (2, R, n)."""
        return chances(self.behaviour, top_grade)[:, np.maximum(grades, 0).astype(int)]


@compiled
def click_and_leave(page: Page, hidden: Hidden, depth: int) -> int:
    """Go down the list, click what attracts, and after a click leave or go on.

    The numbers drawn are one for each document, by which it attracts, and as many by which the user leaves.
    """
    hidden.clicks[:], hidden.judged[:] = False, -1
    n = hidden.grades.shape[0]
    for i in range(min(page.size, int(depth))):
        document = page.shown[i]
        clicked = hidden.noise[document] < chance(hidden, CLICK, document)
        hidden.clicks[i] = hidden.judged[i] = clicked
        if clicked and hidden.noise[n + document] < chance(hidden, STOP, document):
            break
    return CLICKS


@dataclass(kw_only=True)
class DependentClick(ClickModel):
    """Goes down the list, clicks each document with the chance of its grade, and may leave after each click.

    A user who has not clicked always goes on. After a click on a document of grade g it leaves with the chance s(g). In
    the paper that chance depends on the place; it depends on the grade wherever learners have been compared on it.

    Source: Guo, Liu & Wang, *Efficient Multiple-Click Models in Web Search*, WSDM 2009, §3, with the chances by grade
    of `click_tables`.
    """

    id: ClassVar[str] = "dependent-click"
    title: ClassVar[str] = "Click model: dependent clicks"
    summary: ClassVar[str] = (
        "Reads the first results from the top and clicks each with a chance that depends on its grade. After a click "
        "it leaves with a chance that depends on the grade too. This is the simulated user of most work on online "
        "learning to rank."
    )
    paper: ClassVar[str] = "GLW09"
    works: ClassVar[Mapping[str, str]] = {
        "GLW09": "Guo, Liu & Wang. Efficient Multiple-Click Models in Web Search. WSDM 2009."
    }
    section: ClassVar[str] = "§3, with the chances by grade of HWR13 and OR18"

    def attention(self, grades: Array, top_grade: int | None = None) -> Attention:
        click, stop = self.table(grades, top_grade)
        return going_down(click, click * stop, there(grades, column(self.depth)))

    rule: ClassVar[Any] = staticmethod(click_and_leave)
