"""The partial results of unfinished figures, so that a command that was killed goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from datasets.disk import home, whole
from learners.base import Array
from learners.compiled.store import CACHE
from pages.ui.figures.digest import sources
from pages.ui.figures.figure import Figure
from pages.ui.figures.plan import Work


def folder() -> Path:
    """Return the folder in which unfinished work is kept."""
    return Path(CACHE.value) / "figures" if CACHE.value else home("figures")


def _packed(part: Any, arrays: dict[str, Array]) -> Any:
    """Return what JSON can hold of a part, after adding its arrays, each by a name, to `arrays`."""
    if isinstance(part, np.ndarray):
        name = f"array{len(arrays)}"
        arrays[name] = part
        return {"array": name}
    if isinstance(part, Mapping):
        return {"items": {key: _packed(value, arrays) for key, value in part.items()}}
    if isinstance(part, tuple | list):
        return [_packed(value, arrays) for value in part]
    return part.item() if isinstance(part, np.generic) else part


def _unpacked(form: Any, arrays: Mapping[str, Array]) -> Any:
    """Return the part of which `_packed` made this; lists are tuples now."""
    if isinstance(form, list):
        return tuple(_unpacked(value, arrays) for value in form)
    if not isinstance(form, dict):
        return form
    if "array" in form:
        return arrays[form["array"]]
    return {key: _unpacked(value, arrays) for key, value in form["items"].items()}


class Unfinished:
    """The partial result of a figure, a file for each work; files that cannot be read are computed again."""

    def __init__(self, figure: Figure, scale: str, root: Path | None = None) -> None:
        self.folder = (root or folder()) / f"{figure.id}-{scale}-{sources()}"

    def file(self, work: Work) -> Path:
        """Return the file of a work, whose name tells everything on which what it finds depends."""
        return self.folder / f"{hashlib.sha256(repr(replace(work, number=0)).encode()).hexdigest()[:24]}.npz"

    def read(self, works: Sequence[Work]) -> dict[int, Any]:
        """Return what is kept, by the numbers of the works."""
        found = {}
        for work in works:
            try:
                with np.load(self.file(work), allow_pickle=False) as file:
                    arrays = dict(file)
                part = _unpacked(json.loads(str(arrays["form"])), arrays)
                float(np.sum(part["seconds"]))
            except Exception:  # a damaged file may fail in any way
                continue
            found[work.number] = part
        return found

    def keep(self, work: Work, found: Any) -> None:
        """Keep what a work has found; the file appears whole or not at all."""
        arrays: dict[str, Array] = {}
        form = json.dumps(_packed(found, arrays))
        with whole(self.file(work)) as file:
            np.savez(file, allow_pickle=False, form=np.array(form), **arrays)

    def forget(self) -> None:
        """Remove it all."""
        shutil.rmtree(self.folder, ignore_errors=True)
