"""The position-based click model, in which each place is looked at with a chance of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from datasets.parameters import real
from learners.base import Array, column
from learners.compiled import compiled
from learners.ranking.step.page import CLICKS, Hidden, Page
from learners.ranking.users.attention import Attention, by_place, there
from learners.ranking.users.click_tables import CLICK, chance
from learners.ranking.users.dependent_click import ClickModel


@compiled
def click_if_examined(page: Page, hidden: Hidden, depth: int, exponent: float) -> int:
    """Click what is looked at and attracts. The document at place i is looked at with probability i^−η.

    The numbers drawn are one for each document, by which it attracts, and as many by which it is looked at.
    """
    hidden.clicks[:], hidden.judged[:] = False, -1
    n = hidden.grades.shape[0]
    for i in range(min(page.size, int(depth))):
        document = page.shown[i]
        if hidden.noise[n + document] < (i + 1.0) ** -exponent:
            hidden.clicks[i] = hidden.judged[i] = hidden.noise[document] < chance(hidden, CLICK, document)
    return CLICKS


@dataclass(kw_only=True)
class PositionBased(ClickModel):
    """Looks at the document at place i with probability (1/i)^η, and clicks it with the chance of its grade.

    P(click at i) = θ_i · a(g), with examination θ_i = i^−η and attractiveness a(g) of grade g by the behaviour. Places
    are looked at independently, so the chance of leaving after a click has no part in it. `position-biased` differs in
    that documents are relevant or not, and that judgements err with equal chances.

    Source: Chuklin, Markov & de Rijke, *Click Models for Web Search*, 2015, §3.3, with the examination that falls as a
    power of the place, as in Joachims, Swaminathan & Schnabel, WSDM 2017.
    """

    id: ClassVar[str] = "position-based"
    title: ClassVar[str] = "Click model: position-based"
    summary: ClassVar[str] = (
        "Looks at each of the first results with a chance that falls with the place, whatever stands elsewhere. What "
        "it looks at is clicked with a chance that depends on the grade."
    )
    paper: ClassVar[str] = "CMR15"
    works: ClassVar[Mapping[str, str]] = {
        "CMR15": "Chuklin, Markov & de Rijke. Click Models for Web Search. Morgan & Claypool, 2015."
    }
    section: ClassVar[str] = "§3.3, with the chances by grade of OR18"

    exponent: float = real(
        1.0, 0, 4, symbol="η", step=0.25,
        help="How quickly attention fades. Place i is looked at with probability (1/i) to the power of η. "
        "0 is a user who looks at everything.",
    )  # fmt: skip

    def attention(self, grades: Array, top_grade: int | None = None) -> Attention:
        click, _ = self.table(grades, top_grade)
        return by_place(click, column(self.exponent), there(grades, column(self.depth)))

    rule: ClassVar[Any] = staticmethod(click_if_examined)
