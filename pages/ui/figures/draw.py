"""A panel of a figure as a Plotly chart, with bands of ± one standard error and the points that the paper prints.

The same panel as a small SVG is made on the server.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.draw import svg
from pages.ui.draw.charts import DASHES, Look, axis_of, base_layout, empty_figure, ribbon
from pages.ui.draw.hues import NUMBER, hues
from pages.ui.figures.figure import Figure, Over, Panel, Series
from pages.ui.figures.result import Drawn, Panels
from pages.ui.figures.view import words
from pages.ui.plain import Html, Ours, for_plotly

HEIGHT = 340
FEW_POINTS = 12  # points of a curve that are marked one by one, at most
DODGE = 0.6  # of the room of a name, taken by all series side by side
LIGHT = Look()
_PLAIN = {"tickformat": ",~g"}
REFERENCES = ("dot", "wide", "dashdot", "longdash")  # dashes
PALE = 0.3  # opacity of what lies below
NOTHING = Drawn((), np.empty((0, 0)))


@dataclass(frozen=True)
class Style:
    """How a series is drawn everywhere in its figure.

    slot : of the colours, -1 for the colour of the text. round : whether its points are, and not square.
    """

    slot: int
    dash: str
    round: bool = True

    def color(self, look: Look) -> str:
        """Return its colour in a theme."""
        return look.colors[self.slot] if self.slot >= 0 else look.text

    @property
    def ink(self) -> Ours:
        """Its colour in an SVG of the page."""
        return Ours(svg.INKS[self.slot] if self.slot >= 0 else svg.TEXT)


def styles(figure: Figure) -> dict[str, Style]:
    """Return the style of each series by name, in the order of the legend; references have the colour of the text."""
    every: dict[str, Series] = {}
    for panel in figure.panels:
        for series in panel.series:
            every.setdefault(series.name, series)
    learners = hues([series.learner for series in every.values() if not series.reference])
    found: dict[str, Style] = {}
    references, taken = 0, [0] * NUMBER
    for name, series in every.items():
        if series.reference:
            found[name] = Style(-1, REFERENCES[references % len(REFERENCES)])
            references += 1
        else:  # the second with a colour has another dash
            hue = learners[len(found) - references]
            found[name] = Style(hue, DASHES[(hue + taken[hue]) % NUMBER], taken[hue] % 2 == 0)
            taken[hue] += 1
    return found


def mean_and_error(drawn: Drawn) -> tuple[Array, Array]:
    """Return mean and standard error over the data seeds that are there, both (points,); the error of one is 0."""
    known = np.isfinite(drawn.y).sum(axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of points without any value
        mean = np.nanmean(drawn.y, axis=0) if len(drawn.y) else np.full(len(drawn.x), np.nan)
        spread = np.nanstd(drawn.y, axis=0, ddof=1) if len(drawn.y) > 1 else np.zeros(len(drawn.x))
    error = np.where(known > 1, spread / np.sqrt(np.maximum(known, 1)), 0.0)
    return mean, np.where(error > 1e-12 * np.abs(mean), error, 0.0)  # equal values, but for the last bit of their sum


def names(stored: Mapping[str, Drawn]) -> list[str]:
    """Return the names on the x axis, in order; none where numbers are there."""
    return list(dict.fromkeys(str(x) for drawn in stored.values() if drawn.named for x in drawn.x))


def shifts(panel: Panel) -> dict[str, float]:
    """Return by how much each series stands to the right of a name, so that none hides another."""
    every = [series.name for series in panel.series]
    step = DODGE / len(every)
    return {name: (i - (len(every) - 1) / 2) * step for i, name in enumerate(every)}


def places(x: Sequence[Any], named: Sequence[str], shift: float) -> Array:
    """Return where points stand on the x axis; names at 0, 1, 2 …, with their series' shift."""
    if named:
        return np.array([named.index(str(one)) if str(one) in named else np.nan for one in x], dtype=float) + shift
    return np.array(x, dtype=float)


def level(panel: Panel, series: Series) -> bool:
    """Return whether a series is a level line, since what is on the x axis does not concern it."""
    return isinstance(panel.x, Over) and bool(panel.x.only) and series.name not in panel.x.only


def panel(
    figure: Figure, panel: Panel, stored: Mapping[str, Drawn], over: Mapping[str, Drawn] = {},
    over_words: str = "run now", look: Look = LIGHT, height: int = HEIGHT, size: int = 12,
) -> dict[str, Any]:  # fmt: skip
    """Draw a panel with the paper's axes. `over` are series by name that are drawn over the stored ones, then pale.

    size : of the letters, in pixels.
    """
    layout = base_layout(look, height, margin={"l": 58, "r": 12, "t": 8, "b": 44})
    layout["font"] = {"color": look.text, "size": size}
    if not stored and not over:
        return empty_figure("Nothing has been run yet.", layout, look)
    style, named, shift = styles(figure), names({**stored, **over}), shifts(panel)
    log_x, log_y = words.logarithmic(panel)
    traces: list[dict[str, Any]] = []
    for layer, (found, pale) in enumerate(((stored, bool(over)), (over, False))):
        for series in panel.series:
            if series.name in found:
                x = places(found[series.name].x, named, shift[series.name])
                label = f"{series.name}, {over_words}" if layer else series.name
                traces += _series(panel, series, style[series.name], found[series.name], x, pale, look, label)
    for series in panel.series:
        if series.printed:
            x = places([x for x, _ in series.printed], named, shift[series.name])
            traces.append(_printed(series, style[series.name], x, look))
    tick = {"color": look.text, "size": size - 1}
    across: dict[str, Any] = {
        "title": {"text": for_plotly(words.x_title(panel)), "standoff": 6},
        "tickfont": tick,
        **_PLAIN,
    }
    if named:
        across |= {
            "tickvals": list(range(len(named))),
            "ticktext": [for_plotly(name) for name in named],
            "range": [-0.6, len(named) - 0.4],
            "zeroline": False,
        }
        across |= {"automargin": True, "showgrid": False}
    elif log_x:
        across |= {"type": "log", "dtick": 1} if _decades(traces) > 2 else {"type": "log", "nticks": 6}
    down: dict[str, Any] = {"nticks": 6, "automargin": True, "tickfont": tick, **_PLAIN}
    if log_y:
        down |= {"type": "log"}
    if panel.y_range:
        down["range"] = [float(np.log10(v)) if log_y else v for v in panel.y_range]
    layout |= {"xaxis": axis_of(look, across), "yaxis": axis_of(look, down), "hovermode": "closest"}
    if not named and max(len(d.x) for d in (*stored.values(), *over.values())) > FEW_POINTS:
        layout["hovermode"] = "x unified"
    return {"data": traces, "layout": layout}


def _series(
    panel: Panel, series: Series, style: Style, drawn: Drawn, x: Array, pale: bool, look: Look, label: str
) -> list[dict[str, Any]]:
    """Return the traces of a series, a curve with its band, or points with bars."""
    mean, error = mean_and_error(drawn)
    known = slice(int(np.isfinite(mean).argmax()), None)  # an axis begins where a curve does
    x, mean, error = x[known], mean[known], error[known]
    color, log_y, loose = style.color(look), panel.log_y, drawn.loose
    line = {"color": color, "dash": {"dot": "2px,4px", "wide": "2px,9px"}.get(style.dash, style.dash), "width": 2.2}
    made: list[dict[str, Any]] = []
    if not loose and not pale and error.any():
        made.append(ribbon(x, mean - error, mean + error, color, log_y))
    marked = len(x) <= FEW_POINTS and not level(panel, series)
    mode = "markers" if loose else "lines+markers" if marked else "lines"
    made.append({
        "type": "scatter", "mode": mode, "x": x, "y": mean, "name": label, "showlegend": False, "line": line,
        "marker": {"size": 9 if loose else 6, "color": color, "symbol": "circle" if style.round else "square"},
        "opacity": PALE if pale else 1,
        "customdata": error, "hovertemplate": f"%{{y:.4g}} ± %{{customdata:.2g}}<extra>{for_plotly(label)}</extra>",
    })  # fmt: skip
    if loose and error.any():
        made[-1]["error_y"] = {"type": "data", "array": error, "color": color, "thickness": 1.6, "width": 4}
    return made


def _printed(series: Series, style: Style, x: Array, look: Look) -> dict[str, Any]:
    """Return the points that the paper prints for a series, as open diamonds."""
    return {
        "type": "scatter", "mode": "markers", "x": x, "y": np.array([y for _, y in series.printed], dtype=float),
        "name": f"{series.name}, printed", "showlegend": False,
        "marker": {"size": 11, "symbol": "diamond-open", "color": style.color(look), "line": {"width": 2}},
        "hovertemplate": f"%{{y:.4g}}<extra>{for_plotly(series.name)}, printed</extra>",
    }  # fmt: skip


def _decades(traces: Sequence[Mapping[str, Any]]) -> float:
    x = np.concatenate([np.asarray(trace["x"], dtype=float) for trace in traces])
    x = x[np.isfinite(x) & (x > 0)]
    return float(np.log10(x.max() / x.min())) if len(x) else 0.0


# ---- as SVG ------------------------------------------------------------------------------------------------


def small(figure: Figure, panel: Panel, found: Mapping[str, Drawn]) -> tuple[svg.Frame, list[svg.SvgCurve]]:
    """Return a panel as `svg.panel` takes it."""
    named, shift, style = names(found), shifts(panel), styles(figure)
    log_x, log_y = words.logarithmic(panel)
    curves = []
    for series in panel.series:
        drawn, how, to_right = found.get(series.name, NOTHING), style[series.name], shift[series.name]
        printed = places([x for x, _ in series.printed], named, to_right), np.array([y for _, y in series.printed])
        mean, error = mean_and_error(drawn)
        x = places(drawn.x, named, to_right)
        curves.append(svg.SvgCurve(x, mean, error, how.ink, how.dash, drawn.loose, how.round, printed))
    title, x_title, y_title = panel.title, words.x_title(panel), words.y_title(panel)
    return svg.Frame(title, x_title, y_title, named, log_x and not named, log_y, panel.y_range), curves


def picture(figure: Figure, panel: Panel, found: Mapping[str, Drawn]) -> Html:
    """Return a panel as an SVG."""
    frame, curves = small(figure, panel, found)
    title, high = panel.title or figure.title, svg.height(curves)
    return svg.image(svg.panel(frame, curves), title, svg.WIDE, high, ' role="img"')


def sheet(figure: Figure, panels: Panels, source: str) -> str:
    """Return all panels of a figure with its legend as one SVG. source : the work and the place, in words."""
    contents = [small(figure, panel, panels.get(panel.id, {})) for panel in figure.panels]
    entries = [(name, style.ink, style.dash) for name, style in styles(figure).items()]
    return svg.sheet(figure.title, f"{figure.title} ({source})", entries, contents)


def samples(figure: Figure) -> dict[str, Html]:
    """Return a sample of the line of each series by its name, as SVG."""
    return {name: svg.sample(style.ink, style.dash) for name, style in styles(figure).items()}
