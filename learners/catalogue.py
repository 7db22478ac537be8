"""Finds families, learners and simulated users: every folder with a family.py, every class with an id in it."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import datasets
from datasets.parameters import Declared, Info, pick
from learners.base import Learner, Line
from learners.family import Family


@dataclass(frozen=True)
class LearnerInfo(Info):
    """What the catalogue says of a learner; `paper` is a key of learners.base.PAPERS."""

    learner: type[Learner] = Learner

    @property
    def lines(self) -> tuple[Line, ...]:
        """The algorithm, line by line."""
        return self.learner.lines


@cache
def families() -> dict[str, Family]:
    """Return all families by id, in the order of their places: every `FAMILY` in a file family.py.

    >>> list(families())
    ['ranking', 'classification', 'multilabel', 'semi-supervised', 'learning-to-rank', 'refinement']
    """
    home = Path(__file__).parent
    folders = [file.parent.relative_to(home.parent) for file in home.rglob("family.py") if file.parent != home]
    found: list[Family] = [importlib.import_module(f"{'.'.join(folder.parts)}.family").FAMILY for folder in folders]
    return {family.id: family for family in sorted(found, key=lambda family: family.place)}


def _found(base: type[Declared]) -> dict[str, type[Any]]:
    """Return the classes derived from `base` in the modules beside it, by id."""
    return _beside(base.__module__, base.__name__)


@cache
def _beside(module: str, name: str) -> dict[str, type[Any]]:
    base: type[Any] = getattr(importlib.import_module(module), name)
    package = importlib.import_module(module.rpartition(".")[0])
    modules = [m.name for m in pkgutil.iter_modules(package.__path__, package.__name__ + ".") if not m.ispkg]
    found: dict[str, type[Any]] = {}
    for one in modules:
        items: list[Any] = list(vars(importlib.import_module(one)).values())
        classes: list[Any] = [i for i in items if isinstance(i, type) and issubclass(i, base) and i.__module__ == one]
        found |= {cls.id: cls for cls in classes if cls.id}
    return found


@cache
def learner_classes() -> dict[str, type[Any]]:
    """Return all learners by id, family by family."""
    return {id: cls for family in families().values() for id, cls in _found(family.learner).items()}


@cache
def user_classes() -> dict[str, type[Any]]:
    """Return all simulated users by id; `family` says for which learners they are."""
    return {id: cls for family in families().values() if family.users for id, cls in _found(family.users.base).items()}


def _in_order(first: tuple[str, ...], all: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*first, *sorted(all)]))


def learners_of(family: Family) -> tuple[str, ...]:
    """Return the ids of a family's learners, in the order in which pages offer them."""
    return _in_order(family.learners, _found(family.learner))


def users_of(family: Family) -> tuple[str, ...]:
    """Return the ids of a family's simulated users, likewise."""
    return _in_order(family.users.order, _found(family.users.base)) if family.users else ()


def datasets_of(family: Family) -> tuple[str, ...]:
    """Return the ids of the data sets that are offered to a family, likewise."""
    named = {id for other in families().values() for id in other.datasets}
    own = [id for id, kind in datasets.classes().items() if kind.family == family.data_family and id not in named]
    return _in_order(family.datasets, own)


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
