"""A panel as a table: a row for each series, a column for each place on the x axis, and below what the paper prints."""

import html
from collections.abc import Mapping
from typing import Any

from learners.tables import PrintedTable
from pages.ui.figures import draw
from pages.ui.figures.figure import Panel, Steps
from pages.ui.figures.result import Drawn
from pages.ui.figures.view import words
from pages.ui.plain import Html, Ours


def table(panel: Panel, found: Mapping[str, Drawn]) -> Html:
    """Return the HTML of a table; of a curve over the steps only the last value. Printed names come first."""
    names = [x for series in panel.series for x, _ in series.printed if isinstance(x, str)]
    here = [x for series in panel.series for x in _places(panel, found.get(series.name))]
    columns = list(dict.fromkeys([*names, *here]))
    if not columns:
        columns = list(dict.fromkeys(x for series in panel.series for x, _ in series.printed))
    printed = any(series.printed for series in panel.series)
    rows = []
    for series in panel.series:
        said = dict(series.printed)
        cells = "".join(f"<td>{_cell(found.get(series.name), x, said.get(x), printed)}</td>" for x in columns)
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
    named = [x for series in panel.series for x, _ in series.printed if isinstance(x, str)]
    columns = list(dict.fromkeys([*named, *(x for s in panel.series for x in _places(panel, found.get(s.name)))]))
    rows = []
    for series in panel.series:
        said, cells = dict(series.printed), []
        for x in columns:
            drawn, here = found.get(series.name), "–"
            if drawn is not None and x in drawn.x:
                mean, error = draw.mean_and_error(drawn)
                here = words.number(float(mean[drawn.x.index(x)]), float(error[drawn.x.index(x)]))
            cells.append(f"{here} ({words.number(said[x])})" if x in said else here)
        rows.append((series.name, *cells))
    return PrintedTable(("", *map(_name, columns)), tuple(rows))


def _places(panel: Panel, drawn: Drawn | None) -> tuple[Any, ...]:
    if drawn is None:
        return ()
    return drawn.x[-1:] if isinstance(panel.x, Steps) and panel.computed is None else drawn.x


def _cell(drawn: Drawn | None, x: Any, printed: float | None, several: bool) -> Html:
    """Return what came out at a place, and below it the printed number."""
    here = Ours("–")
    if drawn is not None and x in drawn.x:
        mean, error = draw.mean_and_error(drawn)
        here = words.number(float(mean[drawn.x.index(x)]), float(error[drawn.x.index(x)]))
    if not several:
        return here
    return f"{here}<small>{'' if printed is None else 'printed ' + words.number(printed)}</small>"


def _name(x: Any) -> str:
    return x if isinstance(x, str) else words.number(float(x))
