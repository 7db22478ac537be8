"""LIBSVM / SVMlight files with lines `label number:value number:value …`, kept sparse."""

import re
from array import array
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from datasets.limits import MAX_NAME, MAX_NAMES, check_bytes, name
from datasets.tables.encoding import MISSING, beyond_floats, whole_name
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

    examples, most = _count(path)
    data, index = np.empty(most), np.empty(most, dtype=np.int32)
    starts, rows = np.zeros(examples + 1, dtype=np.int64), np.empty(examples, dtype=np.int64)
    words: dict[str, int] = {}  # the distinct labels and their numbers
    codes = array("i")
    stored = n = 0
    for first, block in blocks(path):
        found: list[tuple[int, bytes, bytes]] = []
        for here, line in enumerate(block.split(b"\n"), start=first):
            if part := line.split(b"#", 1)[0].split(None, 1):
                if len(part[0]) > MAX_NAME:
                    name(path.name, here, part[0].decode("utf-8", "replace"), "label")
                found.append((here, part[0], b"".join(part[1:])))
        x, reason = read_pairs([pairs for _, _, pairs in found], MAX_FEATURES)
        for here, token, pairs in found:
            fault = _label_fault(token)
            if x is None and not fault:
                fault = _fault(pairs.split())
            if fault:
                raise ValueError(f"{path.name}, line {here}: {fault}")
        if x is None:
            raise ValueError(f"{path.name} cannot be read from line {first} on: {reason}")
        data[stored : stored + x.nnz] = x.data
        index[stored : stored + x.nnz] = x.indices - 1
        starts[n + 1 : n + 1 + len(found)] = stored + x.indptr[1:]
        rows[n : n + len(found)] = [here for here, _, _ in found]
        stored, n = stored + x.nnz, n + len(found)
        codes.extend(words.setdefault(token.decode(), len(words)) for _, token, _ in found)
        if len(words) > MAX_NAMES:
            break  # too many classes, or numbers to be predicted, which `classes_of` tells
    if not stored:
        raise ValueError(f"{path.name} has no features, only labels")
    data, index, starts = data[:stored], index[:stored], starts[: n + 1].astype(np.int32)
    features = csr_array((data, index, starts), shape=(n, int(index.max()) + 1))
    features.eliminate_zeros()
    values, names = np.array([number(word) for word in words]), [*words]
    exact = np.isfinite(values).all()
    if exact and beyond_floats(values):
        names, exact = [whole_name(word) for word in words], False
    label = values[np.asarray(codes)] if exact else Categorical(np.array(names, dtype=object)[np.asarray(codes)])
    return features, label, lambda row: f"{path.name}, line {rows[row]}"


def read_pairs(lines: list[bytes], last: int) -> tuple[Any, str]:
    """Return the pairs `number:value` of some lines as a matrix, or None and a reason; numbers go from 1 to `last`."""
    from sklearn.datasets import load_svmlight_file

    text = b"".join(b"0 " + line + b"\n" for line in lines)
    try:
        x, _ = load_svmlight_file(BytesIO(text), n_features=last + 1, zero_based=True)
    except (ValueError, OverflowError) as error:
        return None, str(error)
    good = np.all(np.abs(x.data) <= MAX_VALUE) and (x.indices != 0).all()  # false for nan
    unnoticed = b"_" in text or b"qid" in text  # mistakes that the reader accepts
    return (x if good and not unnoticed else None), "it does not follow the format"


def _count(path: Path) -> tuple[int, int]:
    """Return the most examples and values that a file can hold; raise ValueError if they need too much memory."""
    examples = values = 0
    for _, block in blocks(path):
        examples, values = examples + block.count(b"\n") + 1, values + block.count(b":")
        if values > MAX_STORED:
            raise ValueError(f"{path.name} has more than the {MAX_STORED} values other than 0 that are allowed")
        check_bytes(path.name, 12 * values)
    return examples, values


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
