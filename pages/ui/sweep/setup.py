"""The setup of a sweep, independent of any widget: its grids, its limits, and its Python script."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np

import datasets
from datasets.parameters import Declared, Parameter
from datasets.spec import Spec
from datasets.variables import Variable
from learners.catalogue import families, learner_classes, user_classes
from learners.family import Family
from pages.ui.race.fits import check_fits
from pages.ui.race.limits import check_size
from pages.ui.race.script import sweep_script

MOST_POINTS = 30  # values of one parameter
PROCESSES = Variable(
    "FEEDBACK_LAB_WORKERS", "integer", 4, 1, 1000,
    help="Number of processes that a sweep may use, at most one for each core.",
)  # fmt: skip
DASK = Variable(
    "FEEDBACK_LAB_DASK", "choice", "no", choices=("no", "yes"),
    help="Whether everybody who opens the app may name a Dask scheduler for a sweep. The server unpickles what a "
    "scheduler sends, so whoever names one can run any code here.",
)  # fmt: skip
WORKERS = min(os.cpu_count() or 1, PROCESSES.at_start)


def clusters_allowed() -> bool:
    """Return whether people may name a Dask scheduler: nobody, unless the one who runs the server allows everybody.

    Where somebody comes from does not tell who they are. Behind a proxy on this machine everybody seems to be here, and
    any page that is open in a browser on this machine can send a request.
    """
    return bool(DASK.value == "yes")


REPLICATES = Parameter(
    "replicates", "integer", 10, 1, 100,
    help="Number of runs for each value. Run r of every value has the same order of the data and the same noise.",
)  # fmt: skip
STEPS = Parameter(
    "steps", "integer", 5000, 10, 1_000_000, step=1000, help="Length of each run. The chart shows how the runs end."
)


@dataclass(frozen=True)
class Grid:
    """A grid of `number` values of one parameter from `low` to `high`, spaced evenly or logarithmically."""

    parameter: Parameter
    low: float
    high: float
    number: int
    log: bool = False

    @property
    def values(self) -> list[Any]:
        """The distinct values, in the type of the parameter.

        >>> p = Parameter("gamma", "real", 0.1, 0, 1, low_open=True)
        >>> Grid(p, 0.01, 1.0, 3, log=True).values
        [0.01, 0.1, 1.0]
        """
        if self.low > self.high:
            raise ValueError(f"{self.parameter.name}: from must not be above to, got {self.low:g} and {self.high:g}")
        if self.log and self.low <= 0:
            raise ValueError(f"{self.parameter.name}: logarithmic spacing needs values above 0, got {self.low:g}")
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


def variable(learner: Spec, dataset: Spec, user: Spec | None) -> dict[str, Parameter]:
    """Return the numeric parameters of the learner, the user and the data set, in this order, by name.

    If two of them share a name, it stands for the first.
    """
    return {name: parameter for name, (_, parameter) in _owned(learner, dataset, user).items()}


def _owned(learner: Spec, dataset: Spec, user: Spec | None) -> dict[str, tuple[type[Declared], Parameter]]:
    """Return the numeric parameters by name, each with the class that declares it."""
    cls = learner_classes()[learner.id]
    owners: list[tuple[type[Declared], Spec]] = [(cls, learner)]
    if user is not None:
        owners.append((user_classes()[user.id], user))
    owners.append((datasets.classes()[dataset.id], dataset))
    found: dict[str, tuple[type[Declared], Parameter]] = {}
    for kind, choice in owners:
        values = choice.values
        for p in kind.used_by(cls.family):
            used = p.when is None or values.get(p.when[0]) == p.when[1]
            if p.kind in ("real", "integer") and used and p.name not in found:
                found[p.name] = kind, p
    return found


@dataclass(frozen=True)
class SweepSetup:
    """Everything that determines the numbers of a sweep."""

    learner: Spec
    dataset: Spec
    user: Spec | None
    grids: tuple[Grid, ...]
    replicates: int
    steps: int
    seed: int

    @property
    def over(self) -> dict[str, list[Any]]:
        """The values of each parameter that is varied."""
        return {grid.parameter.name: grid.values for grid in self.grids}

    @property
    def circumstances(self) -> list[str]:
        """The names of the parameters varied that nobody chooses, such as the noise of the user."""
        owned = _owned(self.learner, self.dataset, self.user)
        return [name for name in self.over if owned[name][0].circumstance]

    @property
    def family(self) -> Family:
        """The family of the learner."""
        return families()[learner_classes()[self.learner.id].family]

    def check(self) -> None:
        """Check that the sweep does not ask for more than a shared server should give.

        Raises
        ------
        ValueError : with a sentence that says what to lower.
        """
        check_fits([self.learner], self.dataset, self.user)
        points = int(np.prod([len(values) for values in self.over.values()]))
        total = points * self.replicates * self.steps
        family = self.family
        unit, most = family.unit, family.budget.sweep
        if total > most:
            raise ValueError(
                f"{points:,} points × {self.replicates:,} replicates × {self.steps:,} {unit}s are {total:,} {unit}s; a "
                f"sweep allows {most:,}. Lower one of the three numbers."
            )
        params = self.dataset.values
        for grid in self.grids:  # the largest data set that will be built
            if grid.parameter.name in params and grid.parameter.name not in self.learner.values:
                params[grid.parameter.name] = max(grid.values)
        try:
            check_size(Spec(self.dataset.id, tuple(params.items())))
        except ValueError as error:
            varied = [g for g in self.grids if params.get(g.parameter.name) == max(g.values)]
            words = ", ".join(f"{g.parameter.name} = {max(g.values):g}" for g in varied)
            raise ValueError(f"With {words}: {error}" if words else str(error)) from None

    def script(self) -> str:
        """Return a Python script that needs only the library and gives the same table."""
        return sweep_script(self.learner, self.dataset, self.user, self.over, self.replicates, self.steps, self.seed)
