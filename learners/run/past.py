"""The past of a simulation: states kept at intervals, within a budget of memory, to return to any step."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from learners.base import Array
from learners.metric import Metric
from learners.run.change import Change
from learners.run.states import State, weigh

MEGABYTES = 64.0  # default budget of a simulation
MOST_STATES = 1000  # states of a simulation
SHARE = 1 / 32  # of the time of a run that keeping states may take
BEFORE = 16  # steps in front of one that is looked at which are as fast to reach


class Past:
    """Keeps states of an environment at steps that are multiples of an interval, and replays the steps in between.

    The interval is a power of two. It doubles, and every other state is dropped, when the states take more than
    `megabytes` (a million bytes each), when there are more than 1,000 of them, or when keeping them takes more than a
    thirty-second of the time of the run. A state that is larger than the budget is not kept. The states kept
    make no difference to the one that `reach` returns.

    One thread may `keep` while others `reach`.

    Attributes
    ----------
    interval : steps between two states. bytes : memory that they take. states : by step, in rising order; replaced,
    never changed in place.
    """

    def __init__(self, megabytes: float) -> None:
        self.budget = int(1e6 * megabytes)
        self.interval = 0  # until the first state
        self.states: Mapping[int, State] = {}
        self.bytes = 0
        self.worked = 0.0  # processor seconds that the run has taken since the latest state
        self._cost = float("inf")  # processor seconds that the latest state took
        self._fixed: dict[int, Any] | None = None  # what all states share and the environment holds anyway, by id
        self._seen: dict[int, Any] = {}  # what states share beyond that, and which therefore counts
        self._lock = threading.Lock()  # for the following two
        self._cursor: Any = None  # the environment that was replayed last
        self._near: State | None = None  # a few steps before the cursor

    def left(self, t: int) -> float:
        """Return the number of steps from step t to the next at which a state is to be kept."""
        return self.interval - t % self.interval if self.interval else float("inf")

    def keep(self, environment: Any) -> None:
        """Keep the present state of an environment, if its turn has come."""
        t: int = environment.t
        if not self.budget or (self.interval and t % self.interval) or t in self.states:
            return
        if not self.interval:
            self.interval = 1 << (max(1, environment.block) - 1).bit_length()
            if t % self.interval:
                return
        began = time.thread_time()
        state = State(environment)
        if self._fixed is None:
            self._fixed = dict(state.shared)
        if state.bytes <= self.budget:
            self.states = {**self.states, t: state}
            self.bytes += state.bytes + self._shared(state)
        else:
            self.interval *= 2  # the older states may stay
        cost = time.thread_time() - began
        slow = t > 0 and min(cost, self._cost) > SHARE * self.worked  # a single slow one may be chance
        self._cost, self.worked = cost, 0.0
        while slow or ((self.bytes > self.budget or len(self.states) > MOST_STATES) and len(self.states) > 1):
            self._thin()
            slow = False
        if self.bytes > self.budget:
            self._only({})

    def _thin(self) -> None:
        self.interval *= 2
        self._only({t: state for t, state in self.states.items() if t % self.interval == 0})

    def _only(self, states: Mapping[int, State]) -> None:
        """Keep these states and no others."""
        self.states, self._seen = states, {}
        self.bytes = sum(state.bytes + self._shared(state) for state in states.values())

    def _shared(self, state: State) -> int:
        """Return the bytes of what a state shares, but which lives on only because states hold it, and note it."""
        fixed = self._fixed or {}
        return sum(weigh(item, self._seen) for key, item in state.shared.items() if key not in fixed)

    def until(self, t: int) -> Past:
        """Return the past up to step t, with the same states."""
        past = Past(self.budget / 1e6)
        past.interval, past._fixed = self.interval, self._fixed
        past._only({at: state for at, state in self.states.items() if at <= t})
        return past

    def nearest(self, t: int, fresh: Callable[[], Any]) -> Any:
        """Return a copy of the environment at the nearest step up to t that was kept, or else a fresh one."""
        states = self.states  # another thread may replace it
        found = max((at for at in states if at <= t), default=None)
        return fresh() if found is None else states[found].restore()

    def record(self, t: int, fresh: Callable[[], Any], changes: Sequence[Change]) -> Any:
        """Return what `last` of the environment was after step t ≥ 1.

        The next call is fast for a step that follows, or is one of the few in front.
        """
        with self._lock:
            cursor, earlier = self._cursor, self._near
            if cursor is None or cursor.t != t:
                self._cursor = None  # should the replay be interrupted
                kept = max((at for at in self.states if at < t), default=0)
                if cursor is None or not kept <= cursor.t < t:
                    near = earlier is not None and kept <= earlier.t < t
                    cursor = earlier.restore() if earlier is not None and near else self.nearest(t - 1, fresh)
                if cursor.t < t - BEFORE:
                    replay(cursor, t - BEFORE, changes)
                    self._near = State(cursor)
                elif earlier is None or earlier.t >= t:
                    self._near = None
                replay(cursor, t, changes)
                self._cursor = cursor
            return cursor.last()


def replay(environment: Any, t: int, changes: Sequence[Change] = ()) -> None:
    """Run an environment up to step t."""
    for _ in blocks(environment, t, changes):
        pass


def blocks(environment: Any, t: int, changes: Sequence[Change] = ()) -> Iterator[dict[Metric, Array]]:
    """Run an environment up to step t with the changes that come before it, and yield the metrics of each block."""
    while environment.t < t:
        make_due(changes, environment)
        steps = min(environment.block, t - environment.t, before_next(changes, environment.t))
        yield environment.run(int(steps))


def make_due(changes: Sequence[Change], environment: Any) -> None:
    """Make the changes that begin with the next step."""
    for change in changes:
        if change.at == environment.t + 1:
            change.make(environment)


def before_next(changes: Sequence[Change], t: int) -> float:
    """Return the most steps that can be taken as a block after step t, so that a change begins a block.

    A step that is answered by somebody else is a block of its own.
    """
    if any(change.at == t + 1 and change.alone for change in changes):
        return 1
    return min((change.at - 1 - t for change in changes if change.at > t + 1), default=float("inf"))
