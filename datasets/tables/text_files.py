"""Read text files within limits, plain or gzip, block by block.

Every error is a `ValueError` of one sentence that begins with the file's name (not its path).
"""

import gzip
import zlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import IO, cast

import numpy as np

MAX_BYTES = 200_000_000  # of the file on disk
MAX_TEXT = 1_000_000_000  # bytes of the unpacked text
MAX_LINE = 1 << 23  # bytes
MAX_LINES = 1_500_000
MAX_VALUE = 1e30  # of a feature, so that sums of squares do not overflow
_BLOCK, _BLOCK_LINES = 1 << 22, 1 << 13  # bytes read at a time, lines parsed at a time
_GZIP = b"\x1f\x8b"


def check_file(path: Path, what: str = "ranking file") -> None:
    """Raise ValueError unless `path` is a file that is neither empty nor too large, and gzip if it ends in .gz."""
    name = path.name or str(path)
    try:
        if path.is_dir():
            raise ValueError(f"{name} is a folder, not a {what}")
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


def check_lines(path: Path) -> None:
    """Raise ValueError for too many lines; to count them takes far less time than to parse those that are allowed.

    Other faults of the file are left to its reader.
    """
    ends = total = 0
    try:
        with _open(path) as file:
            while total <= MAX_TEXT and (block := file.read(_BLOCK)):
                ends, total = ends + block.count(b"\n"), total + len(block)
                if ends >= MAX_LINES:
                    raise ValueError(f"{path.name} has more than the {MAX_LINES} lines that are allowed")
    except (EOFError, zlib.error, OSError):
        return


def blocks(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield blocks of some thousand whole lines, unpacked, each with the number of its first line."""
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
    """Yield the number and text of each line, without comments and blank lines."""
    for first, block in blocks(path):
        for number, line in enumerate(block.split(b"\n"), start=first):
            if content := line.split(b"#", 1)[0].strip():
                yield number, content


def pairs_fault(pairs: list[bytes], first: int, last: int) -> str | None:
    """Return what is wrong with the pairs `number:value` of a line, or None; numbers go from `first` to `last`.

    >>> pairs_fault([b"1:0.5", b"7=0.1"], 1, 9)
    "a feature must be written number:value, got '7=0.1'"
    """
    before = -1
    for pair in pairs:
        index, colon, value = pair.partition(b":")
        if not colon:
            return f"a feature must be written number:value, got {shown(pair)}"
        found = whole(index)
        if found is None or not first <= found <= last:
            return f"a feature's number must be a whole number from {first} to {last}, got {shown(index)}"
        if found <= before:
            return f"the feature numbers must increase along the line, got {found} after {before}"
        if not abs(number(value)) <= MAX_VALUE:
            allowed = f"a number from -{MAX_VALUE:g} to {MAX_VALUE:g}"
            return f"the value of feature {found} must be {allowed}, got {shown(value)}"
        before = found
    return None


def _open(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        packed = file.read(2) == _GZIP
    return cast("IO[bytes]", gzip.open(path, "rb") if packed else path.open("rb"))


def number(token: bytes | str) -> float:
    """Return the number that a token represents, or nan."""
    try:
        return float("nan") if "_" in str(token) else float(token)
    except ValueError:
        return float("nan")


def whole(token: bytes) -> int | None:
    """Return the integer that a token of digits with an optional sign represents, or None beyond 64 bits."""
    digits = token[1:] if token[:1] in (b"+", b"-") else token
    number = int(token) if digits.isdigit() and len(digits) <= 19 else 2**63
    return number if abs(number) < 2**63 else None


def shown(token: bytes) -> str:
    """Return the token as it appears in an error message, truncated if it is long."""
    text = token[:200].decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= 30 else text[:30] + "…")
