"""A race computed step by step in the background, with everything that its playback needs."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from learners import Simulation
from learners.compiled import waiting
from learners.run.states import weigh
from pages.ui.choice import Choice
from pages.ui.play.compiling import words
from pages.ui.play.frames import Frames
from pages.ui.play.job import Job
from pages.ui.race.moment import Moment
from pages.ui.race.setup import Setup

KEYFRAMES = 120  # of each picture, in a run of more steps than that
SEEN = 8  # simulations at earlier steps that are kept for those who look at them
MOST_COSTS = 300  # measurements of the cost of a step that are kept

Picture = Callable[[Moment], Any]


class Recording(Job):
    """The simulations of a race, which a worker advances, and keyframes of its pictures.

    Parameters
    ----------
    name : differs from those of all other recordings. setup : what determines the numbers. data : loaded from
    `setup.dataset`. pictures : by chart id, functions that draw a picture of a moment, in a worker's thread.
    like : a recording whose learners need not run again if their numbers are the same.

    Attributes
    ----------
    t : steps that every simulation has taken. frames : keyframes of the pictures, by chart id.
    failed : a sentence if the run broke off, else "".

    Raises
    ------
    ValueError : for learners, users and data that do not fit one another.
    """

    def __init__(
        self, name: str, setup: Setup, data: Any, pictures: Mapping[str, Picture] = {}, like: Recording | None = None
    ) -> None:
        super().__init__()
        self.name, self.setup, self.data, self.data_bytes = name, setup, data, weigh(data, {})
        known = _known(like, setup, data) if like is not None and not pictures else {}
        self.simulations = [
            known[choice].pop() if known.get(choice) else setup.simulation(choice, data) for choice in setup.learners
        ]
        self.costs: list[list[tuple[int, float]]] = [[] for _ in self.simulations]
        self.t = 0
        self.frames = {id: Frames() for id in pictures}
        self._pictures = pictures
        self._keyframes = keyframes(setup.steps)
        self._next = 0  # number of the next keyframe
        self._seen: OrderedDict[tuple[int, int], Simulation] = OrderedDict()
        self._looking = threading.Lock()
        self._parts: dict[Hashable, tuple[tuple[int, bool], dict[str, Any]]] = {}

    @property
    def complete(self) -> bool:
        """Whether there is nothing left to compute."""
        return bool(self.failed) or self._next == len(self._keyframes)

    def advance(self, seconds: float) -> None:
        """Compute for about `seconds`."""
        self._advance(time.perf_counter() + seconds)
        self.bytes = sum(s.bytes for s in self.simulations) + sum(frames.bytes for frames in self.frames.values())

    def _advance(self, stop: float) -> None:
        while not self.complete:
            goal = int(self._keyframes[self._next])
            try:
                for simulation, costs in zip(self.simulations, self.costs, strict=True):
                    while simulation.t < goal:
                        left = stop - time.perf_counter()
                        if left <= 0:
                            return
                        _take(simulation, goal, left, costs)
            except ValueError as error:  # such as weights that overflow
                self.failed = str(error)
                self.t = min(simulation.t for simulation in self.simulations)
                return
            self.t = goal
            moment = Moment(self.setup, goal, self.simulations, self.costs)
            for id, draw in self._pictures.items():
                self.frames[id].add(goal, draw(moment))
            self._next += 1

    def parts(self, drawn: Hashable, make: Callable[[Moment], dict[str, Any]], seconds: float) -> dict[str, Any]:
        """Return what `make` makes of the race as far as it is computed, once for all who ask.

        drawn : what it depends on besides. While a worker is in the middle of a step for longer than some `seconds`, or
        compiles, it is what was made before, or what is made before the first step.
        """
        known = self._parts.get(drawn)
        if known is not None and known[0] == (self.t, self.complete):
            return dict(known[1])
        with self.looked_at(seconds) as got:
            if not got and known is not None:
                return dict(known[1])
            made = make(self.moment() if got else Moment(self.setup, 0, self.simulations))
            if got:
                self._parts[drawn] = ((self.t, self.complete), made)
                while len(self._parts) > SEEN:
                    self._parts.pop(next(iter(self._parts)))
            return dict(made)

    def moment(self) -> Moment:
        """Return the race as far as it is computed. Hold `lock` while you look at it."""
        return Moment(self.setup, self.t, self.simulations, self.costs)

    def at(self, slot: int, t: int) -> Simulation:
        """Return the simulation of a learner as it was after step t, from 0 to `t`. Do not advance it.

        The latest few are kept, so that looking at another replicate costs nothing.
        """
        with self._looking:
            if (slot, t) not in self._seen:
                self._seen[slot, t] = self.simulations[slot].fork(at=t + 1)
                while len(self._seen) > SEEN:
                    self._seen.popitem(last=False)
            self._seen.move_to_end((slot, t))
            return self._seen[slot, t]

    def waiting(self) -> str:
        """Return a sentence if the worker has to compile something first, else ""."""
        worker = self.worker
        return words(int(time.monotonic() - self.since)) if worker is not None and waiting(worker) else ""


def _known(like: Recording, setup: Setup, data: Any) -> dict[Choice, list[Simulation]]:
    """Return the simulations of a complete recording that a setup may use as they are, by their learners."""
    found: dict[Choice, list[Simulation]] = {}
    same = replace(like.setup, learners=setup.learners) == setup and like.data is data
    if same and like.complete and not like.failed:
        for choice, simulation in zip(like.setup.learners, like.simulations, strict=True):
            found.setdefault(choice, []).append(simulation)
    return found


def keyframes(steps: int) -> Any:
    """Return the steps at which pictures are drawn, beginning with 0.

    >>> keyframes(3)
    array([0, 1, 2, 3])
    >>> len(keyframes(1000)), int(keyframes(1000)[-1])
    (121, 1000)
    """
    return np.unique(np.linspace(0, steps, min(steps, KEYFRAMES) + 1).round().astype(int))


def _take(simulation: Simulation, goal: int, seconds: float, costs: list[tuple[int, float]]) -> None:
    began, before = time.perf_counter(), simulation.t
    simulation.advance(steps=goal - before, seconds=seconds)
    spent = (time.perf_counter() - began) / (simulation.t - before) / simulation.replicates
    costs.append((simulation.t, 1e6 * spent))
    if len(costs) > MOST_COSTS:  # keep every other one
        del costs[:-1:2]
