"""Discover the data sets: every class with an id in the modules of this package."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from pathlib import Path

from datasets.base import Dataset


@cache
def classes() -> dict[str, type[Dataset]]:
    """Return the class of each data set by id, sorted by the `order` that the classes declare.

    Raises
    ------
    TypeError : for two data sets with the same id.

    >>> list(classes())[:3]
    ['toy-ranking', 'digits-search', 'web-search']
    """
    found: list[type[Dataset]] = []
    for module in pkgutil.walk_packages([str(Path(__file__).parent)], "datasets."):
        for item in vars(importlib.import_module(module.name)).values():
            if isinstance(item, type) and issubclass(item, Dataset) and item.id and item.__module__ == module.name:
                found.append(item)
    found.sort(key=lambda item: (item.order, item.id))
    known: dict[str, type[Dataset]] = {}
    for item in found:
        if known.setdefault(item.id, item) is not item:
            raise TypeError(f"two data sets have the id {item.id!r}: {known[item.id].__module__}, {item.__module__}")
    return known
