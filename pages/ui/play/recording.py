"""A race computed step by step in the background, with everything that its playback needs."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

import numpy as np

from datasets.spec import Spec
from learners import Simulation
from learners.run.states import weigh
from learners.spec import RunSpec
from pages.ui.jobs.estimate import RaceEstimate
from pages.ui.jobs.job import Sliced
from pages.ui.jobs.once import once
from pages.ui.play.frames import Frames
from pages.ui.race.limits import lab_simulation
from pages.ui.race.moment import Moment

KEYFRAMES = 120  # of each picture, in a run of more steps than that
ROUNDS = 300  # the same of boosting, where each round has its own as long as there are no more
STAGES = 8  # at which learners wait for one another without pictures; each costs a little
SEEN = 8  # simulations at earlier steps that are kept for those who look at them
SEEN_BYTES = 50e6  # that they may take, except for the latest
SHOWN_SOON = 0.5  # seconds for which what follows complete curves waits until a page has them
MOST_COSTS = 300  # measurements of the cost of a step that are kept

Picture = Callable[[Moment], Any]
Parts = tuple[tuple[int, bool], dict[str, Any]]  # steps taken, whether that is all, and what was made of them


class Recording(Sliced):
    """The simulations of a race, which a worker advances, and keyframes of its pictures.

    A page that shows pictures has two: the first takes large steps, and its curves are soon complete; the second takes
    the same steps once more, stops at each keyframe, and draws.

    Parameters
    ----------
    name : differs from those of all other recordings. setup : what determines the numbers. data : loaded from
    `setup.dataset`. pictures : by chart id, functions that draw a picture of a moment, in a worker's thread.
    like : a recording whose learners need not run again if their numbers are the same. ran : simulations from
    elsewhere; where they have run, nothing is left to compute. after : the recording that comes first, whose steps are
    taken once more. estimate : of what it takes; if this refuses the run, it is broken off.

    Attributes
    ----------
    t : steps that every simulation has taken. frames : keyframes of the pictures, by chart id.
    failed : a sentence if the run broke off, else "".

    Raises
    ------
    ValueError : for learners, users and data that do not fit one another.
    """

    def __init__(
        self, name: str, setup: RunSpec, data: Any, pictures: Mapping[str, Picture] = {}, like: Recording | None = None,
        ran: Sequence[Simulation] = (), after: Recording | None = None, estimate: RaceEstimate | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.name, self.setup, self.data, self.unit = name, setup, data, setup.family.unit
        self._after = after
        frames = ROUNDS if setup.family.rounds else KEYFRAMES
        self._keyframes = keyframes(setup.steps, frames if pictures else STAGES)
        known = _known(like, setup, data) if like is not None and not pictures else {}
        self.simulations: list[Simulation] = list(after.simulations if after else ran) or [
            known[learner].pop() if known.get(learner) else lab_simulation(setup, number, data)
            for number, learner in enumerate(setup.learners)
        ]
        self._known = 0 if after else sum(simulation.t for simulation in self.simulations)  # steps that others took
        self.costs: list[list[tuple[int, float]]] = [[] for _ in self.simulations]
        self.frames = {id: Frames() for id in pictures}
        self._pictures = pictures
        self.t = min((simulation.t for simulation in ran), default=0)
        self._next = len(self._keyframes) if self.t else 0  # number of the next keyframe
        self._begun = after is None
        self._seen: OrderedDict[tuple[int, int], Simulation] = OrderedDict()
        self._looking = threading.Lock()
        self._pages, self._ended = 0, 0.0  # pages that are about to draw the curves, and when these were complete
        self._looked = 0  # bytes of the simulations at earlier steps
        self._parts: dict[Hashable, Parts] = {}
        self._missed: dict[Hashable, Callable[[Moment], dict[str, Any]]] = {}  # asked for while a worker was busy
        self.data_bytes, self.estimate = weigh(data, {}), estimate

    @property
    def complete(self) -> bool:
        """Whether there is nothing left to compute."""
        return bool(self.failed) or self._next == len(self._keyframes)

    @property
    def ready(self) -> bool:
        """Whether it can begin: the recording whose steps it takes once more comes first."""
        return self._after is None or self._after.shown

    @property
    def shown(self) -> bool:
        """Whether the curves are complete, and no page is about to draw them: only then comes what follows them."""
        return self.complete and not (self._pages and time.monotonic() - self._ended < SHOWN_SOON)

    @contextmanager
    def showing(self) -> Iterator[None]:
        """Hold back what follows the curves, which would slow the page down that draws these, but not for long."""
        with self.grown:
            self._pages += 1
        try:
            yield
        finally:
            with self.grown:
                self._pages -= 1

    def advance(self, seconds: float) -> None:
        """Compute for about `seconds`."""
        if self._after is not None and not self._begun:
            self.simulations, self._begun = [run.fork(at=1) if run.t else run for run in self._after.simulations], True
        self._advance(time.perf_counter() + seconds)
        while self._missed and not self.abandoned:
            with suppress(Exception):  # the next request will see the error
                self._make(*self._missed.popitem())
        self._weigh()

    def _advance(self, stop: float) -> None:
        while not self.complete:
            goal = int(self._keyframes[self._next])
            for slot, (simulation, costs) in enumerate(zip(self.simulations, self.costs, strict=True)):
                try:
                    while simulation.t < goal:
                        left = stop - time.perf_counter()
                        if left <= 0:
                            return
                        _take(simulation, goal, left, costs)
                except ValueError as error:  # such as weights that overflow
                    if not self.abandoned:
                        self._break_off(slot, str(error))
                    return
            if self.abandoned:  # a step that nobody waits for any more has ended
                return
            self.t = goal
            moment = Moment(self.setup, goal, self.simulations, self.costs)
            for id, draw in self._pictures.items():
                self.frames[id].add(goal, draw(moment))
            self._ended = time.monotonic()
            self._next += 1
        if self._after is not None and not self.failed:  # the same numbers need not be kept twice
            self.simulations = self._after.simulations

    def _break_off(self, slot: int, words: str) -> None:
        """End where a learner broke off, with those that have not come as far brought there."""
        end = self.simulations[slot].history.steps
        for simulation in self.simulations:
            with suppress(ValueError):
                simulation.advance(steps=max(0, end - simulation.t))
        self.t = min(simulation.history.steps for simulation in self.simulations)
        self.failed = words

    def parts(
        self, drawn: Hashable, make: Callable[[Moment], dict[str, Any]], seconds: float
    ) -> tuple[dict[str, Any], bool]:
        """Return make(moment), cached for all viewers, and whether the run was complete.

        drawn : what it depends on besides. While a worker is in the middle of a step for longer than some `seconds`, or
        compiles, it is what was made before, or what is made before the first step; the worker then makes it at the end
        of that step for the next request. Then, and wherever the race has gone on meanwhile, it is not all, even if the
        race is complete by the time this function returns.
        """
        known = self._parts.get(drawn)
        if known is not None and known[0] == (self.t, self.complete):
            return dict(known[1]), known[0][1]
        with self.looked_at(-1 if self.complete else seconds) as got:
            if not got:
                self._missed[drawn] = make
                return dict(known[1] if known is not None else make(Moment(self.setup, 0, self.simulations))), False
            (_, whole), made = self._make(drawn, make)
            self._weigh()
            return dict(made), whole

    def _make(self, drawn: Hashable, make: Callable[[Moment], dict[str, Any]]) -> Parts:
        found = self._parts[drawn] = (self.t, self.complete), make(self.moment())
        while len(self._parts) > SEEN:
            self._parts.pop(next(iter(self._parts)))
        return found

    def _look_bytes(self) -> int:
        return sum(simulation.history.bytes for simulation in self._seen.values())

    def _weigh(self) -> None:
        shared = self._after is not None and self.simulations is self._after.simulations
        parts = (*(s.bytes for s in self.simulations if not shared), *(frames.bytes for frames in self.frames.values()))
        self.bytes = sum(parts) + self._looked

    def seconds_left(self) -> float:
        """Return about how many seconds of work are left: 0 before any work, infinitely many before the first step."""
        taken = sum(simulation.t for simulation in self.simulations) - self._known
        if self.complete or not (self._begun and self.worked and taken > 0):
            return 0.0 if self.complete else super().seconds_left()
        return self.worked * ((self.setup.steps * len(self.simulations) - self._known) / taken - 1)

    def moment(self) -> Moment:
        """Return the race as far as it is computed. Hold `lock` while you look at it."""
        return Moment(self.setup, self.t, self.simulations, self.costs)

    def at(self, slot: int, t: int) -> Simulation:
        """Return the simulation of a learner as it was after step t, from 0 to `t`. Do not advance it.

        The latest few are kept, so that looking at another replicate costs nothing.
        """
        with self._looking:
            if (slot, t) not in self._seen:
                self._seen[slot, t] = once(self.simulations[slot].forking(at=t + 1))
                while len(self._seen) > SEEN or (self._look_bytes() > SEEN_BYTES and len(self._seen) > 1):
                    self._seen.popitem(last=False)
                self._looked = self._look_bytes()
                self._weigh()
            self._seen.move_to_end((slot, t))
            return self._seen[slot, t]


def _known(like: Recording, setup: RunSpec, data: Any) -> dict[Spec, list[Simulation]]:
    """Return the simulations of a complete recording that a setup may use as they are, by their learners."""
    found: dict[Spec, list[Simulation]] = {}
    same = replace(like.setup, learners=setup.learners) == setup and like.data is data
    if same and like.complete and not like.failed:
        for choice, simulation in zip(like.setup.learners, like.simulations, strict=True):
            found.setdefault(choice, []).append(simulation)
    return found


def keyframes(steps: int, number: int = KEYFRAMES) -> Any:
    """Return 0 and about so many steps at which all learners wait for one another, and pictures are drawn.

    >>> keyframes(3)
    array([0, 1, 2, 3])
    >>> len(keyframes(1000)), int(keyframes(1000)[-1])
    (121, 1000)
    """
    return np.unique(np.linspace(0, steps, min(steps, number) + 1).round().astype(int))


def _take(simulation: Simulation, goal: int, seconds: float, costs: list[tuple[int, float]]) -> None:
    began, before = time.perf_counter(), simulation.t
    simulation.advance(steps=goal - before, seconds=seconds)
    spent = (time.perf_counter() - began) / (simulation.t - before) / simulation.replicates
    costs.append((simulation.t, 1e6 * spent))
    if len(costs) > MOST_COSTS:  # keep every other one
        del costs[:-1:2]
