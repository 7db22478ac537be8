"""Runs the batches of a sweep in this process, in worker processes or on a cluster, with the same numbers."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from datasets.own_code import homeless
from datasets.parameters import whole
from learners.sweep.batch import compute, load
from learners.sweep.cluster import Unreachable, connect, on_cluster
from learners.sweep.plan import Batch
from learners.sweep.processes import POOL, Pool, in_processes
from learners.sweep.progress import Progress, ProgressWatch, SweepWork

MOST_WORKERS = 1000
Part = tuple[Any, Any]  # a work, and what it found: of a batch, its rows of the table


def run(
    batches: Sequence[SweepWork],
    workers: int = 1,
    scheduler: str | None = None,
    progress: Callable[[Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    say: Callable[[str], None] | None = None,
    pool: Pool | None = None,
    megabytes: int | None = None,
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
    pool : processes in which they run even if `workers` is 1, so that nothing they do can hold up or end this one.
    megabytes : most memory that a batch may take in a worker process; None for no limit.

    Data sets that are already built are sent to the processes as they are; others are built where they are needed.

    Raises
    ------
    ValueError : for workers < 1 or > 1000, a malformed address, and whatever `sweep` refuses.
    TooLarge : if a batch needs more memory.
    Lost : if worker processes are ended by the system again and again.

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
    watch, say = ProgressWatch(batches, progress, cancelled), say or warnings.warn
    return _run(batches, whole("workers", workers, low=1, high=MOST_WORKERS), scheduler, watch, say, pool, megabytes)


def _run(
    batches: Sequence[SweepWork],
    workers: int,
    scheduler: str | None,
    watch: ProgressWatch,
    say: Callable[[str], None],
    pool: Pool | None,
    megabytes: int | None,
) -> Iterator[Part]:
    if scheduler is not None or workers > 1 or pool is not None:
        for batch in batches:
            for spec in (*batch.run.learners, batch.run.dataset, batch.run.user) if isinstance(batch, Batch) else ():
                if spec and (reason := homeless(spec.id)):
                    raise ValueError(reason)
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
    if workers == 1 and pool is None:
        found = _here(batches, watch)
    else:
        found = in_processes(batches, workers, watch, say, pool or POOL, megabytes)
    for number, rows in found:
        yield watch.end(number), rows


def _here(batches: Sequence[SweepWork], watch: ProgressWatch) -> Iterator[tuple[int, Any]]:
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
