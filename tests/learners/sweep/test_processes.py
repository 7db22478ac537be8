"""Worker processes that are killed, that get stuck, and that others share."""

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from learners.sweep import gather, plan, run, sweep
from learners.sweep import processes as worker_processes
from learners.sweep.batch import compute
from learners.sweep.processes import Lost
from tests.conftest import ROOT
from tests.learners.sweep.setups import SETUP, Background, equal

pytestmark = pytest.mark.long


@dataclass(frozen=True)
class Deadly:
    """A work that ends its own process as often as `times` says, and then finds its number."""

    number: int
    folder: str
    times: int = 0
    steps: int = 1
    runs: int = 1


@compute.register(Deadly)
def _(work, tick=lambda steps: False):
    before = len(list(Path(work.folder).glob(f"{work.number}-*")))
    Path(work.folder, f"{work.number}-{before}").touch()
    if before < work.times:
        os.kill(os.getpid(), signal.SIGKILL)
    return work.number


@dataclass(frozen=True)
class Stuck:
    """A work whose step never ends."""

    number: int
    steps: int = 1
    runs: int = 1


@compute.register(Stuck)
def _(work, tick=lambda steps: False):
    time.sleep(3600)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    monkeypatch.setattr(worker_processes, "POLL", 0.01)
    monkeypatch.setattr(worker_processes, "PATIENCE", 0.5)


def test_a_killed_process_is_told_once_and_its_work_is_run_again(tmp_path):
    said = []
    works = [Deadly(n, str(tmp_path), times=int(n in (1, 3))) for n in range(5)]
    found = sorted(number for _, number in run(works, workers=2, say=said.append))
    assert found == [0, 1, 2, 3, 4]
    assert said == ["A worker process was ended by the system. What it had not finished is run again."]


def test_what_had_ended_before_a_process_was_killed_is_not_run_again(tmp_path):
    works = [Deadly(0, str(tmp_path)), Deadly(1, str(tmp_path), times=1)]
    parts = []
    for part in run(works, workers=2, say=lambda sentence: None):
        parts.append(part)
    runs = {n: len(list(tmp_path.glob(f"{n}-*"))) for n in (0, 1)}
    assert runs[1] == 2 and runs[0] <= 2 and len(parts) == 2


def test_processes_that_are_killed_again_and_again_end_it_in_one_sentence(tmp_path):
    job = Background([Deadly(0, str(tmp_path), times=100), Deadly(1, str(tmp_path))], workers=2)
    job.wait(60)
    assert job.error.startswith("The system ended the worker processes 3 times, probably because memory ran out.")
    assert "\n" not in job.error and 1 <= len(job.notes) <= 2
    with pytest.raises(Lost):
        list(run([Deadly(2, str(tmp_path), times=100)] * 1 + [Deadly(3, str(tmp_path), times=100)], 2, say=print))


def test_a_sweep_has_the_same_table_although_a_process_was_killed(tmp_path):
    batches = plan(SETUP, {"documents": [5, 10, 15]}, replicates=2, steps=640)
    killer = [Deadly(len(batches), str(tmp_path), times=1)]
    parts = [part for part in run([*killer, *batches], workers=2, say=print) if not isinstance(part[0], Deadly)]
    equal(gather(parts), sweep(SETUP, {"documents": [5, 10, 15]}, replicates=2, steps=640))


def test_a_stuck_step_does_not_outlive_its_cancellation():
    began = time.monotonic()
    job = Background([Stuck(0), Stuck(1)], workers=2)
    time.sleep(1)
    job.stop.set()
    job.wait(30)
    assert job.error is None and time.monotonic() - began < 30
    equal(sweep(SETUP, {"documents": [5]}, steps=10), sweep(SETUP, {"documents": [5]}, steps=10))


def test_another_sweep_goes_on_when_a_stuck_one_is_ended():
    """All sweeps of a server share their processes."""
    stuck = Background([Stuck(0), Stuck(1)], workers=2)
    time.sleep(1)
    batches = plan(SETUP, {"documents": [5, 10]}, replicates=2, steps=64)
    parts = []
    thread = threading.Thread(target=lambda: parts.extend(run(batches, workers=2, say=lambda sentence: None)))
    thread.start()
    stuck.stop.set()
    stuck.wait(30)
    thread.join(60)
    assert not thread.is_alive() and len(parts) == 2


@dataclass(frozen=True)
class Bomb:
    """A work that takes so many MB of memory, and finds them."""

    number: int
    megabytes: int
    steps: int = 1
    runs: int = 1


@compute.register(Bomb)
def _(work, tick=lambda steps: False):
    return len(bytes(bytearray(1_000_000)) * work.megabytes)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not say what a process takes")
def test_a_memory_bomb_ends_in_one_sentence_and_its_process_goes_on():
    job = Background([Bomb(0, 10), Bomb(1, 600)], pool=worker_processes.POOL, megabytes=200)
    job.wait(60)
    assert [found for _, found in job.parts] == [10_000_000]
    assert job.error == (
        "It needs more than the 200 MB of memory that a process of this server may take. Lower the replicates or the "
        "size of the data."
    )
    assert not job.notes, "the process was not ended"
    assert [found for _, found in run([Bomb(0, 600)], pool=worker_processes.POOL)] == [600_000_000]


def test_a_fault_of_one_sweep_reaches_no_other():
    batches = plan(SETUP, {"documents": [5, 10]}, replicates=2, steps=20_000)
    parts = []
    said = []
    thread = threading.Thread(target=lambda: parts.extend(run(batches, workers=2, say=said.append)))
    thread.start()
    for _ in range(5):
        job = Background(plan(SETUP, {"documents": [5]}, steps=10, metrics=["nonsense"]), pool=worker_processes.POOL)
        job.wait(30)
        assert "there is no metric 'nonsense'" in job.error
    thread.join(120)
    assert len(parts) == 2 and not said


def test_one_worker_of_a_pool_is_another_process(tmp_path):
    said = []
    found = [n for _, n in run([Deadly(0, str(tmp_path), times=1)], pool=worker_processes.POOL, say=said.append)]
    assert found == [0] and len(said) == 1


WORKER = """
import os, time
from learners.sweep.processes import Pool

if __name__ == "__main__":
    print(Pool().submit(1, os.getpid).result(), flush=True)
    time.sleep(600)
"""

COMPILER = """
import psutil, subprocess, sys, threading, time
from learners import warm

if __name__ == "__main__":
    warm.is_warm, warm.taken = lambda: False, lambda name: False
    threading.Thread(target=warm._launch, args=("",), daemon=True).start()
    while not (found := psutil.Process().children()):
        time.sleep(0.1)
    print(found[0].pid, flush=True)
    time.sleep(600)
"""


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a process does not see that its parent has gone")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("code", [WORKER, COMPILER], ids=["worker", "compiler"])
def test_processes_end_with_the_server_that_started_them(how, code, tmp_path):
    script = tmp_path / "server.py"
    script.write_text(code, "utf-8")
    environment = os.environ | {"PYTHONPATH": str(ROOT), "FEEDBACK_LAB_CACHE": str(tmp_path / "cache")}
    server = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=environment)
    worker = psutil.Process(int(server.stdout.readline()))
    assert worker.is_running()
    server.send_signal(how)
    server.wait(60)
    worker.wait(60)  # raises where it goes on
