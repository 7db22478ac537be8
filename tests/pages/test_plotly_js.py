"""plotly.js: the small bundle as it was published, and how browsers get it."""

import ast
import gzip
import hashlib

import pytest
from starlette.applications import Starlette

from pages.ui.draw import plotly_js
from tests.code import nodes
from tests.conftest import ROOT
from tests.pages.asgi import get

APP = Starlette(routes=plotly_js.routes())
PUBLISHED = "79542150855a52c567260e3137095dbe2b744e6d702a5cabe67da246942fba7a"  # SHA-256 of the file on npm


def test_it_is_the_bundle_that_was_published():
    source = plotly_js.source()
    assert hashlib.sha256(source.encode()).hexdigest() == PUBLISHED
    assert f"plotly.js (cartesian - minified) v{plotly_js.VERSION}" in source[:100]
    assert "Licensed under the MIT license" in source[:300]


@pytest.mark.parametrize("accepted", ["identity", "gzip"])
def test_a_browser_gets_it_at_the_address_that_the_pages_name_and_keeps_it(accepted):
    answer = get(APP, f"/{plotly_js.url()}", accept_encoding=accepted)
    assert answer.status == 200 and "immutable" in answer.headers["cache-control"]
    assert answer.headers.get("content-encoding", "identity") == accepted
    body = gzip.decompress(answer.body) if accepted == "gzip" else answer.body
    assert body.decode() == plotly_js.source()


def test_nothing_else_is_handed_out():
    assert get(APP, "/plotly/../app.py").status == get(APP, "/plotly/other.js").status == 404


def test_every_trace_that_is_drawn_is_declared():
    """The types of traces in the code of the pages are those that the cartesian bundle has."""
    others = {"category", "log", "linear", "line", "data", "websocket.close"}  # of axes, shapes, error bars, messages
    others |= {"array", "integer", "object", "string"}  # of JSON
    found = set()
    for path in sorted((ROOT / "pages").rglob("*.py")):
        for node in nodes(path):
            if isinstance(node, ast.Dict):
                pairs = zip(node.keys, node.values, strict=True)
                found |= {v.value for k, v in pairs if isinstance(k, ast.Constant) and k.value == "type"
                          and isinstance(v, ast.Constant)}  # fmt: skip
    assert found - others == {"bar", "heatmap", "scatter"}
