"""Draws the catalogue: a choice between algorithms and data sets, a search over both, and what was chosen."""

from typing import Any

import streamlit as st

import datasets
from learners.catalogue import families
from pages.ui.catalogue import algorithms, data_sets
from pages.ui.draw.theme import title
from pages.ui.form.form import Form
from pages.ui.form.links import choice_of
from pages.ui.form.settings import Settings, begin_anew
from pages.ui.share import dialog, presentation

TITLES = {"algorithms": "Algorithms", "data": "Data"}
SHOW = choice_of("show", "algorithms", list(TITLES), "What of the catalogue is shown.")
FIND, FOUND = "catalogue:find", "catalogue:found"  # in the session: the field of the search, and what was chosen


def which(form: Form) -> str:
    """Ask for the part that is shown."""
    show: str = form.widget(SHOW, label="Show", titles=TITLES.__getitem__, row=True)
    return show


def rest(form: Form, show: str) -> Any:
    """Ask for the settings of a part."""
    form.also |= {algorithms.LEARNER.name, data_sets.FAMILY.name, "dataset"}
    return (data_sets if show == "data" else algorithms).ask(form)


def ask(form: Form) -> Any:
    """Ask for all that a link may contain."""
    return rest(form, which(form))


def found() -> dict[str, tuple[str, dict[str, str]]]:
    """Return for each algorithm and data set, by a name that is its own, its title and the query that shows it."""
    every = {
        f"algorithm {id}": (f"{info.title} · {families()[info.family].title}", {"learner": id})
        for id, info in algorithms.infos.items()
    }
    for family in data_sets.KINDS:
        for id in data_sets.ids_of(family):
            words = f"{datasets.classes()[id].title} · data for {families()[family].title.lower()}"
            every[f"data {id}"] = words, {"show": "data", "family": family, "dataset": id}
    return every


def find(settings: Settings) -> None:
    """Draw the search, and open what is chosen in it."""
    every = found()
    st.selectbox(
        "Find", list(every), None, format_func=lambda key: every[key][0], label_visibility="collapsed", key=FIND,
        placeholder="Find an algorithm or a data set", width=380, on_change=_chosen,
    )  # fmt: skip
    if (key := st.session_state.pop(FOUND, None)) in every:
        begin_anew()
        st.switch_page("pages/catalogue.py", query_params=every[key][1] | settings.sticky_query)


def _chosen() -> None:
    """Keep what was chosen, and empty the field."""
    st.session_state[FOUND], st.session_state[FIND] = st.session_state[FIND], None


def run() -> None:
    """Draw the page."""
    place = title(
        "Catalogue",
        "Each algorithm in the notation of its paper and in the code that runs it, and the data: synthetic data whose "
        "truth is known, real data, and your own files.",
    )
    settings = Settings("catalogue", ask)
    settings.show_problems()
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        show = which(settings)
        find(settings)
    chosen = rest(settings, show)
    settings.write()
    presentation.frame(settings, place)
    (data_sets if show == "data" else algorithms).draw(chosen, settings)
    dialog.offer(settings, place, "Catalogue")
