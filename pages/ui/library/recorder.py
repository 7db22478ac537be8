"""A recording of a run of any program: its loop hands over what each step brought."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from datasets.parameters import shown
from learners.base import Array
from pages.ui.draw.charts import Look
from pages.ui.library import notebook
from pages.ui.plain import visible
from pages.ui.recordings.columns import RecordedColumns
from pages.ui.recordings.document import MOST_LEARNERS, Document

MOST_COLUMNS = 20
SIGNS = ("dot", "star", "up", "down", "stop", "cycle")


class Recorder:
    """Takes the columns of each step from anybody's loop and makes a recording of them.

    Parameters
    ----------
    title : heading of the recording. learners : names of at most four learners that are compared; one without a name
    by default. titles : words for the columns, by their names, such as {"regret": "Regret per step"}. unit : what a
    step is called. words : a sentence on the setup. link : an address at which to read more. x_log, y_log : whether
    the axes are logarithmic.

    A column is a number for each step, or an array (R,) with one for each of R replicates. It may begin later, and
    None stands where there is no value.

    Raises
    ------
    ValueError : for more learners than have colours, and names that are no texts or come twice.

    >>> recorder = Recorder("A coin", ["heads", "tails"], {"share": "Share so far"})
    >>> for t in range(1, 101):
    ...     recorder.step("heads", share=(t // 2) / t)
    ...     recorder.step("tails", share=(t - t // 2) / t)
    >>> recorder.mark("the coin is even", learner="heads")
    >>> made = recorder.document()
    >>> made.payload["steps"], [chart["title"] for chart in made.payload["charts"]]
    (100, ['Share so far'])
    """

    def __init__(
        self, title: str, learners: Sequence[str] = ("",), titles: Mapping[str, str] | None = None, unit: str = "step",
        words: str = "", link: str = "", x_log: bool = False, y_log: bool = False,
    ) -> None:  # fmt: skip
        names = list(learners)
        if not 1 <= len(names) <= MOST_LEARNERS or len({*names}) < len(names):
            raise ValueError(f"learners must be 1 to {MOST_LEARNERS} different names, got {shown(learners)}")
        for text in (title, unit, words, link, *names, *(titles or {}).values()):
            if not isinstance(text, str):
                raise ValueError(f"titles, names and words must be texts, got {shown(text)}")
        if not (unit.isascii() and unit.isalpha() and unit.islower()):
            raise ValueError(f"unit must be a word in small letters, got {shown(unit)}")
        self.title, self.unit, self.words, self.link = title, unit, words, link
        self.learners, self.titles = names, dict(titles or {})
        self.x_log, self.y_log = x_log, y_log
        self._rows: list[list[dict[str, Array]]] = [[] for _ in names]
        self._marks: list[dict[str, Any]] = []

    def step(self, learner: str | None = None, /, **columns: Any) -> None:
        """Take what one step of a learner brought; without a name, of the only one.

        Raises
        ------
        ValueError : for a learner that is not there, and what is no number.
        """
        slot, row = self._slot(learner), {}
        for name, value in columns.items():
            try:
                made = np.atleast_1d(np.asarray(np.nan if value is None else value, dtype=float))
            except (TypeError, ValueError):
                raise ValueError(f"{name} must be a number or an array of numbers, got {shown(value)}") from None
            if made.ndim != 1 or not made.size:
                raise ValueError(f"{name} must be a number or an array (R,), got an array {made.shape}")
            row[name] = made
        self._rows[slot].append(row)

    def mark(self, text: str, learner: str | None = None, sign: str = "dot", kind: str = "event") -> None:
        """Mark the latest step of a learner on the timeline. kind : what such marks are called.

        Raises
        ------
        ValueError : before the first step, and for a sign that is not there.
        """
        slot = self._slot(learner)
        if sign not in SIGNS:
            raise ValueError(f"sign must be one of {', '.join(SIGNS)}, got {shown(sign)}")
        if not self._rows[slot]:
            raise ValueError("a mark belongs to a step, and none has been taken")
        one = {"t": len(self._rows[slot]), "kind": str(kind), "slot": slot, "replicate": 0, "text": visible(str(text))}
        self._marks.append(one | {"sign": sign})

    def document(self) -> Document:
        """Return the recording of the steps so far.

        Raises
        ------
        ValueError : where no step has been taken, there are too many columns, or the replicates of a column differ.
        """
        if not any(self._rows):
            raise ValueError("nothing has been recorded yet")
        made = RecordedColumns(
            self.title, self.learners, self._columns(), self.titles, self.unit, self._marks, self.words, self.link,
            self.x_log, self.y_log,
        )  # fmt: skip
        return made.document(Look())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> notebook.Bundle:
        return notebook.bundle(self.document())

    def write(self, path: str | Path) -> Path:
        """Write the recording of the steps so far into a file and return its path."""
        Path(path).write_bytes(self.document().packed())
        return Path(path)

    def _slot(self, learner: str | None) -> int:
        if learner is None and len(self.learners) == 1:
            return 0
        if learner not in self.learners:
            raise ValueError(f"learner must be one of {', '.join(self.learners)}, got {shown(learner)}")
        return self.learners.index(learner)

    def _columns(self) -> list[dict[str, Array]]:
        """Return the columns of each learner, (T, R)."""
        names = list(dict.fromkeys(name for rows in self._rows for row in rows for name in row))
        if not 1 <= len(names) <= MOST_COLUMNS:
            raise ValueError(f"a recording has 1 to {MOST_COLUMNS} columns, and this one would have {len(names)}")
        found: list[dict[str, Array]] = []
        for rows in self._rows:
            wide = {name: {row[name].size for row in rows if name in row} for name in names}
            for name, sizes in wide.items():
                if len(sizes) > 1:
                    several = ", ".join(map(str, sizes))
                    raise ValueError(f"{name} must have as many replicates in each step, got {several}")
            columns = {name: np.full((len(rows), *sizes), np.nan) for name, sizes in wide.items() if sizes}
            for t, row in enumerate(rows):
                for name, value in row.items():
                    columns[name][t] = value
            found.append(columns)
        return found
