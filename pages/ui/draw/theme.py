"""The light or dark theme, and the head of a page."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.draw.charts import Look

# less empty space around what counts; no fading while playing; nothing so pale that it is hard to read
_STYLE = """
.stApp { overflow-wrap: break-word; }
.stMainBlockContainer { padding: 3.9rem clamp(1rem, 3vw, 2.5rem) 4rem; }
.stMainBlockContainer .stHeading h1 { font-size: 2rem; padding: 0; }
[class*="-what-if"] button { height: auto; }
[class*="-what-if"] button p { white-space: normal; overflow: visible; }
[class*="-tries"] a { height: auto; padding-block: .35rem; margin-block: .1rem; }
[class*="-tries"] a span, [class*="-tries"] a p { white-space: normal; overflow: visible; line-height: 1.35; }
[data-stale=true] { opacity: 1 !important; transition: none !important; }
.stApp [data-testid=stCaptionContainer] { opacity: .85; }
.stApp :is(label[data-testid=stWidgetLabel][disabled], label:has(input:disabled) [data-testid=stWidgetLabel]) p::after {
  content: "lock" / ""; font: 1.1em/1 "Material Symbols Rounded"; margin-left: .35em; vertical-align: -.15em; }
.stApp :is(label[data-testid=stWidgetLabel][disabled], input:disabled, [data-variant=segmented_control]:disabled p,
  label[disabled] ~ * [data-testid=stSliderThumbValue]) { color: inherit; opacity: .85;
  -webkit-text-fill-color: currentColor; }
"""


def begin() -> None:
    """Give no room to the parts of a page that nobody sees, whose keys begin with "unseen-", while they load."""
    st.html(
        '<style>[class*="st-key-unseen-"] { position: absolute; width: 1px; height: 1px; overflow: hidden; }</style>'
    )


def title(text: str, lead: str = "", race: Sequence[str] = (), compact: bool = False) -> DeltaGenerator:
    """Write the head of a page, its title and a sentence or two on what to do with it.

    race : for each field of a learner the id of the one chosen, or "". Return the place to the right of the title,
    where buttons may stand. compact : whether all of it stands in one row, to leave the screen to what follows.
    """
    st.html(f"<style>{_STYLE}{_COMPACT * compact}{_colors(look(), race, st.context.theme.type == 'dark')}</style>")
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center",
        key="head-in-a-row" if compact else None,
    ):  # fmt: skip
        st.title(text, width="content")
        if compact and lead:
            st.markdown(lead, width="stretch")
        place = st.container(horizontal=True, vertical_alignment="center", width="content")
    if lead and not compact:
        st.markdown(lead)
    return place


_COMPACT = """
.stApp .stMainBlockContainer { padding-top: 4rem; padding-bottom: 1rem; }
.stApp .stMainBlockContainer .stHeading h1 { font-size: 1.45rem; line-height: 1.2; padding: 0; white-space: nowrap; }
.stApp .stMainBlockContainer > [data-testid=stVerticalBlock] { gap: .35rem; }
@media (min-width: 900px) { .st-key-head-in-a-row { flex-wrap: nowrap; } }
.st-key-head-in-a-row p { font-size: .92rem; line-height: 1.3; }
.st-key-head-in-a-row :is(button, a) { min-height: 1.9rem; padding-block: .1rem; white-space: nowrap; }
.st-key-settings-bar button { min-height: 1.9rem; padding: .1rem .7rem; max-width: 17rem; }
.st-key-settings-bar button p { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
@media (min-width: 1100px) {  /* one row; where there is too little room, names of learners are cut */
  .st-key-settings-bar { flex-wrap: nowrap; }
  .st-key-settings-bar > * { flex: none; }
  .st-key-settings-bar > [class*="st-key-chip-race"] { flex: 0 1 auto; min-width: 5.5rem; }
  .st-key-settings-bar > [class*="st-key-chip-race"] button { max-width: min(17rem, 100%); }
}
.stApp .stMainBlockContainer [data-testid=stAlertContainer] { padding: .5rem .8rem; }
.stApp .stMainBlockContainer [data-testid=stAlertContainer] p { font-size: .92rem; line-height: 1.4; }
@media (max-width: 640px) {
  .stApp .st-key-settings-bar { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; padding: 2px; }
  .st-key-settings-bar > * { flex: none; }
  .st-key-settings-bar button { min-height: 44px; max-width: 15rem; }
  .st-key-head-in-a-row { gap: .4rem; }
  .st-key-head-in-a-row :is(button, a) { min-height: 44px; }
  .st-key-head-in-a-row [data-testid=stHorizontalBlock], .st-key-head-in-a-row > [class*="stHorizontalBlock"] {
    flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; }
}
"""


def _colors(look: Look, race: Sequence[str], dark: bool) -> str:
    """Return the rules that depend on the theme.

    Each learner has a dot of its colour before its name, which is drawn and not written, as screen readers read it out.
    """
    chosen = [(slot, id) for slot, id in enumerate(race, 1) if id]
    places = (
        '[class*="-learner-{slot} "] [data-testid=stWidgetLabel] p::before, .st-key-chip-race-{slot} button p::before'
    )
    dots = "".join(
        f"{places.format(slot=slot)} {{ background: {color}; content: ''; display: inline-block; "
        "width: .5em; height: .5em; margin: 0 .4em .1em 0; border-radius: 50%; }\n"
        for (slot, _), color in zip(chosen, look.raced([id for _, id in chosen]).colors, strict=False)
    )
    return f"""{dots}.stApp [data-variant=segmented_control][data-selected=true] p {{ color: {look.text}; }}
.stApp [data-testid=stBaseButton-primary] p {{ color: {"#12161C" if dark else "#FFFFFF"}; }}
"""


def look() -> Look:
    """Return the look that goes with the theme the person sees."""
    return Look.of(st.context.theme.type)
