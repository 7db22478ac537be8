"""Plans a sweep: which points of the grid run as one simulation. A plan holds descriptions only, no data."""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import datasets
from datasets import own_code
from datasets.base import Dataset
from datasets.own_code import OwnSource
from datasets.parameters import Parameter, shown, whole
from datasets.spec import Spec
from learners.catalogue import families
from learners.spec import RunSpec
from learners.sweep.setup import metrics_of, owner_of, parts_of, values_of

MOST_RUNS, MOST_STEPS = 10_000, 10_000_000
# The runs of a batch share the interpreter's cost of a step, but batches can run at the same time. The values of one
# parameter run as one batch of up to LINE runs; a grid of several parameters is cut into batches of up to PLANE runs.
LINE, PLANE = 200, 64
BYTES = 500_000_000  # of state in a batch, if it has several points
MOST_BYTES = 4_000_000_000  # of state of a single point


@dataclass(frozen=True)
class Batch:
    """Some points of a grid that run as one simulation; it can be pickled.

    number : number of the batch in its plan.
    run : what all points share, with the replicates of one point; a parameter that varies has any value in it.
    names : the parameters that vary.
    owners : for each of them, "learner", "user" or "dataset".
    together : for each of them, whether its values stand on the replicate axis.
    points : for each point, its values.
    places : for each point, its place in the whole grid.
    data : those that are already built, or None where `run` describes them.
    sources : of the classes of one's own that `run` names.
    """

    number: int
    run: RunSpec
    names: tuple[str, ...]
    owners: tuple[str, ...]
    together: tuple[bool, ...]
    points: tuple[tuple[Any, ...], ...]
    places: tuple[int, ...]
    metrics: tuple[str, ...] | None = None
    data: Any = None
    sources: tuple[OwnSource, ...] = ()

    @property
    def steps(self) -> int:
        """The steps that it takes."""
        return self.run.steps

    @property
    def runs(self) -> int:
        """Points × replicates."""
        return len(self.points) * self.run.replicates


def plan(
    setup: Mapping[str, Any] | RunSpec,
    over: Mapping[str, Sequence[Any]],
    replicates: int = 10,
    seed: int = 0,
    steps: int = 1000,
    metrics: Iterable[str] | None = None,
    runs: int | None = None,
) -> list[Batch]:
    """Cut a sweep into batches; parameters and errors as in `sweep`. The plan does not depend on its runner.

    setup : also a run of one learner, whose parts are then swept.
    runs : the most runs of a batch, if fewer than usual are wanted. The replicates of a point stay together, and the
    numbers stay the same.

    >>> setup = {"learner": "banditron", "dataset": "synnonsep"}
    >>> [batch.runs for batch in plan(setup, {"gamma": [0.01, 0.1, 0.5]}, replicates=20)]
    [60]
    >>> [batch.points for batch in plan(setup, {"gamma": [0.01, 0.1], "noise": [0, 0.2]})]
    [((0.01, 0.0), (0.1, 0.0)), ((0.01, 0.2), (0.1, 0.2))]
    """
    replicates, seed = whole("replicates", replicates, low=1, high=MOST_RUNS), whole("seed", seed)
    steps = whole("steps", steps, low=1, high=MOST_STEPS)
    metrics = None if metrics is None else metrics_of(metrics)
    learner, user, dataset = parts_of(setup)
    if not isinstance(over, Mapping):
        raise ValueError(f"over must be a mapping from parameters to values, got {shown(over)}")
    if not over:
        raise ValueError("over must name at least one parameter and its values, got none")
    owners = {name: owner_of(name, learner, user, dataset) for name in over}
    grid = {name: values_of(parameter, over[name]) for name, (_, parameter) in owners.items()}
    total = math.prod(len(values) for values in grid.values())
    if total * replicates > MOST_RUNS:
        raise ValueError(
            f"a sweep may have at most {MOST_RUNS:,} runs, got {total:,} points × {replicates:,} replicates"
        )
    together = {name: who != "dataset" and parameter.per_replicate for name, (who, parameter) in owners.items()}
    groups: dict[str, list[tuple[int, tuple[Any, ...]]]] = {}
    for place, point in enumerate(itertools.product(*grid.values())):
        key = repr([value for name, value in zip(grid, point, strict=True) if not together[name]])
        groups.setdefault(key, []).append((place, point))
    batches: list[Batch] = []
    for group in groups.values():  # of points that differ only in numbers on the replicate axis
        described = _described(dataset, owners, list(grid), group[0][1])
        data = dataset if described is None else described
        if reason := learner.unfit(data, user):
            raise ValueError(reason)
        most = _most(learner, data, replicates, runs or (LINE if len(grid) == 1 else PLANE))
        run = RunSpec((Spec.of(learner),), Spec.of(data), user and Spec.of(user), replicates, steps, seed)
        named = [spec.id for spec in (*run.learners, run.user, run.dataset if described is not None else None) if spec]
        for part in np.array_split(np.arange(len(group)), math.ceil(len(group) / most)):
            batches.append(
                Batch(
                    number=len(batches),
                    run=run,
                    names=tuple(grid),
                    owners=tuple(who for who, _ in owners.values()),
                    together=tuple(together.values()),
                    points=tuple(group[i][1] for i in part),
                    places=tuple(group[i][0] for i in part),
                    metrics=metrics,
                    data=dataset if described is None else None,
                    sources=own_code.sources(named),
                )
            )
    return batches


def _described(
    dataset: Any, owners: Mapping[str, tuple[str, Parameter]], names: list[str], point: tuple[Any, ...]
) -> Any:
    """Describe the data set of a point; None where data that are already built are used as they are."""
    varied = {n: value for n, value in zip(names, point, strict=True) if owners[n][0] == "dataset"}
    if not varied and not isinstance(dataset, Dataset):
        return None
    kind = type(dataset) if isinstance(dataset, Dataset) else dataset.id
    return datasets.create(kind, **{**dataset.params, **varied})


def _most(learner: Any, data: Any, replicates: int, runs: int) -> int:
    """Count the points that a batch may hold: at most `runs` runs and BYTES of state, but at least one point."""
    each = families()[learner.family].held(learner, data.size(), data.params)
    if each * replicates > MOST_BYTES:
        gigabytes = each * replicates / 1e9
        raise ValueError(
            f"{replicates:,} replicates of {learner.id} on {data.id} need {gigabytes:.1f} GB of memory at once; "
            f"at most {MOST_BYTES / 1e9:.0f} GB are allowed"
        )
    return max(1, min(runs // replicates, int(BYTES / each) // replicates))
