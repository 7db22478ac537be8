"""LIBSVM / SVMlight files with lines `label number:value number:value …`, kept sparse."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from datasets.tables.encoding import MISSING
from datasets.tables.text_files import MAX_VALUE, blocks, lines, number, pairs_fault, shown

MAX_FEATURES = 2_000_000  # the largest feature number
MAX_STORED = 100_000_000  # stored values
_LINE = re.compile(rb"\S+\s+(qid:\S+\s+)?\d+:\S")
_LABEL_MISSING = re.compile(rb"\d+:\S")


def is_sparse(path: Path) -> bool:
    """Return whether one of the first lines has the form of a LIBSVM file."""
    return any(_LINE.match(line) for (_, line), _ in zip(lines(path), range(100), strict=False))


def parse(path: Path) -> tuple[Any, Any, Callable[[int], str]]:
    """Return features (N, d) as csr_array, labels for `classes_of`, and a function that describes where row i is.

    Raises
    ------
    ValueError : one sentence with the file's name, the line and what is wrong.
    """
    from pandas import Categorical
    from scipy.sparse import csr_array
    from sklearn.datasets import load_svmlight_file

    labels: list[str] = []
    rows: list[int] = []
    data, indices, lengths = [], [], []
    stored = 0
    for first, block in blocks(path):
        found: list[tuple[int, bytes, bytes]] = []
        for here, line in enumerate(block.split(b"\n"), start=first):
            if part := line.split(b"#", 1)[0].split(None, 1):
                found.append((here, part[0], b"".join(part[1:])))
        text = b"".join(b"0 " + pairs + b"\n" for _, _, pairs in found)
        reason = "it does not follow the format"
        try:
            x, _ = load_svmlight_file(BytesIO(text), n_features=MAX_FEATURES + 1, zero_based=True)
            good = (
                np.all(np.abs(x.data) <= MAX_VALUE)  # false for nan
                and not (x.indices == 0).any()
                and b"_" not in text
                and b"qid" not in text
            )
        except (ValueError, OverflowError) as error:
            good, reason = False, str(error)
        for here, token, pairs in found:
            fault = _label_fault(token)
            if not (good or fault):
                fault = _fault(pairs.split())
            if fault:
                raise ValueError(f"{path.name}, line {here}: {fault}")
        if not good:
            raise ValueError(f"{path.name} cannot be read from line {first} on: {reason}")
        stored += x.nnz
        if stored > MAX_STORED:
            raise ValueError(f"{path.name} has more than the {MAX_STORED} values other than 0 that are allowed")
        labels += [token.decode() for _, token, _ in found]
        rows += [here for here, _, _ in found]
        data.append(x.data)
        indices.append(x.indices.astype(np.int32) - 1)
        lengths.append(np.diff(x.indptr))
    index = np.concatenate(indices)
    if not len(index):
        raise ValueError(f"{path.name} has no features, only labels")
    starts = np.concatenate([[0], np.cumsum(np.concatenate(lengths))]).astype(np.int32)
    features = csr_array((np.concatenate(data), index, starts), shape=(len(rows), int(index.max()) + 1))
    features.eliminate_zeros()
    values = np.array([number(label) for label in labels])
    label = values if np.isfinite(values).all() else Categorical(labels)
    return features, label, lambda row: f"{path.name}, line {rows[row]}"


def _label_fault(label: bytes) -> str | None:
    try:
        word = label.decode()
    except UnicodeDecodeError:
        return "this is not UTF-8 text"
    if _LABEL_MISSING.match(label) or word.lower() in MISSING:
        return f"the line must begin with a label, got {shown(label)}"
    if "," in word:
        return f"an example can have only one label, got {shown(label)}"
    return None


def _fault(pairs: list[bytes]) -> str | None:
    for pair in pairs:
        if pair.startswith(b"qid:"):
            return f"there is a qid, got {shown(pair)}; this is a ranking file"
        if re.match(rb"[-+]?0+:", pair):
            return f"the features must be numbered from 1, got {shown(pair)}"
    return pairs_fault(pairs, 1, MAX_FEATURES)
