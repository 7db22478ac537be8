"""Parse the text of a LETOR / SVMlight ranking file into arrays."""

import re
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from datasets.base import Array
from datasets.letor.order import shuffle_documents
from datasets.letor.text import EXAMPLE, MAX_FEATURES, MAX_GRADE, line_fault, read_sizes
from datasets.limits import check_bytes
from datasets.tables.text_files import MAX_VALUE, blocks, check_lines, lines

MAX_NUMBERS = 500_000_000  # documents × features, all of which are stored
LARGE = 1 << 24  # from this many numbers on, features are float32 instead of float64
# Mistakes that scikit-learn's reader accepts: 1_0 as a number, qidx:1 as a qid.
_UNNOTICED = re.compile(rb"^[^#\n]*_|^[ \t]*[^# \t\n]+[ \t]+qid[^:\n]", re.MULTILINE)

MAX_DOCUMENTS = 10_000  # of one query


def parse(path: Path, sizes: Path | None = None, *, use_qid: bool = True) -> dict[str, Array]:
    """Return the arrays `features` (N, d), `starts` (Q + 1,), `grades` (1, N), `names` (Q,) and `notes`.

    The documents of a query are put into an order that does not depend on their grades (see `order`).

    `sizes` is the file of query sizes; it is used where the lines have no qid, or if `use_qid` is false.

    Raises
    ------
    ValueError : one sentence with the file's name, the line and what is wrong.
    """
    has_qid = _has_qid(path, sizes)
    pieces, grades, qids = _pieces(path, has_qid)
    notes = []
    first = min(1, min((int(x.indices.min()) for x in pieces if x.nnz), default=1))
    end = 1 + max((int(x.indices.max()) for x in pieces if x.nnz), default=-1)
    if end <= first:
        raise ValueError(f"{path.name} has no features; a line should look like {EXAMPLE}")
    if first == 0:
        notes.append("the features are numbered from 0")

    if sizes is not None and not (has_qid and use_qid):
        names, lengths = _sized(path, sizes, len(grades))
    else:
        names, lengths = _grouped(path, qids)

    if lengths.max() > MAX_DOCUMENTS:
        raise ValueError(
            f"query {names[lengths.argmax()]} in {path.name} has {lengths.max()} documents; "
            f"at most {MAX_DOCUMENTS} are allowed"
        )
    many = lengths > 1  # a single document cannot be ranked
    if not many.any():
        raise ValueError(f"every query in {path.name} has a single document; a ranking needs at least 2")
    if dropped := int((~many).sum()):
        notes.append(f"dropped {dropped} {'query' if dropped == 1 else 'queries'} with a single document")
    kept = np.repeat(many, lengths)
    features, grades = _dense(pieces, kept, first, end), grades[None, kept]
    starts = np.concatenate([[0], np.cumsum(lengths[many])])
    shuffle_documents(features, grades, starts)
    return {
        "features": features,
        "starts": starts,
        "grades": grades,
        "names": names[many].astype(str),
        "notes": np.array(notes, dtype=str),
    }


def _has_qid(path: Path, sizes: Path | None) -> bool:
    """Return whether the first document has a qid; raise ValueError if it has none and there is no file of sizes."""
    number, line = next(lines(path), (0, b""))
    if not line:
        raise ValueError(f"{path.name} has no documents, only blank lines or comments")
    if any(token.startswith(b"qid:") for token in line.split()[1:2]):
        return True
    if sizes is None:
        sizes_name = path.name.removesuffix(".gz") + ".query"
        missing = f"there is no qid, and no file {sizes_name} with the sizes of the queries is next to it"
        fault = line_fault(line, has_qid=False) or f"{missing}; a line should look like {EXAMPLE}"
        raise ValueError(f"{path.name}, line {number}: {fault}")
    return False


def _pieces(path: Path, has_qid: bool) -> tuple[list[Any], Array, Array]:
    """Return all rows as a list of sparse matrices, with all grades and all qids.

    The file is read block by block, because the reader's time grows with the square of the number of qids, and
    because a mistake then has to be located among few lines only.
    """
    from sklearn.datasets import load_svmlight_file  # here: it is slow to import

    check_lines(path)
    pieces, grades, qids = [], [], []
    documents = highest = 0
    for number, block in blocks(path):
        reason = "it does not follow the format"
        try:
            x, grade, qid = load_svmlight_file(
                BytesIO(block), n_features=MAX_FEATURES + 1, zero_based=True, query_id=True
            )
            good = (
                len(qid) == (len(grade) if has_qid else 0)
                and np.all((grade >= 0) & (grade <= MAX_GRADE))  # false for nan
                and np.all(np.abs(x.data) <= MAX_VALUE)
                and not _UNNOTICED.search(block)
            )
        except (ValueError, OverflowError) as error:
            good, reason = False, str(error)
        if not good:
            raise _fault(path.name, number, block, has_qid, reason)
        documents += len(grade)
        highest = max(highest, int(x.indices.max()) if x.nnz else 0)
        if documents * highest > MAX_NUMBERS:
            raise ValueError(
                f"{path.name} has {documents} documents or more with {highest} features, that is "
                f"{documents * highest} numbers; at most {MAX_NUMBERS} are allowed"
            )
        check_bytes(path.name, stored_bytes(documents * highest))
        pieces.append(x)
        grades.append(grade)
        qids.append(qid)
    return pieces, np.concatenate(grades), np.concatenate(qids)


def stored_bytes(numbers: int) -> int:
    """Return the bytes in which so many numbers are stored.

    >>> stored_bytes(1000), stored_bytes(LARGE)
    (8000, 67108864)
    """
    return numbers * (8 if numbers < LARGE else 4)


def _fault(name: str, number: int, block: bytes, has_qid: bool, reason: str) -> ValueError:
    """Return the error for the first faulty line of the block."""
    for here, line in enumerate(block.split(b"\n"), start=number):
        content = line.split(b"#", 1)[0]
        if content.strip() and (fault := line_fault(content, has_qid)):
            return ValueError(f"{name}, line {here}: {fault}")
    return ValueError(f"{name} cannot be read from line {number} on: {reason}")


def _sized(path: Path, sizes: Path, documents: int) -> tuple[Array, Array]:
    """Return names and lengths of the queries according to a file of sizes."""
    lengths = read_sizes(sizes)
    if lengths.sum() != documents:
        raise ValueError(
            f"the query sizes in {sizes.name} add up to {lengths.sum()}, but {path.name} has {documents} documents"
        )
    return np.arange(1, len(lengths) + 1), lengths


def _grouped(path: Path, qids: Array) -> tuple[Array, Array]:
    """Return names and lengths of the queries according to the documents' qids, which must not recur later."""
    begins = np.concatenate([[0], np.flatnonzero(np.diff(qids)) + 1])
    names = qids[begins]
    fresh = np.unique(names, return_index=True)[1]
    if len(fresh) < len(names):
        again = np.setdiff1d(np.arange(len(names)), fresh)[0]
        number, _ = next(islice(lines(path), int(begins[again]), None))
        raise ValueError(
            f"{path.name}, line {number}: query {names[again]} recurs after another query; "
            "the documents of a query must be adjacent, so sort the file by qid"
        )
    return names, np.diff(begins, append=len(qids))


def _dense(pieces: list[Any], kept: Array, first: int, end: int) -> Array:
    """Return the (N, d) features of the documents that are kept; empty `pieces` meanwhile to save memory."""
    shape = (int(kept.sum()), end - first)
    features = np.zeros(shape, np.float64 if shape[0] * shape[1] < LARGE else np.float32)
    row = start = 0
    while pieces:
        x = pieces.pop(0)
        chosen = x[kept[row : row + x.shape[0]]][:, first:end].astype(features.dtype)
        chosen.toarray(out=features[start : start + chosen.shape[0]])
        row, start = row + x.shape[0], start + chosen.shape[0]
    return features
