"""A run in which a person takes the place of the user: the person clicks, the learner learns, search by search."""

import dataclasses
from collections.abc import Iterable
from typing import Any

import numpy as np

from learners.base import Array
from learners.spec import RunSpec
from pages.ui.answer import person
from pages.ui.race.moment import Moment


class LessonSearches(person.Clicker):
    """One replicate of a learner, whose first searches a person answers by clicking.

    setup : the setup, of which one learner (from 1) and one replicate are taken. data : loaded from its data set.

    Attributes
    ----------
    places : those of each list, from 1, by which the person has answered it. went : whether the simulated user has gone
    on.

    >>> from datasets.spec import Spec
    >>> from pages.ui.lessons.facts import Runs
    >>> learner, data = Spec("preference-perceptron"), Spec("digits-search", (("documents", 10), ("topic", "3")))
    >>> setup = RunSpec((learner,), data, Spec("scan"), 1, 100, 0)
    >>> person = LessonSearches(setup, 1, Runs().data(setup))
    >>> len(person.shown()), person.places
    (10, [])
    >>> person.choose([1, 4])
    >>> person.places, person.simulation.t
    ([[1, 4]], 1)
    """

    def __init__(self, setup: RunSpec, learner: int, data: Any) -> None:
        self._first: tuple[Array, Array] | None = None  # rows and ranking of the first search
        self.places: list[list[int]] = []
        self.went = False
        super().__init__(setup, [setup.learners[learner - 1]], data)

    @property
    def simulation(self) -> Any:
        """The run, as far as it has come."""
        return self.simulations[0]

    def choose(self, places: Iterable[int]) -> None:
        if self._first is None:
            step = self.steps[0]
            self._first = step.documents[0][: int(step.lengths[0])], self.shown()
        self.places.append(list(places))
        super().choose(self.places[-1])

    def go_on(self, steps: int) -> None:
        super().go_on(steps)
        self.went = True

    def first_then(self) -> Array:
        """Return the rows of the documents of the first search as they were shown."""
        assert self._first is not None
        return self._first[1]

    def first_now(self) -> Array:
        """Return the rows of the documents of the first search in the order that the learner now believes best."""
        assert self._first is not None
        rows, w = self._first[0], self.simulation.learner.weights
        assert w is not None
        scores = np.asarray(self.simulation.dataset.features[rows] @ w[0]).ravel()
        best: Array = rows[np.argsort(-scores, kind="stable")][: len(self._first[1])]
        return best

    def moment(self) -> Moment:
        """Return the run as it stands."""
        steps = max(self.simulation.t, 1)
        return Moment(dataclasses.replace(self.setup, steps=steps), self.simulation.t, [self.simulation])
