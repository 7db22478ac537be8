"""The interface of environments, the part of a simulation that knows the truth, and the parts that they share."""

import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Protocol

import numpy as np

from learners.base import Array
from learners.metric import Metric
from learners.random import Seeds, Stream

_UNPACKED = 256  # steps of an order that are unpacked together


class Diverged(ValueError):
    """Raised by the run after the steps in which the weights of a learner were finite numbers for the last time.

    >>> Diverged("banditron-winnow", 412, "choose a smaller rate (η)")
    Diverged('banditron-winnow', 412, 'choose a smaller rate (η)')
    >>> print(Diverged("banditron-winnow", 412, "choose a smaller rate (η)"))
    the weights of banditron-winnow are no longer finite numbers at step 412; choose a smaller rate (η)
    """

    def __init__(self, id: str, step: int, advice: str) -> None:
        super().__init__(id, step, advice)  # by which another process makes it again

    def __str__(self) -> str:
        id, step, advice = self.args
        return f"the weights of {id} are no longer finite numbers at step {step}; {advice}"


class Environment(Protocol):
    """The world of one learner in R replicates."""

    t: int  # steps taken so far
    watched: ClassVar[tuple[str, ...]]  # columns of what can be watched, see `Watchable`

    @property
    def block(self) -> int:
        """The most steps that are worth taking at once, since their memory and time are limited."""

    def __init__(self, data: Any, user: Any, learner: Any, replicates: int, seeds: Seeds) -> None:
        """Spawn four streams from `seeds`, for the data order, the user (or noise), the learner, and probes."""

    def run(self, steps: int) -> dict[Metric, Array]:
        """Take steps, at least one and at most `block`, and return the metrics after each of them, (steps, R)."""

    def last(self) -> Any:
        """Return the record of the latest step for the inspector, or None before the first step."""

    def changed(self) -> None:
        """Take over parameters of the learner, or a user, that have changed since the latest step."""


class Watchable:
    """An environment that can keep what one replicate does in each step.

    watched : names of the columns that it keeps, none if it cannot. watching : the replicate, −1 for none.
    """

    watched: ClassVar[tuple[str, ...]] = ()
    watching: int = -1

    def watch(self, replicate: int) -> None:
        """Keep what this replicate does in the steps to come."""
        self.watching = replicate
        self._kept: list[Mapping[str, Array]] = []

    def keep(self, columns: Mapping[str, Array]) -> None:
        """Keep the columns of the next steps."""
        self._kept.append(columns)

    def seen(self) -> dict[str, Array]:
        """Hand over what was kept since the last call, by column, (steps, …); nothing if no step was taken."""
        parts, self._kept = self._kept, []
        return {name: np.concatenate([part[name] for part in parts]) for name in self.watched} if parts else {}


class Answerable:
    """An environment in whose steps a person can answer, in place of the simulated user or of the truth.

    answerable : what a person can approve of in a step, in the plural. asks : what a person answers in a step.
    """

    answerable: ClassVar[str] = "items"
    asks: ClassVar[str] = "step"

    @staticmethod
    def items_at(data: Any, seeds: Seeds, steps: Array) -> Array:
        """Return how many items a person can approve of in each of these steps (k,) of the first replicate, (k,)."""
        raise NotImplementedError

    @staticmethod
    def said(data: Any, items: Sequence[int]) -> str:
        """Return what a person says by approving of some items, as a clause about "the person", in plain text."""
        raise NotImplementedError

    def answer(self, items: Sequence[int]) -> None:
        """Let the first replicate hear a person in the next step, who approves of these items, from 0.

        All random numbers are drawn as ever, other replicates hear what they hear anyway, and the step is measured
        against the truth.
        """
        raise NotImplementedError


class Stepwise(Watchable):
    """An environment that takes its steps one by one. A step takes notes, and `measure` turns these into metrics."""

    block: int = 64
    shared: ClassVar[tuple[str, ...]] = ()  # attributes that never change in place (see `learners.run.states.State`)

    def run(self, steps: int) -> dict[Metric, Array]:
        """Take steps and return the metrics after each of them, (steps, R)."""
        for _ in range(steps):
            self.step()
        return self.measure()

    def step(self) -> None:
        """Observe, present, obtain feedback and update."""
        raise NotImplementedError

    def measure(self) -> dict[Metric, Array]:
        """Return the metrics of the B steps since the last call, each (B, R)."""
        raise NotImplementedError

    def changed(self) -> None:
        """Take over what has changed of the learner and the user, if it is held elsewhere."""


class Order:
    """The order in which each replicate meets the rows of the data, shuffled again for every pass.

    >>> order = Order(rows=3, rng=Stream(np.random.default_rng(0), replicates=2))
    >>> sorted(int(order.next()[0]) for _ in range(3))
    [0, 1, 2]
    """

    shared: ClassVar[tuple[str, ...]] = ("_order",)  # which is replaced

    def __init__(self, rows: int, rng: Stream) -> None:
        self.rows, self.rng = rows, rng
        self._order: Array = np.empty((0, rng.replicates), dtype=np.int32)
        self._taken = 0  # steps of the order that have been unpacked
        self._ready: Array = self._order  # the steps unpacked last, in the type that indexes fastest
        self._at = 0  # position of the next step in _ready

    def next(self) -> Array:
        """Return the next row for each replicate, (R,)."""
        if self._at == len(self._ready):
            self._unpack()
        self._at += 1
        found: Array = self._ready[self._at - 1]
        return found

    def take(self, steps: int) -> Array:
        """Return the next rows for each replicate of some steps, (steps, R)."""
        parts = []
        while steps:
            if self._at == len(self._ready):
                self._unpack()
            parts.append(self._ready[self._at : self._at + steps])
            self._at += len(parts[-1])
            steps -= len(parts[-1])
        return np.concatenate(parts)

    def _unpack(self) -> None:
        if self._taken == len(self._order):
            self._order = np.ascontiguousarray(self.rng.permutations(self.rows, np.int32).T)
            self._taken = 0
        self._ready = self._order[self._taken : self._taken + _UNPACKED].astype(np.intp)
        self._taken += len(self._ready)
        self._at = 0


class Orders:
    """The orders of a run, drawn a second time and only as far as they are asked for; 4 bytes a step and replicate.

    >>> order = Order(3, Seeds(seed=1, replicates=2).spawn(4)[0])
    >>> bool((orders_of(Seeds(1, 2), rows=3).first(7, replicate=1) == order.take(7)[:, 1]).all())
    True
    """

    def __init__(self, seeds: Seeds, rows: int) -> None:
        self._rng, self._rows = seeds.spawn(1)[0], rows  # the first stream of every environment
        self._passes: list[Array] = []
        self._lock = threading.Lock()

    def first(self, steps: int, replicate: int) -> Array:
        """Return the rows that a replicate meets in its first steps, (steps,)."""
        number = -(-steps // self._rows)
        with self._lock:
            while len(self._passes) < number:
                self._passes.append(self._rng.permutations(self._rows, np.int32))
        return np.concatenate([part[replicate] for part in self._passes[:number]])[:steps]


@lru_cache(maxsize=4)
def orders_of(seeds: Seeds, rows: int) -> Orders:
    """Return the orders of runs with these random numbers and so many rows, kept for the latest four."""
    return Orders(seeds, rows)


class RunningSums:
    """Running sums that continue from block to block.

    Values are added one by one, so that the bits of a sum do not depend on the lengths of the blocks.

    >>> sums = RunningSums(replicates=1)
    >>> sums.add("mistakes", np.array([[1.0], [1.0]])).ravel(), sums.add("mistakes", np.array([[1.0]])).ravel()
    (array([1., 2.]), array([3.]))
    """

    def __init__(self, replicates: int) -> None:
        self.replicates = replicates
        self._totals: dict[str, Array] = {}

    def add(self, name: str, values: Array) -> Array:
        """Return the running sums of a name after each of the next B values, (B, R)."""
        before = self._totals.get(name)
        if before is None:
            before = np.zeros(self.replicates)
        total: Array = np.cumsum(np.concatenate([before[None, :], values]), axis=0)[1:]
        self._totals[name] = total[-1]
        return total
