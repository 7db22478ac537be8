"""Sweeps: one or more parameters over grids of values, many replicates each."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

import datasets
from datasets.parameters import Declared, Parameter
from learners.catalogue import create, create_user
from learners.simulation import Simulation

if TYPE_CHECKING:
    import pandas as pd

# Metrics that belong to a single step: of these the mean of the last steps is told, of the others the last value
STEPWISE = frozenset({"ndcg@5", "ndcg@5-predicted", "rank-of-best", "rank-of-best-predicted", "swap-probability"})


def sweep(
    setup: Mapping[str, Any],
    over: Mapping[str, Sequence[Any]],
    replicates: int = 10,
    seed: int = 0,
    steps: int = 1000,
    metrics: Iterable[str] | None = None,
) -> pd.DataFrame:
    """What is reached after `steps` steps, for every combination of the values in `over`.

    Parameters
    ----------
    setup : `learner`, `dataset` and `user` as for `Simulation`, ids or instances.
    over : values of each parameter, by its name; a parameter of the learner, the user or the data set.
        Numbers of the learner or the user run as one batch, values on the replicate axis.
    replicates : runs for each combination.
    metrics : ids of the metrics to tell, all of them if None. Of a metric that belongs to a single step
        the mean over the last tenth of the run is told, of the others the last value.

    Returns
    -------
    Tidy table with a column for each parameter, and replicate, metric, value.

    Raises
    ------
    ValueError : for a parameter that neither learner, user nor data set has, or a value that is not allowed.

    >>> setup = {"learner": "perturbed-perceptron", "dataset": "toy-ranking", "user": "cascade"}
    >>> table = sweep(setup, over={"swap_probability": [0.0, 0.5]}, replicates=20, steps=300)
    >>> means = table[table.metric == "rank-of-best-predicted"].groupby("swap_probability").value.mean()
    >>> bool(means[0.5] < means[0.0])
    True
    """
    learner = setup["learner"] if isinstance(setup["learner"], Declared) else create(setup["learner"])
    user = setup.get("user") or "cascade"
    user = user if isinstance(user, Declared) else create_user(user)
    owners = {name: _owner(name, learner, user, setup["dataset"]) for name in over}
    batched = [n for n, (who, p) in owners.items() if who != "dataset" and p.kind in ("real", "integer")]
    single = [n for n in over if n not in batched]
    parts = []
    for values in itertools.product(*(over[name] for name in single)):
        fixed = dict(zip(single, values, strict=True))
        parts.append(
            _batch(
                setup["dataset"], learner, user, owners, fixed, {n: over[n] for n in batched}, replicates, seed, steps
            )
        )
    return _tidy(parts, list(over), replicates, steps, metrics)


def _owner(name: str, learner: Declared, user: Declared, dataset: Any) -> tuple[str, Parameter]:
    """Who has the parameter: "learner", "user" or "dataset", and its declaration."""
    id = dataset if isinstance(dataset, str) else dataset.id
    owners = {"learner": type(learner), "user": type(user), "dataset": datasets.classes()[id]}
    for who, cls in owners.items():
        for parameter in cls.parameters():
            if parameter.name == name:
                return who, parameter
    known = ", ".join(p.name for cls in owners.values() for p in cls.parameters())
    raise ValueError(f"neither learner, user nor data set has a parameter {name!r}; they have: {known}")


def _batch(
    dataset: Any, learner: Declared, user: Declared, owners: Mapping[str, tuple[str, Parameter]],
    fixed: Mapping[str, Any], grid: Mapping[str, Sequence[Any]], replicates: int, seed: int, steps: int,
) -> tuple[dict[str, Any], Simulation]:  # fmt: skip
    """One simulation of all combinations of `grid`, each `replicates` times; with its parameter columns."""
    points = list(itertools.product(*grid.values()))
    columns = {name: np.repeat([point[i] for point in points], replicates) for i, name in enumerate(grid)} | {
        name: [value] * (len(points) * replicates) for name, value in fixed.items()
    }
    of: dict[str, dict[str, Any]] = {"learner": {}, "user": {}, "dataset": {}}
    for name in grid:
        of[owners[name][0]][name] = columns[name]
    for name, value in fixed.items():
        of[owners[name][0]][name] = value
    data = dataset
    if of["dataset"]:
        id, params = (dataset, {}) if isinstance(dataset, str) else (dataset.id, dataset.params)
        data = datasets.load(id, **{**params, **of["dataset"]})
    simulation = Simulation(
        create(learner.id, **{**learner.params, **of["learner"]}), data,
        create_user(user.id, **{**user.params, **of["user"]}), replicates=len(points) * replicates, seed=seed,
    )  # fmt: skip
    simulation.advance(steps=steps)
    return columns, simulation


def _tidy(
    parts: Sequence[tuple[dict[str, Any], Simulation]], names: Sequence[str], replicates: int, steps: int,
    metrics: Iterable[str] | None,
) -> pd.DataFrame:  # fmt: skip
    import pandas as pd

    window = max(1, steps // 10)
    tables = []
    for columns, simulation in parts:
        wanted = list(simulation.history) if metrics is None else list(metrics)
        for metric in wanted:
            values = simulation.history[metric]
            value = values[-window:].mean(axis=0) if metric in STEPWISE else values[-1]
            runs = np.arange(simulation.replicates) % replicates
            tables.append(
                pd.DataFrame({n: columns[n] for n in names} | {"replicate": runs, "metric": metric, "value": value})
            )
    return pd.concat(tables, ignore_index=True)
