"""What an ARFF file says, once it is read: attributes and rows, and how they become features.

Shapes: N rows, A attributes. Columns are numbered from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from datasets.base import Array


@dataclass(frozen=True)
class Attribute:
    """A column: the values that a nominal one may have, in the order of their declaration, or none if it is numeric."""

    name: str
    values: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """numeric or nominal."""
        return "nominal" if self.values else "numeric"

    @property
    def binary(self) -> bool:
        """Whether it is nominal with the values 0 and 1, so that its values are numbers all the same."""
        return set(self.values) == {"0", "1"}

    @property
    def width(self) -> int:
        """Number of features that `encoded` makes of it."""
        return 1 if self.binary else max(1, len(self.values))


@dataclass(frozen=True, eq=False)
class Arff:
    """The rows of an ARFF file.

    Parameters
    ----------
    name : the file's name.
    relation : what @relation says.
    attributes : A of them.
    lines : (N,) number of the line in which a row stands.
    stored : numbers; of a nominal attribute the place of the value in the declaration; nan where a value is missing.
        (N, A) of dense rows, (nnz,) of sparse ones.
    columns, starts : None of dense rows; of sparse ones the column of each stored number (nnz,), and where the rows
        begin (N + 1,). What is not stored is 0, which for a nominal attribute is its first value.
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
        """(N, len(columns)) float64 numbers of some columns; a nominal value is its place in the declaration."""
        if self.columns is None or self.starts is None:
            return self.stored[:, list(columns)]
        to = np.full(len(self.attributes), -1)
        to[list(columns)] = np.arange(len(columns))
        target = to[self.columns]
        chosen = target >= 0
        row = np.repeat(np.arange(len(self.lines)), np.diff(self.starts))[chosen]
        numbers = np.zeros((len(self.lines), len(columns)))
        numbers[row, target[chosen]] = self.stored[chosen]
        return numbers

    def refuse_missing(self) -> None:
        """ValueError that names line and attribute if a value is missing."""
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
    """(N, d) float64 features: numeric columns as they are, a nominal one as one 0/1 feature for each of its values.

    A nominal attribute whose values are 0 and 1 stays one feature.

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
