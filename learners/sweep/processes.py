"""Runs works in processes of this machine, and goes on when the system ends one of these."""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from learners.sweep.batch import compute
from learners.sweep.progress import Watch, Work

POLL = 0.2  # seconds between two looks at what the processes have done
TRIES = 3  # times in a row that a process may be lost before anything else has ended
PATIENCE = 20.0  # seconds that a process has to end its step once it is to stop; then it is ended


class Lost(RuntimeError):
    """Says in a sentence that processes are lost again and again."""


def in_processes(
    works: Sequence[Work], workers: int, watch: Watch, say: Callable[[str], None]
) -> Iterator[tuple[int, Any]]:
    """Run the works; yield the number of each, as it ends, with what it found.

    A process that is killed, by a person or because memory ran out, takes the works with it that were under way. The
    others stay, and these are run again, in new processes. `say` is told so once.

    Raises
    ------
    Lost : if this happens TRIES times before another work has ended.
    """
    left = {work.number: work for work in works}
    lost, told = 0, False
    while left:
        try:
            for number, found in _once(list(left.values()), workers, watch):
                lost = 0
                del left[number]
                yield number, found
            return
        except BrokenProcessPool:
            if watch.cancelled():
                return
            lost += 1
            if lost == TRIES:
                raise Lost(
                    f"The system ended the worker processes {TRIES} times, probably because memory ran out. What was "
                    "finished is kept. Lower the replicates, the size of the data or the number of processes."
                ) from None
            if not told:
                say("A worker process was ended by the system. What it had not finished is run again.")
                told = True


def _once(works: Sequence[Work], workers: int, watch: Watch) -> Iterator[tuple[int, Any]]:
    """Run the works by joblib. Each writes its steps to a file of its own; the file `cancelled` stops them all."""
    from joblib import Parallel, delayed  # type: ignore[import-untyped]

    ended: queue.Queue[Any] = queue.Queue()

    def work() -> None:
        try:
            parallel = Parallel(min(workers, len(works)), batch_size=1, return_as="generator_unordered")
            for item in parallel(delayed(_in_process)(one, folder) for one in works):
                ended.put(item)
            ended.put(None)
        except BaseException as error:
            ended.put(error)

    with TemporaryDirectory(prefix="feedback-lab-sweep-", ignore_cleanup_errors=True) as folder:
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        try:
            while True:
                try:
                    item = ended.get(timeout=POLL)
                except queue.Empty:
                    watch.note(_taken(Path(folder)))
                    if not watch.cancelled():
                        continue
                    return
                if item is None:
                    return
                if isinstance(item, BaseException):
                    raise item
                number, found = item
                if found is not None:
                    yield number, found
        finally:
            Path(folder, "cancelled").touch()
            thread.join(PATIENCE)
            if thread.is_alive():
                _end(Path(folder))
                thread.join(PATIENCE)


def _in_process(work: Work, folder: str) -> tuple[int, Any]:
    file, flag, process = (Path(folder, name) for name in (str(work.number), "cancelled", f"{work.number}.process"))
    process.write_text(str(os.getpid()), "ascii")

    def tick(steps: int) -> bool:
        file.write_text(str(steps), "ascii")
        return flag.exists()

    try:
        return work.number, None if flag.exists() else compute(work, tick)
    finally:
        process.unlink(missing_ok=True)


def _taken(folder: Path) -> dict[int, int]:
    """Read what the processes have written: the steps taken, by the work's number."""
    texts = {int(file.name): file.read_text("ascii") for file in folder.iterdir() if file.name.isdecimal()}
    return {number: int(text) for number, text in texts.items() if text}


def _end(folder: Path) -> None:
    """End the processes that are still in the middle of one of the works."""
    for file in folder.glob("*.process"):
        with suppress(OSError, ValueError):
            os.kill(int(file.read_text("ascii")), getattr(signal, "SIGKILL", signal.SIGTERM))
