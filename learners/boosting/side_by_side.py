"""Work of the replicates side by side, in as many threads as there are cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from typing import TypeVar

from learners.threads import one_thread

T = TypeVar("T")
WORTH = 3e-4  # seconds that a piece of work must take so that handing it to another thread is worth while


@cache
def _threads() -> ThreadPoolExecutor:
    """Return the threads of this process, which all simulations share."""
    return ThreadPoolExecutor(max_workers=_cores(), thread_name_prefix="replicates")


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.cache_clear)  # a forked process has none of the threads


def side_by_side(work: Callable[[int], T], items: Sequence[int], seconds: float) -> list[T]:
    """Return what work(item) returns for each item, in their order.

    What the work of two items changes must not overlap. Then the results do not depend on the threads.

    seconds : how long the work of an item took last time. Where it is too short for threads to pay, or there is one
    core, the work is done in this thread.

    Raises
    ------
    What the work raises; of several items, that of the first. No work goes on after that.

    >>> side_by_side(lambda r: 10 * r, range(3), seconds=1.0)
    [0, 10, 20]
    """
    with one_thread():
        if seconds < WORTH or len(items) < 2 or _cores() == 1:
            return [work(item) for item in items]
        done = [_threads().submit(work, item) for item in items]
        wait(done)
        return [each.result() for each in done]
