"""The user of one-item recommendation who gives strictly α-informative feedback ([C] §6.1.2, Eq. 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from datasets.parameters import real
from learners.base import Array
from learners.compiled import compiled
from learners.ranking.step.page import RANKING, Hidden, Page
from learners.ranking.users.answers import exchange_first, informative_item
from learners.ranking.users.base import User


@compiled
def name_item(page: Page, hidden: Hidden, alpha: float) -> int:
    """Exchange the first document with the one of least utility that gains enough."""
    exchange_first(page, hidden, informative_item(page, hidden, alpha))
    return RANKING


@dataclass(kw_only=True)
class ItemAlpha(User):
    """Answers with the item of least utility that is good enough, or keeps the recommended item if nothing is better.

    An item is good enough if it gains at least α · (U(y*) − U(y)). The recommended item is the first of the ranking.
    The answer is the ranking with the two items exchanged; with one slot nothing else counts.
    """

    id: ClassVar[str] = "item-alpha"
    title: ClassVar[str] = "One item, strictly α-informative"
    summary: ClassVar[str] = (
        "Knows the true utility of every movie. If a better movie than the recommended one is left, answers with the "
        "worst that still gains the share α of what is possible. An idealised user for recommending one item."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "§6.1.2"
    gives: ClassVar[str] = "ranking"

    alpha: float = real(
        0.5, 0.001, 1, symbol="α", step=0.05, named=True,
        help="Smallest share of the largest possible improvement that the answer may gain. 1 names the best movie. Try "
        "0.1 and see how little it takes.",
    )  # fmt: skip

    @property
    def informativeness(self) -> float | Array:
        return self.alpha

    rule: ClassVar[Any] = staticmethod(name_item)
