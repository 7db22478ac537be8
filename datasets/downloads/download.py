"""Download public data sets, on request only.

scikit-learn's fetchers, or those written here, run in a separate process that can be stopped at any time. An unfinished
download lies in a temporary folder and never replaces a complete file.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datasets.downloads.base import Download, folder
from datasets.home import ROOT, module
from datasets.parameters import pick

Progress = Callable[[int, int | None, str], None]

_POLL = 0.2  # seconds
_UNFINISHED = ".unfinished-"


class Cancelled(Exception):
    """Raised when `cancelled` stops a download; nothing was changed."""


@dataclass(frozen=True)
class Source:
    """The origin of a download, as shown on the page that offers it."""

    title: str
    megabytes: float  # approximate
    origin: str
    licence: str

    @property
    def words(self) -> str:
        """Size and origin in words, such as 'about 14 MB from figshare.com'."""
        return f"about {self.megabytes:g} MB from {self.origin}"


_OPENML = ("openml.org", "stated on the page of the data set at openml.org")
_GROUPLENS = (
    "files.grouplens.org",
    "GroupLens allows research; no passing on and no commercial use without their permission; publications name "
    "Harper & Konstan 2015",
)
_FIGSHARE = "figshare.com, the copy of scikit-learn"
SOURCES: dict[str, Source] = {
    "openml mnist_784": Source("70,000 handwritten digits of 28 × 28 pixels", 130, *_OPENML),
    "openml letter": Source("20,000 printed letters, 16 measures of each", 1, *_OPENML),
    "openml pendigits": Source("10,992 digits written with a pen on a tablet", 1, *_OPENML),
    "openml optdigits": Source("5620 handwritten digits of 8 × 8 pixels", 1, *_OPENML),
    "openml nursery": Source("12,960 applications to nursery schools, in words", 1, *_OPENML),
    "openml isolet": Source("7797 spoken letters, 617 measures of each", 40, *_OPENML),
    "reuters4": Source("Reuters news, four topics", 660, _FIGSHARE, "for research only, by Reuters"),
    "movielens ml-100k": Source("100,000 ratings of 1682 movies by 943 users", 5, *_GROUPLENS),
    "movielens ml-1m": Source("a million ratings of 3883 movies by 6040 users", 6, *_GROUPLENS),
    "newsgroups": Source("Twenty newsgroups", 14, _FIGSHARE, "none is stated; collected for research"),
}
"""The known downloads by `Download.label`; other openml data sets have no entry."""


def downloads() -> dict[str, type[Download]]:
    """Return the classes of the downloadable data sets by id."""
    from datasets.discovery import classes

    return {id: kind for id, kind in classes().items() if issubclass(kind, Download)}


def download(
    id: str, progress: Progress | None = None, cancelled: Callable[[], bool] | None = None, **params: Any
) -> None:
    """Download a data set unless it is already on disk, where `load` then finds it.

    Parameters
    ----------
    id : openml, reuters4, newsgroups or movielens; `params` are its parameters.
    progress : called several times a second with the bytes written so far, the approximate total (or None), and a
        description of the current step.
    cancelled : called as often; the download stops once it returns true.

    Raises
    ------
    ValueError : one sentence saying what failed, such as no connection, no such data, data that are not for
        classification, or a full disk.
    Cancelled : if `cancelled` returned true. In both cases nothing is left behind.

    >>> download("mnist")
    Traceback (most recent call last):
    ValueError: there is no download 'mnist'; known are: openml, reuters4, newsgroups, movielens
    """
    dataset: Download = pick(id, downloads(), "download").make(**params)
    if dataset.file.is_file():
        return
    try:
        folder().mkdir(parents=True, exist_ok=True)
        _tidy()
        home = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=folder()))
    except OSError as error:
        raise ValueError(f"the folder for downloads, {folder()}, cannot be written to: {error.strerror}") from None
    process = None
    try:
        process = subprocess.Popen(
            _command(home, dataset),
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _watch(process, home, dataset, progress, cancelled)
        if process.returncode:
            raise ValueError(_read_text(home / "error") or f"the download of {dataset.label} ended early; try again")
        os.replace(home / "data.npz", dataset.file)
    except OSError as error:
        raise ValueError(f"{dataset.label} cannot be kept: {error.strerror}; nothing was changed") from None
    finally:
        if process is not None:
            process.kill()
            process.wait()
        shutil.rmtree(home, ignore_errors=True)


def _command(home: Path, dataset: Download) -> list[str]:
    return [
        sys.executable,
        "-m",
        module("datasets.downloads.process"),
        str(home),
        dataset.id,
        json.dumps(dataset.params),
    ]


def _watch(
    process: subprocess.Popen[bytes],
    home: Path,
    dataset: Download,
    progress: Progress | None,
    cancelled: Callable[[], bool] | None,
) -> None:
    """Wait for the process to end; raise Cancelled on request."""
    source = SOURCES.get(dataset.label)
    expected = int(source.megabytes * 1e6) if source else 0
    while process.poll() is None:
        if cancelled is not None and cancelled():
            raise Cancelled(f"the download of {dataset.label} was cancelled; nothing was changed")
        if progress is not None:
            done = _bytes(home)
            progress(done, expected if done < expected else None, _read_text(home / "words") or "starting")
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_POLL)


def _bytes(home: Path) -> int:
    """Return the total size in bytes of the files in the folder and below."""
    total = 0
    for path in home.rglob("*"):
        with contextlib.suppress(OSError):  # the file may have been moved meanwhile
            total += path.stat().st_size if path.is_file() else 0
    return total


def _read_text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _tidy() -> None:
    """Remove unfinished downloads more than a day old, left behind by a server that was switched off."""
    for left in folder().glob(_UNFINISHED + "*"):
        with contextlib.suppress(OSError):  # the folder may have been removed meanwhile
            if left.stat().st_mtime < time.time() - 86_400:
                shutil.rmtree(left, ignore_errors=True)
