"""The folder of a person's own data, and which files in it may be ranking files."""

from __future__ import annotations

import gzip
import os
import re
import zlib
from pathlib import Path

_ALWAYS = {".svm", ".svmlight", ".libsvm", ".letor", ".train", ".test", ".vali"}
_IF_IT_LOOKS_SO = {".txt", ".dat", ""}
_DEPTH, _ENTRIES, _FILES = 5, 20_000, 500  # what is looked at and listed at most
_LINE = re.compile(rb"\s*[0-9.]+(\s+qid:\d+)?(\s+\d+:\S+)+")


def data_folder() -> Path | None:
    """The folder that the environment variable FEEDBACK_LAB_DATA names, or None if it is not set.

    Raises
    ------
    ValueError : where it is set to something that is not a folder.
    """
    named = os.environ.get("FEEDBACK_LAB_DATA", "").strip()
    if not named:
        return None
    folder = Path(named)
    if not folder.is_dir():
        raise ValueError(f"FEEDBACK_LAB_DATA must name a folder, got {named}")
    return folder


def file_in(folder: Path, name: str) -> Path:
    """The file of that name in the folder or below, for names that cannot be trusted, such as from a URL.

    Raises
    ------
    ValueError : for a name that leads out of the folder, or to no file.

    >>> file_in(Path("."), "../secret.txt")
    Traceback (most recent call last):
    ValueError: there is no file '../secret.txt' in the data folder
    """
    try:
        path = (folder / name).resolve()
        inside = path.is_relative_to(folder.resolve()) and path.is_file()
    except (OSError, ValueError, RuntimeError):
        inside = False
    if not inside:
        shown = name if len(name) <= 80 else name[:80] + "…"
        raise ValueError(f"there is no file {shown!r} in the data folder")
    return path


def find_files(folder: Path) -> list[Path]:
    """Files in the folder and below that may be ranking files, sorted.

    By their names (.svm, .svmlight, .libsvm, .letor, .train, .test, .vali) or, for .txt, .dat and names
    without a suffix, by their first line; each also with .gz. Hidden files and linked folders are left out,
    and so is what lies deeper than five folders or comes after the first 500 files.
    """
    found: list[Path] = []
    seen = 0
    for here, folders, names in os.walk(folder):
        depth = len(Path(here).relative_to(folder).parts)
        folders[:] = sorted(f for f in folders if not f.startswith(".")) if depth < _DEPTH else []
        for name in sorted(names):
            seen += 1
            if seen > _ENTRIES or len(found) == _FILES:
                return sorted(found)
            path = Path(here, name)
            suffix = Path(name.removesuffix(".gz")).suffix.lower()
            if name.startswith(".") or not path.is_file():
                continue
            if suffix in _ALWAYS or (suffix in _IF_IT_LOOKS_SO and _looks_so(path)):
                found.append(path)
    return sorted(found)


def _looks_so(path: Path) -> bool:
    """Whether the first line that is no comment is one of a ranking file."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            start = file.read(1 << 14).removeprefix(b"\xef\xbb\xbf")
    except (OSError, EOFError, zlib.error):
        return False
    documents = (line for line in start.split(b"\n") if line.split(b"#")[0].strip())
    return bool(_LINE.match(next(documents, b"")))
