"""The numbers from the runs of a lesson that its texts state and its questions ask for."""

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np

import datasets
from datasets.spec import Spec
from learners import Simulation
from learners.run.events import events_of
from learners.spec import RunSpec
from pages.ui.files import choose as files
from pages.ui.form.form import Form
from pages.ui.lab.lab import Lab
from pages.ui.lessons.lesson import Fact, Measure
from pages.ui.lessons.series import CardSeries, SeriesLineRun, SeriesRun
from pages.ui.race.limits import lab_simulation


def setup_of(lab: Lab | CardSeries, settings: Mapping[str, str]) -> RunSpec | SeriesRun:
    """Return what determines the numbers of a run, as a link of a lab gives it, or of a series."""
    return lab.ask_run(Form(settings))


def measured(simulation: Simulation | SeriesLineRun, measure: Measure) -> float:
    """Return what a run gives for a measure; it has taken the steps that the measure needs.

    Raises
    ------
    ValueError : with a sentence, for a metric that the run does not record, a step or replicate that it does not have,
        and where there is no number.
    """
    history, t = simulation.history, measure.t
    if measure.metric not in history:
        raise ValueError(f"metric must be one of {', '.join(sorted(history))}, got {measure.metric[:60]}")
    if t > min(history.steps, history.recorded):
        last = min(history.steps, history.recorded)
        raise ValueError(f"t must be at most {last:,}, since later steps are not kept one by one, got {t:,}")
    if measure.replicate > simulation.replicates:
        raise ValueError(f"replicate must be at most {simulation.replicates}, got {measure.replicate}")
    values = history[measure.metric][t - measure.over : t]  # (over, R)
    if measure.replicate:
        values = values[:, measure.replicate - 1]
    known = values[~np.isnan(values)]
    if not len(known):
        raise ValueError(f"{measure.metric} has no value at step {t:,}")
    return float(known.mean())


def holds(fact: Fact, value: float) -> bool:
    """Return whether a fact is true of the value that a run gives.

    >>> fact = Fact(Measure("error-rate", 1, 100), "is", Decimal("0.30"))
    >>> holds(fact, 0.3049), holds(fact, 0.305), holds(fact, 0.29)
    (True, False, False)
    """
    if fact.holds == "is":
        return Decimal(repr(value)).quantize(fact.value, ROUND_HALF_UP) == fact.value
    return value > fact.value if fact.holds == "above" else value < fact.value


class Runs:
    """Simulations that are run as far as somebody asks, and kept for who asks next."""

    def __init__(self) -> None:
        self._data: dict[Spec, Any] = {}
        self._made: dict[tuple[RunSpec, int], Simulation] = {}

    def data(self, setup: RunSpec | SeriesRun) -> Any:
        """Return the data of a setup, None for a series."""
        if isinstance(setup, SeriesRun):
            return None
        choice = setup.dataset
        if choice not in self._data:
            self._data[choice] = datasets.load(choice.id, **files.resolve(choice.values))
        return self._data[choice]

    def simulation(self, setup: RunSpec | SeriesRun, learner: int, t: int) -> Simulation | SeriesLineRun:
        """Return the simulation of a learner (from 1), which has taken at least t steps."""
        if isinstance(setup, SeriesRun):
            return setup.simulations[learner - 1]
        if (setup, learner) not in self._made:
            self._made[setup, learner] = lab_simulation(setup, learner - 1, self.data(setup))
        simulation = self._made[setup, learner]
        simulation.advance(steps=max(0, t - simulation.t))
        return simulation

    def events(self, setup: RunSpec | SeriesRun, learner: int, replicate: int) -> set[tuple[str, int]]:
        """Return ids and steps of all events of a replicate (from 1) in the whole run of a learner."""
        simulation = self.simulation(setup, learner, setup.steps)
        if isinstance(simulation, SeriesLineRun):
            return set()
        return {(found.event.id, found.t) for found in events_of(simulation, replicate - 1, most=None)}


def check(fact: Fact, setups: Sequence[RunSpec | SeriesRun], runs: Runs) -> str:
    """Return a sentence on what is wrong with a fact, without capital and full stop, "" if it holds.

    setups : one for each of its data seeds.
    """
    measure, setup = fact.measure, setups[0]
    if fact.holds == "event":
        found = runs.events(setup, measure.learner, measure.replicate)
        if (fact.event, measure.t) in found:
            return ""
        steps = sorted(t for id, t in found if id == fact.event)
        when = f"it happens at {', '.join(map(str, steps[:12]))}{' …' if len(steps) > 12 else ''}" if steps else "never"
        return f"event {fact.event} must happen in step {measure.t} of learner {measure.learner}, but {when}"
    values = [measured(runs.simulation(each, measure.learner, measure.t), measure) for each in setups]
    value = {"is": float(np.mean(values)), "above": min(values), "below": max(values)}[fact.holds]
    if holds(fact, value):
        return ""
    who = f"replicate {measure.replicate}" if measure.replicate else "the mean of the replicates"
    who += f" and of {len(setups)} data seeds" if len(setups) > 1 else ""
    words = {"is": "be", "above": "be above", "below": "be below"}[fact.holds]
    return (
        f"{measure.metric} of learner {measure.learner} after step {measure.t}, {who}, must {words} {fact.value}, "
        f"but the run gives {value:.6g}"
    )
