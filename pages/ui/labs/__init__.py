"""The labs, one file each, named after the page that runs it."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from pages.ui.lab.lab import Lab


@cache
def labs() -> dict[str, Lab]:
    """Return all labs by the names of their pages.

    >>> labs()["stability"].title
    'Stability lab'
    """
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return {name: importlib.import_module(f"{__name__}.{name}").LAB for name in names}
