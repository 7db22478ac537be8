"""The charts of a lab and how they are drawn from a moment of a race."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from learners import Simulation
from learners.base import Array
from learners.metric import Metric
from learners.theory import BOUNDS, bounds_by_metric
from learners.theory.bound import Bound
from pages.ui.draw.charts import POINTS, Axis, Curve, Look, line_chart, mean_of, rows_to_draw
from pages.ui.plain import for_plotly
from pages.ui.race.moment import Moment

HEIGHT = 260  # of a chart, in pixels
MOST_POINTS = 4 * POINTS  # of the points of a curve that has one for each step, or for each change


@dataclass(frozen=True)
class ChartSpec:
    """One chart of a lab, either the curves of a metric or a picture.

    title : the quantity plotted, with its unit or range. help : definition, source, what to look for. metric : the
    metric whose curves are drawn. wide : whether the chart takes the full width of the page. remark : function of the
    data that returns an addition to the title. fits : function that tells whether the chart has anything to draw on
    some data; where not, a lab leaves it out.

    A picture follows the playhead from keyframes. It has one of these functions of a `Moment`, which run in a
    background thread, know nothing of the page, and draw the same size at every step, step 0 included.
    draw : returns a Plotly figure of the given height. write : returns HTML, in which every text is escaped.
    """

    id: str
    title: str
    help: str
    metric: Metric | None = None
    draw: Callable[[Moment, Look, int], dict[str, Any]] | None = None
    write: Callable[[Moment, Look], str] | None = None
    wide: bool = False
    remark: Callable[[Any], str] | None = None
    fits: Callable[[Any], bool] = lambda data: True

    def tells(self, data: Any, adapts: bool) -> bool:
        """Return whether there is anything to see on some data. adapts : whether a learner adapts how it explores."""
        return self.fits(data) and (adapts or self.metric is None or not self.metric.adapted)

    def titled_for(self, data: Any) -> ChartSpec:
        """Return the chart with the title it has for these data."""
        return self if self.remark is None else replace(self, title=self.title + self.remark(data))


def curves(metrics: Iterable[Metric]) -> tuple[ChartSpec, ...]:
    """Return a chart for each metric that has its own."""
    return tuple(ChartSpec(m.chart or m.id, m.label, m.help, m, remark=m.remark) for m in metrics if m.drawn)


@dataclass(frozen=True)
class ChartView:
    """The settings with which the charts of a lab are drawn. They affect the look, never the numbers."""

    which: str = "presented"  # "presented" (or played), "predicted" or "both"
    band: str = "standard error"
    window: int = 25
    x_log: bool = False
    y_log: bool = False
    bounds: bool = True
    unit: str = "step"  # the name of a step; "round" for boosting
    present: bool = False  # whether it is drawn for a projector, with larger letters

    def averages(self, metric: Metric) -> bool:
        """Return whether the values of a metric are means over a window of steps."""
        return metric.per_step and self.window > 1

    def titled(self, title: str, metric: Metric | None) -> str:
        """Return the title of a metric, which names the moving mean if it is drawn as one."""
        averaged = metric is not None and self.averages(metric)
        return f"{title}, mean of {self.window} {self.unit}s" if averaged else title


def picture(spec: ChartSpec, look: Look, height: int = HEIGHT) -> Callable[[Moment], Any]:
    """Return the function that makes the picture of a moment, a Plotly figure or HTML."""
    write, draw = spec.write, spec.draw
    if write is not None:
        return lambda moment: write(moment, look.raced(moment.setup.ids))
    assert draw is not None
    return lambda moment: draw(moment, look.raced(moment.setup.ids), height)


def figure(spec: ChartSpec, moment: Moment, view: ChartView, look: Look) -> dict[str, Any]:
    """Return the curves of a chart as a Plotly figure."""
    assert spec.metric is not None
    drawn, steps = spec.metric, moment.setup.steps
    limits = drawn.limits(moment.data) if callable(drawn.limits) else drawn.limits
    absent = for_plotly(drawn.absent) if moment.t else Axis.empty
    axis = Axis(
        spec.title, view.x_log, view.y_log and drawn.log, steps, limits, ".3g", absent, f"{view.unit} t",
        drawn.reference,
    )  # fmt: skip
    colors = look.raced(moment.setup.ids)
    return line_chart(drawn_curves(drawn, moment, view, steps), axis, view.band, colors, HEIGHT)


def drawn_curves(
    drawn: Metric, moment: Moment, view: ChartView, steps: int, among: tuple[int, int] | None = None
) -> list[Curve]:
    """Return the curves of a metric with their values at the points drawn, on an axis of so many steps.

    Each learner has its curve, the thin second one if there is one, and its bounds, in the order of the learners. All
    curves of a chart have the same points. among : the first and the last of steps that are all wanted instead.
    """
    labels = moment.setup.labels()
    found: list[Curve] = []
    if among is None:
        points, jumps = points_to_draw(drawn, moment, view, steps)
    else:
        points, jumps = np.arange(among[0], among[1] + 1), False
    for slot, simulation in enumerate(moment.simulations):
        rows = simulation.history.row_of(points[points <= simulation.history.steps]) if len(points) else points
        x = simulation.history.at[rows] if len(rows) else rows
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
                known = ~(missing.all(axis=1) if drawn.mean_over_available else missing.any(axis=1))
                found.append(Curve(name, slot, x[known], values[known], faint=faint, steps=jumps))
        if view.bounds and len(rows):
            theorems = bounds_by_metric(simulation.learner.bounds)
            for number, bound in enumerate(drawn.bounds, 1):
                id = theorems.get(bound.id, "")
                values = _values(simulation, bound.id, rows, False, 1) if id else None
                if values is not None and drawn.relative and len(values):
                    values = share_of(values, simulation.history[drawn.id][0])
                if values is not None:
                    name = f"{labels[slot]} · {BOUNDS[id].promise}"
                    found.append(Curve(name, slot, x, values, bound=number))
    return found


def points_to_draw(drawn: Metric, moment: Moment, view: ChartView, steps: int) -> tuple[Array, bool]:
    """Return the steps at which the curves of a metric have points, and whether they stand still between these.

    Means have the points of `rows_to_draw`. Values that jump have one wherever one of them changes, so that no value is
    drawn that never was. Where these are too many, and where single steps would fall between the points, the lowest and
    the highest mean of each curve are drawn as well, between every n-th two of these points for n curves.
    """
    reached = [min(simulation.history.steps, steps) if moment.t else 0 for simulation in moment.simulations]
    points = np.unique(np.concatenate([rows_to_draw(t, steps, view.x_log) for t in reached])) + 1
    jumps = drawn.stepwise and not view.averages(drawn)
    if not len(points) or not (jumps or (drawn.per_step and view.window < np.diff(points, prepend=0).max())):
        return points, jumps
    tracks = []
    for simulation in moment.simulations:
        at = simulation.history.at
        at = at[: np.searchsorted(at, steps, side="right")]
        for metric, _ in _metrics(drawn, view):
            values = _values(simulation, metric.id, np.arange(len(at)), drawn.per_step, view.window)
            tracks += [(at, values)] if values is not None else []
    if jumps:
        changed = np.unique(np.concatenate([points, *(at[changes(values)] for at, values in tracks)]))
        if len(changed) <= MOST_POINTS:
            return changed, True
    ends = points[:: -len(tracks)][::-1] if tracks else points  # as many extremes as points, for any number of curves
    telling = [at if len(at) <= MOST_POINTS else at[extremes(values, at, ends)] for at, values in tracks]
    return np.unique(np.concatenate([points, *telling])), False


def changes(values: Array) -> Array:
    """Return the rows of (rows, R) values that differ from the row before.

    >>> changes(np.array([[1.0], [1.0], [10.0], [np.nan], [np.nan]]))
    array([2, 3])
    """
    same = (values[1:] == values[:-1]) | (np.isnan(values[1:]) & np.isnan(values[:-1]))
    return np.flatnonzero(~same.all(axis=1)) + 1


def extremes(values: Array, at: Array, points: Array) -> Array:
    """Return the rows of (rows, R) values, at the steps `at`, with the lowest and the highest mean up to each point.

    >>> extremes(np.array([[1.0], [9.0], [1.0], [1.0], [0.0], [1.0]]), np.arange(1, 7), np.array([3, 6]))
    array([0, 1, 3, 4])
    """
    means = mean_of(values)
    edges = np.unique(np.append(0, np.searchsorted(at[: len(values)], points, side="right")))
    means = means[: edges[-1]]
    part = np.repeat(np.arange(len(edges) - 1), np.diff(edges))
    found = [np.empty(0, dtype=int)]
    for extreme in (np.fmin, np.fmax):
        rows = np.flatnonzero(means == extreme.reduceat(means, edges[:-1])[part]) if len(means) else found[0]
        found.append(rows[np.unique(part[rows], return_index=True)[1]])
    return np.unique(np.concatenate(found))


def share_of(values: Any, first: Any) -> Any:
    """Return values (..., R) divided by those after the first step, (R,). The result is NaN where these are 0."""
    return np.divide(
        values, first, out=np.full(np.shape(values), np.nan), where=np.broadcast_to(first != 0, values.shape)
    )


def bounds_of(moment: Moment, number: int, drawn: Iterable[Metric]) -> tuple[str, str] | None:
    """Return what the first (0) or second (1) bounds of the metrics drawn promise the learners in the race.

    The first text says it in words. The second names the theorems behind them. The result is None if there are none.
    """
    metrics = [metric.bounds[number].id for metric in drawn if len(metric.bounds) > number]
    found: dict[str, Bound] = {}
    for simulation in moment.simulations:
        for metric, id in bounds_by_metric(simulation.learner.bounds).items():
            missing = moment.t and np.isnan(simulation.history[metric][-1]).all()
            if metric in metrics and not (number and missing):
                found[id] = BOUNDS[id]
    if not found:
        return None
    promises = dict.fromkeys(bound.promise for bound in found.values())
    return " / ".join(promises), " ".join(f"{b.title}: {b.words}." for b in found.values())


def revision(moment: Moment, view: ChartView) -> str:
    """Return a text that changes whenever the axes do, so that an outdated zoom is dropped."""
    return f"{moment.setup.dataset} {moment.setup.steps} {view.x_log} {view.y_log}"


def _metrics(metric: Metric, view: ChartView) -> list[tuple[Metric, bool]]:
    """Return the metrics to draw, each with whether it is drawn as the thin second curve of a learner."""
    if metric.companion is None or view.which == "presented":
        return [(metric, False)]
    if view.which == "predicted":
        return [(metric.companion, False)]
    return [(metric, False), (metric.companion, True)]


def _values(simulation: Simulation, metric: str, rows: Any, smooth: bool, window: int) -> Any:
    """Return the values at the rows, (points, R), or None if the learner has no such metric."""
    if not len(rows):
        return np.empty((0, simulation.replicates))
    history = simulation.history
    if metric not in history:
        return None
    values = history.smooth(metric, rows, window) if smooth else history[metric][rows]
    return None if np.isnan(values).all() else values
