"""The parts of a page that the browser draws."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.ui.modules import joined
from pages.ui.plain import Html, Ours

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


def component(name: Ours, script: Path | str, *css: Path | str, html: Html | None = None) -> ComponentRenderer:
    """Declare such a part, whose styles are those of the page.

    script : its code, or the module that begins it. css : its style sheets, or their files. html : what it begins with,
    by default an element of the class fl-NAME.
    """
    return st.components.v2.component(
        f"feedback_lab_{name}",
        html=f'<div class="fl-{name}"></div>' if html is None else html,
        css="\n".join(sheet.read_text("utf-8") if isinstance(sheet, Path) else sheet for sheet in css),
        js=joined(script) if isinstance(script, Path) else script,
        isolate_styles=False,
    )


def heard(key: str, name: str) -> Any:
    """Return what the part with this key has sent under a name, or None. It may be anything."""
    return getattr(st.session_state.get(key), name, None)
