"""Parse the rows of an ARFF file, dense or sparse, into numbers."""

from __future__ import annotations

import re
from array import array
from math import isfinite
from operator import lt

import numpy as np

from datasets.tables.arff_table import Arff, Attribute
from datasets.tables.arff_text import Fault, count, pieces, shown, unquoted, words
from datasets.tables.text_files import MAX_VALUE, number

MAX_NUMBERS = 100_000_000  # stored numbers
# Rows that match are parsed the fast way; unusual and faulty rows take the slow one.
_UNUSUAL = re.compile("[_'\"]")
_PAIR = r"\s*+[0-9]++\s++[-+.0-9eE]++\s*+"
_PLAIN_PAIRS = re.compile(rf"\{{{_PAIR}(?:,{_PAIR})*+\}}")


class Rows:
    """A collector of parsed rows."""

    def __init__(self, attributes: tuple[Attribute, ...]) -> None:
        self.attributes = attributes
        self.places = [{value: float(i) for i, value in enumerate(a.values)} for a in attributes]
        self.converters = [p.__getitem__ if p else float for p in self.places]
        self.sparse = False
        self.lines, self.stored = array("q"), array("d")
        self.columns, self.starts = array("i"), array("q", [0])

    @property
    def bytes(self) -> int:
        """The memory that the rows take."""
        return sum(held.itemsize * len(held) for held in (self.stored, self.columns, self.lines, self.starts))

    def add(self, line: str, here: int) -> None:
        """Parse and add the row in line number `here`; raise `Fault` if it is malformed."""
        sparse = line.startswith("{")
        if not self.lines:
            self.sparse = sparse
        elif sparse != self.sparse:
            kinds = ("sparse", "dense") if sparse else ("dense", "sparse")
            raise Fault("a {} row after {} ones; all must be written in the same way".format(*kinds))
        if sparse:
            self._add_sparse(line)
            self.starts.append(len(self.stored))
        else:
            self._add_dense(line)
        self.lines.append(here)
        if len(self.stored) > MAX_NUMBERS:
            raise Fault(f"these are more than the {MAX_NUMBERS} numbers that are allowed")

    def _add_dense(self, line: str) -> None:
        if not _UNUSUAL.search(line):
            try:
                raw = line.split(",") if "," in line else line.split()
                row = [convert(token) for convert, token in zip(self.converters, raw, strict=True)]
                if isfinite(sum(row)) and max(row) <= MAX_VALUE and min(row) >= -MAX_VALUE:
                    self.stored.fromlist(row)
                    return
            except (KeyError, ValueError):
                pass
        tokens = pieces(line)
        if len(tokens) == 1 and len(self.attributes) > 1:
            tokens = words(line)
        if len(tokens) != len(self.attributes):
            raise Fault(f"{count(tokens, 'value')} in this row, but {count(self.attributes, 'attribute')} declared")
        self.stored.fromlist([self._value(column, token) for column, token in enumerate(tokens)])

    def _add_sparse(self, line: str) -> None:
        if _PLAIN_PAIRS.fullmatch(line):
            flat = line[1:-1].replace(",", " ").split()
            try:
                columns = list(map(int, flat[::2]))
                row = [self.converters[column](token) for column, token in zip(columns, flat[1::2], strict=True)]
                in_order = all(map(lt, columns, columns[1:]))
                if in_order and max(row) <= MAX_VALUE and min(row) >= -MAX_VALUE:
                    self.columns.fromlist(columns)
                    self.stored.fromlist(row)
                    return
            except (KeyError, ValueError, IndexError):
                pass
        if not line.endswith("}"):
            raise Fault("the row begins with { but does not end with }")
        before = -1
        inside = line[1:-1].strip()
        for piece in pieces(inside) if inside else []:
            index, *value = piece.split(None, 1)[:2] or [""]
            if not (index.isascii() and index.isdigit() and value):
                raise Fault(f"a value of a sparse row must be written as in '3 0.5', got {shown(piece)}")
            column = int(index) if len(index) < 10 else 10**9
            if column >= len(self.attributes):
                raise Fault(f"there is no column {index[:20]}, since {count(self.attributes, 'attribute')} declared")
            if column <= before:
                raise Fault(f"the columns must increase along the row, got {column} after {before}")
            self.columns.append(column)
            self.stored.append(self._value(column, value[0]))
            before = column

    def _value(self, column: int, piece: str) -> float:
        name, places = self.attributes[column].name, self.places[column]
        if piece == "?":
            return float("nan")
        text = unquoted(piece)
        if not places:
            found = number(text)
            if not abs(found) <= MAX_VALUE:
                allowed = f"a number from -{MAX_VALUE:g} to {MAX_VALUE:g}"
                raise Fault(f"the value of {shown(name)} must be {allowed}, got {shown(text)}")
            return found
        if text not in places:
            raise Fault(f"the value {shown(text)} is not among those that {shown(name)} is declared with")
        return places[text]

    def table(self, name: str, relation: str) -> Arff:
        """Return all rows as arrays."""
        lines, stored = np.asarray(self.lines), np.asarray(self.stored)
        if not self.sparse:
            return Arff(name, relation, self.attributes, lines, stored.reshape(-1, len(self.attributes)))
        return Arff(name, relation, self.attributes, lines, stored, np.asarray(self.columns), np.asarray(self.starts))
