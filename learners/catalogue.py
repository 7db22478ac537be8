"""Discovery of families (folders with a family.py), of their learners and of their users (classes with an id)."""

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import datasets
from datasets.discovery import derived
from datasets.own_code import OwnOrKnown, brought
from datasets.parameters import Declared, Info, pick
from learners.base import PAPERS, Learner, Line
from learners.family import Family


@dataclass(frozen=True)
class LearnerInfo(Info):
    """The catalogue entry of a learner. `paper` is a key of `works()`."""

    learner: type[Learner] = Learner

    @property
    def lines(self) -> tuple[Line, ...]:
        """The algorithm, line by line."""
        return self.learner.lines


@cache
def families() -> dict[str, Family]:
    """Return all families by id, in the order of their places. Each is the `FAMILY` of a file family.py.

    >>> list(families())[:3]
    ['ranking', 'classification', 'multilabel']
    """
    home = Path(__file__).parent
    folders = [file.parent.relative_to(home).parts for file in home.rglob("family.py") if file.parent != home]
    found: list[Family] = [importlib.import_module(".".join((f"{__package__}", *f, "family"))).FAMILY for f in folders]
    return {family.id: family for family in sorted(found, key=lambda family: family.place)}


def _derived(base: type[Declared]) -> dict[str, type[Any]]:
    """Return the classes derived from `base` in the modules of its package and of the folders in it, by id."""
    return _derived_by_name(base.__module__, base.__name__)


@cache
def _derived_by_name(module: str, name: str) -> dict[str, type[Any]]:
    base: type[Any] = getattr(importlib.import_module(module), name)
    package = importlib.import_module(module.rpartition(".")[0])
    folders = [(path, package.__name__ + end) for path in package.__path__ for path, end in _rooms(path)]
    modules = [m for path, name in folders for m in pkgutil.iter_modules([path], name)]
    found = derived(base, (m.name for m in modules if not m.ispkg))
    found += [cls for cls in brought() if issubclass(cls, base)]
    return {cls.id: cls for cls in sorted(found, key=lambda cls: cls.id)}


def _rooms(path: str) -> Iterator[tuple[str, str]]:
    """Yield the folders in which the learners or users of a family lie, and what their names add to the package's."""
    yield path, "."
    for module in pkgutil.iter_modules([path]):
        if module.ispkg:
            yield str(Path(path) / module.name), f".{module.name}."


@cache
def learner_classes() -> dict[str, type[Any]]:
    """Return all learners by id, family by family."""
    return OwnOrKnown({id: cls for family in families().values() for id, cls in _derived(family.learner).items()})


@cache
def user_classes() -> dict[str, type[Any]]:
    """Return all simulated users by id. Their `family` is that of the learners they are for."""
    return OwnOrKnown(
        {id: cls for family in families().values() if family.users for id, cls in _derived(family.users.base).items()}
    )


@cache
def works() -> dict[str, str]:
    """Return the citations by their short names: of the five works, then of those that learners and users bring along.

    >>> works()["HK11"].split(".")[0]
    'Hazan & Kale'
    """
    classes = [*learner_classes().values(), *user_classes().values()]
    return PAPERS | {tag: work for cls in classes for tag, work in cls.works.items()}


def forget() -> None:
    """Look again for what there is, after an operator's files have brought more."""
    for found in (datasets.discovery.classes, _derived_by_name, learner_classes, user_classes, works):
        found.cache_clear()


def _in_order(first: tuple[str, ...], all: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*first, *sorted(all)]))


def learners_of(family: Family) -> tuple[str, ...]:
    """Return the ids of the learners of a family, in the order in which pages offer them."""
    return _in_order(family.learners, _derived(family.learner))


def users_of(family: Family) -> tuple[str, ...]:
    """Return the ids of the simulated users of a family, in the order in which pages offer them."""
    return _in_order(family.users.order, _derived(family.users.base)) if family.users else ()


def datasets_of(family: Family) -> tuple[str, ...]:
    """Return the ids of the data sets for a family, in the order in which pages offer them."""
    named = {id for other in families().values() for id in other.datasets}
    own = [id for id, kind in datasets.classes().items() if kind.family == family.data_family and id not in named]
    return _in_order(family.datasets, own)


def learner_class(id: Any) -> type[Any]:
    """Return the class of a learner; `id` is as for `create`."""
    return pick(id, learner_classes(), "learner", Learner)


def create(id: str | type[Learner], **params: Any) -> Any:
    """Return a learner with these hyper-parameters. Instead of a number, an array (R,) gives each replicate its own.

    id : or a class of one's own, or what names it: "mine.py:Decay" or "module:Decay".

    >>> create("perturbed-perceptron", swap_probability=0.25).swap_probability
    0.25
    >>> create("perturbed-perceptron", swap_probability=1.7)
    Traceback (most recent call last):
    ValueError: swap_probability must be in [0, 1], got 1.7
    """
    return learner_class(id).make(**params)


def create_user(id: str | type[Declared], **params: Any) -> Any:
    """Return a simulated user with these parameters; `id` may be a class of one's own, as for `create`.

    >>> create_user("cascade", noise=0.1).noise
    0.1
    """
    return pick(id, user_classes(), "user").make(**params)


def catalogue() -> list[LearnerInfo]:
    """Return the entries of all learners, family by family, in the order of their ids.

    >>> [info.id for info in catalogue() if info.family == "ranking" and info.feedback == "nothing"]
    ['random-ranking']
    """
    return [LearnerInfo(**vars(cls.info()), learner=cls) for cls in learner_classes().values()]
