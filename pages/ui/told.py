"""What the parts of the app tell the one who runs the server, for `/health` and `/status`: numbers only."""

from __future__ import annotations

from typing import Any

from pages.ui.files import sharing, uploads
from pages.ui.play.store import STORE
from pages.ui.server.health import Told
from pages.ui.server.line import LINE


def _data() -> dict[str, Any]:
    return {"kept": len(sharing.DATA), "megabytes": round(sharing.DATA.bytes / 1e6)}


def _uploads() -> dict[str, Any]:
    number, bytes = uploads.taken()
    return {"kept": number, "megabytes": round(bytes / 1e6)}


TOLD: Told = {"runs_in_labs": STORE.told, "sweeps_and_figures": LINE.told, "data": _data, "uploads": _uploads}
