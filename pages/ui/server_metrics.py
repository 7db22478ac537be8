"""The metrics that `/health` and `/status` show: numbers only."""

from typing import Any

from pages.ui.files import sharing, uploads
from pages.ui.jobs.queue import QUEUE
from pages.ui.server.health import Metrics


def _data() -> dict[str, Any]:
    return {"kept": len(sharing.DATA), "megabytes": round(sharing.DATA.bytes / 1e6)}


def _uploads() -> dict[str, Any]:
    number, bytes = uploads.taken()
    return {"kept": number, "megabytes": round(bytes / 1e6)}


METRICS: Metrics = {
    "runs_in_labs": QUEUE.threads.metrics,
    "sweeps_and_figures": QUEUE.processes.metrics,
    "downloads": QUEUE.downloads.metrics,
    "data": _data,
    "uploads": _uploads,
}
