"""Sweeps over parameters, from the library: plan, numbers, workers, clusters, cancellation, errors."""

import os
import pickle
import socket
import subprocess
import sys
import time
from concurrent.futures import CancelledError
from contextlib import nullcontext
from unittest.mock import MagicMock

import numpy as np
import pandas as pd
import pytest

import datasets
from datasets import load
from learners import Simulation, catalogue, create, create_user, sweep
from learners.catalogue import families, user_classes
from learners.sweep import MOST_RUNS, Job, Unreachable, connect, gather, plan, run
from learners.sweep import cluster as cluster_module
from learners.sweep.batch import compute
from learners.sweep.cluster import Cluster, on_cluster
from learners.sweep.plan import LINE, PLANE
from learners.sweep.points import Points
from learners.sweep.run import Watch

# learners that boost have tests of their own, of fewer and longer steps, in test_boosting_sweeps.py
ONLINE = ("ranking", "classification", "multilabel")
SETUP = {"learner": "perturbed-perceptron", "dataset": "toy-ranking", "user": "cascade"}
# for each family a sweep of several batches: numbers of the learner and a parameter of the data set
SWEEPS = {
    "ranking": (SETUP, {"swap_probability": [0.1, 0.5], "documents": [5, 9]}),
    "classification": (
        {"learner": "banditron", "dataset": datasets.create("synnonsep", examples=300)},
        {"gamma": [0.02, 0.3], "noise": [0.0, 0.2]},
    ),
    "multilabel": (
        {"learner": "multilabel-ucb", "dataset": "multilabel-synthetic"},
        {"a": [0.0, 0.5], "labels": [4, 6]},
    ),
}


# tests that need worker processes or a cluster run one after the other, so that these start but once
in_processes, on_a_cluster = pytest.mark.xdist_group("processes"), pytest.mark.xdist_group("cluster")
BOTH = [1, pytest.param(2, marks=in_processes)]  # numbers of workers


def equal(first, second):
    pd.testing.assert_frame_equal(first, second, check_exact=True)


@pytest.fixture(params=SWEEPS)
def batches(request):
    setup, over = SWEEPS[request.param]
    if request.param not in families():
        pytest.skip(f"there is no {request.param} family yet")
    return plan(setup, over, replicates=3, seed=7, steps=300)


# ---- numbers -------------------------------------------------------------------------------------------


def test_each_point_has_the_numbers_of_a_simulation_of_its_own():
    table = sweep(SETUP, {"swap_probability": [0.1, 0.5]}, replicates=3, seed=4, steps=40)
    for value, of in table.groupby("swap_probability"):
        sim = Simulation(create("perturbed-perceptron", swap_probability=value), "toy-ranking", "cascade", 3, seed=4)
        sim.advance(steps=40)
        for metric, got in of.groupby("metric"):
            np.testing.assert_array_equal(got.value, sim.history.final(metric))
            assert got.replicate.tolist() == [0, 1, 2]
        last = sim.history["rank-of-best"][-4:].mean(axis=0)
        np.testing.assert_allclose(of[of.metric == "rank-of-best"].value, last)


def test_parameters_of_learner_user_and_data_set_together():
    over = {"noise": [0.0, 0.4], "documents": [5, 9], "dynamic": [False, True]}
    table = sweep(SETUP, over, replicates=2, steps=30, metrics=["average-regret"])
    assert table.columns.tolist() == ["noise", "documents", "dynamic", "replicate", "metric", "value"]
    assert len(table) == 2 * 2 * 2 * 2
    assert table.groupby(list(over)).size().eq(2).all()
    assert table.noise.tolist() == [0.0] * 8 + [0.4] * 8, "in the order of the grid"
    one = table[(table.noise == 0.4) & (table.documents == 9) & table.dynamic]
    sim = Simulation(
        create("perturbed-perceptron", dynamic=True),
        load("toy-ranking", documents=9),
        create_user("cascade", noise=0.4),
        replicates=2,
    )
    sim.advance(steps=30)
    np.testing.assert_array_equal(one.value, sim.history["average-regret"][-1])


@pytest.mark.parametrize(
    ("id", "user"),
    [(info.id, families()[info.family].user) for info in catalogue() if info.family in ONLINE]
    + [("perturbed-perceptron", user) for user, cls in user_classes().items() if cls.family == "ranking"],
)
def test_points_meet_the_same_order_and_noise(id, user):
    """Every learner and user: with equal parameters all points have equal numbers, those of a simulation alone.

    A failure means that something is drawn in a shape without the replicates first or last, or in an amount that
    depends on what was drawn before.
    """
    info = next(i for i in catalogue() if i.id == id)
    name, params = families()[info.family].smallest
    data = load(name, **params) if user is None else load("digits-search")
    alone = Simulation(id, data, user, replicates=2, seed=5, recorded=2000)
    points = Points(create(id), data, create_user(user) if user else None, points=3, replicates=2, seed=5)
    alone.advance(steps=260)
    points.advance(steps=260)
    for metric in alone.history:
        wanted = np.tile(alone.history[metric], (1, 3))
        np.testing.assert_allclose(points.history[metric], wanted, rtol=1e-9, atol=1e-12, err_msg=metric)


@pytest.mark.parametrize("info", [info for info in catalogue() if info.family in ONLINE], ids=lambda info: info.id)
def test_every_number_of_every_learner_can_be_swept(info):
    """On the replicate axis where the learner takes it there, else one by one: the numbers of a run alone."""
    name, params = families()[info.family].smallest
    data = load(name, **params)
    for parameter in (p for p in info.parameters if p.kind in ("real", "integer")):
        values = [parameter.check(v) for v in {parameter.default, min(parameter.default + 1, parameter.high)}]
        made = {v: create(info.id, **{parameter.name: v}) for v in values}
        table = sweep({"learner": info.id, "dataset": data}, {parameter.name: values}, replicates=2, steps=80)
        for value, learner in made.items():
            alone = Simulation(learner, data, replicates=2, recorded=2000)
            alone.advance(steps=80)
            of = table[table[parameter.name] == value]
            for metric in alone.history:
                np.testing.assert_allclose(
                    of[of.metric == metric].value, alone.history.final(metric), rtol=1e-9, atol=1e-12,
                    err_msg=f"{parameter.name} = {value}: {metric}",
                )  # fmt: skip


def test_a_point_is_the_same_however_the_grid_is_cut():
    whole = sweep(SETUP, {"swap_probability": [0.1, 0.3, 0.5]}, replicates=4, steps=200)
    alone = sweep(SETUP, {"swap_probability": [0.3]}, replicates=4, steps=200)
    equal(whole[whole.swap_probability == 0.3].reset_index(drop=True), alone)


def test_the_order_of_the_values_and_of_the_parameters_plays_no_part():
    setup, over = SWEEPS["classification"]
    first = sweep(setup, over, replicates=2, steps=300)
    turned = sweep(setup, {name: over[name][::-1] for name in reversed(over)}, replicates=2, steps=300)
    by = ["gamma", "noise", "metric", "replicate"]
    equal(*(t.sort_values(by, ignore_index=True)[[*by, "value"]] for t in (first, turned)))


@in_processes
def test_data_that_are_already_built_are_used_as_they_are():
    data = load("toy-ranking", documents=7)
    over = {"swap_probability": [0.1, 0.5], "noise": [0.0, 0.2]}
    made = sweep({**SETUP, "dataset": data}, over, replicates=PLANE, steps=30, workers=2)
    equal(made, sweep({**SETUP, "dataset": datasets.create("toy-ranking", documents=7)}, over, PLANE, steps=30))


# ---- the plan ------------------------------------------------------------------------------------------


def test_a_line_of_values_is_one_batch_and_a_plane_is_several():
    line = plan(SETUP, {"swap_probability": np.linspace(0, 1, 15)}, replicates=10)
    assert [batch.runs for batch in line] == [150]
    plane = plan(SETUP, {"swap_probability": np.linspace(0, 1, 5), "noise": np.linspace(0, 1, 5)}, replicates=10)
    assert sum(batch.runs for batch in plane) == 250 and max(batch.runs for batch in plane) <= PLANE
    assert sorted(place for batch in plane for place in batch.places) == list(range(25))
    long = plan(SETUP, {"swap_probability": np.linspace(0, 1, 50)}, replicates=10)
    assert max(batch.runs for batch in long) <= LINE
    many = plan(SETUP, {"swap_probability": [0.1, 0.5]}, replicates=500)
    assert [batch.runs for batch in many] == [500, 500], "the replicates of a point stay together"


def test_a_batch_has_bounded_memory():
    setup = {"learner": "banditron", "dataset": datasets.create("synnonsep", examples=2_000_000)}
    gammas = np.linspace(0.01, 1, 20)
    assert len(plan(setup | {"dataset": "synnonsep"}, {"gamma": gammas}, replicates=10)) == 1
    assert len(plan(setup, {"gamma": gammas}, replicates=10)) > 3, "the data order of a replicate takes 16 MB"
    with pytest.raises(ValueError, match=r"1,000 replicates of banditron on synnonsep need 16.0 GB of memory at once"):
        plan(setup, {"gamma": [0.5]}, replicates=1000)


def test_a_batch_is_a_small_description():
    setup = {"learner": "banditron", "dataset": datasets.create("synnonsep", examples=2_000_000)}
    batches = plan(setup, {"gamma": [0.1, 0.2]})
    packed = pickle.dumps(batches)
    assert len(packed) < 2000 and pickle.loads(packed) == batches


# ---- errors --------------------------------------------------------------------------------------------

LEARN = {"learner": "banditron", "dataset": "digits"}


@pytest.mark.parametrize(
    ("setup", "over", "more", "words"),
    [
        (SETUP, {"gama": [1]}, {}, "neither learner, user nor data set has a parameter 'gama'; they have: feedback|swap"),
        (LEARN, {"gama": [1]}, {}, "neither learner nor data set has a parameter 'gama'; they have: gamma"),
        (SETUP, {"swap_probability": [0.5, 1.5]}, {}, r"swap_probability must be in \[0, 1\], got 1.5"),
        (SETUP, {"swap_probability": ["half"]}, {}, r"swap_probability must be in \[0, 1\], got half"),
        (SETUP, {"swap_probability": [[0.1, 0.2]]}, {}, r"swap_probability must be in \[0, 1\], got"),
        (SETUP, {"swap_probability": []}, {}, "swap_probability needs at least one value"),
        (SETUP, {"swap_probability": [0.1, 0.1]}, {}, "swap_probability has the value 0.1 twice"),
        (SETUP, {"swap_probability": 0.1}, {}, "the values of swap_probability must be a list, got 0.1"),
        (SETUP, {"swap_probability": "0.1"}, {}, "the values of swap_probability must be a list, got 0.1"),
        (SETUP, {"documents": [5.5]}, {}, "documents must be a whole number"),
        (SETUP, {}, {}, "over must name at least one parameter"),
        (SETUP, {"noise": [0.1, 0.2]}, {"replicates": MOST_RUNS}, "at most 10,000 runs, got 2 points × 10,000 repl"),
        (SETUP, {"noise": [0.1]}, {"steps": 0}, "steps must be a whole number of at least 1 and at most 10,000,000"),
        (SETUP, {"noise": [0.1]}, {"steps": 10**8}, "steps must be .* got 100000000"),
        (SETUP, {"noise": [0.1]}, {"replicates": 1.5}, "replicates must be a whole number"),
        (SETUP, {"noise": [0.1]}, {"seed": -1}, "seed must be a whole number of at least 0, got -1"),
        (SETUP, {"noise": [0.1]}, {"metrics": ["nonsense"]}, "there is no metric 'nonsense'; perturbed-perceptron has:"),
        (SETUP, {"noise": [0.1]}, {"metrics": []}, "metrics must name at least one"),
        (SETUP, {"noise": [0.1]}, {"workers": 0}, "workers must be a whole number of at least 1, got 0"),
        (SETUP, {"noise": [0.1]}, {"scheduler": "somewhere"}, "scheduler must be an address such as tcp://"),
        (SETUP | {"dataset": "digits"}, {"noise": [0.1]}, {}, "perturbed-perceptron needs a ranking data set, got digits"),
        (LEARN | {"user": "cascade"}, {"gamma": [0.1]}, {}, "banditron has no simulated user"),
        ({"learner": "banditron"}, {"gamma": [0.1]}, {}, "setup must name a dataset, got learner"),
        (SETUP | {"learner": "x"}, {"noise": [0.1]}, {}, "there is no learner 'x'"),
    ],
)  # fmt: skip
def test_what_is_not_allowed_is_refused_in_words(setup, over, more, words):
    with pytest.raises(ValueError, match=words):
        sweep(setup, over, **{"replicates": 1, "steps": 1, **more})


@in_processes
def test_an_error_in_a_worker_process_reads_the_same():
    with pytest.raises(ValueError, match="there is no metric 'nonsense'"):
        sweep(SETUP, {"documents": [5, 9]}, replicates=1, steps=1, metrics=["nonsense"], workers=2)


# ---- running -------------------------------------------------------------------------------------------


@in_processes
def test_worker_processes_give_the_identical_table(batches):
    assert len(batches) > 1
    one = gather(run(batches))
    equal(one, gather(run(batches, workers=2)))
    equal(one, gather(reversed(list(run(batches)))))


@pytest.mark.parametrize("workers", BOTH)
def test_progress_grows_and_ends_at_the_total(workers):
    seen = []
    batches = plan(SETUP, {"documents": [5, 10, 20]}, replicates=5, steps=3000)
    parts = list(run(batches, workers=workers, progress=seen.append))
    done = [now.done for now in seen]
    assert done == sorted(done) and done[-1] == seen[-1].total == 3 * 5 * 3000
    assert seen[-1].finished == seen[-1].batches == len(parts) == 3 and seen[-1].left == 0
    assert len(set(done)) > 4, "it moves within a batch too"
    assert all(now.left >= 0 for now in seen if now.done)


@pytest.mark.parametrize("workers", BOTH)
def test_cancelling_keeps_what_is_done(workers):
    batches = plan(SETUP, {"documents": [5, 10]}, replicates=2, steps=500)
    endless = plan(SETUP, {"documents": [20, 30, 40]}, replicates=2, steps=10_000_000)
    batches = [*batches, *(batch.__class__(**{**vars(batch), "number": batch.number + 2}) for batch in endless)]
    parts = []
    began = time.monotonic()
    for part in run(batches, workers, cancelled=lambda: len(parts) == 2):
        parts.append(part)
    assert time.monotonic() - began < 60
    assert sorted(batch.number for batch, _ in parts) == [0, 1]
    equal(gather(parts), sweep(SETUP, {"documents": [5, 10]}, replicates=2, steps=500))


def test_a_job_runs_in_the_background_and_is_cancelled():
    job = Job(plan(SETUP, {"documents": [5, 30]}, replicates=2, steps=10_000_000))
    while not job.progress.done:
        time.sleep(0.05)
    assert job.running and job.progress.left > 0 and job.table().empty
    job.cancel()
    job.wait(20)
    assert not job.running and job.cancelled and job.error is None and job.progress.share < 1


def test_a_job_says_what_went_wrong():
    job = Job(plan(SETUP, {"documents": [5]}, steps=10, metrics=["nonsense"]))
    job.wait(20)
    assert "there is no metric 'nonsense'" in job.error


def test_a_job_that_nobody_holds_ends():
    job = Job(plan(SETUP, {"documents": [5]}, steps=10_000_000))
    thread = job._thread
    del job
    thread.join(20)
    assert not thread.is_alive()


# ---- clusters ------------------------------------------------------------------------------------------


def started(folder, workers):
    """The address and the processes of a stranger's scheduler and workers, which have never heard of this project."""
    from distributed import Client

    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"XDG_CACHE_HOME": str(folder)}

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


@on_a_cluster
def test_a_cluster_gives_the_identical_table(batches, cluster):
    seen = []
    table = gather(run(batches, scheduler=cluster, progress=seen.append, say=silent))
    equal(gather(run(batches)), table)
    assert seen[-1].done == seen[-1].total


@on_a_cluster
def test_a_sweep_on_a_cluster_is_cancelled(cluster):
    batches = plan(SETUP, {"documents": [5, 20, 30]}, replicates=2, steps=10_000_000)
    began, seen = time.monotonic(), []
    assert (
        list(run(batches, scheduler=cluster, progress=seen.append, cancelled=lambda: bool(seen and seen[-1].done)))
        == []
    )
    assert time.monotonic() - began < 40
    equal(  # the workers are free again
        sweep(SETUP, {"documents": [5, 9]}, replicates=2, steps=50, scheduler=cluster),
        sweep(SETUP, {"documents": [5, 9]}, replicates=2, steps=50),
    )


@on_a_cluster
def test_an_error_on_a_cluster_reads_the_same(cluster):
    with pytest.raises(ValueError, match="there is no metric 'nonsense'"):
        sweep(SETUP, {"documents": [5, 9]}, replicates=1, steps=1, metrics=["nonsense"], scheduler=cluster)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "tcp://no-such-host.invalid:8786"])
def test_a_cluster_that_cannot_be_reached_is_said_at_once_and_the_sweep_runs_here(address):
    pytest.importorskip("distributed", reason="needs dask.distributed, which is optional")
    said = []
    began = time.monotonic()
    with pytest.raises(Unreachable, match=f"The Dask scheduler at {address} cannot be reached."):
        connect(address)
    assert time.monotonic() - began < 5
    batches = plan(SETUP, {"documents": [5, 9]}, replicates=2, steps=50)
    equal(gather(run(batches)), gather(run(batches, scheduler=address, say=said.append)))
    assert said == [f"The Dask scheduler at {address} cannot be reached. The sweep runs on this machine instead."]
    with pytest.warns(UserWarning, match="cannot be reached"):
        sweep(SETUP, {"documents": [5]}, replicates=1, steps=1, scheduler=address)


def test_an_address_where_something_else_listens_is_refused_in_time(monkeypatch):
    pytest.importorskip("distributed", reason="needs dask.distributed, which is optional")
    monkeypatch.setattr(cluster_module, "TIMEOUT", 1.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        began = time.monotonic()
        with pytest.raises(Unreachable, match="cannot be reached"):
            connect(f"tcp://127.0.0.1:{server.getsockname()[1]}")
        assert time.monotonic() - began < 8


@on_a_cluster  # the last of them, since it ends the cluster
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
    client.submit.side_effect = futures
    broken = {"submit": client.submit, "result": futures[1].result, "cancel": client.cancel}[moment]
    broken.side_effect = error
    cluster = Cluster("tcp://there:8786", client, [])
    found = []
    watch = Watch(batches, None, lambda: moment == "cancel" and bool(found))
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
        next(on_cluster(Cluster("tcp://there:8786", client, []), batches, Watch(batches, None, None)))


def test_without_dask_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Unreachable, match="pip install"):
        connect("tcp://127.0.0.1:8786")
