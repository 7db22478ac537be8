"""The player, which draws charts once and uncovers them as the playhead moves, without the server."""

from collections.abc import Callable
from typing import Any

from pages.ui.component import component
from pages.ui.play import assets


def show(key: str, payload: bytes, **heard: Callable[[], None]) -> Any:
    """Draw the player with a payload (see payload.py).

    heard : functions called when the browser sends `rest`, `speed`, `more` or `film`.
    """
    callbacks: Any = {f"on_{name}_change": act for name, act in heard.items()}
    return _component(key=key, data=payload, **callbacks)


_component = component("player", assets.script("host"), assets.style())
