"""Points of a plane, or of an embedding, side by side for each learner: classes, weights, decision regions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.ui.draw.charts import Look, rgba, words

Array = NDArray[Any]

# of classes: Okabe and Ito's, then two more, all of middle lightness so that they show on light and on dark
PALETTE = (
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#B8A800", "#8C6BB1", "#7F7F7F", "#8C564B",
)  # fmt: skip
SYMBOLS = ("circle", "square", "triangle-up", "cross")  # beyond ten classes the colours begin again
NONE = "#9AA3AD"  # of points without a class
MOST = 600  # points without a label that are drawn in a panel


@dataclass(frozen=True)
class Panel:
    """One learner's view of n points.

    title : its name. places : (n, 2). classes : (n,) what each point is taken for, −1 for nothing. told : (n,) bool,
    whether its label is told. weights : (n,) for the weak learner, or None where there are none. region : (G, G)
    classes predicted on a grid over extent = (x0, x1, y0, y1), rows along y, or None. size : of a point of weight 0.
    says : what the class of a point without a label means.
    """

    title: str
    places: Array
    classes: Array
    told: Array
    weights: Array | None = None
    region: Array | None = None
    extent: tuple[float, float, float, float] | None = None
    size: float = 4.5
    says: str = "taken for"


def shortened(title: str, room: int) -> str:
    """A title that fits: cut in the middle, since what tells learners apart stands at either end.

    >>> shortened("Ranking SVM (batch), C = 0.01", 20)
    'Ranking S… C = 0.01'
    """
    half = (room - 1) // 2
    return title if len(title) <= room else f"{title[:half]}…{title[-half:]}"


def color_of(k: int) -> str:
    """The colour of class k."""
    return PALETTE[k % len(PALETTE)] if k >= 0 else NONE


def planes(panels: Sequence[Panel], names: Sequence[str], look: Look, empty: str, height: int = 300) -> dict[str, Any]:
    """The panels in up to two columns; labelled points are diamonds, the others grow with their weight.

    names : of the K classes.
    """
    columns = 1 if len(panels) < 2 else 2
    rows = max(1, -(-len(panels) // columns))
    key = "   ".join(f'<span style="color:{color_of(k)}">■</span> {name[:16]}' for k, name in enumerate(names[:12]))
    key += "   …" if len(names) > 12 else ""
    layout: dict[str, Any] = {
        "height": rows * height + 40, "margin": {"l": 8, "r": 8, "t": 26, "b": 34}, "dragmode": False,
        "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)", "showlegend": False, "hovermode": "closest",
        "font": {"color": look.text, "size": 12},
        "annotations": [
            {"text": key, "showarrow": False, "xref": "paper", "yref": "paper", "x": 0, "y": 0, "yshift": -8,
             "xanchor": "left", "yanchor": "top", "font": {"size": 11, "color": look.text}}
        ],
    }  # fmt: skip
    if not panels:
        hidden = {"visible": False}
        return {"data": [], "layout": layout | {"annotations": [words(empty, look)], "xaxis": hidden, "yaxis": hidden}}
    traces: list[dict[str, Any]] = []
    gap = 26 / (rows * height)
    for i, panel in enumerate(panels):
        suffix = "" if i == 0 else str(i + 1)
        column, row = i % columns, i // columns
        left, right = column / columns + 0.008 * (column > 0), (column + 1) / columns - 0.008 * (column + 1 < columns)
        top, bottom = 1 - row / rows - gap * (row > 0), 1 - (row + 1) / rows
        if panel.extent is not None:
            x0, x1, y0, y1 = panel.extent
        else:
            (x0, y0), (x1, y1) = panel.places.min(axis=0), panel.places.max(axis=0)
            wide, high = 0.05 * (x1 - x0 or 1), 0.05 * (y1 - y0 or 1)
            x0, x1, y0, y1 = x0 - wide, x1 + wide, y0 - high, y1 + high
        frame = {"showgrid": False, "zeroline": False, "showticklabels": False, "ticks": "", "fixedrange": True, "showline": True,
                 "linecolor": look.grid, "mirror": True}  # fmt: skip
        layout["xaxis" + suffix] = frame | {"domain": [left, right], "anchor": "y" + suffix, "range": [x0, x1]}
        layout["yaxis" + suffix] = frame | {"domain": [bottom, top], "anchor": "x" + suffix, "range": [y0, y1]}
        title = shortened(panel.title, 40)
        layout["annotations"].append(
            {"text": title, "showarrow": False, "xref": "paper", "yref": "paper", "x": left, "y": top, "xanchor": "left",
             "yanchor": "bottom", "font": {"size": 11, "color": look.colors[i % 4]}}
        )  # fmt: skip
        axes = {"xaxis": "x" + suffix, "yaxis": "y" + suffix}
        if panel.region is not None:
            traces.append(_region(panel.region, (x0, x1, y0, y1), len(names)) | axes)
        traces += [trace | axes for trace in _points(panel, names, look)]
    return {"data": traces, "layout": layout}


def _region(region: Array, extent: tuple[float, float, float, float], classes: int) -> dict[str, Any]:
    x0, x1, y0, y1 = extent
    steps = [(k + at) / classes for k in range(classes) for at in (0, 1)]
    colors = [rgba(color_of(k), 0.25) for k in range(classes) for _ in (0, 1)]
    return {
        "type": "heatmap", "z": region, "zmin": -0.5, "zmax": classes - 0.5, "showscale": False, "hoverinfo": "skip",
        "x": np.linspace(x0, x1, region.shape[1]), "y": np.linspace(y0, y1, region.shape[0]),
        "colorscale": [[s, c] for s, c in zip(steps, colors, strict=True)],
    }  # fmt: skip


def _points(panel: Panel, names: Sequence[str], look: Look) -> list[dict[str, Any]]:
    """Points without a label, and those with one above them."""
    others = np.flatnonzero(~panel.told)
    if len(others) > MOST:
        others = others[np.linspace(0, len(others) - 1, MOST).astype(int)]
    told = np.flatnonzero(panel.told)
    weights = panel.weights
    most = 0.0 if weights is None or not len(weights) else float(np.max(weights))
    made = []
    for which, known in ((others, False), (told, True)):
        classes = panel.classes[which]
        even = weights is None or not most or float(np.min(weights)) == most  # then weights tell nothing
        share = np.zeros(len(which)) if even else np.sqrt(np.maximum(weights[which], 0) / most)
        said = [names[k] if k >= 0 else "no pseudo-label" for k in classes]
        made.append(
            {
                "type": "scatter", "mode": "markers", "x": panel.places[which, 0], "y": panel.places[which, 1],
                "marker": {
                    "size": (9 if known else panel.size) + 9 * share, "color": [color_of(k) for k in classes],
                    "symbol": ["diamond" if known else SYMBOLS[k // len(PALETTE) % 4] for k in classes],
                    "line": {"color": look.text, "width": 1.6 if known else 0}, "opacity": 1 if known else 0.85,
                },
                "text": [
                    f"{'label' if known else panel.says}: {name}"
                    + ("" if weights is None else f"<br>weight {weights[i]:.3g}")
                    for i, name in zip(which, said, strict=True)
                ],
                "hovertemplate": "%{text}<extra></extra>", "showlegend": False,
            }
        )  # fmt: skip
    return made
