"""The address `/health`, which says in JSON whether the server is well, for a load balancer or a person who runs it."""

import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from learners.run import memory
from pages.ui.server import hosts
from pages.ui.server.exposure import address
from pages.ui.server.sessions import open_pages

STARTED = time.monotonic()
LEAST_MB = 50  # of free space, below which uploads and caches fail
MANY_LONG = 4  # steps without end at a time, with which the server has no worker left in reserve

UNKNOWN_HOST = (
    "This server listens on its own machine alone, and says how it is under the machine's own names, or those given by "
    "--server.corsAllowedOrigins."
)

Metrics = Mapping[str, Callable[[], Mapping[str, Any]]]  # by part of the app, a function that returns its numbers
NO_METRICS: Metrics = {}


def health(metrics: Metrics = NO_METRICS) -> dict[str, Any]:
    """Return how the server is: people with an open page, memory, threads, free space, and what is wrong in words.

    metrics : by part of the app, functions that return numbers of theirs, which are added.
    """
    problems = []
    free = shutil.disk_usage(tempfile.gettempdir()).free / 1e6
    if free < LEAST_MB:
        problems.append(f"only {free:,.0f} MB are free for temporary files")
    parts = {name: dict(read()) for name, read in metrics.items()}
    long = sum(int(part.get("long_steps", 0)) for part in parts.values())
    if long >= MANY_LONG:
        problems.append(f"{long} runs are in steps that take very long")
    left = memory.free()
    return {
        "status": "ok" if not problems else "degraded",
        "problems": problems,
        "seconds": round(time.monotonic() - STARTED),
        "people": open_pages(),
        "memory_mb": memory.taken(),
        "free_memory_mb": None if left is None else round(left),
        "threads": threading.active_count(),
        "free_disk_mb": round(free),
        **parts,
    }


def routes(base: str = "", metrics: Metrics = NO_METRICS) -> list[BaseRoute]:
    """Return what `st.App` takes. base : the path below which the app is served, "" for none."""

    async def answer(request: Request) -> Response:
        if hosts.is_unknown(request.headers.get("host", ""), address()):
            return PlainTextResponse(UNKNOWN_HOST, status_code=421)
        found = health(metrics)
        return JSONResponse(found, status_code=200 if found["status"] == "ok" else 503)

    return [Route(f"{'/' + base if base else ''}/health", answer, methods=["GET"])]
