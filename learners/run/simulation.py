"""The simulation of one learner on one data set with one user, in R replicates side by side."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator
from typing import Any

import datasets
from datasets.parameters import Declared, replicates_of, whole
from learners.base import Learner
from learners.catalogue import create, create_user, families
from learners.family import Family
from learners.random import Seeds
from learners.run.history import History


class Simulation:
    """A run of a learner that records every metric.

    Parameters
    ----------
    learner : an id, or an instance made by `create`, which the simulation copies.
    dataset : an id, or data made by `datasets.load`, for the family of the learner.
    user : an id, or an instance made by `create_user`. None for the default user of the family, if it has users.
    replicates : number R of runs side by side, each with its own order of the data.
    seed : determines all random numbers. Learners with the same seed meet the same queries and the same user noise.
    recorded : steps that the history records one by one before it is thinned (see `History`). By default 2,000,000 / R,
        but at least 2,000 and at most 100,000.

    Raises
    ------
    ValueError : for an unknown id, a parameter out of range, data of another family, or replicates < 1.

    Example
    -------
    >>> sim = Simulation("preference-perceptron", "toy-ranking", "cascade", replicates=3, seed=1)
    >>> sim.advance(steps=100)
    >>> sim.t, sim.history["average-regret"].shape
    (100, (100, 3))
    >>> sim.last.t
    100
    >>> Simulation("banditron", "toy-ranking")
    Traceback (most recent call last):
    ValueError: banditron needs a classification data set, got toy-ranking, which is for ranking
    """

    def __init__(
        self,
        learner: str | Learner,
        dataset: str | Any,
        user: str | Declared | None = None,
        replicates: int = 1,
        seed: int = 0,
        recorded: int | None = None,
    ) -> None:
        self.replicates, self.seed = whole("replicates", replicates, low=1), whole("seed", seed)
        self.recorded = recorded
        # each simulation gets its own learner, since learners have state
        self.learner: Any = create(learner) if isinstance(learner, str) else copy.copy(learner)
        _check("learner", self.learner, Learner, "create")
        self.dataset, self.user = self._world(dataset, user)
        for item in (self.learner, self.user):
            if isinstance(item, Declared):
                replicates_of(item, self.replicates)
        self._environment = families()[self.learner.family].environment
        self.reset()

    def _world(self, dataset: Any, user: Any) -> tuple[Any, Any]:
        """Return the data and the user that the learner meets. Raise a ValueError if they do not fit it."""
        return _data(dataset, self.learner, families()[self.learner.family]), user_of(user, self.learner)

    def reset(self) -> None:
        """Go back to step 0, with the same random numbers to come."""
        self.history = History(self.replicates, self.recorded)
        self._pace: float | None = None  # seconds a step of the latest block
        self.environment: Any = self._environment(self.dataset, self.user, self.learner, self.replicates, self.seeds)

    @property
    def seeds(self) -> Seeds:
        """The source of all random numbers of the run."""
        return Seeds(self.seed, self.replicates)

    @property
    def t(self) -> int:
        """The number of steps taken so far."""
        steps: int = self.environment.t
        return steps

    @property
    def last(self) -> Any:
        """The record of the latest step, for the step inspector. None before the first step."""
        return self.environment.last()

    def advance(self, steps: int | None = None, seconds: float | None = None) -> None:
        """Take `steps` steps, or as many as fit in `seconds` (at least one), or if both are given, the fewer."""
        if steps is None and seconds is None:
            raise ValueError("advance needs steps or seconds")
        if steps is not None and steps < 0:
            raise ValueError(f"steps must be at least 0, got {steps}")
        end = None if seconds is None else time.perf_counter() + seconds
        first = self.t
        while steps is None or self.t - first < steps:
            block = self.environment.block
            if steps is not None:
                block = min(block, steps - (self.t - first))
            if end is not None:
                block = min(block, self._fitting(end - time.perf_counter()))
            began = time.perf_counter()
            self.history.append(self.environment.run(block))
            self._pace = (time.perf_counter() - began) / block
            if end is not None and time.perf_counter() >= end:
                break

    def _fitting(self, seconds: float) -> int:
        """Return how many steps fit in some seconds, at least 1, at the pace of the latest block."""
        return 1 if self._pace is None else max(1, int(seconds / max(self._pace, 1e-9)))

    def __iter__(self) -> Iterator[Any]:
        """Take steps without end and yield the record of each."""
        while True:
            self.advance(steps=1)
            assert self.last is not None
            yield self.last


def user_of(user: Any, learner: Learner) -> Any:
    """Return the user of a learner, given as an id, an instance, or None for the default of the family.

    Raises
    ------
    ValueError : if the user does not fit the learner.
    """
    users = families()[learner.family].users
    if users is None:
        if user is not None:
            raise ValueError(f"{learner.id} has no simulated user; user must be None, got {str(user)[:60]}")
        return None
    user = users.default if user is None else user
    user = create_user(user) if isinstance(user, str) else user
    every = tuple(family.users.base for family in families().values() if family.users)
    _check("user", user, every, "create_user")
    if user.family != learner.family:
        raise ValueError(f"{learner.id} needs a {learner.family} user, got {user.id}, which is for {user.family}")
    return user


def _check(name: str, item: Any, base: type | tuple[type, ...], maker: str) -> None:
    """Raise a ValueError unless the item is an instance of `base`."""
    if not isinstance(item, base):
        raise ValueError(f"{name} must be an id or what {maker}() makes, got {str(item)[:60]}")


def _data(dataset: Any, learner: Learner, family: Family) -> Any:
    """Return the data, built if given as an id. Raise a ValueError if they are not for this family."""
    if isinstance(dataset, str):
        found = datasets.create(dataset)  # its family is known before it is built
        if found.family == family.data_family:
            return found.build()
        dataset, other = found.id, found.family
    elif isinstance(dataset, family.data):
        return dataset
    else:
        other = family_of(dataset)
        if other is None:
            raise ValueError(f"dataset must be an id or what datasets.load() makes, got {str(dataset)[:60]}")
        dataset = dataset.id
    raise ValueError(f"{learner.id} needs a {family.data_family} data set, got {dataset}, which is for {other}")


def family_of(data: Any) -> str | None:
    """Return the id of the family that runs on these built data, or None for anything else."""
    return next((name for name, family in families().items() if isinstance(data, family.data)), None)
