"""Encode a table of columns as features and labels, for files and downloads alike."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate
from typing import Any

import numpy as np

from datasets.base import Array
from datasets.classification import MAX_CLASSES
from datasets.limits import MAX_NAME, check_bytes, check_peak
from datasets.parameters import shown
from datasets.tables.text_files import MAX_VALUE, number

MAX_FEATURES = 20_000  # of a table, whose features are stored dense
MAX_NUMBERS = 100_000_000  # examples × features, all of which are stored
MAX_WORDS = 200  # distinct values in a column of words
EXACT = 2.0**53  # from this size on, floats merge whole numbers
LARGE = 1 << 24  # from this many numbers on, features are float32 instead of float64
MISSING = {"", "?", "nan", "na"}
_FEW_EXAMPLES = 3  # the notes name classes with fewer examples


class MissingValues(ValueError):
    """The error for a table with missing values."""


@dataclass
class Table:
    """Columns of numbers and of words, one of which holds the label.

    Parameters
    ----------
    name : the name of the file or download, with which every error begins.
    pieces : blocks of rows that together are the (N, C) numbers, 0 in the columns of words.
    words : a pandas.Categorical of length N for each column of words.
    place : a function that describes row i, such as "mine.csv, line 7".
    columns : the names of the columns, or none.
    label : the label column, by default the last. notes : what was decided in reading it.
    dropped : columns that are left out.
    """

    name: str
    pieces: list[Array]
    words: dict[int, Any]
    place: Callable[[int], str]
    columns: tuple[str, ...] = ()
    label: int = -1
    notes: tuple[str, ...] = ()
    dropped: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        self.label %= self.pieces[0].shape[1]

    @property
    def features(self) -> list[int]:
        """The columns that become features."""
        return [c for c in range(self.pieces[0].shape[1]) if c != self.label and c not in self.dropped]

    def column(self, c: int) -> str:
        """Return the name of a column for error messages."""
        return f"column {c + 1} ({self.columns[c]!r})" if self.columns else f"column {c + 1}"

    def fill(self, c: int, numbers: Array) -> None:
        """Fill a column with (N,) numbers."""
        start = 0
        for piece in self.pieces:
            piece[:, c] = numbers[start : start + len(piece)]
            start += len(piece)


def encode(table: Table, numbered: bool = False) -> tuple[Array, Array, tuple[str, ...], tuple[str, ...]]:
    """Return features (N, d), labels (N,), class names and notes; empty `table.pieces` meanwhile to save memory.

    Numbers stay as they are; a column of words becomes one feature of 0 and 1 for each of its values. If it is
    `numbered`, it becomes one feature, the place of the value among the categories from 0 on.

    Raises
    ------
    ValueError : one sentence with the name, the line and what is wrong.
    """
    _check(table)
    label = table.words.get(table.label)
    if label is None:
        label = np.concatenate([piece[:, table.label] for piece in table.pieces])
    words = {c: values.remove_unused_categories() for c, values in table.words.items() if c != table.label}
    for c, values in words.items():
        _check_words(table, c, values)
    labels, names, notes = classes_of(table.name, label, table.place)
    for c, values in list(words.items()):
        if set(values.categories) <= {"0", "1"}:  # numbers that were declared as words
            table.fill(c, (np.asarray(values) == "1").astype(float))
            del words[c]
        elif numbered:
            table.fill(c, np.asarray(table.words[c].codes, dtype=float))
            del words[c]
    used = table.features
    widths = {c: len(words[c].categories) if c in words else 1 for c in used}
    total = sum(widths.values())
    check_size(table.name, len(labels), total)
    numbers = len(labels) * total * (8 if len(labels) * total < LARGE else 4)
    check_bytes(table.name, numbers)
    codes = sum(values.codes.nbytes for values in words.values())
    check_peak(table.name, sum(piece.nbytes for piece in table.pieces) + 2 * codes + numbers)
    starts = dict(zip(used, accumulate(widths.values(), initial=0), strict=False))
    plain = [c for c in used if c not in words]
    features = np.zeros((len(labels), total), np.float64 if len(labels) * total < LARGE else np.float32)
    row = 0
    while table.pieces:
        piece = table.pieces.pop(0)
        features[row : row + len(piece), [starts[c] for c in plain]] = piece[:, plain]
        row += len(piece)
    for c, values in words.items():
        features[np.arange(len(labels)), starts[c] + values.codes.astype(np.intp)] = 1
    if words:
        columns = "1 column of words is" if len(words) == 1 else f"{len(words)} columns of words are"
        notes += (f"{columns} {sum(widths[c] for c in words)} features of 0 and 1, one for each value",)
    return features, labels, names, (*table.notes, *notes)


def classes_of(name: str, label: Any, place: Callable[[int], str]) -> tuple[Array, tuple[str, ...], tuple[str, ...]]:
    """Return labels (N,) numbered from 0, the class names in order, and notes on classes with few examples.

    `label` is an array of numbers or a pandas.Categorical; classes whose names are numbers are sorted by them.

    >>> classes_of("mine.csv", np.array([7.0, -1.0, 7.0, 7.0]), str)
    (array([1, 0, 1, 1]), ('-1', '7'), ("class '-1' has 1 example only",))
    """
    if isinstance(label, np.ndarray):
        broken = np.flatnonzero(label != np.round(label))
        if len(broken):
            raise ValueError(
                f"{place(int(broken[0]))}: a label must be a whole number or a word, got {label[broken[0]]:g}; "
                "a number to be predicted is not a class"
            )
        if beyond_floats(label):
            row = int(np.abs(label).argmax())
            raise ValueError(
                f"{place(row)}: a label must be a word, or a whole number below 2^53 in size, got {label[row]:.0f}"
            )
        values, labels = np.unique(label, return_inverse=True)
        names = tuple(str(int(value)) for value in values)
    else:
        used = label.remove_unused_categories()
        names, labels = tuple(str(value) for value in used.categories), np.asarray(used.codes)
        values = np.array([number(value) for value in names])
        if not np.isnan(values).any():
            exact = np.isfinite(values).all()
            order = np.array(sorted(range(len(names)), key=lambda i: Decimal(names[i]) if exact else values[i]))
            names, labels = tuple(names[i] for i in order), np.argsort(order)[labels]
    if len(names) < 2:
        raise ValueError(f"{name} has only the class {names[0]!r}; at least 2 are needed")
    if len(longest := max(names, key=len)) > MAX_NAME:
        raise too_long(name, longest)
    if len(names) > MAX_CLASSES:
        raise ValueError(f"{name} has {len(names)} classes; at most {MAX_CLASSES} are allowed")
    counts = np.bincount(labels)
    few = [
        f"class {names[k]!r} has {counts[k]} {'example' if counts[k] == 1 else 'examples'} only"
        for k in np.flatnonzero(counts < _FEW_EXAMPLES)
    ]
    notes = few if len(few) <= 5 else [f"{len(few)} classes have fewer than {_FEW_EXAMPLES} examples"]
    return labels.astype(np.int64), names, tuple(notes)


def beyond_floats(numbers: Array) -> bool:
    """Return whether these are whole numbers some of which are so large that floats merge them."""
    return bool((np.abs(numbers) >= EXACT).any() and (numbers == np.round(numbers))[np.isfinite(numbers)].all())


def whole_name(word: str) -> str:
    """Return a whole number as its digits.

    >>> whole_name("+09007199254740993.0")
    '9007199254740993'
    """
    return str(int(Decimal(word)))


def listed(numbers: Sequence[int], noun: str, what: str) -> str:
    """Say what became of numbered lines or columns.

    >>> listed([3, 5], "line", "that begins with # is left out")
    '2 lines that begin with # are left out: 3, 5'
    """
    several = re.sub(r"\bis\b", "are", re.sub(r"\bbegins\b", "begin", what))
    first = ", ".join(map(str, numbers[:5])) + (", …" if len(numbers) > 5 else "")
    return f"1 {noun} {what}: {first}" if len(numbers) == 1 else f"{len(numbers)} {noun}s {several}: {first}"


def too_long(file: str, label: str) -> ValueError:
    """Return the error for a label of too many letters."""
    return ValueError(f"{file}: a label may have at most {MAX_NAME} letters, got {label[:30] + '…'!r}")


def check_size(name: str, examples: int, features: int) -> None:
    """Raise ValueError if the examples and features are too many to be stored dense."""
    if features == 0:
        raise ValueError(f"{name} has no features, only labels")
    if features > MAX_FEATURES:
        raise ValueError(f"{name} has {features} features; at most {MAX_FEATURES} are allowed")
    if examples * features > MAX_NUMBERS:
        raise ValueError(
            f"{name} has {examples} examples or more with {features} features, that is {examples * features} "
            f"numbers; at most {MAX_NUMBERS} are allowed"
        )


def _check(table: Table) -> None:
    """Raise ValueError for the first cell that is empty or whose number is out of range."""
    faults: list[tuple[int, int, str]] = []
    row = 0
    for piece in table.pieces:
        bad = np.argwhere(~(np.abs(piece) <= MAX_VALUE))
        if len(bad):
            r, c = bad[0]
            value = piece[r, c]
            allowed = f"must be a number from -{MAX_VALUE:g} to {MAX_VALUE:g}, got {value:g}"
            faults.append((row + int(r), int(c), "has no value" if np.isnan(value) else allowed))
            break
        row += len(piece)
    for c, values in table.words.items():
        empty = np.flatnonzero(holes_of(values))
        if len(empty):
            faults.append((int(empty[0]), c, "has no value"))
    if faults:
        row, c, fault = min(faults)
        if fault == "has no value":
            raise MissingValues(f"{table.place(row)}: {table.column(c)} {fault}; missing values are not allowed")
        raise ValueError(f"{table.place(row)}: {table.column(c)} {fault}")


def holes_of(words: Any) -> Array:
    """Return which values of a column of words are missing, (N,) bool."""
    missing = [i for i, word in enumerate(words.categories) if str(word).strip().lower() in MISSING]
    return np.isin(words.codes, [-1, *missing])


def _check_words(table: Table, c: int, values: Any) -> None:
    """Raise ValueError for a column with too many distinct words."""
    if len(values.categories) > MAX_WORDS:
        strange = [i for i, word in enumerate(values.categories) if np.isnan(number(str(word)))]
        row = int(np.flatnonzero(np.isin(values.codes, strange))[0]) if strange else 0
        raise ValueError(
            f"{table.place(row)}: {table.column(c)} has {len(values.categories)} different values, so they must be "
            f"numbers, got {shown(values[row], 30)!r}; a column of words may have at most {MAX_WORDS}"
        )
