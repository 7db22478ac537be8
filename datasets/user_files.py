"""The folder of a person's own data, and which files in it may hold data of a family."""

from __future__ import annotations

import gzip
import os
import re
import zlib
from pathlib import Path

from datasets.letor.parts import leads

_SVMLIGHT = {".svm", ".svmlight", ".libsvm"}
_ALWAYS = {
    "ranking": _SVMLIGHT | {".letor", ".train", ".test", ".vali"},
    "classification": _SVMLIGHT | {".csv", ".tsv", ".data", ".tra", ".tes", ".arff"},
    "multilabel": {".arff"},
    "movies": set(),
}
_IF_IT_LOOKS_SO = {
    "ranking": {".txt", ".dat", ""},
    "classification": {".txt", ".dat", "", ".train", ".test"},
    "multilabel": _SVMLIGHT | {".txt", ".dat", "", ".train", ".test"},
    "movies": {".data", ".dat"},
}
_MOVIELENS = re.compile(r"ml-.*\.zip", re.IGNORECASE)  # as GroupLens names its files
_DEPTH, _ENTRIES, _FILES = 5, 20_000, 500  # what is looked at and listed at most
_LINE = {
    "ranking": re.compile(rb"\s*[0-9.]+(\s+qid:\d+)?(\s+\d+:\S+)+"),
    "classification": re.compile(
        rb"\s*\S+(\s+\d+:\S+)+|\s*[-+.\deE]+((\s*[,;]\s*|\s+)[-+.\deE]+)+((\s*[,;]\s*|\s+)[\w.-]+)?\s*$"
    ),
    "multilabel": re.compile(rb"\s*\d+(,\d+)+(\s+\d+:\S+)+"),  # several labels: else it is a classification file
    "movies": re.compile(rb"\d+(\t|::)\d+(\t|::)[1-5](\t|::)\d+\s*$"),
}


def find_files(folder: Path, family: str = "ranking") -> list[Path]:
    """Files in the folder and below that may hold data of a family, sorted.

    Ranking files go by their names (.svm, .svmlight, .libsvm, .letor, .train, .test, .vali) or, for .txt, .dat
    and names without a suffix, by their first line; classification files likewise (.svm, .svmlight, .libsvm,
    .csv, .tsv, .data, .tra, .tes, .arff; by the first line also .train and .test); multilabel files are .arff and
    those whose first line has several labels. Files of movies are .data and .dat with ratings in their first line, and
    zip files that begin with ml-. Each also with .gz, but for movies. Data with folds (family "folds") are named by one
    file: a zip file, the first training file, or S1.txt. Hidden files and linked folders are left out, and
    so is what lies deeper than five folders or comes after the first 500 files.
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
            if family == "folds":
                found += [path] if leads(path) else []
                continue
            movies = family == "movies"
            if movies and path.suffix == ".gz":
                continue
            always = bool(_MOVIELENS.fullmatch(name)) if movies else suffix in _ALWAYS[family]
            if always or (suffix in _IF_IT_LOOKS_SO[family] and _looks_so(path, _LINE[family])):
                found.append(path)
    return sorted(found)


def _looks_so(path: Path, pattern: re.Pattern[bytes]) -> bool:
    """Whether the first line that is no comment is one of such a file."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            start = file.read(1 << 14).removeprefix(b"\xef\xbb\xbf")
    except (OSError, EOFError, zlib.error):
        return False
    documents = (line for line in start.split(b"\n") if line.split(b"#")[0].strip())
    return bool(pattern.match(next(documents, b"")))
