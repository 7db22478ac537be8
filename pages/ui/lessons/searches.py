"""A run in which a person takes the place of the user: the person clicks, the learner learns, search by search."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.choice import Choice
from pages.ui.race.moment import Moment
from pages.ui.race.setup import Setup


class Searches:
    """One replicate of a learner, whose first searches a person answers by clicking.

    setup : the setup, of which one learner (from 1) and one replicate are taken. data : loaded from its data set.

    Attributes
    ----------
    simulation : as far as it has come. answered : how many searches the person has answered. clicks : how many the
    person has made in them. marked : positions, from 1, clicked so far in the search that is shown.

    >>> from pages.ui.lessons.facts import Runs
    >>> learner, data = Choice("preference-perceptron"), Choice("digits-search", (("documents", 10), ("topic", "3")))
    >>> setup = Setup((learner,), data, Choice("scan"), 1, 100, 0)
    >>> person = Searches(setup, 1, Runs().data(setup))
    >>> len(person.shown()), person.answered
    (10, 0)
    >>> person.answer([1, 4])
    >>> person.answered, person.simulation.t, person.simulation.last.response.clicks.nonzero()[1]
    (1, 1, array([0, 3]))
    """

    def __init__(self, setup: Setup, learner: int, data: Any) -> None:
        chosen: Choice = setup.learners[learner - 1]
        self.setup = dataclasses.replace(setup, learners=(chosen,), replicates=1)
        self.simulation = self.setup.simulation(chosen, data)
        self.answered = self.clicks = 0
        self.marked: set[int] = set()
        self._first: tuple[Array, Array] | None = None  # rows and ranking of the first search
        self._next = self._ahead()

    def _ahead(self) -> Any:
        """Return the record of the next step as it would be with the simulated user; what is shown is the same."""
        twin = self.simulation.fork(at=self.simulation.t + 1)
        twin.advance(steps=1)
        return twin.last

    def shown(self) -> Array:
        """Return the rows of the data's features of the documents shown in the next search, best first."""
        step = self._next
        n = min(int(step.lengths[0]), self.simulation.dataset.slots or int(step.lengths[0]))
        rows: Array = step.documents[0][step.shown.ranking[0][:n]]
        return rows

    def answer(self, places: Iterable[int]) -> None:
        """Answer the search that is shown by clicks at these positions, from 1. The learner learns from them."""
        step = self._next
        clicks = np.zeros(step.shown.ranking.shape, dtype=bool)
        chosen = [place for place in places if 1 <= place <= len(self.shown())]
        clicks[0, [place - 1 for place in chosen]] = True
        if self._first is None:
            self._first = step.documents[0][: int(step.lengths[0])], self.shown()
        self.simulation = self.simulation.fork(at=self.answered + 1, change={"clicks": clicks})
        self.simulation.advance(steps=1)
        self.answered, self.clicks, self.marked = self.answered + 1, self.clicks + len(chosen), set()
        self._next = self._ahead()

    def go_on(self, steps: int) -> None:
        """Let the simulated user answer so many searches."""
        self.simulation.advance(steps=steps)

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
