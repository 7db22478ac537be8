"""The user of one-item recommendation who gives strictly α-informative feedback ([C] §6.1.2, Eq. 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Array
from learners.random import Stream
from learners.ranking.users.base import Response, User, View


@dataclass(kw_only=True)
class ItemAlpha(User):
    """Takes what is recommended if nothing is better, else the item of least utility that is good enough.

    Good enough is what gains at least α · (U(y*) − U(y)). The item recommended is the first of the ranking; the answer
    is the ranking with the chosen item in its place: the two are exchanged, which is all that counts with one slot.
    """

    id: ClassVar[str] = "item-alpha"
    title: ClassVar[str] = "One item, strictly α-informative"
    summary: ClassVar[str] = (
        "Knows the true utility of every movie. If a better one than that recommended is left, answers the worst one "
        "that still gains the share α of what is possible. An idealised user, for recommending one item."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "§6.1.2"
    gives: ClassVar[str] = "ranking"

    alpha: float = real(
        0.5, 0, 1, low_open=True, symbol="α", step=0.05, named=True,
        help="Share of the largest possible improvement that the answer reaches at least. 1 names the best movie; try "
        "0.1 and see how little it takes.",
    )  # fmt: skip

    @property
    def informativeness(self) -> float | Array:
        return self.alpha

    def respond(self, view: View, rng: Stream) -> Response:
        return Response(ranking=exchange(view, informative_item(view, self.alpha)))


def informative_item(view: View, alpha: float | Array) -> Array:
    """(R,) the document of least utility that gains α of the gap; the one on top where there is no gap."""
    utility, rows = view.utility, np.arange(len(view.shown))
    shown = view.shown[:, 0]
    now, best = utility[rows, shown], utility.max(axis=1)
    slip = 1e-12 * (1.0 + np.abs(best))  # a gain that is equal but for rounding is enough
    needed = now + alpha * (best - now) - slip
    chosen: Array = np.where(best - now <= slip, shown, lowest_from(utility, needed).argmin(axis=1))
    return chosen


def lowest_from(values: Array, least: Array) -> Array:
    """(R, n) unsigned numbers that rise with the values (R, n) from `least` (R,) on; all values below come after those.

    The bits of a floating-point number that is not negative, taken for a whole number, keep its order; those of a
    negative one have the highest bit set. That is several times as fast as to mask the values.

    >>> lowest_from(np.array([[3.0, 1.0, 2.0]]), np.array([1.5])).argmin(axis=1)
    array([2])
    """
    return (values - least[:, None]).view(np.uint64)


def exchange(view: View, item: Array) -> Array:
    """(R, n) the ranking shown with the items (R,) exchanged with those on top."""
    ranking, rows = view.shown.copy(), np.arange(len(item))
    ranking[rows, (ranking == item[:, None]).argmax(axis=1)] = ranking[:, 0]
    ranking[:, 0] = item
    return ranking
