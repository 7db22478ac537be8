"""A choice of a learner, data set or user with its parameters, independent of any widget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import datasets
from datasets.parameters import Parameter
from datasets.variables import DATA_MB

MAX_DATA_MB = DATA_MB.at_start


@dataclass(frozen=True)
class Choice:
    """An id with the values of all its parameters, in order. It is hashable, so that it can be a key."""

    id: str
    params: tuple[tuple[str, Any], ...] = ()

    @property
    def dict(self) -> dict[str, Any]:
        """The parameters by name."""
        return dict(self.params)


def step_of(parameter: Parameter) -> float:
    """Return the step of a number's widget, and of a grid of its values."""
    return parameter.step or (1 if parameter.kind == "integer" else 0.01)


def excludes_zero(parameter: Parameter) -> bool:
    """Return whether a real number may be anything above 0, or above a number that is small beside its step.

    >>> [excludes_zero(Parameter("rate", "real", 0.5, low, 1)) for low in (1e-6, 0.1)]
    [True, False]
    """
    return parameter.low_open or (parameter.kind == "real" and 0 < parameter.low <= step_of(parameter) / 10)


def check_size(dataset: Choice) -> None:
    """Check that a data set is not larger than a shared server should build.

    Raises
    ------
    ValueError : with a sentence that says what to do.
    """
    if "path" in dataset.dict:  # the loaders of files have their own limits
        return
    size = datasets.create(dataset.id, **dataset.dict).size()
    if size.bytes > MAX_DATA_MB * 1e6:
        raise ValueError(
            f"This data set needs {size.bytes / 1e6:,.0f} MB of memory; this server allows {MAX_DATA_MB:,} MB. Make it "
            "smaller or run it as a script."
        )
