"""The player's script and style sheet."""

from functools import cache
from pathlib import Path
from typing import Literal

from pages.ui import draw
from pages.ui.draw.markup import CSS
from pages.ui.modules import joined

FOLDER = Path(__file__).parent / "js"
SHARED = Path(draw.__file__).parent / "js"  # what charts that stand still use as well
SHEETS = ("player", "curves", "pictures", "film", "scene", "change", "knobs", "projector")  # in order


def script(end: Literal["host", "alone"]) -> str:
    """Return the player's script: for the app's component ("host"), or for a page without a server ("alone")."""
    return joined(FOLDER / f"{end}.js")


@cache
def style() -> str:
    """Return the player's style sheet, with that of pictures and accounts in HTML."""
    files = (SHARED / "charts.css", SHARED / "terms.css", *(FOLDER / f"{s}.css" for s in SHEETS))
    return "\n".join([*(path.read_text("utf-8") for path in files), CSS])
