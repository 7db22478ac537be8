"""Strips of colours that show for each replicate when it was unstable, from what a metric declares."""

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np

from learners import Simulation
from learners.base import Array
from learners.metric import Metric, Strip
from pages.ui.draw.charts import Look
from pages.ui.race.charts import ChartView
from pages.ui.race.moment import Moment

COLUMNS = 150  # at most, in a strip
MISSING = 255  # the code of a value that is missing; the codes below it are values
HOLDS = {
    "worst": "A column that stands for several {unit}s shows the worst of them, so that a short lapse stays visible.",
    "mean": "A column shows the mean over its {unit}s.",
    "since": "A column shows the mean over its {unit}s alone.",
}


def strip(metric: Metric, moment: Moment, view: ChartView, look: Look) -> dict[str, Any] | None:
    """Return the strip of a metric, or None if it declares none or no learner has a value.

    Each learner has a matrix with a row for each replicate and a column for some steps, in one byte a value. The
    replicate that was worst on average over the steps comes first.
    """
    declared = metric.strip
    if declared is None:
        return None
    shown = metric.companion if view.which == "predicted" and metric.companion is not None else metric
    sign = 1.0 if metric.better == "lower" else -1.0  # times a value: the larger, the worse
    edges = columns(moment.setup.steps, declared.fewest, view.x_log)
    fall = declared.fall(moment.data) if callable(declared.fall) else declared.fall
    found: dict[int, tuple[Array, list[int]]] = {}
    for slot, simulation in enumerate(moment.simulations):
        if shown.id in simulation.history and np.isfinite(simulation.history[shown.id]).any():
            values = binned(simulation, shown.id, edges, declared.within, sign)
            exact = declared.within == "worst"
            steps, at = (simulation.history[shown.id], simulation.history.at) if exact else (values, edges[1:])
            found[slot] = values, lapses(sign * steps, fall, at)
    if not any(np.isfinite(values).any() for values, _ in found.values()):
        return None
    best, worst = _scale(declared, moment.data, [values for values, _ in found.values()], sign)
    levels = _levels(abs(worst - best))
    learners = []
    for slot, (values, fallen) in found.items():
        order = ordered(sign * over_time(moment.simulations[slot], shown.id, declared.within))
        codes = _codes(values.T[order], best, worst, levels)
        learners.append({"slot": slot, "order": order.tolist(), "lapses": fallen, "codes": codes})
    several = int(np.diff(edges).max()) > 1
    notes = [declared.help, HOLDS[declared.within].format(unit=view.unit) if several else ""]
    notes.append("Each row is a replicate. Those that were worst on average come first.")
    return {
        "id": shown.id, "title": f"{shown.title}, one row for each replicate", "help": " ".join(filter(None, notes)),
        "quantity": shown.title, "lapse": declared.lapse, "unit": shown.unit,
        "within": declared.within if several else "", "log": view.x_log, "edges": edges.tolist(),
        "best": best, "step": (worst - best) / levels, "levels": levels, "ramp": look.ramp, "learners": learners,
    }  # fmt: skip


def columns(steps: int, fewest: int, log: bool) -> Array:
    """Return the edges of the columns. The column between edges a and b stands for the steps a + 1 … b.

    A logarithmic axis begins at step 1, which has no width of its own there and belongs to the column after it. Edges
    depend on the length of the run alone, so that a strip grows while the run is computed and never shifts.

    >>> columns(7, fewest=1, log=False), columns(1000, fewest=400, log=False)
    (array([0, 1, 2, 3, 4, 5, 6, 7]), array([   0,  500, 1000]))
    >>> columns(7, fewest=1, log=True)
    array([0, 2, 3, 4, 5, 7])
    """
    number = min(COLUMNS, max(1, steps // fewest))
    grid = np.geomspace(1, steps, number + 1) if log else np.linspace(0, steps, number + 1)
    edges = [0]
    for edge in grid.round().astype(int).tolist():
        wide = edge - edges[-1] >= fewest and steps - edge >= fewest
        if wide and not (log and edge == 1):
            edges.append(edge)
    return np.array([*edges, steps])


def binned(simulation: Simulation, metric: str, edges: Array, within: str, sign: float) -> Array:
    """Return what each column holds of a metric, (columns, R), NaN where nothing is known.

    In a thinned history a row stands for the steps since the row before, and belongs to the column it ends in.
    """
    at, values = simulation.history.at, simulation.history[metric]
    columns, first = np.unique(np.searchsorted(edges, at) - 1, return_index=True)
    held = np.full((len(edges) - 1, values.shape[1]), np.nan)
    if within == "worst":
        held[columns] = (np.fmax if sign > 0 else np.fmin).reduceat(values, first, axis=0)
    elif within == "mean":
        weights = np.diff(at, prepend=0)[:, None] * ~np.isnan(values)
        sums = np.add.reduceat(np.where(np.isnan(values), 0.0, values) * weights, first, axis=0)
        known = np.add.reduceat(weights, first, axis=0)
        held[columns] = np.divide(sums, known, out=np.full(sums.shape, np.nan), where=known > 0)
    else:  # differences of sums over the steps so far
        last = np.append(first[1:], len(at)) - 1
        sums = values[last] * at[last, None]
        before = np.concatenate([np.zeros((1, values.shape[1])), sums[:-1]])
        held[columns] = (sums - before) / np.diff(at[last], prepend=0)[:, None]
    return held


def lapses(badness: Array, fall: float, at: Array) -> list[int]:
    """Return the steps, in rising order, at which replicates first were worse by `fall` than the best they had before.

    A replicate that never was has no step. badness : (rows, R). at : (rows,) the steps of the rows.

    >>> lapses(np.array([[9.0, 1.0], [1.0, 1.0], [5.0, 6.0], [1.0, 9.0]]), fall=5, at=np.arange(1, 5))
    [3]
    """
    fallen = badness - np.fmin.accumulate(badness, axis=0) >= fall
    first: list[int] = at[fallen.argmax(axis=0)[fallen.any(axis=0)]].tolist()
    return sorted(first)


def over_time(simulation: Simulation, metric: str, within: str) -> Array:
    """Return the mean of a metric over the steps so far, (R,), NaN where nothing is known."""
    at, values = simulation.history.at, simulation.history[metric]
    if within == "since":
        return np.asarray(values[-1])
    weights = np.diff(at, prepend=0)[:, None] * ~np.isnan(values)
    sums, known = (np.where(np.isnan(values), 0.0, values) * weights).sum(axis=0), weights.sum(axis=0)
    return np.asarray(np.divide(sums, known, out=np.full(sums.shape, np.nan), where=known > 0))


def ordered(badness: Array) -> Array:
    """Return the replicates, the worst first and those without a value last.

    >>> ordered(np.array([1.0, np.nan, 3.0, 1.0]))
    array([2, 0, 3, 1])
    """
    return np.argsort(-np.where(np.isnan(badness), -np.inf, badness), kind="stable")


def _scale(declared: Strip, data: Any, matrices: Sequence[Array], sign: float) -> tuple[float, float]:
    """Return the best and the worst value of the scale of colours."""
    if declared.scale is not None:
        best, worst = declared.scale(data)
        return float(best), float(worst)
    every = np.concatenate([matrix.ravel() for matrix in matrices])
    low, high = (float(f(every[np.isfinite(every)])) for f in (np.min, np.max))
    return (low, high) if sign > 0 else (high, low)


def _levels(span: float) -> int:
    """Return the number of steps of the scale; whole numbers fall on whole steps where they fit, so that none is lost.

    >>> _levels(9.0), _levels(0.37)
    (252, 254)
    """
    whole = int(span)
    return (MISSING - 1) // whole * whole if 0 < whole == span < MISSING else MISSING - 1


def _codes(values: Array, best: float, worst: float, levels: int) -> str:
    """Return (R, columns) values as bytes, 0 for the best and `levels` for the worst."""
    scaled = (values - best) / ((worst - best) or 1.0) * levels
    codes = np.where(np.isnan(scaled), MISSING, np.nan_to_num(scaled).round().clip(0, levels)).astype(np.uint8)
    return base64.b64encode(codes.tobytes()).decode()
