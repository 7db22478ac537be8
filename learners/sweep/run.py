"""Running the batches of a sweep: in this process, in worker processes, or on a cluster, with the same numbers."""

from __future__ import annotations

import queue
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from learners.sweep.batch import compute, load
from learners.sweep.cluster import Unreachable, connect, on_cluster
from learners.sweep.plan import Batch

if TYPE_CHECKING:
    import pandas as pd

POLL = 0.2  # seconds between two looks at what the workers have done
Part = tuple[Batch, "pd.DataFrame"]


@dataclass(frozen=True)
class Progress:
    """How far a sweep is: steps of single runs done, of how many; batches finished, of how many; seconds since its
    start.

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
        """What is done, from 0 to 1."""
        return self.done / self.total if self.total else 1.0

    @property
    def left(self) -> float | None:
        """Seconds it will still take at the speed so far; None before the first steps."""
        return self.seconds * (self.total - self.done) / self.done if self.done else None


class Watch:
    """Knows the steps taken in each batch, tells of progress, and asks whether to stop."""

    def __init__(
        self, batches: Sequence[Batch], progress: Callable[[Progress], None] | None, cancelled: Callable[[], bool] | None
    ) -> None:  # fmt: skip
        self.batches = {batch.number: batch for batch in batches}
        self.progress, self.cancelled = progress, cancelled or (lambda: False)
        self.steps = dict.fromkeys(self.batches, 0)
        self.finished: set[int] = set()
        self.began = time.perf_counter()

    def note(self, steps: dict[int, int]) -> None:
        """`steps` taken so far in some batches; never fewer than before."""
        for number, taken in steps.items():
            self.steps[number] = max(self.steps[number], min(taken, self.batches[number].steps))
        if self.progress is not None:
            self.progress(self.now())

    def end(self, number: int) -> Batch:
        """A batch is finished."""
        self.finished.add(number)
        self.note({number: self.batches[number].steps})
        return self.batches[number]

    def now(self) -> Progress:
        done = sum(taken * self.batches[number].runs for number, taken in self.steps.items())
        total = sum(batch.steps * batch.runs for batch in self.batches.values())
        return Progress(done, total, len(self.finished), len(self.batches), time.perf_counter() - self.began)


def run(
    batches: Sequence[Batch],
    workers: int = 1,
    scheduler: str | None = None,
    progress: Callable[[Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    say: Callable[[str], None] | None = None,
) -> Iterator[Part]:
    """Run the batches of `plan`; yields each with its rows of the table as it ends, for `gather`.

    Parameters
    ----------
    workers : processes that share the batches; 1 runs them in this one.
    scheduler : address of a Dask scheduler whose workers run them instead. What it cannot do is done here.
    progress : called several times a second, by the thread that draws from this iterator.
    cancelled : asked several times a second; once it is true nothing more is yielded, and what was yielded stands.
    say : told what a person should know, each time in a sentence; `warnings.warn` if None.

    Data that were given built are handed to the processes as they are; all others are built where they are needed.

    Raises
    ------
    ValueError : for workers < 1, an address that is none, and what `sweep` refuses.

    >>> from learners.sweep.plan import plan
    >>> setup = {"learner": "perturbed-perceptron", "dataset": "toy-ranking", "user": "cascade"}
    >>> batches = plan(setup, {"documents": [5, 10]}, replicates=2, steps=64, metrics=["flips"])
    >>> [len(rows) for _, rows in run(batches, progress=lambda now: print(now.done, "of", now.total))]
    128 of 256
    128 of 256
    256 of 256
    256 of 256
    [2, 2]
    """
    if not isinstance(workers, int) or isinstance(workers, bool) or workers < 1:
        raise ValueError(f"workers must be a whole number of at least 1, got {str(workers)[:60]}")
    return _run(batches, workers, scheduler, Watch(batches, progress, cancelled), say or warnings.warn)


def _run(
    batches: Sequence[Batch], workers: int, scheduler: str | None, watch: Watch, say: Callable[[str], None]
) -> Iterator[Part]:
    if scheduler is not None:
        try:
            with connect(scheduler) as cluster:
                for sentence in cluster.notes:
                    say(sentence)
                for number, rows in on_cluster(cluster, batches, watch):
                    yield watch.end(number), rows
        except Unreachable as problem:
            say(f"{problem} The sweep runs on this machine instead.")
    batches = [batch for batch in batches if batch.number not in watch.finished]
    if watch.cancelled() or not batches:
        return
    for number, rows in _here(batches, watch) if workers == 1 else _in_processes(batches, workers, watch):
        yield watch.end(number), rows


def _here(batches: Sequence[Batch], watch: Watch) -> Iterator[tuple[int, pd.DataFrame]]:
    try:
        for batch in batches:

            def tick(steps: int, number: int = batch.number) -> bool:
                watch.note({number: steps})
                return watch.cancelled()

            rows = None if watch.cancelled() else compute(batch, tick)
            if rows is None:
                return
            yield batch.number, rows
    finally:
        load.cache_clear()  # data stay in worker processes only, which end when they are idle


def _in_processes(batches: Sequence[Batch], workers: int, watch: Watch) -> Iterator[tuple[int, pd.DataFrame]]:
    """joblib runs the batches; how far each is stands in a file of its own, and a file tells them to give up."""
    from joblib import Parallel, delayed  # type: ignore[import-untyped]

    found: queue.Queue[Any] = queue.Queue()

    def work() -> None:
        try:
            parallel = Parallel(min(workers, len(batches)), batch_size=1, return_as="generator_unordered")
            for item in parallel(delayed(_in_process)(batch, folder) for batch in batches):
                found.put(item)
            found.put(None)
        except BaseException as error:
            found.put(error)

    with TemporaryDirectory(prefix="feedback-lab-sweep-") as folder:
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        try:
            while True:
                try:
                    item = found.get(timeout=POLL)
                except queue.Empty:
                    watch.note(_taken(Path(folder)))
                    if not watch.cancelled():
                        continue
                    return
                if item is None:
                    return
                if isinstance(item, BaseException):
                    raise item
                number, rows = item
                if rows is not None:
                    yield number, rows
        finally:
            Path(folder, "cancelled").touch()
            thread.join()


def _in_process(batch: Batch, folder: str) -> tuple[int, Any]:
    file, flag = Path(folder, str(batch.number)), Path(folder, "cancelled")

    def tick(steps: int) -> bool:
        file.write_text(str(steps), "ascii")
        return flag.exists()

    return batch.number, None if flag.exists() else compute(batch, tick)


def _taken(folder: Path) -> dict[int, int]:
    """What the processes have written: steps taken, by number of the batch."""
    texts = {int(file.name): file.read_text("ascii") for file in folder.iterdir() if file.name.isdecimal()}
    return {number: int(text) for number, text in texts.items() if text}
