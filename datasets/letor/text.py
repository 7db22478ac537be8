"""The text of LETOR / SVMlight ranking files: limits, query sizes, and precise error messages.

scikit-learn's reader does the parsing (see `parse`), but its errors name no line and some mistakes escape it.
Once a block is known to be faulty, `line_fault` finds the fault line by line.
Every error is a `ValueError` of one sentence that begins with the file's name (not its path).
"""

from pathlib import Path

import numpy as np

from datasets.base import Array
from datasets.tables.text_files import MAX_BYTES, check_file, lines, number, pairs_fault, shown, whole

MAX_QUERIES = 1_000_000  # in a file of query sizes
MAX_FEATURES = 3000  # the largest feature number; the time to fit w* grows with its cube
MAX_GRADE = 100
EXAMPLE = "'2 qid:1 1:0.5 2:0.1'"


def line_fault(line: bytes, has_qid: bool) -> str | None:
    """Return what is wrong with a line `grade qid:N number:value …`, or None.

    >>> line_fault(b"2 qid:1 1:0.5 7:0.1", has_qid=True)
    >>> line_fault(b"2 qid:1 1:0.5 7=0.1", has_qid=True)
    "a feature must be written number:value, got '7=0.1'"
    """
    try:
        line.decode()
    except UnicodeDecodeError:
        return "this is not UTF-8 text"
    grade, *pairs = line.split()
    if not 0 <= number(grade) <= MAX_GRADE:
        return f"the grade must be a number from 0 to {MAX_GRADE}, got {shown(grade)}"
    if has_qid != bool(pairs and pairs[0].startswith(b"qid:")):
        if has_qid:
            return f"there is no qid, but every line needs one, as in {EXAMPLE}"
        return "there is a qid here but not in the previous lines; all lines must have one or none"
    if has_qid and whole(qid := pairs.pop(0)[4:]) is None:
        return f"the qid must be a whole number, got {shown(qid)}"
    return pairs_fault(pairs, 0, MAX_FEATURES)


def beside(path: Path) -> Path | None:
    """Return the file of query sizes next to a ranking file, as in rank.train.gz and rank.train.query, or None."""
    name = path.name
    while name:
        sizes = path.with_name(name + ".query")
        if sizes.is_file():
            return sizes
        name = name.rpartition(".")[0]
    return None


def read_sizes(path: Path) -> Array:
    """Return the (Q,) numbers of documents from a file with one number per line."""
    check_file(path)
    sizes: list[int] = []
    for here, line in lines(path):
        size = whole(line)
        if size is None or not 1 <= size <= MAX_BYTES:
            allowed = "a query's size must be a whole number of at least 1"
            raise ValueError(f"{path.name}, line {here}: {allowed}, got {shown(line)}")
        if len(sizes) == MAX_QUERIES:
            raise ValueError(f"{path.name} has more than the {MAX_QUERIES} queries that are allowed")
        sizes.append(size)
    return np.array(sizes, dtype=int)
