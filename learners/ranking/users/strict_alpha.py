"""The user who gives strictly α-informative feedback ([C] §6.1.1, Eq. 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from datasets.parameters import real
from learners.base import Array
from learners.compiled import compiled
from learners.ranking.step.page import RANKING, Hidden, Page
from learners.ranking.step.rankings import discounted, rank
from learners.ranking.users.answers import TOP, put_on_top, take_up
from learners.ranking.users.base import User


@compiled
def improve(page: Page, hidden: Hidden, alpha: float) -> int:
    """Put the five best of the first m documents on top, with the smallest m that gains enough."""
    utility = hidden.utility
    now = discounted(page, utility, page.shown)
    rank(page, utility, 1, hidden.answer)
    best = discounted(page, utility, hidden.answer)
    # a gain that equals it up to rounding is enough
    wanted = alpha * (best - now) - 1e-12 * (1.0 + abs(best))
    size = 0
    for i in range(page.size):
        page.key[i] = utility[page.shown[i]]
        size, changed = take_up(page, size, i)
        if i + 1 >= min(TOP, page.size) and (changed or i + 1 == TOP):
            put_on_top(page, hidden, size)
            if discounted(page, utility, hidden.answer) - now >= wanted:
                break
    return RANKING


@dataclass(kw_only=True)
class StrictAlpha(User):
    """Goes down the list until five documents put on top gain the share α of what is possible.

    The answer takes the smallest m ≥ 5 for which the five best documents (by w*) among the first m, put on top by
    falling utility, gain at least α · (U(y*) − U(y)). If there is no such m, it takes the whole list.
    """

    id: ClassVar[str] = "strict-alpha"
    title: ClassVar[str] = "Strictly α-informative user"
    summary: ClassVar[str] = (
        "Knows the true utility. Goes down the list until five documents, put on top, bring at least the share α of "
        "the largest possible improvement. This is the idealised user of the theory."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "§6.1.1"
    gives: ClassVar[str] = "ranking"

    alpha: float = real(
        0.5, 0.001, 1, symbol="α", step=0.05,
        help="Share of the largest possible improvement that the answer reaches. 1 asks for all of it. Try 0.1 "
        "and see how little it takes.",
    )  # fmt: skip

    @property
    def informativeness(self) -> float | Array:
        return self.alpha

    rule: ClassVar[Any] = staticmethod(improve)
