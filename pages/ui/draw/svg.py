"""Charts as SVG: panels with axes, curves, bands and printed points, and small pictures without words and numbers.

Colours that differ between the light and the dark theme are variables of the page, so that one text serves both. A file
that stands alone shows the light ones.
"""

from __future__ import annotations

import base64
import html
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from learners.base import Array
from pages.ui.draw.charts import COLORS, PATTERNS, Look, shortened
from pages.ui.plain import NOTHING, Html, Ours

# a panel, in units, two for a pixel of the page
WIDE, HIGH = 640, 430
NARROW = 540  # of three side by side in a paper, with letters of 7 points
EMPTY = 150  # height of a panel without curves
LEFT, RIGHT, TOP, BOTTOM = 86, 14, 70, 74
LETTERS = 24  # units of a letter's height
LINE = 28  # units from a line of letters to the next
LONG = 51  # letters of a title, which are smaller then
ROOM = 41  # letters that fit between the ends of the axis
TICKS = 7
MOST_WRITTEN = 8  # cells side by side whose values are written
COLUMN, PAGE = 84, 174  # millimetres of a column of a paper, and of two
INKS = tuple(f"var(--f{slot})" for slot in range(4))
TEXT, GRID = "var(--ft)", "var(--fg)"
# a sketch
SMALL_WIDE, SMALL_HIGH = 240, 144
EDGE = 8  # units left free around what is drawn
NAMES = ("blue", "orange", "green", "violet")  # of the learners' colours in the theme
INK = {color: f"var(--st-{name}-color,{color})" for name, color in zip(NAMES, COLORS, strict=True)}
FRAME = "var(--st-border-color,#D9DEE5)"
CELLS = 40  # columns of a drawn region, at most


def image(content: Html, title: str, wide: int, high: int, more: Html = NOTHING) -> Html:
    """Return an SVG. more : further attributes."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" fill="none"{more}>'
    return f"{head}<title>{html.escape(title)}</title>{content}</svg>"


def address(made: Html) -> Html:
    """Return an SVG as the address of an image, for where no SVG may stand among the HTML."""
    return Html(f"data:image/svg+xml;base64,{base64.b64encode(made.encode()).decode()}")


# ---- places ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SvgAxis:
    """An axis from `low` to `high`, in powers of ten if it is logarithmic, and where it lies in the picture.

    beyond : how far beyond its ends a value may stand, as a share of its length.
    """

    low: float
    high: float
    first: int
    last: int
    log: bool = False
    beyond: float = np.inf

    def at(self, values: Any) -> Array:
        """Return the places of values, in whole units; NaN for what a logarithmic axis cannot show."""
        found = np.asarray(values, dtype=float)
        if self.log:
            found = np.log10(np.where(found > 0, found, np.nan))
        share = (found - self.low) / ((self.high - self.low) or 1)
        return np.rint(self.first + np.clip(share, -self.beyond, 1 + self.beyond) * (self.last - self.first))

    def ticks(self, most: int = TICKS) -> list[tuple[float, Html]]:
        """Return the values at which the axis has a tick, with their texts."""
        if not self.log:
            return [(v, _short(v)) for v in round_values(self.low, self.high, most)]
        powers = np.arange(np.ceil(self.low - 1e-9), np.floor(self.high + 1e-9) + 1)
        if len(powers) >= 2:
            kept = powers[:: -(-len(powers) // (most + 1))]
            return [(10.0**p, _power(int(p))) for p in kept]
        few = [m * 10.0**p for p in np.arange(np.floor(self.low), self.high + 1) for m in (1, 2, 5)]
        few = [v for v in few if self.low - 1e-9 <= np.log10(v) <= self.high + 1e-9]
        return [(v, _short(v)) for v in (few if len(few) > 2 else round_values(10**self.low, 10**self.high, most))]


def round_values(low: float, high: float, most: int = TICKS) -> list[float]:
    """Return round values between two others, evenly spread.

    >>> round_values(0.0, 0.83, 5)
    [0.0, 0.2, 0.4, 0.6, 0.8]
    """
    rough = (high - low) / most or 1.0
    power = 10.0 ** np.floor(np.log10(rough))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= rough * (1 - 1e-9))
    multiples = range(int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9)) + 1)
    return [float(f"{k * step:.12g}") + 0.0 for k in multiples]


def ends(values: Array, log: bool = False) -> tuple[float, float]:
    """Return the ends of an axis that holds all values, in powers of ten if it is logarithmic."""
    kept = values[np.isfinite(values) & ((values > 0) | (not log))]
    if not len(kept):
        return 0.0, 1.0
    low, high = float(kept.min()), float(kept.max())
    if log:
        low, high = float(np.log10(low)), float(np.log10(high))
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def path(x: Array, y: Array) -> Html:
    """Return a path through points in whole units, from each to the next.

    Of points above each other it keeps the first, the lowest, the highest and the last, and of a level line the ends,
    which look the same.

    >>> path(np.array([80.0, 90.0, 100.0]), np.array([40.0, 38.0, 45.0]))
    'M80 40l10-2 10 7'
    >>> path(np.array([0, 1, 1, 1, 1, 2, 3]), np.array([5, 5, 9, 2, 4, 4, 4]))
    'M0 5l1 0 0 4 0-7 0 2 2 0'
    """
    if not len(x):
        return NOTHING
    if (np.diff(x) == 0).any():
        kept = []
        for column in np.split(np.arange(len(x)), np.flatnonzero(np.diff(x)) + 1):
            rows = [column[0], *sorted((column[np.argmin(y[column])], column[np.argmax(y[column])])), column[-1]]
            kept += list(dict.fromkeys(rows))
        x, y = x[kept], y[kept]
    moved = np.append((np.diff(x) != 0) | (np.diff(y) != 0), True)
    x, y = x[moved], y[moved]
    on = (np.diff(y)[:-1] == 0) & (np.diff(y)[1:] == 0) & (np.diff(x)[:-1] * np.diff(x)[1:] > 0)
    turns = np.concatenate([[True], ~on, [True]])[: len(x)]
    x, y = x[turns], y[turns]
    steps = zip(np.diff(x).astype(int), np.diff(y).astype(int), strict=True)
    rest = " ".join(f"{int(a)}{'' if b < 0 else ' '}{int(b)}" for a, b in steps)
    return Html(f"M{int(x[0])} {int(y[0])}" + (f"l{rest}" if rest else "h0"))


# ---- panels ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class SvgCurve:
    """A series of a panel.

    x, y : (points,). error : (points,), or (2, points) below and above. loose : drawn as points with bars, and round or
    square, in place of a line with a band. printed : x and y of points beside it. bars : drawn as bars from 0. cells :
    (len(y), len(x)) values around all pairs of x and y, which are drawn in their place, with `inks` (colours) of the
    same shape. thin : whether the line is.
    """

    x: Array
    y: Array
    error: Array
    ink: Ours
    dash: str = "solid"
    loose: bool = False
    round: bool = True
    printed: tuple[Array, Array] = (np.empty(0), np.empty(0))
    bars: bool = False
    cells: Array | None = None
    inks: Array | None = None
    thin: bool = False

    @property
    def edges(self) -> tuple[Array, Array]:
        """The lower and the upper ends of its band or its bars, each (points,)."""
        below, above = np.broadcast_to(self.error, (2, len(self.y)))
        return self.y - below, self.y + above

    @property
    def step(self) -> tuple[float, float]:
        """The width of a bar or a cell, and the height of a cell."""
        wide, high = (float(np.diff(v).min()) if len(v) > 1 else 1.0 for v in (self.x, self.y))
        return wide * (0.8 if self.bars else 1), high


@dataclass(frozen=True)
class Frame:
    """The axes around the curves of a panel.

    names, rows : of the places 0, 1, 2 … of the x axis and the y axis, if they have names. y_range : upside down if
    the first is larger.
    """

    title: str
    x_title: str
    y_title: str
    names: Sequence[str] = ()
    log_x: bool = False
    log_y: bool = False
    y_range: tuple[float, float] | None = None
    rows: Sequence[str] = ()


def room_of(wide: int) -> int:
    """Return how many letters fit between the ends of the axis of a panel."""
    return ROOM * (wide - LEFT) // (WIDE - LEFT)


def panel(frame: Frame, curves: Sequence[SvgCurve], wide: int = WIDE, whole: bool = False) -> Html:
    """Return what the SVG of a panel holds: title, axes, bands, curves and printed points, the first curve on top.

    A long title is shortened and has smaller letters, or is `whole` in two lines, of which the first stands above.
    """
    room = room_of(wide)
    smaller = ' font-size="20"' * (not whole and len(frame.title) > room)
    lines = textwrap.wrap(frame.title, room) if whole else [shortened(frame.title, LONG)]
    parts = [Html(f'<g fill="{TEXT}" font-size="{LETTERS}">')]
    for row, line in enumerate(lines, start=1 - len(lines)):
        parts.append(text(LEFT, 24 + LINE * row, f'<tspan font-weight="600"{smaller}>{html.escape(line)}</tspan>'))
    parts.append(text(LEFT, 54, html.escape(shortened(frame.y_title, room)), soft=True))
    if not drawn(curves):
        return "".join([*parts, text(wide // 2, 120, "not run yet", "middle", soft=True), Html("</g>")])
    across, down = axes(frame, curves, wide)
    grid, written = _grid(across, down, frame)
    below = html.escape(shortened(frame.x_title, room))
    parts += [written, text((LEFT + wide) // 2, HIGH - 8, below, "middle", soft=True), Html("</g>"), grid]
    layers: tuple[list[Html], list[Html], list[Html]] = ([], [], [])
    for curve in reversed(curves):
        marks = zip(across.at(curve.printed[0]), down.at(curve.printed[1]), strict=True)
        diamonds = "".join(f"M{a - 11:.0f} {b:.0f}l11-11 11 11-11 11z" for a, b in marks if np.isfinite(a + b))
        for layer, shape in zip(layers, (*_drawn(curve, across, down), _stroke(diamonds, curve.ink, 4)), strict=True):
            layer.append(shape)
    return "".join([*parts, *layers[0], *layers[1], *layers[2]])


def height(curves: Sequence[SvgCurve]) -> int:
    """Return the height of a panel."""
    return HIGH if drawn(curves) else EMPTY


def drawn(curves: Sequence[SvgCurve]) -> bool:
    """Return whether there is anything to draw."""
    return any(len(curve.x) for curve in curves)


def axes(frame: Frame, curves: Sequence[SvgCurve], width: int = WIDE) -> tuple[SvgAxis, SvgAxis]:
    """Return the axes of a panel, wide enough for all curves and all printed points."""
    printed = [curve.printed[1] for curve in curves]
    edge = 0.5 if any(curve.cells is not None for curve in curves) else 0.6  # a map ends where its cells end
    left, right = -edge, len(frame.names) - 1 + edge
    if not frame.names:
        wide = [s * c.step[0] / 2 if c.bars or c.cells is not None else 0 for c in curves for s in (-1, 1)]
        every = [c.x + w for c, w in zip(np.repeat(np.array(curves, object), 2), wide, strict=True)]
        left, right = ends(np.concatenate([*every, *(c.printed[0] for c in curves)]), frame.log_x)
    bottom, top = HIGH - BOTTOM, TOP
    if frame.y_range:
        low, high = (float(np.log10(v)) if frame.log_y else v for v in sorted(frame.y_range))
        bottom, top = (bottom, top) if frame.y_range[0] <= frame.y_range[1] else (top, bottom)
    else:
        zero = np.zeros(int(any(curve.bars for curve in curves)))
        bands = () if frame.log_y else [edge for c in curves for edge in c.edges]  # which may reach below 0
        low, high = ends(np.concatenate([*(c.y for c in curves), *bands, *printed, zero]), frame.log_y)
        low, high = low - 0.04 * (high - low), high + 0.04 * (high - low)
    return (
        SvgAxis(left, right, LEFT, width - RIGHT, frame.log_x, 0.02),
        SvgAxis(low, high, bottom, top, frame.log_y, 0.02),
    )  # fmt: skip


def _grid(across: SvgAxis, down: SvgAxis, frame: Frame) -> tuple[Html, Html]:
    """Return grid lines and the texts of the ticks."""
    names, rows, most = frame.names, frame.rows, 2 if frame.x_title else 3
    parts, lines, edge, end = [], [], HIGH - BOTTOM, across.last
    for value, said in [(float(i), html.escape(shortened(name, 7))) for i, name in enumerate(rows)] or down.ticks():
        y = int(down.at([value])[0])
        lines.append(f"M{LEFT} {y}H{end}")
        parts.append(text(LEFT - 8, y + 8, said, "end"))
    if names:
        room = max(4, (end - LEFT) // 12 // len(names))
        for i, name in enumerate(names):
            for row, part in enumerate(textwrap.wrap(name, room, break_long_words=False)[:most]):
                place = edge + 28 + 24 * row
                parts.append(text(int(across.at([i])[0]), place, html.escape(shortened(part, room)), "middle"))
    else:
        for value, said in across.ticks(TICKS * (end - LEFT) // (WIDE - RIGHT - LEFT)):
            x = int(across.at([value])[0])
            lines.append(f"M{x} {TOP}V{edge}")
            inside = x < end + RIGHT - 60
            parts.append(text(x if inside else end + RIGHT, edge + 28, said, "middle" if inside else "end"))
    return f'<path d="{"".join(lines)}" stroke="{GRID}" stroke-width="2"/>', "".join(parts)


def _drawn(curve: SvgCurve, across: SvgAxis, down: SvgAxis) -> tuple[Html, Html]:
    """Return the band of a curve and its line, or its bars and its points."""
    if curve.bars or curve.cells is not None:
        return _filled(curve, across, down), NOTHING
    x, y, ink = across.at(curve.x), down.at(curve.y), curve.ink
    low, high = map(down.at, curve.edges)
    low = np.where(np.isfinite(low), low, down.first)  # below a logarithmic axis
    there = np.isfinite(x + y + high)
    x, y, low, high = x[there], y[there], low[there], high[there]
    if curve.loose:
        bars = "".join(f"M{a:.0f} {b:.0f}V{c:.0f}" for a, b, c in zip(x, low, high, strict=True) if b != c)
        # no point is a line without a length, which PDF would not have
        size, shape = (1, ' stroke-width="15" stroke-linecap="round"') if curve.round else (12, ' stroke-width="12"')
        dots = "".join(f"M{a - size // 2:.0f} {b:.0f}h{size}" for a, b in zip(x, y, strict=True))
        return _stroke(bars, ink, 4), f'<path d="{dots}"{shape} stroke="{ink}"/>'
    band: Html = NOTHING
    if curve.error.any() and len(x):
        outline = path(np.concatenate([x, x[::-1]]), np.concatenate([high, low[::-1]]))
        band = f'<path d="{outline}z" fill="{ink}" fill-opacity=".18"/>'
    width = 2.5 if curve.thin else 4.5
    line = (
        f'<path d="{path(x, y)}" stroke="{ink}" stroke-width="{width}" stroke-linejoin="round"{_dashes(curve.dash)}/>'
    )
    return band, line


def _filled(curve: SvgCurve, across: SvgAxis, down: SvgAxis) -> Html:
    """Return the bars or the cells of a curve."""
    wide, high = curve.step
    left, right = across.at(curve.x - wide / 2), across.at(curve.x + wide / 2)
    if curve.cells is None or curve.inks is None:
        zero, top = down.at([0])[0], down.at(curve.y)
        bars = "".join(
            f"M{a:.0f} {zero:.0f}V{y:.0f}H{b:.0f}V{zero:.0f}z" for a, b, y in zip(left, right, top, strict=True)
        )
        return f'<path d="{bars}" fill="{curve.ink}"/>'
    low, top = down.at(curve.y - high / 2), down.at(curve.y + high / 2)
    parts: list[Html] = []
    for (i, j), shade in np.ndenumerate(curve.inks):
        ink = cast(Ours, shade)  # of a scale of ours
        shape = f"M{left[j]:.0f} {low[i]:.0f}V{top[i]:.0f}H{right[j]:.0f}V{low[i]:.0f}z"
        parts.append(f'<path d="{shape}" fill="{ink}" shape-rendering="crispEdges"/>')
    for x, y, said, ink in written(curve):
        place = int(across.at([x])[0]), int(down.at([y])[0]) + 7
        parts.append(f'<g fill="{ink}" font-size="20">{text(*place, said, "middle")}</g>')
    return "".join(parts)


def written(curve: SvgCurve) -> list[tuple[float, float, Html, Ours]]:
    """Return the values of cells with room for them: where each stands, what is written, and its ink."""
    if curve.cells is None or curve.inks is None or curve.cells.shape[1] > MOST_WRITTEN:
        return []
    known = [((i, j), v) for (i, j), v in np.ndenumerate(curve.cells) if np.isfinite(v)]
    dark = {
        ink: sum(int(ink[k : k + 2], 16) * w for k, w in ((1, 3), (3, 6), (5, 1))) < 1275 for ink in curve.inks.flat
    }
    inks = (Ours("#000000"), Ours("#FFFFFF"))
    return [
        (float(curve.x[j]), float(curve.y[i]), Html(f"{v:.3g}"), inks[dark[curve.inks[i, j]]]) for (i, j), v in known
    ]


def _stroke(places: Html, ink: Ours, width: int) -> Html:
    return f'<path d="{places}" stroke="{ink}" stroke-width="{width}"/>' if places else NOTHING


def _dashes(dash: str) -> Html:
    pattern = " ".join(str(2 * int(part)) for part in PATTERNS[dash].split())
    return Html(f' stroke-dasharray="{pattern}"') if pattern else NOTHING


def text(x: int, y: int, written: Html, anchor: Ours = NOTHING, soft: bool = False) -> Html:
    """Return a text at a place. anchor : "middle" or "end" where it does not begin there. soft : paler."""
    more = f' text-anchor="{anchor}"' * bool(anchor) + ' fill-opacity=".8"' * soft
    return f'<text x="{x}" y="{y}"{more}>{written}</text>'


def _short(value: float) -> Html:
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= max(size, 1e4):
            return Html(f"{value / size:.3g}{letter}".replace("-", "−"))
    return Html((f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}").replace("-", "−"))


def _power(power: int) -> Html:
    if -3 <= power <= 4:
        return Html(f"{10**power:,}" if power >= 0 else f"{10.0**power:g}")
    return f'10<tspan dy="-9" font-size="17">{str(power).replace("-", "−")}</tspan>'


# ---- panels in a file of their own -------------------------------------------------------------------------

Entry = tuple[str, Ours, str]  # of a legend: name, colour and dash


def columns_of(panels: int) -> int:
    """Return how many panels stand side by side in a paper: one in a column, and two or three over two columns."""
    return 1 if panels == 1 else 2 if panels <= 6 else 3


def sheet(
    title: str, heading: str, legend: Iterable[Entry], panels: Sequence[tuple[Frame, Sequence[SvgCurve]]]
) -> Html:
    """Return panels with their legend as one SVG on white, as wide as a paper's column or two. heading : above them."""
    columns = columns_of(len(panels))
    each = NARROW if columns > 2 else WIDE
    above = LINE * any(len(textwrap.wrap(frame.title, room_of(each))) > 1 for frame, _ in panels)  # for its title
    wide, pitch, margin = columns * each + 40, HIGH + 16 + above, 20
    entries = legend_rows(legend, wide - 2 * margin)
    said = textwrap.wrap(heading, int((wide - 2 * margin) / 14))
    top = 30 * len(said) + 30 + 34 * len(entries)
    high = top + -(-len(panels) // columns) * pitch + margin
    parts = [f'<rect width="{wide}" height="{high}" fill="{Look().ground}"/><g fill="{TEXT}" font-size="{LETTERS}">']
    for i, line in enumerate(said):
        parts.append(text(margin, 38 + 30 * i, f'<tspan font-weight="600">{html.escape(line)}</tspan>'))
    for row, several in enumerate(entries):
        x, y = margin, 30 * len(said) + 44 + 34 * row
        for name, ink, dash, room in several:
            parts.append(f'<path d="M{x} {y - 8}h60" stroke="{ink}" stroke-width="5"{_dashes(dash)}/>')
            parts.append(text(x + 72, y, html.escape(shortened(name, (wide - 2 * margin - 72) // 13))))
            x += room
    parts.append(Html("</g>"))
    for i, (frame, curves) in enumerate(panels):
        place = f"translate({margin + (i % columns) * each},{top + above + (i // columns) * pitch})"
        parts.append(f'<g transform="{place}">{panel(frame, curves, each, whole=True)}</g>')
    size = COLUMN if columns == 1 else PAGE
    more = f' width="{size}mm" height="{high * size / wide:.1f}mm" font-family="Helvetica, Arial, sans-serif"'
    made = f"{image(''.join(parts), title, wide, high, more)}\n"
    for variable, color in zip((*INKS, TEXT, GRID), (*Look().colors, Look().text, Look().grid), strict=True):
        made = Html(made.replace(variable, color))
    return made


def legend_rows(legend: Iterable[Entry], wide: int) -> list[list[tuple[str, Ours, str, int]]]:
    """Return the entries of a legend in rows that fit, each with the room that it takes."""
    rows: list[list[tuple[str, Ours, str, int]]] = [[]]
    left = wide
    for name, ink, dash in legend:
        room = 110 + 13 * len(name)
        if room > left and rows[-1]:
            rows.append([])
            left = wide
        left -= room
        rows[-1].append((name, ink, dash, room))
    return rows


def sample(ink: Ours, dash: str) -> Html:
    """Return a piece of a line, for a legend."""
    line = f'<path d="M0 4h30" stroke="{ink}" stroke-width="3" stroke-dasharray="{PATTERNS[dash]}"/>'
    return f'<svg width="30" height="8" aria-hidden="true" fill="none">{line}</svg>'


# ---- sketches ----------------------------------------------------------------------------------------------


def small(content: Html, title: str, mark: Ours) -> Html:
    """Return the SVG of a sketch. `mark` tells what it was made from."""
    more = f' data-of="{mark}" stroke-linejoin="round" stroke-linecap="round"'
    return f"{image(content, title, SMALL_WIDE, SMALL_HIGH, more)}\n"


def lines(
    curves: Sequence[tuple[int, Array, Array]], x_log: bool = False, y_log: bool = False, upside_down: bool = False
) -> Html:
    """Draw curves with the axes they share.

    curves : for each the number of its colour, the steps and the values, both (points,).
    upside_down : whether small values stand on top, as ranks do.

    Raises
    ------
    ValueError : if no curve has a finite value.
    """
    known = [(slot, np.asarray(x, float), np.asarray(y, float)) for slot, x, y in curves]
    below, above = SMALL_HIGH - 2 * EDGE, EDGE
    across = SvgAxis(*ends(np.concatenate([x for _, x, _ in known]), x_log), 2 * EDGE, SMALL_WIDE - EDGE, x_log)
    first, last = (above, below) if upside_down else (below, above)
    down = SvgAxis(*ends(np.concatenate([y for _, _, y in known]), y_log), first, last, y_log)
    paths = []
    for slot, x, y in reversed(known):  # the first learner on top
        x, y = across.at(x), down.at(y)
        there = np.isfinite(x + y)
        paths.append(_stroke(path(x[there], y[there]), INK[COLORS[slot % 4]], 4))
    if not any(paths):
        raise ValueError("there is nothing to draw: no curve has a finite value")
    frame = f"M{EDGE} {EDGE}V{SMALL_HIGH - EDGE}H{SMALL_WIDE - EDGE}"
    return "".join([_stroke(frame, FRAME, 3), *paths])


def cells(values: Array) -> Html:
    """Draw values (rows, columns), the first row at the bottom, the larger the darker."""
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    rows, columns = values.shape
    wide, high_ = (SMALL_WIDE - 2 * EDGE) / columns, (SMALL_HIGH - 2 * EDGE) / rows
    parts = []
    for (i, j), value in np.ndenumerate(values):
        shade = 0.08 + 0.92 * (value - low) / ((high - low) or 1)
        place = f'x="{EDGE + j * wide:.0f}" y="{SMALL_HIGH - EDGE - (i + 1) * high_:.0f}"'
        parts.append(f'<rect {place} width="{wide - 2:.0f}" height="{high_ - 2:.0f}" fill-opacity="{shade:.2f}"/>')
    return f'<g fill="{INK[COLORS[1]]}">{"".join(parts)}</g>'


def pictures(urls: Sequence[Html]) -> Html:
    """Place pictures (data URLs) side by side, each as large as fits."""
    side = min(SMALL_HIGH - 2 * EDGE, (SMALL_WIDE - EDGE * (len(urls) + 1)) / len(urls))
    first = (SMALL_WIDE - len(urls) * side - (len(urls) - 1) * EDGE) / 2
    placed = 'style="image-rendering:pixelated"'
    return "".join(
        f'<image x="{first + k * (side + EDGE):.0f}" y="{(SMALL_HIGH - side) / 2:.0f}" width="{side:.0f}" '
        f'height="{side:.0f}" {placed} href="{html.escape(url)}"/>'
        for k, url in enumerate(urls)
    )


def sketch(figure: Mapping[str, Any]) -> Html:
    """Draw the first panel of a Plotly figure: its regions, its points and its lines.

    Raises
    ------
    ValueError : if the panel holds none of these.
    """
    panel = [trace for trace in figure["data"] if trace.get("xaxis", "x") == "x"]
    axes = [figure["layout"].get(name, {}).get("range") for name in ("xaxis", "yaxis")]
    (x0, x1), (y0, y1) = (
        axis if axis is not None else ends(np.concatenate([np.ravel(trace[name]) for trace in panel]))
        for name, axis in zip("xy", axes, strict=True)
    )
    across, down = SvgAxis(x0, x1, EDGE, SMALL_WIDE - EDGE), SvgAxis(y0, y1, SMALL_HIGH - EDGE, EDGE)
    parts = []
    for trace in panel:
        if trace["type"] == "heatmap":
            parts.append(_region(trace, across, down))
        elif "markers" in trace.get("mode", ""):
            parts.append(_points(trace, across.at(trace["x"]), down.at(trace["y"])))
        elif trace["type"] == "scatter" and len(trace["x"]):
            color = trace["line"]["color"]
            stroke = cast(Ours, INK.get(color, color))  # of a chart of ours
            parts.append(_stroke(path(across.at(trace["x"]), down.at(trace["y"])), stroke, 4))
    if not parts:
        raise ValueError("there is nothing to draw: the figure has neither regions nor points nor lines")
    return "".join(parts)


def found_in(written: str) -> list[Html]:
    """Return the data URLs of the pictures in a piece of HTML, in order.

    >>> found_in('<img alt="" src="data:image/png;base64,AA"> and <img src="x.png">')
    ['data:image/png;base64,AA']
    """
    return cast(list[Html], re.findall(r'src="(data:image/[^"]+)"', written))


def _region(trace: Mapping[str, Any], across: SvgAxis, down: SvgAxis) -> Html:
    """Draw the classes of a grid, one path for each class, in runs of equal cells."""
    z, x, y = (np.asarray(trace[name]) for name in ("z", "x", "y"))
    step = -(-len(x) // CELLS)
    z, places, levels = z[::step, ::step], across.at(x[::step]).astype(int), down.at(y[::step]).astype(int)
    wide, high = _gap(places), _gap(levels)
    parts = []
    for k in np.unique(z):
        runs = []
        for row, level in zip(z, levels, strict=True):
            edges = np.flatnonzero(np.diff(np.concatenate([[0], row == k, [0]])))
            for start, end in zip(edges[::2], edges[1::2], strict=True):
                runs.append(
                    f"M{int(places[start])} {int(level) - high // 2}h{int(places[end - 1] - places[start]) + wide}"
                )
        scale = trace["colorscale"]
        color, opacity = _split(scale[int(2 * k) + 1][1])
        parts.append(f'<path d="{"".join(runs)}" stroke="{color}" stroke-opacity="{opacity}"/>')
    return f'<g stroke-width="{high}" stroke-linecap="butt">{"".join(parts)}</g>'


def _gap(places: Array) -> int:
    return int(np.abs(np.diff(places)).max()) if len(places) > 1 else 1


def _split(color: str) -> tuple[Ours, Ours]:
    """Return the colour and the opacity of an rgba() text.

    >>> _split("rgba(0,114,178,0.25)")
    ('#0072B2', '0.25')
    """
    *rgb, opacity = re.findall(r"[\d.]+", color)
    return Ours("#" + "".join(f"{int(c):02X}" for c in rgb)), cast(Ours, opacity)  # digits


def _points(trace: Mapping[str, Any], x: Array, y: Array) -> Html:
    """Draw points, one path for each colour and size."""
    marker = trace["marker"]
    sizes = np.rint(np.broadcast_to(marker["size"], len(x)) / 3).astype(int) * 4
    colors = [marker["color"]] * len(x) if isinstance(marker["color"], str) else list(marker["color"])
    groups: dict[tuple[str, int], list[Html]] = {}
    for a, b, color, size in zip(x, y, colors, sizes, strict=True):
        groups.setdefault((str(color), int(size)), []).append(Html(f"M{a:.0f} {b:.0f}h0"))
    return "".join(
        f'<path d="{"".join(places)}" stroke="{html.escape(INK.get(color, color))}" stroke-width="{max(size, 5)}"/>'
        for (color, size), places in groups.items()
    )
