"""Running a sweep here and in worker processes: identical tables, progress, cancellation, jobs in the background."""

import importlib

import pytest

from learners import sweep
from learners.sweep import gather, plan, run
from learners.sweep.batch import simulation
from tests.learners.sweep.setups import SETUP, equal


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    monkeypatch.setattr(importlib.import_module("learners.sweep.processes"), "POLL", 0.01)


@pytest.mark.long
def test_worker_processes_give_the_identical_table(batches):
    assert len(batches) > 1
    one = gather(run(batches))
    equal(one, gather(run(batches, workers=2)))
    equal(one, gather(reversed(list(run(batches)))))


@pytest.mark.parametrize("workers", [1, 2])
def test_progress_grows_and_ends_at_the_total(workers):
    seen = []
    grid = {"documents": [5, 10, 20]}
    steps = 3 * max(simulation(batch).environment.block for batch in plan(SETUP, grid, replicates=5))
    batches = plan(SETUP, grid, replicates=5, steps=steps)
    parts = list(run(batches, workers=workers, progress=seen.append))
    done = [now.done for now in seen]
    assert done == sorted(done) and done[-1] == seen[-1].total == 3 * 5 * steps
    assert seen[-1].finished == seen[-1].batches == len(parts) == 3 and seen[-1].left == 0
    assert len(set(done)) > 4, "it moves within a batch too"
    assert all(now.left >= 0 for now in seen if now.done)


@pytest.mark.parametrize("workers", [1, 2])
def test_cancelling_keeps_what_is_done(workers):
    batches = plan(SETUP, {"documents": [5, 10]}, replicates=2, steps=500)
    endless = plan(SETUP, {"documents": [20, 30, 40]}, replicates=2, steps=10_000_000)
    batches = [*batches, *(batch.__class__(**{**vars(batch), "number": batch.number + 2}) for batch in endless)]
    parts = []
    for part in run(batches, workers, cancelled=lambda: len(parts) == 2):  # it ends, though the others would not
        parts.append(part)
    assert sorted(batch.number for batch, _ in parts) == [0, 1]
    equal(gather(parts), sweep(SETUP, {"documents": [5, 10]}, replicates=2, steps=500))
