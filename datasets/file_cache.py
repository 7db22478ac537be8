"""A small cache of arrays on disk, so that a file that was parsed once opens fast the next time.

It lies in the user's cache folder, is bounded, and never stands in the way: a broken entry counts as
missing, and a disk that cannot be written to only means that nothing is remembered.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

import numpy as np

from datasets.base import Array

KEPT_FILES = 20
KEPT_BYTES = 4_000_000_000


def folder() -> Path:
    """Where the entries lie; it need not exist yet."""
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("feedback-lab", appauthor=False)) / "datasets"


def key(version: int, *files: Path | None, **options: bool | str) -> str:
    """The name under which what was made of the files' contents with these options is kept.

    Raises
    ------
    OSError : where a file cannot be read.

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
    """The arrays kept under this name, or None."""
    path = folder() / f"{name}.npz"
    try:
        with np.load(path, allow_pickle=False) as arrays:
            found = dict(arrays)
    except Exception:  # whatever a missing, cut or overwritten file leads to: it is made anew
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # the entries used last are the ones that stay
    return found


def save(name: str, arrays: dict[str, Array]) -> None:
    """Keep the arrays under this name if that is possible; a reader never meets half a file."""
    try:
        folder().mkdir(parents=True, exist_ok=True)
        handle, unfinished = tempfile.mkstemp(suffix=".tmp", dir=folder())
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez(file, allow_pickle=False, **arrays)
            os.replace(unfinished, folder() / f"{name}.npz")
        except BaseException:
            os.unlink(unfinished)
            raise
        _prune()
    except OSError:  # no room, no right to write, no home: nothing is remembered then
        return


def _prune() -> None:
    """Delete all but the newest entries, up to `KEPT_FILES` of them and `KEPT_BYTES` in total."""
    entries = [(path.stat(), path) for path in folder().glob("*.npz")]
    total = 0
    entries.sort(key=lambda entry: entry[0].st_mtime_ns, reverse=True)
    for count, (stat, path) in enumerate(entries, start=1):
        total += stat.st_size
        if count > KEPT_FILES or total > KEPT_BYTES:
            path.unlink(missing_ok=True)
