"""The declaration of an event, a kind of moment in a run that a timeline marks, and how the history tells of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import numpy as np

from learners.base import Array
from learners.metric import Metric

T = TypeVar("T")
SIGNS = ("up", "down", "star", "dot", "stop", "cycle", "person")


class Track:
    """The metrics of one replicate of a simulation, step by step.

    It covers the steps that the history records one by one. A row of a thinned history stands for several steps, and
    which of them an event belongs to cannot be known. The history may grow meanwhile; the track stays as it is.

    simulation, replicate : what it is taken from. steps : number of steps that it covers.

    >>> from learners import Simulation
    >>> from learners.classification.metrics import MISTAKES
    >>> sim = Simulation("banditron", "digits", replicates=3, seed=0, recorded=50)
    >>> sim.advance(steps=200)
    >>> track = Track(sim, replicate=2)
    >>> track.steps, track[MISTAKES].shape
    (50, (50,))
    """

    def __init__(self, simulation: Any, replicate: int) -> None:
        self.simulation, self.replicate = simulation, replicate
        self.steps: int = min(simulation.history.rows, simulation.history.recorded)
        self._columns: dict[str, Array] = {}
        self._made: dict[Callable[[Track], Any], Any] = {}

    def __contains__(self, metric: Metric) -> bool:
        return metric.id in self.simulation.history

    def __getitem__(self, metric: Metric) -> Array:
        if metric.id not in self._columns:
            values = self.simulation.history[metric.id][: self.steps, self.replicate]
            self._columns[metric.id] = np.ascontiguousarray(values)
        return self._columns[metric.id]

    def once(self, make: Callable[[Track], T]) -> T:
        """Return `make(track)`, which is called once for all events that ask for it."""
        if make not in self._made:
            self._made[make] = make(self)
        found: T = self._made[make]
        return found


@dataclass(frozen=True)
class Found:
    """The steps at which an event happened, k of them.

    at : (k,) steps, rising. say : function from a place in `at` to a sentence on it, without capital and full stop.
    telling : (k,) how much each has to tell; where there are too many, those with the largest are kept. Empty if all
    are equal. cause : (k,) for each the step whose update brought it, 0 where that cannot be said; empty if it is the
    step itself.
    """

    at: Array
    say: Callable[[int], str]
    telling: Array = field(default_factory=lambda: np.empty(0))
    cause: Array = field(default_factory=lambda: np.empty(0, dtype=np.int64))


NOTHING = Found(np.empty(0, dtype=np.int64), str)


@dataclass(frozen=True, eq=False)
class Event:
    """A kind of moment in a run.

    Parameters
    ----------
    id, title : its name in links and in words. sign : how it is marked, one of SIGNS.
    help : the definition, and which are kept where there are many.
    metrics : what `find` reads; where one was not recorded, the event is left out.
    find : function from a `Track` to the steps at which it happened.
    superlative : whether it may move to a later step while the run goes on, as the largest of something does. All
        others depend on the steps up to their own only.
    common : whether it belongs to a race, and is the same for all its learners. Of these all are kept.
    noun, of : what it is called where it is counted, such as "fall" with "of the best document". One that comes once in
    a run has no noun, and its title names it.

    >>> Event("lost", "Lost", "skull", "", (), lambda track: NOTHING)
    Traceback (most recent call last):
    ValueError: sign of lost must be one of up, down, star, dot, stop, cycle, person, got skull
    """

    id: str
    title: str
    sign: str
    help: str
    metrics: tuple[Metric, ...]
    find: Callable[[Track], Found]
    superlative: bool = False
    common: bool = False
    noun: str = ""
    of: str = ""

    def __post_init__(self) -> None:
        if self.sign not in SIGNS:
            raise ValueError(f"sign of {self.id} must be one of {', '.join(SIGNS)}, got {self.sign}")


def turns(up: Array, down: Array, group: Array | None = None) -> tuple[Array, Array]:
    """Return the places (k,) where a state turns, and for each the last place before it at which the state was marked.

    The state is that of the last mark, up or down; at places without a mark it stays. It turns where a mark differs
    from the one before in the same group.

    up, down : (n,) bool marks. group : (n,) integers in rising order, or None for one group.

    >>> up, down = np.array([True, False, False, False, True]), np.array([False, False, True, True, False])
    >>> turns(up, down)
    (array([2, 4]), array([0, 3]))
    """
    marked = np.flatnonzero(up | down)
    state = up[marked]
    turn = state[1:] != state[:-1]
    if group is not None:
        turn &= group[marked[1:]] == group[marked[:-1]]
    return marked[1:][turn], marked[:-1][turn]


def largest_move(change: Metric, norm: Metric | None = None, what: str = "w") -> Event:
    """Declare the largest move of the weights. change, norm : metrics with its size, and with ‖w‖ after a step."""
    return Event(
        "largest-move", "Largest move of the weights", "dot",
        f"The step that moved {what} farthest so far.",
        (change,) if norm is None else (change, norm), partial(_largest_move, change, norm, what), superlative=True,
    )  # fmt: skip


def _largest_move(change: Metric, norm: Metric | None, what: str, track: Track) -> Found:
    size = np.nan_to_num(track[change])
    if not size.any():
        return NOTHING
    at = int(size.argmax())
    text = f"{what} makes its largest move, by {size[at]:.3g}"
    if norm is not None:
        text += f"; its norm is now {track[norm][at]:.3g}"
    return Found(np.array([at + 1]), [text].__getitem__)


def largest_drop(metric: Metric, name: str) -> Event:
    """Declare the largest drop of a metric of the run from one step to the next. name : of the metric, in a sentence.

    Raises
    ------
    ValueError : for a metric of single steps, of which a thinned history keeps means.
    """
    if metric.per_step:
        raise ValueError(f"{metric.id} is of single steps, whose drops tell nothing; use a metric of the run")
    return Event(
        "largest-drop", f"Largest drop of {name}", "down",
        f"The largest drop so far of “{metric.title}” from one value to the next.",
        (metric,), partial(_largest_drop, metric, name), superlative=True,
    )  # fmt: skip


def _largest_drop(metric: Metric, name: str, track: Track) -> Found:
    values = track[metric]
    drop = np.nan_to_num(values[:-1] - values[1:])
    if not (drop > 0).any():
        return NOTHING
    at = int(drop.argmax())
    text = f"{name} falls from {values[at]:.3g} to {values[at + 1]:.3g}, its largest drop"
    return Found(np.array([at + 2]), [text].__getitem__)
