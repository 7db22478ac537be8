"""The queue of all that the server computes or downloads for pages.

Sessions that ask for the same key share one job. Results stay in a cache, so that a page that asks again, or
is reloaded, finds it. A job waits with a place in the queue until its executor takes it; a sweep also waits for its
estimate. A job is never ended to make room for another's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar

from pages.ui.jobs.cache import Cache
from pages.ui.jobs.job import Job, Sliced, Whole
from pages.ui.jobs.limits import JOBS, KEEP_SECONDS, MEMORY_MB, PEOPLE, STEP_SECONDS
from pages.ui.jobs.workers import Lane, Threads
from pages.ui.server.sessions import session

MANY_SESSIONS = 100  # sessions of a job after which those that have gone are forgotten
DOWNLOADS = 2  # at a time
KEEP: float = KEEP_SECONDS.at_start
MEGABYTES: int = MEMORY_MB.at_start

J = TypeVar("J", bound=Job)


@dataclass(frozen=True)
class Ticket:
    """The place of one session in the queue."""

    queue: Queue
    job: Job
    session: Hashable

    @property
    def refused(self) -> str:
        """The sentence if the job was not let in, else ""."""
        return self.job.failed if isinstance(self.job, Whole) and not self.job.begun else ""

    @property
    def place(self) -> int:
        """The place among those that wait, from 1; 0 if it does not wait (any more)."""
        self.queue.look()
        return self.job.place

    @property
    def words(self) -> str:
        """The sentence for a page that waits, "" if there is nothing to wait for."""
        self.queue.look()
        return self.job.waiting() if not self.job.complete else ""

    def leave(self) -> None:
        """Give the place up. A job that has begun ends if nobody else wants it."""
        self.queue.leave(self.job.key, self.session)


class Queue:
    """Jobs by key, and the executors that run them.

    workers : threads that share the jobs in slices, one for each core by default. keep, megabytes : seconds and memory
    for which jobs that nobody asks for are cached. people : sessions whose slices are computed at a time. jobs : jobs
    in processes that run at a time, as JOBS says if it is None. step : seconds that a step may take.

    >>> class Count(Sliced):
    ...     done = 0
    ...     complete = property(lambda self: self.done == 3)
    ...     def advance(self, seconds):
    ...         self.done += 1
    >>> queue = Queue(workers=1)
    >>> job = queue.open("three", Count)
    >>> job.wait(10)
    >>> job.done, queue.open("three", Count) is job
    (3, True)
    """

    def __init__(
        self,
        workers: int | None = None,
        keep: float = KEEP,
        megabytes: float = MEGABYTES,
        people: int = PEOPLE.at_start,
        step: float = STEP_SECONDS.at_start,
        jobs: int | None = None,
    ) -> None:
        self._cache = Cache(keep, megabytes)
        self.threads = Threads(self._cache, workers, people, step)
        self.processes = Lane(self._cache, "processes", lambda: jobs or JOBS.value, self.look)
        self.downloads = Lane(self._cache, "downloads", lambda: DOWNLOADS, self.look)
        # an estimate does not wait for the jobs whose places it decides
        self.estimates = Lane(self._cache, "estimates", lambda: 1, self.look, counted=False)
        self._places = (self.estimates, self.processes, self.downloads)
        self._lanes: dict[str, Threads | Lane] = {"threads": self.threads} | {x.lane: x for x in self._places}

    def enter(self, job: Job, key: Hashable = None, owner: Hashable = None) -> Ticket:
        """Have a job run when it is its turn, which may be at once; or share the one of this key, if it has not ended.

        key : the job itself by default. owner : the session that wants it, by default that of the page, and
        outside of pages the key.
        """
        job.key = job if key is None else key
        owner = owner or session() or job.key
        with self._cache.changed:
            found = self._cache.jobs.get(job.key)
            if found is not None and not found.complete and not _cancelled(found):
                job = found
            self._put(job, owner)
        self._lanes[job.lane].look()
        return Ticket(self, job, owner)

    def open(self, key: Hashable, make: Callable[[], J]) -> J:
        """Return the job of this key, made if it is not there. The caller is taken to want it a while."""
        owner = session() or key
        with self._cache.changed:
            found = self._cache.jobs.get(key)
            if found is not None and not _cancelled(found):
                self._put(found, owner)
        if found is None or _cancelled(found):
            made = make()  # outside, since it may take long
            made.key = key
            with self._cache.changed:
                found = self._cache.jobs.get(key)
                found = made if found is None or _cancelled(found) else found
                self._put(found, owner)
        if not found.complete:
            self._lanes[found.lane].look()
        return found  # type: ignore[return-value]  # a key belongs to one kind of job

    def _put(self, job: Job, owner: Hashable) -> None:
        """Cache a job, and note that a session asks for it. Hold the lock."""
        self._cache.jobs[job.key] = job
        job.contact = job.sessions[owner] = time.monotonic()
        if isinstance(job, Sliced) and len(job.sessions) > MANY_SESSIONS:
            job.sessions = {who: at for who, at in job.sessions.items() if job.contact - at < job.away}
        if (estimate := job.estimate) is not None and not estimate.complete and job not in estimate.needed_by:
            estimate.needed_by = (*estimate.needed_by, job)

    def look(self) -> None:
        """Take out what is not wanted any more, and begin what comes next."""
        for lane in self._places:
            lane.look()

    def get(self, key: Hashable) -> Job | None:
        """Return the job of a key if it is there."""
        return self._cache.jobs.get(key)

    def leave(self, key: Hashable, owner: Hashable = None) -> bool:
        """Note that a session does not want a job any more. Return whether nobody does."""
        owner = owner or session() or key
        with self._cache.changed:
            if (job := self._cache.jobs.get(key)) is None:
                return True
            job.sessions.pop(owner, None)
            if isinstance(job, Sliced):  # if others want it, they will soon ask for it again
                job.contact = min(job.contact, time.monotonic() - job.away)
            elif isinstance(job, Whole) and not (job.sessions or job.ended):
                job.stop()
        self.look()
        return not job.sessions

    def forget(self, key: Hashable) -> None:
        """Drop a job that nobody will ask for again."""
        with self._cache.changed:
            self._cache.jobs.pop(key, None)

    def clear(self) -> None:
        """Drop all jobs, and wait until no thread works on any of them."""
        with self._cache.changed:
            running = (job for lane in self._places for job in lane.begun)
            dropped = [*dict.fromkeys([*self._cache.jobs.values(), *running])]
            self._cache.jobs.clear()
        for job in dropped:
            if isinstance(job, Whole):
                job.stop()
                if not job.begun:
                    continue
            with job.grown:
                while job.busy:
                    job.grown.wait()

    def __len__(self) -> int:
        return len(self._cache.jobs)


def _cancelled(job: Job) -> bool:
    return isinstance(job, Whole) and job.cancelled


QUEUE = Queue()
