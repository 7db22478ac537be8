"""The cards of a lesson in the browser: they ask, steer the player, point, compare and explain."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from pages.ui import answer, draw
from pages.ui.component import component
from pages.ui.draw.markup import CSS
from pages.ui.modules import joined

FOLDER = Path(__file__).parent / "js"
SHARED = Path(draw.__file__).parent / "js"
MARKS = Path(answer.__file__).parent / "js" / "cards.css"


def script(end: Literal["host", "files"] = "host") -> str:
    """Return the script of the cards: for the app's component ("host"), or with the player for files ("files")."""
    return joined(FOLDER / f"{end}.js")


def style() -> str:
    """Return the style sheet of the cards, with that of documents in HTML."""
    sheets = (FOLDER / "cards.css", FOLDER / "hand.css", MARKS, SHARED / "terms.css")
    return "\n".join([*(path.read_text("utf-8") for path in sheets), CSS])


def show(key: str, data: Mapping[str, Any], **heard: Callable[[], None]) -> Any:
    """Draw the card at which a lesson is.

    data : `Given` of js/document.js. heard : functions called when the browser sends `card`, `answer` or `hand`, which
    are then in the session state under `key`.
    """
    callbacks: Any = {f"on_{name}_change": act for name, act in heard.items()}
    return _component(key=key, data=dict(data), **callbacks)


_component = component("lesson", script(), style())
