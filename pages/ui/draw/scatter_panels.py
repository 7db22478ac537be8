"""Points in the plane or in an embedding, with classes, weights and decision regions, in a panel for each learner."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.draw.charts import Look, annotation, base_layout, empty_figure, rgba, shortened
from pages.ui.plain import Ours, Plotly, for_plotly

# colours of classes: Okabe and Ito's, then others of middle lightness, so that all show on light and on dark
PALETTE = (
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#B8A800", "#8C6BB1", "#7F7F7F", "#8C564B",
)  # fmt: skip
SYMBOLS = ("circle", "square", "triangle-up", "cross")  # beyond ten classes the colours begin again
NONE = "#9AA3AD"  # colour of points without a class
MOST_POINTS = 600  # unlabelled points drawn in a panel


@dataclass(frozen=True)
class ScatterPanel:
    """One learner's view of n points.

    title : name of the learner. places : (n, 2) coordinates. classes : (n,) class of each point, −1 for none.
    labelled : (n,) whether the label is known. weights : (n,) weights for the weak learner, or None if there are none.
    region : (G, G) predicted classes on a grid over extent = (x0, x1, y0, y1), rows along y, or None.
    size : of a point of weight 0. says : what the class of an unlabelled point means.
    """

    title: str
    places: Array
    classes: Array
    labelled: Array
    weights: Array | None = None
    region: Array | None = None
    extent: tuple[float, float, float, float] | None = None
    size: float = 4.5
    says: Plotly = Plotly("classified as")


def color_of(k: int) -> Ours:
    """Return the colour of class k."""
    return Ours(PALETTE[k % len(PALETTE)] if k >= 0 else NONE)


def scatter_panels(
    panels: Sequence[ScatterPanel], names: Sequence[str], look: Look, empty: Plotly, height: int = 300
) -> dict[str, Any]:
    """Draw the panels in up to two columns; labelled points are diamonds, the others grow with their weight.

    names : of the K classes. empty : what is said where there are no panels.
    """
    columns = 1 if len(panels) < 2 else 2
    rows = max(1, -(-len(panels) // columns))
    dots = [Plotly(f'<span style="color:{color_of(k)};font-size:18px">•</span>') for k in range(len(names))]
    entries = [f"{dots[k]} {for_plotly(shortened(name, 24))}" for k, name in enumerate(names[:12])]
    key, lines = _key(
        [*entries, Plotly("…")] if len(names) > 12 else entries, [min(len(name), 24) for name in names[:12]]
    )
    layout = base_layout(
        look, rows * height + 26 + 14 * lines, margin={"l": 8, "r": 8, "t": 26, "b": 20 + 14 * lines},
        dragmode=False, hovermode="closest",
        meta={"colors": "classes"},  # no colours of learners but those of their names
        annotations=[annotation(key, 0, 0, look.text) | {"yshift": -8, "yanchor": "top", "align": "left"}],
    )  # fmt: skip
    if not panels:
        return empty_figure(empty, layout, look)
    traces: list[dict[str, Any]] = []
    gap = 26 / (rows * height)
    for i, panel in enumerate(panels):
        suffix = "" if i == 0 else str(i + 1)
        column, row = i % columns, i // columns
        left, right = column / columns + 0.008 * (column > 0), (column + 1) / columns - 0.008 * (column + 1 < columns)
        high = (1 + gap) / rows  # of a row with the title above it; the title of the first stands in the margin
        top, bottom = 1 - row * high, max(0.0, 1 - (row + 1) * high + gap)
        if panel.extent is not None:
            x0, x1, y0, y1 = panel.extent
        else:
            (x0, y0), (x1, y1) = panel.places.min(axis=0), panel.places.max(axis=0)
            wide, high = 0.05 * (x1 - x0 or 1), 0.05 * (y1 - y0 or 1)
            x0, x1, y0, y1 = x0 - wide, x1 + wide, y0 - high, y1 + high
        frame = {
            "showgrid": False, "zeroline": False, "showticklabels": False, "ticks": "", "fixedrange": True,
            "showline": True, "linecolor": look.grid, "mirror": True,
        }  # fmt: skip
        layout["xaxis" + suffix] = frame | {"domain": [left, right], "anchor": "y" + suffix, "range": [x0, x1]}
        layout["yaxis" + suffix] = frame | {"domain": [bottom, top], "anchor": "x" + suffix, "range": [y0, y1]}
        layout["annotations"].append(annotation(for_plotly(panel.title), left, top, look.colors[i % 4]))
        axes = {"xaxis": "x" + suffix, "yaxis": "y" + suffix}
        if panel.region is not None:
            traces.append(_region(panel.region, (x0, x1, y0, y1), len(names)) | axes)
        traces += [trace | axes for trace in _points(panel, names, look)]
    return {"data": traces, "layout": layout}


def _key(entries: Sequence[Plotly], letters: Sequence[int], most: int = 56) -> tuple[Plotly, int]:
    """Return entries in lines of at most so many letters, as a phone has room for, and the number of lines."""
    lines: list[list[Plotly]] = [[]]
    used = 0
    for entry, length in zip(entries, [*letters, 1], strict=False):
        if used + length > most and lines[-1]:
            lines.append([])
            used = 0
        lines[-1].append(entry)
        used += length + 5
    return "<br>".join("   ".join(line) for line in lines), len(lines)


def _region(region: Array, extent: tuple[float, float, float, float], classes: int) -> dict[str, Any]:
    x0, x1, y0, y1 = extent
    steps = [(k + at) / classes for k in range(classes) for at in (0, 1)]
    colors = [rgba(color_of(k), 0.25) for k in range(classes) for _ in (0, 1)]
    return {
        "type": "heatmap", "z": region, "zmin": -0.5, "zmax": classes - 0.5, "showscale": False, "hoverinfo": "skip",
        "x": np.linspace(x0, x1, region.shape[1]), "y": np.linspace(y0, y1, region.shape[0]),
        "colorscale": [[s, c] for s, c in zip(steps, colors, strict=True)],
    }  # fmt: skip


def _points(panel: ScatterPanel, names: Sequence[str], look: Look) -> list[dict[str, Any]]:
    """Return the unlabelled points, and above them the labelled ones."""
    unlabelled = np.flatnonzero(~panel.labelled)
    if len(unlabelled) > MOST_POINTS:
        unlabelled = unlabelled[np.linspace(0, len(unlabelled) - 1, MOST_POINTS).astype(int)]
    weights = panel.weights
    most = 0.0 if weights is None or not len(weights) else float(np.max(weights))
    even = weights is None or not most or float(np.min(weights)) == most  # then weights tell nothing
    known = {k: shortened(name, 48) for k, name in enumerate(names)} | {-1: "no pseudo-label"}
    traces = []
    for rows, labelled in ((unlabelled, False), (np.flatnonzero(panel.labelled), True)):
        classes = panel.classes[rows]
        share = np.zeros(len(rows)) if weights is None or even else np.sqrt(np.maximum(weights[rows], 0) / most)
        what = "label" if labelled else panel.says
        weight = {} if weights is None else {"customdata": weights[rows]}
        traces.append(
            {
                "type": "scatter", "mode": "markers", "x": panel.places[rows, 0], "y": panel.places[rows, 1],
                "marker": {
                    "size": (9 if labelled else panel.size) + 9 * share, "color": [color_of(k) for k in classes],
                    "symbol": ["diamond" if labelled else SYMBOLS[k // len(PALETTE) % 4] for k in classes],
                    "line": {"color": look.text, "width": 1.6 if labelled else 0}, "opacity": 1 if labelled else 0.85,
                },
                "text": [f"{Plotly(what)}: {for_plotly(known[k])}" for k in classes],
                "hovertemplate": f"%{{text}}{'<br>weight %{customdata:.3g}' * bool(weight)}<extra></extra>",
                "showlegend": False,
            }
            | weight
        )  # fmt: skip
    return traces
