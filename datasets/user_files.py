"""Find the files in a folder of your own data that may hold data of a given family."""

import gzip
import os
import re
import zlib
from pathlib import Path

from datasets.guard import printable
from datasets.letor.parts import leads
from datasets.parameters import shown

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
_IDX = re.compile(r".*images[-.]idx3-ubyte(\.gz)?", re.IGNORECASE)  # as the site of MNIST names them
_MOVIELENS = re.compile(r"ml-.*\.zip", re.IGNORECASE)  # as GroupLens names its files
_DEPTH, _ENTRIES, _FILES = 5, 20_000, 500  # limits: folder levels and files examined, files returned
_LINE = {
    "ranking": re.compile(rb"\s*[0-9.]+(\s+qid:\d+)?(\s+\d+:\S+)+"),
    "classification": re.compile(
        rb"\s*\S+(\s+\d+:\S+)+|\s*[-+.\deE]+((\s*[,;]\s*|\s+)[-+.\deE]+)+((\s*[,;]\s*|\s+)[\w.-]+)?\s*$"
    ),
    "multilabel": re.compile(rb"\s*\d+(,\d+)+(\s+\d+:\S+)+"),  # several labels; with one it is a classification file
    "movies": re.compile(rb"\d+(\t|::)\d+(\t|::)[1-5](\t|::)\d+\s*$"),
}


def find_files(folder: Path, family: str = "ranking") -> list[Path]:
    """Return the files in the folder and below that may hold data of a family, sorted.

    Files are recognised by suffix or by their first line that is no comment:

    - ranking: .svm, .svmlight, .libsvm, .letor, .train, .test, .vali; by first line .txt, .dat and no suffix;
    - classification: .svm, .svmlight, .libsvm, .csv, .tsv, .data, .tra, .tes, .arff; by first line also .txt, .dat,
      .train, .test and no suffix; the pictures of MNIST by their name;
    - multilabel: .arff; by first line, which must have several labels, also .svm, .svmlight, .libsvm, .txt, .dat,
      .train, .test and no suffix;
    - movies: zip files that begin with ml-; by first line .data and .dat with ratings;
    - folds: one file stands for a data set with folds, namely a zip file, the first training file, or S1.txt.

    All but movies may be gzip files ending in .gz. Hidden files and linked folders are skipped, as are files more than
    five folders deep and all files after the first 500.

    Raises
    ------
    ValueError : if the folder is no path, or the family has no files.
    """
    try:
        if b"\0" in os.fsencode(folder):
            raise ValueError
    except (TypeError, ValueError):  # neither a text nor a path, or one that no file system can have
        raise ValueError(f"folder must be the path of a folder, got {printable(shown(folder))}") from None
    if not isinstance(family, str) or family not in (*_ALWAYS, "folds"):
        raise ValueError(f"family must be one of {', '.join((*_ALWAYS, 'folds'))}, got {shown(family)}")
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
            always |= family == "classification" and bool(_IDX.fullmatch(name))
            if always or (suffix in _IF_IT_LOOKS_SO[family] and _looks_so(path, _LINE[family])):
                found.append(path)
    return sorted(found)


def _looks_so(path: Path, pattern: re.Pattern[bytes]) -> bool:
    """Return whether the first line that is no comment matches the pattern."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            start = file.read(1 << 14).removeprefix(b"\xef\xbb\xbf")
    except (OSError, EOFError, zlib.error):
        return False
    documents = (line for line in start.split(b"\n") if line.split(b"#")[0].strip())
    return bool(pattern.match(next(documents, b"")))
