"""Sweeps that people have started. Each waits for its estimate, then for its turn in the server's line, and runs."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from learners.run.cost import Cost
from learners.sweep import Batch, Job, gather
from learners.sweep.processes import POOL
from learners.sweep.progress import Progress, Watch
from learners.sweep.run import Part
from pages.ui.server.line import LINE, Turn, wanted
from pages.ui.sweep.estimates import MEGABYTES, Estimate, too_long

if TYPE_CHECKING:
    import pandas as pd

MARGIN = 2  # times the memory that is allowed, at which a process is stopped, since estimates are not exact
POLL = 0.1
KEPT = 30  # sweeps of all visitors that are remembered once they have ended


class Started:
    """A sweep from the moment that somebody presses Start; it answers what a `Job` answers.

    All who start the same sweep while it waits or runs share it. It ends early when the last of them has left, or has
    closed the page and not come back for as long as the line allows.

    owner : the session of the one who starts it.
    """

    def __init__(
        self, batches: Sequence[Batch], estimate: Estimate, workers: int, scheduler: str | None = None, owner: str = ""
    ) -> None:
        self.batches, self.estimate = batches, estimate
        self.workers, self.scheduler = workers, scheduler
        self.cancelled = False
        self._lock = threading.Lock()
        self._place = object()  # by which the line knows it
        self._turns: dict[str, Turn | None] = {owner: None}  # by owner; None before it stands in the line
        self._problem = ""
        self._job: Job | None = None
        self._over = False  # before there was a job
        threading.Thread(target=self._run, daemon=True, name="feedback-lab-sweep").start()

    def join(self, owner: str) -> bool:
        """Share the sweep with one more; return whether that is possible, since it has not ended."""
        with self._lock:
            if not self.running or self.cancelled:
                return False
            entered = any(self._turns.values())
            self._turns[owner] = self._enter(owner) if entered else None
        return True

    def leave(self, owner: str) -> bool:
        """Do not want it any more; return whether it ends, because nobody else does. What has ended stays."""
        with self._lock:
            if (turn := self._turns.pop(owner, None)) is not None:
                turn.leave()
            self.cancelled = self.cancelled or not self._turns
        return self.cancelled

    def _run(self) -> None:
        try:
            self._wait()
        except Exception as error:  # whatever it is, the page must be able to show it
            logging.getLogger(__name__).error("a sweep could not start", exc_info=error)
            self._problem, self._over = str(error) or type(error).__name__, True

    def _wait(self) -> None:
        """Wait for the estimate, and then stand in the line."""
        while not self.estimate.ended.wait(POLL):
            self.estimate.contact = time.monotonic()
            with self._lock:
                if self.cancelled or not any([wanted(owner) for owner in list(self._turns)]):
                    self._over = True
                    return
        with self._lock:
            self._problem = self.estimate.problem or too_long(self.estimate.cost(self.workers))
            if not self._problem:
                for owner in list(self._turns):
                    self._turns[owner] = turn = self._enter(owner)
                    self._problem = self._problem or turn.refused
            self._over = self.cancelled or bool(self._problem)
            if self._over:
                self._leave()

    def _enter(self, owner: str) -> Turn:
        return LINE.enter(self._place, owner, self.cost, self._start, lambda: self.running)

    def _leave(self) -> None:
        for turn in self._turns.values():
            if turn is not None:
                turn.leave()

    def _start(self) -> None:
        unwanted = partial(_unwanted, self._place)  # which does not hold this
        self._job = Job(self.batches, self.workers, self.scheduler, unwanted, POOL, MARGIN * MEGABYTES.value)

    @property
    def began(self) -> bool:
        """Whether it has begun to run."""
        return self._job is not None

    @property
    def cost(self) -> Cost:
        """What it takes, once the estimate has ended."""
        return self.estimate.cost(self.workers)

    @property
    def waits(self) -> str:
        """A sentence on what it waits for, "" once it runs."""
        if self._job is not None or not self.running:
            return ""
        turn = next(iter(list(self._turns.values())), None)
        return turn.words if turn is not None else "Estimating what this sweep takes …"

    @property
    def running(self) -> bool:
        """Whether it waits or runs."""
        if self._job is not None:
            return self._job.running
        return not self._over and not self.cancelled

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


def _unwanted(place: object) -> bool:
    return not LINE.wanted(place)


_known: dict[Hashable, Started] = {}  # the latest sweeps of this server


def remembered(key: Hashable) -> Started | None:
    """Return a sweep that was started here, so that a page that is reloaded finds its own."""
    return _known.get(key)


def start(
    key: Hashable, batches: Sequence[Batch], estimate: Estimate, workers: int, scheduler: str | None, owner: str
) -> Started:
    """Return a sweep that begins when it is its turn, the one that others have started if it has not ended.

    The oldest of those that have ended are forgotten, never one that waits or runs.
    """
    found = _known.get(key)
    if found is None or scheduler or not found.join(owner):
        found = Started(batches, estimate, workers, scheduler, owner)
    _known.pop(key, None)
    _known[key] = found
    ended = [other for other, each in list(_known.items()) if not each.running]
    for other in ended[: max(0, len(ended) - KEPT)]:
        _known.pop(other, None)
    return found
