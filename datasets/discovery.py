"""Discover classes that declare an id, and with them the data sets of this package."""

import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from datasets.base import Dataset
from datasets.own_code import OwnOrKnown, brought


def derived(base: type[Any], modules: Iterable[str]) -> list[type[Any]]:
    """Return the classes with an id that are derived from `base` and defined in these modules, in their order."""
    found: list[Any] = []
    for name in modules:
        items: list[Any] = list(vars(importlib.import_module(name)).values())
        found += [i for i in items if isinstance(i, type) and issubclass(i, base) and i.__module__ == name]
    return [cls for cls in found if cls.id]


@cache
def classes() -> dict[str, type[Dataset]]:
    """Return the class of each data set by id, sorted by the `order` that the classes declare.

    Raises
    ------
    TypeError : for two data sets with the same id.

    >>> list(classes())[:3]
    ['toy-ranking', 'graded-list', 'digits-search']
    """
    modules = (module.name for module in pkgutil.walk_packages([str(Path(__file__).parent)], f"{__package__}."))
    found = sorted(derived(Dataset, modules), key=lambda item: (item.order, item.id))
    known = OwnOrKnown()
    found += [cls for cls in brought() if issubclass(cls, Dataset)]
    for item in found:
        if known.setdefault(item.id, item) is not item:
            raise TypeError(f"two data sets have the id {item.id!r}: {known[item.id].__module__}, {item.__module__}")
    return known
