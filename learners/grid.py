"""The description of a sweep: a run, and the grids of values over which one or two of its parameters vary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import datasets
from datasets.parameters import Declared, Parameter
from datasets.spec import Spec
from learners.catalogue import learner_classes, user_classes
from learners.spec import RunSpec


@dataclass(frozen=True)
class Grid:
    """A grid of `number` values of one parameter from `low` to `high`, spaced evenly or logarithmically."""

    parameter: Parameter
    low: float
    high: float
    number: int
    log: bool = False

    @property
    def name(self) -> str:
        """The name of the parameter."""
        return self.parameter.name

    @property
    def values(self) -> list[Any]:
        """The distinct values, in the type of the parameter.

        >>> p = Parameter("gamma", "real", 0.1, 0, 1, low_open=True)
        >>> Grid(p, 0.01, 1.0, 3, log=True).values
        [0.01, 0.1, 1.0]
        """
        if self.low > self.high:
            raise ValueError(f"{self.name}: from must not be above to, got {self.low:g} and {self.high:g}")
        if self.log and self.low <= 0:
            raise ValueError(f"{self.name}: logarithmic spacing needs values above 0, got {self.low:g}")
        spaced = np.geomspace if self.log else np.linspace
        found = spaced(self.low, self.high, self.number)
        rounded = np.round(found) if self.parameter.kind == "integer" else [float(f"{v:.4g}") for v in found]
        return [self.parameter.check(v) for v in dict.fromkeys(np.asarray(rounded).tolist())]

    @classmethod
    def suggested(cls, parameter: Parameter) -> Grid:
        """Return a useful grid, spaced logarithmically if the allowed values span several orders of magnitude."""
        low, high, default = parameter.low, parameter.high, float(parameter.default)
        least = parameter.spacing
        wide = not np.isfinite(high - low) or high > 1000 * max(low, least) or parameter.excludes_zero
        if not wide:
            return cls(parameter, low, high, 9)
        if default <= 0:
            return cls(parameter, low, min(high, low + 10 * least), 9)
        return cls(parameter, max(low, default / 10, least / 10), min(high, default * 10), 9, log=True)


def varying(learner: Spec, dataset: Spec, user: Spec | None) -> dict[str, tuple[type[Declared], Parameter]]:
    """Return the numeric parameters that can vary, by name, each with the class that declares it.

    They are those of the learner, the user and the data set, in this order; a name that two share stands for the first.
    A parameter without effect, given the values of the others, is left out.
    """
    cls = learner_classes()[learner.id]
    owners: list[tuple[type[Declared], Spec]] = [(cls, learner)]
    owners += [(user_classes()[user.id], user)] if user else []
    owners += [(datasets.classes()[dataset.id], dataset)]
    found: dict[str, tuple[type[Declared], Parameter]] = {}
    for kind, spec in owners:
        values = spec.values
        for p in kind.used_by(cls.family):
            used = p.when is None or values.get(p.when[0]) == p.when[1]
            if p.kind in ("real", "integer") and used:
                found.setdefault(p.name, (kind, p))
    return found


@dataclass(frozen=True)
class GridSpec:
    """Everything that determines the numbers of a sweep: the run of one learner, made at each point of the grids.

    >>> run = RunSpec((Spec("banditron"),), Spec("synnonsep"))
    >>> gamma = learner_classes()["banditron"].parameter("gamma")
    >>> GridSpec(run, (Grid(gamma, 0.1, 0.3, 3),)).over
    {'gamma': [0.1, 0.2, 0.3]}
    """

    run: RunSpec
    grids: tuple[Grid, ...]

    @property
    def learner(self) -> Spec:
        """The learner."""
        (learner,) = self.run.learners
        return learner

    @property
    def over(self) -> dict[str, list[Any]]:
        """The values of each parameter that varies, by its name."""
        return {grid.name: grid.values for grid in self.grids}

    @property
    def circumstances(self) -> list[str]:
        """The names of the parameters that vary and that nobody chooses, such as the noise of the user."""
        owned = varying(self.learner, self.run.dataset, self.run.user)
        return [grid.name for grid in self.grids if owned[grid.name][0].circumstance]
