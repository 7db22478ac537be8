"""The simulation: one learner, one data set, one user, R replicates side by side."""

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
    """Streams steps of a learner and records every metric.

    Parameters
    ----------
    learner : an id, or an instance made by `create`, of which the simulation takes a copy.
    dataset : an id, or data made by `datasets.load`, of the learner's family.
    user : an id, or an instance made by `create_user`; None for the cascade user, and for the families without users.
    replicates : number R of runs side by side, each in a data order of its own.
    seed : makes all random numbers; learners run on the same seed meet the same queries and user noise.
    recorded : steps that the history holds one by one; of a longer run it keeps ever fewer (see `History`). By
        default 2,000,000 / R, at least 2,000 and at most 100,000.

    Raises
    ------
    ValueError : for an unknown id, a parameter that is not allowed, data of another family, or replicates < 1.

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
        # a learner has state: each simulation gets one of its own
        self.learner: Any = create(learner) if isinstance(learner, str) else copy.copy(learner)
        _check("learner", self.learner, Learner, "create")
        self.dataset, self.user = self._world(dataset, user)
        for item in (self.learner, self.user):
            if isinstance(item, Declared):
                replicates_of(item, self.replicates)
        self._environment = families()[self.learner.family].environment
        self.reset()

    def _world(self, dataset: Any, user: Any) -> tuple[Any, Any]:
        """Return the data and the user that the learner meets; ValueError where they do not go with it."""
        return _data(dataset, self.learner, families()[self.learner.family]), user_of(user, self.learner)

    def reset(self) -> None:
        """Back to step 0, with the same random numbers ahead."""
        self.history = History(self.replicates, self.recorded)
        self.environment: Any = self._environment(self.dataset, self.user, self.learner, self.replicates, self.seeds)

    @property
    def seeds(self) -> Seeds:
        """What all random numbers of the run come from."""
        return Seeds(self.seed, self.replicates)

    @property
    def t(self) -> int:
        """Steps taken so far."""
        steps: int = self.environment.t
        return steps

    @property
    def last(self) -> Any:
        """What happened in the latest step, for the step inspector; None before the first."""
        return self.environment.last()

    def advance(self, steps: int | None = None, seconds: float | None = None) -> None:
        """Take `steps` steps, or as many as fit in `seconds` (at least one), or whichever ends first."""
        if steps is None and seconds is None:
            raise ValueError("advance needs steps or seconds")
        if steps is not None and steps < 0:
            raise ValueError(f"steps must be at least 0, got {steps}")
        end = None if seconds is None else time.perf_counter() + seconds
        step, block = self.environment.step, self.environment.block
        done = 0
        while steps is None or done < steps:
            step()
            done += 1
            if done % block == 0:
                self._record()
            if end is not None and time.perf_counter() >= end:
                break
        self._record()

    def _record(self) -> None:
        block = self.environment.measure()
        if block is not None:
            self.history.append(block)

    def __iter__(self) -> Iterator[Any]:
        """Endless steps; leave the loop when you have seen enough."""
        while True:
            self.advance(steps=1)
            assert self.last is not None
            yield self.last


def user_of(user: Any, learner: Learner) -> Any:
    """Return the user, made if given as an id, by default the family's.

    Raises
    ------
    ValueError : for one that does not go with the learner.
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
    if not isinstance(item, base):
        raise ValueError(f"{name} must be an id or what {maker}() makes, got {str(item)[:60]}")


def _data(dataset: Any, learner: Learner, family: Family) -> Any:
    """Return the data, which must be of the kind that the family's learners are run on."""
    if isinstance(dataset, str):
        found = datasets.create(dataset)  # its family is known before it is built
        if found.family == family.data_family:
            return found.build()
        dataset, of = found.id, found.family
    elif isinstance(dataset, family.data):
        return dataset
    else:
        of = family_of(dataset)
        if of is None:
            raise ValueError(f"dataset must be an id or what datasets.load() makes, got {str(dataset)[:60]}")
        dataset = dataset.id
    raise ValueError(f"{learner.id} needs a {family.data_family} data set, got {dataset}, which is for {of}")


def family_of(data: Any) -> str | None:
    """Return the family of data that are built, or None for what is no data set."""
    return next((name for name, family in families().items() if isinstance(data, family.data)), None)
