"""A sweep that somebody has started. It waits for its estimate, then for its turn, and then runs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from learners.sweep import Batch, Job, gather
from learners.sweep.processes import POOL
from learners.sweep.progress import Progress, Watch
from learners.sweep.run import Part
from pages.ui.sweep.estimates import MEGABYTES, Estimate, too_long

if TYPE_CHECKING:
    import pandas as pd

MARGIN = 2  # times the memory of the limit, at which a process is stopped, since estimates are not exact
POLL = 0.1
KEPT = 30  # sweeps of all visitors that are remembered once they have ended


class Started:
    """A sweep from the moment that somebody presses Start; it answers what a `Job` answers.

    wanted : asked whether the page of the one who has started it is still open; else the sweep ends.
    """

    def __init__(
        self,
        batches: Sequence[Batch],
        estimate: Estimate,
        workers: int,
        scheduler: str | None = None,
        wanted: Callable[[], bool] = lambda: True,
    ) -> None:
        self.batches, self.estimate, self.workers = batches, estimate, workers
        self.scheduler, self.wanted = scheduler, wanted
        self.cancelled = False
        self._problem = ""
        self._job: Job | None = None
        self._ended = threading.Event()  # before a job was made
        threading.Thread(target=self._wait, daemon=True, name="feedback-lab-sweep").start()

    def _wait(self) -> None:
        """Wait for the estimate, and then for the turn."""
        while not self.estimate.ended.wait(POLL):
            self.estimate.contact = time.monotonic()
            if self.cancelled or not self.wanted():
                self._ended.set()
                return
        self._problem = self.estimate.problem or too_long(self.estimate.cost(self.workers))
        if self._problem or self.cancelled:
            self._ended.set()
        else:
            self._start()

    def _start(self) -> None:
        wanted = self.wanted  # the job must not hold this
        self._job = Job(
            self.batches, self.workers, self.scheduler, lambda: not wanted(), POOL, MARGIN * MEGABYTES.value
        )

    @property
    def waits(self) -> str:
        """A sentence on what it waits for, "" once it runs."""
        return "" if self._job is not None or not self.running else "Estimating what it takes …"

    @property
    def running(self) -> bool:
        """Whether it waits or runs."""
        return self._job.running if self._job is not None else not self._ended.is_set()

    @property
    def progress(self) -> Progress:
        """How far it is."""
        return self._job.progress if self._job is not None else Watch(self.batches).now()

    @property
    def notes(self) -> list[str]:
        """Sentences that a person should read."""
        return self._job.notes if self._job is not None else []

    @property
    def error(self) -> str | None:
        """The sentence that ended it, or None."""
        return self._job.error if self._job is not None else self._problem or None

    def cancel(self) -> None:
        """Ask it to stop soon; what has ended stays."""
        self.cancelled = True
        if self._job is not None:
            self._job.cancel()

    def wait(self, seconds: float) -> None:
        """Wait until it has ended, at most for these seconds."""
        end = time.monotonic() + seconds
        while self.running and time.monotonic() < end:
            time.sleep(POLL / 10)

    @property
    def parts(self) -> list[Part]:
        """The batches that have ended so far, each with its rows."""
        return self._job.parts if self._job is not None else []

    def table(self) -> pd.DataFrame:
        """Return what is done so far, as `sweep` does."""
        return gather(self.parts)


_known: dict[str, Started] = {}  # the latest sweeps of this server, by their setups


def remembered(key: str) -> Started | None:
    """Return a sweep that was started here, so that a reloaded page finds its own."""
    return _known.get(key)


def remember(key: str, sweep: Started) -> None:
    """Keep a sweep. The oldest of those that have ended make room for others, never one that waits or runs."""
    _known.pop(key, None)
    _known[key] = sweep
    ended = [other for other, each in list(_known.items()) if not each.running]
    for other in ended[: max(0, len(ended) - KEPT)]:
        _known.pop(other, None)
