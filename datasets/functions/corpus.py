"""The functions of the libraries that are installed, with their docstrings; nothing is read before somebody asks."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from datasets import file_cache, home
from datasets.functions.places import DISTRIBUTIONS, PACKAGES

VERSION = 4  # of what is kept on disk; another one whenever reading gives other functions
KINDS = ("function", "class", "method", "attribute", "object")
SECONDS = 300  # after which a package that is still being read is given up

_reading = Lock()  # of two sessions that ask at the same time, one reads and the other waits


@dataclass(frozen=True)
class DocumentedFunction:
    """A public function, class, method, attribute or object of a library.

    package, module, name : such as sklearn, sklearn.svm and SVC; the name of a method is DataFrame.merge.
    kind : one of `KINDS`.
    summary : the first sentence of the docstring. body : the rest, without examples, as plain text.
    parameters : the names of the parameters that the docstring describes.
    see_also : the section "See Also" as plain text. examples : whether there are examples.
    aliases : the other public names of the same object.
    mentions : in how many other docstrings of the package it is named under "See Also" or in examples.
    """

    package: str
    module: str
    name: str
    kind: str
    summary: str
    body: str
    parameters: tuple[str, ...] = ()
    see_also: str = ""
    examples: bool = False
    aliases: tuple[str, ...] = ()
    mentions: int = 0

    @property
    def qualified(self) -> str:
        """The full name, such as sklearn.svm.SVC."""
        return f"{self.module}.{self.name}"

    @property
    def last(self) -> str:
        """The last part of the name, such as merge of DataFrame.merge."""
        return self.name.rsplit(".", 1)[-1]


def versions(packages: Iterable[str] = PACKAGES) -> dict[str, str]:
    """Return the version of each of the packages that is installed, without importing it."""
    from importlib import metadata

    found = {}
    for package in packages:
        with contextlib.suppress(metadata.PackageNotFoundError):
            found[package] = metadata.version(DISTRIBUTIONS[package])
    return found


def functions(packages: Iterable[str] = PACKAGES) -> tuple[DocumentedFunction, ...]:
    """Return the functions of these packages, package by package in the order of `PACKAGES`, sorted by full name.

    The first call reads the docstrings, each package in a process of its own, which takes some seconds. The texts
    stay in the user's cache folder until a version changes. A package that is missing or cannot be read is left out.

    Raises
    ------
    ValueError : for a package that is not one of `PACKAGES`.
    """
    chosen = tuple(packages)
    for package in chosen:
        if package not in PACKAGES:
            raise ValueError(f"packages must be among {', '.join(PACKAGES)}, got {package!r}")
    with _reading:
        return _functions(tuple(package for package in PACKAGES if package in chosen))


@lru_cache(maxsize=8)
def _functions(packages: tuple[str, ...]) -> tuple[DocumentedFunction, ...]:
    installed = versions(packages)
    names = {
        package: f"functions-{package}-{file_cache.key(VERSION, **{package: v})}" for package, v in installed.items()
    }
    kept = {package: file_cache.load(name) for package, name in names.items()}
    texts = {package: held["text"].tobytes() for package, held in kept.items() if held is not None}
    for package, content in _read([package for package in names if package not in texts]):
        texts[package] = content
        file_cache.save(names[package], {"text": np.frombuffer(content, dtype=np.uint8)})
    return tuple(_restored(row) for package in names if package in texts for row in json.loads(texts[package]))


def _read(packages: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the functions of each package that can be read, as JSON; two are read at a time."""
    if packages:
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
            for package, content in zip(packages, pool.map(partial(_read_one, folder), packages), strict=True):
                if content is not None:
                    yield package, content


def _read_one(folder: str, package: str) -> bytes | None:
    """Return the functions of a package as JSON, read in a process of its own, or None where that fails."""
    path = Path(folder) / f"{package}.json"
    places = os.pathsep.join(filter(None, (str(home.ROOT), os.environ.get("PYTHONPATH"))))
    try:
        subprocess.run(
            [sys.executable, "-W", "ignore", "-m", home.module("datasets.functions.reading"), package, str(path)],
            check=True,
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": places, "OPENBLAS_NUM_THREADS": "1"},
        )
        return path.read_bytes()
    except (OSError, subprocess.SubprocessError):
        return None


def _restored(row: list[Any]) -> DocumentedFunction:
    """Return a function from its values as JSON keeps them."""
    values: list[Any] = [tuple(value) if isinstance(value, list) else value for value in row]
    return DocumentedFunction(*values)
