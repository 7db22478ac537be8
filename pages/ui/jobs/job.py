"""Jobs of the queue: work in slices, which threads share, and work that runs to its end in a thread of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Protocol

from learners.compiled import waiting
from learners.run.cost import Cost
from pages.ui.jobs.limits import AWAY_SECONDS, broke_off, compiles, waits
from pages.ui.plain import NOTHING, Markdown, plain
from pages.ui.server.sessions import seen

ESTIMATING = Markdown("Estimating what this run takes …")


class Estimating(Protocol):
    """The estimate of a job, which may still be made."""

    needed_by: tuple[Job, ...]

    @property
    def complete(self) -> bool:
        """Whether it has ended."""

    def predicted(self, workers: int = 1) -> Cost:
        """Return what the job takes. Call it once the estimate is complete."""

    def refusal(self) -> str:
        """Return a sentence if the estimate has ended and forbids the job, else ""."""


class Job:
    """Something to compute or download for the sessions that want it. Derive from `Sliced` or from `Whole`.

    Attributes
    ----------
    lane : the executor of the queue that runs it. away : seconds without a question after which a session does not
    seem to want it any more. keep : seconds for which it is cached when nobody asks for it; None as KEEP_SECONDS says.
    key : under which the queue knows it. sessions : when each last asked for it. contact : when anybody last did.
    place : 0 if it is computed, else its place in the queue. worked : seconds spent on it so far.
    estimate : of what it takes, if it has one; where this forbids the job, the job fails. needed_by : jobs that need
    this one, and want it as long as they are wanted.
    failed : a sentence if it broke off or was refused, else "". bytes : about its memory, without its data.
    data, data_bytes : the data it runs on, which others may share, and about their memory.
    t, unit : how many steps it has taken, where it is a run, and what these are called.
    """

    lane: ClassVar[str] = ""
    away: float = 6.0
    keep: ClassVar[float | None] = None
    t, unit = 0, "step"

    def __init__(self) -> None:
        self.key: Hashable = self
        self.grown = threading.Condition()  # notified when it has grown or ended
        self.contact = time.monotonic()
        self.sessions: dict[Hashable, float] = {}
        self.place = 0
        self.worked = 0.0
        self.estimate: Estimating | None = None
        self.needed_by: tuple[Job, ...] = ()
        self.failed = ""
        self.bytes = self.data_bytes = 0
        self.data: Any = None

    @property
    def complete(self) -> bool:
        """Whether there is nothing left to compute."""
        raise NotImplementedError

    @property
    def busy(self) -> bool:
        """Whether it must stay in the cache, since a thread works on it."""
        raise NotImplementedError

    @property
    def wanted(self) -> bool:
        """Whether a session, or a job that needs it, has asked for it lately."""
        now = time.monotonic()
        return any(now - at < self.away for at in list(self.sessions.values())) or self._needed

    @property
    def _needed(self) -> bool:
        return any(job.wanted for job in self.needed_by)

    def waiting(self) -> Markdown:
        """Return a sentence if it waits for its place, else ""."""
        return waits(self.place, bool(self.t)) if self.place else NOTHING

    def wait(self, seconds: float) -> None:
        """Wait until it is complete, but no longer than some seconds."""
        with self.grown:
            self.grown.wait_for(lambda: self.complete, seconds)


class Sliced(Job):
    """A job that threads compute in slices, in turn with others, as long as somebody asks for it.

    Derived classes define `complete` and `advance`.

    Attributes
    ----------
    lock : held while a slice is computed; hold it to look at what grows. asked : how many wait for the lock; they come
    before the workers. worker : thread that works on it now, since the time `since`. long : whether that thread is in a
    step that takes longer than the queue allows. abandoned : whether somebody gave it up in the middle of such a step.
    background : whether it is computed only while no other job waits.
    """

    lane = "threads"
    background: ClassVar[bool] = False

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()
        self.since = self.contact
        self.asked = 0
        self.worker: int | None = None
        self.long = self.abandoned = False

    @property
    def ready(self) -> bool:
        """Whether it can be computed now, and need not wait for another job."""
        return True

    def seconds_left(self) -> float:
        """Return about how many seconds of work are left: 0 before any work, infinitely many where nobody knows."""
        return float("inf") if self.worked else 0.0

    @property
    def busy(self) -> bool:
        return self.worker is not None

    def advance(self, seconds: float) -> None:
        """Compute for about `seconds`."""
        raise NotImplementedError

    def abandon(self, words: str) -> None:
        """Give it up in the middle of a long step. The steps before stay, and the job says the `words`.

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

    def waiting(self) -> Markdown:
        """Return a sentence if it waits for its place, for a long step, or for something to be compiled, else ""."""
        if said := super().waiting():
            return said
        worker, seconds = self.worker, int(time.monotonic() - self.since)
        if worker is not None and waiting(worker):
            return compiles(seconds)
        return Markdown(f"One {plain(self.unit)} of this run has taken {seconds} s so far.") if self.long else NOTHING

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


class Whole(Job):
    """A job that a thread of its own runs to its end, such as one that feeds worker processes or waits for a network.

    Each session that has asked for it wants it as long as its page is open, and AWAY_SECONDS longer. When no session
    wants it any more, it stops; results so far stay. Derived classes define `work`, which looks at `stopped`.

    cost : what it asks of the server, once it is `settled`. workers : processes among which it is shared. asked : when
    it was made. begun, ended : when it did, by time.monotonic(); 0 if it has not. entered : whether the limits were
    looked at. pulse : called by `stopped`, for the executor.
    """

    stays: ClassVar[bool] = True  # whether a connected session wants it without asking again

    def __init__(self, cost: Cost = Cost()) -> None:  # noqa: B008  # frozen
        super().__init__()
        self.cost = cost
        self.workers = 1
        self.asked, self.begun, self.ended = self.contact, 0.0, 0.0
        self.settled = self.entered = False
        self.pulse: Callable[[], None] = lambda: None
        self._stop = threading.Event()
        if type(self).stays:
            self.away = AWAY_SECONDS.value

    def work(self) -> None:
        """Do all of it. Return early once it is `stopped`."""
        raise NotImplementedError

    @property
    def complete(self) -> bool:
        return bool(self.ended)

    @property
    def busy(self) -> bool:
        return not self.ended

    @property
    def running(self) -> bool:
        """Whether it has begun and not ended."""
        return bool(self.begun and not self.ended)

    @property
    def cancelled(self) -> bool:
        """Whether it was asked to stop before its end; it may still run for a moment."""
        return self._stop.is_set()

    @property
    def wanted(self) -> bool:
        if self.cancelled:
            return False
        now = time.monotonic()
        asked = list(self.sessions.items())
        seems = any(now - max(at, seen(str(who)) if self.stays else 0.0) < self.away for who, at in asked)
        return seems or self._needed

    def stop(self) -> None:
        """Ask it to stop soon. Results so far stay."""
        self._stop.set()

    def stopped(self) -> bool:
        """Return whether it is to stop. Call it several times a second."""
        self.pulse()
        if not self.wanted:
            self._stop.set()
        return self.cancelled

    def settle(self) -> None:
        """Take over the cost once the estimate is complete, if there is one."""
        if self.settled or not (self.estimate is None or self.estimate.complete):
            return
        if self.estimate is not None:
            try:
                self.failed = self.failed or self.estimate.refusal()
                self.cost = self.cost if self.failed else self.estimate.predicted(self.workers)
            except Exception as error:  # what cannot be estimated cannot run
                self.failed = broke_off(error, fault=True)
        self.settled = True

    def waiting(self) -> Markdown:
        """Return a sentence if it waits for its estimate or its place, else ""."""
        return super().waiting() if self.settled or self.ended else ESTIMATING
