"""Curves over steps or over a parameter as Plotly figures, and what all figures share.

Nothing here knows of Streamlit. Figures are plain dictionaries, because a run that plays makes them several times a
second, and Plotly's check of every property would cost more than the drawing.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.draw.hues import hues
from pages.ui.plain import Plotly, for_plotly

# Okabe & Ito's colours, safe for colour-blind eyes, with a dash of its own for each learner
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
OTHER, OTHER_ON_DARK = "#8A7000", "#F0E442"  # their yellow, darkened for a light page
ON_DARK = ("#56B4E9", "#F28E4B", "#2CC295", "#E39BC4")  # the same hues, lighter
RAMP = ("#EDF1F5", "#FADDB0", "#F0A04E", "#CC5A10", "#7A2A00")  # one hue: the lightness alone tells
RAMP_ON_DARK = ("#222A35", "#5E3A20", "#A85C26", "#E8924A", "#FFCF94")
DASHES = ("solid", "dash", "dashdot", "longdash")  # dots are for bounds
PATTERNS = {"solid": "", "dash": "8 4", "dashdot": "8 3 2 3", "longdash": "14 5", "dot": "2 4", "wide": "2 9"}  # of SVG
POINTS = 300  # at most, per curve
REFERENCE = "reference"  # name of the annotation of a line to compare with, by which the player finds it
EMPTY = "empty"  # of what an empty chart says, which the browser breaks into lines
THREE_DECIMALS = Plotly("%{y:.3f}")  # a value on hover
FIRST_STEPS = 16  # steps of which each has its point, for those who go step by step


@dataclass(frozen=True)
class Curve:
    """One learner's values at some steps.

    slot : number of the learner, which gives colour and dash. x : (points,) steps. values : (points, R).
    faint : whether it is a learner's second curve, drawn thin and without a band.
    bound : 1 or 2 for the learner's first or second bound, 0 for what was measured. steps : whether a value stays
    until the next, so that the curve is drawn as steps.
    """

    label: str
    slot: int
    x: Array
    values: Array
    faint: bool = False
    bound: int = 0
    steps: bool = False


@dataclass(frozen=True)
class Axis:
    """The axes of a chart.

    y_range : fixed limits in data units, upside down if the first is larger.
    hover : number format of the values on hover. empty : what the chart says while there is nothing to draw.
    reference : a value to compare with, drawn as a line across the chart, and what it stands for.
    """

    title: str
    x_log: bool = False
    y_log: bool = False
    x_max: float = 1000
    y_range: tuple[float, float] | None = None
    hover: str = ".3g"
    empty: Plotly = Plotly("Press Play or Step,<br>and the curves appear here.")  # a line for a narrow chart
    x_title: Plotly = Plotly("step t")
    reference: tuple[float, str] | None = None


@dataclass(frozen=True)
class Look:
    """Colours that depend on the theme, and dashes.

    colors, dashes : by number, or of the learners of a race (`raced`). ramp : from the best to the worst value, further
    and further off the page. other : of what would have been.
    """

    text: str = "#1B1F24"
    grid: str = "#E3E7EC"
    colors: tuple[str, ...] = COLORS
    ramp: tuple[str, ...] = RAMP
    ground: str = "#FFFFFF"
    dashes: tuple[str, ...] = DASHES
    other: str = OTHER

    @classmethod
    def of(cls, theme: str | None) -> Look:
        """Return the look for "light" or "dark"."""
        dark = cls("#E8ECF1", "#2C3541", ON_DARK, RAMP_ON_DARK, "#12161C", DASHES, OTHER_ON_DARK)
        return dark if theme == "dark" else cls()

    def raced(self, ids: Sequence[str]) -> Look:
        """Return the look of a race of learners (ids), in which each has its own colour and dash.

        It is made from a look that is not that of a race.
        """
        order = hues(ids)[: len(self.colors)]
        order += [hue for hue in range(len(self.colors)) if hue not in order]
        of, dash = self.colors, self.dashes
        return replace(self, colors=tuple(of[hue] for hue in order), dashes=tuple(dash[hue] for hue in order))


def rows_to_draw(t: int, steps: int, log: bool) -> Array:
    """Return the row numbers (0…t − 1) to draw after t of `steps` steps, at most `POINTS`.

    The first `FIRST_STEPS` and the last are always among them.

    The grid depends on `steps` alone, so that points already drawn stay where they are.

    >>> rows_to_draw(22, 1000, log=False)
    array([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 19,
           21])
    """
    if t == 0:
        return np.empty(0, dtype=int)
    if log:
        grid = np.unique(np.geomspace(1, max(steps, 2), POINTS - 1).round().astype(int)) - 1
    else:
        stride = max(1, int(np.ceil(steps / (POINTS - FIRST_STEPS - 1))))
        grid = np.concatenate([np.arange(min(FIRST_STEPS, steps)), np.arange(stride - 1, steps, stride)])
    return np.unique(np.append(grid[grid < t], t - 1))


def line_chart(
    curves: Sequence[Curve], axis: Axis, band: str = "standard error", look: Look = Look(), height: int = 260
) -> dict[str, Any]:
    """Draw mean curves with bands over the replicates, or single runs.

    band : "standard error", "10–90 %", "none" or "single runs".
    """
    traces: list[dict[str, Any]] = []
    heights: list[float] = []
    for curve in curves:
        color, dash = look.colors[curve.slot % 4], look.dashes[curve.slot % 4]
        mean = mean_of(curve.values)
        line = {"color": color, "dash": dash, "width": 2.2}
        if curve.bound:
            line = {"color": color, "dash": "2px,4px" if curve.bound == 1 else "2px,9px", "width": 1.4}
        elif curve.faint:
            line = {"color": color, "dash": dash, "width": 1.1}
        if curve.steps:
            line["shape"] = "hv"
        plain = curve.bound or curve.faint
        if not plain and len(curve.x) and curve.values.shape[1] > 1:
            if band == "single runs":
                runs = _single_runs(curve, color)
                runs["line"] |= {"shape": "hv"} if curve.steps else {}
                traces.append(runs | {"meta": {"runs": True}})
            elif band != "none":
                low, high = band_of(curve.values, band)
                traces.append(ribbon(curve.x, low, high, color, axis.y_log, curve.steps))
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
                "hovertemplate": f"%{{y:{axis.hover}}}<extra>{for_plotly(curve.label)}</extra>",
                "meta": {"slot": curve.slot, "faint": curve.faint, "bound": curve.bound, "steps": curve.steps},
            }
        )
    y: dict[str, Any] = {"type": "log"} if axis.y_log else {"rangemode": "tozero"}
    if axis.y_range and not axis.y_log:
        y = {"range": list(axis.y_range)}
    hidden = False  # whether a bound ends above the picture
    if heights and not axis.y_log and not axis.y_range:
        bounds = [float(mean_of(c.values)[-1]) for c in curves if c.bound and len(c.x)]
        top = max(heights)
        hidden = any(b >= 1.5 * top for b in bounds)
        y["range"] = [
            min(0.0, _lowest(curves)),
            _round_up(max([top, *(1.1 * b for b in bounds if b < 1.5 * top)])) or (0 if _lowest(curves) < 0 else 1),
        ]
    known = [mean[mean > 0] for mean in (mean_of(curve.values) for curve in curves) if (mean > 0).any()]
    if axis.y_log and known and np.ptp(np.log10(np.concatenate(known))) < 3:
        y |= log_ticks(np.concatenate(known))  # Plotly's own have tiny digits in between
    elif axis.y_log:
        y["dtick"] = 1
    if axis.y_range and axis.y_range[0] > axis.y_range[1]:  # ranks: a tick at 1
        y |= {"tick0": 1, "dtick": max(1, round((axis.y_range[0] - 1) / 5))}
    x = {"title": {"text": Plotly(axis.x_title), "standoff": 4}} | _x_range(axis)
    layout = base_layout(
        look, height, hovermode="x unified",
        xaxis=axis_of(look, x), yaxis=axis_of(look, {"nticks": 6} | y),
    )  # fmt: skip
    if not any(len(c.x) for c in curves):
        layout["annotations"] = [words(axis.empty, look)]
        return {"data": traces, "layout": layout}
    layout["annotations"] = []
    if hidden:
        above = annotation("a bound lies above the picture", 1, 1, look.text)
        layout["annotations"].append(above | {"xanchor": "right", "yanchor": "top"})
    if axis.reference is not None and not axis.y_log:
        value, meaning = axis.reference
        line = {"color": look.text, "width": 1, "dash": "5px,4px"}
        across = {"xref": "paper", "x0": 0, "x1": 1, "yref": "y", "y0": value, "y1": value}
        layout["shapes"] = [{"type": "line", "layer": "below", "opacity": 0.6, "line": line} | across]
        named = annotation(for_plotly(meaning), 1, value, look.text)
        layout["annotations"].append(named | {"yref": "y", "xanchor": "right", "name": REFERENCE})
    return {"data": traces, "layout": layout}


def band_of(values: Array, band: str) -> tuple[Array, Array]:
    """Return the (points,) lower and upper edges of the band around (points, R) values."""
    if band == "10–90 %":
        low, high = np.nanquantile(values, [0.1, 0.9], axis=1)
        return low, high
    mean = mean_of(values)
    known = (~np.isnan(values)).sum(axis=1)
    spread = np.sqrt(np.nansum((values - mean[:, None]) ** 2, axis=1) / np.maximum(known - 1, 1))
    error = np.where(known > 1, spread / np.sqrt(known), np.nan)
    return mean - error, mean + error


def standalone(figure: dict[str, Any], title: str, labels: Sequence[str]) -> str:
    """Return the chart as an HTML page with a legend; it holds Plotly's script and works offline."""
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
    page: str = plotly.io.to_html(own, include_plotlyjs=True, full_html=True)
    return page


def log_ticks(x: Array) -> dict[str, Any]:
    """Return a logarithmic axis with ticks at 1, 2 and 5 times the powers of ten, written out; if many, at 1 and 3.

    >>> log_ticks(np.array([0.01, 20]))["ticktext"]
    ['0.01', '0.03', '0.1', '0.3', '1', '3', '10', '30', '100', '300']
    """
    powers = np.arange(np.floor(np.log10(x.min())), np.ceil(np.log10(x.max())) + 1)
    ticks = (10.0 ** powers[:, None] * ([1, 2, 5] if len(powers) < 4 else [1, 3])).ravel()
    return {"type": "log", "tickvals": ticks.tolist(), "ticktext": [f"{t:g}" for t in ticks]}


def base_layout(look: Look, height: int, **more: Any) -> dict[str, Any]:
    """Return what the layouts of all figures share, with `more` beside or instead."""
    return {
        "height": height, "margin": {"l": 46, "r": 10, "t": 8, "b": 34}, "showlegend": False, "dragmode": "zoom",
        "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)", "font": {"color": look.text, "size": 12},
        "hoverlabel": {
            "bgcolor": look.ground, "bordercolor": look.grid, "font": {"size": 12, "color": look.text},
            "namelength": -1,
        },
    } | more  # fmt: skip


def empty_figure(text: Plotly, layout: dict[str, Any], look: Look) -> dict[str, Any]:
    """Return a figure without axes that says why it is empty."""
    hidden = {"visible": False}
    return {"data": [], "layout": layout | {"annotations": [words(text, look)], "xaxis": hidden, "yaxis": hidden}}


def annotation(text: Plotly, x: float, y: float, color: str) -> dict[str, Any]:
    """Return a small text that stands with its lower left corner at (x, y), both from 0 to 1 across the figure."""
    return {
        "text": Plotly(text), "showarrow": False, "xref": "paper", "yref": "paper", "x": x, "y": y, "xanchor": "left",
        "yanchor": "bottom", "font": {"size": 11, "color": color},
    }  # fmt: skip


def words(text: Plotly, look: Look) -> dict[str, Any]:
    """Return a text in the middle of an empty chart."""
    centred = {"xanchor": "center", "yanchor": "middle", "font": {"size": 13, "color": look.text}, "name": EMPTY}
    return annotation(text, 0.5, 0.5, look.text) | centred


def wrapped(title: str, room: int) -> Plotly:
    """Break a title of a figure into lines of `room` letters at most, where it has spaces; nothing is cut.

    >>> wrapped("Perceptron (told the truth), p = 0.5", 16)
    'Perceptron (told<br>the truth),<br>p\xa0=\xa00.5'
    """
    lines = textwrap.wrap(for_plotly(title).replace(" = ", "\xa0=\xa0"), max(room, 1), break_long_words=False)
    return Plotly("<br>".join(lines))


def shortened(title: str, room: int) -> str:
    """Cut a title in the middle to `room` letters, since learners are told apart by either end.

    >>> shortened("Ranking SVM (batch), C = 0.01", 20)
    'Ranking S… C = 0.01'
    """
    half = (room - 1) // 2
    return title if len(title) <= room else f"{title[:half]}…{title[-half:]}"


def _round_up(value: float) -> float:
    """Return a round number above a positive one, so that an axis seldom changes while its curves grow.

    >>> _round_up(0.83), _round_up(0.0)
    (1.0, 0.0)
    """
    if value <= 0:
        return 0.0
    power = 10.0 ** np.floor(np.log10(value))
    return float(next(step * power for step in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12) if step * power >= value))


def mean_of(values: Array) -> Array:
    """Return the (points,) means over the replicates that have a value, NaN where none has."""
    if not values.size:
        return np.empty(0)
    known = (~np.isnan(values)).sum(axis=1)
    return np.where(known > 0, np.nansum(values, axis=1) / np.maximum(known, 1), np.nan)


def _lowest(curves: Sequence[Curve]) -> float:
    return min((float(np.nanmin(mean_of(c.values), initial=0.0)) for c in curves if not c.bound), default=0.0) * 1.06


def _x_range(axis: Axis) -> dict[str, Any]:
    if axis.x_log:
        return {"type": "log", "range": [0, float(np.log10(max(axis.x_max, 2)))], "dtick": 1}
    return {"range": [0, axis.x_max]}


def axis_of(look: Look, more: dict[str, Any]) -> dict[str, Any]:
    """Return an axis in the colours of the theme, with `more` beside or instead."""
    return {
        "gridcolor": look.grid, "zerolinecolor": look.grid, "linecolor": look.grid,
        "tickfont": {"color": look.text, "size": 11}, "automargin": False, "fixedrange": False,
    } | more  # fmt: skip


def light(trace: Mapping[str, Any]) -> dict[str, Any]:
    """Return a trace with its arrays in single precision, which is shorter and still finer than any screen."""
    return {k: _single(v) if isinstance(v, np.ndarray) else v for k, v in trace.items()}


def _single(values: Array) -> Array:
    return np.ascontiguousarray(values, dtype=np.float32 if values.dtype.kind == "f" else None)


def rgba(color: str, alpha: float) -> str:
    """Return a colour such as "#0072B2" with an opacity from 0 to 1."""
    r, g, b = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({r},{g},{b},{alpha})"


def stairs(x: Array, y: Array) -> tuple[Array, Array]:
    """Return the corners of a curve (points,) whose values stay until the next point.

    >>> stairs(np.array([1, 5]), np.array([0, 7]))
    (array([1, 5, 5]), array([0, 0, 7]))
    """
    return np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]


def line(
    x: Array, y: Array, name: str, color: str, dash: str, width: float = 2.2, hover: Plotly = THREE_DECIMALS,
    dots: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Return a curve as a trace. hover : its values as they are told on hover. dots : whether each value has a dot."""
    return {
        "type": "scatter", "mode": "lines+markers" if dots else "lines", "x": x, "y": y, "name": name,
        "showlegend": False, "line": {"color": color, "dash": dash, "width": width},
        "marker": {"size": 5, "color": color}, "hovertemplate": f"{hover}<extra>{for_plotly(name)}</extra>",
    }  # fmt: skip


def ribbon(x: Array, low: Array, high: Array, color: str, y_log: bool, steps: bool = False) -> dict[str, Any]:
    """Return the band between two (points,) curves as a trace. steps : whether the curves are drawn as steps."""
    there = np.isfinite(low) & np.isfinite(high)
    x, low, high = x[there], low[there], high[there]
    if steps:
        (_, low), (x, high) = stairs(x, low), stairs(x, high)
    if y_log:
        low = np.maximum(low, high * 1e-3)
    return {
        "type": "scatter", "mode": "lines", "x": np.concatenate([x, x[::-1]]),
        "y": np.concatenate([high, low[::-1]]), "fill": "toself", "fillcolor": rgba(color, 0.18),
        "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False,
    }  # fmt: skip


def _single_runs(curve: Curve, color: str, most: int = 8) -> dict[str, Any]:
    """Return up to `most` runs as one trace, separated by gaps."""
    runs = curve.values[:, :most]
    x = np.tile(np.append(curve.x.astype(float), np.nan), runs.shape[1])
    y = np.concatenate([runs, np.full((1, runs.shape[1]), np.nan)]).T.ravel()
    return {
        "type": "scatter", "mode": "lines", "x": x, "y": y, "line": {"color": rgba(color, 0.35), "width": 0.8},
        "hoverinfo": "skip", "showlegend": False,
    }  # fmt: skip
