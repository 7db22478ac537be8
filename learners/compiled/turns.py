"""Turns among processes: of several that need the same compiled function, one compiles it and the others wait.

A turn is a lock on one byte of a file. The operating system gives it back when its process ends, however it ends.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from learners.compiled import store

try:
    import fcntl
except ImportError:  # Windows: two processes may do the same work, and either result is kept
    fcntl = None  # type: ignore[assignment]

PATIENCE = 120.0  # seconds after which to stop waiting, for a process that hangs or a disk that cannot lock


@contextmanager
def turn(name: str, patience: float | None = None) -> Iterator[bool]:
    """Wait until no other process has the turn of this name, and hold it. Yield whether it is held.

    patience : seconds to wait, or None for `PATIENCE`.

    Threads of one process do not exclude each other.
    """
    held = bool(name) and _take(name, PATIENCE if patience is None else patience)
    try:
        yield held
    finally:
        if held:
            _lock(name, fcntl.LOCK_UN)


def taken(name: str) -> bool:
    """Return whether another process has the turn of this name."""
    try:
        if fcntl is not None and store.folder().is_dir():
            _lock(name, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _lock(name, fcntl.LOCK_UN)
    except (BlockingIOError, PermissionError):
        return os.access(store.folder(), os.W_OK)
    except OSError:
        pass
    return False


def _take(name: str, patience: float) -> bool:
    if fcntl is None:
        return False
    end = time.monotonic() + patience
    try:
        _file(store.folder())
    except OSError:  # a folder that cannot be written to
        return False
    while True:
        try:
            _lock(name, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except (BlockingIOError, PermissionError):  # another process has it
            if time.monotonic() >= end:
                return False
            time.sleep(0.05)
        except OSError:  # a disk without locks
            return False


def _lock(name: str, how: int) -> None:
    fcntl.lockf(_file(store.folder()), how, 1, zlib.crc32(name.encode()))


@cache
def _file(folder: Path) -> int:
    """Return the open file of turns. It is never closed: closing it once would give back every turn."""
    folder.mkdir(parents=True, exist_ok=True)
    return os.open(folder / "turns", os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
