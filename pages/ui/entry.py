"""The way into a page, which always leads through app.py."""

import runpy
from pathlib import Path

import streamlit as st

APP = Path(__file__).parents[2] / "app.py"
_MARK = "came through app.py"


def mark() -> None:
    """Note that app.py has run; app.py calls this before it runs a page."""
    st.session_state[_MARK] = True


def through_app() -> None:
    """Run app.py first if the page was opened without it. Every page calls this at its top.

    A server that has just started treats a link to a page by Streamlit's old rule for folders named pages. It runs the
    page's file alone, without app.py and so without title, layout and navigation.
    """
    if not st.session_state.pop(_MARK, False):
        runpy.run_path(str(APP), run_name="__main__")
        st.stop()
