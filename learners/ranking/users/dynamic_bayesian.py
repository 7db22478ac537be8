"""The click model of a dynamic Bayesian network, whose user may give up without being satisfied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from datasets.parameters import real
from learners.base import Array, column
from learners.compiled import compiled
from learners.ranking.step.page import CLICKS, Hidden, Page
from learners.ranking.users.attention import Attention, going_down, there
from learners.ranking.users.click_tables import CLICK, STOP, chance
from learners.ranking.users.dependent_click import ClickModel


@compiled
def click_until_satisfied(page: Page, hidden: Hidden, depth: int, continuation: float) -> int:
    """Go down the list, click what attracts, leave once satisfied by a click, and else go on with probability γ.

    The numbers drawn are one for each document, by which it attracts, as many by which it satisfies, and as many by
    which the user goes on.
    """
    hidden.clicks[:], hidden.judged[:] = False, -1
    n = hidden.grades.shape[0]
    for i in range(min(page.size, int(depth))):
        document = page.shown[i]
        clicked = hidden.noise[document] < chance(hidden, CLICK, document)
        hidden.clicks[i] = hidden.judged[i] = clicked
        if clicked and hidden.noise[n + document] < chance(hidden, STOP, document):
            break
        if hidden.noise[2 * n + document] >= continuation:
            break
    return CLICKS


@dataclass(kw_only=True)
class DynamicBayesian(ClickModel):
    """Goes down the list until a click satisfies it or it gives up.

    A document of grade g attracts a click with probability a(g), and one clicked satisfies with probability s(g); then
    the user leaves. A user who is not satisfied goes on to the next document with probability γ, clicked or not. With
    γ = 1 the model is that of dependent clicks.

    Source: Chapelle & Zhang, *A Dynamic Bayesian Network Click Model for Web Search Ranking*, WWW 2009, §3, with the
    chances by grade of `click_tables` for a and s.
    """

    id: ClassVar[str] = "dynamic-bayesian"
    title: ClassVar[str] = "Click model: dynamic Bayesian network"
    summary: ClassVar[str] = (
        "Reads the first results from the top and clicks each with a chance that depends on its grade. A click may "
        "satisfy it, and then it leaves; otherwise it goes on to the next result with probability γ, or gives up."
    )
    paper: ClassVar[str] = "CZ09"
    works: ClassVar[Mapping[str, str]] = {
        "CZ09": "Chapelle & Zhang. A Dynamic Bayesian Network Click Model for Web Search Ranking. WWW 2009."
    }
    section: ClassVar[str] = "§3, with the chances by grade of OR18"
    draws_each: ClassVar[int] = 3

    continuation: float = real(
        0.9, 0, 1, symbol="γ", step=0.05,
        help="Chance that a user who is not satisfied goes on to the next result. The paper finds values near 0.9 for "
        "web search; at 1 nobody gives up, and at 0 nobody looks at a second result.",
    )  # fmt: skip

    def attention(self, grades: Array, top_grade: int | None = None) -> Attention:
        click, stop = self.table(grades, top_grade)
        end = 1.0 - (1.0 - click * stop) * column(self.continuation)
        return going_down(click, end, there(grades, column(self.depth)))

    rule: ClassVar[Any] = staticmethod(click_until_satisfied)
