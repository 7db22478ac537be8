"""Keep what people upload: each content once, under an address that is made from it, and never written again.

An upload is a folder, named after its content, of files that are read together. It is written beside its place and put
there at once, so that who reads sees all of it or nothing. The folder of all uploads lies in the user's cache folder
and is open to that user only. Servers may share it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import datasets
from datasets.variables import Variable

ALL_MB = Variable(
    "FEEDBACK_LAB_UPLOADS_MB", "integer", 2000, 1, 10_000_000, help="Disk space in MB for the uploads of all people."
)
PERSON_MB = Variable(
    "FEEDBACK_LAB_UPLOADS_PERSON_MB", "integer", 300, 1, 10_000_000,
    help="Disk space in MB for the uploads of one person's visit. The oldest make room for new ones.",
)  # fmt: skip
DAYS = Variable("FEEDBACK_LAB_UPLOADS_DAYS", "real", 30, 0.01, 10_000, help="Days after which an unused upload goes.")

IDLE = 3600  # seconds without use after which an upload makes room for those of others
LEAST = 100_000  # bytes that the smallest upload counts as, so that there cannot be millions of them
LONGEST = 120  # bytes of a file's name
FORMER = (
    Path(tempfile.gettempdir()) / "feedback-lab-uploads"
)  # of versions up to 0.3; links to what is there still work
_ID = re.compile(r"upload/([0-9a-f]{16}|[0-9a-f]{32})/([^/\\]+)")
_UNFINISHED = ".new-"
_lock = threading.Lock()
_owned: dict[str, dict[str, None]] = {}  # the addresses of each person's uploads, oldest first
_whole: dict[str, tuple[object, ...]] = {}  # how the files of an address looked when their content was right
_swept = float("-inf")


def folder() -> Path:
    """Return the folder of the uploads; it need not exist."""
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("feedback-lab", appauthor=False)) / "uploads"


def safe(name: str) -> str:
    """Return a name for a file that any disk can hold and that leads nowhere else; the end of a long one stays.

    >>> safe("../../my data.txt"), safe(".hidden"), safe("")
    ('my_data.txt', 'hidden', 'file')
    """
    name = re.sub(r"[^\w.+-]", "_", name.replace("\\", "/").rpartition("/")[2]).lstrip(".")
    return name.encode()[-LONGEST:].decode(errors="ignore").lstrip(".") or "file"


def address(files: Mapping[str, bytes | memoryview]) -> str:
    """Return the address of files by name, the same in any order and on every server.

    >>> address({"a.csv": b"1,x", "b.csv": b""}) == address({"b.csv": b"", "a.csv": b"1,x"})
    True
    """
    return _address({name: hashlib.sha256(content).hexdigest() for name, content in files.items()})


def keep(files: Mapping[str, bytes | memoryview], person: str) -> str:
    """Keep the files of an upload under their `safe` names; return their address.

    person : whose visit it is, so that everybody has the same room.

    Raises
    ------
    ValueError : with a sentence, if there is no room for them.
    OSError : if the disk is full or may not be written to; then nothing is left behind.
    """
    found = address(files)
    room = max(LEAST, sum(map(len, files.values())))
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
    """Return the path of the file with the id upload/<address>/<name>, or None."""
    if _ID.fullmatch(id) is None:
        return None
    for base in (folder(), FORMER):
        with contextlib.suppress(ValueError, OSError):
            if _ours(base):
                return datasets.file_in(base, id.removeprefix("upload/"))
    return None


def gone(id: str) -> str:
    """Return a sentence for an upload that is not there, or "" for an id that is none."""
    match = _ID.fullmatch(id)
    if match is None:
        return ""
    return f"path names the upload {match[2][:80]}, which is not on this server; upload it again on the Data page"


def checked(id: str) -> Path:
    """Return the path of an upload whose content is what its address says, and note that it is used.

    Raises
    ------
    ValueError : with a sentence, if it is not there or cannot be read, or was damaged; then it is removed.
    """
    path = find(id)
    if path is None:
        raise ValueError(gone(id) or f"path must name an upload, got {id[:80]}")
    try:
        whole = len(path.parent.name) == 16 or _is_whole(path.parent)  # addresses of version 0.3 cannot be checked
    except OSError as error:
        raise ValueError(f"{path.name} cannot be read on this server: {error.strerror}") from None
    if not whole:
        with contextlib.suppress(OSError):
            _remove(path.parent)
        raise ValueError(f"the copy of {path.name} on this server was damaged, so it was removed; upload it again")
    _use(path.parent)
    return path


def sweep(now: bool = False) -> None:
    """Remove uploads that nobody has used for long, at most once an hour unless `now`. It never fails."""
    global _swept
    if not now and time.monotonic() < _swept + IDLE:
        return
    _swept = time.monotonic()
    for base in (folder(), FORMER):
        with contextlib.suppress(OSError, ValueError):
            if _ours(base):
                _sweep(base)


def taken() -> tuple[int, int]:
    """Return how many uploads are kept, and their bytes."""
    with contextlib.suppress(OSError):
        sizes = [_size(place) for place in _places(folder())]
        return len(sizes), sum(sizes)
    return 0, 0


def _address(digests: Mapping[str, str]) -> str:
    lines = "".join(f"{name}\0{digest}\0" for name, digest in sorted(digests.items()))
    return hashlib.sha256(lines.encode()).hexdigest()[:32]


def _home() -> Path:
    """Return the folder of the uploads, which now exists, belongs to us and is open to nobody else."""
    home = folder()
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not _ours(home):
        raise PermissionError(1, "its folder for uploads belongs to another user of this machine")
    if home.stat().st_mode & 0o077 and hasattr(os, "getuid"):
        home.chmod(0o700)
    return home


def _ours(base: Path) -> bool:
    """Return whether a folder is there, is no link, and belongs to the user who runs this server."""
    try:
        state = base.lstat()
    except OSError:
        return False
    return base.is_dir() and not base.is_symlink() and (not hasattr(os, "getuid") or state.st_uid == os.getuid())


def _keep(files: Mapping[str, bytes | memoryview], found: str, person: str, room: int) -> None:
    home = _home()
    if _is_whole(home / found):
        _use(home / found)
    else:
        _remove(home / found)  # it was damaged
        _make_room(home, person, room)
        _put(files, home / found)


def _put(files: Mapping[str, bytes | memoryview], place: Path) -> None:
    unfinished = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=place.parent))
    try:
        for name, content in files.items():
            (unfinished / name).write_bytes(content)
        looks = _looks(unfinished)
        os.replace(unfinished, place)
        _whole[str(place)] = looks
    except OSError:
        if not _is_whole(place):  # else another server was faster
            raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _looks(place: Path) -> tuple[object, ...]:
    """Return what changes whenever the files of a folder do."""
    states = {path.name: path.stat() for path in sorted(place.iterdir())}
    return tuple((name, state.st_mtime_ns, state.st_ino, state.st_size) for name, state in states.items())


def _is_whole(place: Path) -> bool:
    """Return whether a folder holds what its name says. What has not changed since is not read again.

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


def _use(place: Path) -> None:
    with contextlib.suppress(OSError):  # it was swept meanwhile, or the disk may not be written to
        os.utime(place)


def _remove(place: Path) -> None:
    """Remove an upload: it is out of sight at once."""
    _whole.pop(str(place), None)
    aside = place.with_name(f"{_UNFINISHED}{place.name}-{time.monotonic_ns()}")
    with contextlib.suppress(FileNotFoundError):
        os.replace(place, aside)
        shutil.rmtree(aside, ignore_errors=True)
        if aside.is_file():
            aside.unlink()


def _places(base: Path) -> list[Path]:
    return [path for path in base.iterdir() if not path.name.startswith(_UNFINISHED)]


def _size(place: Path) -> int:
    with contextlib.suppress(OSError):
        return max(LEAST, sum(path.stat().st_size for path in place.iterdir()))
    return 0


def _used(place: Path) -> float:
    with contextlib.suppress(OSError):
        return place.stat().st_mtime
    return 0.0


def _sweep(base: Path) -> None:
    oldest = time.time() - DAYS.value * 86_400
    for place in base.iterdir():
        unfinished = place.name.startswith(_UNFINISHED)  # left behind by a server that was killed
        if _used(place) < max(oldest, time.time() - IDLE if unfinished else oldest):
            with contextlib.suppress(OSError):
                _remove(place)


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
    held = {name: _size(home / name) for name in _owned.get(person, {})}
    for name in list(held):
        if sum(held.values()) + room <= most:
            break
        del held[name], _owned[person][name]
        if not any(name in others for others in _owned.values()):
            _remove(home / name)
    sizes = {place: _size(place) for place in _places(home)}
    used = {place: _used(place) for place in sizes}
    for place in sorted(sizes, key=lambda place: used[place]):
        if sum(sizes.values()) + room <= all:
            return
        if used[place] < time.time() - IDLE:
            _remove(place)
            del sizes[place]
    if sum(sizes.values()) + room > all:
        raise ValueError(
            f"this server keeps {all / 1e6:,.0f} MB of uploads, and others use all of them; try again in an hour"
        )
