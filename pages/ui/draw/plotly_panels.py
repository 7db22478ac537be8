"""Reads a Plotly chart of curves, points, bars or maps as the panels that the drawers of SVG and LaTeX take."""

import html
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from learners.base import Array
from pages.ui.draw.charts import COLORS, PATTERNS, REFERENCE, stairs
from pages.ui.draw.svg import INKS, Frame, SvgCurve, written
from pages.ui.plain import Ours

PaperPanel = tuple[Frame, Sequence[SvgCurve], Sequence[str]]  # with the names of its curves
THIN = 1.5  # pixels, below which a line is
DASHES = {"2px,9px": "wide", "5px,4px": "dash"}  # of a chart, beside those that have a name
VIRIDIS = ("#440154", "#3B528B", "#21918C", "#5EC962", "#FDE725")


def of_plotly(figure: Mapping[str, Any], title: str = "") -> list[PaperPanel]:
    """Return the panels of a chart of curves, points, bars or maps, with the names of their curves.

    Raises
    ------
    ValueError : for a chart that holds none of these.
    """
    if any("error_x" in trace for trace in figure["data"]):
        figure = _upright(figure)
    layout: Mapping[str, Any] = figure["layout"]
    found: list[PaperPanel] = []
    places = list(dict.fromkeys(trace.get("xaxis", "x") for trace in figure["data"]))
    above = [str(note["text"]) for note in layout.get("annotations") or () if note.get("y", 0) and note.get("text")]
    for number, place in enumerate(places):
        traces = [trace for trace in figure["data"] if trace.get("xaxis", "x") == place]
        across, down = (layout.get(f"{axis}axis{place[1:]}", {}) for axis in "xy")
        curves, names = _marks(traces)
        if not curves:
            continue
        words = [str((axis.get("title") or {}).get("text") or "") for axis in (across, down)]
        columns, rows = (_named(axis, traces, key) for axis, key in ((across, "x"), (down, "y")))
        heading = title if len(places) == 1 else _plain(above[number]) if number < len(above) else ""
        maps = [trace for trace in traces if trace["type"] == "heatmap" and "hoverinfo" not in trace]
        if maps and not any(written(curve) for curve in curves):
            heading += " (colours from {:.3g} to {:.3g})".format(*_range(maps[0]))
        log_x, log_y = (axis.get("type") == "log" for axis in (across, down))
        low, high = down.get("range") or (0, 0)
        ends = None if log_y or low == high else (float(low), float(high))
        if rows:
            ends = (len(rows) - 0.5, -0.5) if down.get("autorange") == "reversed" else (-0.5, len(rows) - 0.5)
        told = _references(layout, place[1:], curves, ends)
        curves, names = curves + [curve for curve, _ in told], names + [name for _, name in told]
        found.append((Frame(heading, words[0], words[1], columns, log_x, log_y, ends, rows), curves, names))
    if not found:
        raise ValueError("this chart has no curves, points, bars or cells")
    return found


def _upright(figure: Mapping[str, Any]) -> dict[str, Any]:
    """Return a chart of values one below the other with these side by side."""
    traces = [trace | {"x": [-y for y in trace["y"]], "y": trace["x"], "error_y": trace["error_x"]}
              for trace in figure["data"]]  # fmt: skip
    layout = figure["layout"]
    across = layout["yaxis"] | {"tickvals": [-y for y in layout["yaxis"]["tickvals"]]}
    return {"data": traces, "layout": layout | {"xaxis": across, "yaxis": layout["xaxis"]}}


def _plain(text: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", text)).replace("\xa0", " ")


def _named(axis: Mapping[str, Any], traces: Sequence[Mapping[str, Any]], key: str) -> list[str]:
    """Return the names of the places of an axis, if it has names."""
    if axis.get("type") == "category":
        return [_plain(str(name)) for name in dict.fromkeys(name for trace in traces for name in trace[key])]
    ticks, said = axis.get("tickvals"), axis.get("ticktext")
    placed = any(trace["type"] in ("bar", "heatmap") or "error_y" in trace for trace in traces)
    if ticks is None or said is None or not placed:
        return []
    names = dict(zip(ticks, said, strict=True))
    return [_plain(str(names.get(i, ""))) for i in range(1 + max(int(max(trace[key])) for trace in traces))]


def _marks(traces: Sequence[Mapping[str, Any]]) -> tuple[list[SvgCurve], list[str]]:
    """Return what the traces of a panel draw, the topmost first, and the names of the curves."""
    curves, names, colors = [], [], list(COLORS)
    band: Mapping[str, Any] | None = None
    for trace in traces:
        kind, line, marker = trace.get("type", "scatter"), trace.get("line") or {}, trace.get("marker") or {}
        if kind == "scatter" and trace.get("fill"):
            band = trace
            continue
        x, y = (np.asarray(trace.get(axis, ()), dtype=object) for axis in "xy")
        if kind not in ("scatter", "bar", "heatmap") or not len(x) or not len(y):
            continue
        if any(isinstance(one, str) for one in (*x, *(y if kind == "heatmap" else ()))):
            x, y = np.arange(len(x)), np.arange(len(y)) if kind == "heatmap" else y
        x, y, name = x.astype(float), y.astype(float), str(trace.get("name") or "").split("<")[0]
        if kind == "heatmap":
            values = np.asarray(trace["z"], dtype=float)
            made = [SvgCurve(x, y, np.zeros(len(y)), Ours("black"), cells=values, inks=_shades(values, trace))]
        elif kind == "scatter" and "lines" in trace.get("mode", "lines"):
            color = str(line.get("color") or marker.get("color") or "")
            shade = INKS[colors.index(color)] if color in colors else Ours("black")
            dash = str(line.get("dash") or "solid")
            dash = DASHES.get(dash, dash if dash in PATTERNS else "dot")
            pieces = [slice(None)]
            if (trace.get("meta") or {}).get("runs"):  # with a gap after each
                gaps = np.flatnonzero(np.isnan(x))
                pieces = [slice(first, gap) for first, gap in zip((0, *gaps + 1), gaps, strict=False)]
                shade = cast(Ours, _hex(rgb_of(color)))
            made = []
            for piece in pieces:
                along, up, stepped = x[piece], y[piece], line.get("shape") == "hv"
                error = _error(band, along, up, stepped)
                if stepped:
                    (along, up), error = stairs(along, up), np.repeat(error, 2, axis=-1)[..., :-1]
                made.append(SvgCurve(along, up, error, shade, dash, thin=line.get("width", THIN) < THIN))
            band = None
        else:
            each = marker.get("color")
            each = [str(each)] * len(x) if each is None or isinstance(each, str) else list(map(str, each))
            about = trace.get("error_y") or {}
            errors = np.array(about.get("array", np.zeros(len(x))), dtype=float)
            if "arrayminus" in about:
                errors = np.stack([np.array(about["arrayminus"], dtype=float), errors])
            inks = np.array([_hex(rgb_of(color)) if color[:1] in ("#", "r") else "black" for color in each])
            said, bars, made, told = trace.get("text"), kind == "bar", [], []
            for ink in dict.fromkeys(inks):
                own = inks == ink
                kept = INKS[colors.index(ink)] if ink in colors else cast(Ours, str(ink))
                made.append(SvgCurve(x[own], y[own], errors[..., own], kept, loose=not bars, bars=bars))
                told.append(
                    str(said[int(own.argmax())]).split(": ")[-1] if isinstance(said, list) and not bars else name
                )
            names += [_plain(each) if not bars else "" for each in told]
            curves += made
            continue
        curves += made
        names += [name] * len(made)
    # a map lies below the rest
    order = sorted(range(len(curves)), key=lambda i: curves[i].cells is not None)
    return [curves[i] for i in order], [names[i] for i in order]


def _range(trace: Mapping[str, Any]) -> tuple[float, float]:
    """Return the values of the first and the last colour of a map."""
    values = np.asarray(trace["z"], dtype=float)
    low, high = trace.get("zmin"), trace.get("zmax")
    return float(np.nanmin(values) if low is None else low), float(np.nanmax(values) if high is None else high)


def _shades(values: Array, trace: Mapping[str, Any]) -> Array:
    """Return the colours of the cells of a map, those without a value white."""
    low, high = _range(trace)
    scale = trace.get("colorscale")
    if isinstance(scale, str) or scale is None:
        scale = [(i / (len(VIRIDIS) - 1), color) for i, color in enumerate(VIRIDIS)]
    share = np.nan_to_num((values - low) / ((high - low) or 1))
    stops = np.array([float(at) for at, _ in scale])
    parts = [np.interp(share, stops, [rgb_of(color)[k] for _, color in scale]).round().astype(int) for k in range(3)]
    found = np.array([_hex(rgb) for rgb in zip(*(part.ravel() for part in parts), strict=True)], dtype=object)
    shaped = found.reshape(values.shape)
    shaped[~np.isfinite(values)] = "#FFFFFF"
    return np.asarray(shaped)


def _error(band: Mapping[str, Any] | None, x: Array, y: Array, stepped: bool) -> Array:
    """Return half the width of a band around a curve (points,), or how far it reaches below and above (2, points)."""
    if band is None or not len(band["x"]):
        return np.zeros(len(x))
    places, edge = (np.asarray(band[axis], dtype=float) for axis in "xy")
    n, each = len(places) // 2, 1 + stepped  # of its steps the corner at their beginning
    high, low = (np.interp(x, places[:n:each], part[::each]) for part in (edge[:n], edge[n:][::-1]))
    even = np.abs((high + low) / 2 - y) <= 1e-6 * np.maximum(np.abs(y), np.abs(high - low))
    return np.asarray((high - low) / 2 if even[np.isfinite(y)].all() else np.stack([y - low, high - y]))


def _references(
    layout: Mapping[str, Any], number: str, curves: Sequence[SvgCurve], ends: tuple[float, float] | None
) -> list[tuple[SvgCurve, str]]:
    """Return the lines across a panel to compare with, each with what it stands for."""
    found = []
    for note in layout.get("annotations") or ():
        at = note.get("y")
        if note.get("name") == REFERENCE and note["yref"] == f"y{number}" and (not ends or ends[0] <= at <= ends[1]):
            x = np.concatenate([curve.x for curve in curves])
            along, up = np.array([np.nanmin(x), np.nanmax(x)]), np.full(2, float(at))
            line = SvgCurve(along, up, np.zeros(2), Ours("black"), "dash", thin=True)
            found.append((line, _plain(str(note["text"]))))
    return found


def rgb_of(color: str) -> tuple[int, ...]:
    """Return red, green and blue of a colour, of a transparent one as it looks on white.

    >>> rgb_of("#0072B2"), rgb_of("rgba(0,114,178,0.5)")
    ((0, 114, 178), (128, 184, 216))
    """
    if color.startswith("#"):
        return tuple(int(color[i : i + 2], 16) for i in (1, 3, 5))
    *parts, alpha = map(float, re.findall(r"[\d.]+", color))
    return tuple(round(255 + (part - 255) * alpha) for part in parts)


def _hex(rgb: Sequence[int]) -> str:
    return "#{:02X}{:02X}{:02X}".format(*rgb)
