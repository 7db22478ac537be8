"""A small cache of arrays on disk, so that a file parsed once opens faster the next time.

The cache lies in the user's cache folder, has a bounded size and never causes an error: a broken entry counts as
missing, and nothing is cached where the disk cannot be written to.
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
    """Return the folder of the cache; it need not exist yet."""
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("feedback-lab", appauthor=False)) / "datasets"


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
        os.utime(path)  # `_prune` keeps the most recently used entries
    return found


def save(name: str, arrays: dict[str, Array]) -> None:
    """Store the arrays under this name if possible; a reader never sees a partly written file."""
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
    except OSError:  # disk full, no permission or no home folder: nothing is cached
        return


def _prune() -> None:
    """Delete all but the most recently used entries: at most `KEPT_FILES` files and `KEPT_BYTES` in total stay."""
    entries = [(path.stat(), path) for path in folder().glob("*.npz")]
    total = 0
    entries.sort(key=lambda entry: entry[0].st_mtime_ns, reverse=True)
    for count, (stat, path) in enumerate(entries, start=1):
        total += stat.st_size
        if count > KEPT_FILES or total > KEPT_BYTES:
            path.unlink(missing_ok=True)
