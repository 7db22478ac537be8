"""plotly.js for the browser, in the smallest official bundle that draws what the pages draw.

The plotly package brings only the full bundle of 4.8 MB. The bundle for cartesian charts has 1.5 MB. When the app first
starts on a machine with a network, it fetches that bundle in the background from the place where plotly.js is published
and keeps it in the user's cache folder. Until it is there, and where it cannot be had, the full bundle is used.
FEEDBACK_LAB_PLOTLY=full keeps the server from fetching.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import os
import tempfile
import threading
import urllib.request
from pathlib import Path

STATIC = Path(__file__).parents[3] / "static"  # what Streamlit serves under app/static, compressed

TRACES = frozenset({"bar", "heatmap", "scatter"})  # the types of traces that are drawn; cartesian charts have them all
VERSION = "4.1.1"
NAME = f"plotly-cartesian-{VERSION}.min.js"
SOURCE = f"https://cdn.plot.ly/{NAME}"
SHA256 = "79542150855a52c567260e3137095dbe2b744e6d702a5cabe67da246942fba7a"
MOST = 4_000_000  # bytes that are read of an answer
PATIENCE = 30  # seconds

_first = threading.Lock()  # taken once, by the thread that fetches


def provide() -> None:
    """Put plotly.js where the browser can load it, and begin to fetch the small bundle. It does not wait.

    Called at every run of app.py; does nothing where the small bundle is in place already.
    """
    if (STATIC / NAME).exists():
        return
    if not _kept():
        full = STATIC / _full_name()
        if not full.exists():
            _place(full, _full())
        if os.environ.get("FEEDBACK_LAB_PLOTLY", "").strip() != "full" and _first.acquire(blocking=False):
            threading.Thread(target=_fetch, name="plotly.js", daemon=True).start()


def url() -> str:
    """Return the address of plotly.js, relative to the app's."""
    return f"app/static/{NAME if (STATIC / NAME).exists() else _full_name()}"


def source() -> str:
    """Return the source code of plotly.js, for a page that is to work alone."""
    small = STATIC / NAME
    return small.read_text("utf-8") if small.exists() else _full().decode()


def cache() -> Path:
    """Return the file in the user's cache folder that keeps the small bundle; it may not exist."""
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("feedback-lab", appauthor=False)) / NAME


def _kept() -> bool:
    """Put the bundle of an earlier start in place; return whether there is one."""
    try:
        content = cache().read_bytes()
    except OSError:
        return False
    if _is_it(content):
        _place(STATIC / NAME, content)
        return True
    return False


def _fetch() -> None:
    """Fetch the small bundle. Without a network, or if anything else comes, everything stays as it is."""
    with contextlib.suppress(OSError, http.client.HTTPException):
        with urllib.request.urlopen(SOURCE, timeout=PATIENCE) as answer:
            content = answer.read(MOST)
        if _is_it(content):
            with contextlib.suppress(OSError):  # without a cache folder it is fetched again at the next start
                _place(cache(), content)
            _place(STATIC / NAME, content)


def _is_it(content: bytes) -> bool:
    return hashlib.sha256(content).hexdigest() == SHA256


def _full() -> bytes:
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs()).encode()


def _full_name() -> str:
    import plotly

    return f"plotly-{plotly.__version__}.min.js"


def _place(target: Path, content: bytes) -> None:
    """Write a file; nobody sees a part of it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(name, 0o644)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise
