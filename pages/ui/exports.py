"""Widgets shared by the export sections of pages."""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from learners import setup_file
from learners.grid import GridSpec
from learners.spec import RunSpec
from pages.ui.plain import Markdown


def box(title: Markdown, key: str) -> DeltaGenerator | None:
    """Return the export section of a page, or None while it is closed.

    A closed one holds nothing, since a block of code makes the browser load 1.6 MB.
    """
    found = st.expander(title, icon=":material/download:", key=key, on_change="rerun")
    return found if found.open else None


def address(query: str, name: str = "") -> str:
    """Write the address of the page with all its settings, and return it. name : of another page."""
    page = (st.context.url or "").split("?")[0]
    if name:
        page = page[: page.rfind("/") + 1] + name
    link = f"{page}?{query}" if query else page
    st.caption("This address holds every setting. Anyone who opens it gets the same numbers.")
    st.code(link, language=None, wrap_lines=True)
    return link


def button(label: Markdown, make: Callable[[], str | bytes], name: str, mime: str, icon: str) -> None:
    """Draw the button of a file that is made when it is pressed."""
    st.download_button(label, make, name, mime, icon=f":material/{icon}:", on_click="ignore", width="stretch")


def setup(spec: RunSpec | GridSpec) -> None:
    """Draw the button of the setup file of a run or a sweep, and what it is for."""
    button("Setup file", lambda: setup_file.write(spec), "setup.toml", "application/toml", "description")
    st.caption(
        "For a terminal or a cluster: `python -m learners sweep setup.toml --part 3/40 --out parts/` runs a part, and "
        "`python -m learners compare setup.toml` tests whether learners differ."
    )
