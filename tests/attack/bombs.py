"""Small files that grow when they are read: each is made in a folder, and reading it must stay within the limits.

Source of the cases: what an attack on the readers of tables found (memory of many times the file, minutes of work).
"""

from __future__ import annotations

import gzip
import struct
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from datasets.limits import PEAK_MB, READ_SECONDS
from tests.attack import memory
from tests.attack.tally import FINE, REFUSED, Tally, count

MB = 1_000_000
BOMBS: dict[str, tuple[str, Callable[[Path], Path]]] = {}
"""By name: the reader, one of `memory.READERS`, and the function that writes the file into a folder."""


def bomb(reader: str) -> Callable[[Callable[[Path], Path]], Callable[[Path], Path]]:
    """Register a function that writes a file for a reader."""

    def register(write: Callable[[Path], Path]) -> Callable[[Path], Path]:
        BOMBS[write.__name__] = reader, write
        return write

    return register


def packed(path: Path, parts: Iterator[bytes] | list[bytes]) -> Path:
    """Write a gzip file; many short parts are written together."""
    with gzip.open(path, "wb", compresslevel=1) as file:
        held: list[bytes] = []
        for part in parts:
            held.append(part)
            if len(held) == 1000:
                file.write(b"".join(held))
                held.clear()
        file.write(b"".join(held))
    return path


@bomb("multilabel")
def label_name_of_20_mb(folder: Path) -> Path:
    """Return a MEKA file whose first label has a name of 20 MB."""
    head = b"@relation 'a: -C 20'\n@attribute " + b"a" * 20 * MB + b" {0,1}\n"
    rest = b"".join(b"@attribute b%d {0,1}\n" % i for i in range(19)) + b"@attribute x numeric\n@data\n"
    return packed(folder / "name.arff.gz", [head, rest, b"0," * 20 + b"1\n"])


@bomb("multilabel")
def label_name_of_5_mb(folder: Path) -> Path:
    """Return a MEKA file whose first label has a name that a line can just hold."""
    head = b"@relation 'a: -C 1'\n@attribute " + b"a" * 5 * MB + b" {0,1}\n@attribute x real\n@data\n"
    return packed(folder / "name.arff.gz", [head, b"0,1\n"])


@bomb("classification")
def table_of_166000_rows_of_3000(folder: Path) -> Path:
    """Return a table of half a billion numbers."""
    path = folder / "wide.csv.gz"
    path.write_bytes(166 * gzip.compress((b"0," * 3000 + b"a\n") * 1000, 1))  # the same part again and again
    return path


@bomb("multilabel")
def few_numbers_that_spread(folder: Path) -> Path:
    """Return a file of 50 kB with one number in each row, of 990 features."""
    return packed(folder / "spread.svm.gz", [b"1 990:1\n"] * 100_000)


@bomb("multilabel")
def sparse_rows_that_spread(folder: Path) -> Path:
    """Return a sparse ARFF file of 1000 attributes whose 90,000 rows have one number each."""
    head = b"@relation 'a: -C 1'\n@attribute l {0,1}\n" + b"".join(b"@attribute a%d real\n" % i for i in range(999))
    return packed(folder / "spread.arff.gz", [head, b"@data\n", *[b"{5 1}\n"] * 90_000])


@bomb("classification")
def words_that_become_features(folder: Path) -> Path:
    """Return an ARFF file of 60 attributes with 200 values each, which become 12,000 features."""
    values = ",".join(f"v{i}" for i in range(200)).encode()
    head = b"@relation a\n" + b"".join(b"@attribute a%d {%s}\n" % (i, values) for i in range(60))
    return packed(
        folder / "words.arff.gz",
        [head, b"@attribute c {x,y}\n@data\n", *[b"v7," * 60 + b"x\n", b"v3," * 60 + b"y\n"] * 5000],
    )


@bomb("classification")
def columns_of_words(folder: Path) -> Path:
    """Return a table of 40 million words of a letter."""
    rows = [b"a," * 79 + b"x\n", b"b," * 79 + b"y\n"]
    return packed(folder / "letters.csv.gz", rows * 250_000)


@bomb("classification")
def words_that_never_recur(folder: Path) -> Path:
    """Return a table of 6 million words, all different."""
    rows = (b",".join(b"w%x" % (i * 60 + j) for j in range(60)) + b",%c\n" % (120 + i % 2) for i in range(100_000))
    return packed(folder / "different.csv.gz", rows)


@bomb("classification")
def labels_that_never_recur(folder: Path) -> Path:
    """Return a sparse file of 1.4 million examples, each of its own class."""
    return packed(folder / "classes.svm.gz", (b"%s%x 1:1\n" % (b"c" * 180, i) for i in range(1_400_000)))


@bomb("classification")
def sparse_numbers(folder: Path) -> Path:
    """Return a sparse file of 90 million numbers."""
    row = b"1 " + b" ".join(b"%d:1" % i for i in range(1, 901)) + b"\n"
    return packed(folder / "sparse.svm.gz", [row, row.replace(b"1 ", b"2 ", 1)] * 50_000)


@bomb("classification")
def sparse_numbers_that_are_allowed(folder: Path) -> Path:
    """Return a sparse file of 40 million numbers, which are just allowed."""
    row = b"1 " + b" ".join(b"%d:1" % i for i in range(1, 401)) + b"\n"
    return packed(folder / "allowed.svm.gz", [row, row.replace(b"1 ", b"2 ", 1)] * 50_000)


@bomb("classification")
def numbers_that_are_allowed(folder: Path) -> Path:
    """Return a table of 100 MB, of 50 million numbers."""
    return packed(folder / "allowed.csv.gz", [b"1,0," * 500 + b"a\n", b"0,1," * 500 + b"b\n"] * 25_000)


@bomb("classification")
def attributes_without_end(folder: Path) -> Path:
    """Return an ARFF file of 1.4 million attributes."""
    return packed(folder / "attributes.arff.gz", (b"@attribute a%d real\n" % i for i in range(1_400_000)))


@bomb("classification")
def dense_arff(folder: Path) -> Path:
    """Return an ARFF file of 100 MB with 50 million numbers."""
    head = (
        b"@relation a\n" + b"".join(b"@attribute a%d real\n" % i for i in range(1000)) + b"@attribute c {x,y}\n@data\n"
    )
    return packed(folder / "dense.arff.gz", [head, *[b"1," * 1000 + b"x\n", b"2," * 1000 + b"y\n"] * 25_000])


@bomb("classification")
def line_of_100_mb(folder: Path) -> Path:
    """Return a table of a single line."""
    return packed(folder / "line.csv.gz", [b"12," * 33 * MB])


@bomb("multilabel")
def sparse_line_of_8_mb(folder: Path) -> Path:
    """Return a file of a single line of two million pairs."""
    return packed(folder / "pairs.svm.gz", [b"1 " + b" ".join(b"%d:1" % i for i in range(1, 900_000)) + b"\n"])


@bomb("multilabel")
def labels_of_every_row(folder: Path) -> Path:
    """Return a file whose rows have all 1000 labels."""
    return packed(folder / "labels.svm.gz", [b",".join(b"%d" % i for i in range(1, 1001)) + b" 1:1\n"] * 50_000)


@bomb("classification")
def pictures_of_a_pixel(folder: Path) -> Path:
    """Return a file of 90 million pictures, each of one pixel, with its labels."""
    packed(folder / "x-labels-idx1-ubyte.gz", [bytes([0, 0, 8, 1]) + struct.pack(">I", 90 * MB), bytes(90 * MB)])
    head = bytes([0, 0, 8, 3]) + struct.pack(">III", 90 * MB, 1, 1)
    return packed(folder / "x-images-idx3-ubyte.gz", [head, bytes(90 * MB)])


@bomb("classification")
def pictures_that_are_allowed(folder: Path) -> Path:
    """Return 100,000 pictures of 28 × 28 pixels, that is 78 MB."""
    n = 100_000
    packed(folder / "y-labels-idx1-ubyte.gz", [bytes([0, 0, 8, 1]) + struct.pack(">I", n), bytes([1, 2]) * (n // 2)])
    head = bytes([0, 0, 8, 3]) + struct.pack(">III", n, 28, 28)
    return packed(folder / "y-images-idx3-ubyte.gz", [head, bytes([9]) * 784 * n])


def judge(name: str) -> tuple[str, str]:
    """Read a bomb in a process of its own; return its outcome, and what it took."""
    reader, write = BOMBS[name]
    with tempfile.TemporaryDirectory() as folder:
        took = memory.read(reader, write(Path(folder)), timeout=20 * READ_SECONDS)
    words = f"{took.peak_mb:.0f} MB, {took.cpu:.1f} s of a core ({took.seconds:.0f} s), {took.outcome} {took.words}"
    print(f"{name}: {words}", flush=True)
    if took.outcome not in ("read", "refused"):
        return ("hang" if took.outcome == "hang" else "traceback"), words
    if took.peak_mb > PEAK_MB or took.cpu > READ_SECONDS:
        return ("over memory" if took.peak_mb > PEAK_MB else "hang"), words
    return (FINE if took.outcome == "read" else REFUSED if took.one_sentence else "not one sentence"), words


def campaign(seed: int = 0, workers: int = 1) -> Tally:
    """Read all bombs, one after another, so that their memory is their own; they depend on no seed."""
    return count("bombs", BOMBS, judge)


if __name__ == "__main__":
    tally = campaign()
    print(tally.row())
    raise SystemExit(int(tally.faults > 0))
