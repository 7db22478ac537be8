"""Sweeps one or more parameters over grids of values, with many replicates each.

`plan` cuts the grid into batches, `run` runs them here, in worker processes or on a Dask cluster, and `gather` joins
their rows in one table. `sweep` does all three.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from learners.run.bar import bar
from learners.sweep.batch import gather
from learners.sweep.cluster import Unreachable, connect
from learners.sweep.plan import MOST_RUNS, MOST_STEPS, Batch, plan
from learners.sweep.progress import Progress
from learners.sweep.run import run

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MOST_RUNS", "MOST_STEPS", "Batch", "Progress", "Unreachable", "connect", "gather", "plan", "run", "sweep"]


def sweep(
    setup: Mapping[str, Any],
    over: Mapping[str, Sequence[Any]],
    replicates: int = 10,
    seed: int = 0,
    steps: int = 1000,
    metrics: Iterable[str] | None = None,
    workers: int = 1,
    scheduler: str | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return the metrics after `steps` steps for every combination of the values in `over`.

    Parameters
    ----------
    setup : `learner`, `dataset` and, where the family has users, `user`: ids or instances, as for `Simulation`; the
        data set may also be what `datasets.create` makes.
    over : the values of each parameter, by its name. It may belong to the learner, the user or the data set. Values
        of a number of the learner or the user run as one batch, side by side on the replicate axis.
    replicates : runs for each combination. Replicate r of every combination meets the same data order and the same
        noise, those of replicate r of a `Simulation` with this seed.
    metrics : ids of the metrics to report, or None for all of them. A metric of single steps is reported as its mean
        over the last tenth of the run, any other as its last value.
    workers : number of processes that share the batches; 1 runs them in this process.
    scheduler : address of a Dask scheduler, such as tcp://host:8786, whose workers run the batches. If it cannot be
        reached, a warning says so at once and the sweep runs here.
    progress : whether a bar shows how far it is, in steps of single runs.

    Returns
    -------
    A tidy table with a column for each parameter, and replicate (from 0), metric, value. It is the same for any number
    of workers.

    Raises
    ------
    ValueError : for a parameter that neither learner, user nor data set has, a value that is not allowed, a grid that
        is empty or too large, or an unknown metric.

    >>> setup = {"learner": "perturbed-perceptron", "dataset": "toy-ranking", "user": "cascade"}
    >>> table = sweep(setup, over={"swap_probability": [0.0, 0.5]}, replicates=20, steps=300)
    >>> means = table[table.metric == "rank-of-best-predicted"].groupby("swap_probability").value.mean()
    >>> bool(means[0.5] < means[0.0])
    True
    """
    batches = plan(setup, over, replicates, seed, steps, metrics)
    with bar(progress, sum(batch.steps * batch.runs for batch in batches)) as tell:
        return gather(run(batches, workers, scheduler, (lambda now: tell(now.done)) if progress else None))
