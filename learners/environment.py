"""What every environment does, whatever its family: the part of a simulation that knows the truth."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

import numpy as np

from learners.base import Array
from learners.random import Seeds, Stream

_UNPACKED = 256  # rows of an order that are unpacked at once


class Environment(Protocol):
    """Runs one learner on R replicates; a step only notes what happened, `measure` turns notes into metrics."""

    block: ClassVar[int]  # steps that are measured at once
    t: int  # steps taken so far

    def __init__(self, data: Any, user: Any, learner: Any, replicates: int, seeds: Seeds) -> None:
        """`seeds` spawns the streams of the data order, the user (or the world's noise), the learner, and probes."""

    def step(self) -> None:
        """Observe, present, obtain feedback, update."""

    def last(self) -> Any:
        """The record of the latest step for the inspector, or None before the first."""

    def measure(self) -> dict[str, Array] | None:
        """Metrics of the steps noted since the last call, each (B, R); None if there are none."""


class Order:
    """In which order each replicate meets the rows of the data: all of them, shuffled, again and again.

    >>> order = Order(rows=3, rng=Stream(np.random.default_rng(0), replicates=2))
    >>> sorted(int(order.next()[0]) for _ in range(3))
    [0, 1, 2]
    """

    def __init__(self, rows: int, rng: Stream) -> None:
        self.rows, self.rng = rows, rng
        self._order: Array = np.empty((0, rng.replicates), dtype=np.int32)
        self._taken = 0  # rows of the order that have been unpacked
        self._ready: Array = self._order  # some of them, of the type that NumPy looks up fastest
        self._at = 0

    def next(self) -> Array:
        """(R,) the next row of each replicate."""
        if self._at == len(self._ready):
            self._unpack()
        self._at += 1
        found: Array = self._ready[self._at - 1]
        return found

    def _unpack(self) -> None:
        if self._taken == len(self._order):
            self._order = np.ascontiguousarray(self.rng.permutations(self.rows, np.int32).T)
            self._taken = 0
        self._ready = self._order[self._taken : self._taken + _UNPACKED].astype(np.intp)
        self._taken += len(self._ready)
        self._at = 0


class RunningSums:
    """Sums that go on from block to block.

    Added up one after the other, whatever the block: a run sliced differently gives the same bits.

    >>> sums = RunningSums(replicates=1)
    >>> sums.add("mistakes", np.array([[1.0], [1.0]])).ravel(), sums.add("mistakes", np.array([[1.0]])).ravel()
    (array([1., 2.]), array([3.]))
    """

    def __init__(self, replicates: int) -> None:
        self.replicates = replicates
        self._totals: dict[str, Array] = {}

    def add(self, name: str, values: Array) -> Array:
        """(B, R) running sums of the next B values."""
        before = self._totals.get(name)
        if before is None:
            before = np.zeros(self.replicates)
        total: Array = np.cumsum(np.concatenate([before[None, :], values]), axis=0)[1:]
        self._totals[name] = total[-1]
        return total
