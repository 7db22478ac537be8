"""plotly.js for the browser, in the smallest official bundle that draws what the pages draw.

The plotly package brings only the full bundle of 4.8 MB. The bundle for cartesian charts has 1.5 MB. When the app first
starts on a machine with a network, it fetches that bundle in the background from the place where plotly.js is published
and keeps it in the user's cache folder. Until it is there, and where it cannot be had, the full bundle is used.
FEEDBACK_LAB_PLOTLY=full keeps the server from fetching.

The server hands it out from memory, so that nothing needs to be written where the app is installed. What the cache
folder holds is used only if it is the bundle, byte for byte.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import http.client
import os
import tempfile
import threading
import urllib.request
from functools import cache as cached
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from datasets.variables import Variable

TRACES = frozenset({"bar", "heatmap", "scatter"})  # the types of traces that are drawn; cartesian charts have them all
VERSION = "4.1.1"
NAME = f"plotly-cartesian-{VERSION}.min.js"
SOURCE = f"https://cdn.plot.ly/{NAME}"
SHA256 = "79542150855a52c567260e3137095dbe2b744e6d702a5cabe67da246942fba7a"
MOST_BYTES = 4_000_000  # bytes that are read of an answer
PATIENCE = 30  # seconds
PLOTLY = Variable(
    "FEEDBACK_LAB_PLOTLY", "choice", "small", choices=("small", "full"),
    help="With small, the server fetches the smaller plotly.js, once, when it first starts. With full it does not.",
)  # fmt: skip
FOLDER = "plotly"  # of the address

_first = threading.Lock()  # taken once, by the thread that fetches
_small: list[bytes] = []  # the small bundle once it is here


def provide() -> None:
    """Look for the small bundle, and begin to fetch it if it is not here. It does not wait.

    Called at every run of app.py; does nothing where the small bundle is here already.
    """
    if _small or _kept():
        return
    if PLOTLY.value == "small" and _first.acquire(blocking=False):
        threading.Thread(target=_fetch, name="plotly.js", daemon=True).start()


def url() -> str:
    """Return the address of plotly.js, relative to the app's."""
    return f"{FOLDER}/{NAME if _small else _full_name()}"


def source() -> str:
    """Return the source code of plotly.js, for a page that is to work alone."""
    return (_small[0] if _small else _full()).decode()


def routes(base: str = "") -> list[BaseRoute]:
    """Return the route by which browsers get plotly.js. base : the path below which the app is served, "" for none."""
    return [Route(f"{'/' + base if base else ''}/{FOLDER}/{{name}}", _answer, methods=["GET"])]


def content(name: str) -> bytes | None:
    """Return the bundle with this name, None if there is none. A page that was drawn earlier may ask for either."""
    if name == NAME and _small:
        return _small[0]
    return _full() if name == _full_name() else None


def _answer(request: Request) -> Response:
    found = content(request.path_params["name"])
    if found is None:
        return Response("There is no such file.", status_code=404, media_type="text/plain")
    packed = "gzip" in request.headers.get("accept-encoding", "")
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    headers |= {"Content-Encoding": "gzip"} if packed else {}
    return Response(_packed(found) if packed else found, media_type="text/javascript", headers=headers)


@cached
def _packed(content: bytes) -> bytes:
    return gzip.compress(content, 6, mtime=0)


def cache() -> Path:
    """Return the file in the user's cache folder that keeps the small bundle; it may not exist."""
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("feedback-lab", appauthor=False)) / NAME


def _kept() -> bool:
    """Take the bundle of an earlier start; return whether there is one."""
    try:
        content = cache().read_bytes()
    except OSError:
        return False
    if _is_it(content):
        _small[:] = [content]
        return True
    return False


def _fetch() -> None:
    """Fetch the small bundle. Without a network, or if anything else comes, everything stays as it is."""
    with contextlib.suppress(OSError, http.client.HTTPException):
        with urllib.request.urlopen(SOURCE, timeout=PATIENCE) as answer:
            content = answer.read(MOST_BYTES)
        if _is_it(content):
            _small[:] = [content]
            with contextlib.suppress(OSError):  # without a cache folder it is fetched again at the next start
                _place(cache(), content)


def _is_it(content: bytes) -> bool:
    return hashlib.sha256(content).hexdigest() == SHA256


@cached
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
