"""The part of the page that shows figures as HTML, and the files that the browser makes of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from pages.ui.modules import joined

FOLDER = Path(__file__).parent / "js"
# on paper: no navigation, no settings, nothing to press, and the whole page in place of a window on it
PRINT = """
@media print {
  .stApp :is([data-testid=stHeader], [data-testid=stSidebar], [data-testid=stExpander], [data-testid=stPopover],
    [data-testid=stSelectbox], [data-testid=stCheckbox], [data-testid=stButton], [data-testid=stDownloadButton],
    [data-testid=stPageLink], [data-testid=stToolbar], [class*="st-key-only-screen"], [class*="st-key-charts-"],
    [class*="st-key-share"]) { display: none !important; }
  .stApp [class*="st-key-unseen-figures-on-paper"] { position: static !important; width: auto !important;
    height: auto !important; overflow: visible !important; }
  html, body, .stApp, .stApp > *, [data-testid=stAppViewContainer], [data-testid=stMain] { position: static !important;
    overflow: visible !important; height: auto !important; display: block !important; background: #FFFFFF !important; }
  .stApp .stMainBlockContainer { padding: 0 !important; max-width: none !important; }
  .stApp :is(h1, p, [data-testid=stCaptionContainer], [data-testid=stMarkdownContainer]) { color: #1B1F24 !important; }
}
"""


def sheet(
    html: str, key: str, full: bool = True, large: bool = False, opened: Callable[[str], None] | None = None
) -> None:
    """Draw HTML made by `cards`.

    full : whether each figure takes the width of the page. large : in large letters. opened : called with the id of a
    figure that the person chooses.
    """
    data = {"html": html, "dark": st.context.theme.type == "dark", "full": full, "large": large}
    chosen = _sheet(key=key, data=data, on_open_change=lambda: None).open
    if chosen and opened is not None:
        opened(chosen)


def pictures(svg: str, name: str) -> None:
    """Draw the buttons by which the browser saves a figure as SVG and as PNG."""
    _pictures(key=f"only-screen-pictures-{name}", data={"svg": svg, "name": name})


_sheet = st.components.v2.component(
    "feedback_lab_sheet",
    html='<div class="fl-sheet"></div>',
    css=(FOLDER / "sheet.css").read_text("utf-8"),
    js=joined(FOLDER / "sheet.js"),
    isolate_styles=False,
)
_pictures = st.components.v2.component(
    "feedback_lab_pictures",
    html='<div class="fl-save"><button data-as="svg">SVG</button><button data-as="png">PNG</button></div>',
    css="""
.fl-save { display: flex; gap: .5rem; }
.fl-save button { font: inherit; font-size: .9rem; min-height: 2.5rem; flex: 1; cursor: pointer; border-radius: .5rem;
  color: var(--st-text-color, #1B1F24); background: var(--st-background-color, #FFFFFF);
  border: 1px solid var(--st-border-color, #D9DEE5); }
.fl-save button:hover { border-color: var(--st-primary-color, #0072B2); color: var(--st-primary-color, #0072B2); }
.fl-save button:focus-visible { outline: 2px solid var(--st-primary-color, #0072B2); outline-offset: 2px; }
""",
    js=joined(FOLDER / "pictures.js"),
    isolate_styles=False,
)
