"""Running a sweep on a Dask cluster: identical tables, and what happens when it cannot be reached or is lost."""

import os
import pickle
import socket
import subprocess
import sys
import time
from concurrent.futures import CancelledError
from contextlib import nullcontext
from unittest.mock import MagicMock

import pytest

from learners import sweep
from learners.sweep import Unreachable, connect, gather, plan, run
from learners.sweep import cluster as cluster_module
from learners.sweep.batch import compute
from learners.sweep.cluster import Cluster, on_cluster
from learners.sweep.progress import ProgressWatch
from tests.learners.sweep.setups import SETUP, equal

pytestmark = pytest.mark.long


def started(folder, workers):
    """The address and the processes of a stranger's scheduler and workers, which have never heard of this project."""
    from distributed import Client

    # the source that they are sent is compiled once for both workers
    without = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")
    environment = {k: v for k, v in os.environ.items() if k not in without} | {"XDG_CACHE_HOME": str(folder)}

    def start(module, *arguments):
        log = (folder / f"{module}.log").open("a")
        command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments, "--no-dashboard"]
        return subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)

    file = folder / "scheduler.json"
    named = ("--scheduler-file", str(file), "--host", "127.0.0.1")
    processes = [start("dask_scheduler", *named, "--port", "0")]
    processes += [start("dask_worker", *named, "--no-nanny", "--nthreads", "1") for _ in range(workers)]
    deadline = time.monotonic() + 60
    while not file.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    with Client(scheduler_file=str(file), set_as_default=False) as client:
        client.wait_for_workers(workers, timeout=60)
        return client.scheduler.address, processes


def ended(processes):
    """A worker without its nurse leaves nothing behind when it is killed, and need not say goodbye."""
    for process in reversed(processes):
        process.kill()
        process.wait(30)


@pytest.fixture(scope="module")
def processes(tmp_path_factory):
    """The address of a scheduler with two workers, and the processes."""
    pytest.importorskip("distributed", reason="needs dask.distributed, which is optional")
    address, processes = started(tmp_path_factory.mktemp("cluster"), workers=2)
    yield address, processes
    ended(processes)


@pytest.fixture
def cluster(processes):
    """The address of a scheduler with two workers."""
    return processes[0]


def silent(sentence):
    raise AssertionError(sentence)


def test_a_cluster_gives_the_identical_table(batches, cluster):
    seen = []
    table = gather(run(batches, scheduler=cluster, progress=seen.append, say=silent))
    equal(gather(run(batches)), table)
    assert seen[-1].done == seen[-1].total


def test_a_sweep_on_a_cluster_is_cancelled(cluster):
    batches = plan(SETUP, {"documents": [5, 20, 30]}, replicates=2, steps=10_000_000)
    seen = []
    parts = run(batches, scheduler=cluster, progress=seen.append, cancelled=lambda: bool(seen and seen[-1].done))
    assert list(parts) == []  # it ends, though the batches would take hours
    equal(  # the workers are free again
        sweep(SETUP, {"documents": [5, 9]}, replicates=2, steps=50, scheduler=cluster),
        sweep(SETUP, {"documents": [5, 9]}, replicates=2, steps=50),
    )


def test_an_error_on_a_cluster_reads_the_same(cluster):
    with pytest.raises(ValueError, match="there is no metric 'nonsense'"):
        sweep(SETUP, {"documents": [5, 9]}, replicates=1, steps=1, metrics=["nonsense"], scheduler=cluster)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "tcp://no-such-host.invalid:8786"])
def test_a_cluster_that_cannot_be_reached_is_said_at_once_and_the_sweep_runs_here(address, monkeypatch):
    """At once: a client of Dask, which tries again until its time is up, is never asked."""
    distributed = pytest.importorskip("distributed", reason="needs dask.distributed, which is optional")
    client, said = MagicMock(), []
    monkeypatch.setattr(distributed, "Client", client)
    with pytest.raises(Unreachable, match=f"The Dask scheduler at {address} cannot be reached."):
        connect(address)
    batches = plan(SETUP, {"documents": [5, 9]}, replicates=2, steps=50)
    equal(gather(run(batches)), gather(run(batches, scheduler=address, say=said.append)))
    assert said == [f"The Dask scheduler at {address} cannot be reached. The sweep runs on this machine instead."]
    with pytest.warns(UserWarning, match="cannot be reached"):
        sweep(SETUP, {"documents": [5]}, replicates=1, steps=1, scheduler=address)
    client.assert_not_called()


def test_an_address_where_something_else_listens_is_refused_in_time(monkeypatch):
    """The listener never answers, so that only the limits of time end the attempt: Dask's and, past it, our own.

    A client, which would say when it goes that it could not be closed, is not made.
    """
    distributed = pytest.importorskip("distributed", reason="needs dask.distributed, which is optional")
    client = MagicMock()
    monkeypatch.setattr(distributed, "Client", client)
    monkeypatch.setattr(cluster_module, "TIMEOUT", 1.2)
    limits, within = [], cluster_module._within
    monkeypatch.setattr(cluster_module, "_within", lambda limit, do: limits.append(limit) or within(limit, do))
    with socket.create_server(("127.0.0.1", 0)) as server:
        with pytest.raises(Unreachable, match="cannot be reached") as problem:
            connect(f"tcp://127.0.0.1:{server.getsockname()[1]}")
        assert isinstance(problem.value.__cause__, OSError)  # TimeoutError is one
    assert limits == [2.2]
    client.assert_not_called()


# the last of them, since it ends the cluster
def test_a_cluster_that_is_lost_on_the_way_is_said_and_the_rest_runs_here(processes, monkeypatch):
    address, (scheduler, *_) = processes
    monkeypatch.setattr(cluster_module, "POLL", 0.01)  # so that it is lost before all have ended
    batches = plan(SETUP, {"documents": [5, 10, 20, 30]}, replicates=2, steps=2000)
    parts, said = [], []
    for part in run(batches, scheduler=address, say=said.append):
        parts.append(part)
        scheduler.kill()
    assert said == [f"The Dask cluster at {address} was lost. The sweep runs on this machine instead."]
    equal(gather(parts), gather(run(batches)))


@pytest.mark.parametrize("moment", ["submit", "result", "cancel"])
@pytest.mark.parametrize("error", [ConnectionResetError("by peer"), TimeoutError(), CancelledError("batch")])
def test_a_cluster_may_be_lost_at_any_moment(moment, error):
    """One batch ends, then the connection breaks while another is handed over, fetched or given up."""
    batches = plan(SETUP, {"documents": [5, 9]}, replicates=1, steps=2)
    rows = {batch.number: compute(batch) for batch in batches}
    client = MagicMock(status="running")
    futures = [MagicMock(status="finished"), MagicMock(status="pending" if moment == "cancel" else "finished")]
    for batch, future in zip(batches, futures, strict=True):
        future.result.return_value = pickle.dumps((batch.number, rows[batch.number]))
    client.submit.side_effect = [MagicMock(), *futures]
    broken = {"submit": client.submit, "result": futures[1].result, "cancel": client.cancel}[moment]
    broken.side_effect = error
    cluster = Cluster("tcp://there:8786", client, [])
    found = []
    watch = ProgressWatch(batches, None, lambda: moment == "cancel" and bool(found))
    lost = pytest.raises(Unreachable, match=r"at tcp://there:8786 (was lost|do not answer)")
    with nullcontext() if moment == "cancel" else lost:
        for part in on_cluster(cluster, batches, watch):
            found.append(part)
    assert [number for number, _ in found] == ([] if moment == "submit" else [0])


def test_a_cluster_whose_workers_have_all_left_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(cluster_module, "GONE", 0.01)
    client = MagicMock(status="running")
    client.submit.return_value.status = "pending"
    client.nthreads.return_value = {}
    batches = plan(SETUP, {"documents": [5]}, replicates=1, steps=2)
    with pytest.raises(Unreachable, match=r"The workers at tcp://there:8786 were lost\."):
        next(on_cluster(Cluster("tcp://there:8786", client, []), batches, ProgressWatch(batches, None, None)))


def test_without_dask_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Unreachable, match="pip install"):
        connect("tcp://127.0.0.1:8786")
