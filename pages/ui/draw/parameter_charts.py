"""Metrics against one parameter, as curves, and against two, as tables in colours."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.draw.charts import (
    Axis,
    Curve,
    Look,
    annotation,
    axis_of,
    base_layout,
    empty_figure,
    line_chart,
    log_ticks,
    rgba,
    shortened,
    wrapped,
)  # fmt: skip
from pages.ui.plain import Plotly, for_plotly


def parameter_chart(
    series: Sequence[tuple[str, Array, Array]], axis: Axis, x_title: Plotly, band: str = "standard error",
    look: Look | None = None, height: int = 380,
) -> dict[str, Any]:  # fmt: skip
    """Draw a metric against a parameter, as means with bands.

    series : name, parameter values (points,) and metric values (points, R) of each curve.
    """
    look = look or Look()
    curves = [Curve(name, slot, x, values) for slot, (name, x, values) in enumerate(series)]
    made = line_chart(curves, replace(axis, x_log=False), band, look, height)
    several = len(series) > 1
    for trace in made["data"]:
        if trace.get("name"):
            trace |= {"mode": "lines+markers", "marker": {"size": 7, "color": trace["line"]["color"]}}
            name = f"<extra>{for_plotly(trace['name'])}</extra>" if several else "<extra></extra>"
            trace["hovertemplate"] = f"{x_title} %{{x:.4g}}<br>%{{y:{axis.hover}}}{name}"
    every = np.concatenate([x for _, x, _ in series])
    ticks = log_ticks(every) if axis.x_log and every.min() > 0 else {}
    made["layout"] |= {
        "hovermode": "closest",
        "xaxis": axis_of(look, {"title": {"text": Plotly(x_title), "standoff": 4}} | ticks),
    }
    return made


def surface(
    x: Array, y: Array, means: Array, errors: Array, titles: tuple[Plotly, Plotly, Plotly], look: Look
) -> dict[str, Any]:
    """Draw means over two parameters, in equal cells whatever the spacing of the values.

    means, errors : (len(y), len(x)), NaN where nothing is known. titles : of x, y and the colours.
    """
    shared = {"type": "category", "fixedrange": True, "showgrid": False}
    axes = [axis_of(look, shared | {"title": {"text": Plotly(title), "standoff": 6}}) for title in titles[:2]]
    trace = {
        "type": "heatmap", "z": means, "x": [f"{v:.4g}" for v in x], "y": [f"{v:.4g}" for v in y],
        "text": [[f"{m:.4g} ± {e:.2g}" for m, e in zip(*row, strict=True)] for row in zip(means, errors, strict=True)],
        "texttemplate": "%{z:.3g}" if means.size <= 100 else "", "colorscale": "Viridis", "xgap": 1, "ygap": 1,
        "hovertemplate": f"{titles[0]} %{{x}}<br>{titles[1]} %{{y}}<br>%{{text}}<extra></extra>",
        "colorbar": {
            "title": {"text": Plotly(titles[2]), "side": "right"}, "thickness": 14, "tickfont": {"color": look.text}
        },
    }  # fmt: skip
    margin = {"l": 70, "r": 10, "t": 8, "b": 48}
    layout = base_layout(look, 460, margin=margin, dragmode=False, xaxis=axes[0], yaxis=axes[1])
    return {"data": [trace], "layout": layout}


def heat_maps(
    maps: Sequence[Array],
    titles: Sequence[str],
    names: Sequence[str],
    look: Look,
    height: int,
    empty: Plotly = Axis.empty,
) -> dict[str, Any]:
    """Draw square tables of shares from 0 to 1 side by side, each in its learner's colour and below its title."""
    cut = [name if len(name) <= 12 else name[:11] + "…" for name in names]
    longest = max(map(len, cut), default=1)
    above = [wrapped(title, 60 // len(maps)) for title in titles[: len(maps)]]  # letters, on a phone too
    lines = max((title.count("<br>") + 1 for title in above), default=2)
    margin = {"l": 30 + 7 * longest, "r": 10, "t": 10 + 13 * lines, "b": 30 + (7 * longest if longest > 2 else 14)}
    layout = base_layout(look, height + 50, margin=margin, dragmode=False, annotations=[])
    if not maps:
        return empty_figure(empty, layout, look)
    count, shown = len(names), [for_plotly(shortened(name, 48)) for name in names]
    places = list(range(0, count, max(1, -(-count * len(maps) // 30))))  # as many ticks as there is room for
    traces = []
    for i, table in enumerate(maps):
        suffix = "" if i == 0 else str(i + 1)
        left, right = i / len(maps) + 0.01 * (i > 0), (i + 1) / len(maps) - 0.01
        shared = {"fixedrange": True, "showgrid": False, "zeroline": False}
        layout["xaxis" + suffix] = axis_of(
            look,
            {"domain": [left, right], "anchor": "y" + suffix, "tickangle": 0 if longest < 3 else -90,
             "tickvals": places, "ticktext": [for_plotly(cut[k]) for k in places]} | shared,
        )  # fmt: skip
        layout["yaxis" + suffix] = axis_of(
            look,
            {"tickvals": list(range(count)), "ticktext": [for_plotly(name) for name in cut],
             "anchor": "x" + suffix, "autorange": "reversed",
             "showticklabels": i == 0} | shared,
        )  # fmt: skip
        font = {"font": {"size": 10, "color": look.text}, "align": "left"}
        layout["annotations"].append(annotation(above[i], left, 1, look.text) | font)
        color = look.colors[i % 4]
        traces.append(
            {
                "type": "heatmap", "z": table, "zmin": 0, "zmax": 1, "showscale": False, "xgap": 1, "ygap": 1,
                "xaxis": "x" + suffix, "yaxis": "y" + suffix, "x": list(range(count)), "y": list(range(count)),
                "colorscale": [[0, rgba(color, 0.06)], [1, rgba(color, 1)]],
                "text": [[f"true {Plotly(a)}, played {Plotly(b)}" for b in shown] for a in shown],
                "hovertemplate": "%{text}: %{z:.1%}<extra></extra>",
            }
        )  # fmt: skip
    return {"data": traces, "layout": layout}
