"""The runs of all people on this server, computed in the background and dropped when nobody looks at them any more.

People who open the same link share one run. Workers, one for each core, give every run that somebody waits for slices
of their time; the run that has had the least of it comes first, so that short runs are not kept waiting by long ones.
Where more people wait than the server computes for at a time, or memory is short, the next stand in a line. A step that
takes very long does not hold the others up: another worker takes the place of the one that computes it.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeVar

from datasets.variables import Variable
from learners.compiled import waiting
from learners.run import memory
from pages.ui.collector import tidy
from pages.ui.play.admission import Admission
from pages.ui.play.job import Job
from pages.ui.server import events
from pages.ui.server.presence import session

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
PEOPLE = Variable(
    "FEEDBACK_LAB_PEOPLE", "integer", 40, 1, 100_000,
    help="Most people whose lab runs are computed at once; others queue.",
)  # fmt: skip
STEP_SECONDS = Variable(
    "FEEDBACK_LAB_STEP_SECONDS", "real", 20.0, 0.1, 1e6,
    help="Seconds that one step may take in a lab; after that the page says so, and the person may abandon the run.",
)  # fmt: skip
FREE_MB = Variable(
    "FEEDBACK_LAB_FREE_MB", "integer", 300, 0, 10_000_000,
    help="Free memory in MB below which no run begins in a lab while another is computed.",
)  # fmt: skip
SPARES = 4  # workers that may take the place of those in a long step, at a time
MANY = 100  # people of a run after which those who have gone are forgotten
LOOK = 1.0  # seconds between two looks at the free memory
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

    def __init__(
        self,
        workers: int | None = None,
        keep: float = KEEP,
        megabytes: float = MEGABYTES,
        people: int = PEOPLE.at_start,
        step: float = STEP_SECONDS.at_start,
    ) -> None:
        self.keep, self.megabytes, self.step = keep, megabytes, step
        self._workers = workers or os.cpu_count() or 1
        self._jobs: dict[Hashable, Job] = {}
        self._changed = threading.Condition()  # guards the jobs
        self._threads: dict[int, Job | None] = {}  # workers, each with the job it works on
        self._admission = Admission(people)
        self._short, self._looked = False, 0.0  # whether memory is short, and when that was looked up

    def open(self, key: Hashable, make: Callable[[], J]) -> J:
        """Return the job of this key, made if it is not there. Whoever asks is taken to wait for it a while."""
        person = session() or key
        with self._changed:
            found = self._jobs.get(key)
            if found is not None:
                found.contact = found.people[person] = time.monotonic()
                if len(found.people) > MANY:
                    found.people = {who: at for who, at in found.people.items() if found.contact - at < AWAY}
                if not found.complete:
                    self._come()
                return found  # type: ignore[return-value]  # a key belongs to one kind of job
        made = make()  # outside, since it may take long
        with self._changed:
            job = self._jobs.setdefault(key, made)
            job.contact = job.people[person] = time.monotonic()
            self._drop()
            self._come()
        return job  # type: ignore[return-value]

    def _come(self) -> None:
        """See that what somebody has asked for is computed, and has its place though all workers may be busy."""
        self._relieve()
        self._admit(self._waited())
        self._changed.notify()

    def get(self, key: Hashable) -> Job | None:
        """Return the job of a key if it is there."""
        return self._jobs.get(key)

    def leave(self, key: Hashable) -> None:
        """Note that somebody does not wait for a job any more. If others do, they will soon ask for it again."""
        with self._changed:
            if key in self._jobs:
                job = self._jobs[key]
                job.contact = min(job.contact, time.monotonic() - AWAY)
                job.people.pop(session() or key, None)

    def forget(self, key: Hashable) -> None:
        """Drop a job that nobody will ask for again."""
        with self._changed:
            self._jobs.pop(key, None)

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

    def told(self) -> dict[str, Any]:
        """Return what the one who runs the server may know: numbers only."""
        with self._changed:
            waited = self._waited()
            return {
                "kept": len(self._jobs),
                "computed": sum(not job.place for job in waited),
                "waiting": sum(job.place > 0 for job in waited),
                "people": len(_people(waited)),
                "megabytes": round(self.bytes / 1e6),
                "workers": len(self._threads),
                "long_steps": len(self._long()),
            }

    def _drop(self, megabytes: float | None = None) -> None:
        """Drop what nobody has asked for in a while, and earlier if there is too much, the oldest first.

        What somebody waits for stays, even if there is too much: it would have to begin anew, again and again.
        """
        now, most = time.monotonic(), self.megabytes if megabytes is None else megabytes
        away = [key for key, job in self._jobs.items() if now - job.contact >= min(AWAY, self.keep) and not job.worker]
        for key in sorted(away, key=lambda key: self._jobs[key].contact):
            if now - self._jobs[key].contact > self.keep or self.bytes > 1e6 * most:
                del self._jobs[key]

    def _choose(self) -> Job | None:
        """Return the job that has had the least work among those that somebody waits for, or None."""
        waited = self._waited()
        self._admit(waited)
        ready = (job for job in waited if _free(job) and not job.place)
        return min(ready, key=lambda job: (job.background, job.worked), default=None)

    def _waited(self) -> list[Job]:
        """Return the jobs that can be computed, are not complete, and that somebody waits for."""
        now = time.monotonic()
        open = [job for job in self._jobs.values() if not (job.complete or job.failed) and now - job.contact < AWAY]
        return [job for job in open if job.ready]

    def _admit(self, waited: Sequence[Job]) -> None:
        """Give each job its place: 0 if it is computed, n for the n-th of those that wait."""
        now = time.monotonic()
        places = self._admission.update(_people(waited), now)
        for job in waited:
            job.place = min((places[person] for person in job.people if person in places), default=0)
        if now - self._looked > LOOK:
            free = memory.free()
            self._short, self._looked = free is not None and free < FREE_MB.value, now
        if self._short and any(job.worked or job.worker for job in waited):
            line = max((job.place for job in waited), default=0)
            for number, job in enumerate([job for job in waited if not (job.worked or job.worker or job.place)], 1):
                job.place = line + number

    # ---- the workers ---------------------------------------------------------------------------------

    def _long(self) -> list[Job]:
        """Return the jobs whose workers are in a step that takes too long; to compile is no step."""
        now, busy = time.monotonic(), list(self._threads.items())
        return [job for thread, job in busy if job and now - job.since > self.step and not waiting(thread)]

    def _relieve(self) -> None:
        """See that there is a worker for each core, besides those in a step that takes too long."""
        long = self._long()
        for job in long:
            if not (job.long or job.abandoned):
                job.long = True
                events.note("step-long", seconds=time.monotonic() - job.since)
        while len(self._threads) < self._workers + min(len(long), SPARES):
            worker = threading.Thread(target=self._work, daemon=True, name="feedback-lab-worker")
            worker.start()
            assert worker.ident is not None
            self._threads[worker.ident] = None

    def _work(self) -> None:
        me = threading.get_ident()
        while True:
            with self._changed:
                self._threads[me] = None
                if len(self._threads) > self._workers + len(self._long()):  # back from a long step, and replaced
                    del self._threads[me]
                    return
                self._drop()
                while (job := self._choose()) is None:
                    soon = any(job.asked for job in self._waited())
                    self._changed.wait(SOON if soon else min(LONGEST, self.keep / 4))
                    self._drop()
                    if not self._jobs:
                        tidy()
                job.worker, job.since = me, time.monotonic()
                self._threads[me] = job
            try:
                with job.lock:
                    job.advance(SLICE)
            except Exception as error:  # a fault in one run must not end the worker
                self._fail(job, error)
            finally:
                job.worked += time.monotonic() - job.since
                if job.worker == me:
                    job.worker, job.long = None, False
                with job.grown:
                    job.grown.notify_all()
                if job.complete:
                    events.note("run-ended", kind=type(job).__name__, seconds=job.worked, failed=bool(job.failed))

    def _fail(self, job: Job, error: Exception) -> None:
        if job.abandoned:
            return
        if isinstance(error, MemoryError):
            events.note("memory-out", megabytes=self.bytes / 1e6)
            with self._changed:
                self._drop(megabytes=0)
        else:
            logging.getLogger(__name__).error("a run broke off", exc_info=error)
        job.failed = _sentence(error)


def _people(jobs: Iterable[Job]) -> list[Hashable]:
    """Return who waits for any of these jobs, in the order in which they are made."""
    now = time.monotonic()
    return list(dict.fromkeys(who for job in jobs for who, at in list(job.people.items()) if now - at < AWAY))


def _free(job: Job) -> bool:
    """Return whether a worker may take the job now."""
    return job.worker is None and (not job.asked or time.monotonic() - job.since > PATIENCE)


def _sentence(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "This run needs more memory than the server has. Lower the steps or the replicates."
    words = " ".join(f"{type(error).__name__}: {error}".split())
    return f"This run broke off at a fault of the app, which the server's log holds ({words[:200]})."


STORE = Store()
