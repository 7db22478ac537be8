"""A room for each family of learners: its labs, and how a step of it is drawn, told and explained."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what a family draws can be drawn without a page
    from pages.ui.lab.lab import Lab
    from pages.ui.race.face import Face


@cache
def labs() -> dict[str, Lab]:
    """Return all labs by the names of their pages; each is the `LAB` of a file of its family that ends in `_lab`.

    >>> labs()["stability"].title
    'Stability lab'
    """
    found = {path.stem.removesuffix("_lab"): path for path in Path(__file__).parent.glob("*/*_lab.py")}
    return {
        page: importlib.import_module(f"{__name__}.{path.parent.name}.{path.stem}").LAB
        for page, path in sorted(found.items())
    }


def face_of(family: str, compared: bool = False) -> Face:
    """Return how runs of a family are shown: the `FACE` of the file `face` in its room, or `COMPARED`.

    compared : whether a run compares rankers by interleaving.

    >>> face_of("semi-supervised").scene
    'regions'
    """
    room = importlib.import_module(f"{__name__}.{family.replace('-', '_')}.face")
    face: Face = room.COMPARED if compared else room.FACE
    return face
