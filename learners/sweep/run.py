"""Runs the batches of a sweep in this process, in worker processes or on a cluster, with the same numbers."""

from __future__ import annotations

import queue
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from datasets.parameters import whole
from learners.sweep.batch import compute, load
from learners.sweep.cluster import Unreachable, connect, on_cluster
from learners.sweep.progress import Progress, Watch, Work

POLL = 0.2  # seconds between two looks at what the worker processes have done
Part = tuple[Any, Any]  # a work, and what it found: of a batch, its rows of the table


def run(
    batches: Sequence[Work],
    workers: int = 1,
    scheduler: str | None = None,
    progress: Callable[[Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    say: Callable[[str], None] | None = None,
) -> Iterator[Part]:
    """Run the batches of `plan`, or other works; yield each, as it ends, with what it found, for `gather`.

    Parameters
    ----------
    workers : number of processes that share the batches; 1 runs them in this process.
    scheduler : address of a Dask scheduler whose workers run the batches. If the cluster cannot be used, or is lost,
        the remaining batches run here.
    progress : called several times a second, in the thread that draws from this iterator.
    cancelled : called several times a second; once it returns True nothing more is yielded.
    say : called with each sentence that a person should read; `warnings.warn` if None.

    Data sets that are already built are sent to the processes as they are; others are built where they are needed.

    Raises
    ------
    ValueError : for workers < 1, a malformed address, and whatever `sweep` refuses.

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
    return _run(
        batches, whole("workers", workers, low=1), scheduler, Watch(batches, progress, cancelled), say or warnings.warn
    )


def _run(
    batches: Sequence[Work], workers: int, scheduler: str | None, watch: Watch, say: Callable[[str], None]
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


def _here(batches: Sequence[Work], watch: Watch) -> Iterator[tuple[int, Any]]:
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
        load.cache_clear()  # only worker processes keep data, and they end when they are idle


def _in_processes(batches: Sequence[Work], workers: int, watch: Watch) -> Iterator[tuple[int, Any]]:
    """Run the batches by joblib. Each writes its steps to a file of its own; the file `cancelled` stops them all."""
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


def _in_process(batch: Work, folder: str) -> tuple[int, Any]:
    file, flag = Path(folder, str(batch.number)), Path(folder, "cancelled")

    def tick(steps: int) -> bool:
        file.write_text(str(steps), "ascii")
        return flag.exists()

    return batch.number, None if flag.exists() else compute(batch, tick)


def _taken(folder: Path) -> dict[int, int]:
    """Read what the processes have written: the steps taken, by the batch's number."""
    texts = {int(file.name): file.read_text("ascii") for file in folder.iterdir() if file.name.isdecimal()}
    return {number: int(text) for number, text in texts.items() if text}
