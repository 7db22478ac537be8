"""Holds what travels to a Dask cluster: the source of this project, and functions that run there.

The cluster need not have Feedback Lab installed. The scheduler never has it, and unpacks what it is sent, too. So it is
sent nothing but bytes and functions of Python itself.
"""

import hashlib
import importlib
import io
import pickle
import time
import zipfile
from functools import cache
from typing import Any

from datasets import home

PACKAGES = ("datasets", "learners")
KINDS = (".py", ".toml")  # files of the packages that their modules read
TOPS = (home.PREFIX.rstrip("."),) if home.PREFIX else PACKAGES  # what their imports begin with


@cache
def source() -> tuple[str, bytes]:
    """Return the packages that a worker needs as a zip file, preceded by their digest."""
    written, digest = io.BytesIO(), hashlib.sha256()
    tops = [home.CODE / "__init__.py"] if home.PREFIX else []
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        found = (path for name in PACKAGES for path in (home.CODE / name).rglob("*") if path.suffix in KINDS)
        for path in (*tops, *sorted(found)):
            name, text = path.relative_to(home.ROOT).as_posix(), path.read_bytes()
            archive.writestr(name, text)
            digest.update(f"{name} {len(text)} ".encode() + text)
    return digest.hexdigest()[:16], written.getvalue()


def plugin(digest: str, content: bytes) -> Any:
    """Return a plugin that unpacks the source in the folder of each worker, including those that join later.

    Its class is local, so that it is pickled by value: the worker cannot import this module yet.
    """
    base: Any = importlib.import_module("distributed").WorkerPlugin
    here, tops = __name__, TOPS

    class SourceArchive(base):  # type: ignore[misc]
        name = f"feedback-lab-{digest}"

        def setup(self, worker: Any) -> None:
            import importlib
            import io
            import pathlib
            import sys
            import zipfile

            try:
                ours: Any = importlib.import_module(here)
                if ours.source()[0] == digest:  # it has the same source already
                    return
            except (ImportError, AttributeError):
                pass
            folder = pathlib.Path(worker.local_directory, self.name)
            zipfile.ZipFile(io.BytesIO(content)).extractall(folder)
            for path in [p for p in sys.path if "feedback-lab-" in p]:
                sys.path.remove(path)
            sys.path.insert(0, str(folder))
            for module in [m for m in sys.modules if m.split(".")[0] in tops]:
                del sys.modules[module]
            importlib.invalidate_caches()

    return SourceArchive()


# The workers have the source when they look for what follows.


def check() -> None:
    """Fail where a worker lacks a module that a batch needs."""
    for name in ("sklearn", home.module("learners.sweep.batch")):
        importlib.import_module(name)


def run_batch(packed: bytes, channel: str) -> bytes | None:
    """Run a packed batch and report its steps to a channel."""
    from learners.sweep.batch import compute

    worker: Any = importlib.import_module("distributed").get_worker()
    batch, reported = pickle.loads(packed), 0.0

    def tick(steps: int) -> bool:
        nonlocal reported
        if time.monotonic() - reported > 0.5:
            reported = time.monotonic()
            worker.log_event(channel, (batch.number, steps))
        return channel in worker.__dict__.get("feedback_lab_cancelled", ())

    rows = compute(batch, tick)
    return None if rows is None else pickle.dumps((batch.number, rows))


def give_up(channel: str, dask_worker: Any = None) -> None:
    """Have a worker give up the batches of a channel."""
    dask_worker.__dict__.setdefault("feedback_lab_cancelled", set()).add(channel)
