"""What a run of a lab takes, estimated before it starts, and whether the server can afford it."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from datasets.variables import Variable
from learners.catalogue import create
from learners.compiled import waiting
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
TRIED = 0.2  # seconds of one core to try a learner for, at least one step
MOST = 3.0  # seconds of one core to try all of them for, after which the run is taken to be too much work
PATIENCE = 15.0  # seconds that a person waits at most, on a busy server; then the run is let through
KEPT = 200

_known: OrderedDict[Any, Cost | str] = OrderedDict()


def check_cost(setup: Any, data: Any) -> None:
    """Check that a run on these data takes neither too much memory, nor too long, as a whole and in a single step.

    setup : a `Setup`. What its learners declare decides whether a few steps of few replicates have to be tried.

    Raises
    ------
    ValueError : with a sentence that says what to lower.
    """
    family = setup.family
    shape, learners = family.shape(data), [create(c.id, **c.dict) for c in setup.learners]
    needed = sum(held(x, shape, setup.replicates, setup.steps, setup.recorded, again=1) for x in learners) / 1e6
    if needed > MEGABYTES.value:
        raise ValueError(
            f"{counted(len(learners), 'learner')} × {setup.replicates} replicates would take about {needed:,.0f} MB "
            f"while they run; this server allows {MEGABYTES.value:,} MB. Lower the replicates or the {family.unit}s."
        )
    if sum(x.memory(shape, setup.replicates) for x in learners) < LIGHT:
        return
    cost = _cost(setup, data)
    if isinstance(cost, str):
        raise ValueError(cost)
    if cost.step > family.budget.step:
        raise ValueError(
            f"A single {family.unit} of {counted(len(learners), 'learner')} × {setup.replicates} replicates would take "
            f"up to {duration(cost.step)}; a lab allows {duration(family.budget.step)}. Lower the replicates or the "
            "size of the data."
        )
    if cost.seconds > SECONDS.value:
        raise ValueError(
            f"This run would compute for about {duration(cost.seconds)} on one core; this server allows "
            f"{duration(SECONDS.value)}. Lower the {family.unit}s, the replicates or the size of the data."
        )


def _cost(setup: Any, data: Any) -> Cost | str:
    """Return the estimate of a setup, kept for those who ask again, or a sentence if it cannot be afforded."""
    key = replace(setup, answers=())
    if key not in _known:
        _known[key] = _tried(key, data)
        while len(_known) > KEPT:
            _known.popitem(last=False)
    return _known[key]


def _tried(setup: Any, data: Any) -> Cost | str:
    """Try a few steps in a thread that nobody waits for longer than stated."""
    found: list[Cost] = []

    def work() -> None:
        total = Cost()
        for learner in setup.learners:

            def make(replicates: int, learner: Any = learner) -> Any:
                return replace(setup, replicates=replicates).simulation(learner, data)

            try:
                total = total + probe(make, setup.replicates, setup.steps, TRIED, time.thread_time)
            except ValueError:
                continue  # the run will say so itself
        found.append(total)

    thread = threading.Thread(target=work, daemon=True, name="feedback-lab-estimate")
    thread.start()
    began = time.monotonic()
    worked = _worked_by(thread)
    while thread.is_alive() and time.monotonic() - began < PATIENCE:
        thread.join(0.02)
        if not found and worked() > MOST and not waiting(thread.ident or 0):
            return (
                f"A few {setup.family.unit}s of this run, tried with few replicates, take more than "
                f"{duration(MOST)}. Lower the size of the data."
            )
    return found[0] if found else Cost()


def _worked_by(thread: threading.Thread) -> Callable[[], float]:
    """Return a function that returns the seconds that a thread has worked, or lived where the system does not say."""
    began = time.monotonic()
    try:
        clock = time.pthread_getcpuclockid(thread.ident or 0)
    except (AttributeError, OSError):
        return lambda: time.monotonic() - began

    def worked() -> float:
        try:
            return time.clock_gettime(clock)
        except OSError:  # it has ended
            return 0.0

    return worked
