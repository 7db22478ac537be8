"""Runs works in processes of this machine, and goes on when the system ends one of these."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from learners.sweep.batch import compute
from learners.sweep.progress import ProgressWatch, SweepWork

POLL = 0.2  # seconds between two looks at what the processes have done
TRIES = 3  # times in a row that a process may be lost before anything else has ended
IDLE = 300  # seconds after which a process without work ends
ORPHAN = 0.5  # seconds between two looks of a process whether the one that started it is still there
PATIENCE = 20.0  # seconds that a process has to end its step once it is to stop; then it is ended


class Lost(RuntimeError):
    """Says in a sentence that processes are lost again and again."""


class TooLarge(RuntimeError):
    """Says in a sentence that a work needs more memory than its process may take."""


class Pool:
    """Processes that are started when there is work for them, and shared by all who have work.

    They do not share faults. An error that a work raises reaches nobody else.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._size = 0
        self._processes: Any = None

    def submit(self, workers: int, do: Callable[..., Any], *given: Any) -> Future[Any]:
        """Have something done in a process of at least `workers`; in new ones where those of before were ended."""
        from joblib.externals.loky.process_executor import ShutdownExecutorError  # type: ignore[import-untyped]

        with self._lock:
            if self._processes is None or workers > self._size:
                self._start(workers)
            try:
                future: Future[Any] = self._processes.submit(do, *given)
            except (BrokenProcessPool, ShutdownExecutorError):  # it ended before: that loss was told when it came
                self._start(workers)
                future = self._processes.submit(do, *given)
        return future

    def _start(self, workers: int) -> None:
        from joblib.externals.loky import ProcessPoolExecutor  # type: ignore[import-untyped]

        self._size = max(workers, self._size)
        environment = dict.fromkeys(THREADS, "1")
        self._processes = ProcessPoolExecutor(
            self._size, timeout=IDLE, env=environment, initializer=end_with, initargs=(os.getpid(),)
        )


POOL = Pool()
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def in_processes(
    works: Sequence[SweepWork],
    workers: int,
    watch: ProgressWatch,
    say: Callable[[str], None],
    pool: Pool = POOL,
    megabytes: int | None = None,
) -> Iterator[tuple[int, Any]]:
    """Run the works; yield the number of each, as it ends, with what it found.

    A process that is killed, by a person or because memory ran out, takes the works with it that were under way. The
    others stay, and these are run again, in new processes. `say` is told so once.

    megabytes : most memory that a work may take, on top of what its process takes anyway; None for no limit.

    Raises
    ------
    TooLarge : if a work needs more memory.
    Lost : if this happens TRIES times before another work has ended.
    """
    left = {work.number: work for work in works}
    lost, told = 0, False
    while left:
        try:
            for number, found in _once(list(left.values()), workers, watch, pool, megabytes):
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


def _once(
    works: Sequence[SweepWork], workers: int, watch: ProgressWatch, pool: Pool, megabytes: int | None
) -> Iterator[tuple[int, Any]]:
    """Run the works, so many at a time. Each writes its steps to a file of its own; the file `cancelled` stops all."""
    waiting, running = list(reversed(works)), set[Future[Any]]()
    with TemporaryDirectory(prefix="feedback-lab-sweep-", ignore_cleanup_errors=True) as folder:
        try:
            while waiting or running:
                while waiting and len(running) < workers:
                    running.add(pool.submit(workers, _in_process, waiting[-1], folder, megabytes))
                    waiting.pop()
                done, running = wait(running, POLL, FIRST_COMPLETED)
                watch.note(_taken(Path(folder)))
                for future in done:
                    number, found = future.result()
                    if found is not None:
                        yield number, found
                if watch.cancelled():
                    return
        finally:
            Path(folder, "cancelled").touch()
            if wait(running, PATIENCE).not_done:
                _end(Path(folder))
                wait(running, PATIENCE)


def end_with(parent: int) -> None:
    """Have this process end soon after the one that started it, however that ends."""

    def look() -> None:
        while os.getppid() == parent:  # then init or another takes its place
            time.sleep(ORPHAN)
        os._exit(1)

    if os.name == "posix":
        threading.Thread(target=look, daemon=True, name="feedback-lab-parent").start()


def _in_process(work: SweepWork, folder: str, megabytes: int | None) -> tuple[int, Any]:
    file, flag, process = (Path(folder, name) for name in (str(work.number), "cancelled", f"{work.number}.process"))
    process.write_text(str(os.getpid()), "ascii")

    def tick(steps: int) -> bool:
        file.write_text(str(steps), "ascii")
        return flag.exists()

    try:
        with limited(megabytes):
            return work.number, None if flag.exists() else compute(work, tick)
    except MemoryError:
        raise TooLarge(
            f"It needs more than the {megabytes:,} MB of memory that a process of this server may take. "
            "Lower the replicates or the size of the data."
            if megabytes
            else "The memory is not enough. Lower the replicates or the size of the data."
        ) from None
    finally:
        process.unlink(missing_ok=True)


@contextmanager
def limited(megabytes: int | None) -> Iterator[None]:
    """Let the process take so much more memory than it takes now, where the system can hold it to that.

    >>> with limited(megabytes=100):
    ...     len(bytearray(1_000_000))
    1000000
    """
    resource = import_module("resource") if find_spec("resource") else None
    limit = getattr(resource, "RLIMIT_DATA", None)
    if megabytes is None or resource is None or limit is None or (now := _data()) is None:
        yield
        return
    before, most = resource.getrlimit(limit)
    wanted = now + megabytes * 1_000_000
    resource.setrlimit(limit, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))
    try:
        yield
    finally:
        resource.setrlimit(limit, (before, most))


def _data() -> int | None:
    """Return the bytes of the data of this process, as RLIMIT_DATA counts them; None where the system does not say."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text("ascii").splitlines():
            if line.startswith("VmData:"):
                return int(line.split()[1]) * 1024
    return None


def _taken(folder: Path) -> dict[int, int]:
    """Read what the processes have written: the steps taken, by the work's number."""
    texts = {int(file.name): file.read_text("ascii") for file in folder.iterdir() if file.name.isdecimal()}
    return {number: int(text) for number, text in texts.items() if text}


def _end(folder: Path) -> None:
    """End the processes that are still in the middle of one of the works."""
    for file in folder.glob("*.process"):
        with suppress(OSError, ValueError):
            os.kill(int(file.read_text("ascii")), getattr(signal, "SIGKILL", signal.SIGTERM))
