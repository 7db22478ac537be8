"""All figures in the order of the papers, and whether a result is older than the setup it claims."""

import importlib
import pkgutil
from functools import cache

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
    walked = pkgutil.walk_packages(papers.__path__, f"{papers.__name__}.")
    names = sorted(module.name for module in walked if not module.ispkg)
    found = [figure for name in names for figure in importlib.import_module(name).FIGURES]
    order = list(SHEETS)
    if unknown := [figure.paper for figure in found if figure.paper not in order]:
        raise TypeError(f"there is no paper {unknown[0]!r}; known are: {', '.join(order)}")
    known = {figure.id: figure for figure in sorted(found, key=lambda f: (order.index(f.paper), f.order, f.id))}
    if len(known) < len(found):
        ids = [figure.id for figure in found]
        raise TypeError(f"two figures have the id {next(id for id in ids if ids.count(id) > 1)!r}")
    return known


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
