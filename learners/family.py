"""One declaration of a family of learners, from which simulations, sweeps, limits and pages follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from datasets.parameters import Declared
from learners.base import Learner, Shape
from learners.environment import Environment
from learners.metric import Metric


@dataclass(frozen=True)
class Work:
    """What one step of one replicate touches: how many numbers (or pairs), in words, and what makes it less."""

    amount: int
    words: str  # "20 documents × 136 features"
    unit: str  # "numbers"
    lower: str  # "documents or features"


@dataclass(frozen=True)
class Budget:
    """What a shared server gives to one person.

    steps : learners × steps × replicates of a lab. sweep : points × replicates × steps of a sweep. megabytes : what the
    learners of a lab may hold. work, most_work : what a step of one replicate touches on some data, and the largest
    product of it with the replicates; None where no step is expensive.
    """

    steps: int
    sweep: int = 200_000_000
    megabytes: int = 400
    work: Callable[[Any], Work] | None = None
    most_work: int = 0


@dataclass(frozen=True)
class Users:
    """The simulated users of a family: their base class, in whose package they are found, the default, and an order."""

    base: type[Declared]
    default: str
    order: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Family:
    """Learners that are shown the same things, hear the same things and are measured alike.

    Parameters
    ----------
    id, title : its name in the catalogue, and in words. place : its position in menus.
    learner : base class of its learners, which are found in the package that declares the family.
    data : class of the data once they are built. data_family : `family` of the data sets that build them, where it is
        another family's.
    environment : runs a learner on R replicates. metrics : what it measures, the most telling first.
    users : its simulated users, or None.
    shape : what a learner is told of some data. held : about how many bytes a replicate holds in a sweep, from the learner, the
        size of the data and their parameters, since the data need not be built yet.
    smallest : id and parameters of the smallest data on which every learner of the family runs.
    budget : limits of a shared server.
    rounds : rounds of boosting by default; 0 where learners take steps.
    page, lab, icon : its lab, the name of the lab, and its icon. symbols : the letters of its algorithms.
    learners, datasets : their ids in the order in which pages offer them; learners that are not named follow, and so do
        data sets of the kind that no family names.
    rivals : against whom a learner is raced when it is opened from elsewhere: the first that is not the learner itself.
    """

    id: str
    title: str
    place: int
    learner: type[Learner]
    data: type[Any]
    environment: type[Environment]
    metrics: tuple[Metric, ...]
    shape: Callable[[Any], Shape]
    held: Callable[[Learner, Any, Mapping[str, Any]], int]
    smallest: tuple[str, dict[str, Any]]
    budget: Budget
    page: str
    lab: str
    icon: str
    symbols: str
    rivals: tuple[str, str]
    learners: tuple[str, ...]
    datasets: tuple[str, ...]
    data_family: str = ""
    users: Users | None = None
    rounds: int = 0
    by_id: dict[str, Metric] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "data_family", self.data_family or self.id)
        object.__setattr__(self, "by_id", {metric.id: metric for metric in self.metrics})
        if len(self.by_id) < len(self.metrics):
            raise ValueError(f"two metrics of the family {self.id} have the same id")

    @property
    def user(self) -> str | None:
        """The id of the default user, or None without users."""
        return self.users.default if self.users else None

    @property
    def unit(self) -> str:
        """What a step is called."""
        return "round" if self.rounds else "step"
