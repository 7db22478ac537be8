"""Runs batches of a sweep on a Dask cluster (dask.distributed, an optional dependency)."""

from __future__ import annotations

import asyncio
import importlib
import operator
import pickle
import queue
import re
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any

from datasets.parameters import shown
from learners.sweep import remote
from learners.sweep.progress import ProgressWatch, SweepWork

TIMEOUT = 3  # seconds to find the scheduler
READY = 30  # seconds for its workers to load the source
GONE = 10  # seconds to wait for another worker after the last one has left
POLL = 0.2  # seconds between two looks at the batches


class Unreachable(Exception):
    """Says in a sentence why the cluster cannot be used."""


@dataclass
class Cluster:
    """A cluster that is ready for batches, for use in `with`. notes : sentences that a person should read."""

    address: str
    client: Any
    notes: list[str]

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the cluster; it goes on running for others."""
        self.client.close(timeout=TIMEOUT)


def connect(address: str) -> Cluster:
    """Connect to a cluster by the address of its scheduler, within a few seconds.

    Raises
    ------
    ValueError : for a malformed address.
    Unreachable : if Dask is not installed, nobody answers, or no worker can run a batch.

    >>> connect("localhost")
    Traceback (most recent call last):
    ValueError: scheduler must be an address such as tcp://127.0.0.1:8786, got localhost
    """
    if not isinstance(address, str) or not re.fullmatch(
        r"(tcp|tls|ws|wss)://(\[[0-9a-fA-F:.]+\]|[\w.-]+):\d{1,5}", address
    ):
        raise ValueError(f"scheduler must be an address such as tcp://127.0.0.1:8786, got {shown(address)}")
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise Unreachable('For a cluster Dask must be installed: pip install "dask[distributed]".') from None

    async def greeted() -> None:  # for a client that meets something else leaves a traceback in the log when it goes
        line = await distributed.comm.connect(address, timeout=TIMEOUT)
        await line.close()

    def reach() -> Any:
        # a socket is refused at once, whereas a client tries again until its time is up
        host, port = address.split("://")[1].rsplit(":", 1)
        socket.create_connection((host.strip("[]"), int(port)), timeout=TIMEOUT - 1).close()
        asyncio.run(greeted())
        return distributed.Client(address, timeout=TIMEOUT, set_as_default=False)

    try:
        client = _within(TIMEOUT + 1, reach)
    except Exception as error:  # whatever answers at that address, or keeps silent
        raise Unreachable(f"The Dask scheduler at {address} cannot be reached.") from error
    try:
        with _asking(address):
            return Cluster(address, client, _within(READY, lambda: _ready(address, client)))
    except BaseException:
        client.close(timeout=TIMEOUT)
        raise


@contextmanager
def _asking(address: str) -> Iterator[None]:
    """Turn what Dask raises when a cluster is silent or gone, at any request, into `Unreachable`."""
    try:
        yield
    except TimeoutError as error:
        raise Unreachable(f"The workers at {address} do not answer.") from error
    except (OSError, CancelledError) as error:
        raise Unreachable(f"The Dask cluster at {address} was lost.") from error


def _within(seconds: float, do: Callable[[], Any]) -> Any:
    """Return or raise what `do` does; TimeoutError if it takes longer."""
    ended: queue.Queue[Callable[[], Any]] = queue.Queue()

    def work() -> None:
        try:
            found = do()
            ended.put(lambda: found)
        except BaseException as error:
            problem = error

            def fail() -> Any:
                raise problem

            ended.put(fail)

    threading.Thread(target=work, daemon=True).start()
    try:
        return ended.get(timeout=seconds)()
    except queue.Empty:
        raise TimeoutError from None


def _ready(address: str, client: Any) -> list[str]:
    """Hand the source to the workers; return in sentences what differs between here and there."""
    if not client.scheduler_info(n_workers=-1)["workers"]:
        raise Unreachable(f"The Dask scheduler at {address} has no workers.")
    versions = client.get_versions()
    notes = []
    for name in ("python", "numpy"):
        here, there = _version(versions["client"], name), {_version(w, name) for w in versions["workers"].values()}
        if name == "python" and {v.rsplit(".", 1)[0] for v in there} != {here.rsplit(".", 1)[0]}:
            raise Unreachable(f"The workers at {address} have Python {', '.join(sorted(there))}, here it is {here}.")
        if name == "numpy" and there != {here}:
            notes.append(
                f"The workers at {address} have NumPy {', '.join(sorted(there))}, here it is {here}: "
                "numbers may differ in their last digits."
            )
    try:
        client.register_plugin(remote.plugin(*remote.source()))
        client.run(remote.check)
    except (importlib.import_module("distributed.comm").CommClosedError, TimeoutError):
        raise  # the connection failed, not the source
    except Exception as error:
        raise Unreachable(f"The workers at {address} cannot run a sweep: {shown(error, 200)}.") from error
    return notes


def _version(versions: Any, name: str) -> str:
    where = versions["host"] if name == "python" else versions["packages"]
    return str(where[name]).split(".final")[0]


def on_cluster(cluster: Cluster, batches: Sequence[SweepWork], watch: ProgressWatch) -> Iterator[tuple[int, Any]]:
    """Run the batches; yield the number and the rows of each as it ends. Stop early once it is cancelled.

    Raises
    ------
    Unreachable : if the cluster is lost on the way; what was yielded remains valid.
    """
    client, channel = cluster.client, f"feedback-lab-{uuid.uuid4().hex}"
    steps: dict[int, int] = {}

    def listen(event: Any) -> None:
        number, taken = event[1]
        steps[number] = taken

    waiting: list[Any] = []
    checked = present = time.monotonic()  # when workers were last looked for, and when there were any
    try:
        with _asking(cluster.address):
            client.subscribe_topic(channel, listen)
            task = client.submit(resolve_name, f"{remote.__name__}:run_batch", key=f"{channel}-task", pure=False)
            waiting = [
                client.submit(
                    operator.call, task, pickle.dumps(batch), channel, key=f"{channel}-{batch.number}", pure=False
                )
                for batch in batches
            ]
        while waiting:
            for future in [f for f in waiting if f.status != "pending"]:
                waiting.remove(future)
                if future.status in ("cancelled", "lost") or client.status != "running":
                    raise Unreachable(f"The Dask cluster at {cluster.address} was lost.")
                if future.status == "error":
                    _raise(future, cluster)
                with _asking(cluster.address):
                    answer = future.result()
                yield pickle.loads(answer)
            if client.status != "running":
                raise Unreachable(f"The Dask cluster at {cluster.address} was lost.")
            now = time.monotonic()
            if waiting and now > checked + 1:
                checked = now
                with _asking(cluster.address):
                    present = now if client.nthreads() else present
                if now > present + GONE:
                    raise Unreachable(f"The workers at {cluster.address} were lost.")
            watch.note(dict(steps))
            if watch.cancelled():
                return
            time.sleep(POLL if waiting else 0)
    finally:
        if client.status == "running":
            with suppress(OSError, CancelledError):  # a cluster that is gone has nothing left to cancel
                if waiting:
                    client.cancel(waiting)
                    client.run(remote.give_up, channel)
                client.unsubscribe_topic(channel)


def _raise(future: Any, cluster: Cluster) -> None:
    """Raise what went wrong in a batch: an error of the sweep as it is, one of the cluster as Unreachable."""
    error = future.exception()
    if isinstance(error, (importlib.import_module("distributed").KilledWorker, OSError)):
        raise Unreachable(f"The workers at {cluster.address} were lost: {shown(error, 200)}.") from error
    raise error
