"""Small pictures of charts as SVG: the lines of a curve chart, or what a picture shows, without words and numbers.

Colours that differ between the light and the dark theme are the page's own (`var(--st-…)`), so that one file serves
both. A file that stands alone shows the light ones.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.draw.charts import COLORS

WIDE, HIGH = 240, 144  # units of a sketch, two for a pixel of the page
EDGE = 8  # units left free around what is drawn
NAMES = ("blue", "orange", "green", "violet")  # of the learners' colours in the theme
INK = {color: f"var(--st-{name}-color,{color})" for name, color in zip(NAMES, COLORS, strict=True)}
FRAME = "var(--st-border-color,#D9DEE5)"
CELLS = 40  # columns of a drawn region, at most


def svg(content: str, title: str, mark: str) -> str:
    """Return the SVG of a sketch. `mark` tells what it was made from."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" data-of="{mark}" fill="none"'
    head += ' stroke-linejoin="round" stroke-linecap="round">'
    return f"{head}<title>{html.escape(title)}</title>{content}</svg>\n"


def lines(
    curves: Sequence[tuple[int, Array, Array]], x_log: bool = False, y_log: bool = False, upside_down: bool = False
) -> str:
    """Draw curves with the axes they share.

    curves : for each the number of its colour, the steps and the values, both (points,).
    upside_down : whether small values stand on top, as ranks do.
    """
    drawn = [(slot, _scaled(x, x_log), _scaled(y, y_log)) for slot, x, y in curves]
    known = [(slot, x[keep], y[keep]) for slot, x, y in drawn if (keep := np.isfinite(x) & np.isfinite(y)).any()]
    if not known:
        raise ValueError("there is nothing to draw: no curve has a finite value")
    left, right = min(x.min() for _, x, _ in known), max(x.max() for _, x, _ in known)
    low, high = min(y.min() for _, _, y in known), max(y.max() for _, _, y in known)
    parts = [f'<path d="M{EDGE} {EDGE}V{HIGH - EDGE}H{WIDE - EDGE}" stroke="{FRAME}" stroke-width="3"/>']
    for slot, x, y in reversed(known):  # the first learner on top
        across = _place(x, left, right, 2 * EDGE, WIDE - EDGE)
        down = _place(y, low, high, *((EDGE, HIGH - 2 * EDGE) if upside_down else (HIGH - 2 * EDGE, EDGE)))
        parts.append(f'<path d="{_path(across, down)}" stroke="{INK[COLORS[slot % 4]]}" stroke-width="4"/>')
    return "".join(parts)


def cells(values: Array, color: str = COLORS[1]) -> str:
    """Draw values (rows, columns), the first row at the bottom, the larger the darker."""
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    rows, columns = values.shape
    wide, high_ = (WIDE - 2 * EDGE) / columns, (HIGH - 2 * EDGE) / rows
    parts = []
    for (i, j), value in np.ndenumerate(values):
        shade = 0.08 + 0.92 * (value - low) / ((high - low) or 1)
        place = f'x="{EDGE + j * wide:.0f}" y="{HIGH - EDGE - (i + 1) * high_:.0f}"'
        parts.append(f'<rect {place} width="{wide - 2:.0f}" height="{high_ - 2:.0f}" fill-opacity="{shade:.2f}"/>')
    return f'<g fill="{INK[color]}">{"".join(parts)}</g>'


def pictures(urls: Sequence[str]) -> str:
    """Place pictures (data URLs) side by side, each as large as fits."""
    side = min(HIGH - 2 * EDGE, (WIDE - EDGE * (len(urls) + 1)) / len(urls))
    first = (WIDE - len(urls) * side - (len(urls) - 1) * EDGE) / 2
    placed = 'style="image-rendering:pixelated"'
    return "".join(
        f'<image x="{first + k * (side + EDGE):.0f}" y="{(HIGH - side) / 2:.0f}" width="{side:.0f}" '
        f'height="{side:.0f}" {placed} href="{html.escape(url)}"/>'
        for k, url in enumerate(urls)
    )


def sketch(figure: Mapping[str, Any]) -> str:
    """Draw the first panel of a Plotly figure: its regions, its points and its lines.

    Raises
    ------
    ValueError : if the panel holds none of these.
    """
    panel = [trace for trace in figure["data"] if trace.get("xaxis", "x") == "x"]
    axes = [figure["layout"].get(name, {}).get("range") for name in ("xaxis", "yaxis")]
    (x0, x1), (y0, y1) = (
        axis if axis is not None else _ends(trace[name] for trace in panel)
        for name, axis in zip("xy", axes, strict=True)
    )
    across = partial(_place, low=x0, high=x1, first=EDGE, last=WIDE - EDGE)
    down = partial(_place, low=y0, high=y1, first=HIGH - EDGE, last=EDGE)
    parts = []
    for trace in panel:
        if trace["type"] == "heatmap":
            parts.append(_region(trace, across, down))
        elif "markers" in trace.get("mode", ""):
            parts.append(_points(trace, across(trace["x"]), down(trace["y"])))
        elif trace["type"] == "scatter" and len(trace["x"]):
            color = trace["line"]["color"]
            ink = INK.get(color, color)
            path = _path(across(trace["x"]), down(trace["y"]))
            parts.append(f'<path d="{path}" stroke="{ink}" stroke-width="4"/>')
    if not parts:
        raise ValueError("there is nothing to draw: the figure has neither regions nor points nor lines")
    return "".join(parts)


def found_in(written: str) -> list[str]:
    """Return the data URLs of the pictures in a piece of HTML, in order.

    >>> found_in('<img alt="" src="data:image/png;base64,AA"> and <img src="x.png">')
    ['data:image/png;base64,AA']
    """
    return re.findall(r'src="(data:image/[^"]+)"', written)


def _scaled(values: Array, log: bool) -> Array:
    """Return values on the scale of their axis; what a logarithmic axis cannot show becomes NaN."""
    values = np.asarray(values, float)
    return np.log10(np.where(values > 0, values, np.nan)) if log else values


def _ends(found: Iterable[Any]) -> tuple[float, float]:
    values = np.concatenate([np.asarray(x, float).ravel() for x in found])
    return float(values.min()), float(values.max())


def _place(values: Any, low: float, high: float, first: float, last: float) -> Array:
    """Return where values lie between two places, in whole units; all in the middle if they are equal."""
    values = np.asarray(values, float)
    share = (values - low) / (high - low) if high > low else np.full(len(values), 0.5)
    return np.rint(first + share * (last - first)).astype(int)


def _path(x: Array, y: Array) -> str:
    """Return a path through points in whole units.

    Of points above each other it keeps the first, the lowest, the highest and the last, which look the same.

    >>> _path(np.array([0, 1, 1, 1, 1, 2, 3]), np.array([5, 5, 9, 2, 4, 4, 4]))
    'M0 5L1 5 1 9 1 2 1 4 3 4'
    """
    kept: list[tuple[int, int]] = []
    for column in np.split(np.arange(len(x)), np.flatnonzero(np.diff(x)) + 1):
        rows = [column[0], *sorted((column[np.argmin(y[column])], column[np.argmax(y[column])])), column[-1]]
        kept += [(int(x[i]), int(y[i])) for i in dict.fromkeys(rows)]
    points = [p for p, after in zip(kept, [*kept[1:], None], strict=True) if p != after]
    bends = [
        p for i, p in enumerate(points)
        if i in (0, len(points) - 1) or not _straight(points[i - 1], p, points[i + 1])
    ]  # fmt: skip
    (a, b), *rest = bends
    return f"M{a} {b}" + ("L" + " ".join(f"{p} {q}" for p, q in rest) if rest else "h0")


def _straight(before: tuple[int, int], at: tuple[int, int], after: tuple[int, int]) -> bool:
    """Return whether a level line goes on past a point."""
    return before[1] == at[1] == after[1]


def _region(trace: Mapping[str, Any], across: Callable[[Any], Array], down: Callable[[Any], Array]) -> str:
    """Draw the classes of a grid, one path for each class, in runs of equal cells."""
    z, x, y = (np.asarray(trace[name]) for name in ("z", "x", "y"))
    step = -(-len(x) // CELLS)
    z, places, levels = z[::step, ::step], across(x[::step]), down(y[::step])
    wide, high = _gap(places), _gap(levels)
    parts = []
    for k in np.unique(z):
        runs = []
        for row, level in zip(z, levels, strict=True):
            edges = np.flatnonzero(np.diff(np.concatenate([[0], row == k, [0]])))
            for start, end in zip(edges[::2], edges[1::2], strict=True):
                runs.append(f"M{places[start]} {level - high // 2}h{places[end - 1] - places[start] + wide}")
        scale = trace["colorscale"]
        color, opacity = _split(scale[int(2 * k) + 1][1])
        parts.append(f'<path d="{"".join(runs)}" stroke="{color}" stroke-opacity="{opacity}"/>')
    return f'<g stroke-width="{high}" stroke-linecap="butt">{"".join(parts)}</g>'


def _gap(places: Array) -> int:
    return int(np.abs(np.diff(places)).max()) if len(places) > 1 else 1


def _split(color: str) -> tuple[str, str]:
    """Return the colour and the opacity of an rgba() text.

    >>> _split("rgba(0,114,178,0.25)")
    ('#0072B2', '0.25')
    """
    *rgb, opacity = re.findall(r"[\d.]+", color)
    return "#" + "".join(f"{int(c):02X}" for c in rgb), opacity


def _points(trace: Mapping[str, Any], x: Array, y: Array) -> str:
    """Draw points, one path for each colour and size."""
    marker = trace["marker"]
    sizes = np.rint(np.broadcast_to(marker["size"], len(x)) / 3).astype(int) * 4
    colors = [marker["color"]] * len(x) if isinstance(marker["color"], str) else list(marker["color"])
    groups: dict[tuple[str, int], list[str]] = {}
    for a, b, color, size in zip(x, y, colors, sizes, strict=True):
        groups.setdefault((str(color), int(size)), []).append(f"M{a} {b}h0")
    return "".join(
        f'<path d="{"".join(places)}" stroke="{INK.get(color, color)}" stroke-width="{max(size, 5)}"/>'
        for (color, size), places in groups.items()
    )
