"""The figures of an edition: the map of all of them, and a page for each."""

import gzip
import html
import re
from typing import Any, cast

from pages.ui.figures import catalogue, links
from pages.ui.figures.figure import Figure
from pages.ui.figures.view import cards, files, one_figure, words
from pages.ui.home.page import address
from pages.ui.plain import NOTHING, Html
from pages.ui.static.page import page
from pages.ui.static.store import Store, wrapped

ID, MAP = "figure-{}.html", "figures.html"
_ONE = re.compile(r'href="figures\?figure=([\w.-]+)" data-open="[^"]*"')
_PAPER = re.compile(r'<a href="figures\?paper=[^"]*" data-open="[^"]*">(.*?)</a>')


def entries() -> list[dict[str, str]]:
    """Return each figure as the field of the first page finds it."""
    return [
        {"title": f"[{f.paper}] {f.where}", "text": f.title, "href": ID.format(f.id)}
        for f in catalogue.figures().values()
    ]


def write(store: Store, server: str) -> None:
    """Write the map, the page of each figure, and its numbers and picture as files."""
    every = list(catalogue.figures().values())
    found = [cards.find(figure) for figure in every]
    tiles = cast(Html, _PAPER.sub(r"\1", _ONE.sub(lambda m: f'href="{ID.format(m[1])}"', cards.tiles(found))))
    body = f'<h1>Figures</h1>\n<p class="fl-lead">{_LEAD}</p>\n{_sheet(tiles)}'
    store.write(MAP, page("Figures", body, {}, "figures"))
    for place, figure in enumerate(every):
        around = every[place - 1] if place else None, every[place + 1] if place + 1 < len(every) else None
        _write(store, figure, around, server)


_LEAD = (
    "Every figure and table of five papers, redrawn from our own runs and compared with what the paper states, and "
    "later work. Arrow keys lead from tile to tile."
)


def _sheet(inner: Html) -> Html:
    return f'<div class="fl-sheet" data-full="true">{inner}</div>'


def _write(store: Store, figure: Figure, around: tuple[Figure | None, Figure | None], server: str) -> None:
    found = cards.find(figure)
    result, drawn = found.result, found.result.panels if found.result else {}
    way = "".join(
        f'<a href="{ID.format(other.id)}" rel="{rel}">{sign[0]}[{other.paper}] {html.escape(other.where)}{sign[1]}</a>'
        for other, rel, sign in zip(around, ("prev", "next"), (("‹ ", ""), ("", " ›")), strict=True)
        if other is not None
    )
    legend = "" if figure.table or not figure.panels else cards.legend(figure)
    body = f"""<nav class="fl-way" aria-label="Figures">{way}<a href="{MAP}">All figures</a></nav>
<h1>{html.escape(figure.title)}</h1>
{_sheet(one_figure.where(found) + f"<p>{words.told(figure.caption)}</p>")}
<div class="fl-sheet fl-one" data-full="true" style="--n: {max(1, len(figure.panels))}">
<div class="fl-panels">{cards.panels(figure, drawn)}</div>{legend}{_real(found)}{cards.notes(found)}
{cards.statements(found)}</div>
<p class="fl-away">{_files(store, figure, result)}</p>
{_live(figure, server) if server else ""}
<p class="fl-fine">The command that makes it again: <code>python -m pages.figures {figure.id}</code></p>"""
    store.write(ID.format(figure.id), page(f"{figure.title}, [{figure.paper}] {figure.where}", body, {}, "figures"))


def _real(found: cards.FoundCard) -> Html:
    """Return the panels on real data, "" where there are none."""
    if found.real is None:
        return NOTHING
    drawn = cards.panels(found.real.figure, found.real.drawn)
    return (
        f'<h3 class="fl-real">{one_figure.REAL}</h3><div class="fl-panels">{drawn}</div>{cards.real_notes(found.real)}'
    )


def _files(store: Store, figure: Figure, result: Any) -> Html:
    """Write the numbers of a figure, packed, and its picture, and return what gives them."""
    if result is None:
        return NOTHING
    numbers = f"data/{figure.id}.csv.js"
    store.write(numbers, wrapped(gzip.compress(files.to_csv(figure, result).encode(), 9, mtime=0)))
    made = f'<button type="button" data-take="{figure.id}.csv" data-file="{numbers}">Numbers as CSV</button>'
    if figure.table or not figure.panels:
        return made
    picture = f"data/{figure.id}.svg"
    store.write(picture, files.to_svg(figure, result))
    return f'{made} <a href="{picture}" download="{figure.id}.svg">Picture as SVG</a>'


def _live(figure: Figure, server: str) -> Html:
    """Return links that run the panels in the app."""
    found = "".join(
        f'<li><a href="{html.escape(server + address(link.page, link.query))}">{html.escape(link.words)}</a> '
        f"<small>{html.escape(panel.title)}</small></li>"
        for panel in figure.panels
        for link in links.of(panel)
    )
    return f"<h2>Run it in the app</h2><ul>{found}</ul>" if found else NOTHING
