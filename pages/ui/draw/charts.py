"""Plotly figures, made from arrays; nothing here knows of Streamlit.

Figures are plain dictionaries: while a run plays they are made several times a second, and checking
every property each time would cost more than drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

# Okabe & Ito's colours, safe for colour-blind eyes, with a dash of its own for each learner
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
ON_DARK = ("#56B4E9", "#F28E4B", "#2CC295", "#E39BC4")  # the same hues, lighter
DASHES = ("solid", "dash", "dashdot", "longdash")  # dots are for bounds
POINTS = 300  # at most, per curve


@dataclass(frozen=True)
class Curve:
    """One learner's values at some steps: `values` is (points, R)."""

    label: str
    slot: int  # which colour and dash
    x: Array
    values: Array
    faint: bool = False  # the second curve of a learner: thin and without a band
    bound: int = 0  # the learner's first or second bound


@dataclass(frozen=True)
class Axis:
    """How a chart's axes look."""

    title: str
    x_log: bool = False
    y_log: bool = False
    x_max: float = 1000
    y_range: tuple[float, float] | None = None  # fixed, in data units; upside down if the first is larger
    hover: str = ".3g"
    empty: str = "Press Play or Step: the curves appear here."
    x_title: str = "step t"


@dataclass(frozen=True)
class Look:
    """Colours that depend on the theme."""

    text: str = "#1B1F24"
    grid: str = "#E3E7EC"
    colors: tuple[str, ...] = COLORS

    @classmethod
    def of(cls, theme: str | None) -> Look:
        """The look for "light" or "dark"."""
        return cls("#E8ECF1", "#2C3541", ON_DARK) if theme == "dark" else cls()


def rows_to_draw(t: int, steps: int, log: bool) -> Array:
    """Row numbers (0…t − 1) to draw after t of `steps` steps: at most `POINTS`, the last always among them.

    The grid depends on `steps` alone, so that points already drawn stay where they are.

    >>> rows_to_draw(5, 1000, log=False)
    array([0, 3, 4])
    """
    if t == 0:
        return np.empty(0, dtype=int)
    if log:
        grid = np.unique(np.geomspace(1, max(steps, 2), POINTS - 1).round().astype(int)) - 1
    else:
        stride = max(1, int(np.ceil(steps / (POINTS - 2))))
        grid = np.concatenate([[0], np.arange(stride - 1, steps, stride)])
    return np.unique(np.append(grid[grid < t], t - 1))


def line_chart(
    curves: Sequence[Curve], axis: Axis, band: str = "standard error", look: Look = Look(), height: int = 260
) -> dict[str, Any]:
    """Mean curves with bands over replicates, or single runs.

    band : "standard error", "10–90 %", "none" or "single runs".
    """
    traces: list[dict[str, Any]] = []
    heights: list[float] = []
    for curve in curves:
        color, dash = look.colors[curve.slot % 4], DASHES[curve.slot % 4]
        mean = _mean(curve.values)
        line = {"color": color, "dash": dash, "width": 2.2}
        if curve.bound:
            line = {"color": color, "dash": "2px,4px" if curve.bound == 1 else "2px,9px", "width": 1.4}
        elif curve.faint:
            line = {"color": color, "dash": dash, "width": 1.1}
        plain = curve.bound or curve.faint
        if not plain and len(curve.x) and curve.values.shape[1] > 1:
            if band == "single runs":
                traces.append(_single_runs(curve, color))
            elif band != "none":
                low, high = band_of(curve.values, band)
                traces.append(ribbon(curve.x, low, high, color, axis.y_log))
                heights += [float(np.nanmax(high, initial=0.0))]
        if not curve.bound:
            heights += [float(np.nanmax(mean, initial=0.0))]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines" if len(curve.x) > 2 else "lines+markers",  # a line needs points to be seen
                "marker": {"size": 5, "color": color},
                "name": curve.label,
                "x": curve.x,
                "y": mean,
                "line": line,
                "showlegend": False,
                "opacity": 0.85 if plain else 1,
                "hovertemplate": f"%{{y:{axis.hover}}}<extra>{curve.label}</extra>",
            }
        )
    y: dict[str, Any] = {"type": "log"} if axis.y_log else {"rangemode": "tozero"}
    if axis.y_range and not axis.y_log:
        y = {"range": list(axis.y_range)}
    hidden = False  # whether a bound ends above the picture
    if heights and not axis.y_log and not axis.y_range:
        bounds = [float(_mean(c.values)[-1]) for c in curves if c.bound and len(c.x)]
        top = max(heights) * 1.06
        hidden = any(b >= 1.5 * top for b in bounds)
        y["range"] = [
            min(0.0, _lowest(curves)),
            max([top, *(1.1 * b for b in bounds if b < 1.5 * top)]) or (0 if _lowest(curves) < 0 else 1),
        ]
    if axis.y_range and axis.y_range[0] > axis.y_range[1]:  # ranks: a tick at 1
        y |= {"tick0": 1, "dtick": max(1, round((axis.y_range[0] - 1) / 5))}
    layout = {
        "height": height, "margin": {"l": 46, "r": 10, "t": 8, "b": 34},
        "hovermode": "x unified", "showlegend": False, "dragmode": "zoom",
        "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": look.text, "size": 12}, "hoverlabel": {"font": {"size": 12}, "namelength": -1},
        "xaxis": axis_of(look, {"title": {"text": axis.x_title, "standoff": 4}} | _x_range(axis)),
        "yaxis": axis_of(look, {"nticks": 6} | y),
    }  # fmt: skip
    if not any(len(c.x) for c in curves):
        layout["annotations"] = [words(axis.empty, look)]
    elif hidden:
        layout["annotations"] = [
            {
                "text": "↑ a bound lies above the picture", "showarrow": False, "xref": "paper", "yref": "paper",
                "x": 1, "y": 1, "xanchor": "right", "yanchor": "top", "font": {"size": 11, "color": look.text},
            }
        ]  # fmt: skip
    return {"data": traces, "layout": layout}


def band_of(values: Array, band: str) -> tuple[Array, Array]:
    """(points,) lower and upper edge over the replicates of (points, R) values."""
    if band == "10–90 %":
        low, high = np.nanquantile(values, [0.1, 0.9], axis=1)
        return low, high
    mean = _mean(values)
    known = (~np.isnan(values)).sum(axis=1)
    spread = np.sqrt(np.nansum((values - mean[:, None]) ** 2, axis=1) / np.maximum(known - 1, 1))
    error = np.where(known > 1, spread / np.sqrt(known), np.nan)
    return mean - error, mean + error


def standalone(figure: dict[str, Any], title: str, labels: Sequence[str]) -> str:
    """The chart as an HTML page of its own, with a legend; holds Plotly's script, so it works offline."""
    import plotly.graph_objects as go
    import plotly.io

    own = go.Figure(figure, skip_invalid=True)
    own.update_layout(
        title=title, height=560, showlegend=True, margin={"l": 60, "r": 20, "t": 60, "b": 50},
        paper_bgcolor="#fff", plot_bgcolor="#fff", font={"color": "#1B1F24", "size": 14}, annotations=[],
    )  # fmt: skip
    own.update_xaxes(gridcolor="#E3E7EC")
    own.update_yaxes(gridcolor="#E3E7EC")
    for trace in own.data:
        trace.showlegend = trace.name is not None
    return plotly.io.to_html(own, include_plotlyjs=True, full_html=True)


def bars(labels: Sequence[str], values: Sequence[float], look: Look, color: str, height: int = 200) -> dict[str, Any]:
    """A plain bar chart."""
    return {
        "data": [{"type": "bar", "x": list(labels), "y": list(values), "marker": {"color": color},
                  "hovertemplate": "%{x}: %{y:.4g}<extra></extra>"}],
        "layout": {
            "height": height, "margin": {"l": 46, "r": 10, "t": 8, "b": 34}, "bargap": 0.25,
            "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"color": look.text, "size": 12},
            "xaxis": axis_of(look, {"type": "category", "nticks": 20, "automargin": True}), "yaxis": axis_of(look, {"nticks": 5}),
        },
    }  # fmt: skip


def parameter_chart(
    series: Sequence[tuple[str, Array, Array]],
    axis: Axis,
    x_title: str,
    band: str = "standard error",
    look: Look = Look(),
    height: int = 380,
) -> dict[str, Any]:
    """What came out for each value of a parameter: means with bands; series are name, x (points,) and values (points, R)."""
    curves = [Curve(name, slot, x, values) for slot, (name, x, values) in enumerate(series)]
    made = line_chart(curves, replace(axis, x_log=False), band, look, height)
    several = len(series) > 1
    for trace in made["data"]:
        if trace.get("name"):
            trace |= {"mode": "lines+markers", "marker": {"size": 7, "color": trace["line"]["color"]}}
            name = f"<extra>{trace['name']}</extra>" if several else "<extra></extra>"
            trace["hovertemplate"] = f"{x_title} %{{x:.4g}}<br>%{{y:{axis.hover}}}{name}"
    every = np.concatenate([x for _, x, _ in series])
    ticks = _log_ticks(every) if axis.x_log and every.min() > 0 else {}
    made["layout"] |= {
        "hovermode": "closest",
        "xaxis": axis_of(look, {"title": {"text": x_title, "standoff": 4}} | ticks),
    }
    return made


def _log_ticks(x: Array) -> dict[str, Any]:
    """A logarithmic axis with ticks at 1, 2 and 5 times the powers of ten, written out."""
    powers = np.arange(np.floor(np.log10(x.min())), np.ceil(np.log10(x.max())) + 1)
    ticks = (10.0 ** powers[:, None] * [1, 2, 5]).ravel()
    return {"type": "log", "tickvals": ticks.tolist(), "ticktext": [f"{t:g}" for t in ticks]}


def surface(
    x: Array, y: Array, means: Array, errors: Array, titles: tuple[str, str, str], look: Look, height: int = 460
) -> dict[str, Any]:
    """A heat map of means over two parameters; means and errors are (len(y), len(x)), NaN where nothing is known."""
    text = [[f"{m:.4g} ± {e:.2g}" for m, e in zip(*row, strict=True)] for row in zip(means, errors, strict=True)]
    # equal cells, whatever the spacing of the values
    axes = [
        axis_of(
            look, {"type": "category", "title": {"text": title, "standoff": 6}, "fixedrange": True, "showgrid": False}
        )
        for title in titles[:2]
    ]
    return {
        "data": [
            {
                "type": "heatmap", "z": means, "x": [f"{v:.4g}" for v in x], "y": [f"{v:.4g}" for v in y], "text": text,
                "texttemplate": "%{z:.3g}" if means.size <= 100 else "",
                "colorscale": "Viridis", "hovertemplate": f"{titles[0]} %{{x}}<br>{titles[1]} %{{y}}<br>%{{text}}<extra></extra>",
                "colorbar": {"title": {"text": titles[2], "side": "right"}, "thickness": 14, "tickfont": {"color": look.text}},
                "xgap": 1, "ygap": 1,
            }
        ],
        "layout": {
            "height": height, "margin": {"l": 70, "r": 10, "t": 8, "b": 48}, "dragmode": False,
            "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"color": look.text, "size": 12}, "xaxis": axes[0], "yaxis": axes[1],
        },
    }  # fmt: skip


def histograms(values: Sequence[Array], x_title: str, look: Look, height: int = 260) -> dict[str, Any]:
    """How the values of each learner are spread: outlines in the learners' colours and dashes, on common bins."""
    every = np.concatenate([*values, np.empty(0)])
    layout: dict[str, Any] = {
        "height": height, "margin": {"l": 46, "r": 10, "t": 8, "b": 34}, "showlegend": False, "dragmode": "zoom",
        "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)", "font": {"color": look.text, "size": 12},
        "xaxis": axis_of(look, {"title": {"text": x_title, "standoff": 4}}),
        "yaxis": axis_of(look, {"nticks": 5, "rangemode": "tozero", "tickformat": ".0%"}),
    }  # fmt: skip
    if not every.size:
        return {"data": [], "layout": layout | {"annotations": [words(Axis.empty, look)]}}
    low, high = np.quantile(every, [0.005, 0.995])
    edges = np.linspace(low, high if high > low else low + 1, 41)
    traces = []
    for slot, found in enumerate(values):
        if found.size:
            shares = np.histogram(found.clip(edges[0], edges[-1]), bins=edges)[0] / found.size
            traces.append(
                {
                    "type": "scatter", "mode": "lines", "x": edges.repeat(2)[1:-1], "y": shares.repeat(2), "showlegend": False,
                    "line": {"color": look.colors[slot % 4], "dash": DASHES[slot % 4], "width": 2, "shape": "linear"},
                    "hovertemplate": "%{x:.3g}: %{y:.1%}<extra></extra>",
                }
            )  # fmt: skip
    return {"data": traces, "layout": layout}


def heat_maps(
    maps: Sequence[Array], titles: Sequence[str], names: Sequence[str], look: Look, height: int, empty: str = Axis.empty
) -> dict[str, Any]:
    """Square tables of shares from 0 to 1 side by side, each in the colour of its slot and with its title above."""
    shown = [name if len(name) <= 12 else name[:11] + "…" for name in names]
    longest = max(map(len, shown), default=1)
    layout: dict[str, Any] = {
        "height": height + 40, "dragmode": False,
        "margin": {"l": 30 + 7 * longest, "r": 10, "t": 26, "b": 30 + (7 * longest if longest > 2 else 14)},
        "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)", "font": {"color": look.text, "size": 12},
        "annotations": [],
    }  # fmt: skip
    every = max(1, -(-len(names) * len(maps) // 40))  # ticks that are named: as many as there is room for
    places = list(range(0, len(names), every))
    traces = []
    for i, table in enumerate(maps):
        suffix = "" if i == 0 else str(i + 1)
        left, right = i / len(maps) + 0.01 * (i > 0), (i + 1) / len(maps) - 0.01
        ticks = {"tickvals": places, "ticktext": [shown[k] for k in places], "fixedrange": True, "showgrid": False}
        layout["xaxis" + suffix] = axis_of(
            look, ticks | {"domain": [left, right], "anchor": "y" + suffix, "tickangle": 0 if longest < 3 else -90}
        )  # fmt: skip
        layout["yaxis" + suffix] = axis_of(
            look, {**ticks, "tickvals": list(range(len(names))), "ticktext": shown, "anchor": "x" + suffix,
                   "autorange": "reversed", "showticklabels": i == 0}
        )  # fmt: skip
        room = int(60 / len(maps))  # letters, on a phone too
        title = titles[i] if len(titles[i]) <= room else titles[i][: room - 1] + "…"
        layout["annotations"].append(
            {"text": title, "showarrow": False, "xref": "paper", "yref": "paper", "x": left, "y": 1, "xanchor": "left",
             "yanchor": "bottom", "font": {"size": 10, "color": look.text}}
        )  # fmt: skip
        color = look.colors[i % 4]
        traces.append(
            {
                "type": "heatmap", "z": table, "zmin": 0, "zmax": 1, "showscale": False,
                "xaxis": "x" + suffix, "yaxis": "y" + suffix, "xgap": 1, "ygap": 1,
                "colorscale": [[0, rgba(color, 0.06)], [1, rgba(color, 1)]],
                "x": list(range(len(names))), "y": list(range(len(names))),
                "text": [[f"true {a}, played {b}" for b in names] for a in names],
                "hovertemplate": "%{text}: %{z:.1%}<extra></extra>",
            }
        )  # fmt: skip
    if not maps:
        layout |= {"xaxis": {"visible": False}, "yaxis": {"visible": False}}
        layout["annotations"] = [words(empty, look)]
    return {"data": traces, "layout": layout}


def words(text: str, look: Look) -> dict[str, Any]:
    """Words in the middle of an empty chart."""
    return {
        "text": text, "showarrow": False,
        "xref": "paper", "yref": "paper", "x": 0.5, "y": 0.5, "font": {"size": 13, "color": look.text},
    }  # fmt: skip


def _mean(values: Array) -> Array:
    """(points,) means over the replicates that have a value; NaN where none has."""
    if not values.size:
        return np.empty(0)
    known = (~np.isnan(values)).sum(axis=1)
    return np.where(known > 0, np.nansum(values, axis=1) / np.maximum(known, 1), np.nan)


def _lowest(curves: Sequence[Curve]) -> float:
    return min((float(np.nanmin(_mean(c.values), initial=0.0)) for c in curves if not c.bound), default=0.0) * 1.06


def _x_range(axis: Axis) -> dict[str, Any]:
    if axis.x_log:
        return {"type": "log", "range": [0, float(np.log10(max(axis.x_max, 2)))], "dtick": 1}
    return {"range": [0, axis.x_max]}


def axis_of(look: Look, more: dict[str, Any]) -> dict[str, Any]:
    return {
        "gridcolor": look.grid, "zerolinecolor": look.grid, "linecolor": look.grid,
        "tickfont": {"color": look.text, "size": 11}, "automargin": False, "fixedrange": False,
    } | more  # fmt: skip


def rgba(color: str, alpha: float) -> str:
    r, g, b = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({r},{g},{b},{alpha})"


def ribbon(x: Array, low: Array, high: Array, color: str, y_log: bool) -> dict[str, Any]:
    there = np.isfinite(low) & np.isfinite(high)
    x, low, high = x[there], low[there], high[there]
    if y_log:
        low = np.maximum(low, high * 1e-3)
    return {
        "type": "scatter", "mode": "lines", "x": np.concatenate([x, x[::-1]]),
        "y": np.concatenate([high, low[::-1]]), "fill": "toself", "fillcolor": rgba(color, 0.18),
        "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False,
    }  # fmt: skip


def _single_runs(curve: Curve, color: str, most: int = 8) -> dict[str, Any]:
    """Up to eight runs as one trace, separated by gaps."""
    runs = curve.values[:, :most]
    x = np.tile(np.append(curve.x.astype(float), np.nan), runs.shape[1])
    y = np.concatenate([runs, np.full((1, runs.shape[1]), np.nan)]).T.ravel()
    return {
        "type": "scatter", "mode": "lines", "x": x, "y": y, "line": {"color": rgba(color, 0.35), "width": 0.8},
        "hoverinfo": "skip", "showlegend": False,
    }  # fmt: skip
