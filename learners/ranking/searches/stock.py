"""Documents that are used up: which are still offered to each replicate, and the truth about those."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from datasets.ranking import RankingData
from learners.base import Array
from learners.compiled import compiled


class Stock(NamedTuple):
    """The documents of a consumable data set that are left, for R replicates ([C] §6.1.2); changed in place.

    A document that was shown or chosen in a slot is removed. A replicate with fewer than two left starts anew.

    used : whether documents are used up at all; if not, the arrays are empty.
    offered : (R, n) bool, the documents that can be shown. left : (R,) their number.
    order : (R, n) permutations of the documents with the offered ones first. spot : (R, n) each document's place there.
    utility, grades : (R, n) of the documents, −∞ and −1 for those not offered. all_utility, all_grades : of all.
    by_utility, by_grade : (R, n) documents by falling value. best : (R, 2) how far both are used up.
    """

    used: bool
    offered: Array
    left: Array
    order: Array
    spot: Array
    utility: Array
    grades: Array
    all_utility: Array
    all_grades: Array
    by_utility: Array
    by_grade: Array
    best: Array

    @classmethod
    def of(cls, data: RankingData, task: Array) -> Stock:
        """Return the full stock of each replicate's task (R,), or an empty one if documents are not used up."""
        used, replicates = data.consumable, len(task)
        n = data.longest if used else 0
        utility = np.ascontiguousarray(data.utility[task, :n], dtype=np.float64)
        grades = np.ascontiguousarray(data.grades[task, :n], dtype=np.float64)
        order = np.tile(np.arange(n), (replicates, 1))
        return cls(
            used, np.ones((replicates, n), dtype=np.bool_), np.full(replicates, n), order, order.copy(),
            utility.copy(), grades.copy(), utility, grades, np.argsort(-utility, axis=1, kind="stable"),
            np.argsort(-grades, axis=1, kind="stable"), np.zeros((replicates, 2), dtype=np.int64),
        )  # fmt: skip

    @property
    def changing(self) -> tuple[Array, ...]:
        """The arrays that change."""
        return tuple(getattr(self, name) for name in _CHANGING)


# fields that never change (see `learners.run.states.State`); in the class itself this would be one more field
Stock.shared = "all_utility", "all_grades", "by_utility", "by_grade"  # type: ignore[attr-defined]
_CHANGING = tuple(name for name in Stock._fields[1:] if name not in Stock.shared)  # type: ignore[attr-defined]


@compiled
def remove(stock: Stock, r: int, document: int) -> None:
    """Remove a document, unless it is gone already."""
    if not stock.offered[r, document]:
        return
    stock.offered[r, document] = False
    stock.left[r] -= 1
    # exchange it with the last document that is offered
    place, last = stock.spot[r, document], stock.left[r]
    other = stock.order[r, last]
    stock.order[r, place], stock.order[r, last] = other, document
    stock.spot[r, other], stock.spot[r, document] = place, last
    stock.utility[r, document], stock.grades[r, document] = -np.inf, -1.0


@compiled
def renew(stock: Stock, r: int) -> None:
    """Offer all documents again if fewer than two are left."""
    n = stock.offered.shape[1]
    if stock.left[r] >= 2:
        return
    stock.left[r] = n
    stock.best[r, 0] = stock.best[r, 1] = 0
    for i in range(n):
        stock.offered[r, i] = True
        stock.order[r, i] = stock.spot[r, i] = i
        stock.utility[r, i], stock.grades[r, i] = stock.all_utility[r, i], stock.all_grades[r, i]


@compiled
def first_left(stock: Stock, r: int, which: int, at: int) -> int:
    """Return the place at or after `at` of the next document that is offered, by falling utility (0) or grade (1)."""
    falling = stock.by_utility[r] if which == 0 else stock.by_grade[r]
    while at < falling.shape[0] and not stock.offered[r, falling[at]]:
        at += 1
    return at
