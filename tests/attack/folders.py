"""Takes folders from a server that uses them: removes, empties, damages, fills and locks them while pages are open.

python -m tests.attack.folders                # all 60 cases, some minutes
"""

from __future__ import annotations

import argparse
import builtins
import errno
import io
import os
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from tests.attack.tally import FINE, HANG, REFUSED, Tally, count

ROWS = b"".join(b"%d qid:%d 1:%d 2:%d\n" % (i % 3, i // 5, i % 7, i % 4) for i in range(50))
OTHER = ROWS.replace(b" 2:", b" 3:")
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


# ---- what happens to a folder


@contextmanager
def removed(folder: Path) -> Iterator[None]:
    """Remove the folder with all that is in it."""
    shutil.rmtree(folder, ignore_errors=True)
    yield


@contextmanager
def emptied(folder: Path) -> Iterator[None]:
    """Remove the files and leave the folders."""
    for file in _files(folder):
        file.unlink()
    yield


@contextmanager
def replaced(folder: Path) -> Iterator[None]:
    """Put a file where the folder was."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_bytes(b"no folder")
    yield
    folder.unlink(missing_ok=True)


def damaged(change: Callable[[bytes], bytes]) -> Callable[[Path], Any]:
    """Return what changes the content of each file."""

    @contextmanager
    def fault(folder: Path) -> Iterator[None]:
        for file in _files(folder):
            file.write_bytes(change(file.read_bytes()))
        yield

    return fault


def _flipped(content: bytes) -> bytes:
    changed = np.frombuffer(content, np.uint8).copy()
    changed[np.random.default_rng(len(content)).integers(0, max(1, len(changed)), 20)] ^= 0x5A
    return changed.tobytes()


def refusing(number: int, reading: bool = False) -> Callable[[Path], Any]:
    """Return what makes every call that writes to the folder, or reads from it, fail as the system would."""

    @contextmanager
    def fault(folder: Path) -> Iterator[None]:
        def check(path: object, writes: bool) -> None:
            if writes != reading and isinstance(path, (str, os.PathLike)):
                whole = os.path.abspath(os.fspath(path))
                if whole == str(folder) or whole.startswith(f"{folder}{os.sep}"):
                    raise OSError(number, os.strerror(number), str(path))

        with ExitStack() as stack:
            for module in (builtins, io):
                stack.enter_context(mock.patch.object(module, "open", _opening(io.open, check)))
            stack.enter_context(mock.patch.object(os, "open", _low(os.open, check)))
            for name in ("mkdir", "replace", "rename", "unlink", "remove", "rmdir", "utime", "chmod"):
                stack.enter_context(mock.patch.object(os, name, _changing(getattr(os, name), check)))
            for name in ("scandir", "listdir"):
                stack.enter_context(mock.patch.object(os, name, _listing(getattr(os, name), check)))
            yield

    return fault


def _opening(real: Any, check: Any) -> Any:
    def opened(file: Any, mode: str = "r", *rest: Any, **named: Any) -> Any:
        check(file, any(letter in mode for letter in "wax+"))
        return real(file, mode, *rest, **named)

    return opened


def _low(real: Any, check: Any) -> Any:
    def opened(path: Any, flags: int, *rest: Any, **named: Any) -> Any:
        check(path, bool(flags & WRITES))
        return real(path, flags, *rest, **named)

    return opened


def _changing(real: Any, check: Any) -> Any:
    def changed(path: Any, *rest: Any, **named: Any) -> Any:
        check(path, True)
        return real(path, *rest, **named)

    return changed


def _listing(real: Any, check: Any) -> Any:
    def listed(path: Any = ".", *rest: Any) -> Any:
        check(path, False)
        return real(path, *rest)

    return listed


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []


FAULTS: dict[str, Callable[[Path], Any]] = {
    "removed": removed,
    "emptied": emptied,
    "a file in its place": replaced,
    "files cut in half": damaged(lambda content: content[: len(content) // 2]),
    "files empty": damaged(lambda content: b""),
    "files of zeros": damaged(lambda content: b"\0" * len(content)),
    "bits flipped": damaged(_flipped),
    "disk full": refusing(errno.ENOSPC),
    "read-only": refusing(errno.EROFS),
    "not allowed to write": refusing(errno.EACCES),
    "not allowed to read": refusing(errno.EACCES, reading=True),
    "disk broken": refusing(errno.EIO, reading=True),
}
FOLDERS = ("uploads", "datasets", "downloads", "data", "all")  # the second holds parsed files


# ---- what people do meanwhile


class Server:
    """The pages, on folders of their own below `home`."""

    def __init__(self, home: Path) -> None:
        self.home = home
        cache = home / "cache" / "feedback-lab"
        self.folders = {
            "uploads": cache / "uploads", "datasets": cache / "datasets", "downloads": home / "downloads",
            "data": home / "data", "all": home,
        }  # fmt: skip
        self.environment = {
            "XDG_CACHE_HOME": str(home / "cache"), "FEEDBACK_LAB_DOWNLOADS": str(home / "downloads"),
            "FEEDBACK_LAB_DATA": str(home / "data"), "FEEDBACK_LAB_CACHE": _compiled(),
        }  # fmt: skip

    @contextmanager
    def running(self) -> Iterator[None]:
        """Let the pages use the folders, which hold a file, an upload and a download."""
        from pages.ui.files import sharing
        from pages.ui.jobs.queue import QUEUE

        with mock.patch.dict(os.environ, self.environment):
            self.fill()
            try:
                yield
            finally:
                QUEUE.clear()
                sharing.DATA.clear()

    def fill(self) -> None:
        """Put a file, an upload and a download where they belong."""
        from datasets.tables import packing
        from pages.ui.files import uploads

        for name in ("data", "downloads"):
            self.folders[name].mkdir(parents=True, exist_ok=True)
        (self.folders["data"] / "mine.txt").write_bytes(ROWS)
        x, y = np.eye(20), np.arange(20) % 2
        np.savez(self.folders["downloads"] / "newsgroups.npz", **packing.pack(x, y, ("no", "yes"), ()))
        self.id = f"upload/{uploads.keep({'mine.txt': ROWS}, 'somebody')}/mine.txt"


def _compiled() -> str:
    from learners.compiled import store

    return str(store.folder())


def visit(server: Server, fault: Callable[[Path], Any], folder: Path) -> list[str]:
    """Open pages, let the fault happen, go on with them and with others; return what was said in their boxes.

    Raises
    ------
    AssertionError : if a page breaks, or does not work once the fault is over.
    """
    from pages.ui.files import sharing
    from tests.pages.test_pages import open_page

    said: list[str] = []

    def look(app: Any, what: str) -> Any:
        assert not app.exception, f"{what}: {[e.value for e in app.exception]}"
        boxes = [box.value for box in (*app.error, *app.warning)]
        for words in boxes:
            assert not any(mark in words for mark in ("Traceback", "Errno", "Error:", "\n")), f"{what}: {words}"
        said.extend(boxes)
        return app

    def upload(app: Any, content: bytes) -> Any:
        return app.file_uploader[0].set_value([("other.txt", content, "text/plain")]).run()

    mine = {"dataset": "letor-file", "path": "mine.txt"}
    theirs = {"dataset": "letor-file", "path": server.id}
    run = {"steps": "10", "replicates": "1"}
    shown, raced = (
        look(open_page("catalogue", show="data", **theirs), "before"),
        look(open_page("stability", **theirs, **run), "before"),
    )
    assert not said, said
    with fault(folder):
        look(shown.run(), "the catalogue goes on")
        look(raced.run(), "the lab goes on")
        sharing.DATA.clear()  # as on a server with many data sets
        look(upload(shown, OTHER), "an upload")
        look(open_page("stability", **theirs, **run), "a link to an upload")
        look(open_page("catalogue", show="data", **mine), "a link to a file")
        look(open_page("catalogue", show="data", family="classification", dataset="newsgroups"), "a download")
    server.fill()
    sharing.DATA.clear()
    before = len(said)
    look(upload(open_page("catalogue", show="data", **theirs), OTHER), "an upload afterwards")
    look(open_page("stability", **theirs, **run), "a link afterwards")
    look(open_page("catalogue", show="data", **mine), "a file afterwards")
    assert said[before:] == [], f"after the fault is over: {said[before:]}"
    return said


def judge(case: tuple[str, str]) -> tuple[str, str]:
    """Return the outcome of a fault in a folder, and words."""
    place, fault = case
    home = Path(tempfile.mkdtemp(prefix="feedback-lab-attack-"))
    began = time.perf_counter()
    try:
        server = Server(home)
        with server.running():
            said = visit(server, FAULTS[fault], server.folders[place])
    except AssertionError as error:
        return "not one sentence", str(error)
    except Exception:
        return "traceback", traceback.format_exc(limit=-4)
    finally:
        shutil.rmtree(home, ignore_errors=True)
    if time.perf_counter() - began > HANG:
        return "hang", f"{time.perf_counter() - began:.0f} s"
    return (REFUSED if said else FINE), " | ".join(dict.fromkeys(said))


def cases(share: float = 1.0, seed: int = 0) -> list[tuple[str, str]]:
    """Return pairs of a folder and what happens to it, or a share of them."""
    found = [(place, fault) for place in FOLDERS for fault in FAULTS]
    return [found[i] for i in sorted(np.random.default_rng(seed).permutation(len(found))[: round(share * len(found))])]


def campaign(seed: int = 0, workers: int = 1, share: float = 1.0) -> Tally:
    """Run all cases, in one process: they put other functions into the place of the system's."""
    del workers
    return count("folders", cases(share, seed), judge)


def main() -> int:
    """Run the cases and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    for case in cases(given.share, given.seed):
        print(*case, *judge(case), sep=": ", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
