"""The promises that learners, users and data sets make, each a sentence and what checks it."""

import dataclasses
import hashlib
import pickle
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

import datasets
from datasets.base import Dataset
from datasets.check import check_dataset, check_declared
from learners.base import Learner
from learners.catalogue import families, learners_of, works
from learners.environment import Diverged
from learners.family import Family
from learners.grid import Grid
from learners.run.simulation import Simulation
from learners.sweep import sweep
from learners.theory import BOUNDS

STEPS = 24
Promise = tuple[str, Callable[[], None]]


def check_learner(cls: type[Learner], **params: Any) -> None:
    """Check that a learner keeps its promises, by running it on the smallest data of its family.

    The learner must be fully declared, report only metrics of its family, give the same numbers for the same seed
    however the steps are sliced, leave weights that it has handed out as they are, and not affect other simulations.

    params : parameters of the learner, such as a small size of its memory.

    Raises
    ------
    AssertionError : with a sentence that says what is wrong.

    >>> from learners.catalogue import learner_classes
    >>> check_learner(learner_classes()["banditron"], gamma=0.2)
    """
    for _, check in promises(cls, **params):
        try:
            check()
        except Diverged as error:
            raise AssertionError(str(error)) from error


def promises(cls: type[Learner], **params: Any) -> Iterator[Promise]:
    """Yield what every learner promises, in an order in which each needs those before it."""
    yield "It says what it is: id, title, summary, needs, lines and parameters.", lambda: _check_told(cls, params)
    runs = CheckedRuns(cls, params)
    yield "It runs, and leaves weights that it has handed out as they are.", runs.check_steps
    yield "The same seed gives the same numbers, however the steps are cut.", runs.check_cuts
    yield "Two simulations share nothing.", runs.check_apart


def more_promises(cls: type[Learner]) -> Iterator[Promise]:
    """Yield what a file of one's own promises as well."""
    runs = CheckedRuns(cls, {})
    yield "It leaves the data as they are.", runs.check_given
    yield "A sweep gives the numbers of single runs.", runs.check_sweep


def _check_told(cls: type[Learner], params: dict[str, Any]) -> None:
    check_declared(cls)
    assert cls.family in families(), (
        f"{cls.id} is of an unknown family {cls.family!r}; known are: {', '.join(families())}"
    )
    family = families()[cls.family]
    assert issubclass(cls, family.learner), f"{cls.id} must be derived from {family.learner.__name__}"
    assert cls.needs, f"{cls.id} must say what feedback it needs"
    assert not cls.paper or cls.paper in works() | dict(cls.works), f"{cls.id} names an unknown paper {cls.paper!r}"
    assert cls.lines, f"{cls.id} needs the lines of its algorithm"
    silent = [line.text for line in cls.lines if not cls.words(line)]
    assert not silent, f"{cls.id} must say in plain words what this line does: {', '.join(silent)}"
    learner = cls.make(**params)
    unknown = [id for id in learner.bounds if id not in BOUNDS]
    assert not unknown, f"{cls.id} names unknown bounds: {', '.join(unknown)}"
    data = datasets.load(family.smallest.id, **family.smallest.values)
    assert learner.memory(family.shape(data), 3) >= 0, f"{cls.id} must say about how much memory its state takes"


class CheckedRuns:
    """CheckedRuns of a learner on the smallest data of its family, several ways of which must give the same numbers."""

    def __init__(self, cls: type[Learner], params: dict[str, Any]) -> None:
        self.cls, self.params = cls, params

    @property
    def family(self) -> Family:
        """The family of the learner."""
        return families()[self.cls.family]

    @property
    def steps(self) -> int:
        """How many steps are taken."""
        return min(STEPS, 4) if self.family.rounds else STEPS

    @cached_property
    def data(self) -> Any:
        """The smallest data of the family."""
        return datasets.load(self.family.smallest.id, **self.family.smallest.values)

    def simulation(self, replicates: int = 3, seed: int = 1) -> Simulation:
        """Return a simulation at step 0."""
        return Simulation(self.cls.make(**self.params), self.data, replicates=replicates, seed=seed)

    @cached_property
    def whole(self) -> tuple[Simulation, Simulation]:
        """A run of three replicates, step by step, and another with one, which takes a step in between."""
        whole, other = self.simulation(), self.simulation(replicates=1, seed=2)
        whole.advance(steps=1)
        other.advance(steps=1)
        for _ in range(self.steps - 1):
            handed = None if self.family.in_place else whole.learner.weights
            kept = np.array(handed)
            whole.advance(steps=1)
            assert handed is None or np.array_equal(handed, kept, equal_nan=True), (
                f"{self.cls.id} changes its weights in place; replace them"
            )
        return whole, other

    def check_steps(self) -> None:
        whole, _ = self.whole
        family = self.family
        undeclared = [id for id in whole.history if id not in family.by_id]
        assert not undeclared, f"the family {family.id} measures what it does not declare: {', '.join(undeclared)}"
        for id, values in whole.history.items():
            assert values.shape == (self.steps, 3), (
                f"{id} has the shape {values.shape} after {self.steps} steps of 3 replicates"
            )
            assert not np.isinf(values).any(), f"{id} of {self.cls.id} is infinite"

    def check_cuts(self) -> None:
        sliced = self.simulation()
        for part in (2, self.steps - 2):
            sliced.advance(steps=part)
        for id, values in self.whole[0].history.items():
            assert np.array_equal(values, sliced.history[id], equal_nan=True), (
                f"{id} of {self.cls.id} depends on how steps are cut"
            )

    def check_apart(self) -> None:
        again = self.simulation(replicates=1, seed=2)
        again.advance(steps=1)
        for id, values in self.whole[1].history.items():
            assert np.array_equal(values, again.history[id], equal_nan=True), (
                f"two simulations of {self.cls.id} share state"
            )

    def check_given(self) -> None:
        """Check that the data are the same after a run, and that runs of others are."""
        before, run = _digest(self.data), self.simulation()
        run.advance(steps=self.steps)
        assert _digest(self.data) == before, f"{self.cls.id} changes the data that it is given; work on a copy"

    def check_sweep(self) -> None:
        """Check, for the first parameter with a value for each replicate, that values side by side are as alone."""
        learner = self.cls.make(**self.params)
        wanted = [p for p in self.cls.parameters() if p.per_replicate and learner.uses(p)]
        if not wanted:
            return
        values = Grid.suggested(wanted[0]).values
        values, name = [values[0], values[len(values) // 2]], wanted[0].name
        setup = {"learner": learner, "dataset": self.data}
        table = sweep(setup, {name: values}, replicates=2, seed=1, steps=self.steps)
        for value in values:
            alone = Simulation(self.cls.make(**{**self.params, name: value}), self.data, replicates=2, seed=1)
            alone.advance(steps=self.steps)
            part = table[table[name] == value]
            for id in alone.history:
                found = part[part.metric == id].sort_values("replicate").value.to_numpy()
                assert np.array_equal(found, np.asarray(alone.history.final(id), dtype=float), equal_nan=True), (
                    f"{id} with {name} = {wanted[0].format(value)} differs between a sweep and a run of its own"
                )


def user_promises(cls: type[Any]) -> Iterator[Promise]:
    """Yield what every simulated user promises."""
    yield "It says what it is: id, title, summary and parameters.", lambda: check_declared(cls)
    learner = learners_of(families()[cls.family])[0]
    data = datasets.load(families()[cls.family].smallest.id, **families()[cls.family].smallest.values)

    def run(*parts: int) -> Simulation:
        found = Simulation(learner, data, cls.make(), replicates=3, seed=1)
        for steps in parts:
            found.advance(steps=steps)
        return found

    def cuts() -> None:
        whole, sliced = run(STEPS), run(2, STEPS - 2)
        for id, values in whole.history.items():
            assert np.array_equal(values, sliced.history[id], equal_nan=True), f"{id} depends on how steps are cut"

    def given() -> None:
        before = _digest(data)
        run(STEPS)
        assert _digest(data) == before, f"{cls.id} changes the data that it is given; work on a copy"

    yield "It answers, and the same seed gives the same numbers, however the steps are cut.", cuts
    yield "It leaves the data as they are.", given


def dataset_promises(cls: type[Dataset]) -> Iterator[Promise]:
    """Yield what every data set promises."""
    yield "It says what it is, knows its size, and builds the same data twice.", lambda: check_dataset(cls)

    def run() -> None:
        family = next(family for family in families().values() if family.data_family == cls.family)
        Simulation(learners_of(family)[0], cls.make().build(), seed=1).advance(steps=4)

    yield "A learner runs on it.", run


def _digest(data: Any) -> str:
    """Return a digest of the declared fields of data; what they compute from these later plays no part."""
    values = [getattr(data, part.name) for part in dataclasses.fields(data)]
    return hashlib.sha256(pickle.dumps(values)).hexdigest()
