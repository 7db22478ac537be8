"""The declaration of a family of learners, from which simulations, sweeps, limits and pages follow."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from datasets.base import ExampleSize
from datasets.parameters import Declared
from datasets.spec import Spec
from learners.base import Learner, Shape
from learners.environment import Answerable, Environment
from learners.event import Event
from learners.metric import Metric
from learners.what_if import WhatIf


def held_of_examples(learner: Learner, size: ExampleSize, params: Mapping[str, Any]) -> int:
    """Return the bytes that a replicate holds on labelled examples: weights of each class, and the data order."""
    return learner.memory(Shape(size.features, classes=size.classes), 1) + 8 * size.examples


@dataclass(frozen=True)
class StepWork:
    """The work of one step of one replicate, as a count and in words, and what to lower to reduce it."""

    amount: int
    words: str  # "20 documents × 136 features"
    unit: str  # "numbers"
    lower: str  # "documents or features"


@dataclass(frozen=True)
class Budget:
    """The limits that a shared server sets for one person.

    steps : most learners × steps × replicates of a lab. sweep : most points × replicates × steps of a sweep.
    megabytes : most memory of the states of the learners of a lab. work : function from data to the work of a step, or
    None if steps are cheap. planned : the same from the size of data that are not built yet, or None where it does not
    say. most_work : most work × replicates of a step. step : most seconds of a step, by its estimate.
    """

    steps: int
    sweep: int = 200_000_000
    megabytes: int = 400
    work: Callable[[Any], StepWork] | None = None
    planned: Callable[[Any], StepWork] | None = None
    most_work: int = 0
    step: float = 2.0


@dataclass(frozen=True)
class Users:
    """The simulated users of a family, with their base class, the id of the default, and the order of their ids."""

    base: type[Declared]
    default: str
    order: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Family:
    """A family of learners that observe the same data, receive the same kind of feedback and share their metrics.

    Parameters
    ----------
    id, title : its name in the catalogue, and its name in words. place : its position in menus.
    learner : base class of its learners, whose package holds them.
    data : class of the built data. data_family : `family` of the data sets that build them, if it differs from `id`.
    environment : class that runs a learner in R replicates. metrics : what it measures, the most important first.
    events : kinds of moments that a timeline marks. what_if : kinds of questions on a step that a fork answers.
    users : its simulated users, or None.
    shape : function from data to what a learner may know about them. held : about how many bytes a replicate holds in
        a sweep, from the learner, the size of the data and their parameters, since the data need not be built yet.
    smallest : the smallest data on which every learner of the family runs.
    forms : other small data, one for each form of data with which learners are compiled ahead.
    budget : limits of a shared server.
    rounds : default number of rounds of boosting; 0 if the learners take steps.
    page, lab, icon : the page of its lab, the name of the lab, and its icon. symbols : the letters of its algorithms.
    learners, datasets : ids in the order in which pages offer them. Learners not listed follow, and so do data sets of
        the family that no family lists.
    shows : what a learner answers with, in a few words.
    in_place : whether its learners change weights that they have handed out in later steps.
    rivals : opponents of a learner that is opened from another page. The first other than the learner itself is used.
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
    smallest: Spec
    budget: Budget
    page: str
    lab: str
    icon: str
    symbols: str
    rivals: tuple[str, str]
    learners: tuple[str, ...]
    datasets: tuple[str, ...]
    data_family: str = ""
    forms: tuple[Spec, ...] = ()
    users: Users | None = None
    rounds: int = 0
    events: tuple[Event, ...] = ()
    what_if: tuple[WhatIf, ...] = ()
    shows: str = ""
    in_place: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "data_family", self.data_family or self.id)
        if len(self.by_id) < len(self.metrics):
            raise ValueError(f"two metrics of the family {self.id} have the same id")

    @cached_property
    def by_id(self) -> dict[str, Metric]:
        """Its metrics, by their ids."""
        return {metric.id: metric for metric in self.metrics}

    @property
    def user(self) -> str | None:
        """The id of the default user, or None without users."""
        return self.users.default if self.users else None

    @property
    def unit(self) -> str:
        """The name of a step."""
        return "round" if self.rounds else "step"

    @property
    def answerable(self) -> str:
        """The things that a person can approve of in a step, in the plural; "" where nobody can answer."""
        return self.environment.answerable if issubclass(self.environment, Answerable) else ""

    @property
    def asks(self) -> str:
        """The name of a step that a person answers, such as a query; "" where nobody can answer."""
        return self.environment.asks if issubclass(self.environment, Answerable) else ""
