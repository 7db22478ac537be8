"""The runs of all people on this server, computed in the background and dropped when nobody looks at them any more.

People who open the same link share one run. Workers, one for each core, give every run that somebody waits for slices
of their time; the run that has had the least of it comes first, so that short runs are not kept waiting by long ones.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Hashable
from typing import TypeVar

from datasets.variables import Variable
from pages.ui.collector import tidy
from pages.ui.play.job import Job

SLICE = 0.04  # seconds of work on one run at a time
SOON = 0.002  # seconds after which a worker looks again whether those who look at a run are done
LONGEST = 60.0  # seconds until a worker without work looks again what can be dropped
PATIENCE = 0.25  # seconds after which a worker goes before those who look
AWAY = 6.0  # seconds without a question after which nobody seems to wait for a run
KEEP_SECONDS = Variable(
    "FEEDBACK_LAB_KEEP_SECONDS", "real", 300.0, 1, 1e6,
    help="Seconds after which a run that nobody has asked for is dropped.",
)  # fmt: skip
MEMORY_MB = Variable(
    "FEEDBACK_LAB_MEMORY_MB", "integer", 1000, 1, 10_000_000,
    help="Memory in MB for the runs of all people, with their data. The oldest go first and are computed anew when "
    "somebody asks for them.",
)  # fmt: skip
KEEP: float = KEEP_SECONDS.at_start
MEGABYTES: int = MEMORY_MB.at_start

J = TypeVar("J", bound=Job)


class Store:
    """Jobs by key, and the threads that compute them.

    >>> class Count(Job):
    ...     done = 0
    ...     complete = property(lambda self: self.done == 3)
    ...     def advance(self, seconds):
    ...         self.done += 1
    >>> store = Store(workers=1)
    >>> job = store.open("three", Count)
    >>> job.wait(10)
    >>> job.done, store.open("three", Count) is job
    (3, True)
    """

    def __init__(self, workers: int | None = None, keep: float = KEEP, megabytes: float = MEGABYTES) -> None:
        self.keep, self.megabytes = keep, megabytes
        self._workers = workers or os.cpu_count() or 1
        self._jobs: dict[Hashable, Job] = {}
        self._changed = threading.Condition()  # guards the jobs
        self._threads: list[threading.Thread] = []

    def open(self, key: Hashable, make: Callable[[], J]) -> J:
        """Return the job of this key, made if it is not there. Whoever asks is taken to wait for it a while."""
        with self._changed:
            found = self._jobs.get(key)
            if found is not None:
                found.contact = time.monotonic()
                if not found.complete:
                    self._changed.notify()
                return found  # type: ignore[return-value]  # a key belongs to one kind of job
        made = make()  # outside, since it may take long
        with self._changed:
            job = self._jobs.setdefault(key, made)
            job.contact = time.monotonic()
            self._drop()
            while len(self._threads) < self._workers:
                self._threads.append(threading.Thread(target=self._work, daemon=True, name="feedback-lab-worker"))
                self._threads[-1].start()
            self._changed.notify()
        return job  # type: ignore[return-value]

    def get(self, key: Hashable) -> Job | None:
        """Return the job of a key if it is there."""
        return self._jobs.get(key)

    def leave(self, key: Hashable) -> None:
        """Note that somebody does not wait for a job any more. If others do, they will soon ask for it again."""
        with self._changed:
            if key in self._jobs:
                self._jobs[key].contact = min(self._jobs[key].contact, time.monotonic() - AWAY)

    def clear(self) -> None:
        """Drop all jobs, and wait until no worker works on any of them."""
        with self._changed:
            dropped = list(self._jobs.values())
            self._jobs.clear()
        for job in dropped:
            with job.grown:
                while job.worker is not None:
                    job.grown.wait()

    def __len__(self) -> int:
        return len(self._jobs)

    @property
    def bytes(self) -> int:
        """About how much memory all jobs take."""
        jobs = list(self._jobs.values())
        data = {id(job.data): job.data_bytes for job in jobs}
        return sum(job.bytes for job in jobs) + sum(data.values())

    def _drop(self) -> None:
        """Drop what nobody has asked for in a while, and earlier if there is too much, the oldest first.

        What somebody waits for stays, even if there is too much: it would have to begin anew, again and again.
        """
        now = time.monotonic()
        away = [key for key, job in self._jobs.items() if now - job.contact >= min(AWAY, self.keep) and not job.worker]
        for key in sorted(away, key=lambda key: self._jobs[key].contact):
            if now - self._jobs[key].contact > self.keep or self.bytes > 1e6 * self.megabytes:
                del self._jobs[key]

    def _choose(self) -> Job | None:
        """Return the job that has had the least work among those that somebody waits for, or None."""
        return min(filter(_free, self._waited()), key=lambda job: job.worked, default=None)

    def _waited(self) -> list[Job]:
        """Return the jobs that can be computed, are not complete, and that somebody waits for."""
        now = time.monotonic()
        open = [job for job in self._jobs.values() if not (job.complete or job.failed) and now - job.contact < AWAY]
        return [job for job in open if job.ready]

    def _work(self) -> None:
        while True:
            with self._changed:
                self._drop()
                while (job := self._choose()) is None:
                    soon = any(job.asked for job in self._waited())
                    self._changed.wait(SOON if soon else min(LONGEST, self.keep / 4))
                    self._drop()
                    if not self._jobs:
                        tidy()
                job.worker, job.since = threading.get_ident(), time.monotonic()
            try:
                with job.lock:
                    job.advance(SLICE)
            except Exception as error:  # a fault in one run must not end the worker
                job.failed = _sentence(error)
                logging.getLogger(__name__).error("a run broke off", exc_info=error)
            finally:
                job.worked += time.monotonic() - job.since
                job.worker = None
                with job.grown:
                    job.grown.notify_all()


def _free(job: Job) -> bool:
    """Return whether a worker may take the job now."""
    return job.worker is None and (not job.asked or time.monotonic() - job.since > PATIENCE)


def _sentence(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "This run needs more memory than the server has. Lower the steps or the replicates."
    words = " ".join(f"{type(error).__name__}: {error}".split())
    return f"This run broke off at a fault of the app, which the server's log holds ({words[:200]})."


STORE = Store()
