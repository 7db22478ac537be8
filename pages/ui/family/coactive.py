"""Pictures of the coactive lab: what the theorems speak of."""

from __future__ import annotations

from typing import Any

import numpy as np

from learners.metric import Metric
from learners.ranking.metrics import ALPHA, SLACK
from pages.ui.draw.bars import histograms
from pages.ui.draw.charts import Axis, Curve, Look, line_chart
from pages.ui.lab.charts import ChartSpec, View
from pages.ui.lab.race import Race

LAST = 2000  # steps of which a distribution is drawn


def _distribution(metric: Metric, title: str) -> Any:
    """A chart of how the values of a metric of single steps are spread, for each learner."""

    def draw(race: Race, view: View, look: Look, height: int) -> dict[str, Any]:
        values = []
        for simulation in race.simulations:
            found = simulation.history[metric.id][-LAST:].ravel() if simulation.t else np.empty(0)
            values.append(found[np.isfinite(found)])
        return histograms(values, title, look, height)

    return draw


def _cost(race: Race, view: View, look: Look, height: int) -> dict[str, Any]:
    assert race.setup is not None
    curves = []
    for slot, (label, costs) in enumerate(zip(race.setup.labels(), race.costs, strict=True)):
        at = np.array([t for t, _ in costs], dtype=int)
        curves.append(Curve(label, slot, at, np.array([[cost] for _, cost in costs]).reshape(-1, 1)))
    axis = Axis("µs", view.x_log, view.y_log, race.setup.steps, hover=".3g")
    return line_chart(curves, axis, "none", look, height)


PICTURES = (
    ChartSpec(
        "alpha", "Measured α: achieved of the possible gain",
        "How the steps are spread by the share of the possible gain that the feedback achieved, over the last "
        f"{LAST:,} steps and all replicates. 1 is perfect feedback; below 0 it misleads.",
        draw=_distribution(ALPHA, "gain achieved / gain possible"),
    ),
    ChartSpec(
        "slack", "Measured slack ξ",
        "How the steps are spread by what the feedback lacked of an α-informative one: the noise term of every bound. "
        "Strictly α-informative users have none.",
        draw=_distribution(SLACK, "slack ξ"),
    ),
    ChartSpec(
        "cost", "Cost of a step (µs for each replicate)",
        "Time the learner and its world take, as measured on this server just now; retraining shows as peaks. It "
        "depends on what else the server does.",
        draw=_cost,
    ),
)  # fmt: skip
