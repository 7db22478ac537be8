"""The text of LETOR / SVMlight ranking files: reading it within limits, and finding what is wrong with it.

scikit-learn's reader does the parsing (see `letor_file`); its errors name no line and some mistakes pass it
unnoticed. Once something is known to be wrong, `line_fault` says what, given one line after the other.
All errors are `ValueError`s of one sentence that begins with the file's name (not its path).
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import IO, cast

import numpy as np

from datasets.ranking import Array

MAX_BYTES = 200_000_000  # of the file as it lies on the disk
MAX_TEXT = 1_000_000_000  # of its text, once unpacked
MAX_LINE = 1 << 25  # bytes
MAX_LINES = 1_500_000
MAX_QUERIES = 1_000_000  # in a file of query sizes
MAX_FEATURES = 3000  # the largest number of a feature; the time to fit w* grows with its third power
MAX_GRADE = 100
MAX_VALUE = 1e30  # of a feature: its square must be a number still
EXAMPLE = "'2 qid:1 1:0.5 2:0.1'"
_BLOCK, _BLOCK_LINES = 1 << 22, 1 << 13  # bytes that are read at once, lines that are parsed at once
_GZIP = b"\x1f\x8b"


def check_file(path: Path) -> None:
    """ValueError unless `path` is a file that is neither empty nor too large, and gzip if it ends in .gz."""
    name = path.name or str(path)
    try:
        if path.is_dir():
            raise ValueError(f"{name} is a folder, not a ranking file")
        if not path.is_file():
            raise ValueError(f"there is no file {name!r}")
        size = path.stat().st_size
        with path.open("rb") as file:
            start = file.read(2)
    except OSError as error:
        raise ValueError(f"{name[:80]} cannot be read: {error.strerror}") from None
    if size == 0:
        raise ValueError(f"{name} is empty")
    if size > MAX_BYTES:
        raise ValueError(f"{name} has {size / 1e6:.0f} MB; at most {MAX_BYTES / 1e6:.0f} MB are allowed")
    if path.suffix == ".gz" and start != _GZIP:
        raise ValueError(f"{name} is not a gzip file, although its name ends in .gz")


def blocks(path: Path) -> Iterator[tuple[int, bytes]]:
    """Some thousand whole lines at a time, unpacked, with the number of the first of them."""
    name = path.name
    line, total = 1, 0
    try:
        with _open(path) as file:
            while block := file.read(_BLOCK):
                rest = file.readline(MAX_LINE)
                block += rest
                total += len(block)
                if total > MAX_TEXT:
                    raise ValueError(f"{name} unpacks to more than the {MAX_TEXT / 1e6:.0f} MB that are allowed")
                if b"\0" in block:
                    here = line + block[: block.index(b"\0")].count(b"\n")
                    raise ValueError(f"{name}, line {here}: a zero byte, so this is not a text file")
                if len(rest) == MAX_LINE and not rest.endswith(b"\n"):
                    here = line + block.count(b"\n")
                    raise ValueError(f"{name}, line {here}: the line is longer than {MAX_LINE / 1e6:.0f} MB")
                block = block.removeprefix(b"\xef\xbb\xbf") if line == 1 else block
                ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n")) + 1
                if line + len(ends) > MAX_LINES:
                    raise ValueError(f"{name} has more than the {MAX_LINES} lines that are allowed")
                cuts = [0, *ends[_BLOCK_LINES - 1 :: _BLOCK_LINES].tolist(), len(block)]
                for i, (a, b) in enumerate(pairwise(cuts)):
                    if a < b:
                        yield line + i * _BLOCK_LINES, block[a:b]
                line += len(ends)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise ValueError(f"{name} is a damaged gzip file: it is cut off or was changed") from None
    except OSError as error:
        raise ValueError(f"{name} cannot be read: {error.strerror or error}") from None


def lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that are more than a comment, without it, each with its number."""
    for first, block in blocks(path):
        for number, line in enumerate(block.split(b"\n"), start=first):
            if content := line.split(b"#", 1)[0].strip():
                yield number, content


def line_fault(line: bytes, has_qid: bool) -> str | None:
    """What is wrong with a line `grade qid:N number:value …`, or None.

    >>> line_fault(b"2 qid:1 1:0.5 7:0.1", has_qid=True)
    >>> line_fault(b"2 qid:1 1:0.5 7=0.1", has_qid=True)
    "a feature must be written number:value, got '7=0.1'"
    """
    try:
        line.decode()
    except UnicodeDecodeError:
        return "this is not UTF-8 text"
    grade, *pairs = line.split()
    if not 0 <= _number(grade) <= MAX_GRADE:
        return f"the grade must be a number from 0 to {MAX_GRADE}, got {_shown(grade)}"
    if has_qid != bool(pairs and pairs[0].startswith(b"qid:")):
        if has_qid:
            return f"there is no qid, but every line needs one, as in {EXAMPLE}"
        return "there is a qid here but not in the lines before; all lines must have one or none"
    if has_qid and _whole(qid := pairs.pop(0)[4:]) is None:
        return f"the qid must be a whole number, got {_shown(qid)}"
    before = -1
    for pair in pairs:
        index, colon, value = pair.partition(b":")
        if not colon:
            return f"a feature must be written number:value, got {_shown(pair)}"
        number = _whole(index)
        if number is None or not 0 <= number <= MAX_FEATURES:
            return f"a feature's number must be a whole number from 0 to {MAX_FEATURES}, got {_shown(index)}"
        if number <= before:
            return f"the feature numbers must increase along the line, got {number} after {before}"
        if not abs(_number(value)) <= MAX_VALUE:
            allowed = f"a number from -{MAX_VALUE:g} to {MAX_VALUE:g}"
            return f"the value of feature {number} must be {allowed}, got {_shown(value)}"
        before = number
    return None


def beside(path: Path) -> Path | None:
    """The file of query sizes that lies beside a ranking file, as in rank.train.gz and rank.train.query."""
    name = path.name
    while name:
        sizes = path.with_name(name + ".query")
        if sizes.is_file():
            return sizes
        name = name.rpartition(".")[0]
    return None


def read_sizes(path: Path) -> Array:
    """(Q,) numbers of documents from a file with one number on each line."""
    check_file(path)
    sizes: list[int] = []
    for number, line in lines(path):
        size = _whole(line)
        if size is None or not 1 <= size <= MAX_BYTES:
            allowed = "a query's size must be a whole number of at least 1"
            raise ValueError(f"{path.name}, line {number}: {allowed}, got {_shown(line)}")
        if len(sizes) == MAX_QUERIES:
            raise ValueError(f"{path.name} has more than the {MAX_QUERIES} queries that are allowed")
        sizes.append(size)
    return np.array(sizes, dtype=int)


def _open(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        packed = file.read(2) == _GZIP
    return cast("IO[bytes]", gzip.open(path, "rb") if packed else path.open("rb"))


def _number(token: bytes) -> float:
    try:
        return float("nan") if b"_" in token else float(token)
    except ValueError:
        return float("nan")


def _whole(token: bytes) -> int | None:
    """The number that a token of digits, with a sign perhaps, stands for if it fits into 64 bits."""
    digits = token[1:] if token[:1] in (b"+", b"-") else token
    number = int(token) if digits.isdigit() and len(digits) <= 19 else 2**63
    return number if abs(number) < 2**63 else None


def _shown(token: bytes) -> str:
    text = token.decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= 30 else text[:30] + "…")
