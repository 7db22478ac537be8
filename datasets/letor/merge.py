"""Merge the files of ranking data with folds into one set of arrays that holds every query once."""

import re
from collections.abc import Sequence

import numpy as np

from datasets.base import Array
from datasets.letor.parse import LARGE, MAX_NUMBERS, parse, stored_bytes
from datasets.letor.parts import PartSource
from datasets.limits import check_bytes
from datasets.tables.text_files import blocks

_QID = re.compile(rb"^[^#\n]*?[ \t]qid:([+-]?\d{1,19})(?!\d)", re.MULTILINE)
_FROM_0 = "the features are numbered from 0"
_NAMES = ("training", "validation", "test")


def merged(files: PartSource) -> dict[str, Array]:
    """Return the arrays of `parse` for all queries, and `folds` (F, Q).

    An entry of `folds` is 0 for a training query, 1 for validation, 2 for test, and −1 for none of them.

    Raises
    ------
    ValueError : for a query in two parts or with two roles in a fold, for a fold without training or test queries,
        and for folds that do not hold the queries and documents of the first one.
    """
    layout = files.layout
    stored = layout.files if layout.kind == "parts" else [file for part in layout.folds[0] for file in part]
    found = parsed(files, stored)
    notes = []
    owner: dict[str, str] = {}
    again = next((q for name in stored for q in found[name]["names"] if owner.setdefault(q, name) != name), None)
    if again is not None and layout.kind == "single":
        notes.append("each file numbers its queries by itself, so equal numbers mean different queries")
        for word, files_of in zip(("train", "validation", "test"), layout.folds[0], strict=True):
            for name in files_of:
                found[name]["names"] = np.array([f"{word} {q}" for q in found[name]["names"]])
    elif again is not None:
        both = " and in ".join(name for name in stored if again in found[name]["names"])
        raise ValueError(f"query {again} is in {both}; the parts must hold different queries, told apart by their qid")
    whole = together(found)
    at = {name: i for i, name in enumerate(whole["names"].tolist())}
    rows = []
    for number, fold in enumerate(layout.folds):
        row = np.full(len(at), -1, dtype=np.int8)
        for role, part in enumerate(fold):
            for name in part:
                mine = found[name]["names"].tolist() if name in found else _queries(files, name, whole, at)
                where = np.array([at[q] for q in mine], dtype=int)
                taken = where[row[where] >= 0]
                if len(taken):
                    other = _NAMES[int(row[taken[0]])]
                    raise ValueError(f"query {whole['names'][taken[0]]} in {name} is also a {other} query of that fold")
                row[where] = role
        for role in (0, 2):
            if not (row == role).any():
                raise ValueError(f"fold {number + 1} has no {_NAMES[role]} query with two documents or more")
        rows.append(row)
    if any(not fold[1] for fold in layout.folds):
        notes.append("there is no validation file, so no query validates")
    whole["notes"] = np.array([*whole["notes"].tolist(), *notes], dtype=str)
    return whole | {"folds": np.array(rows)}


def parsed(files: PartSource, names: Sequence[str]) -> dict[str, dict[str, Array]]:
    """Return the arrays of `parse` of some files by name, unless they are too large together."""
    found: dict[str, dict[str, Array]] = {}
    for name in names:
        with files.open(name) as (path, sizes):
            found[name] = parse(path, sizes)
        check_bytes("all files together", sum(part["features"].nbytes for part in found.values()))
    return found


def together(parsed: dict[str, dict[str, Array]]) -> dict[str, Array]:
    """Concatenate the arrays of several files; the result has as many features as the widest file."""
    parts = list(parsed.values())
    from_0 = [_FROM_0 in part["notes"].tolist() for part in parts]
    before = [any(from_0) and not zero for zero in from_0]  # whether to insert a column 0 that the file lacks
    d = max(part["features"].shape[1] + front for part, front in zip(parts, before, strict=True))
    ends = np.cumsum([len(part["features"]) for part in parts])
    if ends[-1] * d > MAX_NUMBERS:
        raise ValueError(f"the files have {ends[-1] * d} numbers together; at most {MAX_NUMBERS} are allowed")
    check_bytes("all files together", stored_bytes(int(ends[-1]) * d))
    features = np.zeros((int(ends[-1]), d), np.float64 if ends[-1] * d < LARGE else np.float32)
    for part, front, end in zip(parts, before, ends, strict=True):
        x = part.pop("features")
        features[end - len(x) : end, int(front) : int(front) + x.shape[1]] = x
    lengths = np.concatenate([np.diff(part["starts"]) for part in parts])
    notes = [f"{name}: {n}" for name, part in parsed.items() for n in part["notes"].tolist() if n != _FROM_0]
    return {
        "features": features,
        "starts": np.concatenate([[0], np.cumsum(lengths)]),
        "grades": np.concatenate([part["grades"] for part in parts], axis=1),
        "names": np.concatenate([part["names"] for part in parts]),
        "notes": np.array([_FROM_0] * any(from_0) + notes, dtype=str),
    }


def _queries(files: PartSource, name: str, whole: dict[str, Array], at: dict[str, int]) -> list[str]:
    """Return the qids in a file whose documents are already stored, without queries of a single document."""
    with files.open(name) as (path, _):
        qids = np.array([int(q) for _, block in blocks(path) for q in _QID.findall(block)], dtype=object)
    if not len(qids):
        raise ValueError(f"{name} has no qid, by which its queries could be found in the first fold")
    begins = np.concatenate([[0], np.flatnonzero(qids[1:] != qids[:-1]) + 1])
    lengths = np.diff(begins, append=len(qids))
    found, stored = [], np.diff(whole["starts"])
    for qid, length in zip(qids[begins].tolist(), lengths.tolist(), strict=True):
        if length < 2:
            continue
        if str(qid) not in at:
            raise ValueError(f"query {qid} in {name} is not in the first fold, which must hold all queries")
        if length != stored[at[str(qid)]]:
            there = f"{stored[at[str(qid)]]} in the first fold"
            raise ValueError(f"query {qid} has {length} documents in {name}, but {there}")
        found.append(str(qid))
    return found
