"""The box in which a person runs a figure on a file of theirs: its choice, its check, and what comes out."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

import datasets
from datasets.parameters import Parameter
from datasets.spec import Spec
from pages.ui.draw import still_charts
from pages.ui.draw.theme import look
from pages.ui.figures import draw as drawing
from pages.ui.figures import links, live, own_data
from pages.ui.figures.figure import Figure, Own, Panel, Steps
from pages.ui.figures.live import FigureRun
from pages.ui.figures.result import Drawn, Result
from pages.ui.figures.statement import Number
from pages.ui.figures.view import words
from pages.ui.files import choose as files
from pages.ui.files.bring import FORMS, upload
from pages.ui.files.sharing import load_data
from pages.ui.form.form import Form
from pages.ui.form.links import choice_of
from pages.ui.form.settings import Settings
from pages.ui.plain import NOTHING, Markdown, plain

LABEL = Parameter("label", "text", "", help="The label column of a table: first, last, its name or its number from 1.")
MOST_COLUMNS = 10  # of the table
SIZES = {"documents": "documents of a query at most"}  # where the name alone would be read otherwise
SCALES = {"live": "Run it on this file, smaller", "page": "Run it on this file in full"}


def ask(form: Form, figure: Figure) -> tuple[Panel | None, str, str]:
    """Ask which panel runs on which file, by its id, with which label column; None while the box is closed."""
    able, which = _able(figure), _which(figure)
    id = form.get(which)
    if id and len(able) > 1:
        only = replace(which, choices=tuple(able))
        id = form.widget(only, label="Panel", titles=_titles(able).__getitem__, owner=figure.id)
    if id and isinstance(form, Settings):
        return able[id], *_choose(able[id].own, form)
    return able.get(id), form.get(files.parameter(), noted=False), form.get(LABEL, noted=False)


def _able(figure: Figure) -> dict[str, Panel]:
    """Return the panels whose data a person may have, by id."""
    return {panel.id: panel for panel in figure.panels if panel.own is not None}


def _titles(panels: Mapping[str, Panel]) -> dict[str, str]:
    """Return the titles of panels by id; those with the same title are told apart by their axes."""
    known = Counter(panel.title for panel in panels.values())
    return {
        id: p.title if known[p.title] == 1 else f"{p.title} ({words.y_title(p)} over {words.x_title(p)})"
        for id, p in panels.items()
    }


def _which(figure: Figure) -> Parameter:
    return choice_of("own", "", ["", *_able(figure)], "The panel that runs on a file of yours.")


def draw(figure: Figure, stored: Result | None, settings: Settings) -> None:
    """Draw the button of a figure whose data a person may have, and below it the box, once it is open."""
    able, which = _able(figure), _which(figure)
    if not able:
        return
    is_open = bool(settings.get(which))
    st.button(
        "Close the box of your data" if is_open else "I have this data",
        icon=":material/folder_open:",
        key="own-open",
        on_click=settings.set,
        args=(which, "" if is_open else next(iter(able))),
        help="Runs a panel on a file of yours, in the place of the data that stand for it here.",
    )
    if not is_open:
        return
    with st.container(border=True):
        panel, id, label = ask(settings, figure)
        if panel is not None and id:
            _box(figure, panel, id, label, stored)


def _box(figure: Figure, panel: Panel, id: str, label: str, stored: Result | None) -> None:
    """Draw what comes of a file in the place of a panel's data."""
    assert panel.own is not None
    asked = {"path": id} | ({"label": label} if label else {})
    try:
        mine = own_data.on(figure, panel.id, files.resolve(asked))
        with st.spinner("Reading the file …"):
            data = load_data(_choice(panel.own, asked))
        own_data.check(mine, data)
    except ValueError as error:
        st.error(plain(str(error)), icon=":material/block:")
        return
    except MemoryError:
        st.error("These data need more memory than the server has.", icon=":material/block:")
        return
    st.caption(f"The file has {_sizes(data)}.")
    name = f"own:{figure.id}:{panel.id}:{id}:{label}:{files.version(id)}"
    st.fragment(_results, run_every=live.tick(name))(figure, mine, panel, stored, name)
    _links(own_data.on(figure, panel.id, asked).panel(panel.id))


def _choice(wanted: Own, asked: Mapping[str, Any]) -> Spec:
    made = datasets.create(wanted.dataset, **{**wanted.params, **asked})
    return Spec(made.id, tuple(made.params.items()))


def _sizes(data: Any) -> Markdown:
    size = {SIZES.get(name, name): value for name, value in vars(data.size()).items() if name != "bytes"}
    return Markdown(", ".join(f"{value:,} {plain(noun)}" for noun, value in size.items()))


def _choose(wanted: Own | None, settings: Settings) -> tuple[str, str]:
    """Draw the upload and the choice of the file; return the file's id and the label column, "" where nothing is."""
    assert wanted is not None
    st.markdown(f"**Your file:** {plain(wanted.words).rstrip('.')}.")
    kind = datasets.classes()[wanted.dataset]
    group = files.group(kind)
    left, right = st.columns(2, gap="large")
    with right:
        upload(settings, group)
        with st.popover("Which form must the file have?", icon=":material/help:"):
            st.markdown(FORMS[group])
    if settings.by_link:
        settings.state["linked"] = settings.values.get("path", "")
    ids = files.available(group, settings.state.get("linked", ""))
    known = [id for file in wanted.files for id in ids if id == file or id.startswith(f"{file}/")]
    shown = Parameter("path", "choice", known[0] if known else "", choices=("", *ids), help=files.parameter().help)
    label = ""
    with left:
        id = settings.widget(shown, label="File", titles=lambda id: files.title(id) or "none yet", owner=group)
        if id:
            settings.spell_out("path", id)  # also the one that is found without asking, since servers differ
        if id and any(p.name == "label" for p in kind.parameters()) and "label" not in wanted.params:
            label = settings.widget(LABEL, label="Label column", owner=group)
            if sentence := files.label_sentence(id, label):
                st.caption(plain(sentence))
        if not ids:
            st.caption("No such file is on this server yet. Upload yours.")
    return id, label


def _results(figure: Figure, mine: Figure, panel: Panel, stored: Result | None, name: str) -> None:
    """Draw the buttons, the progress, and what has come so far."""
    run = live.runs().get(name)
    under_way = run is not None and not run.complete
    with st.container(horizontal=True, vertical_alignment="center"):
        for scale, label in SCALES.items():
            st.button(
                label,
                icon=":material/play_arrow:",
                type="primary" if scale == "live" and run is None else "secondary",
                key=f"own-start:{scale}",
                on_click=live.start,
                args=(name, mine, scale),
                disabled=under_way,
                help=_help(mine, scale),
            )
        if run is not None and under_way:
            live.cancel_button(run, "own-cancel")
    if run is not None:
        said = f"On your file: {live.words(mine, run.scale)}" if run.scale == "live" else "On your file, in full"
        live.show_progress(run, said)
        if run.found is not None and panel.id in run.found.panels:
            _show(figure, mine, panel, stored, run)
    live.settle(name)


def _help(mine: Figure, scale: str) -> Markdown:
    if scale == "live":
        return f"A first look: {live.words(mine)}."
    size = mine.panels[0].page
    return Markdown(f"{size.seeds} data seeds and {size.steps:,} steps, as in the stored result. It may take minutes.")


def _show(figure: Figure, mine: Figure, panel: Panel, stored: Result | None, run: FigureRun) -> None:
    assert run.found is not None
    before = stored.panels.get(panel.id, {}) if stored is not None else {}
    after = run.found.panels[panel.id]
    style = look()
    charted = drawing.panel(figure, mine.panel(panel.id), before, after, "your file", style)
    chart = still_charts.Chart(f"own-{panel.id}", words.y_title(panel), panel.title, charted, wide=True)
    still_charts.show_alone([chart], f"own:{figure.id}:{panel.id}", style.text)
    if before:
        st.caption("Strong curves: your file. Pale curves: the stored result, on the data that stand for it here.")
    st.markdown(table(mine.panel(panel.id), before, after))
    if run.whole:
        _verdicts(figure, mine, panel, stored, run)


def table(panel: Panel, stored: Mapping[str, Drawn], mine: Mapping[str, Drawn]) -> Markdown:
    """Return a table in Markdown: of each series the values of the stored result and of a person's file.

    Of a curve over steps it holds the end alone.
    """
    first = next(iter(mine.values()))
    places = [len(first.x) - 1] if isinstance(panel.x, Steps) else list(range(len(first.x)))[:MOST_COLUMNS]
    names = [f"after {first.x[i]:,} steps" if isinstance(panel.x, Steps) else f"{first.x[i]}" for i in places]
    lines = ["| | | " + " | ".join(plain(name) for name in names) + " |", "|---|---|" + "---|" * len(places)]
    for series in panel.series:
        for whose, drawn in (("your file", mine.get(series.name)), ("stored", stored.get(series.name))):
            if drawn is not None:
                cells = [_cell(drawn, first.x[i]) for i in places]
                lines.append(f"| {plain(series.name)} | {whose} | " + " | ".join(cells) + " |")
    return Markdown("\n".join(lines))


def _cell(drawn: Drawn, x: Any) -> Markdown:
    """Return the value at a place, between two points interpolated, "" where there is none."""
    if isinstance(x, str):
        values = drawn.y[:, drawn.place(x)] if x in drawn.x else np.array([np.nan])
    else:
        values = np.array([np.interp(x, drawn.numbers, row, right=np.nan) for row in drawn.y])
    return Markdown(f"{Number(values):.4f}") if np.isfinite(values).all() else NOTHING


def _verdicts(figure: Figure, mine: Figure, panel: Panel, stored: Result | None, run: FigureRun) -> None:
    """Draw what each statement says of the person's file, beside what it says of the stored result."""
    assert run.found is not None
    said = own_data.said(mine, panel.id, run.found, run.scale)
    if not said:
        st.caption("No statement of this figure is about this panel alone.")
        return
    known = stored is not None and panel.id in stored.panels
    before = {
        one.statement.printed: one for one in (own_data.said(figure, panel.id, stored) if known and stored else ())
    }
    lines: list[Markdown] = []
    for now in said:
        then = before.get(now.statement.printed)
        lines.append(f"- {plain(now.statement.printed)}  \n  On your file: **{_verdict(now)}**. {plain(now.here)}  ")
        lines.append(f"  In the stored result: **{_verdict(then)}**. {plain(then.here)}" if then else NOTHING)
        if not now.here:
            lines += [f"  - {plain(rule)}: {_held(holds)} on your file" for rule, holds in now.outcomes]
    st.markdown("\n".join(lines))
    if run.scale == "live":
        st.caption("This is a first look at a smaller size. Run it in full before you believe a verdict.")


def _verdict(said: own_data.Said) -> Markdown:
    return plain("cannot say yet" if said.verdict == own_data.UNREACHED else said.verdict)


def _held(holds: bool | None) -> Markdown:
    return Markdown("needs more steps" if holds is None else "holds" if holds else "does not hold")


def _links(panel: Panel) -> None:
    """Draw the links that open the lab or the sweep on the person's file."""
    as_it_is = replace(
        panel, page=replace(panel.page, data={})
    )  # the file is in `panel.data`, also where it is computed
    with st.container(horizontal=True):
        for link in links.of(as_it_is):
            page = "sweep" if link.page == "pages/sweep.py" else "lab"
            st.page_link(
                link.page,
                label=f"Open in the {page}: {plain(link.words)}",
                icon=":material/open_in_new:",
                query_params=dict(link.query),
            )
