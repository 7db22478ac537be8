"""The pictures of the coactive lab, which show the quantities of the theorems."""

from __future__ import annotations

from typing import Any

import numpy as np

from learners.metric import Metric
from learners.ranking.metrics import ALPHA, SLACK
from pages.ui.draw.bars import histograms
from pages.ui.draw.charts import Axis, Curve, Look, line_chart
from pages.ui.race.charts import ChartSpec
from pages.ui.race.moment import Moment

LAST = 2000  # latest steps whose distribution is drawn


def _distribution(metric: Metric, title: str) -> Any:
    """Return a function that draws the distribution of a per-step metric for each learner."""

    def draw(moment: Moment, look: Look, height: int) -> dict[str, Any]:
        values = []
        for simulation in moment.simulations:
            found = simulation.history[metric.id][-LAST:].ravel() if simulation.t else np.empty(0)
            values.append(found[np.isfinite(found)])
        empty = "These values do not exist for this race." if moment.t else "Press Play or Step, and they appear here."
        return histograms(values, title, look, height, empty)

    return draw


def _cost(moment: Moment, look: Look, height: int) -> dict[str, Any]:
    """Draw the time of a step of each learner, in µs per replicate."""
    curves = []
    for slot, (label, costs) in enumerate(zip(moment.setup.labels(), moment.costs, strict=False)):
        known = [(t, cost) for t, cost in costs if t <= moment.t]
        at = np.array([t for t, _ in known], dtype=int)
        curves.append(Curve(label, slot, at, np.array([cost for _, cost in known]).reshape(-1, 1)))
    axis = Axis("µs", y_log=True, x_max=moment.setup.steps, hover=".3g")
    return line_chart(curves, axis, "none", look, height)


PICTURES = (
    ChartSpec(
        "alpha", "Measured α (share of the possible gain)",
        "Distribution of the share of the possible gain in utility that the feedback achieved, over the last "
        f"{LAST:,} steps and all replicates. 1 is perfect feedback. Below 0 it misleads.",
        draw=_distribution(ALPHA, "achieved gain / possible gain"),
    ),
    ChartSpec(
        "slack", "Measured slack ξ",
        "Distribution of the slack, the amount by which the feedback fell short of being α-informative. It is the "
        "noise term of every bound, and 0 for strictly α-informative users.",
        draw=_distribution(SLACK, "slack ξ"),
    ),
    ChartSpec(
        "cost", "Cost of a step (µs per replicate)",
        "Time that the learner and its environment take, as measured on this server just now, on a logarithmic scale. "
        "Retraining shows as peaks. The time also depends on the load of the server.",
        draw=_cost,
    ),
)  # fmt: skip
