"""What a run of a lab takes, estimated before it starts, and whether the server can afford it."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from datasets.variables import Variable
from learners.base import Learner, Shape
from learners.family import Family
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

_known: OrderedDict[Hashable, Estimate] = OrderedDict()


@dataclass(frozen=True)
class Asked:
    """What a page asks the server to compute.

    key : tells it from all other runs. learners : run beside each other on data of this shape. make : returns the
    simulation of a learner, by its number, with so many replicates. recorded : steps that each history holds. again :
    copies of the learners' states that are kept or made while they run. lower : what to lower if it is too much.
    """

    key: Hashable
    family: Family
    learners: Sequence[Learner]
    shape: Shape
    replicates: int
    steps: int
    recorded: int
    make: Callable[[int, int], Any]
    again: int = 1
    lower: str = "the replicates or the size of the data"


def check_cost(asked: Asked) -> None:
    """Check that a run takes neither too much memory, nor too long, as a whole and in a single step.

    What its learners declare decides whether a few steps of few replicates have to be tried.

    Raises
    ------
    ValueError : with a sentence that says what to lower.
    """
    learners, shape, replicates, unit = asked.learners, asked.shape, asked.replicates, asked.family.unit
    needed = sum(held(x, shape, replicates, asked.steps, asked.recorded, asked.again) for x in learners) / 1e6
    if needed > MEGABYTES.value:
        raise ValueError(
            f"{counted(len(learners), 'learner')} × {replicates} replicates would take about {needed:,.0f} MB "
            f"while they run; this server allows {MEGABYTES.value:,} MB. Lower the replicates or the {unit}s."
        )
    if sum(x.memory(shape, replicates) for x in learners) < LIGHT:
        return
    if asked.key not in _known:
        _known[asked.key] = Estimate(asked)
        while len(_known) > KEPT:
            _known.popitem(last=False)
    _known[asked.key].ended.wait(WAIT)
    if words := refused(asked.key):
        raise ValueError(words)


def refused(key: Hashable) -> str:
    """Return a sentence if the estimate of a run has ended and says that it takes too long, else ""."""
    estimate = _known.get(key)
    if estimate is None or not estimate.ended.is_set():
        return ""
    cost, asked = estimate.cost, estimate.asked
    family, learners = asked.family, counted(len(asked.learners), "learner")
    if cost.step > family.budget.step:
        return (
            f"A single {family.unit} of {learners} × {asked.replicates} replicates would take up to "
            f"{duration(cost.step)}; a lab allows {duration(family.budget.step)}. Lower {asked.lower}."
        )
    if cost.seconds > SECONDS.value:
        return (
            f"This run would compute for about {duration(cost.seconds)} on one core; this server allows "
            f"{duration(SECONDS.value)}. Lower the {family.unit}s or {asked.lower}."
        )
    return ""


class Estimate:
    """The estimate of a run, made in a thread of its own."""

    def __init__(self, asked: Asked) -> None:
        self.asked, self.cost = asked, Cost()
        self.ended = threading.Event()
        threading.Thread(target=self._make, daemon=True, name="feedback-lab-estimate").start()

    def _make(self) -> None:
        asked = self.asked
        for number in range(len(asked.learners)):
            # a run that cannot start says so itself
            with suppress(Exception):
                cost = probe(
                    partial(asked.make, number), asked.replicates, asked.steps, TRIED, time.thread_time, several=1
                )
                self.cost += Cost(cost.seconds, 0, cost.step)
        self.ended.set()
