"""Where plotly.js comes from: the small bundle if it can be had, and else the full one, without a word."""

import ast
import gzip
import hashlib
import http.server
import threading

import pytest
from starlette.applications import Starlette

from pages.ui.draw import plotly_js
from tests.conftest import ROOT
from tests.pages.asgi import get

APP = Starlette(routes=plotly_js.routes())
SMALL = b"globalThis.Plotly = {};  // a stand-in" * 1000


class Place:
    """A server that publishes the small bundle, and counts how often it is asked."""

    def __init__(self, content=SMALL, status=200):
        place = self
        self.asked = 0

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                place.asked += 1
                self.send_response(status)
                self.send_header("Content-Length", str(len(SMALL)))  # also where less comes
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/{plotly_js.NAME}"


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Returns a function that starts the app anew, with what an earlier start has kept, and waits for its thread."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("FEEDBACK_LAB_PLOTLY", raising=False)
    monkeypatch.setattr(plotly_js, "SHA256", hashlib.sha256(SMALL).hexdigest())
    places = []

    def start(place=None):
        monkeypatch.setattr(plotly_js, "_small", [])
        monkeypatch.setattr(plotly_js, "_first", threading.Lock())
        monkeypatch.setattr(plotly_js, "SOURCE", place.address if place else "http://127.0.0.1:1/none")
        places.append(place)
        for _ in range(3):  # runs of app.py
            plotly_js.provide()
        for thread in threading.enumerate():
            if thread.name == "plotly.js":
                thread.join()

    yield start
    for place in filter(None, places):
        place.server.shutdown()
        place.server.server_close()


def served():
    """What a browser gets at the address that the pages name."""
    for accepted in ("identity", "gzip"):
        answer = get(APP, f"/{plotly_js.url()}", accept_encoding=accepted)
        assert answer.status == 200 and "immutable" in answer.headers["cache-control"]
        assert answer.headers.get("content-encoding", "identity") == accepted
    return gzip.decompress(answer.body)


def full():
    from plotly.offline import get_plotlyjs

    return get_plotlyjs().encode()


def test_the_small_bundle_is_fetched_once_and_kept_for_the_next_start(start):
    place = Place()
    start(place)
    assert plotly_js.url() == f"plotly/{plotly_js.NAME}" and served() == SMALL
    assert plotly_js.source() == SMALL.decode() and place.asked == 1
    start(place)
    assert served() == SMALL and place.asked == 1


def test_without_a_network_the_full_bundle_is_used(start, capsys):
    start()
    assert served() == full() and plotly_js.source() == full().decode()
    assert capsys.readouterr() == ("", ""), "without a word"


OTHER = {"short": (SMALL[:-1], 200), "else": (b"x" * len(SMALL), 200), "empty": (b"", 200), "missing": (SMALL, 404)}


@pytest.mark.parametrize(("content", "status"), OTHER.values(), ids=OTHER)
def test_what_is_not_the_bundle_is_not_used(start, content, status, capsys):
    start(Place(content, status))
    assert served() == full() and not plotly_js.cache().exists() and capsys.readouterr() == ("", "")


def test_a_spoilt_copy_is_replaced(start):
    plotly_js.cache().parent.mkdir(parents=True)
    plotly_js.cache().write_bytes(SMALL[:100])
    start(Place())
    assert served() == SMALL and plotly_js.cache().read_bytes() == SMALL


def test_nothing_is_fetched_where_the_operator_does_not_want_it(start, monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_PLOTLY", "full")
    place = Place()
    start(place)
    assert served() == full() and place.asked == 0


def test_no_unfinished_files_are_left(start, tmp_path):
    start(Place())
    start(Place(b"x"))
    names = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert names <= {plotly_js.NAME}


def test_nothing_is_written_where_the_app_is_installed(start, tmp_path, monkeypatch):
    """A read-only installation, a full disk, a cache folder that is a file: plotly.js is served all the same."""
    file = tmp_path / "a file"
    file.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(file))
    start(Place())
    assert served() == SMALL
    start()
    assert served() == full()
    assert get(APP, "/plotly/../app.py").status == get(APP, "/plotly/other.js").status == 404


def test_every_trace_that_is_drawn_is_declared():
    """The types of traces in the code of the pages are those for which the bundle was chosen."""
    others = {"category", "log", "linear", "line", "data", "websocket.close"}  # of axes, shapes, error bars, messages
    found = set()
    for path in sorted((ROOT / "pages").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Dict):
                pairs = zip(node.keys, node.values, strict=True)
                found |= {v.value for k, v in pairs if isinstance(k, ast.Constant) and k.value == "type"
                          and isinstance(v, ast.Constant)}  # fmt: skip
    assert found - others == plotly_js.TRACES
