"""The light or dark theme, and the head of a page."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.draw.charts import Look
from pages.ui.plain import NOTHING, Html, Markdown

# less empty space around what counts; no fading while playing; nothing so pale that it is hard to read
_STYLE = (Path(__file__).parent / "js" / "theme.css").read_text("utf-8")


def begin() -> None:
    """Give no room to the parts of a page that nobody sees, whose keys begin with "unseen-", while they load."""
    st.html(
        '<style>[class*="st-key-unseen-"] { position: absolute; width: 1px; height: 1px; overflow: hidden; }</style>'
    )


def title(text: Markdown, lead: Markdown = NOTHING, race: Sequence[str] = (), compact: bool = False) -> DeltaGenerator:
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


_COMPACT = (Path(__file__).parent / "js" / "compact.css").read_text("utf-8")


def _colors(look: Look, race: Sequence[str], dark: bool) -> Html:
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
    return Html(f"""{dots}.stApp [data-variant=segmented_control][data-selected=true] p {{ color: {look.text}; }}
.stApp [data-testid=stBaseButton-primary] p {{ color: {"#12161C" if dark else "#FFFFFF"}; }}
""")


def look() -> Look:
    """Return the look that goes with the theme the person sees."""
    return Look.of(st.context.theme.type)
