"""The player's JavaScript and style sheets, joined to one script and one sheet."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

from pages.ui import draw

FOLDER = Path(__file__).parent / "js"
SHARED = Path(draw.__file__).parent / "js"  # what charts that stand still use as well
PARTS = (
    "library",
    "readout",
    "ends",
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
    "what_if",
    "controls",
    "knobs",
    "projector",
    "grid",
    "pace",
    "player",
)  # of the script, in order
ENDS = {"host": ("host",), "alone": ("scheme", "alone")}  # what connects the player to the app, or to the page it is in
SHEETS = ("charts", "player", "curves", "pictures", "film", "scene", "knobs", "projector")


@cache
def script(end: Literal["host", "alone"]) -> str:
    """Return the player's script: for the app's component ("host"), or for a page without a server ("alone")."""
    return "\n".join(read(f"{name}.js") for name in (*PARTS, *ENDS[end]))


@cache
def style() -> str:
    """Return the player's style sheet."""
    return "\n".join(read(f"{name}.css") for name in SHEETS)


def read(name: str) -> str:
    """Return one of the files, the player's own or one that it shares with charts that stand still."""
    own = FOLDER / name
    return (own if own.exists() else SHARED / name).read_text("utf-8")
