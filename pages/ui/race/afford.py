"""What a run of a lab takes, estimated before it starts, and whether the server can afford it."""

from __future__ import annotations

import threading
import time
from collections import Counter, OrderedDict
from contextlib import suppress
from dataclasses import replace
from typing import Any

from datasets.variables import Variable
from learners.catalogue import create
from learners.run.cost import Cost, held, probe
from pages.ui.counting import counted, duration

SECONDS = Variable(
    "FEEDBACK_LAB_RUN_SECONDS", "integer", 1800, 1, 10_000_000,
    help="Seconds of one core that the run of a lab may take, by its estimate.",
)  # fmt: skip
MEGABYTES = Variable(
    "FEEDBACK_LAB_RUN_MB", "integer", 1000, 20, 1_000_000,
    help="Memory in MB that the run of a lab may take, without its data.",
)  # fmt: skip
LIGHT = 2e6  # bytes of state of all learners, below which no step takes long; see tests/benchmarks/bench_estimates.py
TRIED = 0.1  # seconds of one core to try a learner for, at least one step
WAIT = 0.4  # seconds that a page waits for an estimate; a run that turns out to be too much is broken off
KEPT = 200  # estimates

_known: OrderedDict[Any, Estimate] = OrderedDict()


def check_cost(setup: Any, data: Any) -> None:
    """Check that a run on these data takes neither too much memory, nor too long, as a whole and in a single step.

    setup : a `Setup`, or another run that answers the same. What its learners declare decides whether a few steps of
    few replicates have to be tried.

    Raises
    ------
    ValueError : with a sentence that says what to lower.
    """
    family = setup.family
    shape, learners = setup.shape(data), [create(c.id, **c.dict) for c in setup.learners]
    again = setup.again
    needed = sum(held(x, shape, setup.replicates, setup.steps, setup.recorded, again) for x in learners) / 1e6
    if needed > MEGABYTES.value:
        raise ValueError(
            f"{counted(len(learners), 'learner')} × {setup.replicates} replicates would take about {needed:,.0f} MB "
            f"while they run; this server allows {MEGABYTES.value:,} MB. Lower the replicates or the {family.unit}s."
        )
    if sum(x.memory(shape, setup.replicates) for x in learners) < LIGHT:
        return
    key = replace(setup, answers=())
    if key not in _known:
        _known[key] = Estimate(key, data)
        while len(_known) > KEPT:
            _known.popitem(last=False)
    _known[key].ended.wait(WAIT)
    if words := refused(setup):
        raise ValueError(words)


def refused(setup: Any) -> str:
    """Return a sentence if the estimate of a setup has ended and says that it takes too long, else ""."""
    estimate = _known.get(replace(setup, answers=()))
    if estimate is None or not estimate.ended.is_set():
        return ""
    cost, family, learners = estimate.cost, setup.family, counted(len(setup.learners), "learner")
    if cost.step > family.budget.step:
        return (
            f"A single {family.unit} of {learners} × {setup.replicates} replicates would take up to "
            f"{duration(cost.step)}; a lab allows {duration(family.budget.step)}. Lower {setup.lower}."
        )
    if cost.seconds > SECONDS.value:
        return (
            f"This run would compute for about {duration(cost.seconds)} on one core; this server allows "
            f"{duration(SECONDS.value)}. Lower the {family.unit}s or {setup.lower}."
        )
    return ""


class Estimate:
    """The estimate of a setup, made in a thread of its own."""

    def __init__(self, setup: Any, data: Any) -> None:
        self.cost = Cost()
        self.ended = threading.Event()
        threading.Thread(target=self._make, args=(setup, data), daemon=True, name="feedback-lab-estimate").start()

    def _make(self, setup: Any, data: Any) -> None:
        for learner, number in Counter(setup.learners).items():

            def make(replicates: int, learner: Any = learner) -> Any:
                return replace(setup, replicates=replicates).simulation(learner, data)

            # a run that cannot start says so itself
            with suppress(Exception):
                cost = probe(make, setup.replicates, setup.steps, TRIED, time.thread_time, several=1)
                self.cost += Cost(number * cost.seconds, 0, cost.step)
        self.ended.set()
