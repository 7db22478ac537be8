"""The charts of the relevance-feedback lab."""

from __future__ import annotations

from typing import Any

import numpy as np

from pages.ui.draw.chart_specs import ChartSpec, View
from pages.ui.draw.charts import DASHES, Axis, Look, axis_of, words
from pages.ui.draw.position_charts import PositionCurve, position_chart
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
            "type": "scatter", "mode": "lines", "x": np.arange(1, len(before) + 1), "y": before, "showlegend": False,
            "name": "before", "line": {"color": look.text, "dash": "dot", "width": 1.6},
            "hovertemplate": "%{y:.3f}<extra>before: the base ranker</extra>",
        }
    )  # fmt: skip
    return figure


def path(race: Race, view: View, look: Look, height: int) -> dict[str, Any]:
    """The two losses of the first run, round by round, and the Pareto front that no score can pass."""
    assert race.setup is not None
    layout = {
        "height": height, "margin": {"l": 52, "r": 10, "t": 8, "b": 38}, "hovermode": "closest", "showlegend": False,
        "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)", "dragmode": "zoom",
        "font": {"color": look.text, "size": 12},
        "xaxis": axis_of(look, {"title": {"text": "loss against the base ranker", "standoff": 4}, "nticks": 6}),
        "yaxis": axis_of(look, {"title": {"text": "loss against the judgements", "standoff": 4}, "nticks": 6}),
    }  # fmt: skip
    if not race.t:
        return {"data": [], "layout": layout | {"annotations": [words(Axis.empty, look)]}}
    traces: list[dict[str, Any]] = []
    front = race.simulations[0].environment.front(0, POINTS)
    if front is not None:
        near = front[(front <= 2.5).all(axis=1)]
        traces.append(
            {
                "type": "scatter", "mode": "lines", "x": near[:, 0], "y": near[:, 1], "showlegend": False,
                "line": {"color": look.text, "dash": "dot", "width": 1.6}, "name": "Pareto front",
                "hovertemplate": "Pareto front<br>%{x:.3f}, %{y:.3f}<extra></extra>",
            }
        )  # fmt: skip
    for slot, (label, simulation) in enumerate(zip(race.setup.labels(), race.simulations, strict=True)):
        history = simulation.history
        x, y = (np.append(1.0, history[name][:, 0]) for name in ("loss-w", "loss-t"))
        if np.isnan(x[1:]).all():
            continue
        color = look.colors[slot % 4]
        traces.append(
            {
                "type": "scatter", "mode": "lines+markers", "x": x, "y": y, "name": label, "showlegend": False,
                "line": {"color": color, "dash": DASHES[slot % 4], "width": 2},
                "marker": {"size": [3.0] * (len(x) - 1) + [10.0], "color": color},
                "hovertemplate": f"{label}<br>%{{x:.3f}}, %{{y:.3f}}<extra></extra>",
            }
        )  # fmt: skip
    if len(traces) == (front is not None):
        layout["annotations"] = [words("These learners have no such losses.", look)]
    return {"data": traces, "layout": layout}


CHARTS = (
    ChartSpec(
        "positions", "ndcg@5", "NDCG@1 to NDCG@25, before (dotted) and now",
        "The dissertation's Fig. 4.2: NDCG of the first k documents of the whole list. Dotted: the base ranker, before "
        "anything was judged. Mind that putting the judged relevant documents first raises it without any learning: "
        "compare with the learner that does just that.",
        draw=positions,
    ),
    ChartSpec(
        "gain-unjudged", "gain-unjudged", "Gain on the documents that nobody judged",
        "NDCG of the unjudged documents among themselves, minus the same for the base ranker: what has been learned "
        "beyond the judgements. Below 0 the refinement harms.",
    ),
    ChartSpec(
        "gain", "gain", "Gain on the whole list",
        "NDCG of the whole list minus the base ranker's. Much of it is re-ordering of the judged documents.",
    ),
    ChartSpec(
        "path", "loss-w", "The two losses as a path (first run)",
        "Each dot a round of the first run: loss against the order of the base ranker, and loss against the judgements, "
        "each divided by its value at the start (1, 1). Dotted: the Pareto front; no scores at all lie below it. A product "
        "of both falls only where neither is given up.",
        draw=path,
    ),
    ChartSpec(
        "objective", "objective", "Objective, relative to that after the first round",
        "L_p, the product of both losses ([V] Eq. 4.10), or L_a, their sum with weight γ (Eq. 4.9). Dotted: Theorem 9 with "
        "what each round has measured. Theorem 10 of the text is false and is not drawn.",
        y_log=True, bounds=("bound",), partial=True, relative=True, later="These learners have no objective.",
    ),
    ChartSpec(
        "err-w", "err-w", "Pairs in which it contradicts the base ranker",
        "err_w of [V] Eq. 4.4: pairs of documents weighted by how surely the base ranker orders them, over those that the "
        "present ranking has the other way round, as a share (0 to 1).",
        partial=True,
    ),
    ChartSpec(
        "err-t", "err-t", "Pairs in which it contradicts the judgements",
        "err_t of [V] Eq. 4.5, the same for pairs of judged documents.",
        partial=True,
    ),
    ChartSpec(
        "ndcg@10", "ndcg@10", "NDCG@10 of the whole list (0 to 1)",
        "NDCG of the first ten documents, the judged ones among them.",
        y_range=lambda data: (0.0, 1.02),
    ),
    ChartSpec(
        "step-size", "step-size", "Step size α",
        "How much the weak ranker of a round counts in the score; 0 where a learner has stopped. References have "
        "none.",
        partial=True,
    ),
    ChartSpec(
        "weak-error", "weak-error", "Error of the weak ranker (0 to 1)",
        "Weighted share of the pairs that the weak ranker of a round orders wrongly, over the runs that still go on.",
        partial=True, y_range=lambda data: (0.0, 1.02), later="These learners have no weak ranker.",
    ),
)  # fmt: skip
