"""A checker for data set classes, your own included: does the class keep the promises of every data set?"""

import dataclasses
import re
from typing import Any

import numpy as np

from datasets.base import Dataset
from datasets.parameters import Declared, Parameter, shown


def check_declared(cls: type[Declared]) -> None:
    """Check the declarations of a learner, a simulated user or a data set, above all its parameters.

    Raises
    ------
    AssertionError : with a sentence saying what is missing or which forbidden value is accepted.
    """
    assert isinstance(cls, type) and issubclass(cls, Declared), f"cls must be a class with parameters, got {shown(cls)}"
    name = cls.__name__
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", cls.id), f"{name} needs an id of lower-case words, got {cls.id!r}"
    assert cls.title and cls.family, f"{cls.id} needs a title and a family"
    assert cls.summary.endswith("."), f"{cls.id} needs a summary in whole sentences"
    for parameter in cls.parameters():
        what = f"{parameter.name} of {cls.id}"
        assert parameter.help or parameter.kind == "text", f"{what} needs a help text"
        default = parameter.default
        assert parameter.check(default) == default, f"the default of {what} is changed by its own check"
        assert parameter.parse(parameter.format(default)) == default, f"the default of {what} does not survive a link"
        for value in wrong_values(parameter):
            try:
                cls.make(**{parameter.name: value})
            except ValueError as error:
                assert parameter.name in str(error), f"the refusal of {value!r} does not name {what}: {error}"
            else:
                raise AssertionError(f"{what} accepts {value!r}, which is not {parameter.allowed}")


def wrong_values(parameter: Parameter) -> list[Any]:
    """Return values that the declaration forbids.

    >>> wrong_values(Parameter("gamma", "real", 0.1, 0, 1, low_open=True, help="Exploration."))
    ['a text', nan, inf, -1.0, 2.0, 0]
    """
    if parameter.kind in ("choice", "flag", "text"):
        return [object(), 1.5] + ["no such word"] * (parameter.kind == "choice")
    wrong: list[Any] = ["a text", float("nan"), float("inf")]
    if np.isfinite(parameter.low):
        wrong.append(parameter.low - 1.0)
    if np.isfinite(parameter.high):
        wrong.append(parameter.high + 1.0)
    if parameter.low_open:
        wrong.append(parameter.low)
    if parameter.kind == "integer":
        wrong.append(parameter.default + 0.5)
    return [(value,) * parameter.size for value in wrong] if parameter.kind == "vector" else wrong


def check_dataset(cls: type[Dataset], **params: Any) -> None:
    """Check the declarations of a data set, its size, and that the same parameters give the same data.

    params : parameters for which the data are small, since they are built twice.

    Raises
    ------
    AssertionError : with a sentence that says what is wrong.

    >>> from datasets import classes
    >>> check_dataset(classes()["moons"], examples=100)
    """
    check_declared(cls)
    dataset = cls.make(**params)
    size, data, again = dataset.size(), dataset.build(), dataset.build()
    assert data.id == cls.id, f"the data of {cls.id} say that they are {data.id!r}"
    assert data.params == dataset.params, f"the data of {cls.id} must keep the parameters they were built from"
    for field in dataclasses.fields(size):
        promised, built = getattr(size, field.name), getattr(data.size(), field.name)
        assert built <= promised or field.name == "bytes", (
            f"{cls.id} promises {promised} {field.name} and builds {built}"
        )
    assert size.bytes > 0, f"{cls.id} must say how many bytes it will take"
    for field in dataclasses.fields(data):
        first, second = getattr(data, field.name), getattr(again, field.name)
        if isinstance(first, np.ndarray):
            assert np.array_equal(first, second, equal_nan=first.dtype.kind == "f"), (
                f"{cls.id} builds other {field.name} the second time"
            )
            if first.dtype.kind == "f":
                assert np.isfinite(first).all(), f"{field.name} of {cls.id} are not all finite"
