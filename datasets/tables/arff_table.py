"""The contents of an ARFF file, its attributes and rows, and their encoding as features.

Shapes: N rows, A attributes. Columns are numbered from 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from datasets.base import Array

_ROWS = 1 << 13


@dataclass(frozen=True)
class Attribute:
    """A column; `values` are the allowed values of a nominal attribute in declared order, empty if it is numeric."""

    name: str
    values: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """numeric or nominal."""
        return "nominal" if self.values else "numeric"

    @property
    def binary(self) -> bool:
        """Whether it is nominal with the values 0 and 1, so that it can serve as a number."""
        return set(self.values) == {"0", "1"}

    @property
    def width(self) -> int:
        """Number of features into which `encoded` turns it."""
        return 1 if self.binary else max(1, len(self.values))


@dataclass(frozen=True, eq=False)
class Arff:
    """The rows of an ARFF file.

    Parameters
    ----------
    name : the file's name.
    relation : the text after @relation.
    attributes : the A attributes.
    lines : (N,) line number of each row.
    stored : the numbers, (N, A) for dense rows and (nnz,) for sparse ones. A nominal value is stored as its index in
        the declaration, a missing value as nan.
    columns, starts : None for dense rows; for sparse ones the column of each stored number (nnz,) and where each row
        begins (N + 1,). Numbers that are not stored are 0, which for a nominal attribute means its first value.
    """

    name: str
    relation: str
    attributes: tuple[Attribute, ...]
    lines: Array
    stored: Array
    columns: Array | None = None
    starts: Array | None = None

    @property
    def sparse(self) -> bool:
        """Whether the rows are written as `{3 1, 7 0.5}`."""
        return self.columns is not None

    def dense(self, columns: Sequence[int]) -> Array:
        """Return some columns as (N, len(columns)) float64 numbers; a nominal value is its index in the declaration.

        All columns of dense rows are `stored` itself, not a copy.
        """
        if self.columns is None or self.starts is None:
            every = list(columns) == list(range(len(self.attributes)))
            return self.stored if every else self.stored[:, list(columns)]
        to = np.full(len(self.attributes), -1)
        to[list(columns)] = np.arange(len(columns))
        numbers = np.zeros((len(self.lines), len(columns)))
        for a in range(0, len(self.lines), _ROWS):  # some rows at a time, since the indices take memory too
            starts = self.starts[a : a + _ROWS + 1]
            part = slice(starts[0], starts[-1])
            target = to[self.columns[part]]
            chosen = target >= 0
            row = np.repeat(np.arange(a, a + len(starts) - 1), np.diff(starts))[chosen]
            numbers[row, target[chosen]] = self.stored[part][chosen]
        return numbers

    def refuse_missing(self) -> None:
        """Raise a ValueError that names line and attribute if a value is missing."""
        missing = np.isnan(self.stored)
        if not missing.any():
            return
        at = int(missing.argmax())
        if self.columns is None or self.starts is None:
            row, column = divmod(at, len(self.attributes))
        else:
            row, column = int(np.searchsorted(self.starts, at, side="right")) - 1, int(self.columns[at])
        raise ValueError(
            f"{self.name}, line {self.lines[row]}: the value of {self.attributes[column].name!r} is missing"
        )


def encoded(table: Arff, columns: Sequence[int]) -> Array:
    """Return (N, d) float64 features, with one 0/1 feature for each value of a nominal attribute.

    Numeric columns stay as they are, and a nominal attribute with the values 0 and 1 becomes a single feature.

    >>> colour, size = Attribute("colour", ("red", "green", "blue")), Attribute("size")
    >>> table = Arff("a.arff", "a", (colour, size), np.array([5, 6]), np.array([[2.0, 0.5], [0.0, 7.0]]))
    >>> encoded(table, [0, 1])
    array([[0. , 0. , 1. , 0.5],
           [1. , 0. , 0. , 7. ]])
    """
    numbers = table.dense(columns)
    chosen = [table.attributes[column] for column in columns]
    if all(attribute.kind == "numeric" for attribute in chosen):
        return numbers
    features = np.zeros((len(numbers), sum(attribute.width for attribute in chosen)))
    start = 0
    for attribute, column in zip(chosen, numbers.T, strict=True):
        if attribute.kind == "numeric":
            features[:, start] = column
        elif attribute.binary:
            features[:, start] = np.array(attribute.values, dtype=float)[column.astype(int)]
        else:
            features[np.arange(len(numbers)), start + column.astype(int)] = 1.0
        start += attribute.width
    return features
