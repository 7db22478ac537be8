"""A structured log: one line of JSON for each event, without anything that tells who a person is or what files hold."""

import json
import logging
import math
import re
import sys
import threading
import time
import traceback
from collections import Counter, deque
from pathlib import Path
from typing import Any

NAME = "feedback_lab"  # of the logger
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")  # an event, or a word of ours that goes with it; never a text
LATEST = 20  # faults that are kept for the one who runs the server
ROOT = Path(__file__).parents[3]

counts: Counter[str] = Counter()  # events since the start
faults: deque[dict[str, Any]] = deque(maxlen=LATEST)  # the latest last
_lock = threading.Lock()


def note(event: str, **values: float | bool | str) -> None:
    """Log that something happened, with a few numbers, flags, or words of ours such as the id of a family.

    Names of people, files, classes and columns, addresses and texts do not belong here.

    Raises
    ------
    ValueError : for a value that could be a text of somebody.

    >>> note("job-ended", seconds=12.5, cancelled=False)
    >>> note("upload", file="marks of 5b.csv")
    Traceback (most recent call last):
    ValueError: file must be a number, a flag or a word of letters, digits, - and _ in the log, got a text
    """
    for name, value in {"event": event, **values}.items():
        if isinstance(value, str) and not WORD.fullmatch(value):
            allowed = "a number, a flag or a word of letters, digits, - and _ in the log"
            raise ValueError(f"{name} must be {allowed}, got a text")
    _write(event, values)


def fault(error: BaseException) -> None:
    """Log that something went wrong in a way nobody foresaw: the kind of the error and its place in the code."""
    found = {"kind": type(error).__name__, "where": _where(error)}
    with _lock:
        faults.append({"time": _now(), **found})
    _write("fault", found)


def listen(stream: Any = None) -> None:
    """Have the events written, one line each, and have every logged error counted among them; once for a server.

    stream : where they are written, standard error by default.
    """
    log = logging.getLogger(NAME)
    if not log.handlers:
        handler = logging.StreamHandler(stream or sys.stderr)
        handler.setFormatter(logging.Formatter("%(message)s"))
        log.addHandler(handler)
        log.setLevel(logging.INFO)
        log.propagate = False
    for name in ("", "streamlit.error_util"):  # Streamlit logs there what ends a page, and passes it to nobody
        other = logging.getLogger(name)
        if not any(isinstance(handler, _Watcher) for handler in other.handlers):
            if not other.handlers and logging.lastResort is not None:
                other.addHandler(logging.lastResort)  # which Python leaves out as soon as there is any handler
            other.addHandler(_Watcher(logging.ERROR))


class _Watcher(logging.Handler):
    """Counts the errors that others log."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            fault(error)


def _write(event: str, values: dict[str, Any]) -> None:
    with _lock:
        counts[event] += 1
    line = {"time": _now(), "event": event} | {name: _plain(value) for name, value in values.items()}
    logging.getLogger(NAME).info(json.dumps(line, ensure_ascii=True, allow_nan=False))


def _plain(value: Any) -> Any:
    value = value.item() if hasattr(value, "item") else value  # of numpy
    if isinstance(value, float):
        return round(value, 3) if math.isfinite(value) else str(value)
    return value


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def _where(error: BaseException) -> str:
    """Return the place in our code where an error came from, such as `pages/runs.py:12`, or that of its end."""
    frames = traceback.extract_tb(error.__traceback__)
    for frame in reversed(frames):
        path = Path(frame.filename)
        if path.is_relative_to(ROOT) and "site-packages" not in path.relative_to(ROOT).parts:
            return f"{path.relative_to(ROOT).as_posix()}:{frame.lineno}"
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
