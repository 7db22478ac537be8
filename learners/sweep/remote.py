"""Holds what travels to a Dask cluster: the source of this project, and functions that run there.

The cluster need not have Feedback Lab installed. The scheduler unpacks what it is sent, too, so that it is sent only
plain functions and bytes.
"""

from __future__ import annotations

import hashlib
import importlib
import io
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

PACKAGES = ("datasets", "learners")


@cache
def source() -> tuple[str, bytes]:
    """Return the packages that a worker needs as a zip file, preceded by their digest."""
    root, written, digest = Path(__file__).parents[2], io.BytesIO(), hashlib.sha256()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for name in PACKAGES for path in (root / name).rglob("*.py")):
            name, text = path.relative_to(root).as_posix(), path.read_bytes()
            archive.writestr(name, text)
            digest.update(f"{name} {len(text)} ".encode() + text)
    return digest.hexdigest()[:16], written.getvalue()


# What follows is defined inside functions, so that it travels by value, since the other side lacks this module.


def plugin(digest: str, content: bytes) -> Any:
    """Return a plugin that unpacks the source in the folder of each worker, including those that join later."""
    base: Any = importlib.import_module("distributed").WorkerPlugin

    class Source(base):  # type: ignore[misc]
        name = f"feedback-lab-{digest}"

        def setup(self, worker: Any) -> None:
            import importlib
            import io
            import pathlib
            import sys
            import zipfile

            try:
                ours: Any = importlib.import_module("learners.sweep.remote")
                if ours.source()[0] == digest:  # it has the same source already
                    return
            except (ImportError, AttributeError):
                pass
            folder = pathlib.Path(worker.local_directory, self.name)
            zipfile.ZipFile(io.BytesIO(content)).extractall(folder)
            for path in [p for p in sys.path if "feedback-lab-" in p]:
                sys.path.remove(path)
            sys.path.insert(0, str(folder))
            for module in [m for m in sys.modules if m.split(".")[0] in ("datasets", "learners")]:
                del sys.modules[module]
            importlib.invalidate_caches()

    return Source()


def check() -> Callable[[], None]:
    """Return a function that fails where a worker lacks a module that a batch needs."""

    def importable() -> None:
        import importlib

        for name in ("sklearn", "learners.sweep.batch"):
            importlib.import_module(name)

    return importable


def task() -> Callable[[bytes, str], bytes | None]:
    """Return a function that runs a packed batch and reports its steps to a channel."""

    def run_batch(packed: bytes, channel: str) -> bytes | None:
        import importlib
        import pickle
        import time

        distributed: Any = importlib.import_module("distributed")
        compute = importlib.import_module("learners.sweep.batch").compute
        worker, batch, reported = distributed.get_worker(), pickle.loads(packed), 0.0

        def tick(steps: int) -> bool:
            nonlocal reported
            if time.monotonic() - reported > 0.5:
                reported = time.monotonic()
                worker.log_event(channel, (batch.number, steps))
            return channel in worker.__dict__.get("feedback_lab_cancelled", ())

        rows = compute(batch, tick)
        return None if rows is None else pickle.dumps((batch.number, rows))

    return run_batch


def give_up(channel: str) -> Callable[[Any], None]:
    """Return a function that makes a worker give up the batches of a channel."""

    def cancel(dask_worker: Any) -> None:
        dask_worker.__dict__.setdefault("feedback_lab_cancelled", set()).add(channel)

    return cancel
