"""The simulation of one learner on one data set with one user, in R replicates side by side."""

import copy
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

import numpy as np

from datasets.base import Dataset
from datasets.parameters import Declared, altered, is_whole, replicates_of, shown, whole
from learners.base import Learner
from learners.catalogue import families
from learners.event import Event
from learners.random import Seeds
from learners.run import display
from learners.run.answers import ANSWERED, Answers, checked
from learners.run.bar import OFTEN, bar
from learners.run.change import KINDS, Change, answered, clicked, parameters
from learners.run.given import made_parts
from learners.run.history import History
from learners.run.memory import SMALL_STATE, check_room
from learners.run.past import MEGABYTES, Past, before_next, blocks, make_due, replay
from learners.run.pieces import Pieces, finished

LARGEST_COUNT = 10**12  # steps, replicates and megabytes; what is more is a mistake
LONGEST_SECONDS = 10**10  # seconds, three hundred years


class Simulation:
    """A run of a learner that records every metric.

    Parameters
    ----------
    learner : an id, or an instance made by `create`, which the simulation copies; a class of one's own, or what names
        it ("mine.py:Decay"), stands for an id.
    dataset : an id, or what `datasets.create` or `datasets.load` makes, for the family of the learner; or a class,
        likewise.
    user : an id, or an instance made by `create_user`; or a class, likewise. None for the default user of the family,
        if it has users.
    replicates : number R of runs side by side, each with its own order of the data.
    seed : determines all random numbers. Learners with the same seed meet the same queries and the same user noise.
    recorded : steps that the history records one by one before it is thinned (see `History`). By default 2,000,000 / R,
        but at least 2,000 and at most 100,000.
    megabytes : memory for states, kept while it advances, from which `at` and `fork` start; 0 keeps none, so that they
        start at step 0. The environment that `at` replayed last comes on top.
    answers : what a person answers in some steps of the first replicate, in place of the simulated user or of the
        truth, by step from 1: the numbers, from 0, of the documents or labels that the person approves of. The others
        are not approved of, and an empty tuple approves of none.

    A person who approves of documents clicks those, or if the user hands back a ranking, moves them to its top, in the
    order shown. One who approves of labels says "right" to a label played that is among them, else "wrong". A learner
    that is told the true label is told the one approved of instead; where none or several are, it is told the truth. A
    learner that hears the best ranking, or nothing, goes on to do so. All learners of a race can be given the same
    answers, which each of them hears in its own way. Random numbers, other replicates, and what is measured against the
    truth, do not depend on a person. Links and the inspector number documents and labels from 1.

    Raises
    ------
    ValueError : for an unknown id, a parameter out of range, data of another family or those on
        which the learner cannot learn, replicates < 1, and answers to
        steps or on items that do not exist.

    One thread may advance while others call `at` and `fork`; these look at whole blocks of steps that have been taken.

    Example
    -------
    >>> sim = Simulation("preference-perceptron", "toy-ranking", "cascade", replicates=3, seed=1)
    >>> sim.advance(steps=100)
    >>> sim.t, sim.history["average-regret"].shape
    (100, (100, 3))
    >>> sim.last.t, sim.at(42).t
    (100, 42)
    >>> person = Simulation("preference-perceptron", "toy-ranking", "cascade", seed=1, answers={1: (2, 6), 2: ()})
    >>> person.advance(steps=100)
    >>> step = person.at(1)
    >>> step.shown.ranking[step.response.clicks], person.at(2).response.clicks.any()
    (array([2, 6]), np.False_)
    >>> Simulation("banditron", "toy-ranking")
    Traceback (most recent call last):
    ValueError: banditron needs a classification data set, got toy-ranking, which is for ranking
    """

    def __init__(
        self,
        learner: str | type[Learner] | Learner,
        dataset: str | Any,
        user: str | type[Declared] | Declared | None = None,
        replicates: int = 1,
        seed: int = 0,
        recorded: int | None = None,
        megabytes: float = MEGABYTES,
        answers: Mapping[int, Iterable[int]] | None = None,
    ) -> None:
        self.replicates, self.seed = whole("replicates", replicates, low=1, high=LARGEST_COUNT), whole("seed", seed)
        self.recorded, self.megabytes = recorded, megabytes
        if isinstance(megabytes, bool) or not isinstance(megabytes, int | float) or not 0 <= megabytes <= LARGEST_COUNT:
            raise ValueError(f"megabytes must be a number from 0 to {LARGEST_COUNT:,}, got {shown(megabytes)}")
        self.learner, self.dataset, self.user = self._parts(learner, dataset, user)
        if reason := self.learner.unfit(self.dataset, self.user):
            raise ValueError(reason)
        for item in (self.learner, self.user):
            if isinstance(item, Declared):
                replicates_of(item, self.replicates)
        self.answers = checked(answers, families()[self.learner.family], self.dataset, self.seeds)
        self.changes = _changes_of(self.answers)  # and what a fork does differently
        self._original = copy.copy(self.learner), self.user  # at step 0; no change touches these two
        self._running = threading.Lock()  # held while a block of steps is taken
        self.reset()

    def _parts(self, learner: Any, dataset: Any, user: Any) -> tuple[Any, Any, Any]:
        """Return a copy of the learner, since it has state, and the data and the user that it meets."""
        learner, dataset, user = made_parts(learner, dataset, user)
        return copy.copy(learner), dataset.build() if isinstance(dataset, Dataset) else dataset, user

    def reset(self) -> None:
        """Go back to step 0, with the same random numbers to come; `changes` are made again at their steps."""
        learner, user = self._original
        if self.changes:
            for name, value in learner.params.items():
                setattr(self.learner, name, value)
            self.user = user
        self.history = History(self.replicates, self.recorded)
        large = self.learner.memory(self.shape, self.replicates) > max(SMALL_STATE, 1e6 * self.megabytes)
        self._past = Past(0 if large else self.megabytes)  # not even one copy is made of what is too large to be kept
        self._pace: float | None = None  # seconds a step of the latest block
        self.environment: Any = self._start(self.learner, self.user)
        self._original = altered(learner, self.learner.params), self.user

    def _start(self, learner: Any, user: Any) -> Any:
        """Return an environment at step 0; the memory for its state is asked for only if there is as much."""
        needed = learner.memory(self.shape, self.replicates) + learner.scratch(self.shape, 1)
        check_room(learner.id, needed, self.shape, self.replicates)
        return self._environment(learner, user)

    def _environment(self, learner: Any, user: Any) -> Any:
        kind: Any = families()[learner.family].environment
        return kind(self.dataset, user, learner, self.replicates, self.seeds)

    def _fresh(self) -> Any:
        """Return a second environment at step 0."""
        learner, user = self._original
        return self._start(copy.copy(learner), user)

    @property
    def seeds(self) -> Seeds:
        """The source of all random numbers of the run."""
        return Seeds(self.seed, self.replicates)

    @property
    def shape(self) -> Any:
        """The facts that the learner may know about the data."""
        return families()[self.learner.family].shape(self.dataset)

    @property
    def t(self) -> int:
        """The number of steps taken so far."""
        steps: int = self.environment.t
        return steps

    @property
    def bytes(self) -> int:
        """About how much memory the history and the states that are kept take."""
        return self.history.bytes + self._past.bytes

    @property
    def last(self) -> Any:
        """The record of the latest step, for the step inspector. None before the first step."""
        return self.environment.last()

    @property
    def events(self) -> tuple[Event, ...]:
        """The kinds of events that can happen in the run (see `learners.run.events`)."""
        return families()[self.learner.family].events + ((ANSWERED,) if self.answers else ())

    def parameter(self, who: str, name: str, t: int) -> Any:
        """Return the value of a parameter of the "learner" or "user" in step t, a number or an array (R,).

        Raises
        ------
        ValueError : if there is no such parameter, or for a step that is no whole number.
        """
        t, (learner, user) = whole("t", t), self._original
        if not isinstance(who, str) or who not in ("learner", "user"):
            raise ValueError(f"who must be learner or user, got {shown(who)}")
        item = learner if who == "learner" else user
        if not isinstance(item, Declared):
            raise ValueError(f"no simulated user answers {self.learner.id}, so it has no parameter {shown(name)}")
        value = getattr(item, item.parameter(name).name)
        for change in self.changes:
            if change.at <= t:
                value = getattr(change, who).get(name, value)
        return value

    def advance(self, steps: int | None = None, seconds: float | None = None, progress: bool = False) -> None:
        """Take `steps` steps, or as many as fit in `seconds` (at least one), or if both are given, the fewer.

        progress : whether a bar shows how far it is.

        Raises
        ------
        ValueError : if neither is given, for steps that are no whole number, and for seconds that are no number.
        """
        if steps is None and seconds is None:
            raise ValueError("advance needs steps or seconds")
        if steps is not None:
            steps = whole("steps", steps, high=LARGEST_COUNT)
        if seconds is not None and not (
            isinstance(seconds, (int, float, np.number)) and abs(seconds) <= LONGEST_SECONDS
        ):
            raise ValueError(f"seconds must be a number up to {LONGEST_SECONDS:,}, got {shown(seconds)}")
        end = None if seconds is None else time.perf_counter() + seconds
        with bar(progress, steps) as tell:
            for taken in self._advancing(steps, end, OFTEN if progress else None):
                tell(taken)

    def _advancing(self, steps: int | None, end: float | None, often: float | None) -> Iterator[int]:
        """Take steps and yield, after each block, how many; a block takes about `often` seconds at most."""
        first = self.t
        while steps is None or self.t - first < steps:
            with self._running:
                self._past.keep(self.environment)
                make_due(self.changes, self.environment)
                block = min(self.environment.block, self._past.left(self.t), before_next(self.changes, self.t))
                if steps is not None:
                    block = min(block, steps - (self.t - first))
                if end is not None:
                    block = min(block, self._fitting(end - time.perf_counter()))
                if often is not None:
                    block = min(block, self._fitting(often))
                began, worked = time.perf_counter(), time.thread_time()
                self.history.append(self.environment.run(int(block)))
                self._past.worked += time.thread_time() - worked
                self._pace = (time.perf_counter() - began) / block
            yield self.t - first
            if end is not None and time.perf_counter() >= end:
                break

    def at(self, t: int) -> Any:
        """Return the record of step t, from 1 to `t`, bit for bit what `last` was after it.

        The steps since the nearest state that was kept are taken once more, in a copy; the simulation itself is not
        touched. To go on to the next steps, or a few back, is fast.

        Raises
        ------
        ValueError : unless step t has been taken.

        >>> sim, short = (Simulation("perceptron", "digits", seed=1) for _ in range(2))
        >>> sim.advance(steps=500)
        >>> short.advance(steps=300)
        >>> sim.at(300).row == short.last.row, sim.t
        (array([ True]), 500)
        >>> sim.at(501)
        Traceback (most recent call last):
        ValueError: t must be a step that has been taken, a whole number from 1 to 500, got 501
        """
        t = _step("t", t, self.history.steps)
        if self._running.acquire(blocking=False):
            try:
                if self.environment.t == t:
                    return self.last
            finally:
                self._running.release()
        return self._past.record(t, self._fresh, self.changes)

    def fork(self, at: int, change: Mapping[str, Any] | None = None) -> Self:
        """Return a second simulation that shares the steps before step `at` and differs in one thing from then on.

        It has taken `at` − 1 steps, with the same history, and meets the same random numbers afterwards. It can
        advance and be forked as any other; bounds that it reports are those for the parameters it has now.

        Parameters
        ----------
        at : the first step that can differ, from 1 to `t` + 1.
        change : None for an identical twin, or one of
            {"learner": {"gamma": 0.2}}, parameters of the learner from step `at` on;
            {"user": {"noise": 0.0}}, parameters of the user from step `at` on;
            {"clicks": array (R, n) or (n,)}, whether the user clicks each position of the ranking shown in step `at`;
            {"answer": array (R, n) or (n,)}, the ranking that the user answers with in step `at`;
            {"answers": {t: items}}, what a person answers in some steps from `at` on, as in the class.

        Raises
        ------
        ValueError : for another step or change, parameters out of range, and those that cannot change in a run.

        >>> sim = Simulation("banditron", "digits", seed=1)
        >>> sim.advance(steps=1000)
        >>> fork = sim.fork(at=501, change={"learner": {"gamma": 0.5}})
        >>> fork.t, bool((fork.history["mistakes"] == sim.history["mistakes"][:500]).all())
        (500, True)
        >>> fork.advance(steps=500)
        >>> bool(fork.history["mistakes"][-1] > sim.history["mistakes"][-1]), sim.learner.gamma
        (True, 0.05)
        """
        return finished(self.forking(at, change))

    def forking(self, at: int, change: Mapping[str, Any] | None = None) -> Pieces[Self]:
        """Do what `fork` does in pieces, a block of steps each."""
        at = _step("at", at, self.history.steps + 1)
        made = self._change(at, change)
        twin = copy.copy(self)
        history = self.history.until(at - 1)
        # a state holds no record of its latest step, which is therefore taken anew
        environment = self._past.nearest(min(history.steps, max(0, at - 2)), self._fresh)
        for _ in blocks(environment, history.steps, self.changes):
            yield
        for block in blocks(environment, at - 1, self.changes):
            history.append(block)
            yield
        if made:
            twin.changes = (*self.changes, *made)
            twin.answers = dict(sorted((self.answers | _answers_of(made)).items()))
            make_due(twin.changes, environment)
        twin.environment, twin.learner, twin.history = environment, environment.learner, history
        twin.user = getattr(environment, "user", self.user)
        twin._past, twin._running = self._past.until(at - 1), threading.Lock()
        return twin

    def _change(self, at: int, change: Any) -> tuple[Change, ...]:
        """Return a change, checked, of one step or several. Raise a ValueError that says what is allowed."""
        if change is None:
            return ()
        if not isinstance(change, Mapping) or len(change) != 1 or next(iter(change)) not in KINDS:
            given = ", ".join(map(str, change)) or "nothing" if isinstance(change, Mapping) else change
            raise ValueError(f"change must be None or a mapping with one of {', '.join(KINDS)}, got {shown(given)}")
        ((kind, given),) = change.items()
        if kind == "answers":
            return _changes_of(checked(given, families()[self.learner.family], self.dataset, self.seeds, first=at))
        environment = self._past.nearest(at - 1, self._fresh)
        replay(environment, at - 1, self.changes)
        make_due(self.changes, environment)
        if kind == "learner":
            return (Change(at, learner=parameters(given, environment.learner, self.replicates)),)
        user = getattr(environment, "user", None)
        if not isinstance(user, Declared) or not hasattr(environment, "override"):
            raise ValueError(f"{kind} cannot change, since no simulated user answers {self.learner.id} in a run")
        if kind == "user":
            return (Change(at, user=parameters(given, user, self.replicates)),)
        replay(environment, at, self.changes)
        step = environment.last()
        step = getattr(step, "learning", step)  # of two searches, the one that teaches
        response = clicked(given, step, user) if kind == "clicks" else answered(given, step, user)
        return (Change(at, response=response),)

    def _fitting(self, seconds: float) -> int:
        """Return how many steps fit in some seconds, at least 1, at the pace of the latest block."""
        return 1 if self._pace is None else max(1, int(seconds / max(self._pace, 1e-9)))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> display.Bundle:
        """Show itself in a notebook."""
        return display.bundle(self)

    def __iter__(self) -> Iterator[Any]:
        """Take steps without end and yield the record of each."""
        while True:
            self.advance(steps=1)
            assert self.last is not None
            yield self.last


def _changes_of(answers: Answers) -> tuple[Change, ...]:
    """Return answers of a person as changes of their steps."""
    return tuple(Change(t, approved=items) for t, items in answers.items())


def _answers_of(changes: Iterable[Change]) -> Answers:
    """Return the answers of a person among some changes."""
    return {change.at: change.approved for change in changes if change.approved is not None}


def _step(name: str, t: Any, last: int) -> int:
    """Return the number of a step from 1 to `last`, or raise a ValueError."""
    if last == 0:
        raise ValueError(f"{name} must be a step that has been taken, and none has been yet, got {shown(t)}")
    if not is_whole(t) or not 1 <= t <= last:
        what = "a step that has been taken" if name == "t" else "a step that has been taken or the next one"
        raise ValueError(f"{name} must be {what}, a whole number from 1 to {last}, got {shown(t)}")
    return int(t)
