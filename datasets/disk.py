"""Files in the user's cache folder: written whole, and removed when they have not been used for long."""

import contextlib
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

_UNFINISHED = ".tmp"
_ABANDONED = 3600  # seconds after which an unfinished file was left behind by a process that was killed


def home(kind: str) -> Path:
    """Return the folder of the files of this kind in the user's cache folder; it need not exist."""
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("feedback-lab", appauthor=False)) / kind


@contextlib.contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing, whose folder is made. A reader sees its old content or all of the new.

    Raises
    ------
    OSError : if the disk is full or may not be written to; then nothing has changed.

    >>> place = Path(tempfile.mkdtemp()) / "folder" / "a.txt"
    >>> with whole(place) as file:
    ...     _ = file.write(b"all of it")
    >>> place.read_text(), len(list(place.parent.iterdir()))
    ('all of it', 1)
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(suffix=_UNFINISHED, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(unfinished, 0o644)  # what one account has made beforehand may serve another
        os.replace(unfinished, path)
    except BaseException:
        os.unlink(unfinished)
        raise


def write(path: Path, data: bytes) -> None:
    """Write a file as `whole` does, for which OSError is raised alike."""
    with whole(path) as file:
        file.write(data)


def prune(
    folder: Path, endings: tuple[str, ...], files: float = float("inf"), bytes: float = float("inf"),
    days: float = float("inf"),
) -> None:  # fmt: skip
    """Delete all files with these endings but the most recently used ones, and unfinished files that were left behind.

    files, bytes : how many stay, and how large they are in total. days : since their last use.
    """
    now, total = time.time(), 0
    entries = [(entry.stat(), entry) for entry in os.scandir(folder) if entry.name.endswith((*endings, _UNFINISHED))]
    entries.sort(key=lambda entry: entry[0].st_mtime_ns, reverse=True)
    for count, (state, entry) in enumerate(entries, start=1):
        total += state.st_size
        longest = _ABANDONED if entry.name.endswith(_UNFINISHED) else 86_400 * days
        if count > files or total > bytes or now - state.st_mtime > longest:
            with contextlib.suppress(OSError):
                os.unlink(entry.path)
