"""Measure what a call takes: its peak of memory, its seconds and its outcome, in a process of its own."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

READERS = {  # the readers of files that pages use, `module:function`, called with the path
    "classification": "datasets.tables.classification_file:read",
    "multilabel": "datasets.tables.multilabel_file:read",
    "ranking": "datasets.letor.file:read",
    "folds": "datasets.letor.folds:read",
    "movies": "datasets.movies.text:read",
}
_TOP = Path(__file__).parents[2]


@dataclass(frozen=True)
class Measured:
    """The cost of a call. A child process that was killed has the outcome "killed", one that was too slow "hang".

    outcome : read, refused (a ValueError), or the name of the exception. words : what the ValueError says, or the last
    line of the traceback. peak_mb : the highest resident memory above that before the call. seconds : of the clock.
    cpu : seconds of a core, which other processes lengthen less.
    """

    outcome: str
    words: str
    peak_mb: float
    seconds: float
    cpu: float

    @property
    def one_sentence(self) -> bool:
        """Whether the file was read, or refused in one line."""
        return self.outcome == "read" or (self.outcome == "refused" and "\n" not in self.words.strip())


def measure(call: str, *arguments: Any, timeout: float = 120, threads: int = 1, **named: Any) -> Measured:
    """Call `module:function` in a process of its own and return what that took.

    Strings, numbers and paths may be arguments; a `Path` arrives as a `Path`. Modules are imported before memory is
    measured. The cache of files is an empty folder.
    """
    given = json.dumps([call, [_packed(value) for value in arguments], {k: _packed(v) for k, v in named.items()}])
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"XDG_CACHE_HOME": cache, "OMP_NUM_THREADS": str(threads), "PYTHONPATH": str(_TOP)}
        command = [sys.executable, "-m", "tests.attack.memory", given]
        try:
            done = subprocess.run(
                command, cwd=_TOP, env=environment, capture_output=True, text=True, timeout=timeout, check=False
            )
        except subprocess.TimeoutExpired:
            return Measured("hang", f"more than {timeout:g} s", 0.0, timeout, timeout)
    if done.returncode:
        return Measured("killed", f"{done.returncode}: {done.stderr[-500:]}", 0.0, 0.0, 0.0)
    return Measured(**json.loads(done.stdout.splitlines()[-1]))


def read(reader: str, path: Path, **named: Any) -> Measured:
    """Read a file with one of `READERS` in a process of its own; `timeout` and the reader's parameters by name."""
    return measure(READERS[reader], path, **named)


def _packed(value: Any) -> Any:
    return {"path": str(value)} if isinstance(value, Path) else value


def _unpacked(value: Any) -> Any:
    return Path(value["path"]) if isinstance(value, dict) and set(value) == {"path"} else value


def _status(field: str) -> float:
    """Return a field of this process's memory, in MB (Linux)."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return float(line.split()[1]) / 1000
    raise RuntimeError(f"no {field} in /proc/self/status")


def _child(given: str) -> Measured:
    """Call the function in this process."""
    import time

    call, arguments, named = json.loads(given)
    module, _, function = call.partition(":")
    called = getattr(importlib.import_module(module), function)
    for warm in ("pandas", "scipy.sparse", "sklearn.datasets", "pandas.api.types"):
        importlib.import_module(warm)
    before = _status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the peak counts from now on
    clock, cpu = time.perf_counter(), time.process_time()
    kept, outcome, words = None, "read", ""
    try:
        kept = called(*map(_unpacked, arguments), **{name: _unpacked(value) for name, value in named.items()})
    except ValueError as error:
        outcome, words = ("refused", str(error)) if type(error) is ValueError else (type(error).__name__, str(error))
    except BaseException as error:
        outcome, words = type(error).__name__, str(error)[-500:]
    seconds, cpu = time.perf_counter() - clock, time.process_time() - cpu
    peak = _status("VmHWM") - before
    del kept
    return Measured(outcome, words, peak, seconds, cpu)


if __name__ == "__main__":
    print(json.dumps(vars(_child(sys.argv[1]))))
