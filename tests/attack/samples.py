"""Small files in every format that can be read, made here, and how each is read."""

from __future__ import annotations

import gzip
import io
import os
import random
import shutil
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import datasets
from datasets import file_cache
from datasets.letor import file as letor_file
from datasets.letor import folds as letor_folds
from datasets.letor.parts import leads
from datasets.movies.files import MovieLensFile, RatedMoviesFile
from datasets.movies.text import GENRES_100K
from datasets.tables import classification_file, multilabel_file, packing

METHODS = {
    "stored": zipfile.ZIP_STORED,
    "deflate": zipfile.ZIP_DEFLATED,
    "bzip2": zipfile.ZIP_BZIP2,
    "lzma": zipfile.ZIP_LZMA,
}


@dataclass(frozen=True)
class Sample:
    """Files of one data set by their names in a folder; `opened` is the one whose path is read ("" for the folder).

    packed : "" for files as they are, "gz" for each in gzip, or a method of zip for all in one archive.
    text : whether the content is text, so that mutations of text make sense.
    """

    name: str
    read: Callable[[Path], Any]
    files: dict[str, bytes]
    opened: str
    packed: str = ""
    text: bool = True


def classification(path: Path) -> Any:
    """Read classification data, and the words on its label column."""
    classification_file.label_words(path)
    return classification_file.read(path, cached=False)


def multilabel(path: Path) -> Any:
    """Read multilabel data."""
    return multilabel_file.read(path, cached=False)


def ranking(path: Path) -> Any:
    """Read a ranking file."""
    return letor_file.read(path, cached=False)


def folds(path: Path) -> Any:
    """Read ranking data with folds, after the question whether the file leads any."""
    leads(path)
    return letor_folds.read(path, cached=False)


def movies(path: Path) -> Any:
    """Read ratings, for one movie at a time."""
    return MovieLensFile(path=str(path), features=2).build()


def rated(path: Path) -> Any:
    """Read ratings, to rank each user's movies."""
    return RatedMoviesFile(path=str(path), training=3, known=2).build()


def downloaded(path: Path) -> Any:
    """Read the stored copy of a download, whose folder is that of the file."""
    os.environ["FEEDBACK_LAB_DOWNLOADS"] = str(path.parent)
    try:
        if path.name.startswith("openml"):
            made = datasets.classes()["openml"].make(name="letter")
        else:
            made = datasets.classes()["movielens"].make(features=2)
        made.size()
        return made.build()
    finally:
        del os.environ["FEEDBACK_LAB_DOWNLOADS"]


def cached(path: Path) -> Any:
    """Read a file whose entry in the cache is the given one; the data must be those of the file."""
    before = file_cache.folder
    source = path.with_name("source.csv")
    source.write_bytes(TABLE)
    file_cache.folder = lambda: path.parent
    try:
        name = file_cache.key(classification_file._VERSION, source, classification=True, label="")
        os.replace(path, path.with_name(f"{name}.npz"))
        data = classification_file.read(source)
    finally:
        file_cache.folder = before
    fresh = classification_file.read(source, cached=False)
    assert np.array_equal(data.features, fresh.features) and data.names == fresh.names, "the cache gave other data"
    return data


def _rows(seed: int, rows: int, columns: int) -> list[list[str]]:
    draw = random.Random(seed)
    return [[f"{draw.uniform(-3, 9):.2f}" for _ in range(columns)] for _ in range(rows)]


def _table(mark: str, header: bool, decimal: str = ".", words: bool = True) -> bytes:
    rows = [
        [*row, *(["red", "green"][i % 2 : i % 2 + 1] if words else []), f"c{i % 3}"]
        for i, row in enumerate(_rows(1, 24, 3))
    ]
    rows = [[v.replace(".", decimal) for v in row] for row in rows]
    names = ["weight", "height", "width", *(["colour"] if words else []), "class"]
    return "\n".join(mark.join(row) for row in ([names] * header + rows)).encode() + b"\n"


TABLE = _table(",", True)


def _sparse(label: Callable[[int], str], rows: int = 24) -> bytes:
    draw = random.Random(2)
    found = []
    for i in range(rows):
        numbers = sorted(draw.sample(range(1, 9), 3))
        found.append(" ".join([label(i), *(f"{n}:{draw.uniform(0, 2):.2f}" for n in numbers)]))
    return "\n".join(found).encode() + b"\n"


def _arff(sparse: bool, relation: str = "fruit", labels: int = 0) -> bytes:
    head = [f"@relation '{relation}'", "@attribute weight numeric", "@attribute 'the colour' {red,'dark green'}"]
    head += [f"@attribute label{k} {{0,1}}" for k in range(labels)] or ["@attribute kind {apple,cherry}"]
    rows = []
    for i, (weight,) in enumerate(_rows(3, 16, 1)):
        own = [weight, ("red", "'dark green'")[i % 2]]
        own += [str(i >> k & 1) for k in range(labels)] or [("apple", "cherry")[i // 2 % 2]]
        rows.append("{" + ", ".join(f"{c} {v}" for c, v in enumerate(own)) + "}" if sparse else ",".join(own))
    return "\n".join([*head, "@data", *rows]).encode() + b"\n"


def _idx() -> dict[str, bytes]:
    draw = np.random.default_rng(4)
    pixels = draw.integers(0, 256, (20, 3, 3), dtype=np.uint8)
    labels = (np.arange(20) % 3).astype(np.uint8)
    head = [bytes([0, 0, 8, a.ndim]) + np.array(a.shape, ">u4").tobytes() for a in (pixels, labels)]
    return {
        "train-images-idx3-ubyte": head[0] + pixels.tobytes(),
        "train-labels-idx1-ubyte": head[1] + labels.tobytes(),
    }


def _letor(queries: range, qid: bool = True) -> bytes:
    lines = [
        _sparse(lambda i, q=q: f"{i % 3} qid:{q}" if qid else str(i % 3), 4).decode() + f"# docid = {q}\n"
        for q in queries
    ]
    return "".join(lines).encode()


def _movielens(tabs: bool) -> dict[str, bytes]:
    draw = random.Random(5)
    mark = "\t" if tabs else "::"
    stars = [
        mark.join(map(str, (user, movie, draw.randint(1, 5), 880_000_000 + movie)))
        for user in range(1, 11)
        for movie in sorted(draw.sample(range(1, 13), 8))
    ]
    titles = []
    for movie in range(1, 13):
        title = f"Film {movie} ({1980 + movie})"
        flags = "|".join(str(int(k == movie % len(GENRES_100K))) for k in range(len(GENRES_100K)))
        titles.append(f"{movie}|{title}|01-Jan-1995||http|{flags}" if tabs else f"{movie}::{title}::Drama|Comedy")
    names = ("u.data", "u.item") if tabs else ("ratings.dat", "movies.dat")
    return {name: "\n".join(rows).encode() + b"\n" for name, rows in zip(names, (stars, titles), strict=True)}


def _npz(arrays: dict[str, Any]) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def _stored() -> dict[str, bytes]:
    draw = np.random.default_rng(6)
    packed = packing.pack(draw.random((12, 3)), np.arange(12) % 2, ("no", "yes"), ())
    user, movie = np.repeat(np.arange(10), 6), np.tile(np.arange(6), 10)
    ratings = {
        "table": np.stack([user, movie, 1 + (user * movie) % 5]).astype(np.int32),
        "names": np.array([f"Film {m} (1990)" for m in range(6)]),
        "user_names": np.array([f"user {u}" for u in range(10)]),
        "size": np.array([10, 6, 60]),
    }
    return {"openml-letter-1.npz": _npz(packed), "movielens-ml-100k.npz": _npz(ratings)}


@lru_cache(maxsize=1)
def samples() -> list[Sample]:
    """Return the files of every format."""
    xml = b'<labels xmlns="http://mulan.sourceforge.net/labels"><label name="label0"/><label name="label1"/></labels>\n'
    roles = ("train", "vali", "test")
    zipped = {
        f"Fold{k}/{role}.txt": _letor(range(1 + (k + i) % 3 * 3, 4 + (k + i) % 3 * 3))
        for k in (1, 2)
        for i, role in enumerate(roles)
    }
    parts = {f"S{k}.txt": _letor(range(2 * k, 2 * k + 2)) for k in range(1, 6)}
    split = {
        "rank.train": _letor(range(3), qid=False), "rank.train.query": b"4\n4\n4\n",
        "rank.test": _letor(range(2), qid=False), "rank.test.query": b"4\n4\n",
    }  # fmt: skip
    old, new = _movielens(True), _movielens(False)
    stored = _stored()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "source.csv")
        source.write_bytes(TABLE)
        entry = _npz(classification_file._parse(source, "", False))
    made = [
        Sample("table", classification, {"fruit.csv": TABLE}, "fruit.csv"),
        Sample("table, no header", classification, {"a.tsv": _table("\t", False, words=False)}, "a.tsv"),
        Sample("table, decimal comma", classification, {"a.csv": _table(";", True, ",")}, "a.csv"),
        Sample("table, blanks", classification, {"a.data": _table(" ", False)}, "a.data"),
        Sample("table", classification, {"fruit.csv": TABLE}, "fruit.csv", "gz"),
        Sample("LIBSVM", classification, {"a.svm": _sparse(lambda i: str(i % 3))}, "a.svm"),
        Sample("LIBSVM", classification, {"a.svm": _sparse(lambda i: f"c{i % 3}")}, "a.svm", "gz"),
        Sample("ARFF", classification, {"a.arff": _arff(False)}, "a.arff"),
        Sample("ARFF, sparse", classification, {"a.arff": _arff(True)}, "a.arff"),
        Sample("MNIST", classification, _idx(), "train-images-idx3-ubyte", text=False),
        Sample("MNIST", classification, _idx(), "train-labels-idx1-ubyte", "gz", text=False),
        Sample("Mulan", multilabel, {"a.arff": _arff(False, labels=2), "a.xml": xml}, "a.arff"),
        Sample("MEKA", multilabel, {"a.arff": _arff(True, "x: -C -2", 2)}, "a.arff"),
        Sample("MEKA", multilabel, {"a.arff": _arff(False, "x: -C -3", 3)}, "a.arff", "gz"),
        Sample("SVMlight, labels", multilabel, {"a.svm": _sparse(lambda i: f"{i % 3},{3 + i % 2}")}, "a.svm"),
        Sample("LETOR", ranking, {"a.txt": _letor(range(5))}, "a.txt"),
        Sample("LETOR", ranking, {"a.txt": _letor(range(5))}, "a.txt", "gz"),
        Sample("LightGBM", ranking, {"a.train": _letor(range(3), qid=False), "a.train.query": b"4\n4\n4\n"}, "a.train"),
        Sample("folds", folds, zipped, ""),
        *(Sample("folds", folds, zipped, "", method) for method in METHODS),
        Sample("parts", folds, parts, "S1.txt"),
        Sample("parts", folds, parts, "", "deflate"),
        Sample("split", folds, split, "rank.train"),
        *(Sample("MovieLens 100K", movies, old, "", method) for method in ("", *METHODS)),
        *(Sample("MovieLens 1M", movies, new, "", method) for method in ("deflate", "lzma")),
        Sample("rated, 100K", rated, old, "u.data"),
        Sample("rated, 1M", rated, new, "", "bzip2"),
        *(Sample(f"stored {name}", downloaded, {name: data}, name, text=False) for name, data in stored.items()),
        Sample("cache", cached, {"entry.npz": entry}, "entry.npz", text=False),
    ]
    return made


def pack(files: dict[str, bytes], packed: str) -> dict[str, bytes]:
    """Return files as they lie on the disk: as they are, each in gzip, or all in one zip file."""
    if packed == "":
        return files
    if packed == "gz":
        return {f"{name}.gz": gzip.compress(data, 1, mtime=0) for name, data in files.items()}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", METHODS[packed]) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, METHODS[packed])
    return {"data.zip": file.getvalue()}


def write(folder: Path, files: dict[str, bytes]) -> None:
    """Write files into an emptied folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
