"""What follows the light or dark theme, and the head of a page."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui.draw.charts import DASHES, Look
from pages.ui.draw.still_charts import Entry

DOTS = (":blue[●]", ":orange[●]", ":green[●]", ":violet[●]")  # the theme gives these the colours of charts.COLORS


_STYLE = "<style>.stMainBlockContainer { padding-top: 3.2rem; }"  # less empty space above the title
_STYLE += "[data-stale=true] { opacity: 1 !important; transition: none !important; }</style>"  # no fading while playing


def title(text: str, lead: str) -> None:
    """Write the head of a page, its title and a sentence or two on what to do with it."""
    st.html(_STYLE)
    st.title(text)
    st.markdown(lead)


def look() -> Look:
    """Return the look that goes with the theme the person sees."""
    return Look.of(st.context.theme.type)


def legend(labels: Sequence[str], look: Look, bounds: Sequence[str], thin: str = "") -> list[Entry]:
    """Return the legend of a race, each learner with its colour and dash and then the other kinds of lines.

    bounds : what close dots and wide dots stand for. thin : what thin lines stand for, where there are any.
    """
    entries = [Entry(label, look.colors[i], DASHES[i]) for i, label in enumerate(labels)]
    if thin:
        entries.append(Entry(f"thin line: {thin}", look.text, width=1.2))
    for name, dash in zip(bounds, ("dot", "wide"), strict=False):
        entries.append(Entry(f"upper bound ({name})", look.text, dash, 1.4))
    return entries
