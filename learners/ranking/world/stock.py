"""Documents that are used up: which are still offered to each replicate, and the truth about those."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from datasets.ranking import RankingData
from learners.base import Array


class Stock:
    """The documents of a consumable data set that are left, for R replicates ([C] §6.1.2).

    `take` removes documents. A replicate with fewer than two left starts anew with all of them.

    Attributes
    ----------
    offered : (R, n) bool, the documents that can be shown; replaced at every step, never changed in place.
    count : (R,) their number; likewise.
    order : (R, n) permutations of the documents with the offered ones first; changed in place.
    utility, grades : (R, n) of the documents, −inf and −1 for those not offered; changed in place.
    """

    shared: ClassVar[tuple[str, ...]] = ("_data", "_task", "_rows")

    def __init__(self, data: RankingData, task: Array) -> None:
        replicates, n = len(task), data.longest
        self._data, self._task = data, task
        self._rows = np.arange(replicates)
        self.offered = np.ones((replicates, n), dtype=bool)
        self.count = np.full(replicates, n)
        self.order = np.tile(np.arange(n), (replicates, 1))
        self._place = self.order.copy()  # of each document in `order`
        self.utility: Array = data.utility[task]
        self.grades: Array = data.grades[task].astype(np.float64)
        self._by_utility, self._by_grade = _Falling(self.utility), _Falling(self.grades)

    def take(self, documents: Array) -> None:
        """Remove documents (R, s). They may repeat, or be gone already."""
        offered, count = self.offered.copy(), self.count.copy()
        for document in documents.T:
            rows = np.flatnonzero(offered[self._rows, document])
            gone = document[rows]
            offered[rows, gone] = False
            count[rows] -= 1
            # exchange it with the last document that is offered
            place, last = self._place[rows, gone], count[rows]
            other = self.order[rows, last]
            self.order[rows, place], self.order[rows, last] = other, gone
            self._place[rows, other], self._place[rows, gone] = place, last
            self.utility[rows, gone], self.grades[rows, gone] = -np.inf, -1.0
        new = np.flatnonzero(count < 2)
        if len(new):
            offered[new], count[new] = True, offered.shape[1]
            self.order[new] = self._place[new] = np.arange(offered.shape[1])
            self._by_utility.restart(new)
            self._by_grade.restart(new)
            self.utility[new], self.grades[new] = (
                self._data.utility[self._task[new]],
                self._data.grades[self._task[new]],
            )
        self.offered, self.count = offered, count

    def best(self, slots: int, cutoff: int) -> tuple[Array, Array]:
        """Return the highest utilities (R, slots) and grades (R, cutoff) offered, in falling order, 0 beyond."""
        if slots == cutoff == 1:
            rows = self._rows[:, None]
            return self.utility[rows, self._by_utility.first(self.offered)], self.grades[
                rows, self._by_grade.first(self.offered)
            ]
        return self._highest(self.utility, slots), self._highest(self.grades, cutoff)

    def _highest(self, values: Array, slots: int) -> Array:
        kept = min(slots, values.shape[1])
        top = -np.sort(-np.partition(values, values.shape[1] - kept, axis=1)[:, values.shape[1] - kept :], axis=1)
        there = np.arange(kept) < self.count[:, None]
        return np.where(there, top, 0.0)


class _Falling:
    """The documents of each replicate by falling value, and how far from the top they are used up."""

    shared: ClassVar[tuple[str, ...]] = ("_order", "_rows")

    def __init__(self, values: Array) -> None:
        self._order = np.argsort(-values, axis=1, kind="stable")
        self._rows = np.arange(len(values))
        self._at = np.zeros(len(values), dtype=np.intp)

    def restart(self, rows: Array) -> None:
        """Begin again at the top."""
        self._at[rows] = 0

    def first(self, offered: Array) -> Array:
        """Return the document of highest value that is offered, (R, 1)."""
        while True:
            document = self._order[self._rows, self._at]
            gone = ~offered[self._rows, document]
            if not gone.any():
                return document[:, None]
            self._at += gone
