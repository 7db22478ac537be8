"""Work that is done in the background, in slices, as long as somebody waits for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Job:
    """Something to compute in slices by the workers of a `Store`.

    Derived classes define `complete` and `advance`.

    Attributes
    ----------
    lock : held while a slice is computed; hold it to look at what grows. asked : how many wait for the lock; they come
    before the workers. contact : when somebody last asked for it.
    worked : seconds spent on it so far. worker : thread that works on it now, since the time `since`.
    failed : a sentence if it broke off, else "". bytes : about how much memory it takes, without its data.
    data, data_bytes : the data it runs on, which others may share, and about how much memory these take.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.grown = threading.Condition()
        self.contact = self.since = time.monotonic()
        self.asked = 0
        self.worked = 0.0
        self.worker: int | None = None
        self.failed = ""
        self.bytes = self.data_bytes = 0
        self.data: Any = None

    @property
    def ready(self) -> bool:
        """Whether it can be computed now, and need not wait for another job."""
        return True

    @property
    def complete(self) -> bool:
        """Whether there is nothing left to compute."""
        raise NotImplementedError

    def advance(self, seconds: float) -> None:
        """Compute for about `seconds`."""
        raise NotImplementedError

    @contextmanager
    def looked_at(self, seconds: float = -1) -> Iterator[bool]:
        """Hold the lock, and say whether it could be had within some seconds; −1 waits for it."""
        with self.grown:
            self.asked += 1
        got = self.lock.acquire(timeout=seconds)
        try:
            yield got
        finally:
            if got:
                self.lock.release()
            with self.grown:
                self.asked -= 1

    def wait(self, seconds: float) -> None:
        """Wait until it is complete, but no longer than some seconds."""
        with self.grown:
            self.grown.wait_for(lambda: self.complete, seconds)
