"""An upload on disk: a folder, named after its content, with files that are read together.

It is written beside its place and put there at once, and taken away at once, so that a reader sees all of it or
nothing. Its name is compared with its content.
"""

import contextlib
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

UNFINISHED = ".new-"  # how the name of a folder begins that is being written, or taken away
LEAST_BYTES = 100_000  # bytes that the smallest upload counts as, so that there cannot be millions of them
_MINUTE = 60.0
_whole: dict[str, tuple[object, ...]] = {}  # how the files of an upload looked when their content was right


def address(files: Mapping[str, bytes | memoryview]) -> str:
    """Return the address of files by name, the same in any order and on every server.

    >>> address({"a.csv": b"1,x", "b.csv": b""}) == address({"b.csv": b"", "a.csv": b"1,x"})
    True
    """
    return _address({name: hashlib.sha256(content).hexdigest() for name, content in files.items()})


def _address(digests: Mapping[str, str]) -> str:
    lines = "".join(f"{name}\0{digest}\0" for name, digest in sorted(digests.items()))
    return hashlib.sha256(lines.encode()).hexdigest()[:32]


def ours(base: Path) -> bool:
    """Return whether a folder is there, is no link, and belongs to the user who runs this server."""
    try:
        state = base.lstat()
    except OSError:
        return False
    return base.is_dir() and not base.is_symlink() and (not hasattr(os, "getuid") or state.st_uid == os.getuid())


def put(files: Mapping[str, bytes | memoryview], place: Path) -> None:
    """Write the files of an upload by name, and put them into its place.

    Raises
    ------
    OSError : if the disk is full or may not be written to; then nothing is left behind.
    """
    unfinished = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=place.parent))
    try:
        for name, content in files.items():
            (unfinished / name).write_bytes(content)
        looks = _looks(unfinished)
        os.replace(unfinished, place)
        _whole[str(place)] = looks
    except OSError:
        if not is_whole(place):  # else another server was faster
            raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _looks(place: Path) -> tuple[object, ...]:
    """Return what changes whenever the files of a folder do."""
    states = {path.name: path.stat() for path in sorted(place.iterdir())}
    return tuple((name, state.st_mtime_ns, state.st_ino, state.st_size) for name, state in states.items())


def is_whole(place: Path) -> bool:
    """Return whether a folder holds what its name says. Unchanged files are not read again.

    Raises
    ------
    OSError : if it is there and cannot be read.
    """
    try:
        looks = _looks(place)
        if looks and _whole.get(str(place)) == looks:
            return True
        right = _address({path.name: _digest(path) for path in place.iterdir()}) == place.name
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        right = False
    _whole.pop(str(place), None)
    if right:
        _whole[str(place)] = looks
    return right


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def use(place: Path) -> None:
    """Note that an upload is used, with a minute's accuracy."""
    if used(place) < time.time() - _MINUTE:
        with contextlib.suppress(OSError):  # it was removed meanwhile, or the disk may not be written to
            os.utime(place)


def correct(place: Path) -> None:
    """Note that an upload is used now if it seems to be used in times to come: the clock was set back.

    Else it would seem in use, and keep its room, until the clock has caught up.
    """
    if used(place) > time.time() + _MINUTE:
        with contextlib.suppress(OSError):
            os.utime(place, (time.time(),) * 2)


def remove(place: Path) -> None:
    """Remove an upload: it is out of sight at once."""
    _whole.pop(str(place), None)
    aside = place.with_name(f"{UNFINISHED}{place.name}-{time.monotonic_ns()}")
    with contextlib.suppress(FileNotFoundError):
        os.replace(place, aside)
        shutil.rmtree(aside, ignore_errors=True)
        if aside.is_file():
            aside.unlink()


def places(base: Path) -> list[Path]:
    """Return the folders of all uploads that are in their places."""
    return [path for path in base.iterdir() if not path.name.startswith(UNFINISHED)]


def size(place: Path) -> int:
    """Return the bytes that an upload counts as, 0 if it is gone."""
    with contextlib.suppress(OSError):
        return max(LEAST_BYTES, sum(path.stat().st_size for path in place.iterdir()))
    return 0


def used(place: Path) -> float:
    """Return when an upload was used last, in seconds of the clock, 0 if it is gone."""
    with contextlib.suppress(OSError):
        return place.stat().st_mtime
    return 0.0
