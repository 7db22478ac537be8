"""A small cache of arrays on disk, so that a file parsed once opens faster the next time.

The cache lies in the user's cache folder, has a bounded size and never causes an error: a broken entry counts as
missing, and nothing is cached where the disk cannot be written to.
"""

import contextlib
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

from datasets.base import Array
from datasets.disk import home, prune, whole
from datasets.variables import DISK_MB

T = TypeVar("T")

KEPT_FILES = 20
SHARE = 2 / 3  # of the disk space


def folder() -> Path:
    """Return the folder of the cache; it need not exist yet."""
    return home("datasets")


def key(version: int, *files: Path | None, **options: bool | str) -> str:
    """Return the cache key of the arrays parsed from these files' contents with these options.

    Raises
    ------
    OSError : if a file cannot be read.

    >>> key(1, None) == key(1, None), key(1, None) == key(2, None)
    (True, False)
    """
    digest = hashlib.blake2b(f"{version} {options}".encode(), digest_size=16)
    for path in files:
        content = b""
        if path is not None:
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "blake2b").digest()
        digest.update(b"|" + content)
    return digest.hexdigest()


def load(name: str) -> dict[str, Array] | None:
    """Return the arrays stored under this name, or None."""
    path = folder() / f"{name}.npz"
    try:
        with np.load(path, allow_pickle=False) as arrays:
            found = dict(arrays)
    except Exception:  # a missing, truncated or overwritten file can raise anything; the entry is then rebuilt
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # `prune` keeps the most recently used entries
    return found


def save(name: str, arrays: dict[str, Array]) -> None:
    """Store the arrays under this name if possible; a reader never sees a partly written file."""
    with contextlib.suppress(OSError):  # disk full, no permission or no home folder: nothing is cached
        with whole(folder() / f"{name}.npz") as file:
            np.savez(file, allow_pickle=False, **arrays)
        prune(folder(), (".npz",), KEPT_FILES, SHARE * DISK_MB.value * 1e6)


def through(name: str | None, parse: Callable[[], dict[str, Array]], restore: Callable[[dict[str, Array]], T]) -> T:
    """Return what `restore` makes of the arrays stored under this name, or else of those of `parse`, which are stored.

    name : None to store nothing. `restore` may change the arrays.
    """
    if name is not None and (arrays := load(name)) is not None:
        with contextlib.suppress(KeyError, ValueError, IndexError):  # the entry does not come from `parse`
            return restore(arrays)
    arrays = parse()
    if name is not None:
        save(name, arrays)
    return restore(arrays)
