"""Figures as HTML: cards with small pictures, and statements with their rules. Everything shown is escaped."""

import html
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import groupby
from pathlib import Path

from pages.ui.figures import catalogue, draw, paper_size
from pages.ui.figures import result as results
from pages.ui.figures.causes import catalogue as causes
from pages.ui.figures.causes.ablation import CAUSES, Outcome
from pages.ui.figures.causes.real import Real, beside
from pages.ui.figures.figure import SHEETS, Figure, of_all
from pages.ui.figures.judged import JudgedStatement, judge
from pages.ui.figures.result import Panels, Result
from pages.ui.figures.statement import AGREES, DIFFERS, OPEN, PARTLY, Statement
from pages.ui.figures.view import table, words
from pages.ui.plain import NOTHING, Html, Ours

SIGNS = {AGREES: "✓", PARTLY: "◐", DIFFERS: "✕", OPEN: "–"}
KEPT = 400  # figures whose HTML is kept
LONG = 11  # letters of a number that one tile holds
CAUTION = (
    "A cause makes more rules hold than it breaks: the same run with named values changed, over at least ten data "
    "seeds, or the same numbers with the statement read otherwise. The number of a rule must also move by more than "
    "two standard errors, so that chance is no cause, unless the run is larger: “size” is more steps, data or seeds. "
    "What to try was chosen after the page’s results were known; what is run was chosen before its own. A statement "
    "with several causes counts for that which mends most. “Unknown” means that nothing that was tried is a cause."
)


@dataclass(frozen=True, eq=False)
class FoundCard:
    """The result of a figure. verdicts : of its statements. old : in a sentence how it is too old, or "".

    judged : what came of each statement; empty without a result. larger : what was run at the paper's size. real : its
    panels on real data.
    """

    figure: Figure
    result: Result | None
    verdict: str
    verdicts: tuple[str, ...]
    old: str
    judged: tuple[JudgedStatement, ...] = ()
    larger: Result | None = None
    real: Real | None = None

    @property
    def complete(self) -> bool:
        """Whether all of the paper's size was run, where that is larger than the page's."""
        return self.larger is not None and not self.larger.partial


def find(figure: Figure) -> FoundCard:
    """Return what came out of a figure, which is read again only when its file or that of the code changes."""
    noted = [place / results.CODE for place in (paper_size.folder(results.FOLDER), causes.folder(results.FOLDER))]
    files = results.FOLDER / f"{figure.id}.json", results.FOLDER / results.CODE, *noted
    return _find(figure.id, results.FOLDER, tuple(file.stat().st_mtime_ns if file.is_file() else 0 for file in files))


@lru_cache(KEPT)
def _find(id: str, folder: Path, _changed: tuple[int, ...]) -> FoundCard:
    figure = catalogue.figures()[id]
    result = results.read(id, folder)
    unknown = FoundCard(figure, None, OPEN, (OPEN,) * len(figure.statements), "")
    if result is None:
        return unknown
    old = catalogue.stale(figure, result)
    try:
        judged = judge(figure, result, folder)
    except (KeyError, ValueError, IndexError):  # of a declaration that has other panels, series or places now
        return replace(unknown, old=old)
    verdicts = tuple(one.verdict for one in judged)
    more = paper_size.find(figure, folder)
    return FoundCard(figure, result, of_all(verdicts), verdicts, old, judged, more, beside(figure, result, folder))


def section(paper: str, found: Sequence[FoundCard], full: bool, only: str = "") -> Html:
    """Return the figures of a paper with their heading. full : with statements. only : those of one verdict."""
    authors, title = SHEETS[paper].split(". ")[:2]
    cards = "".join(_card(one.figure.id, one, only) if full else _entry(one.figure.id, one) for one in found)
    heading = f"<h2><span>[{html.escape(paper)}]</span> {html.escape(title)}</h2><p>{html.escape(authors)}</p>"
    return f'<section class="fl-paper" aria-label="{html.escape(title)}">{heading}<div>{cards}</div></section>'


def tiles(found: Sequence[FoundCard]) -> Html:
    """Return a map of figures: a small tile for each, by paper, its number in the colour and sign of its verdict."""
    counted = Counter(one.verdict for one in found)
    key = "".join(f"<span>{verdict(word)} {number}</span>" for word, number in counted.most_common())
    told = '<span class="fl-told" aria-hidden="true"></span>'
    papers = "".join(
        _tiles(paper, list(several)) for paper, several in groupby(found, key=lambda one: one.figure.paper)
    )
    return f'<div class="fl-key">{key}{told}</div><div class="fl-map">{papers}</div>{table_of_causes(found)}'


def _tiles(paper: str, found: Sequence[FoundCard]) -> Html:
    authors, title = SHEETS[paper].split(". ")[:2]
    tag = html.escape(paper)
    link = f'<a href="figures?paper={tag}" data-open="{tag}">[{tag}] {html.escape(title)}</a>'
    heading = f"<h2>{link} <small>{html.escape(authors)}</small></h2>"
    several = "".join(_tile(one.figure.id, one) for one in found)
    return f'<section aria-label="{html.escape(title)}">{heading}<div>{several}</div></section>'


def _tile(id: Ours, found: FoundCard) -> Html:
    word, where, title = found.verdict, html.escape(found.figure.where), html.escape(found.figure.title)
    size = ' class="fl-wide"' * (len(where) > LONG)
    told = f"{where} · {title}" + " · run at the paper’s size too" * found.complete
    return (
        f'<a id="{id}" {_link(id)}{size} data-verdict="{word}" data-told="{told}" '
        f'aria-label="{where}, {title}, {word}">{SIGNS[word]} {where}</a>'
    )


def _link(id: Ours) -> Html:
    return Html(f'href="figures?figure={id}" data-open="{id}"')


@lru_cache(KEPT)
def _entry(id: Ours, found: FoundCard) -> Html:
    """Return the entry of a figure in the index: number, verdict, title and its first panel."""
    figure = found.figure
    drawn = found.result.panels if found.result else {}
    first = "" if figure.table or not figure.panels else draw.picture(
        figure, figure.panels[0], drawn.get(figure.panels[0].id, {})
    )  # fmt: skip
    return (
        f'<article id="{id}" class="fl-entry"><h3><a {_link(id)}>{html.escape(figure.where)}</a> '
        f"{verdict(found.verdict)}</h3><p>{html.escape(figure.title)}</p>"
        f'<a class="fl-thumb" {_link(id)} tabindex="-1" aria-hidden="true">{first}</a></article>'
    )


@lru_cache(KEPT)
def _card(id: Ours, found: FoundCard, only: str) -> Html:
    """Return a figure with all of its panels and statements. only : of one verdict."""
    figure = found.figure
    where, link = html.escape(figure.where), _link(id)
    parts = [
        f"<h3><a {link}>{where} <span>{html.escape(figure.title)}</span></a> {verdict(found.verdict)}</h3>",
        f"<p>{words.told(figure.caption)}</p>",
        f'<a class="fl-panels" {link} tabindex="-1">{panels(figure, found.result.panels if found.result else {})}</a>',
        "" if figure.table or not figure.panels else legend(figure),
        notes(found),
        statements(found, only),
    ]
    return f'<article id="{id}" style="--n: {max(1, len(figure.panels))}">{"".join(parts)}</article>'


def panels(figure: Figure, drawn: Panels) -> Html:
    """Return the panels of a figure as small pictures, or as tables."""
    made = table.table if figure.table else partial(draw.picture, figure)
    return "".join(made(panel, drawn.get(panel.id, {})) for panel in figure.panels)


def legend(figure: Figure) -> Html:
    """Return the legend of a figure in the paper's order, with a diamond if the paper prints numbers."""
    named = "".join(f"<span>{sample}{html.escape(name)}</span>" for name, sample in draw.samples(figure).items())
    printed = any(series.printed for panel in figure.panels for series in panel.series)
    return f'<p class="fl-keys">{named}{"<span>◇ printed</span>" if printed else ""}</p>'


def verdict(word: str) -> Html:
    """Return a verdict as colour, sign and word."""
    name = html.escape(word)
    return f'<span class="fl-verdict" data-verdict="{name}">{SIGNS[word]} {name}</span>'


def notes(found: FoundCard) -> Html:
    """Return what one must know of the numbers: stand-ins, size, what was chosen, whether they are old."""
    figure, result = found.figure, found.result
    lines = [words.stand_ins(figure), words.seeds(result) if result else "", *words.sizes(figure)]
    if figure.chosen:
        lines.append(f"Chosen after looking: {figure.chosen}")
    lines += words.larger(figure, found.larger)
    items = [words.told(line) for line in lines if line]
    if found.old:
        items.append(f'<b class="fl-old">Older than its setup.</b> {html.escape(found.old)}')
    return f'<ul class="fl-notes">{"".join(f"<li>{item}</li>" for item in items)}</ul>' if items else NOTHING


def real_notes(real: Real) -> Html:
    """Return whose the real data of a figure are, and how one gets them."""
    return f'<ul class="fl-notes">{"".join(f"<li>{words.told(note)}</li>" for note in real.notes)}</ul>'


def statements(found: FoundCard, only: str = "", opened: bool = False) -> Html:
    """Return the statements of a figure, or those of one verdict, each with its rules behind a word.

    opened : whether the rules are shown at once.
    """
    known: Sequence[JudgedStatement | None] = found.judged or (None,) * len(found.verdicts)
    every = list(zip(found.figure.statements, found.verdicts, known, strict=True))
    shown = [one for one in every if only in ("", one[1])]
    left = len(every) - len(shown)
    more = f'<p class="fl-notes">{left} more of other verdicts.</p>' if left else ""
    why = f'<p class="fl-why"><b>What differs.</b> {words.told(found.figure.why)}</p>' if found.figure.why else ""
    return "".join(_statement(*one, opened) for one in shown) + more + why


def _statement(statement: Statement, word: str, judged: JudgedStatement | None, opened: bool) -> Html:
    where = f"<small>{words.told(statement.where)}</small>" if statement.where else ""
    here = "This was not run yet." if judged is None else words.told(judged.here)
    why = f"<p><b>Why.</b> {words.told(statement.why)}</p>" if statement.why else ""
    size = "" if judged is None or not judged.paper else (
        f"<p><b>Judged at the paper’s size.</b> At the size of the page it {words.COUNTED[judged.page][0]}"
        f"{' too' * (judged.page == word)}.</p>"
    )  # fmt: skip
    return (
        f'<div class="fl-statement" data-verdict="{html.escape(word)}"><div>{verdict(word)}{where}</div>'
        f"<p><b>{statement.said}.</b> {words.told(statement.printed)}</p><p><b>Here.</b> {here}</p>{size}{why}"
        f"{_cause(judged, opened)}{_rules(statement, None if judged is None else judged.result, opened)}</div>"
    )


def _cause(judged: JudgedStatement | None, opened: bool) -> Html:
    """Return the cause of a statement that does not agree, and behind a word what was tried."""
    if judged is None or judged.cause is None:
        return NOTHING
    said = f"<p><b>Cause, by what was tried.</b> {html.escape(judged.cause.words)[:1].upper()}" + (
        f"{html.escape(judged.cause.words)[1:]}.</p>"
    )
    if not judged.tried:
        return said
    lines = "".join(f"<li>{_tried(one)}</li>" for one in judged.tried)
    head = f"What was tried ({len(judged.tried)})"
    return f"{said}<details{' open' * opened}><summary>{head}</summary><ul>{lines}</ul></details>"


def _tried(one: Outcome) -> Html:
    """Return what was tried and what came of it. A statement that is read otherwise needs no run."""
    sign, end = ("✓", f"it {words.COUNTED[one.verdict][0]}") if one.mended else ("✕", "nothing is mended")
    if one.mended and one.verdict != AGREES:
        end = f"{len(one.mended)} more of its rules hold" + (f", {len(one.broken)} no longer" if one.broken else "")
    said, kind = words.told(one.ablation.words), html.escape(one.ablation.kind)
    kind += "" if one.ablation.changes else ", of the same numbers"
    said = Html(said[:1].upper() + said[1:]) if said[:1].isascii() else said  # ε stays ε
    head = f'<span aria-hidden="true">{sign}</span> <b>{said}</b> ({kind}): {end}.'
    return f"{head} {words.told(one.here)}"


def table_of_causes(found: Sequence[FoundCard]) -> Html:
    """Return a table of the causes of what differs or agrees in part, by paper; "" where all agrees."""
    counts = {paper: causes_of(list(several)) for paper, several in groupby(found, key=lambda one: one.figure.paper)}
    total = sum(counts.values(), Counter[str]())
    if not total:
        return NOTHING
    many = "1 statement differs or agrees" if total.total() == 1 else f"{total.total()} statements differ or agree"
    head = "".join(f'<th scope="col">[{html.escape(paper)}]</th>' for paper in counts)
    rows = "".join(
        f'<tr><th scope="row">{cause}</th>'
        + "".join(f"<td>{counts[paper][cause] or ''}</td>" for paper in counts)
        + f"<td>{total[cause]}</td></tr>"
        for cause in CAUSES
    )
    return (
        f'<details class="fl-causes"><summary>Why {many} in part, by what was tried'
        f'</summary><div class="fl-sheet-scroll"><table><thead><tr><th scope="col">cause</th>{head}'
        f'<th scope="col">all</th></tr></thead><tbody>{rows}</tbody></table></div><p>{CAUTION}</p></details>'
    )


def causes_of(found: Sequence[FoundCard]) -> Counter[str]:
    """Return how many statements have each cause; one with several counts for that which mends most."""
    return Counter(one.cause.kinds[0] for card in found for one in card.judged if one.cause is not None)


def _rules(statement: Statement, result: Result | None, opened: bool) -> Html:
    outcomes: Sequence[tuple[str, bool | None]] = [(rule.words, None) for rule in statement.rules]
    if result is not None:
        outcomes = statement.outcomes(result)
    signs = {True: ("✓", "holds"), False: ("✕", "does not hold"), None: ("–", "not run")}
    lines = "".join(
        f'<li><span aria-hidden="true">{signs[holds][0]}</span> {html.escape(said)} <i>{signs[holds][1]}</i></li>'
        for said, holds in outcomes
    )
    head = "The rule" if len(outcomes) == 1 else f"The {len(outcomes)} rules"
    return f"<details{' open' * opened}><summary>{head}</summary><ul>{lines}</ul></details>"
