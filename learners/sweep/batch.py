"""Runs one batch of a sweep, and makes the table of what was found."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import lru_cache, singledispatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import datasets
from datasets.own_code import using
from datasets.parameters import shown
from datasets.spec import Spec
from learners.base import Array
from learners.run.history import History
from learners.run.simulation import Simulation
from learners.sweep.plan import Batch
from learners.sweep.points import Points

if TYPE_CHECKING:
    import pandas as pd

SLICE = 0.25  # seconds between two looks at progress and cancellation


def simulation(batch: Batch) -> Points:
    """Return the simulation of a batch, at step 0."""
    run = batch.run
    for i, (name, who, together) in enumerate(zip(batch.names, batch.owners, batch.together, strict=True)):
        if who != "dataset":
            values = [point[i] for point in batch.points]
            run = run.given(who, {name: np.repeat(values, run.replicates) if together else values[0]})
    data = load(run.dataset, stamp(run.dataset)) if batch.data is None else batch.data
    return Points.of(run, 0, data, len(batch.points))


@lru_cache(maxsize=2)
def load(spec: Spec, stamp: tuple[Any, ...] = ()) -> Any:
    """Load a data set. The last two are kept, since the batches of a sweep share them."""
    return datasets.load(spec.id, **spec.values)


def stamp(spec: Spec) -> tuple[Any, ...]:
    """Return time and size of the files that are named, so that a file that has changed is read again."""
    files = [Path(value) for value in spec.values.values() if isinstance(value, str) and value]
    stats = [file.stat() for file in files if file.is_file()]
    return tuple((stat.st_mtime_ns, stat.st_size) for stat in stats)


@singledispatch
def compute(work: Any, tick: Callable[[int], bool] = lambda steps: False) -> Any:
    """Run a piece of work; return what it found, or None if it was cancelled. A batch finds its rows of the table.

    tick : called with the steps taken about four times a second; returns whether to give up.
    """
    raise TypeError(f"no runner is registered for {type(work).__name__}")


@compute.register(Batch)
def compute_batch(batch: Batch, tick: Callable[[int], bool] = lambda steps: False) -> pd.DataFrame | None:
    """Run the points of a batch, and return its rows of the table, or None if it was cancelled."""
    with using(batch.sources):
        run = simulation(batch)
    return _rows(batch, run.history) if take(run, batch.steps, tick, batch.metrics or ()) else None


def known(metrics: Iterable[str], run: Simulation) -> None:
    """Raise ValueError if the run does not have one of the metrics."""
    unknown = [metric for metric in metrics if metric not in run.history]
    if unknown:
        said = repr(shown(unknown[0]))
        raise ValueError(f"there is no metric {said}; {run.learner.id} has: {', '.join(run.history)}")


def take(run: Simulation, steps: int, tick: Callable[[int], bool], metrics: Iterable[str] = ()) -> bool:
    """Take all steps of a run, in slices between which `tick` is asked; return whether it came to its end.

    Raises
    ------
    ValueError : for a metric that the run does not have, after its first slice.
    """
    block = size = run.environment.block
    while run.t < steps:
        began = time.perf_counter()
        run.advance(steps=min(size, steps - run.t))
        known(metrics, run)
        if tick(run.t) and run.t < steps:
            return False
        fitting = size * SLICE / max(time.perf_counter() - began, 1e-6)
        size = max(1, int(min(fitting, 4 * size)) // block) * block
    return True


def _rows(batch: Batch, history: History) -> pd.DataFrame:
    """Return the columns point, the parameters, replicate, metric and value, point by point, metric by metric."""
    import pandas as pd

    metrics = list(history) if batch.metrics is None else list(batch.metrics)
    points, each = len(batch.points), batch.run.replicates
    values: Array = np.stack([history.final(metric).reshape(points, each) for metric in metrics], axis=1)
    columns: dict[str, Any] = {"point": np.repeat(batch.places, len(metrics) * each)}
    for i, name in enumerate(batch.names):
        columns[name] = [point[i] for point in batch.points for _ in range(len(metrics) * each)]
    return pd.DataFrame(
        columns
        | {
            "replicate": np.tile(np.arange(each), points * len(metrics)),
            "metric": np.tile(np.repeat(metrics, each), points),
            "value": values.ravel(),
        }
    )


def gather(parts: Iterable[tuple[Batch, pd.DataFrame]]) -> pd.DataFrame:
    """Join the rows of all batches in one tidy table in the order of the grid, in whatever order they ended."""
    import pandas as pd

    tables = [rows for _, rows in parts]
    if not tables:
        return pd.DataFrame(columns=["replicate", "metric", "value"])
    table = pd.concat(tables, ignore_index=True).sort_values("point", kind="stable", ignore_index=True)
    return table.drop(columns="point")
