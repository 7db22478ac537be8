"""The simulation: one learner, one data set, one user, R replicates side by side."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

import datasets
from datasets.parameters import Declared, replicates_of
from datasets.ranking import RankingData
from learners.base import Learner
from learners.catalogue import create, create_user
from learners.history import History
from learners.ranking.base import RankingLearner
from learners.ranking_environment import RankingEnvironment, Step
from learners.users.base import User

BLOCK = 64  # steps that are measured at once


class Simulation:
    """Streams steps of a learner and records every metric.

    Parameters
    ----------
    learner : an id, or an instance made by `create`, of which the simulation takes a copy.
    dataset : an id, or data made by `datasets.load`.
    user : an id, or an instance made by `create_user`; None for the cascade user.
    replicates : number R of runs side by side, each in a data order of its own.
    seed : makes all random numbers; learners run on the same seed meet the same queries and user noise.

    Raises
    ------
    ValueError : for an unknown id, a parameter that is not allowed, or replicates < 1.

    Example
    -------
    >>> sim = Simulation("preference-perceptron", "toy-ranking", "cascade", replicates=3, seed=1)
    >>> sim.advance(steps=100)
    >>> sim.t, sim.history["average-regret"].shape
    (100, (100, 3))
    >>> sim.last.t
    100
    """

    def __init__(
        self,
        learner: str | RankingLearner,
        dataset: str | RankingData,
        user: str | User | None = None,
        replicates: int = 1,
        seed: int = 0,
    ) -> None:
        if not isinstance(replicates, (int, np.integer)) or isinstance(replicates, bool) or replicates < 1:
            raise ValueError(f"replicates must be a whole number of at least 1, got {replicates}")
        if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool) or seed < 0:
            raise ValueError(f"seed must be a whole number of at least 0, got {seed}")
        # a learner has state: each simulation gets one of its own
        self.learner: Any = create(learner) if isinstance(learner, str) else copy.copy(learner)
        self.dataset: Any = datasets.load(dataset) if isinstance(dataset, str) else dataset
        user = "cascade" if user is None else user
        self.user: Any = create_user(user) if isinstance(user, str) else user
        self.replicates, self.seed = int(replicates), int(seed)
        for name, item, base, maker in (
            ("learner", self.learner, Learner, "create"),
            ("dataset", self.dataset, RankingData, "datasets.load"),
            ("user", self.user, User, "create_user"),
        ):
            if not isinstance(item, base):
                raise ValueError(f"{name} must be an id or what {maker}() makes, got {str(item)[:60]}")
            if isinstance(item, Declared):
                replicates_of(item, self.replicates)
        self.reset()

    def reset(self) -> None:
        """Back to step 0, with the same random numbers ahead."""
        self.history = History(self.replicates)
        self.environment = RankingEnvironment(
            self.dataset, self.user, self.learner, self.replicates, np.random.SeedSequence(self.seed)
        )

    @property
    def t(self) -> int:
        """Steps taken so far."""
        return self.environment.t

    @property
    def last(self) -> Step | None:
        """What happened in the latest step, for the step inspector; None before the first."""
        return self.environment.last()

    def advance(self, steps: int | None = None, seconds: float | None = None) -> None:
        """Take `steps` steps, or as many as fit in `seconds` (at least one), or whichever ends first."""
        if steps is None and seconds is None:
            raise ValueError("advance needs steps or seconds")
        if steps is not None and steps < 0:
            raise ValueError(f"steps must be at least 0, got {steps}")
        end = None if seconds is None else time.perf_counter() + seconds
        done = 0
        while steps is None or done < steps:
            self.environment.step()
            done += 1
            if done % BLOCK == 0:
                self._record()
            if end is not None and time.perf_counter() >= end:
                break
        self._record()

    def _record(self) -> None:
        block = self.environment.measure()
        if block is not None:
            self.history.append(block)

    def __iter__(self) -> Iterator[Step]:
        """Endless steps; leave the loop when you have seen enough."""
        while True:
            self.advance(steps=1)
            assert self.last is not None
            yield self.last
