"""Reads damaged files of every format that can be read, and counts what came out.

    python -m tests.attack.files                             # 40,000 files
    python -m tests.attack.files --number 2000 --seed 3 --workers 1
    python -m tests.attack.files --case 4711 --keep folder   # one of them again, its files kept

A file is right if it is read, its data being finite and of matching shapes, or refused by a ValueError of one sentence
that names the file or a parameter; within 20 s, within the stated memory, and without the guard of the readers.
"""

from __future__ import annotations

import argparse
import logging
import random
import signal
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from datasets import guard
from tests.attack.mutations import PACKED, TEXT, ZIPPED, damaged
from tests.attack.samples import Sample, pack, samples, write
from tests.attack.tally import FINE, HANG, REFUSED, Tally

NUMBER = 40_000
MEMORY = 1_000_000_000  # bytes that reading may take at its peak beyond what the process had
LONGEST = 700  # characters of a sentence
NAMES = ("a\nb", "<b>x</b>", "![x](y)", "\u202eabc", "\udcff", "n" * 200, "two words", "%s{}", "$x$")


@dataclass(frozen=True)
class Case:
    """Files with mutations."""

    number: int
    sample: Sample
    files: dict[str, bytes]  # as they lie on the disk
    opened: str  # the file in the folder whose path is read, "" for the folder
    words: str

    def __str__(self) -> str:
        return f"case {self.number}, {self.sample.name} {self.sample.packed or 'plain'}, {self.words}"


class Hang(BaseException):
    """Raised in a reader that takes too long."""


def case(number: int, seed: int = 0) -> Case:
    """Return a case, the same for the same number and seed."""
    draw = random.Random(f"{seed}/{number}")
    sample = samples()[number % len(samples())]
    files, words = dict(sample.files), []
    zipped = sample.packed not in ("", "gz")
    inner, outer = draw.choice(((True, False), (False, True), (True, True))) if sample.packed else (True, False)
    if inner:
        name = draw.choice(list(files)) if draw.random() < 0.3 else sample.opened or draw.choice(list(files))
        files[name], how = damaged(draw, files[name], TEXT if sample.text else PACKED)
        words.append(f"{name}: {how}")
    if zipped and draw.random() < 0.15:
        name = draw.choice(list(files))
        other = draw.choice(
            (f"../{name}", f"/{name}", name.upper(), name + "\n", f"\u202e/{name}", "x" * 3000 + "/" + name)
        )
        files[other] = files.pop(name)
        words.append("a member renamed")
    files = pack(files, sample.packed)
    opened = "data.zip" if zipped else sample.opened + ".gz" * (sample.packed == "gz" and sample.opened != "")
    if outer:
        name = draw.choice(list(files)) if draw.random() < 0.3 else opened
        files[name], how = damaged(draw, files[name], ZIPPED if zipped else PACKED)
        words.append(f"{name}: {how}")
    if zipped or (len(files) == 1 and sample.text and draw.random() < 0.1):
        renamed = draw.choice(NAMES) + opened if draw.random() < 0.1 else opened
        files[renamed] = files.pop(opened)
        opened = renamed
    return Case(number, sample, files, opened, "; ".join(words))


def judge(given: Case, folder: Path) -> tuple[str, str]:
    """Read the files of a case; return the outcome, and what was wrong."""
    write(folder, given.files)
    guard.reached.clear()
    _forget_peak()
    before, began = _peak(), time.perf_counter()
    try:
        with warnings.catch_warnings(), _limited():
            warnings.simplefilter("ignore", DeprecationWarning)
            warnings.simplefilter("error", RuntimeWarning)
            fault = unsound(given.sample.read(folder / given.opened))
        outcome, words = ("traceback", f"read, but {fault}") if fault else (FINE, "")
    except Hang:
        return "hang", f"more than {HANG:g} s"
    except ValueError as error:
        fault = unclear(str(error), given)
        outcome, words = ("not one sentence", f"{fault}: {str(error)[:300]!r}") if fault else (REFUSED, "")
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        outcome, words = (
            "traceback",
            f"{type(error).__name__}: {str(error)[:200]!r} in {Path(at.filename).name}:{at.lineno}",
        )
    if guard.reached:
        return "guard reached", ", ".join(guard.reached)
    if (seconds := time.perf_counter() - began) > HANG:
        return "hang", f"{seconds:.0f} s"
    if (peak := _peak() - before) > MEMORY:
        return "over memory", f"{peak / 1e6:.0f} MB"
    return outcome, words


def unclear(sentence: str, given: Case) -> str:
    """Return why a refusal is not one clear sentence, or "".

    >>> unclear("a.svm, line 3: this is not UTF-8 text", case(5)), unclear("could not convert string", case(5))
    ('', 'names neither the file nor a parameter')
    """
    if len(sentence.splitlines()) != 1 or not sentence.isprintable():
        return "several lines, or letters that cannot be shown"
    if len(sentence) > LONGEST:
        return "too long"
    if "Traceback" in sentence or "<class" in sentence or " object at 0x" in sentence:
        return "speaks of the program"
    # a name is cut where it is long; parts of the data are named as they lie in a folder or an archive
    known = {*given.files, *given.sample.files}
    names = {part for name in known for part in (name, Path(name).name)} | {
        "S1.txt", "Fold", "openml", "movielens", "query ",
    }  # fmt: skip
    shown = [guard.printable(name)[-60:][:40].lower() for name in names]
    first = sentence.split(" ", 1)[0]
    parameters = ("features", "training", "known", "label", "labels", "path", "fold", "every", "the", "no")
    return (
        ""
        if first in parameters or any(name in sentence.lower() for name in shown)
        else "names neither the file nor a parameter"
    )


def unsound(data: Any) -> str:
    """Return what is wrong with data that were read, or "": numbers that are not finite, names that are no texts."""
    for field in fields(data):
        value = getattr(data, field.name)
        numbers = getattr(value, "data", value) if field.name == "features" else value
        if isinstance(numbers, np.ndarray) and numbers.dtype.kind == "f" and not np.isfinite(numbers).all():
            return f"{field.name} are not all finite"
    count = len(data.starts) - 1 if hasattr(data, "starts") else data.features.shape[0]
    if count < 1 or 0 in data.features.shape:
        return "there are no data"
    if hasattr(data, "labels") and len(data.labels) != count:
        return f"{len(data.labels)} labels for {count} examples"
    names = getattr(data, "names", ())
    return "" if all(isinstance(name, str) and name.strip() for name in names) else "a class has no name"


def cases(number: int = NUMBER, seed: int = 0, part: int = 0, parts: int = 1) -> Iterator[Case]:
    """Yield the cases from 0 to `number`, or every `parts`-th of them."""
    for i in range(part, number, parts):
        yield case(i, seed)


def run(number: int, seed: int, part: int = 0, parts: int = 1) -> tuple[Tally, Counter[str]]:
    """Judge cases in this process; return the tally, and how many files of each reader were read."""
    logging.getLogger("datasets.guard").setLevel(logging.CRITICAL)
    tally, read = Tally("files"), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        for given in cases(number, seed, part, parts):
            outcome, words = judge(given, Path(folder, "case"))
            tally.add(given, outcome, words)
            read[f"{given.sample.read.__name__}: {outcome}"] += 1
    return tally, read


def campaign(seed: int = 0, workers: int = 1, number: int = NUMBER) -> Tally:
    """Read all files, in some processes."""
    tally, read = Tally("files"), Counter[str]()
    for found, counts in Parallel(workers)(delayed(run)(number, seed, part, workers) for part in range(workers)):
        tally.join(found)
        read.update(counts)
    for words, count in sorted(read.items()):
        print(f"{words:40} {count:7,}")
    return tally


@contextmanager
def _limited() -> Iterator[None]:
    """End what takes much longer than is allowed, where the system can."""

    def stop(*_: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, HANG)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


_STATUS, _FORGET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def _forget_peak() -> None:
    """Let the system measure the peak of the memory anew; only Linux can."""
    if _can_forget():
        _FORGET.write_text("5")


@lru_cache(maxsize=1)
def _can_forget() -> bool:
    try:
        _FORGET.write_text("5")
    except OSError:
        return False
    return True


def _peak() -> int:
    """Return the most memory in bytes that this process has had, since `_forget_peak` where that is possible."""
    if _can_forget():
        return next(int(line.split()[1]) << 10 for line in _STATUS.read_text().split("\n") if line.startswith("VmHWM"))
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def main() -> int:
    """Read the files and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=NUMBER)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--case", type=int, help="read this case alone")
    parser.add_argument("--keep", type=Path, help="a new folder that keeps the files of this case")
    given = parser.parse_args()
    if given.case is not None:
        one = case(given.case, given.seed)
        print(one, *judge(one, given.keep or Path(tempfile.mkdtemp(), "case")), sep="\n")
        return 0
    tally = campaign(given.seed, given.workers, given.number)
    print(tally.row())
    return int(tally.faults > 0)


if __name__ == "__main__":  # by its name, so that other processes find what is defined here
    from tests.attack import files as module

    raise SystemExit(module.main())
