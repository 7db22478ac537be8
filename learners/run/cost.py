"""Estimates what a run costs before it starts, from what its learner declares and from a few steps of small runs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from learners.base import Learner, Shape
from learners.catalogue import families
from learners.compiled import counts
from learners.run.history import LEAST_ROWS

SECONDS = 0.6  # of a core that a probe takes, unless single steps take longer
SEVERAL = 8  # replicates of the second small run, at most
ROOM = 64_000_000  # bytes of state of the second small run, at most

Make = Callable[[int], Any]  # makes a simulation, at step 0, with so many replicates
Clock = Callable[[], float]


@dataclass(frozen=True)
class Cost:
    """seconds : of one core, in all. bytes : the most memory held at a time. step : seconds of the longest step.

    >>> (Cost(2, 100, 0.1) + Cost(3, 50, 0.5)).seconds
    5
    """

    seconds: float = 0.0
    bytes: float = 0.0
    step: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.seconds + other.seconds, self.bytes + other.bytes, max(self.step, other.step))


def held(
    learner: Learner, shape: Shape, replicates: int, steps: int, recorded: int = LEAST_ROWS, again: int = 0
) -> float:
    """Return about the most bytes that a run holds at a time, without its data, before anything is allocated.

    recorded : steps that the history records one by one. again : copies of the state that are kept or made meanwhile.

    >>> from learners import create
    >>> learner, shape = create("second-order-perceptron"), Shape(features=3000)
    >>> round(held(learner, shape, replicates=50, steps=1000) / 1e9, 1)
    3.9
    """
    metrics = len(families()[learner.family].metrics)
    rows = min(steps, 2 * recorded + 1000)  # a long run is thinned
    state = (1 + again) * learner.memory(shape, replicates)
    return state + learner.scratch(shape, steps) + 8.0 * rows * metrics * replicates


def probe(
    make: Make,
    replicates: int,
    steps: int,
    seconds: float = SECONDS,
    clock: Clock = time.process_time,
    several: int = SEVERAL,
) -> Cost:
    """Return about how many seconds a run takes, without its memory, from small runs with the same settings.

    A run of one replicate, and one of a few, take steps for about `seconds` together, but at least one step each. The
    cost of a step is taken to grow with the replicates along the line through both. Which steps take more work than
    others the learner declares (`Learner.uneven`); which work a step may have to do later, too (`Learner.exert`).

    clock : returns the seconds that were worked, those of the process, or by time.thread_time those of this thread.
    several : the most replicates of the second run; 1 for none. Then replicates are taken to share nothing.

    >>> from learners import Simulation
    >>> cost = probe(lambda r: Simulation("banditron", "separable-points", replicates=r), 20, 1000, seconds=0.1)
    >>> 0 < cost.step < cost.seconds < 10
    True
    """
    before = _loaded()
    alone, uneven, run = _measured(make, 1, steps, seconds / 2, clock)
    if _loaded() != before:  # what is compiled or imported at first use is no cost of this run
        alone, uneven, run = _measured(make, 1, steps, seconds / 2, clock)
    state = max(1, run.learner.memory(run.shape, 1))
    several = min(several, replicates, int(ROOM / state))
    together = alone
    if several > 1:
        together, uneven, _ = _measured(make, several, steps, seconds / 2, clock)
    start, usual, unit, exertion = (_line(a, b, several, replicates) for a, b in zip(alone, together, strict=True))
    longest = usual + max(exertion, unit * max(uneven.values(), default=0.0))
    return Cost(start + usual * steps + unit * sum(uneven.values()), step=longest)


def _loaded() -> tuple[int, ...]:
    return len(sys.modules), *counts().values()


def _line(alone: float, together: float, several: int, replicates: int) -> float:
    """Return what so many replicates take if one takes `alone`, and several `together`."""
    if several == 1:
        return alone * replicates
    slope = max(0.0, together - alone) / (several - 1)
    return together + slope * (replicates - several)


def _measured(
    make: Make, replicates: int, steps: int, seconds: float, clock: Clock
) -> tuple[tuple[float, float, float, float], Mapping[int, float], Any]:
    """Return the seconds to start, of a usual step, of a unit of uneven work and of an exertion, what is uneven, and
    the run."""
    began = clock()
    run = make(replicates)
    start = clock() - began
    stop = clock() + seconds
    uneven = run.learner.uneven(steps)
    usual, more = list[tuple[float, float]](), list[tuple[float, float]]()  # steps or units of work, and seconds
    size = 1  # steps of the next piece
    while run.t < steps and (clock() < stop or not (usual or more)):
        toiled, before = run.learner.toiled, clock()
        run.advance(steps=min(size, steps - run.t))
        spent = clock() - before
        work = uneven.get(run.t, 0.0) if toiled is None else float(run.learner.toiled - toiled)
        if work:
            more.append((work, spent))
        else:
            usual.append((size, spent))
            if not uneven or (toiled is None and run.t >= max(uneven)):  # else each step is told from others
                size = 2 * size if spent < (stop - clock()) / 4 else size
    step = _rate(usual)
    unit = _rate([(work, max(0.0, spent - step)) for work, spent in more])
    uneven = run.learner.uneven(steps)
    before = clock()
    run.learner.exert()
    return (start, step, unit, clock() - before), uneven, run


def _rate(pieces: list[tuple[float, float]]) -> float:
    """Return seconds for each unit, from the latest pieces that took half of the time; 0 if there are none.

    >>> _rate([(1, 8.0), (1, 2.0), (4, 12.0)])
    3.0
    """
    half = sum(spent for _, spent in pieces) / 2
    units = taken = 0.0
    for amount, spent in reversed(pieces):
        units, taken = units + amount, taken + spent
        if taken >= half * (1 - 1e-9) and taken > 0:
            break
    return taken / units if units else 0.0
