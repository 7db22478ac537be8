"""Finds the learners and the simulated users: every class with an id in their folders."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

import learners.boosting.learning_to_rank
import learners.boosting.refinement
import learners.boosting.refinement.judges
import learners.boosting.semi_supervised
import learners.classification
import learners.multilabel
import learners.ranking
import learners.ranking.users
from datasets.parameters import Declared, Info, pick
from learners.base import Learner, Line
from learners.boosting.refinement.judges.base import Judge
from learners.ranking.users.base import User


@dataclass(frozen=True)
class LearnerInfo(Info):
    """What the catalogue says of a learner; `paper` is a key of learners.base.PAPERS."""

    learner: type[Learner] = Learner

    @property
    def lines(self) -> tuple[Line, ...]:
        """The algorithm, line by line."""
        return self.learner.lines


@cache
def _found(package: ModuleType, base: type[Declared]) -> dict[str, type[Declared]]:
    """The classes derived from `base` in the modules of a package, by id."""
    found = {}
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        for item in vars(importlib.import_module(module.name)).values():
            if isinstance(item, type) and issubclass(item, base) and item.id and item.__module__ == module.name:
                found[item.id] = item
    return found


def learner_classes() -> dict[str, type[Any]]:
    """All learners, by id."""
    packages = (
        learners.ranking, learners.classification, learners.multilabel,
        learners.boosting.semi_supervised, learners.boosting.learning_to_rank, learners.boosting.refinement,
    )  # fmt: skip
    return {id: cls for package in packages for id, cls in _found(package, Learner).items()}


def user_classes() -> dict[str, type[Any]]:
    """All simulated users, by id; `family` says for which learners they are."""
    return _found(learners.ranking.users, User) | _found(learners.boosting.refinement.judges, Judge)


def create(id: str, **params: Any) -> Any:
    """A learner with these hyper-parameters; a number may also be an array with one value a replicate.

    >>> create("perturbed-perceptron", swap_probability=0.25).swap_probability
    0.25
    >>> create("perturbed-perceptron", swap_probability=1.7)
    Traceback (most recent call last):
    ValueError: swap_probability must be in [0, 1], got 1.7
    """
    return pick(id, learner_classes(), "learner").make(**params)


def create_user(id: str, **params: Any) -> Any:
    """A simulated user with these parameters.

    >>> create_user("cascade", noise=0.1).noise
    0.1
    """
    return pick(id, user_classes(), "user").make(**params)


def catalogue() -> list[LearnerInfo]:
    """All learners: family by family, in the order of their ids.

    >>> [info.id for info in catalogue() if info.family == "ranking" and info.feedback == "nothing"]
    ['random-ranking']
    """
    return [LearnerInfo(**vars(cls.info()), learner=cls) for cls in learner_classes().values()]
