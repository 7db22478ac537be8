"""The executors of the queue: threads that share jobs in slices, and threads that each run one job to its end."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from learners.compiled import waiting
from learners.run import memory
from learners.sweep.processes import Lost, TooLarge
from pages.ui.collector import collect_garbage
from pages.ui.jobs.admission import Admission
from pages.ui.jobs.cache import Cache
from pages.ui.jobs.job import Job, Sliced, Whole
from pages.ui.jobs.limits import FREE_MB, JOBS_MB, JOBS_WAITING, broke_off, full, too_much_of_a_session
from pages.ui.server import event_log

SLICE = 0.04  # seconds of work on one job at a time
QUICK = 0.5  # seconds of work up to which a job that ends sooner comes first
SOON = 0.002  # seconds after which a worker looks again whether those who look at a job are done
LONGEST_REST = 60.0  # seconds until a worker without work looks again what can be evicted
PATIENCE = 0.25  # seconds after which a worker goes before those who look
SPARES = 4  # workers that may take the place of those in a long step, at a time
LOOK = 1.0  # seconds between two looks at the free memory
SHORT = 60.0  # seconds of a job that need not wait for long ones, for which one place is kept


class Threads:
    """Workers, one for each core, that give every `Sliced` job that somebody asks for slices of their time.

    Among jobs that have had little of it the one that ends soonest comes first, so that of thirty alike the first is
    not kept waiting for the last; after that the job that has had the least, so that short runs are not kept waiting by
    long ones. Where more sessions ask than the server computes for at a time, or memory is short, the next wait. A step
    that takes very long does not hold the others up: another worker takes the place of the one that computes it.
    """

    def __init__(self, cache: Cache, workers: int | None, people: int, step: float) -> None:
        self.step = step
        self._cache, self._changed = cache, cache.changed
        self._workers = workers or os.cpu_count() or 1
        self._threads: dict[int, Sliced | None] = {}  # workers, each with the job it works on
        self._admission = Admission(people)
        self._short, self._looked = False, 0.0  # whether memory is short, and when that was looked up

    def look(self) -> None:
        """Admit new requests, even if all workers are busy, and wake a worker."""
        with self._changed:
            self._cache.evict()
            self._relieve()
            self._admit(self._wanted())
            self._changed.notify()

    def metrics(self) -> dict[str, Any]:
        """Return numbers for those who run the server."""
        with self._changed:
            wanted = self._wanted()
            return {
                "kept": sum(isinstance(job, Sliced) for job in self._cache.jobs.values()),
                "computed": sum(not job.place for job in wanted),
                "waiting": sum(job.place > 0 for job in wanted),
                "people": len(_sessions(wanted)),
                "megabytes": round(self._cache.bytes / 1e6),
                "workers": len(self._threads),
                "long_steps": len(self._long()),
            }

    def _choose(self) -> Sliced | None:
        """Return the job that comes next among those that somebody waits for, or None."""
        wanted = self._wanted()
        self._admit(wanted)
        ready = (job for job in wanted if _free(job) and not job.place)
        return min(ready, key=lambda job: (job.background, max(job.worked, QUICK), job.seconds_left()), default=None)

    @property
    def crowded(self) -> bool:
        """Whether more jobs wait for a worker than there are workers."""
        return sum(not job.background for job in self._wanted()) > self._workers

    def _wanted(self) -> list[Sliced]:
        """Return the jobs that can be computed, are not complete, and that somebody waits for."""
        jobs = (job for job in self._cache.jobs.values() if isinstance(job, Sliced))
        return [job for job in jobs if not (job.complete or job.failed) and job.wanted and job.ready]

    def _admit(self, wanted: Sequence[Sliced]) -> None:
        """Give each job its place: 0 if it is computed, n for the n-th of those that wait."""
        now = time.monotonic()
        places = self._admission.update(_sessions(wanted), now)
        for job in wanted:
            job.place = min((places[who] for who in list(job.sessions) if who in places), default=0)
        if now - self._looked > LOOK:
            free = memory.free()
            self._short, self._looked = free is not None and free < FREE_MB.value, now
        if self._short and any(job.worked or job.worker for job in wanted):
            last = max((job.place for job in wanted), default=0)
            for number, job in enumerate([job for job in wanted if not (job.worked or job.worker or job.place)], 1):
                job.place = last + number

    def _long(self) -> list[Sliced]:
        """Return the jobs whose workers are in a step that takes too long; to compile is no step."""
        now, busy = time.monotonic(), list(self._threads.items())
        return [job for thread, job in busy if job and now - job.since > self.step and not waiting(thread)]

    def _relieve(self) -> None:
        """See that there is a worker for each core, besides those in a step that takes too long."""
        long = self._long()
        for job in (job for job in long if not (job.long or job.abandoned)):
            job.long = True
            event_log.note("step-long", seconds=time.monotonic() - job.since)
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
                self._cache.evict()
                while (job := self._choose()) is None:
                    soon = any(job.asked for job in self._wanted())
                    self._changed.wait(SOON if soon else min(LONGEST_REST, self._cache.keep / 4))
                    self._cache.evict()
                    if not self._cache.jobs:
                        collect_garbage()
                job.worker, job.since = me, time.monotonic()
                self._threads[me] = job
            try:
                with job.lock:
                    if job.estimate is not None:  # which may have come only now
                        job.failed = job.failed or job.estimate.refusal()
                    if not job.failed:
                        job.advance(SLICE)
            except Exception as error:  # a fault in one job must not end the worker
                if not job.abandoned:
                    _fail(self._cache, job, error)
            finally:
                job.worked += time.monotonic() - job.since
                if job.worker == me:
                    job.worker, job.long = None, False
                with job.grown:
                    job.grown.notify_all()
                if job.complete:
                    event_log.note("run-ended", kind=type(job).__name__, seconds=job.worked, failed=bool(job.failed))


class Lane:
    """A few places, in each of which a thread runs one `Whole` job to its end; the others wait.

    They begin in the order in which they came, except that a session that has one goes behind those that have none. No
    job is ended for another's. It ends early only when all sessions that asked for it have left or closed their page.

    lane : of the jobs. places : returns how many run at a time. ended : called when a job has ended, without a lock.
    counted : whether what one session may have is bounded.
    """

    def __init__(
        self, cache: Cache, lane: str, places: Callable[[], int], ended: Callable[[], None], counted: bool = True
    ) -> None:
        self.lane, self.ended = lane, ended
        self.begun: list[Whole] = []  # jobs that run
        self._cache, self._changed, self._places, self._counted = cache, cache.changed, places, counted
        self._looked = 0.0

    def look(self) -> None:
        """Take out what is not wanted any more, and begin what comes next."""
        began = self._looked = time.monotonic()
        waiting = self._waiting()
        for job in waiting:  # this calls other code, so no lock is held
            job.settle()
        unwanted = [job for job in waiting if not job.wanted]
        with self._changed:
            for job in (job for job in waiting if job.settled and not job.entered):
                job.entered = True
                refused = (self._refuse(job, session) for session in list(job.sessions))
                job.failed = job.failed or next(filter(None, refused), "")
            dropped = [job for job in waiting if not (job.begun or job.ended) and (
                job.failed or job.cancelled or (job in unwanted and job.contact < began))]  # fmt: skip
            for job in dropped:
                self._cache.drop(job)
                self._end(job)
            chosen = self._choose()
        for job in dropped:
            if job.failed:
                event_log.note("job-refused", seconds=job.cost.seconds, megabytes=job.cost.bytes / 1e6)
            else:
                event_log.note("job-left", waited=job.ended - job.asked)
        for job in chosen:
            event_log.note("job-started", waited=job.begun - job.asked, seconds=job.cost.seconds)
            threading.Thread(target=self._run, args=(job,), daemon=True, name=f"feedback-lab-{self.lane}").start()

    def _refuse(self, job: Whole, session: Hashable) -> str:
        """Return a sentence if a session may not have a job, else ""."""
        if not self._counted:
            return ""
        waiting = [other for other in self._waiting() if other is not job]
        mine = [other.cost for other in (*self.begun, *waiting) if session in other.sessions]
        if refused := too_much_of_a_session(job.cost, mine):
            return refused
        room = len(self.begun) < self._places() or len(waiting) < JOBS_WAITING.value
        return "" if room else full(len(waiting))

    def metrics(self) -> dict[str, Any]:
        """Return numbers for those who run the server."""
        with self._changed:
            waiting = self._waiting()
            jobs = [*self.begun, *waiting]
            return {
                "computed": len(self.begun),
                "waiting": len(waiting),
                "people": len({who for job in jobs for who in list(job.sessions)}),
                "estimated_minutes": round(sum(job.cost.seconds for job in jobs) / 60, 1),
                "estimated_mb": round(sum(job.cost.bytes for job in self.begun) / 1e6),
            }

    def _waiting(self) -> list[Whole]:
        """Return the jobs that have not begun, in the order in which they came."""
        jobs = list(self._cache.jobs.values())
        whole = (job for job in jobs if isinstance(job, Whole) and job.lane == self.lane)
        return [job for job in whole if not (job.begun or job.ended)]

    def _in_order(self) -> list[Whole]:
        """Return the jobs that wait for a place, in the order in which they begin."""
        has = Counter(who for job in self.begun for who in list(job.sessions))
        ranked = []
        for number, job in enumerate(job for job in self._waiting() if job.settled):
            ranked.append((min((has[who] for who in list(job.sessions)), default=0), number, job))
            has.update(list(job.sessions))
        return [job for _, _, job in sorted(ranked, key=lambda entry: entry[:2])]

    def _choose(self) -> list[Whole]:
        """Return the jobs that begin now, and give the others their places."""
        places, place, chosen = self._places(), 0, list[Whole]()
        blocked = False  # a smaller job that comes later does not overtake a large one
        for job in self._in_order():
            long = job.cost.seconds > SHORT
            many = sum(other.cost.seconds > SHORT for other in self.begun) >= max(1, places - 1)
            held = sum(other.cost.bytes for other in self.begun)
            blocked = blocked or bool(self.begun and held + job.cost.bytes > 1e6 * JOBS_MB.value)
            if blocked or len(self.begun) >= places or (long and many):
                job.place = place = place + 1
                continue
            job.place, job.begun = 0, time.monotonic()
            self.begun.append(job)
            chosen.append(job)
        return chosen

    def _pulse(self) -> None:
        """Look again if that is long ago. Running jobs call this several times a second."""
        if time.monotonic() - self._looked > LOOK:
            self.look()

    def _run(self, job: Whole) -> None:
        job.pulse = self._pulse
        try:
            job.work()
        except Exception as error:  # the next must begin all the same
            _fail(self._cache, job, error)
        with self._changed:
            self._end(job)
        event_log.note("job-ended", seconds=job.worked)
        self.ended()

    def _end(self, job: Whole) -> None:
        if job in self.begun:
            self.begun.remove(job)
        job.needed_by = ()
        job.ended = job.contact = time.monotonic()
        job.place, job.worked = 0, job.ended - job.begun if job.begun else 0.0
        with job.grown:
            job.grown.notify_all()


def _fail(cache: Cache, job: Job, error: Exception) -> None:
    """Have a job end with a sentence. Where memory ran out, all that nobody looks at is evicted."""
    if isinstance(error, MemoryError):
        event_log.note("memory-out", megabytes=cache.bytes / 1e6)
        with cache.changed:
            cache.evict(megabytes=0)
    fault = isinstance(job, Sliced) or not isinstance(error, (ValueError, Lost, TooLarge))
    job.failed = broke_off(error, fault)
    if fault and not isinstance(error, MemoryError):
        logging.getLogger(__name__).error("a run broke off", exc_info=error)


def _sessions(jobs: Iterable[Sliced]) -> list[Hashable]:
    """Return who waits for any of these jobs, in the order in which they are made."""
    now = time.monotonic()
    asked = ((job, who, at) for job in jobs for who, at in list(job.sessions.items()))
    return list(dict.fromkeys(who for job, who, at in asked if now - at < job.away))


def _free(job: Sliced) -> bool:
    """Return whether a worker may take the job now."""
    return job.worker is None and (not job.asked or time.monotonic() - job.since > PATIENCE)
