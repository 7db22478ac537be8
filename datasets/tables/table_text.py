"""Tables as text, with one example per line and values separated by commas, semicolons, tabs or blanks.

pandas parses the text in blocks of lines. Rows of different lengths and unclosed quotes, which pandas would accept
silently or refuse without naming the line, are detected first.
"""

from __future__ import annotations

import csv
import re
from array import array
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

from datasets.classification import MAX_CLASSES
from datasets.limits import MAX_NAME, MAX_NAMES, check_peak, name
from datasets.tables.encoding import LARGE, MAX_FEATURES, MAX_WORDS, MISSING, Table, check_size, too_long
from datasets.tables.label_column import NAMES
from datasets.tables.text_files import blocks, number

_COMMENT = ("%", "#")
_MAX_WORD_COLUMNS = 500  # each takes about a millisecond for every block of lines


@dataclass(frozen=True)
class Form:
    """The format of a table: separator, number of the header's line (or 0), column names, decimal mark."""

    separator: str  # " " stands for any blanks
    above: int = 0
    columns: tuple[str, ...] = ()
    decimal: str = "."

    def split(self, line: str) -> list[str]:
        """Split a line into values; raise csv.Error for an unclosed quote."""
        if '"' in line:
            row = next(csv.reader([line], delimiter=self.separator, skipinitialspace=True, strict=True))
            return [value.strip() for value in row if value or self.separator != " "]
        return line.split() if self.separator == " " else [value.strip() for value in line.split(self.separator)]

    def number(self, value: str) -> float:
        """Return the number that a value represents, or nan."""
        return number(value.replace(self.decimal, "."))


def content(path: Path, above: int = 0) -> Iterator[tuple[list[int], list[str]]]:
    """Yield line numbers and lines, some thousand at a time, without blanks, comments and the lines up to `above`."""
    for first, block in blocks(path):
        try:
            text = block.decode()
        except UnicodeDecodeError as error:
            here = first + block[: error.start].count(b"\n")
            raise ValueError(f"{path.name}, line {here}: this is not UTF-8 text") from None
        found = [
            (here, stripped)
            for here, line in enumerate(text.split("\n"), start=first)
            if here > above and (stripped := _stripped(line)) and not stripped.startswith(_COMMENT)
        ]
        if found:
            yield [here for here, _ in found], [line for _, line in found]


def _stripped(line: str) -> str:
    """Return a line without blanks at its ends; one of nothing but control characters and blanks is empty.

    Tabs stay, since they separate values.
    """
    line = line.strip(" \r\x1a")
    return "" if line.isspace() and "\t" not in line else line


def sniff(path: Path) -> Form:
    """Return the format of the table in a file, judging by its first thousand lines.

    The first line is a header if none of its values is a number or recurs below it, or if there are only numbers below
    a word in the last column, or below "class", "label" or "target" in the first.
    """
    numbers, lines = next(content(path), ([], []))
    if not lines:
        raise ValueError(f"{path.name} has no examples, only blank lines or comments")
    separator = next((s for s in ("\t", ";", ",") if s in lines[0]), " ")
    decimal = "," if separator in "; \t" and re.search(r"\d,\d", lines[-1]) and "." not in lines[-1] else "."
    form = Form(separator, decimal=decimal)
    first, *below = _split(form, lines) or [[]]
    if not below:
        return form
    words = [np.isnan(form.number(value)) for value in first]
    again = any(value in column for value, column in zip(first, zip(*below, strict=True), strict=True))
    labels = [-1] * (first[-1].lower() not in MISSING) + [0] * (first[0].lower() in NAMES)
    over_numbers = any(words[c] and not any(np.isnan(form.number(row[c])) for row in below) for c in labels)
    if (all(words) and not again) or over_numbers:
        columns = tuple(name(path.name, numbers[0], column, "column name") for column in first)
        return Form(separator, above=numbers[0], columns=columns, decimal=decimal)
    return form


def head(path: Path, form: Form) -> tuple[list[list[str]], bool]:
    """Return the values of the first lines, at most a thousand, and whether these are all lines.

    Return no values where the lines differ in length or a quotation mark is unclosed; `parse` then raises the error.
    """
    parts = content(path, form.above)
    _, lines = next(parts, ([], []))
    rows = _split(form, lines) if lines else []
    return rows, len(rows) == len(lines) and next(parts, None) is None


def _split(form: Form, lines: list[str]) -> list[list[str]]:
    """Return the values of the first lines, or an empty list if they do not form a table."""
    try:
        seen = max(2, 200_000 // len(form.split(lines[0])))
        rows = [form.split(line) for line in lines[: min(seen, 1000)]]
    except csv.Error:
        return []  # `parse` raises an error that names the line
    return rows if all(len(row) == len(rows[0]) for row in rows) else []


def parse(path: Path, form: Form, label: int = -1) -> Table:
    """Return the table in a file; a column with a value that is not a number is a column of words.

    label : the label column.

    Raises
    ------
    ValueError : one sentence with the file's name, the line and what is wrong.
    """
    rows, width = _count(path, form)
    label %= width
    pieces, words = _read(path, form, width, label)
    if words:  # other blocks may have read the same columns as numbers
        pieces, words = _read(path, form, width, label, set(words))
    table = Table(path.name, pieces, {}, lambda row: f"{path.name}, line {rows[row]}", form.columns, label)
    for c, column in words.items():
        as_numbers = np.array([form.number(value) for value in column.places])
        if np.isnan(as_numbers).any():
            table.words[c] = column.categorical()
        else:  # numbers after all, integers too large for 64 bits
            table.fill(c, as_numbers[np.asarray(column.codes)])
    return table


class _Words:
    """A column of words that is read block by block: its distinct values in order of appearance, and their codes."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.codes = array("i")
        self.strange = False

    def add(self, block: Any) -> None:
        """Add a pandas.Categorical."""
        place = [self.places.setdefault(str(value), len(self.places)) for value in block.categories]
        self.codes.frombytes(np.array(place, dtype=np.int32)[block.codes].tobytes())

    def too_many(self, form: Form, most: int) -> bool:
        """Return whether there are more than `most` values, one of which is not a number."""
        if len(self.places) > most and not self.strange:
            self.strange = any(np.isnan(form.number(value)) for value in self.places)
        return len(self.places) > most and self.strange

    def categorical(self) -> Any:
        """Return the column as a pandas.Categorical whose categories are sorted."""
        from pandas import Categorical, Index

        values = sorted(self.places)
        order = np.empty(len(values), dtype=np.int32)
        order[[self.places[value] for value in values]] = np.arange(len(values))
        return Categorical.from_codes(order[np.asarray(self.codes)], Index(values, dtype=object))


def _count(path: Path, form: Form) -> tuple[Any, int]:
    """Return the line number of each row and the number of columns; raise ValueError if they are too many."""
    width, total, rows = len(form.columns), 0, []
    for numbers, lines in content(path, form.above):
        width = _check_widths(path.name, form, numbers, lines, width)
        rows.append(np.array(numbers))
        total += len(lines)
        check_size(path.name, total, width - 1)
        check_peak(path.name, total * width * (8 + (8 if total * width < LARGE else 4)))
    if not rows:
        raise ValueError(f"{path.name} has no examples, only a header")
    return np.concatenate(rows), width


def _read(
    path: Path, form: Form, width: int, label: int, words: Collection[int] = ()
) -> tuple[list[Any], dict[int, _Words]]:
    """Return blocks of numbers, and the columns of words; without `words` the blocks only tell which these are."""
    import pandas as pd

    pieces: list[Any] = []
    found: dict[int, _Words] = {}
    hopeless = False
    for numbers, lines in content(path, form.above):
        text = "\n".join(lines)
        if form.separator != " " and f" {form.separator}" in text:
            text = re.sub(f" +{form.separator}", form.separator, text)
        try:
            frame = pd.read_csv(
                StringIO(text),
                header=None,
                sep=r"\s+" if form.separator == " " else form.separator,
                decimal=form.decimal,
                dtype=dict.fromkeys(words, str) or None,
                na_filter=False,
                low_memory=False,
                skipinitialspace=True,
                skip_blank_lines=False,
            )
        except (pd.errors.ParserError, pd.errors.EmptyDataError, ValueError, OverflowError):
            raise ValueError(f"{path.name} cannot be read from line {numbers[0]} on: this is not a table") from None
        if frame.shape != (len(lines), width):
            raise ValueError(f"{path.name} cannot be read from line {numbers[0]} on: the quotation marks do not match")
        plain = np.array([dtype.kind in "iuf" for dtype in frame.dtypes])
        if (count := int((~plain).sum())) > _MAX_WORD_COLUMNS:
            raise ValueError(f"{path.name} has {count} columns of words; at most {_MAX_WORD_COLUMNS} are allowed")
        for c in np.flatnonzero(~plain).tolist():
            found.setdefault(c, _Words())
            if words:
                values = pd.Categorical(frame[c])
                found[c].add(values)
                _check_words(path.name, c, found[c].places, values.categories, numbers[0], c == label)
                hopeless |= found[c].too_many(form, MAX_CLASSES if c == label else MAX_WORDS)
        if found and not words:
            pieces.clear()  # all is read again
            continue
        if plain.all():  # much faster where there are many columns
            piece = frame.to_numpy(dtype=float)
        else:
            piece = np.zeros(frame.shape)
            piece[:, plain] = frame.loc[:, plain].to_numpy(dtype=float)
        pieces.append(piece)
        if hopeless:
            break  # `encode` refuses what has been read; more rows would only take memory and time
    return pieces, found


def _check_words(file: str, c: int, all: Collection[str], new: Collection[str], first: int, label: bool) -> None:
    """Raise ValueError for a column whose distinct words take much memory, being too many or too long."""
    longest = max(new, key=len)
    if not label:
        name(file, 0, longest, f"value of column {c + 1}")
    elif len(longest) > MAX_NAME:
        raise too_long(file, longest)
    if len(all) > MAX_NAMES:
        raise ValueError(
            f"{file}, line {first}: column {c + 1} has more than {MAX_NAMES:,} different values up to here, which are "
            "words or whole numbers of more than 64 bits"
        )


def _check_widths(name: str, form: Form, numbers: list[int], lines: list[str], width: int) -> int:
    """Return the number of values in every line; `width` is that of the previous lines, or 0."""
    for here, line in zip(numbers, lines, strict=True):
        try:
            careful = '"' in line or form.separator == " "
            found = len(form.split(line)) if careful else line.count(form.separator) + 1
        except csv.Error:
            raise ValueError(f"{name}, line {here}: the quotation marks do not match") from None
        width = width or found
        if found != width:
            values = "1 value" if found == 1 else f"{found} values"
            raise ValueError(f"{name}, line {here}: {values}, but {width} are expected")
    if width > MAX_FEATURES + 1:
        raise ValueError(f"{name} has {width - 1} features; at most {MAX_FEATURES} are allowed")
    return width
