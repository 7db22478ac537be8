"""A check that a learner keeps the promises that every learner makes."""

from __future__ import annotations

from typing import Any

import numpy as np

import datasets
from datasets.check import check_declared
from learners.base import Learner
from learners.catalogue import families, works
from learners.environment import Diverged
from learners.family import Family
from learners.run.simulation import Simulation
from learners.theory import BOUNDS

STEPS = 24


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
    data = datasets.load(family.smallest[0], **family.smallest[1])
    assert learner.memory(family.shape(data), 3) >= 0, f"{cls.id} must say about how much memory its state takes"
    try:
        _check_runs(learner, family, data)
    except Diverged as error:
        raise AssertionError(str(error)) from error


def _check_runs(learner: Learner, family: Family, data: Any) -> None:
    """Run the learner in several ways that must give the same numbers."""
    steps = min(STEPS, 4) if family.rounds else STEPS
    whole = Simulation(learner, data, replicates=3, seed=1)
    other = Simulation(learner, data, replicates=1, seed=2)  # runs in between and must not be affected
    whole.advance(steps=1)
    other.advance(steps=1)
    for _ in range(steps - 1):
        weights = whole.learner.weights
        kept = None if weights is None else np.array(weights)
        whole.advance(steps=1)
        before = getattr(whole.last, "before", None)  # if the record of a step has them
        assert before is None or np.array_equal(np.asarray(kept), before), (
            f"{learner.id} changes its weights in place; replace them"
        )
    sliced = Simulation(learner, data, replicates=3, seed=1)
    for part in (2, steps - 2):
        sliced.advance(steps=part)
    undeclared = [id for id in whole.history if id not in family.by_id]
    assert not undeclared, f"the family {family.id} measures what it does not declare: {', '.join(undeclared)}"
    for id, values in whole.history.items():
        assert values.shape == (steps, 3), f"{id} has the shape {values.shape} after {steps} steps of 3 replicates"
        assert not np.isinf(values).any(), f"{id} of {learner.id} is infinite"
        assert np.array_equal(values, sliced.history[id], equal_nan=True), (
            f"{id} of {learner.id} depends on how steps are cut"
        )
    again = Simulation(learner, data, replicates=1, seed=2)
    again.advance(steps=1)
    for id, values in other.history.items():
        assert np.array_equal(values, again.history[id], equal_nan=True), f"two simulations of {learner.id} share state"
