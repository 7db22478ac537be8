"""Reads what is to be swept: the parts of the setup, the owner of each parameter, and its values."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

import datasets
from datasets.base import Dataset
from datasets.parameters import Declared, Parameter, shown
from learners.run.given import made_parts
from learners.spec import RunSpec


def parts_of(setup: Mapping[str, Any] | RunSpec) -> tuple[Any, Any, Any]:
    """Return learner, user (or None) and data set; the data set is not yet built where it is described."""
    if isinstance(setup, RunSpec):
        (learner,), user = setup.made(), setup.made_user()
        dataset = datasets.create(setup.dataset.id, **setup.dataset.values)
    elif not isinstance(setup, Mapping):
        raise ValueError(f"setup must be a mapping with a learner and a dataset, got {shown(setup)}")
    else:
        for name in ("learner", "dataset"):
            if setup.get(name) is None:
                raise ValueError(f"setup must name a {name}, got {', '.join(setup) or 'nothing'}")
        learner, dataset, user = setup["learner"], setup["dataset"], setup.get("user")
    learner, dataset, user = made_parts(learner, dataset, user)
    return learner, user, dataset


def owner_of(name: str, learner: Declared, user: Declared | None, dataset: Any) -> tuple[str, Parameter]:
    """Return the owner of a parameter, "learner", "user" or "dataset", and its declaration."""
    data = type(dataset) if isinstance(dataset, Dataset) else datasets.classes().get(dataset.id)
    owners = {"learner": type(learner), "user": user and type(user), "dataset": data}
    known = {who: {p.name: p for p in cls.parameters()} for who, cls in owners.items() if cls is not None}
    for who, parameters in known.items():
        if name in parameters:
            return who, parameters[name]
    names = ", ".join(name for parameters in known.values() for name in parameters)
    nobody = "neither learner, user nor data set has" if user is not None else "neither learner nor data set has"
    raise ValueError(f"{nobody} a parameter {name!r}; they have: {names}")


def metrics_of(metrics: Any) -> tuple[str, ...]:
    """Return the ids of the metrics to report; ValueError for none and for what is no text."""
    names = (metrics,) if isinstance(metrics, str) else listed(metrics)
    if names == ():
        raise ValueError("metrics must name at least one metric, or be None for all of them")
    if names is None or not all(isinstance(name, str) for name in names):
        raise ValueError(f"metrics must be a list of ids of metrics, or None for all of them, got {shown(metrics)}")
    return names


def listed(values: Any) -> tuple[Any, ...] | None:
    """Return the values of a list of any kind, or None for a text, a mapping and what is no list."""
    single = isinstance(values, np.ndarray) and not values.shape  # an array that is one number
    if single or isinstance(values, (str, Mapping)) or not isinstance(values, Iterable):
        return None
    return tuple(values)


def values_of(parameter: Parameter, values: Any) -> list[Any]:
    """Return the values in their proper type; ValueError for no value, one twice, and one that is not allowed."""
    found = listed(values)
    if found is None:
        raise ValueError(f"the values of {parameter.name} must be a list, got {shown(values)}")
    checked: list[Any] = []
    for value in found:
        try:
            single = np.ndim(value) == 0
        except ValueError:  # lists of unequal length
            single = False
        if parameter.kind != "vector" and not single:
            raise parameter.refuse(value)
        proper = parameter.check(value)
        if proper in checked:
            raise ValueError(f"{parameter.name} has the value {parameter.format(proper)} twice")
        checked.append(proper)
    if not checked:
        raise ValueError(f"{parameter.name} needs at least one value")
    return checked
