"""A run in which a person takes the place of the user: what the learners show, and what the person answers to it."""

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from datasets.spec import Spec
from learners.base import Array
from learners.ranking.dueling_bandit import Duel
from learners.ranking.interleave import Interleaved
from learners.ranking.users.bradley_terry import BradleyTerry
from learners.run.pieces import Pieces
from learners.spec import RunSpec
from pages.ui.jobs.once import once
from pages.ui.race.limits import kept

PIECE = 0.04  # seconds of work at a time
CHOICES = 10  # documents offered where only the first few places count and the user may hand back any other


class Answerer:
    """One replicate of some learners, whose next steps a person answers.

    setup : the setup; steps that a person has answered in it are not asked again. learners : those of it that run.
    data : loaded from its data set. t : the first step that the person can answer.

    Attributes
    ----------
    simulations : of the learners, as far as they have come. t : the step that is to be answered. answers : what the
    person has approved of, by step. marked : what is marked in the step that is shown, which pages change.
    """

    def __init__(self, setup: RunSpec, learners: Sequence[Spec], data: Any, t: int = 1) -> None:
        self.setup = dataclasses.replace(setup, learners=tuple(learners), replicates=1)
        self.data = data
        self.simulations = self.setup.simulations(data, **kept(self.setup))
        self.answers: dict[int, tuple[int, ...]] = {}
        self.marked: set[int] = set()
        self._before = dict(self.setup.answers)
        once(self._come_to(t))

    def _come_to(self, t: int) -> Pieces[None]:
        """Go on to step t, or to the next one that is not answered yet, and see what is shown in it."""
        while t in self._before:
            t += 1
        self.t = t
        for simulation in self.simulations:
            yield from _forward(simulation, t - 1)
        self.steps = []
        for simulation in self.simulations:
            twin = yield from simulation.forking(at=t)
            twin.advance(steps=1)  # as it would be without an answer; what is shown is the same
            self.steps.append(getattr(twin.last, "learning", twin.last))  # of two searches, the one that teaches

    def items(self) -> list[int]:
        """Return what is shown and can be approved of, by place: numbers of documents or of labels, from 0."""
        raise NotImplementedError

    def choose(self, places: Iterable[int]) -> None:
        """Answer the step that is shown by approving of what stands at these places, from 1; others do not count.

        The learners learn from it.

        Raises
        ------
        Diverged : if then weights cease to be finite numbers.
        """
        items = self.items()
        chosen = tuple(sorted({items[place - 1] for place in places if 1 <= place <= len(items)}))
        once(self._learned(chosen))

    def _learned(self, chosen: tuple[int, ...]) -> Pieces[None]:
        forks = []
        for simulation in self.simulations:
            forks.append((yield from simulation.forking(at=self.t, change={"answers": {self.t: chosen}})))
        self.simulations = forks
        self.answers[self.t] = chosen
        self.marked = set()
        yield from self._come_to(self.t + 1)

    def go_on(self, steps: int) -> None:
        """Let the simulated user answer so many steps."""

        def taken() -> Pieces[None]:
            for simulation in self.simulations:
                yield from _forward(simulation, simulation.t + steps)

        once(taken())


def _forward(simulation: Any, t: int) -> Pieces[None]:
    """Take a simulation to step t, in pieces."""
    while simulation.t < t:
        simulation.advance(steps=t - simulation.t, seconds=PIECE)
        yield


class Clicker(Answerer):
    """A person who reads the list of one learner and clicks documents, or compares.

    Two documents on top, as that user does, or two whole lists, where the learner mixes them to find out which is
    better. Each sent one of the two on top, and to prefer a list is to click that.

    >>> from datasets import load
    >>> learner, data = Spec("preference-perceptron"), Spec("digits-search", (("documents", 10), ("topic", "3")))
    >>> setup = RunSpec((learner,), data, Spec("scan"), 20, 100, 0)
    >>> person = Clicker(setup, [learner], load(data.id, **data.values))
    >>> len(person.shown()), person.t
    (10, 1)
    >>> person.choose([1, 4])
    >>> person.t, person.simulations[0].last.response.clicks.nonzero()[1]
    (2, array([0, 3]))
    """

    @property
    def compares(self) -> bool:
        """Whether the person says which of two lists, or of the two documents on top, is better, and nothing else."""
        return self.duel is not None or isinstance(self.simulations[0].user, BradleyTerry)

    @property
    def duel(self) -> Interleaved | None:
        """The two lists that are compared, and the one that is mixed from them, or None."""
        shown, clicks = self.steps[0].shown, self.simulations[0].user.gives == "clicks"
        return shown.mixed if isinstance(shown, Duel) and clicks and self.data.on_page > 1 else None

    def choose(self, places: Iterable[int]) -> None:
        """Answer the step as in the base class. A person who marks both of a comparison prefers neither."""
        chosen = set(places)
        super().choose([] if self.compares and len(chosen) > 1 else chosen)

    def items(self) -> list[int]:
        """Return the documents that are shown, best first, as numbers within the query."""
        step = self.steps[0]
        n, slots = int(step.lengths[0]), self.data.on_page
        if self.compares:
            n = min(n, 2)
        if slots < self.data.longest:
            n = min(n, slots if self.simulations[0].user.gives == "clicks" else max(slots, CHOICES))
        return [int(document) for document in step.shown.ranking[0][:n]]

    def shown(self) -> Array:
        """Return the rows of the data's features of the documents that are shown, best first."""
        rows: Array = self.steps[0].documents[0][self.items()]
        return rows

    def lists(self) -> list[Array]:
        """Return the same of the two lists that are compared, first of that which sent the document on top."""
        if (duel := self.duel) is None:
            return []
        n = min(int(self.steps[0].lengths[0]), self.data.on_page, CHOICES)
        both = (duel.first, duel.second) if duel.teams[0, 0] else (duel.second, duel.first)
        return [self.steps[0].documents[0][ranking[0, :n]] for ranking in both]


class Guesses(Answerer):
    """A person who sees an example and says which of the labels that the learners play are right."""

    @property
    def row(self) -> int:
        """The example, as its row in the data's features. It is the same for all learners."""
        return int(self.steps[0].row[0])

    def played(self) -> dict[int, list[int]]:
        """Return the labels that are played, in the order of their classes, each with the numbers of its learners."""
        found: dict[int, list[int]] = {}
        for number, step in enumerate(self.steps):
            for label in np.atleast_1d(step.shown.label[0]):
                found.setdefault(int(label), []).append(number)
        return dict(sorted(found.items()))

    def items(self) -> list[int]:
        return list(self.played())
