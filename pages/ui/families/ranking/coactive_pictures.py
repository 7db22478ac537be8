"""The pictures of the coactive lab, which show the quantities of the theorems."""

from typing import Any

import numpy as np

from learners.metric import Metric
from learners.ranking.metrics import ALPHA, SLACK
from pages.ui.draw.bars import histograms
from pages.ui.draw.charts import Axis, Curve, Look, line_chart
from pages.ui.plain import Plotly
from pages.ui.race.charts import ChartSpec
from pages.ui.race.moment import Moment

BINS = 40  # parts of a run over which the time of a step is averaged
LATEST_STEPS = 2000  # latest steps whose distribution is drawn


def _distribution(metric: Metric, title: Plotly) -> Any:
    """Return a function that draws the distribution of a per-step metric for each learner."""

    def draw(moment: Moment, look: Look, height: int) -> dict[str, Any]:
        values = []
        for simulation in moment.simulations:
            found = simulation.history[metric.id][-LATEST_STEPS:].ravel() if simulation.t else np.empty(0)
            values.append(found[np.isfinite(found)])
        empty = "These values do not exist for this race." if moment.t else "Press Play or Step, and they appear here."
        return histograms(values, title, look, height, empty)

    return draw


def _cost(moment: Moment, look: Look, height: int) -> dict[str, Any]:
    """Draw the time of a step of each learner, in µs per replicate, as means over `BINS` equal parts of the run."""
    curves = []
    parts = np.linspace(0, moment.setup.steps, BINS + 1)
    for slot, (label, costs) in enumerate(zip(moment.setup.labels(), moment.costs, strict=False)):
        known = np.array([(0, 0.0), *((t, cost) for t, cost in costs if t <= moment.t)])
        spent = np.cumsum(known[:, 1] * np.diff(known[:, 0], prepend=0))  # µs up to each measurement
        edges = np.unique([*parts[parts <= known[-1, 0]], known[-1, 0]])
        means = np.diff(np.interp(edges, known[:, 0], spent)) / np.diff(edges)
        curves.append(Curve(label, slot, edges[1:], means.reshape(-1, 1)))
    made = line_chart(curves, Axis("µs", y_log=True, x_max=moment.setup.steps, hover=".3g"), "none", look, height)
    drawn = np.concatenate([np.empty(0), *(curve.values.ravel() for curve in curves)])
    if (drawn > 0).any():  # whole powers of ten, so that each has its line
        low, high = np.log10(drawn[drawn > 0].min()), np.log10(drawn.max())
        axis = {"range": [float(np.floor(low)), float(np.ceil(high + 1e-9))], "dtick": 1}
        made["layout"] |= {"yaxis": made["layout"]["yaxis"] | axis, "meta": {"hold": ["yaxis"]}}
    return made


PICTURES = (
    ChartSpec(
        "alpha", "Measured α (share of the possible gain)",
        "Distribution of the share of the possible gain in utility that the feedback achieved, over the last "
        f"{LATEST_STEPS:,} steps and all replicates. 1 is perfect feedback. Below 0 it misleads.",
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
        "Each point is a mean over a fortieth of the run. The time also depends on the load of the server.",
        draw=_cost,
    ),
)  # fmt: skip
