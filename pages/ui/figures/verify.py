"""Asks of some runs whether a stored result is what the present code gives."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from learners.base import Array
from learners.sweep.run import run
from pages.ui.figures.figure import Figure
from pages.ui.figures.plan import Computation, FigurePlan, plan
from pages.ui.figures.result import Result

RELATIVE, ABSOLUTE = 2e-4, 1e-9  # files hold five digits


def one_seed(figure: Figure, result: Result, seed: int = 0, workers: int = 1) -> str:
    """Run one data seed of every panel again; return in words where it differs from the result, "" where it does not.

    Panels that give times are left out.
    """
    planned = plan(figure, result.scale)
    timed = {panel.id for panel in figure.panels if panel.timed}
    works = [w for w in planned.works if w.seed == seed and not (isinstance(w, Computation) and w.panel in timed)]
    found = {work.number: part for work, part in run(works, workers)} if works else {}
    return difference(planned, result, found)


def difference(planned: FigurePlan, result: Result, found: Mapping[int, Any]) -> str:
    """Return in words where what some works of one data seed have found differs from a result, "" where nowhere."""
    seeds = {work.seed for work in planned.works if work.number in found}
    if len(seeds) > 1:
        raise ValueError(f"found must be of one data seed, got {sorted(seeds)}")
    for panel, series in planned.gather(found).panels.items():
        for name, drawn in series.items():
            stored = result.panels.get(panel, {}).get(name)
            if stored is None or stored.x != drawn.x or len(stored.y) <= min(seeds):
                return f"{panel}, {name}: other points"
            if not _same(drawn.y[0], stored.y[min(seeds)]):
                return f"{panel}, {name}: other values"
    return ""


def _same(again: Array, stored: Array) -> bool:
    """Return whether the values that are known now are those that are stored."""
    known = np.isfinite(again)
    return bool(np.allclose(again[known], stored[known], rtol=RELATIVE, atol=ABSOLUTE))
