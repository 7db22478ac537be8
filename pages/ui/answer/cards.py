"""Cards that a person judges by clicking them: documents of a list, or labels that were guessed."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pages.ui.component import component
from pages.ui.draw import images
from pages.ui.plain import visible

FOLDER = Path(__file__).parent / "js"


def show_cards(
    key: str, cards: list[dict[str, Any]], mark: str, judged: Callable[[], None], other: str = "", what: str = "rank"
) -> None:
    """Draw cards that a click marks.

    cards : for each its place, from 1, label or image (a data URL), or a `list` of such, and whether it is chosen;
    perhaps a `note` that stands in place of the place. mark, other : the words on those that are chosen, and on those
    that are not. judged : called when the marks change; `st.session_state[key]["judged"]` then is a text for
    `positions`. what : a card is read out as this word with its place.
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

    >>> positions("1,4,none,²")
    {1, 4}
    """
    return {int(part) for part in text.split(",") if re.fullmatch(r"\s*\d{1,9}\s*", part)}


_component = component("cards", FOLDER / "cards.js", FOLDER / "cards.css")
