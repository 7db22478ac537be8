"""The cards of a lesson in the browser: they ask, steer the player, point, compare and explain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from pages.ui import draw
from pages.ui.modules import joined

FOLDER = Path(__file__).parent / "js"
SHARED = Path(draw.__file__).parent / "js"


def script() -> str:
    """Return the script of the cards."""
    return joined(FOLDER / "host.js")


def style() -> str:
    """Return the style sheet of the cards."""
    return "\n".join(path.read_text("utf-8") for path in (FOLDER / "cards.css", SHARED / "terms.css"))


def show(key: str, data: Mapping[str, Any], **heard: Callable[[], None]) -> Any:
    """Draw the card at which a lesson is.

    data : "lesson", "card", "run", "truths", "tally", "join", "changed" and "hand", as js/lesson.js explains them.
    heard : functions called when the browser sends `card` or `answer`, which are then in the session state under `key`.
    """
    callbacks: Any = {f"on_{name}_change": act for name, act in heard.items()}
    return _component(key=key, data=dict(data), **callbacks)


_component = st.components.v2.component(
    "feedback_lab_lesson", html='<div class="fl-lesson"></div>', css=style(), js=script(), isolate_styles=False
)
