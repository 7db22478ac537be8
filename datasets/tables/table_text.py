"""Tables as text, with one example per line and values separated by commas, semicolons, tabs or blanks.

pandas parses the text in blocks of lines. Rows of different lengths and unclosed quotes, which pandas would accept
silently or refuse without naming the line, are detected first.
"""

import csv
import re
from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from datasets.classification import MAX_CLASSES
from datasets.limits import MAX_NAME, MAX_NAMES, check_peak, name
from datasets.tables.encoding import (
    LARGE,
    MAX_FEATURES,
    MAX_WORDS,
    MISSING,
    Table,
    beyond_floats,
    check_size,
    listed,
    too_long,
    whole_name,
)
from datasets.tables.label_column import NAMES
from datasets.tables.text_files import blocks, check_lines, number

_COMMENT = ("%", "#")
_HOLES = sorted({"".join(letters) for word in MISSING for letters in product(*zip(word, word.upper(), strict=True))})
_MAX_WORD_COLUMNS = 500  # each takes about a millisecond for every block of lines


@dataclass(frozen=True)
class TableForm:
    """The format of a table: separator, number of the header's line (or 0), column names, decimal mark, width.

    width : the number of values in its first line. notes : what was decided that could also be read otherwise.
    """

    separator: str  # " " stands for any blanks
    above: int = 0
    columns: tuple[str, ...] = ()
    decimal: str = "."
    width: int = 0
    notes: tuple[str, ...] = ()

    def split(self, line: str) -> list[str]:
        """Split a line into values; raise csv.Error for an unclosed quote."""
        if '"' in line:
            row = next(csv.reader([line], delimiter=self.separator, skipinitialspace=True, strict=True))
            return [value.strip() for value in row if value or self.separator != " "]
        return line.split() if self.separator == " " else [value.strip() for value in line.split(self.separator)]

    def number(self, value: str) -> float:
        """Return the number that a value represents, or nan."""
        return number(value.replace(self.decimal, "."))

    def comment(self, line: str) -> bool:
        """Return whether a line begins with # or % and is no row, because it has another number of values."""
        if not line.startswith(_COMMENT):
            return False
        try:
            return self.width > 0 and len(self.split(line)) != self.width
        except csv.Error:
            return True

    def word(self, value: str) -> bool:
        """Return whether a value is neither a number nor missing."""
        return bool(np.isnan(self.number(value))) and value.lower() not in MISSING


def content(path: Path, above: int = 0, comments: list[int] | None = None) -> Iterator[tuple[list[int], list[str]]]:
    """Yield line numbers and lines, some thousand at a time, without blanks and the lines up to `above`.

    Comments above the first other line are left out too; their numbers are added to `comments`.
    """
    started = above > 0
    for first, block in blocks(path):
        try:
            text = block.decode()
        except UnicodeDecodeError as error:
            here = first + block[: error.start].count(b"\n")
            raise ValueError(f"{path.name}, line {here}: this is not UTF-8 text") from None
        found = [
            (here, stripped)
            for here, line in enumerate(text.split("\n"), start=first)
            if here > above and (stripped := _stripped(line))
        ]
        if not started:
            data = next((i for i, (_, line) in enumerate(found) if not line.startswith(_COMMENT)), len(found))
            started = data < len(found)
            if comments is not None:
                comments.extend(here for here, _ in found[:data])
            found = found[data:]
        if found:
            yield [here for here, _ in found], [line for _, line in found]


def _rows(path: Path, form: TableForm, comments: list[int] | None = None) -> Iterator[tuple[list[int], list[str]]]:
    """Yield line numbers and lines as `content` does, without the comments between the rows."""
    for numbers, lines in content(path, form.above):
        left_out = {i for i, line in enumerate(lines) if form.comment(line)}
        if left_out:
            if comments is not None:
                comments.extend(numbers[i] for i in sorted(left_out))
            numbers = [here for i, here in enumerate(numbers) if i not in left_out]
            lines = [line for i, line in enumerate(lines) if i not in left_out]
        if lines:
            yield numbers, lines


def _stripped(line: str) -> str:
    """Return a line without blanks at its ends; one of nothing but control characters and blanks is empty.

    Tabs stay, since they separate values.
    """
    line = line.strip(" \r\x1a")
    return "" if line.isspace() and "\t" not in line else line


def sniff(path: Path) -> TableForm:
    """Return the format of the table in a file, judging by its first thousand lines.

    The first line is a header if none of its values is a number or recurs below it, or if there are only numbers below
    a word in the last column, or below "class", "label" or "target" in the first.
    """
    comments: list[int] = []
    numbers, lines = next(content(path, comments=comments), ([], []))
    if not lines:
        raise ValueError(f"{path.name} has no examples, only blank lines or comments")
    separator = next((s for s in ("\t", ";", ",") if s in lines[0]), " ")
    try:
        width = len(TableForm(separator).split(lines[0]))
    except csv.Error:
        width = 0
    lines = [line for line in lines if not TableForm(separator, width=width).comment(line)]
    notes: tuple[str, ...] = (
        (listed(comments, "line", "above the data that begins with # or % is left out"),) if comments else ()
    )
    decimal = "," if separator in "; \t" and re.search(r"\d,\d", lines[-1]) and "." not in lines[-1] else "."
    if decimal == "," and (value := _thousands(lines)):
        notes += (f"the comma is read as the decimal mark: {value} is {number(value.replace(',', '.')):g}",)
    form = TableForm(separator, decimal=decimal, width=width, notes=notes)
    first, *below = _split(form, lines) or [[]]
    if not below:
        return form
    words = [np.isnan(form.number(value)) for value in first]
    again = any(value in column for value, column in zip(first, zip(*below, strict=True), strict=True))
    labels = [-1] * (first[-1].lower() not in MISSING) + [0] * (first[0].lower() in NAMES)
    over_numbers = any(words[c] and not any(form.word(row[c]) for row in below) for c in labels)
    if (all(words) and not again) or over_numbers:
        columns = tuple(name(path.name, numbers[0], column, "column name") for column in first)
        return replace(form, above=numbers[0], columns=columns)
    return form


def _thousands(lines: list[str]) -> str:
    """Return the first value with a comma if the comma could separate thousands in every such value, otherwise ""."""
    pieces = re.split(r'[\s;"]+', "\n".join(lines))  # one expression for both would look at a long word again and again
    values = [piece for piece in pieces if re.search(r"\d,\d", piece)]
    return values[0] if all(re.fullmatch(r"[-+]?[1-9]\d{0,2},\d{3}", value) for value in values) else ""


def head(path: Path, form: TableForm) -> tuple[list[list[str]], bool]:
    """Return the values of the first lines, at most a thousand, and whether these are all lines.

    Return no values where the lines differ in length or a quotation mark is unclosed; `parse` then raises the error.
    """
    parts = _rows(path, form)
    _, lines = next(parts, ([], []))
    rows = _split(form, lines) if lines else []
    return rows, len(rows) == len(lines) and next(parts, None) is None


def _split(form: TableForm, lines: list[str]) -> list[list[str]]:
    """Return the values of the first lines, or an empty list if they do not form a table."""
    try:
        seen = max(2, 200_000 // len(form.split(lines[0])))
        rows = [form.split(line) for line in lines[: min(seen, 1000)]]
    except csv.Error:
        return []  # `parse` raises an error that names the line
    return rows if all(len(row) == len(rows[0]) for row in rows) else []


def parse(path: Path, form: TableForm, label: int = -1, holes: bool = False) -> Table:
    """Return the table in a file; a column with a value that is not a number is a column of words.

    label : the label column. holes : whether values may be missing, which are then NaN among numbers and have the code
    −1 among words.

    Raises
    ------
    ValueError : one sentence with the file's name, the line and what is wrong.
    """
    comments, marked = list[int](), list[int]()
    rows, width = _count(path, form, comments, marked)
    label %= width
    pieces, words = _read(path, form, width, label, holes)
    if words:  # other blocks may have read the same columns as numbers
        pieces, words = _read(path, form, width, label, holes, set(words))
    notes = form.notes
    if comments:
        notes += (listed(comments, "line", f"that begins with # or % is left out, not having {width} values"),)
    if marked:
        notes += (listed(marked, "line", f"that begins with # or % is data, having {width} values"),)
    table = Table(path.name, pieces, {}, lambda row: f"{path.name}, line {rows[row]}", form.columns, label, notes)
    for c, column in words.items():
        as_numbers = np.array([*map(form.number, column.places), np.nan])  # the last for the code −1
        if np.isnan(as_numbers[:-1]).any():
            table.words[c] = column.categorical()
        elif c == label and beyond_floats(as_numbers[:-1]):
            table.words[c] = column.categorical([whole_name(v.replace(form.decimal, ".")) for v in column.places])
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
        place = [self.places.setdefault(str(value), len(self.places)) for value in block.categories] + [-1]
        self.codes.frombytes(np.array(place, dtype=np.int32)[block.codes].tobytes())

    def too_many(self, form: TableForm, most: int) -> bool:
        """Return whether there are more than `most` values, one of which is not a number."""
        if len(self.places) > most and not self.strange:
            self.strange = any(np.isnan(form.number(value)) for value in self.places)
        return len(self.places) > most and self.strange

    def categorical(self, names: Sequence[str] = ()) -> Any:
        """Return the column as a pandas.Categorical whose categories are sorted; `names` rename its distinct values."""
        from pandas import Categorical, Index

        names = names or [*self.places]
        values = sorted(set(names))
        place = {value: i for i, value in enumerate(values)}
        order = np.array([*(place[value] for value in names), -1], dtype=np.int32)
        return Categorical.from_codes(order[np.asarray(self.codes)], Index(values, dtype=object))


def _count(path: Path, form: TableForm, comments: list[int], marked: list[int]) -> tuple[Any, int]:
    """Return the line number of each row and the number of columns; raise ValueError if they are too many.

    comments : the lines that are left out are added. marked : the rows that look like comments are added.
    """
    width, total, rows = len(form.columns), 0, []
    check_lines(path)
    for numbers, lines in _rows(path, form, comments):
        width = _check_widths(path.name, form, numbers, lines, width)
        rows.append(np.array(numbers))
        marked.extend(here for here, line in zip(numbers, lines, strict=True) if line.startswith(_COMMENT))
        total += len(lines)
        check_size(path.name, total, width - 1)
        check_peak(path.name, total * width * (8 + (8 if total * width < LARGE else 4)))
    if not rows:
        raise ValueError(f"{path.name} has no examples, only a header")
    return np.concatenate(rows), width


def _read(
    path: Path, form: TableForm, width: int, label: int, holes: bool, words: Collection[int] = ()
) -> tuple[list[Any], dict[int, _Words]]:
    """Return blocks of numbers, and the columns of words; without `words` the blocks only tell which these are."""
    import pandas as pd

    pieces: list[Any] = []
    found: dict[int, _Words] = {}
    hopeless = False
    for numbers, lines in _rows(path, form):
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
                na_filter=holes,
                na_values=_HOLES if holes else None,
                keep_default_na=False,
                low_memory=False,
                skipinitialspace=True,
                skip_blank_lines=False,
            )
        except (pd.errors.ParserError, pd.errors.EmptyDataError, ValueError, OverflowError):
            raise ValueError(f"{path.name} cannot be read from line {numbers[0]} on: this is not a table") from None
        if frame.shape != (len(lines), width):
            raise ValueError(f"{path.name} cannot be read from line {numbers[0]} on: the quotation marks do not match")
        plain = np.array([dtype.kind in "iuf" for dtype in frame.dtypes])
        plain[label] &= bool(plain[label]) and not beyond_floats(frame[label].to_numpy(dtype=float))
        if (count := int((~plain).sum())) > _MAX_WORD_COLUMNS:
            raise ValueError(f"{path.name} has {count} columns of words; at most {_MAX_WORD_COLUMNS} are allowed")
        for c in np.flatnonzero(~plain).tolist():
            found.setdefault(c, _Words())
            if words:
                values = pd.Categorical(frame[c])
                found[c].add(values)
                if len(values.categories):
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
            "words or whole numbers of more than 53 bits"
        )


def _check_widths(name: str, form: TableForm, numbers: list[int], lines: list[str], width: int) -> int:
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
