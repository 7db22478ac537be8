"""The charts of a lab and how they are drawn from a race."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from learners import Simulation
from learners.metric import Metric
from learners.theory import BOUNDS, bounds_by_metric
from learners.theory.bound import AUTHORS
from pages.ui.draw.charts import Axis, Curve, Look, line_chart, rows_to_draw
from pages.ui.lab.race import Race
from pages.ui.play.moment import Moment


@dataclass(frozen=True)
class ChartSpec:
    """One chart of a lab, either the curves of a metric or a picture.

    title : the quantity plotted, with its unit or range. help : definition, source, what to look for. metric : the
    metric whose curves are drawn. draw : function that draws a picture instead. wide : whether the chart takes the full
    width of the page. remark : function of the data that returns an addition to the title.
    """

    id: str
    title: str
    help: str
    metric: Metric | None = None
    draw: Callable[[Race, View, Look, int], dict[str, Any]] | None = None
    wide: bool = False
    remark: Callable[[Any], str] | None = None

    def titled_for(self, data: Any) -> ChartSpec:
        """Return the chart with the title it has for these data."""
        return self if self.remark is None else replace(self, title=self.title + self.remark(data))


def curves(metrics: Iterable[Metric]) -> tuple[ChartSpec, ...]:
    """Return a chart for each metric that has its own."""
    return tuple(ChartSpec(m.chart or m.id, m.label, m.help, m, remark=m.remark) for m in metrics if m.drawn)


@dataclass(frozen=True)
class View:
    """How the charts of a lab are drawn. It affects their look, never the numbers."""

    which: str = "presented"  # "presented" (or played), "predicted" or "both"
    band: str = "standard error"
    window: int = 25
    x_log: bool = False
    y_log: bool = False
    bounds: bool = True
    unit: str = "step"  # the name of a step; "round" for boosting


def figure(spec: ChartSpec, race: Race, view: View, look: Look, height: int = 260) -> dict[str, Any]:
    """Return the chart as a Plotly figure."""
    assert race.setup is not None
    if spec.draw is not None:
        return spec.draw(race, view, look, height)
    assert spec.metric is not None
    drawn, steps = spec.metric, race.setup.steps
    found = measured(spec, race, view, steps)
    limits = drawn.limits(race.simulations[0].dataset) if callable(drawn.limits) else drawn.limits
    axis = Axis(
        spec.title,
        view.x_log,
        view.y_log and drawn.log,
        steps,
        limits,
        ".3g",
        drawn.absent if race.t else Axis.empty,
        f"{view.unit} t",
    )
    return line_chart(found, axis, view.band, look, height)


def measured(spec: ChartSpec, race: Race | Moment, view: View, steps: int) -> list[Curve]:
    """Return the curves of a chart, and the bounds if the view has them, up to step `steps` of an axis of this length.

    Points that the axis has are the same whatever the length of the run.
    """
    assert spec.metric is not None and race.setup is not None
    drawn, labels = spec.metric, race.setup.labels()
    found: list[Curve] = []
    for slot, simulation in enumerate(race.simulations):
        rows = rows_to_draw(min(simulation.t, steps), steps, view.x_log)
        if simulation.history.thinned:
            rows = simulation.history.row_of(rows + 1)
        x = simulation.history.at[rows]
        shown: Any = None
        for metric, faint in _metrics(drawn, view):
            values = _values(simulation, metric.id, rows, drawn.per_step, view.window)
            if faint and values is not None and np.array_equal(values, shown, equal_nan=True):
                continue  # the learner shows exactly what it predicts
            shown = values
            if values is not None and drawn.relative and len(values):
                values = share_of(values, simulation.history[metric.id][0])
                values = None if np.isnan(values).all() else values
            if values is not None:
                name = labels[slot] + (f" · {drawn.companion_name}" if faint else "")
                missing = np.isnan(values)  # the first steps may have no value yet
                known = ~(missing.all(axis=1) if drawn.some else missing.any(axis=1))
                found.append(Curve(name, slot, x[known], values[known], faint=faint))
        if view.bounds and simulation.t:
            theorems = bounds_by_metric(simulation.learner.bounds)
            for number, bound in enumerate(drawn.bounds, 1):
                id = theorems.get(bound.id, "")
                values = _values(simulation, bound.id, rows, False, 1) if id else None
                if values is not None and drawn.relative and len(values):
                    values = share_of(values, simulation.history[drawn.id][0])
                if values is not None:
                    name = f"{labels[slot]} · {BOUNDS[id].title}"
                    found.append(Curve(name, slot, x, values, bound=number))
    return found


def share_of(values: Any, first: Any) -> Any:
    """Return values (..., R) divided by those after the first step, (R,). The result is NaN where these are 0."""
    return np.divide(
        values, first, out=np.full(np.shape(values), np.nan), where=np.broadcast_to(first != 0, values.shape)
    )


def bounds_of(race: Race, number: int, drawn: Iterable[Metric]) -> str:
    """Return the names of the first (0) or second (1) bounds of the metrics drawn, for the learners in the race."""
    metrics = [metric.bounds[number].id for metric in drawn if len(metric.bounds) > number]
    found: dict[str, list[str]] = {}
    for simulation in race.simulations:
        for metric, id in bounds_by_metric(simulation.learner.bounds).items():
            missing = race.t and np.isnan(simulation.history[metric][-1]).all()
            if metric in metrics and not (number and missing):
                found.setdefault(AUTHORS[BOUNDS[id].paper], []).append(BOUNDS[id].statement)
    return " / ".join(f"{', '.join(dict.fromkeys(names))} of {authors}" for authors, names in found.items())


def revision(race: Race, view: View) -> str:
    """Return a text that changes whenever the axes do, so that an outdated zoom is dropped."""
    assert race.setup is not None
    return f"{race.setup.dataset} {race.setup.steps} {view.x_log} {view.y_log}"


def _metrics(metric: Metric, view: View) -> list[tuple[Metric, bool]]:
    """Return the metrics to draw, each with whether it is drawn as the thin second curve of a learner."""
    if metric.companion is None or view.which == "presented":
        return [(metric, False)]
    if view.which == "predicted":
        return [(metric.companion, False)]
    return [(metric, False), (metric.companion, True)]


def _values(simulation: Simulation, metric: str, rows: Any, smooth: bool, window: int) -> Any:
    """Return the values at the rows, (points, R), or None if the learner has no such metric."""
    if simulation.t == 0:
        return np.empty((0, simulation.replicates))
    history = simulation.history
    if metric not in history:
        return None
    values = history.smooth(metric, rows, window) if smooth else history[metric][rows]
    return None if np.isnan(values).all() else values
