"""Find the column of a table that holds the label: the one asked for, or a guess from the header and first rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from datasets.tables.text_files import number

NAMES = {"class", "label", "target"}  # a column with one of these names holds the label
_SHOWN, _LONGEST = 4, 20  # values that a sentence shows, and their letters


@dataclass(frozen=True)
class LabelColumn:
    """A column, counted from 0, its name or "", the values at its top, and whether nobody asked for it."""

    place: int
    name: str = ""
    values: tuple[str, ...] = ()
    guessed: bool = True

    def describe(self, count: str) -> str:
        """Return the words for the column; `count` says how many values it has.

        >>> LabelColumn(0, "kind", ("T", "I", "D", "N", "S")).describe("26 values")
        "column 1 'kind' (T, I, D, N, …; 26 values), guessed"
        """
        column = f"column {self.place + 1}" + (f" {self.name!r}" if self.name else "")
        shown = [v if len(v) <= _LONGEST else v[:_LONGEST] + "…" for v in self.values[:_SHOWN]]
        more = ", …" if len(self.values) > _SHOWN else ""
        return f"{column} ({', '.join(shown)}{more}; {count})" + (", guessed" if self.guessed else "")


def find_label(wanted: str, names: Sequence[str], rows: Sequence[Sequence[str]], decimal: str = ".") -> LabelColumn:
    """Find the label among the columns of a table.

    Parameters
    ----------
    wanted : first, last, a column's name, its number from 1, or nothing for a guess: the column named class, label or
        target; else the first column where it alone is made of words, some of them repeated; else the last.
    names : of the columns, or nothing.
    rows : the first rows of the table, all of one length.

    Raises
    ------
    ValueError : for a column that the table does not have.

    >>> find_label("", (), [["T", "2", "8"], ["I", "5", "12"], ["T", "4", "11"]])
    LabelColumn(place=0, name='', values=('T', 'I'), guessed=True)
    """
    wanted, width = wanted.strip(), len(rows[0])
    place = _asked_for(wanted, names, width) if wanted else _guess(names, rows, decimal)
    values = tuple(islice(dict.fromkeys(row[place] for row in rows), _SHOWN + 1))
    return LabelColumn(place, names[place] if names else "", values, guessed=not wanted)


def _asked_for(wanted: str, names: Sequence[str], width: int) -> int:
    """Return the column with this name or number; a name comes before a number."""
    if names.count(wanted) == 1:
        return names.index(wanted)
    if wanted in ("first", "last"):
        return 0 if wanted == "first" else width - 1
    if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted[:9]) <= width:
        return int(wanted) - 1
    allowed = f"first, last, the number of a column from 1 to {width}"
    if names:
        shown = ", ".join(name[:_LONGEST] for name in names[:20]) + (", …" if len(names) > 20 else "")
        allowed += f" or the name of one column ({shown})"
    raise ValueError(f"label must be {allowed}, got {wanted[:60]!r}")


def _guess(names: Sequence[str], rows: Sequence[Sequence[str]], decimal: str) -> int:
    named = [c for c, name in enumerate(names) if name.lower() in NAMES]
    if len(named) == 1:
        return named[0]
    words = np.array([[np.isnan(number(value.replace(decimal, "."))) for value in row] for row in rows])
    first = [row[0] for row in rows]
    alone = words[:, 0].all() and not words[:, 1:].any()
    return 0 if alone and len(set(first)) < len(first) else len(rows[0]) - 1
