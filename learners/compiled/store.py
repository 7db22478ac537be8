"""The folder of compiled code. A broken file counts as missing, and where nothing can be written nothing is kept."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import pickle
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from datasets import disk
from datasets.disk import home, prune
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
    usual = home("compiled")
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
        os.utime(path)  # `prune` removes what is not used
    used.add(path.name)
    return pickle.loads(content[_HASH:])


def save(name: str, content: bytes) -> None:
    """Keep the pickled content under this name. A reader at the same time sees all of it or nothing.

    Raises
    ------
    OSError : if the disk is full or may not be written to.
    """
    used.add(f"{name}.code")
    disk.write(folder() / f"{name}.code", hashlib.blake2b(content, digest_size=_HASH).digest() + content)
    prune(folder(), (".code", ".warm"), bytes=KEPT_BYTES, days=KEPT_DAYS)


@cache
def _once(what: str) -> None:
    logging.getLogger("learners.compiled").warning(
        "compiled code cannot be kept in %s and will be compiled again at the next start: %s", folder(), what
    )


def complain(error: Exception) -> None:
    """Log, once in this process for each folder and kind of error, that compiled code is not kept."""
    _once(f"{type(error).__name__}: {getattr(error, 'strerror', None) or error}")
