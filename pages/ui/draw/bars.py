"""Bar charts, and how values are spread."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.draw.charts import (
    Axis,
    Look,
    annotation,
    axis_of,
    base_layout,
    empty_figure,
    rgba,
    words,
    wrapped,
)  # fmt: skip
from pages.ui.plain import NOTHING, Ours, Plotly, for_plotly


@dataclass(frozen=True)
class Bar:
    """A bar with the label below it and the words on hover. A larger shade, from 0 on, makes it darker."""

    label: str
    value: float
    words: str
    shade: float | None = None


@dataclass(frozen=True)
class Interval:
    """A value with half the width of its interval, if it has one. slot : gives it its colour."""

    label: str
    value: float
    half: float | None
    slot: int = 0


def intervals(rows: Sequence[Interval], look: Look) -> dict[str, Any]:
    """Draw values with their intervals, one below the other."""
    y = [-number for number in range(len(rows))]
    traces = [
        {
            "type": "scatter", "mode": "markers", "x": [row.value], "y": [place],
            "marker": {"color": look.colors[row.slot % 4], "size": 10, "symbol": row.slot % 4},
            "error_x": {"type": "data", "array": [row.half or 0.0], "color": look.colors[row.slot % 4], "width": 6},
            "hovertemplate": f"{for_plotly(row.label)}: %{{x:.4g}}{_half(row.half)}<extra></extra>",
        }
        for row, place in zip(rows, y, strict=True)
    ]  # fmt: skip
    ticks = {
        "tickvals": y,
        "ticktext": [wrapped(row.label, 34) for row in rows],
        "automargin": True,
        "range": [-len(rows) + 0.5, 0.5],
    }
    x = axis_of(look, {"nticks": 6})
    height = 60 + 44 * len(rows)
    return {
        "data": traces,
        "layout": base_layout(
            look, height, hovermode="closest", dragmode=False, xaxis=x, yaxis=axis_of(look, ticks | {"zeroline": False})
        ),
    }


def _half(half: float | None) -> Ours:
    return NOTHING if half is None else Ours(f" ± {half:.2g}")


def bars(labels: Sequence[str], values: Sequence[float], look: Look, color: str) -> dict[str, Any]:
    """Draw a plain bar chart."""
    x = axis_of(look, {"type": "category", "nticks": 20, "automargin": True})
    trace = {
        "type": "bar", "x": [for_plotly(label) for label in labels], "y": list(values), "marker": {"color": color},
        "hovertemplate": "%{x}: %{y:.4g}<extra></extra>",
    }  # fmt: skip
    return {
        "data": [trace],
        "layout": base_layout(
            look, 200, bargap=0.25, xaxis=x, yaxis=axis_of(look, {"nticks": 5, "rangemode": "tozero"})
        ),
    }


def histogram_bars(values: Array, look: Look, color: str) -> dict[str, Any]:
    """Draw how often the whole numbers among the values occur, in at most 30 bars of equal width."""
    low, high = int(values.min()), int(values.max())
    width = -(-(high - low + 1) // 30)
    edges = np.arange(low, high + width + 1, width)
    counts, _ = np.histogram(values, bins=edges - 0.5)
    names = [str(a) if width == 1 else f"{a}–{a + width - 1}" for a in edges[:-1]]
    return bars(names, counts.tolist(), look, color)


def bar_panels(
    panels: Sequence[tuple[str, int, Sequence[Bar]]], look: Look, height: int, x_title: Plotly, later: Plotly, t: int
) -> dict[str, Any]:
    """Draw the bars of each learner in a panel of its own, side by side.

    panels : name, slot and bars of each learner. later : what is said where there are none after t > 0 steps.
    """
    above = [wrapped(title, 64 // len(panels)) for title, _, _ in panels]  # letters, on a phone too
    lines = max((title.count("<br>") + 1 for title in above), default=1)
    margin = {"l": 46, "r": 10, "t": 10 + 14 * lines, "b": 38}
    layout = base_layout(look, height, margin=margin, bargap=0.2, dragmode=False, annotations=[], meta={"hold": []})
    if not panels:
        return empty_figure(later if t else "Press Play or Step, and the bars appear here.", layout, look)
    every = max(1, -(-max(len(bars) for _, _, bars in panels) * len(panels) // 24))
    traces = []
    for i, (_, slot, bars) in enumerate(panels):
        suffix = "" if i == 0 else str(i + 1)
        left, right = i / len(panels) + 0.04 * (i > 0), (i + 1) / len(panels)
        color = look.colors[slot % 4]
        darkest = max((b.shade for b in bars if b.shade is not None), default=0) or 1
        opacities = [1 if b.shade is None else 0.25 + 0.75 * b.shade / darkest for b in bars]
        traces.append(
            {
                "type": "bar", "x": list(range(len(bars))), "y": [b.value for b in bars],
                "text": [for_plotly(b.words) for b in bars], "textposition": "none",
                "hovertemplate": "%{text}<extra></extra>",
                "marker": {"color": [rgba(color, opacity) for opacity in opacities]},
                "xaxis": "x" + suffix, "yaxis": "y" + suffix,
            }
        )  # fmt: skip
        places = list(range(0, len(bars), every))
        layout["xaxis" + suffix] = axis_of(
            look,
            {"domain": [left, right], "anchor": "y" + suffix, "tickvals": places, "fixedrange": True, "showgrid": False,
             "ticktext": [for_plotly(bars[k].label) for k in places],
             "title": {"text": Plotly(x_title), "standoff": 4}},
        )  # fmt: skip
        low, high = (1.05 * pick([0.0, *(b.value for b in bars)]) for pick in (min, max))  # bars begin at 0
        layout["yaxis" + suffix] = axis_of(
            look, {"anchor": "x" + suffix, "nticks": 5, "fixedrange": True, "range": [low, high if high > low else 1]}
        )
        layout["meta"]["hold"].append("yaxis" + suffix)
        layout["annotations"].append(annotation(above[i], left, 1, color) | {"align": "left"})
    return {"data": traces, "layout": layout}


def histograms(
    values: Sequence[Array], x_title: Plotly, look: Look, height: int = 260, empty: Plotly = Axis.empty
) -> dict[str, Any]:
    """Draw the spread of each learner's values as an outline in its colour and dash, all on the same bins.

    empty : what is said where there are no values.
    """
    layout = base_layout(
        look, height, xaxis=axis_of(look, {"title": {"text": Plotly(x_title), "standoff": 4}}),
        yaxis=axis_of(look, {"nticks": 5, "tickformat": ".0%"}), meta={"hold": ["xaxis", "yaxis"]},
    )  # fmt: skip
    every = np.concatenate([*values, np.empty(0)])
    if not every.size:
        return {"data": [], "layout": layout | {"annotations": [words(empty, look)]}}
    low, high = np.quantile(every, [0.005, 0.995])
    edges = np.linspace(low, high if high > low else low + 1, 41)
    traces = []
    top = 0.0
    for slot, found in enumerate(values):
        if found.size:
            shares = np.histogram(found.clip(edges[0], edges[-1]), bins=edges)[0] / found.size
            top = max(top, float(shares.max()))
            line = {"color": look.colors[slot % 4], "dash": look.dashes[slot % 4], "width": 2, "shape": "linear"}
            traces.append(
                {
                    "type": "scatter", "mode": "lines", "x": edges.repeat(2)[1:-1], "y": shares.repeat(2), "line": line,
                    "showlegend": False, "hovertemplate": "%{x:.3g}: %{y:.1%}<extra></extra>",
                }
            )  # fmt: skip
    layout["xaxis"]["range"] = [float(edges[0]), float(edges[-1])]
    layout["yaxis"]["range"] = [0.0, 1.05 * top]
    return {"data": traces, "layout": layout}
