"""Pages that are shown to a class on a projector, or inside another page: without navigation, settings and long texts.

What is taken away comes back with a button.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.form.settings import Settings
from pages.ui.modules import joined

_BACK = "quiet:back"  # whether the person has asked for navigation and settings
_HIDDEN = """
.stApp :is([data-testid=stHeader], [data-testid=stSidebar], .fl-to-settings, .st-key-settings-bar) {
  display: none !important; }
.stApp .fl-bar { top: 0; }
.stApp .stMainBlockContainer { padding: .5rem clamp(.6rem, 1.6vw, 1.8rem) 1rem; }
.stApp [data-testid=stColumn]:has(.fl-lesson) { top: .5rem; max-height: calc(100dvh - 1rem); }
"""
_SMALL = """
.stApp .stMainBlockContainer .stHeading h1 { font-size: 1.45rem; line-height: 1.2; }
.stApp .stMainBlockContainer > [data-testid=stVerticalBlock] { gap: .4rem; }
.st-key-quiet-tools button, .st-key-quiet-tools a { min-height: 1.9rem; padding-block: .1rem; }
"""
_FRAME = """
.fl-player .fl-field, .st-key-keep, .st-key-kept-runs { display: none; }
.fl-player .fl-primary { width: 7rem; }
@media (max-height: 640px) {
  .stApp .stMainBlockContainer .stHeading h1 { font-size: 1.2rem; }
  .fl-player :is(.fl-row, .fl-s-key, .fl-s-where) { display: none; }
  .fl-player .fl-legend { font-size: .8rem; column-gap: .9rem; }
}
"""


def quiet(present: bool) -> bool:
    """Return whether a page is shown on a projector (`present`) or inside another page."""
    return present or bool(st.context.is_embedded)


def frame(settings: Settings, place: DeltaGenerator, introduced: bool = False) -> DeltaGenerator:
    """Hide navigation and settings where a page is quiet, and return the place for the texts that introduce it.

    place : beside the title, where the buttons stand that bring back what is hidden. introduced : whether the page has
    such texts; they are then behind a button. Elsewhere nothing changes, and the texts stand below the title.
    """
    if not quiet(settings.present):
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


_open = st.components.v2.component(
    "feedback_lab_open",
    html='<a class="fl-open" target="_blank" rel="noopener">Open in Feedback Lab ↗</a>',
    css="""
.fl-open { font-size: .875rem; white-space: nowrap; color: var(--st-link-color, #0072B2); }
.fl-open:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; border-radius: 4px; }
""",
    js=joined(Path(__file__).parent / "js" / "open.js"),
    isolate_styles=False,
)
