"""The part of the page that shows figures as HTML, and the files that the browser makes of them."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from pages.ui.component import component
from pages.ui.plain import Html

FOLDER = Path(__file__).parent / "js"
# on paper: no navigation, no settings, nothing to press, and the whole page in place of a window on it
PRINT = (Path(__file__).parent / "js" / "print.css").read_text("utf-8")


def sheet(
    html: Html, key: str, full: bool = True, large: bool = False, opened: Callable[[str], None] | None = None
) -> None:
    """Draw HTML made by `cards`.

    full : whether each figure takes the width of the page. large : in large letters. opened : called with the id of a
    figure that the person chooses.
    """
    data = {"html": html, "dark": st.context.theme.type == "dark", "full": full, "large": large}
    chosen = _sheet(key=key, data=data, on_open_change=lambda: None).open
    if isinstance(chosen, str) and chosen and opened is not None:
        opened(chosen)


def pictures(svg: str, name: str) -> None:
    """Draw the buttons by which the browser saves a figure as SVG and as PNG."""
    _pictures(key=f"only-screen-pictures-{name}", data={"svg": svg, "name": name})


_sheet = component("sheet", FOLDER / "sheet.js", FOLDER / "sheet.css")
_pictures = component(
    "pictures", FOLDER / "pictures.js", FOLDER / "pictures.css",
    html='<div class="fl-save"><button data-as="svg">SVG</button><button data-as="png">PNG</button></div>',
)  # fmt: skip
