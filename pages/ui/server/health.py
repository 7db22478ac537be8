"""The address `/health`, which says in JSON whether the server is well, for a load balancer or a person who runs it."""

from __future__ import annotations

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
from pages.ui.server.presence import people
from pages.ui.server.strangers import address

STARTED = time.monotonic()
LEAST_MB = 50  # of free space, below which uploads and caches fail
MANY_LONG = 4  # steps without end at a time, with which the server has no worker left in reserve

STRANGE = (
    "This server listens on its own machine alone, and says how it is under the machine's own names, or those given by "
    "--server.corsAllowedOrigins."
)

Told = Mapping[str, Callable[[], Mapping[str, Any]]]  # by room of the app, a function that returns its numbers
NOTHING: Told = {}


def health(told: Told = NOTHING) -> dict[str, Any]:
    """Return how the server is: people with an open page, memory, threads, free space, and what is wrong in words.

    told : by room of the app, functions that return numbers of theirs, which are added.
    """
    problems = []
    free = shutil.disk_usage(tempfile.gettempdir()).free / 1e6
    if free < LEAST_MB:
        problems.append(f"only {free:,.0f} MB are free for temporary files")
    rooms = {name: dict(tell()) for name, tell in told.items()}
    long = sum(int(room.get("long_steps", 0)) for room in rooms.values())
    if long >= MANY_LONG:
        problems.append(f"{long} runs are in steps that take very long")
    left = memory.free()
    return {
        "status": "ok" if not problems else "degraded",
        "problems": problems,
        "seconds": round(time.monotonic() - STARTED),
        "people": people(),
        "memory_mb": memory.taken(),
        "free_memory_mb": None if left is None else round(left),
        "threads": threading.active_count(),
        "free_disk_mb": round(free),
        **rooms,
    }


def routes(base: str = "", told: Told = NOTHING) -> list[BaseRoute]:
    """Return what `st.App` takes. base : the path below which the app is served, "" for none. told : as in `health`."""

    async def answer(request: Request) -> Response:
        if hosts.strange(request.headers.get("host", ""), address()):
            return PlainTextResponse(STRANGE, status_code=421)
        found = health(told)
        return JSONResponse(found, status_code=200 if found["status"] == "ok" else 503)

    return [Route(f"{'/' + base if base else ''}/health", answer, methods=["GET"])]
