"""Tells how far a sweep is, and whether it is to stop."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol


class SweepWork(Protocol):
    """A piece of work that can be pickled, and that `learners.sweep.batch.compute` knows how to run.

    number : its number among all works of a plan. steps : that it takes. runs : that take them side by side.
    """

    @property
    def number(self) -> int: ...
    @property
    def steps(self) -> int: ...
    @property
    def runs(self) -> int: ...


@dataclass(frozen=True)
class Progress:
    """The progress of a sweep.

    done, total : steps of single runs, taken and in all. finished, batches : batches that have ended, and all of them.
    seconds : since the start.

    >>> Progress(done=250, total=1000, finished=1, batches=4, seconds=10.0).left
    30.0
    """

    done: int
    total: int
    finished: int
    batches: int
    seconds: float

    @property
    def share(self) -> float:
        """The share that is done, from 0 to 1."""
        return self.done / self.total if self.total else 1.0

    @property
    def left(self) -> float | None:
        """The seconds it still takes at the speed so far; None before the first steps."""
        return self.seconds * (self.total - self.done) / self.done if self.done else None


class ProgressWatch:
    """Counts the steps taken in each batch, reports the progress, and asks whether to stop."""

    def __init__(
        self,
        batches: Sequence[SweepWork],
        progress: Callable[[Progress], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        self.batches = {batch.number: batch for batch in batches}
        self.progress, self.cancelled = progress, cancelled or (lambda: False)
        self.steps = dict.fromkeys(self.batches, 0)
        self.finished: set[int] = set()
        self.began = time.perf_counter()

    def note(self, steps: dict[int, int]) -> None:
        """Note the steps taken so far in some batches, by number; they never become fewer."""
        for number, taken in steps.items():
            self.steps[number] = max(self.steps[number], min(taken, self.batches[number].steps))
        if self.progress is not None:
            self.progress(self.now())

    def end(self, number: int) -> SweepWork:
        """Note that a batch has ended, and return it."""
        self.finished.add(number)
        self.note({number: self.batches[number].steps})
        return self.batches[number]

    def now(self) -> Progress:
        """Return how far the sweep is."""
        done = sum(taken * self.batches[number].runs for number, taken in self.steps.items())
        total = sum(batch.steps * batch.runs for batch in self.batches.values())
        return Progress(done, total, len(self.finished), len(self.batches), time.perf_counter() - self.began)
