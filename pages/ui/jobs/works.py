"""Sweeps, figures and other works that worker processes share, as jobs of the queue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from learners.run.cost import Cost
from learners.sweep.batch import gather
from learners.sweep.processes import Pool
from learners.sweep.progress import Progress, ProgressWatch, SweepWork
from learners.sweep.run import Part, run
from pages.ui.jobs.job import Whole

if TYPE_CHECKING:
    import pandas as pd


class Works(Whole):
    """The batches of a sweep, or other works that `learners.sweep.run` knows.

    workers, scheduler, pool, megabytes : as for `run`. parts : the works that have ended so far, each with what it
    found. notes : sentences that a person should read. progress : how far it is.

    >>> from learners.sweep import plan
    >>> from pages.ui.jobs.queue import Queue
    >>> setup = {"learner": "perturbed-perceptron", "dataset": "toy-ranking", "user": "cascade"}
    >>> job = Works(plan(setup, {"documents": [5, 10]}, replicates=2, steps=64, metrics=["flips"]))
    >>> ticket = Queue().enter(job)
    >>> job.wait(60)
    >>> ticket.place, job.failed, job.progress.share, len(job.table())
    (0, '', 1.0, 4)
    """

    lane = "processes"

    def __init__(
        self,
        works: Sequence[SweepWork],
        workers: int = 1,
        scheduler: str | None = None,
        pool: Pool | None = None,
        megabytes: int | None = None,
        cost: Cost = Cost(),  # noqa: B008  # frozen
    ) -> None:
        super().__init__(cost)
        self.works, self.workers, self.scheduler = works, workers, scheduler
        self.pool, self.megabytes = pool, megabytes
        self.parts: list[Part] = []
        self.notes: list[str] = []
        self.progress = ProgressWatch(works).now()

    def work(self) -> None:
        """Run the works, and keep what each has found."""
        given = (self._note, self.stopped, self.notes.append, self.pool, self.megabytes)
        for part in run(self.works, self.workers, self.scheduler, *given):
            self.parts.append(part)
            self.bytes = sum(int(found.memory_usage().sum()) for _, found in self.parts if hasattr(found, "columns"))

    def _note(self, progress: Progress) -> None:
        self.progress = progress

    def table(self) -> pd.DataFrame:
        """Return what is done so far of a sweep, as `learners.sweep.sweep` does; empty before its first batch."""
        return gather(list(self.parts))
