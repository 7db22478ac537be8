"""A race, in which the simulations of up to four learners advance in step."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from learners import Simulation
from pages.ui.choice import Choice
from pages.ui.lab.setup import Setup

MOST_COSTS = 300  # measurements of the speed of a simulation that are kept


class Race:
    """Simulations side by side. Whenever `tick` returns, all of them are at the same step.

    goal : the step up to which the race runs even while paused, so that a changed setting shows its whole curve.
    """

    def __init__(self) -> None:
        self.setup: Setup | None = None
        self.simulations: list[Simulation] = []
        self.goal = 0
        self.playing = False
        self.costs: list[list[tuple[int, float]]] = []  # for each simulation (step reached, µs per step and replicate)
        self._owed = 0.0  # steps due at the chosen speed and not yet taken
        self._chunk = 1.0  # steps that take about half a slice

    @property
    def t(self) -> int:
        """The number of steps that every simulation has taken."""
        return min((s.t for s in self.simulations), default=0)

    @property
    def data(self) -> Any:
        """The data that the learners run on."""
        return self.simulations[0].dataset

    @property
    def active(self) -> bool:
        """Whether the race has steps to take now."""
        if self.setup is None:
            return False
        return (self.playing and self.t < self.setup.steps) or self.t < self.goal

    def change(self, setup: Setup, data: Any) -> None:
        """Adopt a new setup. Learners whose numbers it does not affect keep their run."""
        if setup == self.setup:
            return
        known: dict[Choice, list[Simulation]] = {}
        old = self.setup
        if old and replace(old, learners=setup.learners, steps=setup.steps) == setup:
            for choice, simulation in zip(old.learners, self.simulations, strict=True):
                known.setdefault(choice, []).append(simulation)
        reached = max((s.t for s in self.simulations), default=0)
        self.simulations = [
            known[choice].pop() if known.get(choice) else setup.simulation(choice, data) for choice in setup.learners
        ]
        self.costs = [[] for _ in self.simulations]
        if any(s.t > setup.steps for s in self.simulations):
            for simulation in self.simulations:
                simulation.reset()
        self.setup = setup
        self.goal = min(reached, setup.steps)
        self._chunk = 1.0

    def step(self) -> None:
        """Take one step with every learner, and pause."""
        if self.setup and self.t < self.setup.steps:
            self.playing = False
            self._to(self.t + 1)
            self.goal = self.t

    def reset(self) -> None:
        """Go back to step 0."""
        for simulation in self.simulations:
            simulation.reset()
        self.costs = [[] for _ in self.simulations]
        self.playing, self.goal, self._owed = False, 0, 0.0

    def pause(self) -> None:
        """Pause at the current step."""
        self.playing, self.goal = False, self.t

    def tick(self, seconds: float, speed: float | None, elapsed: float) -> None:
        """Run for at most about `seconds`.

        speed : steps per second, or None for as many as fit. elapsed : seconds since the last tick.
        """
        if self.setup is None or not self.active:
            return
        end = self.setup.steps if self.playing else self.goal
        if speed is not None and self.t >= self.goal:
            self._owed = min(self._owed + speed * elapsed, max(1.0, speed))
            end = min(end, self.t + int(self._owed))
            self._owed -= int(self._owed)
        stop = time.perf_counter() + seconds
        while self.t < end:
            began = time.perf_counter()
            chunk = max(1, min(int(self._chunk), end - self.t))
            self._to(self.t + chunk)
            spent = time.perf_counter() - began
            self._chunk = min(4096.0, max(1.0, chunk * min(4.0, 0.5 * seconds / max(spent, 1e-6))))
            if time.perf_counter() >= stop:
                break
        self.goal = max(self.goal, self.t) if self.playing else self.goal
        if self.t >= self.setup.steps:
            self.playing = False

    def _to(self, t: int) -> None:
        for simulation, costs in zip(self.simulations, self.costs, strict=True):
            if simulation.t < t:
                began, before = time.perf_counter(), simulation.t
                simulation.advance(steps=t - before)
                spent = (time.perf_counter() - began) / (t - before) / simulation.replicates
                costs.append((t, 1e6 * spent))
                if len(costs) > MOST_COSTS:  # keep every other one
                    del costs[:-1:2]
