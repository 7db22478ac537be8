"""A panel as a table: a row for each series, a column for each place on the x axis, and below what the paper prints."""

import html
from collections.abc import Mapping
from typing import Any

from learners.tables import PrintedTable
from pages.ui.figures import draw
from pages.ui.figures.figure import Panel, Series, Steps
from pages.ui.figures.result import Drawn
from pages.ui.figures.view import words
from pages.ui.plain import Html, Ours


def table(panel: Panel, found: Mapping[str, Drawn]) -> Html:
    """Return the HTML of a table; of a curve over the steps only the last value. Printed names come first."""
    columns, printed = _columns(panel, found), any(series.printed for series in panel.series)
    rows = []
    for series in panel.series:
        said = dict(series.printed)
        cells = "".join(f"<td>{_cell(_here(found, series, x), said.get(x), printed)}</td>" for x in columns)
        rows.append(f'<tr><th scope="row">{html.escape(series.name)}</th>{cells}</tr>')
    head = "".join(f'<th scope="col">{html.escape(_name(x))}</th>' for x in columns)
    corner = html.escape(words.x_title(panel))
    title, y = html.escape(panel.title), html.escape(words.y_title(panel))
    caption = f"<b>{title}</b> · {y}" if title else y
    return (
        f'<div class="fl-sheet-scroll" role="region" tabindex="0" aria-label="{title or y}"><p>{caption}</p><table>'
        f'<thead><tr><th scope="col">{corner}</th>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )


def printed(panel: Panel, found: Mapping[str, Drawn]) -> PrintedTable:
    """Return the same for a paper: mean and standard error, and what is printed in brackets."""
    columns, rows = _columns(panel, found), []
    for series in panel.series:
        said = {x: f" ({words.number(value)})" for x, value in series.printed}
        rows.append((series.name, *(f"{_here(found, series, x)}{said.get(x, '')}" for x in columns)))
    return PrintedTable(("", *map(_name, columns)), tuple(rows))


def _columns(panel: Panel, found: Mapping[str, Drawn]) -> list[Any]:
    """Return the places of the x axis: printed names, then what came out; printed numbers where nothing did."""
    printed = [x for series in panel.series for x, _ in series.printed]
    here = [x for series in panel.series for x in _places(panel, found.get(series.name))]
    return list(dict.fromkeys([*(x for x in printed if isinstance(x, str)), *here])) or list(dict.fromkeys(printed))


def _places(panel: Panel, drawn: Drawn | None) -> tuple[Any, ...]:
    if drawn is None:
        return ()
    return drawn.x[-1:] if isinstance(panel.x, Steps) and panel.computed is None else drawn.x


def _here(found: Mapping[str, Drawn], series: Series, x: Any) -> Ours:
    """Return what came out of a series at a place."""
    drawn = found.get(series.name)
    if drawn is None or x not in drawn.x:
        return Ours("–")
    mean, error = draw.mean_and_error(drawn)
    return words.number(float(mean[drawn.x.index(x)]), float(error[drawn.x.index(x)]))


def _cell(here: Ours, printed: float | None, several: bool) -> Html:
    """Return what came out at a place, and below it the printed number."""
    if not several:
        return here
    return f"{here}<small>{'' if printed is None else 'printed ' + words.number(printed)}</small>"


def _name(x: Any) -> str:
    return x if isinstance(x, str) else words.number(float(x))
