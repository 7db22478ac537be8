"""Runs one learner in one world for a figure, here, in a worker process or on a cluster, as a batch of a sweep runs."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from learners.base import Array
from learners.spec import RunSpec
from learners.sweep.batch import compute, known, load, stamp, take


@dataclass(frozen=True)
class SampledRun:
    """A run of one learner and what is kept of it, a work that can be hashed and sent elsewhere.

    number : its number among the works of one plan. metrics : kept. at : the steps whose values are kept, in rising
    order; if it is empty only the end of the run is kept.

    >>> from datasets.spec import Spec
    >>> spec = RunSpec((Spec("perturbed-perceptron"),), Spec("toy-ranking"), Spec("cascade"), replicates=3, steps=64)
    >>> compute(SampledRun(0, spec, metrics=("flips",), at=(8, 64)))["flips"].shape
    (2, 3)
    """

    number: int
    run: RunSpec
    metrics: tuple[str, ...] = ()
    at: tuple[int, ...] = ()

    @property
    def steps(self) -> int:
        """The steps that it takes."""
        return self.run.steps

    @property
    def seed(self) -> int:
        """The seed of its run."""
        return self.run.seed

    @property
    def runs(self) -> int:
        """Its replicates, which run side by side."""
        return self.run.replicates


@compute.register(SampledRun)
def compute_sampled(trial: SampledRun, tick: Callable[[int], bool] = lambda steps: False) -> dict[str, Array] | None:
    """Run a trial; return an array (points, replicates) for each metric, and "seconds" of a processor.

    None if it was cancelled.
    """
    began = time.thread_time()
    dataset = trial.run.dataset
    run = trial.run.simulation(0, load(dataset, stamp(dataset)), megabytes=0)
    if not take(run, trial.steps, tick):
        return None
    history = run.history
    known(trial.metrics, run)
    found = {metric: values_at(history, metric, trial.at) for metric in trial.metrics}
    return found | {"seconds": np.array([time.thread_time() - began])}


def values_at(history: Any, metric: str, at: tuple[int, ...]) -> Array:
    """Return the values of a metric after the steps `at`; of a metric of single steps the means since the point before.

    Without `at` it is the value that a sweep takes from the end of the run, as one point.
    """
    if not at:
        return np.asarray(history.final(metric), dtype=float)[None]
    values: Array = np.asarray(history[metric], dtype=float)
    rows = np.minimum(np.searchsorted(history.at, at), len(values) - 1)
    if not history.metrics[metric].per_step:
        return values[rows]
    found = np.full((len(rows), values.shape[1]), np.nan)
    weights = np.diff(history.at, prepend=0)[:, None].astype(float)
    for i, (first, last) in enumerate(zip([-1, *rows[:-1]], rows, strict=True)):
        part = slice(min(first + 1, last), last + 1)
        known = np.isfinite(values[part])
        total = (weights[part] * known).sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            found[i] = (weights[part] * np.where(known, values[part], 0)).sum(axis=0) / total
    return found
