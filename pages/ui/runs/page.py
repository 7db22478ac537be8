"""The page Kept runs: their table, which the browser draws, and below it what is compared and taken away."""

from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from learners.grid import GridSpec
from pages.ui import exports, kept, moved
from pages.ui.component import component
from pages.ui.draw.theme import title
from pages.ui.families import labs
from pages.ui.gallery.demos import DEMOS
from pages.ui.home.page import address
from pages.ui.kept.finals import table_of
from pages.ui.kept.run import Ask, read_entry, words_of
from pages.ui.lab import export
from pages.ui.plain import plain
from pages.ui.race.script import sweep_script
from pages.ui.recordings import view
from pages.ui.runs import compare
from pages.ui.runs.compare import Selected
from pages.ui.runs.run_again import offer
from pages.ui.sweep.form import ask_spec

EXAMPLES = ("flip", "price", "two-moons")  # demos
MOST_SELECTED = 4  # runs, each with a colour of its own
SWEEP = "sweep"


def draw() -> None:
    """Draw the page."""
    title(
        "Kept runs",
        "What you kept in labs and sweeps, with its final values (mean ± half width of the 95 % interval over the "
        "replicates). Select one to take it away, two or more to compare them. It stays in this browser.",
    )
    examples = [[address(demo.page, demo.link), demo.title] for demo in DEMOS if demo.id in EXAMPLES]
    data = {"examples": examples, "most": MOST_SELECTED}
    heard = _table(key="runs", data=data, on_picked_change=lambda: None).picked
    found, problems = selected(heard if isinstance(heard, list) else [])
    if problems:
        st.warning("\n\n".join(map(plain, problems)), icon=":material/link_off:")
    if len(found) > 1:
        compare.show(found)
    if found:
        _take_away(found)
    view.section(offer)


def selected(entries: list[Any]) -> tuple[list[Selected], list[str]]:
    """Return the runs that the browser says are selected, the oldest first, and a sentence for all that is wrong."""
    found, problems = [], []
    for number, entry in enumerate(entries[:MOST_SELECTED]):
        stored = entry if isinstance(entry, dict) else {}
        page, first = moved.now(str(stored.get("page")), {})
        ask: Ask | None = ask_spec if page == SWEEP else labs()[page].ask_run if page in labs() else None
        if ask is None:
            problems.append(f"Run {number + 1} of the selected is left out, since no lab has the name {page[:60]!r}.")
            continue
        if isinstance(settings := stored.get("settings"), dict):
            stored = stored | {"settings": {**first, **settings}}
        run, wrong = read_entry(stored, ask)
        problems += wrong
        if run is not None:
            found.append(Selected(page, words_of(stored.get("title", "")), words_of(stored.get("query", "")), run))
    return sorted(found, key=lambda each: each.run.kept), problems


@st.fragment
def _take_away(found: list[Selected]) -> None:
    """Draw the section from which a selected run is taken away."""
    words = "Take away: a film that plays offline, the data, a chart, a script with the same numbers, the link"
    if (box := exports.box(words, "kept-export")) is None:
        return
    with box:
        names = compare.names(found)
        which = 0
        if len(found) > 1:
            which = st.selectbox("Run", range(len(found)), format_func=names.__getitem__, key="kept-which")
        one = found[min(which, len(found) - 1)]
        spec = one.run.spec
        if isinstance(spec, GridSpec):
            exports.address(one.query, SWEEP)
            exports.button("Setup as Python script", partial(sweep_script, spec), "sweep.py", "text/x-python", "code")
            exports.setup(spec)
            if one.run.curve:
                table = partial(table_of, spec, one.run.curve)
                exports.button("Results as CSV", lambda: table().to_csv(index=False), "sweep.csv", "text/csv", "table")
            return
        lab = labs()[one.page]
        filled = lab.ask(one.form(lab.ask))
        if (stage := filled.lab.prepare(filled, "kept")) is not None:
            export.files(stage, one.query, one.page)


_JS = Path(kept.__file__).parent / "js"
_table = component("runs", _JS / "page.js", _JS / "table.css")
