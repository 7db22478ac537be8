"""Work of the replicates side by side, in as many threads as there are cores."""

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from learners.threads import one_thread

T = TypeVar("T")
WORTH = 3e-4  # seconds that an item must take, since handing it to another thread takes a tenth of that
FADING = 0.97


@cache
def _threads() -> ThreadPoolExecutor:
    """Return the threads of this process, which all simulations share."""
    return ThreadPoolExecutor(max_workers=_cores(), thread_name_prefix="replicates")


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.cache_clear)  # a forked process has none of the threads


@dataclass
class Pace:
    """The seconds of an item, with all of them in one thread (`alone`) and in several (`together`), as last measured.

    The way not in use is taken for a little faster each time, so that it is tried again. latest : the seconds of an
    item when it was measured last, either way; learners that have stopped boosting take almost none.
    """

    alone: float = 0.0
    together: float = 0.0
    latest: float = 0.0

    def threads_pay(self) -> bool:
        """Return whether threads are the faster way. Work in the interpreter gains nothing by them."""
        return self.alone >= WORTH and self.latest >= WORTH / 2 and self.together < self.alone

    def took(self, threads: bool, seconds: float) -> None:
        """Note how long an item took."""
        self.latest = seconds
        if threads:
            self.together, self.alone = seconds, FADING * self.alone
        else:
            self.alone, self.together = seconds, FADING * self.together


def side_by_side(work: Callable[[int], T], items: Sequence[int], pace: Pace) -> list[T]:
    """Return what work(item) returns for each item, in their order.

    No two items may change the same object. Then the results do not depend on the threads.

    pace : how long such items took, by which it is decided whether threads pay; noted anew.

    Raises
    ------
    The error that the work raises; of several items, that of the first. No work goes on after that.

    >>> side_by_side(lambda r: 10 * r, range(3), Pace())
    [0, 10, 20]
    """
    threads = len(items) > 1 and pace.threads_pay() and _cores() > 1
    began = time.perf_counter()
    if threads:
        with one_thread():
            done = [_threads().submit(work, item) for item in items]
            wait(done)
        results = [each.result() for each in done]
    else:
        results = [work(item) for item in items]
    pace.took(threads, (time.perf_counter() - began) / max(1, len(items)))
    return results
