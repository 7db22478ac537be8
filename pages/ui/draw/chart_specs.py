"""What a lab can draw: a chart for each group of metrics, and how it is made from a race."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from learners import Simulation
from learners.theory import BOUNDS
from learners.theory.convex import CONVEX
from pages.ui.draw.charts import Axis, Curve, Look, line_chart, rows_to_draw
from pages.ui.lab.race import Race


@dataclass(frozen=True)
class ChartSpec:
    """One chart.

    metric : of what was presented or played. predicted : the same of what was predicted, or "".
    title : what is plotted, with units or range. help : definition, source, what to look for.
    smooth : whether a value belongs to a single step, so that a moving average is drawn.
    y_range : of the y axis, fixed; a function of the data. remark : what to add to the title, likewise.
    bounds : metrics of the theorems' bounds that go with it.
    draw : makes the whole figure, for charts that are no curves. wide : as wide as the page.
    """

    id: str
    metric: str
    title: str
    help: str
    draw: Callable[[Race, View, Look, int], dict[str, Any]] | None = None
    wide: bool = False
    predicted: str = ""
    smooth: bool = False
    y_log: bool = False  # whether a logarithmic axis makes sense
    y_range: Callable[[Any], tuple[float, float]] | None = None
    remark: Callable[[Any], str] | None = None
    bounds: tuple[str, ...] = ()
    hover: str = ".3g"
    later: str = "Nothing to draw for these learners."  # what an empty chart says once the run has begun
    relative: bool = False  # whether each replicate is divided by its first value
    partial: bool = False  # whether the mean is drawn too where some replicates have no value

    def of(self, data: Any) -> ChartSpec:
        """Return the chart as it is titled for these data."""
        return self if self.remark is None else replace(self, title=self.title + self.remark(data))


@dataclass(frozen=True)
class View:
    """How the charts of a lab are drawn; the person's choice, not part of the numbers."""

    which: str = "presented"  # presented (or played), predicted, both
    band: str = "standard error"
    window: int = 25
    x_log: bool = False
    y_log: bool = False
    bounds: bool = True
    unit: str = "step"  # what a step is called: a round, where learners are boosted


def figure(spec: ChartSpec, race: Race, view: View, look: Look, height: int = 260) -> dict[str, Any]:
    """The chart as a Plotly figure."""
    assert race.setup is not None
    if spec.draw is not None:
        return spec.draw(race, view, look, height)
    steps = race.setup.steps
    curves: list[Curve] = []
    labels = race.setup.labels()
    for slot, simulation in enumerate(race.simulations):
        rows = rows_to_draw(simulation.t, steps, view.x_log)
        if simulation.history.thinned:
            rows = simulation.history.row_of(rows + 1)
        x = simulation.history.at[rows]
        for metric, faint in _metrics(spec, view):
            values = _values(simulation, metric, rows, spec.smooth, view.window)
            if values is not None and spec.relative and len(values):
                values = share_of(values, simulation.history[metric][0])
                values = None if np.isnan(values).all() else values
            if values is not None and (not faint or _differs(simulation)):
                name = labels[slot] + (" · predicted" if faint else "")
                missing = np.isnan(values)  # the first steps may have no value yet
                there = ~(missing.all(axis=1) if spec.partial else missing.any(axis=1))
                curves.append(Curve(name, slot, x[there], values[there], faint=faint))
        if view.bounds and simulation.t:
            own = bounds_by_metric(simulation.learner.bounds)
            for number, metric in enumerate(spec.bounds, 1):
                id = own.get(metric, "")
                values = _values(simulation, metric, rows, False, 1) if id else None
                if values is not None and spec.relative and len(values):
                    values = share_of(values, simulation.history[spec.metric][0])
                if values is not None:
                    name = f"{labels[slot]} · {BOUNDS[id].title}"
                    curves.append(Curve(name, slot, x, values, bound=number))
    axis = Axis(
        spec.title, view.x_log, view.y_log and spec.y_log, steps,
        spec.y_range(race.simulations[0].dataset) if spec.y_range else None, spec.hover,
        spec.later if race.t else Axis.empty, f"{view.unit} t",
    )  # fmt: skip
    return line_chart(curves, axis, view.band, look, height)


def share_of(values: Any, first: Any) -> Any:
    """Values divided by those (R,) after the first step; NaN where these are 0."""
    return np.divide(
        values, first, out=np.full(np.shape(values), np.nan), where=np.broadcast_to(first != 0, values.shape)
    )


def bounds_by_metric(ids: tuple[str, ...]) -> dict[str, str]:
    """Under which metric each of a learner's bounds is recorded."""
    plain = [id for id in ids if BOUNDS[id].bounded != CONVEX]
    convex = [id for id in ids if BOUNDS[id].bounded == CONVEX]
    return dict(zip(("bound", "bound-a-priori"), plain, strict=False)) | dict(
        zip(("bound-convex",), convex, strict=False)
    )


def bounds_of(race: Race, number: int) -> str:
    """The names of the first (0) or second (1) bounds of the learners in the race."""
    metrics = ("bound", "bound-convex") if number == 0 else ("bound-a-priori",)
    found = [bounds_by_metric(s.learner.bounds) for s in race.simulations]
    ids = [own[metric] for own in found for metric in metrics if metric in own]
    if number and race.t:
        ids = [id for id in ids if not all(np.isnan(s.history["bound-a-priori"][-1]).all() for s in race.simulations)]
    return " / ".join(dict.fromkeys(BOUNDS[id].title for id in ids))


def revision(race: Race, view: View) -> str:
    """Changes whenever the axes do, so that a zoom that no longer fits is given up."""
    assert race.setup is not None
    return f"{race.setup.dataset} {race.setup.steps} {view.x_log} {view.y_log}"


def _metrics(spec: ChartSpec, view: View) -> list[tuple[str, bool]]:
    """Metric ids to draw, and whether each is the faint second curve of a learner."""
    if not spec.predicted or view.which == "presented":
        return [(spec.metric, False)]
    if view.which == "predicted":
        return [(spec.predicted, False)]
    return [(spec.metric, False), (spec.predicted, True)]


def _differs(simulation: Simulation) -> bool:
    """Whether the learner shows something else than what it predicts."""
    if not simulation.t:
        return False
    if "explored" in simulation.history:
        return bool((simulation.history["explored"][-1] > 0).any())
    swaps = simulation.history.get("swap-probability")
    return swaps is None or bool(np.any(swaps > 0))


def _values(simulation: Simulation, metric: str, rows: Any, smooth: bool, window: int) -> Any:
    """(points, R) values at the rows; None where the learner has no such metric."""
    if simulation.t == 0:
        return np.empty((0, simulation.replicates))
    history = simulation.history
    if metric not in history:
        return None
    values = history.smooth(metric, rows, window) if smooth else history[metric][rows]
    return None if np.isnan(values).all() else values
