"""The user of one-item recommendation who gives strictly α-informative feedback ([C] §6.1.2, Eq. 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Array
from learners.random import Stream
from learners.ranking.parts.context import exchange
from learners.ranking.users.base import Response, User, View


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
        0.5, 0, 1, low_open=True, symbol="α", step=0.05, named=True,
        help="Smallest share of the largest possible improvement that the answer may gain. 1 names the best movie. Try "
        "0.1 and see how little it takes.",
    )  # fmt: skip

    @property
    def informativeness(self) -> float | Array:
        return self.alpha

    def respond(self, view: View, rng: Stream) -> Response:
        return Response(ranking=exchange(view.shown, informative_item(view, self.alpha)))


def informative_item(view: View, alpha: float | Array) -> Array:
    """Return the document of least utility that gains α of the gap, or the one on top if there is no gap, (R,)."""
    utility, rows = view.utility, np.arange(len(view.shown))
    shown = view.shown[:, 0]
    now, best = utility[rows, shown], utility.max(axis=1)
    slip = 1e-12 * (1.0 + np.abs(best))  # a gain that equals it up to rounding is enough
    needed = now + alpha * (best - now) - slip
    chosen: Array = np.where(best - now <= slip, shown, lowest_from(utility, needed).argmin(axis=1))
    return chosen


def lowest_from(values: Array, least: Array) -> Array:
    """Return sort keys (R, n) that put the values (R, n) from `least` (R,) on first, in rising order.

    Keys are unsigned integers. The bits of a non-negative floating-point number, read as an integer, keep its order;
    those of a negative number have the highest bit set and come last. This is much faster than masking the values.

    >>> lowest_from(np.array([[3.0, 1.0, 2.0]]), np.array([1.5])).argmin(axis=1)
    array([2])
    """
    return (values - least[:, None]).view(np.uint64)
