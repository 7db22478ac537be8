"""Estimates of what sweeps take, made in the background for those who look at them, one after the other."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence

from datasets.variables import Variable
from learners.run.cost import Cost
from learners.sweep import Batch, Job
from learners.sweep.estimate import needed, probed, total
from learners.sweep.processes import Pool
from pages.ui.counting import duration

SECONDS = Variable(
    "FEEDBACK_LAB_SWEEP_SECONDS", "integer", 3600, 1, 10_000_000,
    help="Seconds of one core that one sweep may take, by its estimate.",
)  # fmt: skip
MEGABYTES = Variable(
    "FEEDBACK_LAB_SWEEP_MB", "integer", 1000, 20, 1_000_000,
    help="Memory in MB that one process of a sweep may take, with its data.",
)  # fmt: skip
LONGEST = 30.0  # seconds of an estimate, after which it is given up
AWAY = 10.0  # seconds without a question after which nobody seems to wait for an estimate
KEPT = 100  # estimates
LOWER = "Lower the steps, the replicates, the number of values or the size of the data"


class Estimate:
    """The estimate of one sweep. contact : when somebody last asked for it."""

    def __init__(self, batches: Sequence[Batch]) -> None:
        self.batches, self.contact = batches, time.monotonic()
        self.problem = ""  # a sentence, where it says that the sweep cannot run
        self.unknown = False  # whether it took too long, since the server is busy, or the steps of the sweep are long
        self.ended = threading.Event()
        self._found: dict[int, Cost] = {}

    def make(self, pool: Pool) -> None:
        """Run the probes in a process of the pool; takes no longer than LONGEST and a moment."""
        end = time.monotonic() + LONGEST
        job = Job(
            probed(self.batches), 1, pool=pool, megabytes=MEGABYTES.value, unwanted=lambda: time.monotonic() > end
        )
        while job.running and time.monotonic() < end:
            job.wait(0.1)
        self._found = {batch.number: cost for batch, cost in job.parts}
        if job.error:
            self.problem = job.error
        elif job.running or job.progress.finished < job.progress.batches:
            job.cancel()
            self.unknown = True
        self.ended.set()

    def cost(self, workers: int) -> Cost:
        """Return about what the sweep takes in so many processes. Ask once it has ended, without a problem.

        What is unknown counts as the longest that is allowed.
        """
        if self.unknown:
            return Cost(float(SECONDS.value), sum(sorted(map(needed, self.batches), reverse=True)[:workers]))
        return total(self.batches, self._found, workers)


class Estimates:
    """The latest estimates, by what they are of, and the thread that makes them."""

    def __init__(self) -> None:
        self._known: OrderedDict[Hashable, Estimate] = OrderedDict()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._pool = Pool()

    def ask(self, key: Hashable, batches: Callable[[], Sequence[Batch]]) -> Estimate:
        """Return the estimate of a sweep, which may not have ended yet. Whoever asks is taken to wait a while."""
        with self._changed:
            found = self._known.get(key)
            if found is None:
                found = self._known[key] = Estimate(batches())
            found.contact = time.monotonic()
            self._known.move_to_end(key)
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, daemon=True, name="feedback-lab-estimates")
                self._thread.start()
            self._changed.notify()
        return found

    def _work(self) -> None:
        while True:
            with self._changed:
                while (estimate := self._next()) is None:
                    self._changed.wait()
            try:
                estimate.make(self._pool)
            except Exception as error:  # the next must be made nevertheless
                estimate.problem = str(error) or type(error).__name__
                estimate.ended.set()

    def _next(self) -> Estimate | None:
        now = time.monotonic()
        waiting = (e for e in self._known.values() if not e.ended.is_set() and now - e.contact < AWAY)
        return next(waiting, None)


ESTIMATES = Estimates()


def refused(batches: Sequence[Batch]) -> str:
    """Return a sentence if a sweep needs too much memory, by what its parts declare, else "". Nothing is built."""
    most, allowed = max(map(needed, batches), default=0.0) / 1e6, MEGABYTES.value
    if most <= allowed:
        return ""
    return (
        f"A batch of this sweep would hold about {most:,.0f} MB; this server allows {allowed:,} MB. Lower the "
        "replicates or the size of the data."
    )


def too_long(cost: Cost) -> str:
    """Return a sentence if a sweep takes longer than this server allows, else ""."""
    if cost.seconds <= SECONDS.value:
        return ""
    return (
        f"This sweep would compute for about {duration(cost.seconds)} on one core; this server allows "
        f"{duration(SECONDS.value)}. {LOWER}."
    )


def words(cost: Cost, workers: int) -> str:
    """Return what a sweep takes, in words for a person.

    >>> words(Cost(seconds=100, bytes=3e6, step=0.01), workers=2)
    'about 50 s with 2 processes, and 3 MB of memory'
    """
    one = f"about {duration(cost.seconds / workers)} with {workers} process{'es' * (workers > 1)}"
    return f"{one}, and {max(1, cost.bytes / 1e6):,.0f} MB of memory"
