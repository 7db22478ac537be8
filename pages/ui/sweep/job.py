"""A sweep in the queue of the server."""

from collections.abc import Sequence

from learners.sweep import Batch
from learners.sweep.processes import POOL
from pages.ui.jobs.estimate import SweepEstimate
from pages.ui.jobs.limits import RUN_MB
from pages.ui.jobs.works import Works

MARGIN = 2  # times the memory that is allowed, at which a process is stopped, since estimates are not exact


class SweepJob(Works):
    """A sweep, which begins when its estimate allows it; all who start the same one share it."""

    keep = 6 * 3600.0

    def __init__(self, batches: Sequence[Batch], workers: int, scheduler: str | None, estimate: SweepEstimate) -> None:
        super().__init__(batches, workers, scheduler, POOL, MARGIN * RUN_MB.value)
        self.estimate = estimate
