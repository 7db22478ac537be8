"""plotly.js for the browser, in the smallest official bundle that draws what the pages draw.

The plotly package brings only the full bundle of 4.8 MB. The one for cartesian charts has 1.5 MB. It lies beside this
module, packed, as npm publishes it (plotly.js-cartesian-dist-min, MIT licence). The server keeps it in memory.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a file that stands alone is made without a server
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

VERSION = "4.1.1"
NAME = f"plotly-cartesian-{VERSION}.min.js"
FOLDER = "plotly"  # of the address


def url() -> str:
    """Return the address of plotly.js, relative to the app's."""
    return f"{FOLDER}/{NAME}"


def source() -> str:
    """Return the source code of plotly.js, for a page that is to work alone."""
    return gzip.decompress(packed()).decode()


@cache
def packed() -> bytes:
    """Return the source code, packed by gzip."""
    return Path(__file__).with_name(f"{NAME}.gz").read_bytes()


@cache
def integrity() -> str:
    """Return the hash by which a browser knows the file, wherever it fetches it."""
    return "sha384-" + base64.b64encode(hashlib.sha384(gzip.decompress(packed())).digest()).decode()


def routes(base: str = "") -> list[BaseRoute]:
    """Return the route by which browsers get plotly.js. base : the path below which the app is served, "" for none."""
    from starlette.routing import Route

    return [Route(f"{'/' + base if base else ''}/{FOLDER}/{NAME}", _answer, methods=["GET"])]


def _answer(request: Request) -> Response:
    from starlette.responses import Response

    accepted = "gzip" in request.headers.get("accept-encoding", "")
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    headers |= {"Content-Encoding": "gzip"} if accepted else {}
    return Response(packed() if accepted else source(), media_type="text/javascript", headers=headers)
