"""Runs a sweep, or other works, in the background, for pages."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from learners.sweep.batch import gather
from learners.sweep.processes import Pool
from learners.sweep.progress import Progress, Watch, Work
from learners.sweep.run import Part, run

if TYPE_CHECKING:
    import pandas as pd


class Job:
    """A sweep, or other works that `run` knows, in the background. It is cancelled when nobody holds the job any more.

    progress : how far it is. notes : sentences that a person should read. error : the sentence that ended it, or None.
    pool, megabytes : as for `run`.
    unwanted : asked several times a second; once it returns True the job is cancelled. It must not hold the job.

    >>> from learners.sweep.plan import plan
    >>> setup = {"learner": "perturbed-perceptron", "dataset": "toy-ranking", "user": "cascade"}
    >>> job = Job(plan(setup, {"documents": [5, 10]}, replicates=2, steps=64, metrics=["flips"]))
    >>> job.wait()
    >>> job.running, job.error, job.progress.share, len(job.table())
    (False, None, 1.0, 4)
    """

    def __init__(
        self,
        batches: Sequence[Work],
        workers: int = 1,
        scheduler: str | None = None,
        unwanted: Callable[[], bool] = lambda: False,
        pool: Pool | None = None,
        megabytes: int | None = None,
    ) -> None:
        self._state = _State(batches, unwanted)
        given = (self._state, batches, workers, scheduler, pool, megabytes)
        self._thread = threading.Thread(target=_work, args=given, daemon=True)
        self._thread.start()
        weakref.finalize(self, self._state.stop.set)

    @property
    def progress(self) -> Progress:
        return self._state.progress

    @property
    def notes(self) -> list[str]:
        return list(self._state.notes)

    @property
    def error(self) -> str | None:
        return self._state.error

    @property
    def running(self) -> bool:
        return self._thread.is_alive()

    @property
    def cancelled(self) -> bool:
        """Whether it was asked to stop; it may still run for a moment."""
        return self._state.stop.is_set()

    def cancel(self) -> None:
        """Ask it to stop soon; what has ended stays."""
        self._state.stop.set()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until it has ended, at most for these seconds."""
        self._thread.join(seconds)

    @property
    def parts(self) -> list[Part]:
        """The works that have ended so far, each with what it found."""
        return list(self._state.parts)

    def table(self) -> pd.DataFrame:
        """Return what is done so far of a sweep, as `sweep` does; empty before the first batch has ended."""
        return gather(list(self._state.parts))


class _State:
    """What a job and its thread share, since the thread must not hold the job itself."""

    def __init__(self, batches: Sequence[Work], unwanted: Callable[[], bool]) -> None:
        self.stop, self.unwanted = threading.Event(), unwanted
        self.parts: list[Part] = []
        self.notes: list[str] = []
        self.error: str | None = None
        self.progress = Watch(batches).now()

    def update(self, now: Progress) -> None:
        self.progress = now

    def stopped(self) -> bool:
        if not self.stop.is_set() and self.unwanted():
            self.stop.set()
        return self.stop.is_set()


def _work(
    state: _State,
    batches: Sequence[Work],
    workers: int,
    scheduler: str | None,
    pool: Pool | None,
    megabytes: int | None,
) -> None:
    told = state.update, state.stopped, state.notes.append
    try:
        for part in run(batches, workers, scheduler, *told, pool, megabytes):
            state.parts.append(part)
    except Exception as error:  # whatever it is, the page must be able to show it
        state.error = str(error) or type(error).__name__
