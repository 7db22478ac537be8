"""The run log, which the browser keeps by itself: every run of this browser that was played, with notes.

Every page listens for runs that end or pause (`listen`, called by app.py) and stores them in the browser. A lab tells
how its settings are called (`name_settings`). The page Run log shows what is stored (`show`). The server holds nothing
of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from pages.ui.modules import joined
from pages.ui.plain import visible

_JS = Path(__file__).parent / "js"


_listener = st.components.v2.component("feedback_lab_listener", js=joined(_JS / "listener.js"), isolate_styles=False)
_page = st.components.v2.component(
    "feedback_lab_runs",
    html='<div class="fl-runs"></div>',
    css=(_JS / "runs.css").read_text("utf-8"),
    js=joined(_JS / "page.js"),
    isolate_styles=False,
)


def listen() -> None:
    """Keep every run that finishes on this page. app.py calls this before it runs a page."""
    _listener(key="unseen-run-log", data={})


def name_settings(titles: Mapping[str, tuple[str, str]], about: str = "") -> None:
    """Tell the log which settings determine the numbers of the page's runs.

    titles : title and default, as texts, of each setting by its key in the link. about : data set, user and seed in
    words, of which the link holds only what differs from the default.
    """
    named = {key: list(pair) for key, pair in titles.items()}
    _listener(key="unseen-run-log-settings", data={"settings": named, "about": visible(about)})


def show(examples: Sequence[tuple[str, str]]) -> None:
    """Draw the log of this browser. examples : address and title of runs, for those who have run nothing yet."""
    _page(key="runs", data={"examples": [list(pair) for pair in examples]})
