"""Cards that a person judges by clicking them: documents of a list, or labels that were guessed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from pages.ui.draw import images
from pages.ui.modules import joined
from pages.ui.plain import visible


def show_cards(
    key: str, cards: list[dict[str, Any]], mark: str, judged: Callable[[], None], other: str = "", what: str = "rank"
) -> None:
    """Draw cards that a click marks.

    cards : for each its place, from 1, label or image (a data URL), and whether it is chosen; perhaps a `note` that
    stands in place of the place. mark, other : the words on those that are chosen, and on those that are not. judged :
    called when the marks change; `st.session_state[key]["judged"]` then is a text for `positions`. what : a card is
    read out as this word with its place.
    """
    _component(key=key, data={"cards": cards, "mark": mark, "other": other, "what": what}, on_judged_change=judged)


def judgeable(data: Any) -> bool:
    """Return whether a person can judge documents of these data by looking at them."""
    return bool(data.image_shape or data.document_names)


def face(data: Any, row: int) -> dict[str, Any]:
    """Return how a document of judgeable data looks on a card, given its row in the features."""
    if data.image_shape:
        return {"image": images.ink(data.features[row].reshape(data.image_shape).clip(0)), "label": ""}
    return {"label": visible(data.document_names[row])}


def positions(text: str) -> set[int]:
    """Return the positions in a text such as "1,4,7", without what is none.

    >>> positions("1,4,none")
    {1, 4}
    """
    return {int(part) for part in text.split(",") if part.strip().isdigit()}


_component = st.components.v2.component(
    "feedback_lab_cards",
    html='<div class="fl-cards"></div>',
    css="""
.fl-cards { display: flex; flex-wrap: wrap; gap: .4rem; margin-bottom: .4rem; }
.fl-cards button { font: inherit; font-size: .82rem; color: inherit; cursor: pointer; text-align: center;
  min-width: 5.6rem; max-width: 11rem;
  background: transparent; border: 1px solid color-mix(in srgb, currentColor 30%, transparent); border-radius: .45rem;
  padding: .25rem .45rem .3rem; line-height: 1.25; }
.fl-cards button:hover, .fl-cards button:focus-visible { border-color: currentColor; }
.fl-cards button[aria-pressed=true] { background: color-mix(in srgb, #009E73 38%, transparent); border-color: #009E73;
  box-shadow: 0 0 0 1px #009E73; }
.fl-cards b { display: block; font-size: 1.15rem; }
.fl-cards small span { visibility: hidden; }
.fl-cards button[aria-pressed=true] small span { visibility: visible; }
.fl-cards i { display: block; font-style: normal; opacity: .9; }
.fl-cards small { display: block; opacity: .75; font-size: .72rem; }
.fl-cards img { width: 2.6rem; height: 2.6rem; image-rendering: pixelated; display: block; margin: 0 auto;
  border-radius: 3px; }
@media (max-width: 480px) { .fl-cards button:not(:has(img)) { flex: 1 1 8.5rem; max-width: none; } }
""",
    js=joined(Path(__file__).parent / "js" / "cards.js"),
    isolate_styles=False,
)
