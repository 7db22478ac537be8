"""The words about a figure: what its axes show, how much of the paper's size was run, and counts."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, cast

import numpy as np

from learners.catalogue import families, learner_classes
from learners.wording import listed
from pages.ui.counting import counted, named
from pages.ui.figures import catalogue
from pages.ui.figures.figure import Figure, Metrics, Over, Panel, Size, Steps
from pages.ui.figures.paper_size import ENOUGH, figure_of
from pages.ui.figures.result import Result
from pages.ui.figures.statement import AGREES, DIFFERS, OPEN, PARTLY
from pages.ui.papers import explained
from pages.ui.plain import Html, Markdown, Ours

COUNTED = {AGREES: ("agrees", "agree"), PARTLY: ("agrees in part", "agree in part"), DIFFERS: ("differs", "differ"),
           OPEN: ("was not run", "were not run")}  # fmt: skip


def x_title(panel: Panel) -> str:
    """Return what is on the x axis of a panel."""
    by_hand = panel.computed is not None and isinstance(panel.x, Steps)  # the function decides what is there
    title = panel.x_title or ("" if by_hand else panel.x.title)
    return title or (panel.x.name.replace("_", " ") if isinstance(panel.x, Over) else "")


def y_title(panel: Panel) -> str:
    """Return what is on the y axis of a panel: its own words, or those of its metric."""
    if panel.y_title:
        return panel.y_title
    wanted = [id for _, id in panel.x.metrics] if isinstance(panel.x, Metrics) else [panel.metric]
    known = {
        id: metric.label
        for series in panel.series
        if series.learner
        for id, metric in families()[learner_classes()[series.learner].family].by_id.items()
    }
    labels = dict.fromkeys(known.get(id, id) for id in wanted)
    return next(iter(labels)) if len(labels) == 1 else _shared(list(labels))


def _shared(labels: Sequence[str]) -> str:
    """Return how labels such as NDCG@1 and NDCG@5 begin, "" where they share nothing before a cut-off.

    >>> _shared(["NDCG@1", "NDCG@5"]), _shared(["NDCG@1", "MAP"])
    ('NDCG', '')
    """
    heads = {label.split("@")[0] for label in labels}
    return heads.pop() if len(heads) == 1 else ""


def logarithmic(panel: Panel) -> tuple[bool, bool]:
    """Return whether the x axis and the y axis of a panel are logarithmic."""
    return isinstance(panel.x, (Steps, Over, Metrics)) and panel.x.log, panel.log_y


def learners_of(figure: Figure) -> set[str]:
    """Return the ids of the learners in a figure."""
    return {series.learner for panel in figure.panels for series in panel.series if series.learner}


def stand_ins(figure: Figure) -> str:
    """Return in a sentence which data stand for those of the paper, "" if there are no stand-ins."""
    found: dict[str, list[str]] = {}
    for panel in figure.panels:
        if panel.stands_for:
            found.setdefault(panel.stands_for, []).append(panel.title)
    if not found:
        return ""
    if len(found) == 1 and len(next(iter(found.values()))) == len(figure.panels):
        return f"The data stand for {next(iter(found))}."
    parts = [
        f"“{'” and “'.join(titles)}” {'stand' if len(titles) > 1 else 'stands'} for {data}"
        for data, titles in found.items()
    ]
    return f"{'. '.join(parts)}."


def sizes(figure: Figure, scale: str = "page") -> list[str]:
    """Return a sentence for each size that was run, with how much the paper ran."""
    said = [(_size(panel, scale), panel.title) for panel in figure.panels]
    several = len({words for words, _ in said}) > 1
    found = []
    for words, panels in groupby(sorted(said, key=lambda s: [w for w, _ in said].index(s[0])), key=lambda s: s[0]):
        titles = "; ".join(title for _, title in panels)
        found.append(f"{titles}: {words}" if several else f"{words[0].upper()}{words[1:]}")
    return found


def larger(figure: Figure, result: Result | None) -> list[str]:
    """Return in sentences how much was run at the paper's size, beside the page's; none where nothing was."""
    if result is None:
        return []
    seeds = {len(drawn.y) for series in result.panels.values() for drawn in series.values()}
    if not seeds:
        return [result.partial]
    many = counted(min(seeds), "data seed") if len(seeds) == 1 else f"{min(seeds)} to {max(seeds)} data seeds"
    titles = [panel.title for panel in figure.panels if panel.id in result.panels]
    run = f"At the paper’s size {listed(titles)} {'were' if len(titles) > 1 else 'was'} run with {many}"
    decides = "This run decides" if min(seeds) >= ENOUGH else f"They are too few to decide, which takes {ENOUGH}"
    older = catalogue.stale(figure_of(figure), result) and (
        f"It was computed on {result.made}; the code of what runs here has changed since."
    )
    return [f"{run}, in {duration(result.seconds)}. {decides}.", result.partial, older]


def _size(panel: Panel, scale: str) -> str:
    here, paper = panel.size(scale), panel.size("paper")
    words = counted(here.seeds, "data seed")
    if here.replicates > 1:
        words += f", for each the mean of {here.replicates} runs"
    if panel.computed is not None:  # what its steps are only the function knows
        share = here.steps / paper.steps
        return words + ("." if share == 1 else f", {share:.3g} times the paper's size.")
    words += f", {_run(here, panel)}"
    if (here.steps, here.data) == (paper.steps, paper.data):
        return f"{words}, as many as in the paper." if panel.paper and not panel.assumed else f"{words}."
    if panel.assumed:
        return f"{words}. The text does not print how much the paper ran; it may be {_run(paper, panel)}."
    return f"{words}. The paper ran {_run(paper, panel)}."


def _run(size: Size, panel: Panel) -> str:
    given = ", ".join(f"{_value(value)} {name.replace('_', ' ')}" for name, value in size.data.items())
    return f"{size.steps:,} {named(size.steps, unit([panel]))}" + (f" ({given})" if given else "")


def unit(panels: Sequence[Panel]) -> str:
    """Return what a step of the learners of some panels is called."""
    learners = {series.learner for panel in panels for series in panel.series if series.learner}
    units = {families()[learner_classes()[id].family].unit for id in learners}
    return units.pop() if len(units) == 1 else "step"


def _value(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def seeds(result: Result) -> str:
    """Return what the bands show, "" where there is one data seed and no band."""
    most = max((len(drawn.y) for series in result.panels.values() for drawn in series.values()), default=0)
    return "Mean ± one standard error over the data seeds." if most > 1 else ""


def counts(verdicts: Iterable[str]) -> Ours:
    """Return how many statements there are of each verdict.

    >>> counts(["agrees", "differs", "agrees"])
    '3 statements, of which 2 agree and 1 differs'
    >>> counts([])
    'no statement'
    """
    found = Counter(verdicts)
    if not found:
        return Ours("no statement")
    parts = [f"{found[v]} {COUNTED[v][found[v] > 1]}" for v in COUNTED if found[v]]
    return Ours(f"{counted(found.total(), 'statement')}, of which {listed(parts)}")


def duration(seconds: float) -> Ours:
    """Return a duration in words.

    >>> duration(4.2), duration(300), duration(7800)
    ('4 seconds', '5 minutes', '2.2 hours')
    """
    if seconds < 90:
        return Ours(counted(max(1, round(seconds)), "second"))
    return Ours(counted(round(seconds / 60), "minute") if seconds < 5400 else f"{seconds / 3600:.1f} hours")


def number(mean: float, error: float = 0.0) -> Ours:
    """Return a mean, with ± its standard error where there is one, with the digits that the error leaves.

    >>> number(0.84912, 0.0031), number(12.0), number(-0.5, 0.02), number(1234.5, 20), number(float("nan"))
    ('0.849 ± 0.003', '12', '−0.50 ± 0.02', '1,234 ± 20', '–')
    """
    if not np.isfinite(mean):
        return Ours("–")
    if not error:
        return Ours((f"{mean:,.0f}" if abs(mean) >= 1000 else f"{mean:.4g}").replace("-", "−"))
    decimals = int(min(5, max(0, -np.floor(np.log10(error)))))
    return Ours(f"{mean:,.{decimals}f} ± {error:,.{decimals}f}".replace("-", "−"))


def told(text: str) -> Html:
    """Return a text of a declaration as HTML, with short names of papers explained, and **bold** and `code`.

    >>> told("A **bandit** & `x`")
    'A <b>bandit</b> &amp; <code>x</code>'
    """
    line = re.sub(r"\*\*(?=\S)(.+?)(?<=\S)\*\*", r"<b>\1</b>", explained(text))
    return Html(re.sub(r"`([^`]+)`", r"<code>\1</code>", line))


def markdown(text: str) -> Markdown:
    """Return a text in which Markdown finds no markup.

    >>> print(markdown("3PR [p=½] *"))
    3PR \\[p=½\\] \\*
    """
    return cast(Markdown, "".join(f"\\{letter}" if letter in r"\`*_{}[]<>#$:|~" else letter for letter in text))
