"""All figures in the order of the papers, and whether a result is older than the setup it claims."""

import importlib
import pkgutil
from collections.abc import Sequence
from functools import cache
from types import ModuleType
from typing import Any

from pages.ui.figures import papers
from pages.ui.figures.digest import code_digest, setup_digest
from pages.ui.figures.figure import SHEETS, Figure
from pages.ui.figures.result import Result


@cache
def figures() -> dict[str, Figure]:
    """Return all figures by id, paper by paper, in the order in which they stand there.

    Raises
    ------
    TypeError : for two figures with the same id, and for a paper that nobody knows.
    """
    found, order = declared(papers, "FIGURES"), list(SHEETS)
    if unknown := [figure.paper for figure in found if figure.paper not in order]:
        raise TypeError(f"there is no paper {unknown[0]!r}; known are: {', '.join(order)}")
    return {figure.id: figure for figure in sorted(found, key=lambda f: (order.index(f.paper), f.order, f.id))}


def declared(package: ModuleType, name: str) -> Sequence[Any]:
    """Return what the modules of a package declare under a name, in the order of the modules.

    Raises
    ------
    TypeError : for two with the same id.
    """
    walked = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    modules = sorted(module.name for module in walked if not module.ispkg)
    found = [one for module in modules for one in getattr(importlib.import_module(module), name)]
    ids = [one.id for one in found]
    if twice := next((id for id in ids if ids.count(id) > 1), ""):
        raise TypeError(f"two of {package.__name__} have the id {twice!r}")
    return found


def stale(figure: Figure, result: Result) -> str:
    """Return in a sentence how a result is older than its figure, "" if it is up to date.

    >>> figure = next(iter(figures().values()), None)
    >>> "setup" in stale(figure, Result({})) if figure else True
    True
    """
    if result.setup != setup_digest(figure, result.scale):
        return "The setup has changed since this was computed."
    if result.code != code_digest(figure):
        return "The code of what runs here has changed since this was computed."
    return ""
