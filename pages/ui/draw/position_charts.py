"""A metric against the position in a ranking."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.draw.charts import Axis, Look, axis_of, base_layout, line, ribbon, words
from pages.ui.plain import Plotly


@dataclass(frozen=True)
class PositionCurve:
    """A learner's values (positions, R) at the positions 1, 2, … of a ranking; a faint one is thin and has no band."""

    label: str
    slot: int
    values: Array
    faint: bool = False


def position_chart(
    curves: Sequence[PositionCurve], x_title: Plotly, look: Look, height: int, before: Array | None = None
) -> dict[str, Any]:
    """Draw means with standard errors over the positions of a ranking.

    before : (positions,) values of the ranking at the start, drawn dotted, if there are any.
    """
    traces: list[dict[str, Any]] = []
    for curve in curves:
        color = look.colors[curve.slot % 4]
        x, mean = np.arange(1, len(curve.values) + 1), curve.values.mean(axis=1)
        runs = curve.values.shape[1]
        if runs > 1 and not curve.faint:
            error = curve.values.std(axis=1, ddof=1) / np.sqrt(runs)
            traces.append(ribbon(x, mean - error, mean + error, color, y_log=False))
        dash, width = look.dashes[curve.slot % 4], 1.1 if curve.faint else 2.2
        traces.append(line(x, mean, curve.label, color, dash, width, dots=not curve.faint))
    if before is not None:
        traces.append(line(np.arange(1, len(before) + 1), before, "before: the base ranker", look.text, "dot", 1.6))
    layout = base_layout(
        look, height, hovermode="x unified", meta={"hold": ["yaxis"]},
        xaxis=axis_of(look, {"title": {"text": Plotly(x_title), "standoff": 4}, "nticks": 12}),
        yaxis=axis_of(look, {"nticks": 6}),
    )  # fmt: skip
    if traces:  # fifths, so that the axis stays while the curves move
        ends = np.concatenate([np.asarray(trace["y"], dtype=float) for trace in traces])
        low, high = np.floor(5 * np.nanmin(ends)) / 5, np.ceil(5 * np.nanmax(ends)) / 5
        layout["xaxis"] |= {"range": [0.5, max(int(trace["x"].max()) for trace in traces) + 0.5]}
        layout["yaxis"] |= {"range": [low - 0.02, high + 0.02]}
    else:
        layout["annotations"] = [words(Axis.empty, look)]
        layout["xaxis"] |= {"range": [0.5, 10.5]}
        layout["yaxis"] |= {"range": [0, 1]}
    return {"data": traces, "layout": layout}
