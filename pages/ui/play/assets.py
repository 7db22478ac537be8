"""The player's JavaScript and style sheets, joined to one script and one sheet."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

FOLDER = Path(__file__).parent / "js"
PARTS = (
    "library",
    "readout",
    "curves",
    "painting",
    "pictures",
    "film",
    "strips",
    "scene",
    "scene_steps",
    "scene_list",
    "scene_answers",
    "timeline",
    "controls",
    "grid",
    "player",
)  # of the script, in order
ENDS = {"host": ("host",), "alone": ("scheme", "alone")}  # what connects the player to the app, or to the page it is in
SHEETS = ("player", "curves", "pictures", "film", "scene")


@cache
def script(end: Literal["host", "alone"]) -> str:
    """Return the player's script: for the app's component ("host"), or for a page without a server ("alone")."""
    return "\n".join(_read(f"{name}.js") for name in (*PARTS, *ENDS[end]))


@cache
def style() -> str:
    """Return the player's style sheet."""
    return "\n".join(_read(f"{name}.css") for name in SHEETS)


def _read(name: str) -> str:
    return (FOLDER / name).read_text("utf-8")
