"""The jobs of the queue by their keys, and when they are evicted."""

import threading
import time
from collections.abc import Hashable

from pages.ui.jobs.job import Job


class Cache:
    """Jobs by key. Those for which nobody has asked in a while are evicted, sooner where memory is short.

    changed : guards `jobs`; hold it to change them. Nothing that calls other code may be done meanwhile.
    """

    def __init__(self, keep: float, megabytes: float) -> None:
        self.keep, self.megabytes = keep, megabytes
        self.jobs: dict[Hashable, Job] = {}
        self.changed = threading.Condition()

    @property
    def bytes(self) -> int:
        """About how much memory all jobs take."""
        jobs = list(self.jobs.values())
        data = {id(job.data): job.data_bytes for job in jobs}
        return sum(job.bytes for job in jobs) + sum(data.values())

    def evict(self, megabytes: float | None = None) -> None:
        """Drop jobs that nobody has asked for in a while, and sooner if there is too much, the oldest first.

        A run that somebody watches stays, even if there is too much: it would restart forever. Hold `changed`.
        """
        now, most = time.monotonic(), self.megabytes if megabytes is None else megabytes
        for key, job in sorted(self.jobs.items(), key=lambda entry: entry[1].contact):
            idle, keep = now - job.contact, self.keep if job.keep is None else job.keep
            if not job.busy and (idle > keep or (idle >= min(job.away, keep) and self.bytes > 1e6 * most)):
                del self.jobs[key]

    def drop(self, job: Job) -> None:
        """Drop a job, unless another has its key by now. Hold `changed`."""
        if self.jobs.get(job.key) is job:
            del self.jobs[job.key]
