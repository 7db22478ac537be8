"""The part of the dialog that the browser draws: texts to copy, the QR code, and the address of the page."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pages.ui.component import component

FOLDER = Path(__file__).parent / "js"


def show(texts: Sequence[tuple[str, str]], code: str, words: str) -> None:
    """Draw texts to copy and a QR code.

    texts : pairs of a label and a text. code : the SVG of a QR code, or "" for none. words : what stands below it where
    it fills the screen.
    """
    _sheet(key="share-sheet", data={"texts": [list(pair) for pair in texts], "code": code, "words": words})


def where(played: Sequence[str]) -> dict[str, str]:
    """Return the parts of the address that the browser changes by itself, as they are now: its step, its card.

    It is empty until the browser has told them.
    """
    sent: Any = _where(key="unseen-share-where", data={"played": list(played)}, on_here_change=lambda: None).here
    if not isinstance(sent, dict):
        return {}
    return {key: text for key, text in sent.items() if key in played and isinstance(text, str)}


_where = component("where", FOLDER / "where.js", html="")
_sheet = component("share", FOLDER / "sheet.js", FOLDER / "sheet.css")
