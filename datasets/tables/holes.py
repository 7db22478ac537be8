"""Tables with missing values: leave out their rows or columns, or fill the empty cells."""

from typing import Any

import numpy as np

from datasets.base import Array
from datasets.tables.encoding import Table, holes_of

REFUSE, ROWS, COLUMNS, MEDIAN, FREQUENT = "refuse", "drop rows", "drop columns", "median", "most frequent"
CHOICES = (REFUSE, ROWS, COLUMNS, MEDIAN, FREQUENT)
_FEW_PLACES = 5  # places named in a note


def mend(table: Table, how: str) -> None:
    """Leave out or fill what is missing in a table, in place, and add notes that say how much.

    A row without a label is always left out. With "median", a column of words takes its most frequent word.

    Raises
    ------
    ValueError : if nothing would be left, or a column to be filled has no value at all.
    """
    empty = {c: missing for c in range(table.pieces[0].shape[1]) if (missing := _empty(table, c)).any()}
    left_out = empty.pop(table.label, np.zeros(len(_column(table, 0)), dtype=bool))
    if left_out.any():
        table.notes += (f"{_rows(table, left_out)} without a label left out",)
    if how == ROWS and empty:
        more = np.logical_or.reduce([*empty.values()]) & ~left_out
        if more.any():
            table.notes += (f"{_rows(table, more)} with an empty cell left out",)
        left_out = left_out | more
        empty = {}
    if left_out.all():
        raise ValueError(f"{table.name} has no rows left: each has an empty cell")
    if left_out.any():
        _keep(table, ~left_out)
    empty = {c: missing for c, values in empty.items() if (missing := values[~left_out]).any()}
    if not empty:
        return
    if how == COLUMNS:
        if len(empty) == len(table.features):
            raise ValueError(f"{table.name} has no columns left: each has an empty cell")
        table.notes += (f"{_columns(table, empty)} left out",)
        table.dropped |= set(empty)
        for c in empty:
            table.words.pop(c, None)
            table.fill(c, np.zeros(len(empty[c])))
        return
    fillings = [_fill(table, c, missing, how) for c, missing in empty.items()]
    more_of_them = ", …" if len(fillings) > _FEW_PLACES else ""
    count = int(sum(missing.sum() for missing in empty.values()))
    words = "the most frequent value" if how == FREQUENT else "the median, or the most frequent word,"
    table.notes += (
        f"{count:,} empty {'cell' if count == 1 else 'cells'} filled with {words} of the column, over all rows of the "
        f"file and without their labels: {', '.join(fillings[:_FEW_PLACES])}{more_of_them}",
    )


def _column(table: Table, c: int) -> Array:
    """Return a column of numbers (N,)."""
    return np.concatenate([piece[:, c] for piece in table.pieces])


def _empty(table: Table, c: int) -> Array:
    """Return where a column has no value, (N,) bool."""
    return holes_of(table.words[c]) if c in table.words else np.isnan(_column(table, c))


def _rows(table: Table, which: Array) -> str:
    """Return how many rows these are, and where the first are."""
    at = np.flatnonzero(which)
    places = ", ".join(table.place(int(row)).removeprefix(f"{table.name}, ") for row in at[:_FEW_PLACES])
    more = ", …" if len(at) > _FEW_PLACES else ""
    return f"{len(at):,} of {len(which):,} {'row' if len(which) == 1 else 'rows'} ({places}{more})"


def _columns(table: Table, empty: dict[int, Array]) -> str:
    """Return which columns these are, and how many of their cells are empty."""
    named = [f"{table.column(c)} ({int(missing.sum()):,} empty)" for c, missing in empty.items()]
    more = f" and {len(named) - _FEW_PLACES} more" if len(named) > _FEW_PLACES else ""
    return ", ".join(named[:_FEW_PLACES]) + more


def _keep(table: Table, kept: Array) -> None:
    """Leave out the rows that are not kept."""
    start, at, place = 0, np.flatnonzero(kept), table.place
    for i, piece in enumerate(table.pieces):
        table.pieces[i] = piece[kept[start : start + len(piece)]]
        start += len(piece)
    table.words = {c: values[kept] for c, values in table.words.items()}
    table.place = lambda row: place(int(at[row]))


def _fill(table: Table, c: int, missing: Array, how: str) -> str:
    """Fill the empty cells of a column, and say with what; of the values that are most frequent, the first is taken."""
    if missing.all():
        raise ValueError(f"{table.name}: {table.column(c)} has no value to fill its cells from; drop columns instead")
    if c in table.words:
        values: Any = table.words[c]
        codes = np.array(values.codes)
        codes[missing] = np.bincount(codes[~missing], minlength=len(values.categories)).argmax()
        table.words[c] = type(values).from_codes(codes, values.categories)
        return f"{table.column(c)} {values.categories[codes[missing][0]]}"
    numbers = _column(table, c)
    known = numbers[~missing]
    if how == FREQUENT:
        distinct, counts = np.unique(known, return_counts=True)
        value = distinct[counts.argmax()]
    else:
        value = np.median(known)
    numbers[missing] = value
    table.fill(c, numbers)
    return f"{table.column(c)} {value:g}"
