"""The limits of a sweep: its length, its replicates, and its share of this server."""

import os
from math import prod

from datasets.parameters import Parameter
from datasets.variables import Variable
from learners.grid import GridSpec
from pages.ui.race.limits import check_size, check_world

MOST_POINTS = 30  # values of one parameter
PROCESSES = Variable(
    "FEEDBACK_LAB_WORKERS", "integer", 4, 1, 1000,
    help="Number of processes that a sweep may use, at most one for each core.",
)  # fmt: skip
DASK = Variable(
    "FEEDBACK_LAB_DASK", "choice", "no", choices=("no", "yes"),
    help="Whether everybody who opens the app may name a Dask scheduler for a sweep. The server unpickles what a "
    "scheduler sends, so whoever names one can run any code here.",
)  # fmt: skip
WORKERS = min(os.cpu_count() or 1, PROCESSES.at_start)


def clusters_allowed() -> bool:
    """Return whether people may name a Dask scheduler: nobody, unless the one who runs the server allows everybody.

    Where somebody comes from does not tell who they are. Behind a proxy on this machine everybody seems to be here, and
    any page that is open in a browser on this machine can send a request.
    """
    return bool(DASK.value == "yes")


REPLICATES = Parameter(
    "replicates", "integer", 10, 1, 100,
    help="Number of runs for each value. Run r of every value has the same order of the data and the same noise.",
)  # fmt: skip
STEPS = Parameter(
    "steps", "integer", 5000, 10, 1_000_000, step=1000, help="Length of each run. The chart shows how the runs end."
)


def check(spec: GridSpec) -> None:
    """Check that a sweep does not ask for more than a shared server should give.

    Raises
    ------
    ValueError : with a sentence that says what to lower.
    """
    run = spec.run
    check_world(run)
    points = prod(len(values) for values in spec.over.values())
    total = points * run.replicates * run.steps
    unit, most = run.family.unit, run.family.budget.sweep
    if total > most:
        raise ValueError(
            f"{points:,} points × {run.replicates:,} replicates × {run.steps:,} {unit}s are {total:,} {unit}s; a "
            f"sweep allows {most:,}. Lower one of the three numbers."
        )
    owned = run.dataset.values.keys() - spec.learner.values.keys()
    largest = {grid.name: max(grid.values) for grid in spec.grids if grid.name in owned}
    try:
        check_size(run.dataset.given(largest))
    except ValueError as error:
        words = ", ".join(f"{name} = {value:g}" for name, value in largest.items())
        raise ValueError(f"With {words}: {error}" if words else str(error)) from None
