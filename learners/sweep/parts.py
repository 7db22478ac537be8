"""Runs an experiment in parts, each in a process of its own and at any time, and merges them to the same bits.

Each batch is a file of its own in the folder of the parts, and whole or not there. A part that was killed loses the
batch in which it was, and goes on from there when it is started again.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from datasets.disk import whole, write
from datasets.parameters import shown
from learners import setup_file
from learners.grid import GridSpec
from learners.spec import RunSpec
from learners.sweep.plan import Batch, plan
from learners.sweep.progress import Progress
from learners.sweep.run import run

if TYPE_CHECKING:
    import pandas as pd

PLAN = "plan.json"
MEASURED = {"sweep": "metrics", "compare": "metric"}  # what the plan of a command says is measured


@dataclass(frozen=True)
class ArrayPart:
    """Part `number`, from 1, of `of`, as a job of an array has it.

    >>> ArrayPart.parse("3/40"), ArrayPart.parse("41/40")
    Traceback (most recent call last):
    ValueError: a part is written as 3/40, from 1/40 to 40/40, got 41/40
    """

    number: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str) -> ArrayPart:
        """Return the part that a text names."""
        found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
        number, of = map(int, found.groups()) if found else (0, 40)
        if not 1 <= number <= of:
            of = of or 40
            raise ValueError(f"a part is written as 3/{of}, from 1/{of} to {of}/{of}, got {shown(text)}")
        return cls(number, of)

    def of_batches(self, batches: Sequence[Batch]) -> list[Batch]:
        """Return the batches of this part: each `of`-th, so that long ones are spread."""
        return list(batches[self.number - 1 :: self.of])


def swept(spec: GridSpec, metrics: Sequence[str] | None = None, runs: int | None = None) -> list[Batch]:
    """Return the plan of a sweep that is described; `runs` as for `plan`."""
    run = spec.run
    return plan(run, spec.over, run.replicates, run.seed, run.steps, metrics, runs)


def run_part(
    batches: Sequence[Batch], part: ArrayPart, folder: Path, workers: int = 1, scheduler: str | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> int:  # fmt: skip
    """Run what is left to do of a part, and return how many batches that was.

    Raises
    ------
    OSError : if a file cannot be written.
    """
    left = [batch for batch in part.of_batches(batches) if _read(folder, batch.number) is None]
    for batch, rows in run(left, workers, scheduler, progress):
        with whole(_file(folder, batch.number)) as file:
            np.savez(file, **{str(name): _plain(rows[name].to_numpy()) for name in rows})
    return len(left)


def merged(batches: Sequence[Batch], of: int, folder: Path) -> list[tuple[Batch, pd.DataFrame]]:
    """Return all batches with their rows, as `run` yields them in one process.

    Raises
    ------
    ValueError : with a sentence that names the parts in which something is missing.
    """
    found = [(batch, _read(folder, batch.number)) for batch in batches]
    missing = sorted({batch.number % of + 1 for batch, rows in found if rows is None})
    if missing:
        names = ", ".join(f"{number}/{of}" for number in missing[:10]) + f" and {len(missing) - 10} more" * (
            len(missing) > 10
        )
        left = sum(rows is None for _, rows in found)
        raise ValueError(f"{left} of {len(batches)} batches are missing in {folder}; run these parts again: {names}")
    return [(batch, rows) for batch, rows in found if rows is not None]


def note(folder: Path, spec: RunSpec | GridSpec, told: dict[str, Any]) -> None:
    """Note in the folder what its parts are of, or check that it is the same.

    Raises
    ------
    ValueError : for a folder that holds parts of something else.
    """
    text = (json.dumps({**told, "setup": setup_file.write(spec)}, indent=1) + "\n").encode()
    file = folder / PLAN
    if file.is_file() and file.read_bytes() != text:
        raise ValueError(f"{folder} holds parts of another experiment, or of other options; name another folder")
    if not file.is_file():
        write(file, text)


def noted(folder: Path) -> tuple[RunSpec | GridSpec, dict[str, Any]]:
    """Return what the parts in a folder are of, and what the command was told.

    Raises
    ------
    ValueError : for a folder without parts.
    """
    try:
        told = json.loads((folder / PLAN).read_text("utf-8"))
        if MEASURED[told["command"]] not in told or type(told["parts"]) is not int or told["parts"] < 1:
            raise KeyError
        return setup_file.read(told["setup"]), told
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, KeyError, TypeError):
        raise ValueError(f"{folder} holds no parts: its {PLAN} is missing or damaged") from None


def _file(folder: Path, number: int) -> Path:
    return folder / f"{number:05}.npz"


def _plain(column: Any) -> Any:
    return column.astype(str) if column.dtype.kind == "O" else column


def _read(folder: Path, number: int) -> pd.DataFrame | None:
    """Return the rows of a batch; None if it has not ended, or its file is damaged."""
    import pandas as pd

    try:
        with np.load(_file(folder, number), allow_pickle=False) as found:
            return pd.DataFrame({name: found[name] for name in found.files})
    except (OSError, ValueError, EOFError, zipfile.BadZipFile):
        return None
