"""The folder of compiled code. A broken file counts as missing, and where nothing can be written nothing is kept."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import pickle
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

from datasets.variables import Variable

CACHE = Variable(
    "FEEDBACK_LAB_CACHE", "text", "", help="Folder that keeps compiled code. By default it lies in the user's cache."
)
KEPT_DAYS = 30  # since its last use
KEPT_BYTES = 200_000_000
used: set[str] = set()  # names of the files of what this process has loaded or kept
_HASH = 16  # bytes of hash that precede the code


def folder() -> Path:
    """Return the folder of compiled code; it need not exist.

    It is the one named by FEEDBACK_LAB_CACHE, or lies in the user's cache folder, or, if there can be none, in the
    folder of temporary files.
    """
    return Path(CACHE.value).absolute() if CACHE.value else _default(os.environ.get("XDG_CACHE_HOME", ""))


@cache
def _default(environment: str) -> Path:
    from platformdirs import user_cache_dir

    usual = Path(user_cache_dir("feedback-lab", appauthor=False)) / "compiled"
    with contextlib.suppress(OSError):
        usual.mkdir(parents=True, exist_ok=True)
    if usual.is_dir() or not hasattr(os, "getuid"):
        return usual
    spare = Path(tempfile.gettempdir()) / f"feedback-lab-{os.getuid()}"
    try:  # code is run, so it must be our own: nobody else may own the folder or write to it
        spare.mkdir(mode=0o700, exist_ok=True)
        state = spare.lstat()
    except OSError:
        return usual
    return spare if spare.is_dir() and state.st_uid == os.getuid() and not state.st_mode & 0o077 else usual


def load(name: str) -> Any:
    """Return what is kept under this name, or None if there is nothing or it is broken."""
    path = folder() / f"{name}.code"
    try:
        content = path.read_bytes()
    except OSError:
        return None
    if hashlib.blake2b(content[_HASH:], digest_size=_HASH).digest() != content[:_HASH]:
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # `_prune` removes what is not used
    used.add(path.name)
    return pickle.loads(content[_HASH:])


def save(name: str, content: bytes) -> None:
    """Keep the pickled content under this name. Who reads at the same time sees all of it or nothing.

    Raises
    ------
    OSError : if the disk is full or may not be written to.
    """
    used.add(f"{name}.code")
    folder().mkdir(parents=True, exist_ok=True)
    write(folder() / f"{name}.code", hashlib.blake2b(content, digest_size=_HASH).digest() + content)
    _prune()


def write(path: Path, content: bytes) -> None:
    """Write a file at once: it has its old content or all of the new.

    Raises
    ------
    OSError : if the disk is full or may not be written to.
    """
    handle, unfinished = tempfile.mkstemp(suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(unfinished, 0o644)  # a folder filled beforehand may serve another account
        os.replace(unfinished, path)
    except BaseException:
        os.unlink(unfinished)
        raise


def _prune() -> None:
    """Delete what has not been used for long, and unfinished files that a killed process left behind."""
    now, total = time.time(), 0
    entries = [
        (entry.stat(), entry) for entry in os.scandir(folder()) if entry.name.endswith((".code", ".tmp", ".warm"))
    ]
    entries.sort(key=lambda entry: entry[0].st_mtime_ns, reverse=True)
    for state, entry in entries:
        total += state.st_size
        old = now - state.st_mtime > (3600 if entry.name.endswith(".tmp") else 86_400 * KEPT_DAYS)
        if old or total > KEPT_BYTES:
            with contextlib.suppress(OSError):
                os.unlink(entry.path)


@cache
def _once(what: str) -> None:
    logging.getLogger("learners.compiled").warning(
        "compiled code cannot be kept in %s and will be compiled again at the next start: %s", folder(), what
    )


def complain(error: Exception) -> None:
    """Log, once in this process for each folder and kind of error, that compiled code is not kept."""
    _once(f"{type(error).__name__}: {getattr(error, 'strerror', None) or error}")
