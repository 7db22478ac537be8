"""The pictures of the relevance-feedback lab: NDCG by position, and the path of the two losses."""

from typing import Any

import numpy as np

from learners.boosting.refinement.metrics import LOSS_T, LOSS_W
from pages.ui.draw.charts import Axis, Look, axis_of, base_layout, line, words
from pages.ui.draw.position_charts import PositionCurve, position_chart
from pages.ui.plain import for_plotly
from pages.ui.race.charts import ChartSpec
from pages.ui.race.moment import Moment

POINTS = 25  # points of the Pareto front


def positions(moment: Moment, look: Look, height: int) -> dict[str, Any]:
    """Draw NDCG@1 to NDCG@25 of the current ranking of each learner, and dotted those of the base ranker."""
    found = [
        PositionCurve(label, slot, simulation.environment.after.T)
        for slot, (label, simulation) in enumerate(zip(moment.setup.labels(), moment.simulations, strict=True))
        if moment.t
    ]
    before = moment.simulations[0].environment.before.mean(axis=0)
    return position_chart(found, "position k", look, height, before)


def path(moment: Moment, look: Look, height: int) -> dict[str, Any]:
    """Draw the two losses of the first run, round by round, and the Pareto front, which bounds all scores."""
    layout: dict[str, Any] = base_layout(look, height) | {
        "margin": {"l": 52, "r": 10, "t": 8, "b": 38},
        "hovermode": "closest",
        "meta": {"hold": ["xaxis", "yaxis"]},
        "xaxis": axis_of(look, {"title": {"text": "loss against the base ranker", "standoff": 4}, "nticks": 6}),
        "yaxis": axis_of(look, {"title": {"text": "loss against the judgements", "standoff": 4}, "nticks": 6}),
    }
    traces: list[dict[str, Any]] = []
    front = moment.simulations[0].environment.front(0, POINTS)
    if front is not None:
        near = front[(front <= 2.5).all(axis=1)]
        traces.append(line(near[:, 0], near[:, 1], "Pareto front", look.text, "dot", 1.6))
    runs = zip(moment.setup.labels(), moment.simulations, strict=True)
    for slot, (label, simulation) in enumerate(runs if moment.t else ()):
        history = simulation.history
        x, y = (np.append(1.0, history[metric.id][: moment.t, 0]) for metric in (LOSS_W, LOSS_T))
        if np.isnan(x[1:]).all():
            continue
        traces.append(line(x, y, label, look.colors[slot % 4], look.dashes[slot % 4], 2, dots=True))
        traces[-1]["marker"]["size"] = [3.0] * (len(x) - 1) + [10.0]
    for trace in traces:
        trace["hovertemplate"] = f"{for_plotly(trace['name'])}<br>%{{x:.3f}}, %{{y:.3f}}<extra></extra>"
    if not moment.t and front is None:
        layout["annotations"] = [words(Axis.empty, look)]
    elif moment.t and len(traces) == (front is not None):
        layout["annotations"] = [words("These learners do not have these losses.", look)]
    for axis in "xy":  # tenths, so that the axes stay while the paths grow
        values = np.concatenate([[1.0], *(trace[axis] for trace in traces)])
        low, high = np.floor(10 * np.nanmin(values)) / 10, np.ceil(10 * np.nanmax(values)) / 10
        layout[f"{axis}axis"]["range"] = [low - 0.03, high + 0.03]
    return {"data": traces, "layout": layout}


PICTURES = (
    ChartSpec(
        "positions", "NDCG@1 to NDCG@25, now and before (dotted)",
        "NDCG of the first k documents of the whole list, as in Fig. 4.2 of the dissertation. The dotted line is the "
        "base ranker, before the judgements. Putting the judged relevant documents first raises NDCG without any "
        "learning; compare with the learner that does just that.",
        draw=positions,
    ),
    ChartSpec(
        "path", "Path of the two losses (first run)",
        "Each dot is a round of the first run. Its coordinates are the loss against the order of the base ranker and "
        "the loss against the judgements, both divided by their values at the start (1, 1). The dotted line is the "
        "Pareto front, below which no scores lie. The product of the losses stays small only if neither loss grows "
        "large.",
        draw=path,
    ),
)  # fmt: skip
