"""The address `/health`, which says in JSON whether the server is well, for a load balancer or a person who runs it."""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route

from pages.ui.server.presence import people

STARTED = time.monotonic()
LEAST_MB = 50  # of free space, below which uploads and caches fail


def health() -> dict[str, Any]:
    """Return how the server is: people with an open page, memory, threads, free space, and what is wrong in words."""
    problems = []
    free = shutil.disk_usage(tempfile.gettempdir()).free / 1e6
    if free < LEAST_MB:
        problems.append(f"only {free:,.0f} MB are free for temporary files")
    return {
        "status": "ok" if not problems else "degraded",
        "problems": problems,
        "seconds": round(time.monotonic() - STARTED),
        "people": people(),
        "memory_mb": memory(),
        "threads": threading.active_count(),
        "free_mb": round(free),
    }


def memory() -> int | None:
    """Return the resident memory of this process in MB, None where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            pages = int(file.read().split()[1])
    except OSError:
        return None
    import resource

    return round(pages * resource.getpagesize() / 1e6)


async def _answer(_request: Request) -> JSONResponse:
    found = health()
    return JSONResponse(found, status_code=200 if found["status"] == "ok" else 503)


def routes(base: str = "") -> list[BaseRoute]:
    """Return what `st.App` takes. base : the path below which the app is served, "" for none."""
    return [Route(f"{'/' + base if base else ''}/health", _answer, methods=["GET"])]
