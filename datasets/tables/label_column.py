"""Find the label column of a table: the requested one, or a guess from the header and the first rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from datasets.tables.encoding import MISSING
from datasets.tables.text_files import number

NAMES = {"class", "label", "target"}  # a column with one of these names is taken as the label
_SHOWN, _LONGEST = 4, 20  # values shown in a sentence, letters shown of each


@dataclass(frozen=True)
class LabelColumn:
    """The label column: its index from 0, its name or "", its first distinct values, and whether it was guessed."""

    place: int
    name: str = ""
    values: tuple[str, ...] = ()
    guessed: bool = True

    def describe(self, count: str) -> str:
        """Describe the column in words; `count` states the number of its values.

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
    wanted : first, last, a column's name, its number from 1, or empty for a guess. The guess is the column named class,
        label or target; otherwise the first column if it is the only one of words and some of them recur; otherwise the
        last.
    names : the names of the columns, or none.
    rows : the first rows of the table, all of the same length.

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
    """Return the column with this name or number; names take precedence."""
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
    missing = np.array([[value.lower() in MISSING for value in row] for row in rows])
    first = [row[0] for row in rows]
    alone = words[:, 0].all() and not missing[:, 0].all() and not (words & ~missing)[:, 1:].any()
    return 0 if alone and len(set(first)) < len(first) else len(rows[0]) - 1
