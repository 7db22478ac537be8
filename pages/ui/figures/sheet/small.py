"""A panel as a small SVG with axes, curves, bands and printed points, made on the server.

Colours are variables of the page, so that one text serves both themes. `alone` puts colours in their place and the
panels of a figure with their legend into one file.
"""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.draw.charts import PATTERNS, Look, shortened
from pages.ui.figures import draw
from pages.ui.figures.figure import Figure, Panel
from pages.ui.figures.result import Drawn
from pages.ui.figures.sheet import words

WIDE, HIGH = 640, 430  # units, two for a pixel of the page
EMPTY = 150  # height of a panel that was not run
LEFT, RIGHT, TOP, BOTTOM = 86, 14, 70, 74
LETTERS = 24  # units of a letter's height
LONG = 51  # letters of a title, which are smaller then
ROOM = 41  # letters that fit between the ends of the axis
TICKS = 7
INKS = tuple(f"var(--f{slot})" for slot in range(4))
TEXT, GRID = "var(--ft)", "var(--fg)"


@dataclass(frozen=True)
class Axis:
    """An axis from `low` to `high`, in powers of ten if it is logarithmic, and where it lies in the picture."""

    low: float
    high: float
    first: int
    last: int
    log: bool = False

    def at(self, values: Any) -> Array:
        """Return the places of values, in whole units; NaN for what a logarithmic axis cannot show."""
        found = np.asarray(values, dtype=float)
        if self.log:
            found = np.log10(np.where(found > 0, found, np.nan))
        share = (found - self.low) / ((self.high - self.low) or 1)
        return np.rint(self.first + np.clip(share, -0.02, 1.02) * (self.last - self.first))

    def ticks(self) -> list[tuple[float, str]]:
        """Return the values at which the axis has a tick, with their texts."""
        if not self.log:
            return [(v, _short(v)) for v in round_values(self.low, self.high)]
        powers = np.arange(np.ceil(self.low - 1e-9), np.floor(self.high + 1e-9) + 1)
        if len(powers) >= 2:
            kept = powers[:: -(-len(powers) // (TICKS + 1))]
            return [(10.0**p, _power(int(p))) for p in kept]
        few = [m * 10.0**p for p in np.arange(np.floor(self.low), self.high + 1) for m in (1, 2, 5)]
        return [(v, _short(v)) for v in few if self.low - 1e-9 <= np.log10(v) <= self.high + 1e-9]


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


def svg(figure: Figure, panel: Panel, found: Mapping[str, Drawn]) -> str:
    """Return the SVG of a panel."""
    high = HIGH if any(len(drawn.y) for drawn in found.values()) else EMPTY
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {high}" role="img" fill="none">'
    return f"{head}<title>{html.escape(panel.title or figure.title)}</title>{content(figure, panel, found)}</svg>"


def content(figure: Figure, panel: Panel, found: Mapping[str, Drawn]) -> str:
    """Return what the SVG of a panel holds: title, axes, bands, curves and printed points."""
    smaller = ' font-size="20"' * (len(panel.title) > ROOM)
    title = f'<tspan font-weight="600"{smaller}>{html.escape(shortened(panel.title, LONG))}</tspan>'
    parts = [f'<g fill="{TEXT}" font-size="{LETTERS}">', _text(LEFT, 24, title)]
    parts.append(_text(LEFT, 54, html.escape(shortened(words.y_title(panel), ROOM)), soft=True))
    if not any(len(drawn.y) for drawn in found.values()):
        return "".join([*parts, _text(WIDE // 2, 120, "not run yet", "middle", soft=True), "</g>"])
    named, shift, style = draw.names(found), draw.shifts(panel), draw.styles(figure)
    across, down = _axes(panel, found, named)
    lines, written = _grid(across, down, named)
    parts += [written, _text((LEFT + WIDE) // 2, HIGH - 8, html.escape(
        shortened(words.x_title(panel), ROOM)), "middle", soft=True), "</g>", lines]  # fmt: skip
    layers: tuple[list[str], list[str], list[str]] = ([], [], [])
    for series in reversed(panel.series):  # the first on top
        ink = INKS[style[series.name].slot] if style[series.name].slot >= 0 else TEXT
        if series.name in found:
            drawn = found[series.name]
            x = across.at(draw.places(drawn.x, named, shift[series.name]))
            band, line = _curve(drawn, x, down, ink, style[series.name])
            layers[0].append(band)
            layers[1].append(line)
        printed = draw.places([x for x, _ in series.printed], named, shift[series.name])
        marks = zip(across.at(printed), down.at([y for _, y in series.printed]), strict=True)
        diamonds = "".join(f"M{a - 11:.0f} {b:.0f}l11-11 11 11-11 11z" for a, b in marks if np.isfinite(a + b))
        layers[2].append(f'<path d="{diamonds}" stroke="{ink}" stroke-width="4"/>' if diamonds else "")
    return "".join([*parts, *layers[0], *layers[1], *layers[2]])


def _axes(panel: Panel, found: Mapping[str, Drawn], named: Sequence[str]) -> tuple[Axis, Axis]:
    """Return the axes of a panel, wide enough for all curves and all printed points."""
    log_x, log_y = words.logarithmic(panel)
    log_x = log_x and not named
    xs = np.concatenate([draw.places(d.x, named, 0) for d in found.values()])
    edges = [draw.mean_and_error(drawn) for drawn in found.values()]
    ys = np.concatenate([np.concatenate([mean - error, mean + error, mean]) for mean, error in edges])
    printed = [(x, y) for series in panel.series for x, y in series.printed]
    xs = np.append(xs, draw.places([x for x, _ in printed], named, 0))
    ys = np.append(ys, [y for _, y in printed])
    left, right = (-0.6, len(named) - 0.4) if named else _ends(xs, log_x)
    if panel.y_range:
        low, high = (float(np.log10(v)) if log_y else v for v in panel.y_range)
    else:
        means = np.concatenate([mean for mean, _ in edges])
        low, high = _ends(np.append(means, [y for _, y in printed]) if log_y else ys, log_y)  # bands may reach below 0
        low, high = low - 0.04 * (high - low), high + 0.04 * (high - low)
    return Axis(left, right, LEFT, WIDE - RIGHT, log_x), Axis(low, high, HIGH - BOTTOM, TOP, log_y)


def _ends(values: Array, log: bool) -> tuple[float, float]:
    kept = values[np.isfinite(values) & ((values > 0) | (not log))]
    if not len(kept):
        return 0.0, 1.0
    low, high = float(kept.min()), float(kept.max())
    if log:
        low, high = float(np.log10(low)), float(np.log10(high))
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _grid(across: Axis, down: Axis, named: Sequence[str]) -> tuple[str, str]:
    """Return grid lines and the texts of the ticks."""
    parts, lines, edge = [], [], HIGH - BOTTOM
    for value, text in down.ticks():
        y = int(down.at([value])[0])
        lines.append(f"M{LEFT} {y}H{WIDE - RIGHT}")
        parts.append(_text(LEFT - 8, y + 8, text, "end"))
    if named:
        room = max(4, ROOM // len(named))
        for i, name in enumerate(named):
            rows = textwrap.wrap(name, room, break_long_words=False)[:2]
            for row, part in enumerate(rows):
                place = edge + 28 + 24 * row
                parts.append(_text(int(across.at([i])[0]), place, html.escape(shortened(part, room)), "middle"))
    else:
        for value, text in across.ticks():
            x = int(across.at([value])[0])
            lines.append(f"M{x} {TOP}V{edge}")
            parts.append(_text(*((x, edge + 28, text, "middle") if x < WIDE - 60 else (WIDE, edge + 28, text, "end"))))
    return f'<path d="{"".join(lines)}" stroke="{GRID}" stroke-width="2"/>', "".join(parts)


def _curve(drawn: Drawn, x: Array, down: Axis, ink: str, style: draw.Style) -> tuple[str, str]:
    """Return the band of a series and its line, or its bars and its points where the x axis has names."""
    mean, error = draw.mean_and_error(drawn)
    y, low, high = down.at(mean), down.at(mean - error), down.at(mean + error)
    low = np.where(np.isfinite(low), low, down.first)  # below a logarithmic axis
    there = np.isfinite(x + y + high)
    x, y, low, high = x[there], y[there], low[there], high[there]
    if any(isinstance(one, str) for one in drawn.x) or len(x) == 1:
        bars = "".join(f"M{a:.0f} {b:.0f}V{c:.0f}" for a, b, c in zip(x, low, high, strict=True) if b != c)
        dots = "".join(f"M{a:.0f} {b:.0f}h0" for a, b in zip(x, y, strict=True))
        band = f'<path d="{bars}" stroke="{ink}" stroke-width="4"/>' if bars else ""
        cap = "round" if style.round else "square"
        return (
            band,
            f'<path d="{dots}" stroke="{ink}" stroke-width="{15 if style.round else 12}" stroke-linecap="{cap}"/>',
        )
    band, pattern = "", PATTERNS[style.dash]
    if error.any() and len(x):
        outline = path(np.concatenate([x, x[::-1]]), np.concatenate([high, low[::-1]]))
        band = f'<path d="{outline}z" fill="{ink}" fill-opacity=".18"/>'
    dashes = f' stroke-dasharray="{" ".join(str(2 * int(p)) for p in pattern.split())}"' if pattern else ""
    return band, f'<path d="{path(x, y)}" stroke="{ink}" stroke-width="4.5" stroke-linejoin="round"{dashes}/>'


def path(x: Array, y: Array) -> str:
    """Return a path through points in whole units, from each to the next.

    >>> path(np.array([80.0, 90.0, 100.0]), np.array([40.0, 38.0, 45.0]))
    'M80 40l10-2 10 7'
    """
    if not len(x):
        return ""
    steps = zip(np.diff(x).astype(int), np.diff(y).astype(int), strict=True)
    rest = " ".join(f"{a}{'' if b < 0 else ' '}{b}" for a, b in steps)
    return f"M{int(x[0])} {int(y[0])}" + (f"l{rest}" if rest else "h0")


def _text(x: int, y: int, written: str, anchor: str = "", soft: bool = False) -> str:
    more = f' text-anchor="{anchor}"' * bool(anchor) + ' fill-opacity=".8"' * soft
    return f'<text x="{x}" y="{y}"{more}>{written}</text>'


def _short(value: float) -> str:
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= max(size, 1e4):
            return f"{value / size:.3g}{letter}".replace("-", "−")
    return (f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}").replace("-", "−")


def _power(power: int) -> str:
    if -3 <= power <= 4:
        return f"{10**power:,}" if power >= 0 else f"{10.0**power:g}"
    return f'10<tspan dy="-9" font-size="17">{str(power).replace("-", "−")}</tspan>'


# ---- a file of its own -------------------------------------------------------------------------------------


def alone(figure: Figure, panels: Mapping[str, Mapping[str, Drawn]], source: str) -> str:
    """Return the panels of a figure and its legend as one SVG on white. source : the work and the place, in words."""
    columns = min(len(figure.panels), 1 if len(figure.panels) == 1 else 3 if len(figure.panels) > 4 else 2)
    rows = -(-len(figure.panels) // columns)
    wide, margin = columns * WIDE + 40, 20
    entries = legend_rows(figure, wide - 2 * margin)
    heading = textwrap.wrap(f"{figure.title} ({source})", int((wide - 2 * margin) / 14))
    top = 30 * len(heading) + 30 + 34 * len(entries)
    head = [
        _text(margin, 38 + 30 * i, f'<tspan font-weight="600">{html.escape(line)}</tspan>')
        for i, line in enumerate(heading)
    ]
    for row, several in enumerate(entries):
        x = margin
        for name, ink, pattern, room in several:
            y = 30 * len(heading) + 44 + 34 * row
            dashes = f' stroke-dasharray="{" ".join(str(2 * int(p)) for p in pattern.split())}"' if pattern else ""
            head.append(f'<path d="M{x} {y - 8}h60" stroke="{ink}" stroke-width="5"{dashes}/>')
            head.append(_text(x + 72, y, html.escape(name)))
            x += room
    parts = [f'<g fill="{TEXT}" font-size="{LETTERS}">', *head, "</g>"]
    for i, panel in enumerate(figure.panels):
        place = f"translate({margin + (i % columns) * WIDE},{top + (i // columns) * (HIGH + 16)})"
        parts.append(f'<g transform="{place}">{content(figure, panel, panels.get(panel.id, {}))}</g>')
    high = top + rows * (HIGH + 16) + margin
    made = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide // 2}" height="{high // 2}" '
        f'fill="none" font-family="Helvetica, Arial, sans-serif"><title>{html.escape(figure.title)}</title>'
        f'<rect width="{wide}" height="{high}" fill="{Look().ground}"/>{"".join(parts)}</svg>\n'
    )
    for ink, color in zip((*INKS, TEXT, GRID), (*Look().colors, Look().text, Look().grid), strict=True):
        made = made.replace(ink, color)
    return made


def legend_rows(figure: Figure, wide: int) -> list[list[tuple[str, str, str, int]]]:
    """Return the entries of a legend in rows that fit: name, colour, dash, and the room that it takes."""
    rows: list[list[tuple[str, str, str, int]]] = [[]]
    left = wide
    for name, style in draw.styles(figure).items():
        room = 110 + 13 * len(name)
        if room > left and rows[-1]:
            rows.append([])
            left = wide
        left -= room
        rows[-1].append((name, INKS[style.slot] if style.slot >= 0 else TEXT, PATTERNS[style.dash], room))
    return rows


def legend(figure: Figure) -> Iterable[tuple[str, str]]:
    """Yield each series of a figure with a sample of its line as SVG."""
    for name, style in draw.styles(figure).items():
        ink = INKS[style.slot] if style.slot >= 0 else TEXT
        line = f'<path d="M0 4h30" stroke="{ink}" stroke-width="3" stroke-dasharray="{PATTERNS[style.dash]}"/>'
        yield name, f'<svg width="30" height="8" aria-hidden="true" fill="none">{line}</svg>'
