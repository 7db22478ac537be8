"""Run a function in the threads of the queue while the script of a page waits for its value."""

import time
from typing import Any, TypeVar

from learners.run.pieces import Pieces, finished
from pages.ui.jobs.job import Sliced
from pages.ui.jobs.queue import QUEUE
from pages.ui.server.sessions import connected, session

T = TypeVar("T")
TICK = 0.1  # seconds between two looks whether the page is still open


class Once(Sliced):
    """A work in pieces, done once for the page that waits. found : what it returned. error : what it raised."""

    def __init__(self, pieces: Pieces[Any]) -> None:
        super().__init__()
        self._pieces, self._done = pieces, False
        self.found: Any = None
        self.error: Exception | None = None

    @property
    def complete(self) -> bool:
        """Whether it has ended."""
        return self._done or bool(self.failed)

    def advance(self, seconds: float) -> None:
        """Do pieces for about `seconds`, at least one."""
        stop = time.perf_counter() + seconds
        try:
            while True:
                next(self._pieces)
                if time.perf_counter() >= stop:
                    return
        except StopIteration as end:
            self.found, self._done = end.value, True
        except Exception as error:
            self.error, self._done = error, True


def once(pieces: Pieces[T]) -> T:
    """Return what a work in pieces returns. Called in a page's script, it has the threads of the queue do it.

    So it waits in the same queue as all runs, and ends between two pieces if the page is closed. Outside of a page it
    is done at once.

    Raises
    ------
    ValueError : if it broke off or was given up, with a sentence, besides what the work itself raises.

    >>> def work():
    ...     yield
    ...     return 3
    >>> once(work())
    3
    """
    owner = session()
    if not owner:
        return finished(pieces)
    key = object()
    while not (job := QUEUE.open(key, lambda: Once(pieces))).complete:
        job.wait(TICK)
        if not connected(owner):
            QUEUE.forget(key)
            raise ValueError("The page was closed before this was computed.")
    QUEUE.forget(key)
    if job.error is not None:
        raise job.error
    if job.failed:
        raise ValueError(job.failed)
    found: T = job.found
    return found
