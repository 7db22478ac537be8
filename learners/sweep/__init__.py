"""Sweeps: one or more parameters over grids of values, many replicates each.

`plan` cuts the grid into batches, `run` runs them here, in worker processes or on a Dask cluster, and `gather` makes
one table of what they found; `sweep` does all three, and a `Job` does them in the background.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from learners.sweep.batch import gather
from learners.sweep.cluster import Unreachable, connect
from learners.sweep.job import Job
from learners.sweep.plan import MOST_RUNS, MOST_STEPS, Batch, plan
from learners.sweep.run import Progress, run

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "MOST_RUNS",
    "MOST_STEPS",
    "Batch",
    "Job",
    "Progress",
    "Unreachable",
    "connect",
    "gather",
    "plan",
    "run",
    "sweep",
]


def sweep(
    setup: Mapping[str, Any],
    over: Mapping[str, Sequence[Any]],
    replicates: int = 10,
    seed: int = 0,
    steps: int = 1000,
    metrics: Iterable[str] | None = None,
    workers: int = 1,
    scheduler: str | None = None,
) -> pd.DataFrame:
    """What is reached after `steps` steps, for every combination of the values in `over`.

    Parameters
    ----------
    setup : `learner`, `dataset` and, for ranking, `user`: ids or instances, as for `Simulation`; the data set may also
        be what `datasets.create` makes.
    over : values of each parameter, by its name; a parameter of the learner, the user or the data set.
        Numbers of the learner or the user run as one batch, values on the replicate axis.
    replicates : runs for each combination. Replicate r of every combination meets the same data order and the same
        noise, that of replicate r of a `Simulation` with this seed.
    metrics : ids of the metrics to tell, all of them if None. Of a metric that belongs to a single step
        the mean over the last tenth of the run is told, of the others the last value.
    workers : processes that share the batches; 1 runs them in this one.
    scheduler : address of a Dask scheduler, such as tcp://host:8786, whose workers run the batches instead. If it
        cannot be reached a warning says so at once, and the sweep runs here.

    Returns
    -------
    Tidy table with a column for each parameter, and replicate, metric, value: the same for any number of workers.

    Raises
    ------
    ValueError : for a parameter that neither learner, user nor data set has, a value that is not allowed, an empty or
        too large grid, or an unknown metric.

    >>> setup = {"learner": "perturbed-perceptron", "dataset": "toy-ranking", "user": "cascade"}
    >>> table = sweep(setup, over={"swap_probability": [0.0, 0.5]}, replicates=20, steps=300)
    >>> means = table[table.metric == "rank-of-best-predicted"].groupby("swap_probability").value.mean()
    >>> bool(means[0.5] < means[0.0])
    True
    """
    return gather(run(plan(setup, over, replicates, seed, steps, metrics), workers, scheduler))
