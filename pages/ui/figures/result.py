"""The result of a figure: its curves with one row for each data seed, and the file in which they are kept.

Beside the results lies the file `CODE`, which notes for each figure with which code it was last computed or compared.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from datasets import disk
from learners.base import Array

FOLDER = Path(__file__).with_name("results")
CODE = "code.json"
DIGITS = 5  # significant digits of a value in a file


@dataclass(frozen=True, eq=False)
class Drawn:
    """A series as it is drawn. x : numbers or names (points,). y : values (seeds, points)."""

    x: tuple[Any, ...]
    y: Array

    @property
    def named(self) -> bool:
        """Whether there are names on the x axis."""
        return any(isinstance(x, str) for x in self.x)

    @cached_property
    def numbers(self) -> Array:
        """The x values as numbers; the places 0, 1, 2 … of names."""
        return np.arange(len(self.x), dtype=float) if self.named else np.array(self.x, dtype=float)

    @property
    def loose(self) -> bool:
        """Whether its points are drawn without a line between them."""
        return self.named or len(self.x) == 1

    @property
    def mean(self) -> Array:
        """The mean over the data seeds, (points,)."""
        mean: Array = self.y.mean(axis=0)
        return mean

    @property
    def error(self) -> Array:
        """The standard error over the data seeds, (points,); 0 for a single seed."""
        seeds = len(self.y)
        return self.y.std(axis=0, ddof=1) / np.sqrt(seeds) if seeds > 1 else np.zeros(len(self.x))

    def place(self, name: str) -> int:
        """Return the index of a name on the x axis; ValueError if it is not there."""
        return self.x.index(name)


Panels = Mapping[str, Mapping[str, Drawn]]


@dataclass(frozen=True, eq=False)
class Result:
    """The result of a figure: for each panel its series by name.

    scale : how much was run. setup, code : digests of the declaration, and of the figure's own code. sources : of all
    code with which it was computed, or compared since.
    seconds : of a processor. versions : of Python and the libraries. sizes : by panel, what
    was run in words. made : the day. partial : the sentence that says what is missing, or "".
    """

    panels: Panels
    scale: str = "page"
    setup: str = ""
    code: str = ""
    sources: str = ""
    seconds: float = 0.0
    versions: Mapping[str, str] = field(default_factory=dict)
    made: str = ""
    partial: str = ""

    def drawn(self, panel: str, series: str) -> Drawn:
        """Return a series of a panel; KeyError if there is none."""
        return self.panels[panel][series]

    @property
    def seeds(self) -> int:
        """The number of data seeds, the least of all series."""
        return min((len(drawn.y) for series in self.panels.values() for drawn in series.values()), default=0)


def write(id: str, result: Result, folder: Path = FOLDER) -> Path:
    """Write the file of a figure, a line for each row of values; return its path. It appears whole or not at all."""
    head: dict[str, Any] = {k: v for k, v in vars(result).items() if k not in ("panels", "code", "sources")}
    lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()]
    panels = []
    for panel, series in result.panels.items():
        parts = []
        for name, drawn in series.items():
            rows = ",\n".join("    " + json.dumps([_short(v) for v in row]) for row in drawn.y.tolist())
            x = json.dumps(list(drawn.x), ensure_ascii=False)
            parts.append(f'  {json.dumps(name, ensure_ascii=False)}: {{"x": {x}, "y": [\n{rows}]}}')
        panels.append(f" {json.dumps(panel)}: {{\n" + ",\n".join(parts) + "}")
    lines.append('"panels": {\n' + ",\n".join(panels) + "}")
    _replace(folder / f"{id}.json", lines)
    record(id, result.code, result.sources, folder)
    return folder / f"{id}.json"


def record(id: str, code: str, sources: str, folder: Path = FOLDER) -> None:
    """Note with which code a figure was computed or compared."""
    every = sorted((noted(folder) | {id: {"code": code, "sources": sources}}).items())
    _replace(folder / CODE, [f"{json.dumps(id)}: {json.dumps(digests)}" for id, digests in every])


def noted(folder: Path = FOLDER) -> dict[str, dict[str, str]]:
    """Return the digests of the code by the ids of figures."""
    file = folder / CODE
    found: dict[str, dict[str, str]] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return found


def _replace(path: Path, lines: list[str]) -> None:
    disk.write(path, ("{" + ",\n".join(lines) + "}\n").encode())


def read(id: str, folder: Path = FOLDER) -> Result | None:
    """Return the result of a figure, None if it was never computed."""
    file = folder / f"{id}.json"
    if not file.is_file():
        return None
    kept = json.loads(file.read_text("utf-8"))
    panels = {
        panel: {name: Drawn(tuple(s["x"]), np.array(s["y"], dtype=float)) for name, s in series.items()}
        for panel, series in kept.pop("panels").items()
    }
    return Result(panels, **kept | noted(folder).get(id, {}))


def _short(value: float) -> float | None:
    """Return a value with few digits; None, which JSON knows, for one that is not a number."""
    return float(f"{value:.{DIGITS}g}") if np.isfinite(value) else None
