"""Selected runs beside each other: the settings that differ, and their final values or the curves of sweeps."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl

import streamlit as st

from learners.grid import GridSpec
from learners.spec import RunSpec
from learners.tables import PrintedTable
from pages.ui import paper
from pages.ui.draw import still_charts
from pages.ui.draw.bars import Interval, intervals
from pages.ui.draw.charts import Look
from pages.ui.draw.legend import Entry
from pages.ui.draw.markup import STYLE
from pages.ui.draw.still_charts import Chart
from pages.ui.draw.theme import look
from pages.ui.families import labs
from pages.ui.form.form import Form
from pages.ui.kept.differences import differences
from pages.ui.kept.finals import table_of
from pages.ui.kept.run import VS, KeptRun, write
from pages.ui.plain import Html, for_html, plain
from pages.ui.sweep import difference
from pages.ui.sweep.results import curves

LETTERS = "ABCD"


@dataclass(frozen=True)
class Selected:
    """A kept run that is selected. page, title : of its lab. query : the link that opens it as it was drawn."""

    page: str
    title: str
    query: str
    run: KeptRun

    def form(self, ask: Callable[[Form], Any]) -> Form:
        """Return a form with the settings of the run, and those of the link that only change what is drawn."""
        form = Form(dict(parse_qsl(self.query, keep_blank_values=True)))
        numbers = ask(form).numbers
        drawn = {key: text for key, text in form.query.items() if key not in numbers and key not in ("t", VS.name)}
        return Form(drawn | dict(self.run.link))


def names(found: Sequence[Selected]) -> list[str]:
    """Return a name for each run, by its letter."""
    return [f"{letter} · {each.title}" for letter, each in zip(LETTERS, found, strict=False)]


def show(found: Sequence[Selected]) -> None:
    """Draw what differs between runs and how they ended. found : the oldest first."""
    st.subheader("Compared")
    st.html(settings_table(found))
    titles = list(dict.fromkeys(final.title for each in found for final in each.run.finals))
    if titles:
        title = st.selectbox("Final value", titles, key="kept-metric", width=420)
        now = look()
        figure, legend = sweep_curves(found, title, now) or (intervals(values(found, title), now), [])
        words = "The mean over the replicates and its 95 % interval."
        still_charts.show([Chart("kept", title, words, figure, title, wide=True)], legend, "kept-chart", now.text)
        said = f"{title} of kept runs: the mean over the replicates and its 95 % interval."
        light = Look()
        paper.chart(
            lambda: (sweep_curves(found, title, light) or (intervals(values(found, title), light), []))[0], title, said,
            "kept-chart",
        )  # fmt: skip
        paper.table(final_table(found), said, "kept-runs")
    if (joined := raced(found)) is not None:
        difference.section(joined, "kept")
    *others, last = found
    if {each.page for each in found} <= {last.page} & labs().keys():
        lab = labs()[last.page]
        query = {**last.form(lab.ask).query, VS.name: write([each.run for each in others])}
        label = f"See their curves in the {plain(lab.title)}"
        st.page_link(lab.page, label=label, icon=":material/show_chart:", query_params=query)


def final_table(found: Sequence[Selected]) -> PrintedTable:
    """Return the final values of all runs as a table, a row for each learner and metric of each run."""
    head = ("run", "learner", "metric", "mean", "± 95 %", "at")
    return PrintedTable(head, tuple(
        (name, final.learner, final.title, final.value, math.nan if final.half is None else final.half, final.at)
        for name, each in zip(names(found), found, strict=False) for final in each.run.finals
    ))  # fmt: skip


def raced(found: Sequence[Selected]) -> RunSpec | None:
    """Return a run of the learners of all runs, if these differ in their learners alone; else None."""
    runs = [each.run.spec for each in found if isinstance(each.run.spec, RunSpec)]
    learners = tuple(dict.fromkeys(learner for run in runs for learner in run.learners))
    alike = {replace(run, learners=(), answers=()) for run in runs}
    whole = len(runs) == len(found) and len(alike) == 1 and runs[0].comparison is None
    return replace(runs[0], learners=learners) if whole and len(learners) > 1 else None


def settings_table(found: Sequence[Selected]) -> Html:
    """Return an HTML table with a row for each setting in which runs differ, and a column for each run."""
    first = found[0].run.spec
    differ = [{each.title: each for each in differences(first, other.run.spec)} for other in found]
    titles = list(dict.fromkeys(title for each in differ for title in each))
    rows = []
    for title in titles:
        then = next(each[title].then for each in differ if title in each)
        cells = (each[title].now if title in each else then for each in differ)
        cells_html = "".join(f"<td>{for_html(words)}</td>" for words in cells)
        rows.append(f'<tr><th scope="row" style="text-align:left">{for_html(title.rstrip(":"))}</th>{cells_html}</tr>')
    head = "".join(f'<th scope="col">{for_html(name)}</th>' for name in names(found))
    if not rows:
        rows = [f'<tr><td></td><td colspan="{len(found)}">The settings are the same.</td></tr>']
    body = f"<thead><tr><td></td>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
    return f'{STYLE}<div style="overflow-x:auto"><table class="fl-table">{body}</table></div>'


def values(found: Sequence[Selected], title: str) -> list[Interval]:
    """Return the final values of a metric by its title, a row for each learner of each run."""
    return [
        Interval(f"{letter} · {final.learner}{f' ({final.at})' if final.at else ''}", final.value, final.half, slot)
        for slot, (letter, each) in enumerate(zip(LETTERS, found, strict=False))
        for final in each.run.finals
        if final.title == title
    ]


def sweep_curves(found: Sequence[Selected], title: str, style: Look) -> tuple[dict[str, Any], list[Entry]] | None:
    """Return a chart of sweeps over the same one parameter; None where they are no such, or have not kept its curve."""
    metric = {final.title: final.metric for each in found for final in each.run.finals}[title]
    sweeps = [
        (spec, table_of(spec, {metric: each.run.curve[metric]}))
        for each in found
        if isinstance(spec := each.run.spec, GridSpec) and len(spec.grids) == 1 and metric in each.run.curve
    ]
    if len(sweeps) < len(found) or len({spec.grids[0].name for spec, _ in sweeps}) > 1:
        return None
    return curves(sweeps, metric, title, "standard error", style)
