"""The dependent click model, the cascading user of online learning to rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from learners.base import Array, column
from learners.compiled import compiled
from learners.ranking.parts.page import CLICKS, Hidden, Page
from learners.ranking.users.attention import going_down, there
from learners.ranking.users.base import Attention
from learners.ranking.users.click_tables import CLICK, STOP, ClickModel, chance, last_place


@compiled
def click_and_leave(page: Page, hidden: Hidden) -> int:
    """Go down the list, click what attracts, and after a click leave or go on.

    The numbers drawn are one for each document, by which it attracts, and as many by which the user leaves.
    """
    hidden.clicks[:], hidden.judged[:] = False, -1
    n = hidden.grades.shape[0]
    for i in range(last_place(page, hidden)):
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
    section: ClassVar[str] = "§3, with the chances by grade of HWR13 and OR18"

    def attention(self, grades: Array, top_grade: int | None = None) -> Attention:
        click, stop = self.table(grades, top_grade)
        return going_down(click, click * stop, there(grades, column(self.depth)))

    rule: ClassVar[Any] = staticmethod(click_and_leave)
