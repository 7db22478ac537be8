"""Keep what people upload: each content once, under an address that is made from it, and never written again.

The folder of all uploads lies in the user's cache folder and is open to that user only. Servers may share it.
"""

import contextlib
import os
import re
import tempfile
import threading
import time
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import datasets
from datasets.disk import home
from datasets.variables import DISK_MB, Variable
from pages.ui.files import shelf

ALL_MB = Variable(
    "FEEDBACK_LAB_UPLOADS_MB", "integer", 2000, 1, 10_000_000, of=DISK_MB, share=Fraction(1, 3), deprecated=True,
    help="Disk space in MB for the uploads of all people.",
)  # fmt: skip
PERSON_MB = Variable(
    "FEEDBACK_LAB_UPLOADS_PERSON_MB", "integer", 300, 1, 10_000_000, of=DISK_MB, share=Fraction(1, 20), deprecated=True,
    help="Disk space in MB for the uploads of one person's visit. The oldest make room for new ones.",
)  # fmt: skip
DAYS = Variable(
    "FEEDBACK_LAB_UPLOADS_DAYS", "real", 30, 0.01, 10_000, deprecated=True,
    help="Days after which an unused upload goes.",
)  # fmt: skip

IDLE = 3600  # seconds without use after which an upload makes room for those of others
LONGEST_NAME = 120  # bytes of a file's name
FORMER = Path(tempfile.gettempdir()) / "feedback-lab-uploads"  # of versions up to 0.3, whose links still work
_ID = re.compile(r"upload/([0-9a-f]{16}|[0-9a-f]{32})/([^/\\]+)")
_lock = threading.Lock()
_owned: dict[str, dict[str, None]] = {}  # the addresses of each person's uploads, oldest first
_swept = float("-inf")


def folder() -> Path:
    """Return the folder of the uploads; it need not exist."""
    return home("uploads")


def safe(name: str) -> str:
    """Return a name for a file that any disk can hold and that leads nowhere else; the end of a long one stays.

    >>> safe("../../my data.txt"), safe(".hidden"), safe("")
    ('my_data.txt', 'hidden', 'file')
    """
    name = re.sub(r"[^\w.+-]", "_", name.replace("\\", "/").rpartition("/")[2]).lstrip(".")
    return name.encode()[-LONGEST_NAME:].decode(errors="ignore").lstrip(".") or "file"


def keep(files: Mapping[str, bytes | memoryview], person: str) -> str:
    """Keep the files of an upload under their `safe` names; return their address.

    person : whose visit it is, so that everybody has the same room.

    Raises
    ------
    ValueError : with a sentence, if there is no room for them.
    OSError : if the disk is full or may not be written to; then nothing is left behind.
    """
    found = shelf.address(files)
    room = max(shelf.LEAST_BYTES, sum(map(len, files.values())))
    with _lock:
        try:
            _keep(files, found, person, room)
        except FileNotFoundError:  # the folder was removed meanwhile
            _keep(files, found, person, room)
        mine = _owned.setdefault(person, {})
        mine.pop(found, None)
        mine[found] = None
    return found


def find(id: str) -> Path | None:
    """Return the path of the file with the id upload/<address>/<name>, and note that it is used, or None."""
    if _ID.fullmatch(id) is None:
        return None
    for base in (folder(), FORMER):
        with contextlib.suppress(ValueError, OSError):
            if shelf.ours(base):
                path = datasets.file_in(base, id.removeprefix("upload/"))
                shelf.use(path.parent)
                return path
    return None


def gone(id: str) -> str:
    """Return a sentence for an upload that is not there, or "" for an id that is none."""
    match = _ID.fullmatch(id)
    if match is None:
        return ""
    return f"path names the upload {match[2][:80]}, which is not on this server; upload it again in the catalogue"


def checked(id: str) -> Path:
    """Return the path of an upload whose content is what its address says.

    Raises
    ------
    ValueError : with a sentence, if it is not there or cannot be read, or was damaged; then it is removed.
    """
    path = find(id)
    if path is None:
        raise ValueError(gone(id) or f"path must name an upload, got {id[:80]}")
    try:
        whole = len(path.parent.name) == 16 or shelf.is_whole(path.parent)  # addresses of version 0.3 cannot be checked
    except OSError as error:
        raise ValueError(f"{path.name} cannot be read on this server: {error.strerror}") from None
    if not whole:
        with contextlib.suppress(OSError):
            shelf.remove(path.parent)
        raise ValueError(f"the copy of {path.name} on this server was damaged, so it was removed; upload it again")
    return path


def sweep(now: bool = False) -> None:
    """Remove uploads that nobody has used for long, at most once an hour unless `now`. It never fails."""
    global _swept
    if not now and time.monotonic() < _swept + IDLE:
        return
    _swept = time.monotonic()
    for base in (folder(), FORMER):
        with contextlib.suppress(OSError, ValueError):
            if shelf.ours(base):
                _sweep(base)


def taken() -> tuple[int, int]:
    """Return how many uploads are kept, and their bytes."""
    with contextlib.suppress(OSError):
        sizes = [shelf.size(place) for place in shelf.places(folder())]
        return len(sizes), sum(sizes)
    return 0, 0


def _home() -> Path:
    """Return the folder of the uploads, which now exists, belongs to us and is open to nobody else."""
    home = folder()
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not shelf.ours(home):
        raise PermissionError(1, "its folder for uploads belongs to another user of this machine")
    if home.stat().st_mode & 0o077 and hasattr(os, "getuid"):
        home.chmod(0o700)
    return home


def _keep(files: Mapping[str, bytes | memoryview], found: str, person: str, room: int) -> None:
    home = _home()
    if shelf.is_whole(home / found):
        shelf.use(home / found)
    else:
        shelf.remove(home / found)  # it was damaged
        _make_room(home, person, room)
        shelf.put(files, home / found)


def _sweep(base: Path) -> None:
    oldest = time.time() - DAYS.value * 86_400
    for place in base.iterdir():
        shelf.correct(place)
        unfinished = place.name.startswith(shelf.UNFINISHED)  # left behind by a server that was killed
        if shelf.used(place) < max(oldest, time.time() - IDLE if unfinished else oldest):
            with contextlib.suppress(OSError):
                shelf.remove(place)


def _make_room(home: Path, person: str, room: int) -> None:
    """Remove uploads until one of `room` bytes fits: the person's own oldest, then those nobody has used for long."""
    _sweep(home)
    most, all = PERSON_MB.value * 1e6, ALL_MB.value * 1e6
    if room > min(most, all):
        raise ValueError(
            f"these files have {room / 1e6:,.0f} MB; this server keeps at most {min(most, all) / 1e6:,.0f} MB of one "
            "person's visit"
        )
    for other, names in list(_owned.items()):
        _owned[other] = {name: None for name in names if (home / name).is_dir()}
        if not _owned[other]:
            del _owned[other]
    held = {name: shelf.size(home / name) for name in _owned.get(person, {})}
    left = sum(held.values()) + room - most
    for name, size in held.items():
        if left <= 0:
            break
        left -= size
        del _owned[person][name]
        if not any(name in others for others in _owned.values()):
            shelf.remove(home / name)
    sizes = {place: shelf.size(place) for place in shelf.places(home)}
    left = sum(sizes.values()) + room - all  # to be removed
    for last, place in sorted((shelf.used(place), place) for place in sizes):
        if left > 0 and last < time.time() - IDLE:
            shelf.remove(place)
            left -= sizes[place]
    if left > 0:
        raise ValueError(
            f"this server keeps {all / 1e6:,.0f} MB of uploads, and others use all of them; try again in an hour"
        )
