"""Estimates of what runs take, made by trying a few steps before or while they run."""

import time
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Self

from learners.family import Family
from learners.run.cost import Cost, probe
from learners.sweep.estimate import needed, probed, total
from learners.sweep.plan import Batch
from learners.sweep.processes import Pool
from pages.ui.counting import counted, duration
from pages.ui.jobs.job import Sliced
from pages.ui.jobs.limits import RUN_MB, RUN_SECONDS, too_much
from pages.ui.jobs.queue import QUEUE
from pages.ui.jobs.works import Works
from pages.ui.plain import Markdown

LIGHT = 2e6  # bytes of state of all learners, below which no step takes long; see tests/benchmarks/bench_estimates.py
TRIED = 0.1  # seconds of one core to try a learner for, at least one step
WAIT = 0.4  # seconds that a page waits for an estimate; a run that turns out to be too much is broken off
LONGEST_ESTIMATE = 30.0  # seconds of the estimate of a sweep, after which it is given up
POOL = Pool()


class RaceEstimate(Sliced):
    """The estimate of learners that a page wants to run beside each other, in the threads that will run them.

    Their declarations say how much memory they take, and whether a few steps have to be tried.

    race : tells it from all other races. learners : how many. state, held : bytes of their states, and the most that is
    held at a time. make : returns the simulation of a learner, by its number, with so many replicates. lower : what to
    lower if it is too much.
    """

    def __init__(
        self, race: Hashable, family: Family, learners: int, replicates: int, steps: int, state: float, held: float,
        make: Callable[[int, int], Any], lower: str = "",
    ) -> None:  # fmt: skip
        super().__init__()
        self.race, self.family, self.learners, self.replicates, self.steps = race, family, learners, replicates, steps
        self.light, self.unit, self._held, self._make = state < LIGHT, family.unit, held, make
        self.lower = lower or f"the {self.unit}s, the replicates or the size of the data"
        self._found, self._tried = Cost(), 0

    @property
    def complete(self) -> bool:
        return bool(self.failed) or self._tried == self.learners

    def advance(self, seconds: float) -> None:
        """Try the next learner."""
        with suppress(Exception):  # a run that cannot start says so itself
            make = partial(self._make, self._tried)
            cost = probe(make, self.replicates, self.steps, TRIED, time.thread_time, several=1)
            self._found += Cost(cost.seconds, 0, cost.step)
        self._tried += 1
        if self.complete:
            self.needed_by = ()
            del self._make  # which would keep the data

    def predicted(self, workers: int = 1) -> Cost:
        """Return what the race takes, without its memory."""
        return self._found

    def refusal(self) -> str:
        """Return a sentence if the race takes too much memory, or as soon as it is known, too long; else ""."""
        cost = Cost(bytes=self._held) + (self._found if self.complete and not self.failed else Cost())
        what = f"A run of {counted(self.learners, 'learner')} × {self.replicates} replicates"
        return too_much(cost, what, self.unit, self.lower, self.family.budget.step)

    def checked(self) -> Self | None:
        """Check that the race takes neither too much memory, nor too long, as a whole and in a single step.

        Return its estimate, which may still be made; None if the race is light.

        Raises
        ------
        ValueError : with a sentence that says what to lower.
        """
        estimate, end = self, time.monotonic() + WAIT
        while not (self.light or estimate.refusal() or estimate.complete):
            estimate = QUEUE.open(("estimate", self.race), lambda: self)
            if (left := end - time.monotonic()) <= 0:
                break
            estimate.wait(min(left, 1.0))
        if refused := estimate.refusal():
            raise ValueError(refused)
        return None if self.light else estimate


class SweepEstimate(Works):
    """The estimate of a sweep, in a process of its own, in which whatever the sweep asks for can do no harm."""

    lane = "estimates"
    stays = False

    def __init__(self, batches: Sequence[Batch]) -> None:
        super().__init__(probed(batches), pool=POOL, megabytes=RUN_MB.value)
        self.batches, self.away, self._late = batches, 10.0, False

    @property
    def complete(self) -> bool:
        return self._late or super().complete

    @property
    def unknown(self) -> bool:
        """Whether it was given up, since the server is busy, or the steps of the sweep are long."""
        return self.complete and not self.failed and len(self.parts) < len(self.works)

    def stopped(self) -> bool:
        """Return whether it is to stop, since it takes too long or nobody wants it."""
        if time.monotonic() - self.begun > LONGEST_ESTIMATE:
            self._late = True
        return self._late or super().stopped()

    def predicted(self, workers: int = 1) -> Cost:
        """Return about what the sweep takes in so many processes. An unknown time counts as the longest allowed."""
        if self.unknown:
            return Cost(float(RUN_SECONDS.value), sum(sorted(map(needed, self.batches), reverse=True)[:workers]))
        return total(self.batches, {batch.number: cost for batch, cost in self.parts}, workers)

    def refusal(self) -> str:
        """Return a sentence if it has ended and says that the sweep takes too long or cannot run, else ""."""
        if not self.complete or self.failed or self.unknown:
            return self.failed
        return too_much(Cost(self.predicted().seconds))

    def words(self, workers: int) -> Markdown:
        """Return what the sweep takes, as a sentence for its page."""
        if not self.complete:
            return Markdown("Estimating what this run takes … You need not wait for it.")
        if self.unknown:
            return Markdown(
                "What this run takes is unknown, since trying a few steps took too long. It may take very long."
            )
        cost = self.predicted(workers)
        processes = f"{workers} process{'es' * (workers > 1)}"
        return Markdown(
            f"This run takes about {duration(cost.seconds / workers)} with {processes}, and "
            f"{max(1, cost.bytes / 1e6):,.0f} MB of memory, by a few steps that were tried."
        )


def sweep_estimate(key: Hashable, batches: Sequence[Batch]) -> SweepEstimate:
    """Return the estimate of a sweep, which may still be made. The caller is taken to wait a while."""
    return QUEUE.open(("estimate", key), lambda: SweepEstimate(batches))


def too_large(batches: Sequence[Batch]) -> str:
    """Return a sentence if a sweep needs too much memory, by what its parts declare, else "". Nothing is built."""
    most = max(map(needed, batches), default=0.0)
    return too_much(Cost(bytes=most), "A batch of this run", lower="the replicates or the size of the data")
