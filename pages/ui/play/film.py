"""The film of single replicates: strips of when each was unstable, and its own curves."""

import base64
import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.draw.charts import Look
from pages.ui.play.strips import strip
from pages.ui.race.charts import ChartSpec, ChartView, drawn_curves
from pages.ui.race.moment import Moment

MISSING = 65_535  # the code of a value that is missing or infinite; the codes below it are values


def film(
    moment: Moment, charts: Sequence[ChartSpec], view: ChartView, look: Look, curves: bool = False
) -> dict[str, Any] | None:
    """Return what the browser needs to show single replicates, or None where there is nothing to tell apart.

    `strips` is a list with a strip for each metric of the charts that declares one. `charts` is None, or with `curves`
    a list of packed curves for each chart by its id, in the order of `drawn_curves`, which is that of the lines of the
    chart. `key` changes when the curves do, so that the browser knows whether those it holds are still right.
    """
    if moment.setup.replicates == 1 or not moment.t:
        return None
    metrics = {chart.id: chart.metric for chart in charts if chart.metric is not None}
    found = {id: drawn_curves(metric, moment, view, moment.setup.steps) for id, metric in metrics.items() if curves}
    scales = {id: view.y_log and metric.log for id, metric in metrics.items()}
    drawn = (view.which, view.window, view.x_log, view.y_log, view.bounds, list(metrics))
    return {
        "key": hashlib.sha256(repr((moment.setup, moment.t, drawn)).encode()).hexdigest()[:12],
        "strips": [made for metric in metrics.values() if (made := strip(metric, moment, view, look))],
        "charts": {id: [packed(curve.values, scales[id]) for curve in found[id]] for id in found} if curves else None,
    }


def packed(values: Array, log: bool = False) -> dict[str, Any]:
    """Return curves (points, R) in two bytes a value, replicate by replicate.

    A code c stands for `low` + c · `step`, or for ten to this power if `log`, which keeps the small values of a
    logarithmic axis apart. The error is at most half a step, 1/131,068 of the range of the curves.

    >>> values = np.array([[0.0, 2.0], [1.0, np.nan]])
    >>> packed(values)["low"], round(packed(values)["step"] * (MISSING - 1), 9)
    (0.0, 2.0)
    """
    if log:
        values = np.log10(values, out=np.full(values.shape, np.nan), where=values > 0)
    known = np.isfinite(values)
    low, high = (float(f(values[known])) for f in (np.min, np.max)) if known.any() else (0.0, 0.0)
    step = (high - low) / (MISSING - 1)
    scaled = (np.where(known, values, low) - low) / (step or 1.0)
    codes = np.where(known, scaled.round().clip(0, MISSING - 1), MISSING).astype("<u2")
    return {"low": low, "step": step, "log": log, "codes": base64.b64encode(codes.T.tobytes()).decode()}
