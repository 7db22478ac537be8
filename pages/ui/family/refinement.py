"""The charts of the relevance-feedback lab."""

from __future__ import annotations

from typing import Any

import numpy as np

from pages.ui.draw.charts import DASHES, Axis, Look, axis_of, words
from pages.ui.draw.position_charts import PositionCurve, position_chart
from pages.ui.lab.charts import ChartSpec, View
from pages.ui.lab.race import Race

DEPTH = 25  # positions up to which NDCG is told, as in [V] Fig. 4.2
POINTS = 25  # of the Pareto front


def positions(race: Race, view: View, look: Look, height: int) -> dict[str, Any]:
    """NDCG@1…25 of each learner's ranking as it stands; dotted, the base ranker's."""
    assert race.setup is not None
    if not race.simulations or not race.t:
        return position_chart([], "position k", look, height)
    found = [
        PositionCurve(label, slot, simulation.environment.after.T)
        for slot, (label, simulation) in enumerate(zip(race.setup.labels(), race.simulations, strict=True))
    ]
    figure = position_chart(found, "position k", look, height)
    before = race.simulations[0].environment.before.mean(axis=0)
    figure["data"].append(
        {
            "type": "scatter",
            "mode": "lines",
            "x": np.arange(1, len(before) + 1),
            "y": before,
            "showlegend": False,
            "name": "before",
            "line": {"color": look.text, "dash": "dot", "width": 1.6},
            "hovertemplate": "%{y:.3f}<extra>before: the base ranker</extra>",
        }
    )
    return figure


def path(race: Race, view: View, look: Look, height: int) -> dict[str, Any]:
    """The two losses of the first run, round by round, and the Pareto front that no score can pass."""
    assert race.setup is not None
    layout = {
        "height": height,
        "margin": {"l": 52, "r": 10, "t": 8, "b": 38},
        "hovermode": "closest",
        "showlegend": False,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "dragmode": "zoom",
        "font": {"color": look.text, "size": 12},
        "xaxis": axis_of(look, {"title": {"text": "loss against the base ranker", "standoff": 4}, "nticks": 6}),
        "yaxis": axis_of(look, {"title": {"text": "loss against the judgements", "standoff": 4}, "nticks": 6}),
    }
    if not race.t:
        return {"data": [], "layout": layout | {"annotations": [words(Axis.empty, look)]}}
    traces: list[dict[str, Any]] = []
    front = race.simulations[0].environment.front(0, POINTS)
    if front is not None:
        near = front[(front <= 2.5).all(axis=1)]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "x": near[:, 0],
                "y": near[:, 1],
                "showlegend": False,
                "line": {"color": look.text, "dash": "dot", "width": 1.6},
                "name": "Pareto front",
                "hovertemplate": "Pareto front<br>%{x:.3f}, %{y:.3f}<extra></extra>",
            }
        )
    for slot, (label, simulation) in enumerate(zip(race.setup.labels(), race.simulations, strict=True)):
        history = simulation.history
        x, y = (np.append(1.0, history[name][:, 0]) for name in ("loss-w", "loss-t"))
        if np.isnan(x[1:]).all():
            continue
        color = look.colors[slot % 4]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "x": x,
                "y": y,
                "name": label,
                "showlegend": False,
                "line": {"color": color, "dash": DASHES[slot % 4], "width": 2},
                "marker": {"size": [3.0] * (len(x) - 1) + [10.0], "color": color},
                "hovertemplate": f"{label}<br>%{{x:.3f}}, %{{y:.3f}}<extra></extra>",
            }
        )
    if len(traces) == (front is not None):
        layout["annotations"] = [words("These learners have no such losses.", look)]
    return {"data": traces, "layout": layout}


PICTURES = (
    ChartSpec(
        "positions", "NDCG@1 to NDCG@25, before (dotted) and now",
        "Fig. 4.2 of the dissertation: NDCG of the first k documents of the whole list. The dotted line is the base "
        "ranker, before anything was judged. Putting the judged relevant documents first raises it without any "
        "learning: compare with the learner that does just that.",
        draw=positions,
    ),
    ChartSpec(
        "path", "The two losses as a path (first run)",
        "Each dot is a round of the first run: the loss against the order of the base ranker and the loss against the "
        "judgements, each divided by its value at the start (1, 1). The dotted line is the Pareto front; no scores lie "
        "below it. A product of both falls only where neither is given up.",
        draw=path,
    ),
)  # fmt: skip
