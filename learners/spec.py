"""The description of a run: what determines its numbers, frozen and apart from the simulations that follow from it.

All that describe, keep or send a run (links, scripts, kept runs, panels of figures, lessons, jobs) are views of a
`RunSpec`. Its parts are `Spec`s.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, cast

import datasets
from datasets import own_code
from datasets.spec import Spec
from learners.base import Learner
from learners.catalogue import create_user, families, learner_class, learner_classes
from learners.family import Family
from learners.interleaving import Comparison
from learners.run.simulation import Simulation

# Pairs of a step, from 1, and the documents or labels, from 0, that a person approved of in it; both in rising order
Answers = tuple[tuple[int, tuple[int, ...]], ...]


def learner_of(spec: Spec) -> Learner:
    """Return the learner that a spec describes, the same object each time. A `Simulation` runs a copy of it.

    >>> banditron = Spec("banditron", (("gamma", 0.1),))
    >>> learner_of(banditron) is learner_of(banditron), learner_of(banditron).describe()
    (True, 'γ = 0.1')
    """
    return _learner_of(spec, cast("Hashable", learner_class(spec.id)))  # of a file that has changed, another class


@lru_cache(maxsize=1000)
def _learner_of(spec: Spec, kind: Any) -> Learner:
    made: Learner = kind.make(**spec.values)
    return made


@dataclass(frozen=True)
class RunSpec:
    """Everything that determines the numbers of a run of one or several learners in one world.

    Parameters
    ----------
    learners : run beside each other on the same data order and user noise.
    dataset, user : the world; None where the family has no simulated user.
    replicates, steps, seed : as a `Simulation` takes them.
    comparison : settings of a comparison by interleaving, or None.
    answers : of a person to some steps of the first replicate.

    Example
    -------
    >>> rivals = (Spec("preference-perceptron"), Spec("perturbed-perceptron", (("swap_probability", 0.25),)))
    >>> spec = RunSpec(rivals, Spec("toy-ranking"), Spec("cascade"), replicates=2, steps=64)
    >>> spec.shorts()
    ['Perceptron', '3PR']
    >>> simulation = spec.simulation(1, spec.load())
    >>> simulation.advance(spec.steps)
    >>> simulation.learner.swap_probability, simulation.history["flips"].shape
    (0.25, (64, 2))
    """

    learners: tuple[Spec, ...]
    dataset: Spec
    user: Spec | None = None
    replicates: int = 1
    steps: int = 1000
    seed: int = 0
    comparison: tuple[tuple[str, Any], ...] | None = None
    answers: Answers = ()

    @property
    def family(self) -> Family:
        """The family of the learners. It needs at least one learner."""
        return families()[learner_classes()[self.learners[0].id].family]

    @property
    def ids(self) -> list[str]:
        """The ids of the learners."""
        return [learner.id for learner in self.learners]

    @property
    def key(self) -> str:
        """A text that tells the run from all others, the same on every machine."""
        named = own_code.sources(spec.id for spec in (*self.learners, self.dataset, self.user) if spec)
        return hashlib.sha256((repr(self) + "".join(source.digest for source in named)).encode()).hexdigest()[:16]

    def load(self) -> Any:
        """Return the data of the run, where a file is named by its path."""
        return datasets.load(self.dataset.id, **self.dataset.values)

    def made(self) -> tuple[Learner, ...]:
        """Return the learners; they are not to be run, since others look at the same objects.

        Raises
        ------
        ValueError : for an unknown id, and a parameter out of range.
        """
        return tuple(learner_of(spec) for spec in self.learners)

    def made_user(self) -> Any:
        """Return the simulated user, or None."""
        return create_user(self.user.id, **self.user.values) if self.user else None

    def simulation(self, number: int, data: Any, **kept: Any) -> Simulation:
        """Return the simulation of one learner, by its number from 0, at step 0.

        data : loaded from `dataset`. kept : what a `Simulation` keeps of the run, `recorded` and `megabytes`.
        """
        given = {"replicates": self.replicates, "seed": self.seed, "answers": dict(self.answers), **kept}
        learner, user = learner_of(self.learners[number]), self.made_user()
        if self.comparison is not None:
            return Comparison(learner, data, user, **given, **dict(self.comparison))
        return Simulation(learner, data, user, **given)

    def simulations(self, data: Any, **kept: Any) -> list[Simulation]:
        """Return the simulations of all learners, as `simulation` does."""
        return [self.simulation(number, data, **kept) for number in range(len(self.learners))]

    def given(self, of: str, values: Mapping[str, Any], number: int = 0) -> RunSpec:
        """Return the run with other values of some parameters.

        of : whose they are: "learner", "user" or "dataset". number : of the learner, from 0.

        >>> run = RunSpec((Spec("banditron"),), Spec("synsep"))
        >>> run.given("learner", {"gamma": 0.2}).learners
        (Spec(id='banditron', params=(('gamma', 0.2),)),)
        """
        if of == "learner":
            learners = [x.given(values) if i == number else x for i, x in enumerate(self.learners)]
            return replace(self, learners=tuple(learners))
        if of == "user":
            assert self.user is not None
            return replace(self, user=self.user.given(values))
        return replace(self, dataset=self.dataset.given(values))

    def labels(self) -> list[str]:
        """Return a name for each learner that is unique in the run."""
        return _unique([_named(x.title, x) for x in self.made()])

    def shorts(self) -> list[str]:
        """Return a short name for each learner, for the end of its curve, which is unique in the run.

        Parameters are named only where they tell two learners of one kind apart.
        """
        kinds = [x.short or x.title for x in self.made()]
        return _unique(_told_apart(kinds, lambda i: _named(kinds[i], self.made()[i])))


def _named(kind: str, learner: Learner) -> str:
    return ", ".join(filter(None, (kind, learner.describe())))


def _told_apart(kinds: Sequence[str], more: Callable[[int], str]) -> list[str]:
    return [kind if kinds.count(kind) == 1 else more(i) for i, kind in enumerate(kinds)]


def _unique(names: list[str]) -> list[str]:
    """Return the names, those that occur several times with a number.

    >>> _unique(["3PR", "perceptron", "3PR"])
    ['3PR (1)', 'perceptron', '3PR (2)']
    """
    return _told_apart(names, lambda i: f"{names[i]} ({names[: i + 1].count(names[i])})")
