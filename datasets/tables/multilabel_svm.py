"""Multilabel files in SVMlight's format, with lines `1,3,7 4:0.5 9:1` of label numbers and features."""

from __future__ import annotations

import re
from array import array
from operator import lt
from pathlib import Path

import numpy as np

from datasets.base import Array
from datasets.limits import check_bytes, check_peak
from datasets.multilabel import MAX_LABELS
from datasets.tables.arff import MAX_NUMBERS
from datasets.tables.multilabel_arff import check_size
from datasets.tables.text_files import MAX_VALUE, check_lines, lines, pairs_fault, shown, whole

EXAMPLE = "'1,3,7 4:0.5 9:1'"
_LABEL = re.compile(rb"[0-9]{1,9}")
_PLAIN = re.compile(rb"(?:[0-9]++:[-+.0-9eE]++ ?+)*+")  # pairs that can be parsed the fast way
_ROWS, _LABELS = 1 << 13, 1 << 20  # rows and labels that are spread at a time
_MAX_LABEL = 2**31 - 1  # the largest label number


def parse_svm(path: Path, count: int = 0) -> dict[str, Array]:
    """Return the arrays `features` (N, d), `labels` (N, K) and `names` (K,), the numbers of the labels.

    If `count` is 0, the labels are those that occur; otherwise 1 to `count`, or 0 to `count` − 1 if a 0 occurs.

    Raises
    ------
    ValueError : one sentence with the file's name, the line and what is wrong.
    """
    # the line of each row; the labels that are on, and their rows
    places, on, on_rows = array("q"), array("i"), array("i")
    distinct: set[int] = set()
    columns, values, ends = array("i"), array("d"), array("q", [0])
    highest = 0
    check_lines(path)
    for here, line in lines(path):
        read = _read(line)
        if isinstance(read, str):
            raise ValueError(f"{path.name}, line {here}: {read}")
        numbers, indices, row = read
        numbers = sorted(set(numbers))
        if len(distinct) <= MAX_LABELS:
            distinct.update(numbers)
        if len(distinct) > MAX_LABELS and not count:
            check_size(path.name, len(places), highest, len(distinct))
        on.fromlist(numbers)
        on_rows.fromlist([len(places)] * len(numbers))
        columns.fromlist(indices)
        values.fromlist(row)
        ends.append(len(columns))
        places.append(here)
        highest = max(highest, indices[-1] if indices else 0)
        check_size(path.name, len(places), highest, 0, " or more")
        check_bytes(path.name, 8 * len(places) * highest)
        check_peak(path.name, 16 * len(on) + 20 * len(columns) + 8 * len(places) * highest)
    if not places:
        raise ValueError(f"{path.name} has no examples, only blank lines or comments")
    if not highest:
        raise ValueError(f"{path.name} has no features; a line should look like {EXAMPLE}")
    if not on:
        raise ValueError(f"{path.name} has no labels; a line should look like {EXAMPLE}")
    n, found = len(places), np.asarray(on)
    known = np.unique(found)
    if count:
        first = 0 if known[0] == 0 else 1
        if known[-1] >= first + count:
            at = int((found >= first + count).argmax())
            only = f"{count} labels from {first} to {first + count - 1} (labels)"
            raise ValueError(f"{path.name}, line {places[on_rows[at]]}: the label {found[at]} is none of {only}")
        known = np.arange(first, first + count)
    check_size(path.name, n, highest, len(known))
    check_bytes(path.name, n * (8 * highest + len(known)))
    check_peak(path.name, 16 * len(on) + 20 * len(columns) + n * (8 * highest + len(known)))
    features, labels = np.zeros((n, highest)), np.zeros((n, len(known)), dtype=bool)
    starts, index, stored = np.asarray(ends), np.asarray(columns), np.asarray(values)
    for a in range(0, n, _ROWS):
        part = slice(starts[a], starts[min(a + _ROWS, n)])
        rows = np.repeat(np.arange(a, min(a + _ROWS, n)), np.diff(starts[a : a + _ROWS + 1]))
        features[rows, index[part] - 1] = stored[part]
    for a in range(0, len(found), _LABELS):
        labels[np.asarray(on_rows[a : a + _LABELS]), np.searchsorted(known, found[a : a + _LABELS])] = True
    return {"features": features, "labels": labels, "names": known.astype(str)}


def _read(line: bytes) -> tuple[list[int], list[int], list[float]] | str:
    """Return labels, feature numbers and values of a line, or what is wrong with it."""
    numbers, pairs = _split(line)
    flat = b" ".join(pairs)
    if not (_PLAIN.fullmatch(flat) and all(map(_LABEL.fullmatch, numbers))) and (fault := _fault(line)):
        return fault
    tokens = flat.replace(b":", b" ").split()
    try:
        labels, indices, row = list(map(int, numbers)), list(map(int, tokens[::2])), list(map(float, tokens[1::2]))
        in_order = all(map(lt, indices, indices[1:])) and (not row or 1 <= indices[0] <= indices[-1] <= MAX_NUMBERS)
        if in_order and (not row or (max(row) <= MAX_VALUE and min(row) >= -MAX_VALUE)):
            return labels, indices, row
    except ValueError:
        pass
    return _fault(line) or "it does not follow the format"


def _split(line: bytes) -> tuple[list[bytes], list[bytes]]:
    """Split a line into labels and pairs; a line that begins with a pair has no labels."""
    tokens = line.split()
    return ([], tokens) if b":" in tokens[0] else (tokens[0].split(b","), tokens[1:])


def _fault(line: bytes) -> str | None:
    """Return what is wrong with a line, or None.

    >>> _fault(b"1,3 4:0.5 9:1"), _fault(b"4:0.5"), _fault(b"1,3")
    (None, None, None)
    >>> _fault(b"1,x 4:0.5")
    "a label must be a whole number of at least 0, as in '1,3,7 4:0.5 9:1', got 'x'"
    """
    try:
        line.decode()
    except UnicodeDecodeError:
        return "this is not UTF-8 text"
    numbers, pairs = _split(line)
    for token in numbers:
        if not token.isdigit() or len(token) > 10 or int(token) > _MAX_LABEL:
            return f"a label must be a whole number of at least 0, as in {EXAMPLE}, got {shown(token)}"
    if pairs and whole(pairs[0].partition(b":")[0]) == 0:
        return f"features are numbered from 1, as in {EXAMPLE}, got {shown(pairs[0])}"
    return pairs_fault(pairs, 1, MAX_NUMBERS)
