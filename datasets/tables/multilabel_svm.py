"""Multilabel files in SVMlight's format, with lines `1,3,7 4:0.5 9:1` of label numbers and features."""

from array import array
from pathlib import Path
from typing import Any

import numpy as np

from datasets.base import Array
from datasets.limits import check_bytes, check_peak
from datasets.multilabel import MAX_LABELS
from datasets.tables.arff import MAX_NUMBERS
from datasets.tables.multilabel_arff import check_size
from datasets.tables.sparse_text import read_pairs
from datasets.tables.text_files import blocks, check_lines, pairs_fault, shown, whole

EXAMPLE = "'1,3,7 4:0.5 9:1'"
_LABELS = 1 << 20  # labels that are spread at a time
_MAX_LABEL = 2**31 - 1  # the largest label number


def parse_svm(path: Path, count: int = 0) -> dict[str, Array]:
    """Return the arrays `features` (N, d), `labels` (N, K) and `names` (K,), the numbers of the labels.

    If `count` is 0, the labels are those that occur; otherwise 1 to `count`, or 0 to `count` − 1 if a 0 occurs.

    Raises
    ------
    ValueError : one sentence with the file's name, the line and what is wrong.
    """
    places, on, on_rows = array("q"), array("i"), array("i")  # the line of each row; labels that are on, and their rows
    distinct: set[int] = set()
    pieces: list[Any] = []
    highest = stored = 0
    check_lines(path)
    for first, block in blocks(path):
        numbered = enumerate((line.split(b"#", 1)[0].strip() for line in block.split(b"\n")), start=first)
        rows = [(here, line, *_split(line)) for here, line in numbered if line]
        x, reason = read_pairs([pairs for *_, pairs in rows], MAX_NUMBERS)
        for here, line, numbers, pairs in rows:
            if fault := _fault(line, numbers, pairs.split() if x is None else []):
                raise ValueError(f"{path.name}, line {here}: {fault}")
            own = sorted(set(map(int, numbers)))
            distinct.update(own)
            on.fromlist(own)
            on_rows.fromlist([len(places)] * len(own))
            places.append(here)
            if len(distinct) > MAX_LABELS and not count:
                check_size(path.name, len(places), highest, len(distinct))
        if x is None:
            raise ValueError(f"{path.name} cannot be read from line {first} on: {reason}")
        pieces.append(x)
        stored, highest = stored + x.nnz, max(highest, int(x.indices.max(initial=0)))
        check_size(path.name, len(places), highest, 0, " or more")
        check_bytes(path.name, 8 * len(places) * highest)
        check_peak(path.name, 16 * len(on) + 20 * stored + 8 * len(places) * highest)
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
    check_peak(path.name, 16 * len(on) + 20 * stored + n * (8 * highest + len(known)))
    features, labels = np.zeros((n, highest)), np.zeros((n, len(known)), dtype=bool)
    end = 0
    for x in pieces:
        x[:, 1 : highest + 1].toarray(out=features[end : end + x.shape[0]])
        end += x.shape[0]
    for a in range(0, len(found), _LABELS):
        labels[np.asarray(on_rows[a : a + _LABELS]), np.searchsorted(known, found[a : a + _LABELS])] = True
    return {"features": features, "labels": labels, "names": known.astype(str)}


def _split(line: bytes) -> tuple[list[bytes], bytes]:
    """Return the labels and the pairs of a line; one that begins with a pair has no labels."""
    labels, *pairs = line.split(None, 1)
    return ([], line) if b":" in labels else (labels.split(b","), b"".join(pairs))


def _fault(line: bytes, numbers: list[bytes], pairs: list[bytes]) -> str | None:
    """Return what is wrong with the labels or the pairs of a line, or None.

    >>> _fault(b"1,3 4:0.5", [b"1", b"3"], [b"4:0.5"]), _fault(b"4:0.5", [], [b"4:0.5"]), _fault(b"1", [b"1"], [])
    (None, None, None)
    >>> _fault(b"1,x 4:0.5", [b"1", b"x"], [])
    "a label must be a whole number of at least 0, as in '1,3,7 4:0.5 9:1', got 'x'"
    """
    try:
        line.decode()
    except UnicodeDecodeError:
        return "this is not UTF-8 text"
    for token in numbers:
        if not token.isdigit() or len(token) > 10 or int(token) > _MAX_LABEL:
            return f"a label must be a whole number of at least 0, as in {EXAMPLE}, got {shown(token)}"
    if pairs and whole(pairs[0].partition(b":")[0]) == 0:
        return f"features are numbered from 1, as in {EXAMPLE}, got {shown(pairs[0])}"
    return pairs_fault(pairs, 1, MAX_NUMBERS)
