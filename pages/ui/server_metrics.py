"""The metrics that `/health` and `/status` show: numbers only."""

from __future__ import annotations

from typing import Any

from pages.ui.files import sharing, uploads
from pages.ui.play.store import STORE
from pages.ui.server.health import Metrics
from pages.ui.server.line import LINE


def _data() -> dict[str, Any]:
    return {"kept": len(sharing.DATA), "megabytes": round(sharing.DATA.bytes / 1e6)}


def _uploads() -> dict[str, Any]:
    number, bytes = uploads.taken()
    return {"kept": number, "megabytes": round(bytes / 1e6)}


METRICS: Metrics = {"runs_in_labs": STORE.told, "sweeps_and_figures": LINE.told, "data": _data, "uploads": _uploads}
