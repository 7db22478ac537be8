"""The way into a page: always through app.py."""

from __future__ import annotations

import runpy
from pathlib import Path

import streamlit as st

APP = Path(__file__).parents[2] / "app.py"
_MARK = "came through app.py"


def mark() -> None:
    """Called by app.py before it runs a page."""
    st.session_state[_MARK] = True


def through_app() -> None:
    """Called at the top of every page.

    A server that has just started meets a link to a page with Streamlit's old rule for folders named
    pages: it runs the page's file alone, without app.py and so without title, layout and navigation.
    Then app.py is run from here.
    """
    if not st.session_state.pop(_MARK, False):
        runpy.run_path(str(APP), run_name="__main__")
        st.stop()
