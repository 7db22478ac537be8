"""The plan of a sweep: which points of the grid run as one simulation. It holds descriptions only, no data."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import datasets
from datasets.base import Dataset
from datasets.parameters import Parameter
from learners.base import Learner, Shape
from learners.boosting.base import Booster
from learners.boosting.refinement.judges.base import Judge
from learners.catalogue import create, create_user, families
from learners.ranking.users.base import User
from learners.run.simulation import Simulation
from learners.sweep.setup import owner_of, parts_of, values_of

MOST_RUNS, MOST_STEPS = 10_000, 10_000_000
# A batch shares the interpreter's cost of a step among its runs, but batches can run at the same time. A line of values
# runs as one up to LINE runs; a plane is cut into more. Both stay below the 256 steps for which learners draw at once.
LINE, PLANE = 200, 64
BYTES = 500_000_000  # of state in a batch
MOST_BYTES = 4_000_000_000  # of a single point


@dataclass(frozen=True)
class Batch:
    """Some points of a grid that run as one simulation; it can be pickled.

    number : of the batch in its plan. learner, user : id and parameters; user is None where the family has none.
    dataset : id and parameters, or data already built. names : the parameters that are varied. owners : "learner",
    "user" or "dataset" of each. together : whether its values stand on the replicate axis. points : the values of each
    point. places : where each point stands in the whole grid. replicates : runs of each point.
    """

    number: int
    learner: tuple[str, dict[str, Any]]
    user: tuple[str, dict[str, Any]] | None
    dataset: Any
    names: tuple[str, ...]
    owners: tuple[str, ...]
    together: tuple[bool, ...]
    points: tuple[tuple[Any, ...], ...]
    places: tuple[int, ...]
    replicates: int
    seed: int
    steps: int
    metrics: tuple[str, ...] | None = None

    @property
    def runs(self) -> int:
        """Points × replicates."""
        return len(self.points) * self.replicates


def plan(
    setup: Mapping[str, Any],
    over: Mapping[str, Sequence[Any]],
    replicates: int = 10,
    seed: int = 0,
    steps: int = 1000,
    metrics: Iterable[str] | None = None,
    runs: int | None = None,
) -> list[Batch]:
    """The batches of a sweep; parameters and errors as in `sweep`. Who will run them plays no part in it.

    runs : the most runs of a batch, where fewer than usual are wanted; a point is never cut. The numbers stay the same.

    >>> setup = {"learner": "banditron", "dataset": "synnonsep"}
    >>> [batch.runs for batch in plan(setup, {"gamma": [0.01, 0.1, 0.5]}, replicates=20)]
    [60]
    >>> [batch.points for batch in plan(setup, {"gamma": [0.01, 0.1], "noise": [0, 0.2]})]
    [((0.01, 0.0), (0.1, 0.0)), ((0.01, 0.2), (0.1, 0.2))]
    """
    for what, given, low, high in (
        ("replicates", replicates, 1, MOST_RUNS),
        ("seed", seed, 0, math.inf),
        ("steps", steps, 1, MOST_STEPS),
    ):
        if not isinstance(given, (int, np.integer)) or isinstance(given, bool) or not low <= given <= high:
            limit = "" if high == math.inf else f" and at most {high:,}"
            raise ValueError(f"{what} must be a whole number of at least {low}{limit}, got {str(given)[:60]}")
    if metrics is not None:
        metrics = (metrics,) if isinstance(metrics, str) else tuple(metrics)
        if not metrics:
            raise ValueError("metrics must name at least one metric, or be None for all of them")
    learner, user, dataset = parts_of(setup)
    if not over:
        raise ValueError("over must name at least one parameter and its values, got none")
    owners = {name: owner_of(name, learner, user, dataset) for name in over}
    grid = {name: values_of(parameter, over[name]) for name, (_, parameter) in owners.items()}
    total = math.prod(len(values) for values in grid.values())
    if total * replicates > MOST_RUNS:
        raise ValueError(
            f"a sweep may have at most {MOST_RUNS:,} runs, got {total:,} points × {replicates:,} replicates"
        )
    together = {name: _together(learner, user, who, p, grid[name]) for name, (who, p) in owners.items()}
    groups: dict[str, list[tuple[int, tuple[Any, ...]]]] = {}
    for place, point in enumerate(itertools.product(*grid.values())):
        key = repr([value for name, value in zip(grid, point, strict=True) if not together[name]])
        groups.setdefault(key, []).append((place, point))
    batches: list[Batch] = []
    for group in groups.values():  # of points that differ in nothing but numbers on the replicate axis
        described = _described(dataset, owners, list(grid), group[0][1])
        most = _most(
            learner,
            dataset if described is None else described,
            int(replicates),
            runs or (LINE if len(grid) == 1 else PLANE),
        )
        for part in np.array_split(np.arange(len(group)), math.ceil(len(group) / most)):
            batches.append(
                Batch(
                    len(batches), (learner.id, learner.params), user and (user.id, user.params),
                    dataset if described is None else (described.id, described.params),
                    tuple(grid), tuple(who for who, _ in owners.values()), tuple(together.values()),
                    tuple(group[i][1] for i in part), tuple(group[i][0] for i in part),
                    int(replicates), int(seed), int(steps), metrics,
                )
            )  # fmt: skip
    return batches


def _together(learner: Learner, user: User | Judge | None, owner: str, parameter: Parameter, values: list[Any]) -> bool:
    """Whether values may stand on the replicate axis: numbers, and the learner or user takes one for each replicate.

    Most take them. Of a number that shapes the state, such as the size of a grid of hypotheses, it shows in two steps
    on the smallest data.
    """
    if owner == "dataset" or parameter.kind not in ("real", "integer"):
        return False
    several = np.array([values[0], values[-1]])
    params = {who: dict(item.params) if item else {} for who, item in (("learner", learner), ("user", user))}
    params[owner][parameter.name] = several
    id, small = families()[learner.family].smallest
    try:
        answerer = create_user(user.id, **params["user"]) if user else None
        Simulation(create(learner.id, **params["learner"]), datasets.load(id, **small), answerer, 2).advance(steps=2)
    except (ValueError, TypeError, IndexError):
        return False
    return True


def _described(
    dataset: Any, owners: Mapping[str, tuple[str, Parameter]], names: list[str], point: tuple[Any, ...]
) -> Any:
    """The data set of a point, not built; None where the data that were given are used as they are."""
    varied = {n: value for n, value in zip(names, point, strict=True) if owners[n][0] == "dataset"}
    if not varied and not isinstance(dataset, Dataset):
        return None
    return datasets.create(dataset.id, **{**dataset.params, **varied})


def _most(learner: Any, data: Any, replicates: int, runs: int) -> int:
    """How many points a batch may hold: `runs` runs, and BYTES of state."""
    size = data.size() if isinstance(data, Dataset) else data
    d = size.features if isinstance(data, Dataset) else size.dimension
    k = getattr(size, "classes", 0)
    documents = size.documents if isinstance(data, Dataset) and not k else getattr(data, "longest", 0)
    rows = getattr(size, "queries", 0) or getattr(size, "examples", 0)
    if isinstance(learner, Booster):  # each replicate has a problem of its own, and the sum of the votes for every row
        if not k:
            rows = documents if learner.family == "refinement" else rows * documents
        trained = math.ceil(rows * data.params.get("training", 0.2)) if k else rows
        each = learner.memory(Shape(d, documents, classes=k, examples=trained), 1) + 8 * (trained * d + rows * (k + 8))
    else:
        # a weight vector for each class, and of a multilabel learner a matrix; one that keeps more says so
        state = learner.memory(Shape(d, classes=k), 1)
        # beside the state: the data order of a replicate, and the candidates and stability probes of a ranking
        each = state + 8 * rows + documents * 8 * (d + 300)
    if each * replicates > MOST_BYTES:
        gigabytes = each * replicates / 1e9
        raise ValueError(
            f"{replicates:,} replicates of {learner.id} on {data.id} need {gigabytes:.1f} GB of memory at once; "
            f"at most {MOST_BYTES / 1e9:.0f} GB are allowed"
        )
    return max(1, min(runs // replicates, int(BYTES / each) // replicates))
