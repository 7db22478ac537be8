"""Pages that are shown to a class on a projector, or inside another page: without navigation, settings and long texts.

A button brings the rest back.
"""

from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.component import component
from pages.ui.form.settings import Settings

_BACK = "presentation:back"  # whether the person has asked for navigation and settings
_FOLDER = Path(__file__).parent / "js"
_HIDDEN, _SMALL, _FRAME = ((_FOLDER / f"{name}.css").read_text("utf-8") for name in ("hidden", "small", "frame"))


def chrome_hidden(present: bool) -> bool:
    """Return whether a page is shown on a projector (`present`) or inside another page."""
    return present or bool(st.context.is_embedded)


def frame(settings: Settings, place: DeltaGenerator, introduced: bool = False) -> DeltaGenerator:
    """Hide navigation and settings on a projector or in a frame; return the place for the texts that come first.

    place : beside the title, where the buttons stand that bring back what is hidden. introduced : whether the page has
    such texts; they are then behind a button. Elsewhere nothing changes, and the texts stand below the title.
    """
    if not chrome_hidden(settings.present):
        st.session_state.pop(_BACK, None)
        return st.container()
    back = st.session_state.get(_BACK, False)
    embedded = bool(st.context.is_embedded)
    st.html(f"<style>{'' if back else _HIDDEN}{_SMALL}{_FRAME if embedded else ''}</style>")
    with place, st.container(horizontal=True, vertical_alignment="center", width="content", key="quiet-tools"):
        texts = st.popover("About", icon=":material/info:", type="tertiary") if introduced else st.container()
        if not (embedded and settings.hides("sidebar")):  # a frame has no navigation
            st.button(
                "Hide settings" if back else "Settings", icon=":material/tune:", type="tertiary", key="quiet-back",
                help="Settings and navigation, which are hidden " + ("in a frame" if embedded else "on a projector"),
                on_click=st.session_state.__setitem__, args=(_BACK, not back),
            )  # fmt: skip
        if embedded:
            _open(key="quiet-open", data={})
    return texts


_open = component(
    "open", _FOLDER / "open.js", _FOLDER / "open.css",
    html='<a class="fl-open" target="_blank" rel="noopener">Open in Feedback Lab ↗</a>',
)  # fmt: skip
