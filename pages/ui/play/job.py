"""Work that is done in the background, in slices, as long as somebody waits for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from learners.compiled import waiting
from pages.ui.play.compiling import words
from pages.ui.server.line import ordinal


class Job:
    """Something to compute in slices by the workers of a `Store`.

    Derived classes define `complete` and `advance`.

    Attributes
    ----------
    lock : held while a slice is computed; hold it to look at what grows. asked : how many wait for the lock; they come
    before the workers. contact : when somebody last asked for it. people : when each person last did.
    place : 0 if it is computed, else the place in the line of those that wait until the server computes for fewer
    people. worked : seconds spent on it so far. worker : thread that works on it now, since the time `since`.
    long : whether that thread is in a step that takes longer than the store allows. abandoned : whether somebody gave
    it up in the middle of such a step.
    failed : a sentence if it broke off, else "". bytes : about how much memory it takes, without its data.
    data, data_bytes : the data it runs on, which others may share, and about how much memory these take.
    t, unit : how many steps it has taken, where it is a run, and what these are called. background : whether it is
    computed only while no other job waits.
    """

    t, unit = 0, "step"
    background = False

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.grown = threading.Condition()
        self.contact = self.since = time.monotonic()
        self.people: dict[Hashable, float] = {}
        self.place = 0
        self.asked = 0
        self.worked = 0.0
        self.worker: int | None = None
        self.long = self.abandoned = False
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

    def abandon(self, words: str) -> None:
        """Give it up in the middle of a long step. What came before the step stays, and the job says the `words`.

        A thread cannot be stopped. The one that computes the step keeps the old lock and ends with the step.
        """
        with self.grown:
            if self.complete or not self.long:
                return
            self.abandoned, self.long, self.failed = True, False, words
            self.lock, self.worker = threading.Lock(), None
            self.grown.notify_all()

    def give_up(self) -> None:
        """Abandon it in the middle of a long step; see `abandon`."""
        self.abandon(
            f"This run was abandoned in a {self.unit} that took longer than {time.monotonic() - self.since:.0f} s. "
            f"The curves end before it. Choose smaller data, fewer replicates or other settings of the learners."
        )

    def waiting(self) -> str:
        """Return a sentence if it waits for its turn, for a long step, or for something to be compiled, else ""."""
        if self.place:
            which = "next" if self.place == 1 else f"{ordinal(self.place)} in line"
            comes = "goes on" if self.t else "begins"
            return f"This server computes for many people now. Your run is {which} and {comes} by itself."
        worker, seconds = self.worker, int(time.monotonic() - self.since)
        if worker is not None and waiting(worker):
            return words(seconds)
        return f"One {self.unit} of this run has taken {seconds} s so far." if self.long else ""

    @contextmanager
    def looked_at(self, seconds: float = -1) -> Iterator[bool]:
        """Hold the lock, and say whether it could be had within some seconds; −1 waits for it."""
        with self.grown:
            self.asked += 1
        lock = self.lock
        got = lock.acquire(timeout=seconds)
        try:
            yield got
        finally:
            if got:
                lock.release()
            with self.grown:
                self.asked -= 1

    def wait(self, seconds: float) -> None:
        """Wait until it is complete, but no longer than some seconds."""
        with self.grown:
            self.grown.wait_for(lambda: self.complete, seconds)
