"""Works of sweeps and figures as jobs: progress, cancellation, faults, and parts that can be read as they come."""

import time

import pytest

from learners.sweep import gather, plan
from pages.ui.jobs.queue import Queue
from pages.ui.jobs.works import Works
from tests.learners.sweep.setups import SETUP, equal


@pytest.fixture
def queue():
    made = Queue()
    yield made
    made.clear()


def test_works_run_in_the_background_and_are_cancelled(queue):
    job = Works(plan(SETUP, {"documents": [5, 30]}, replicates=2, steps=10_000_000))
    ticket = queue.enter(job)
    while not job.progress.done:
        time.sleep(0.05)
    assert job.running and job.progress.left > 0 and job.table().empty
    ticket.leave()
    job.wait(20)
    assert job.complete and job.cancelled and not job.failed and job.progress.share < 1


def test_works_say_what_went_wrong(queue):
    job = Works(plan(SETUP, {"documents": [5]}, steps=10, metrics=["nonsense"]))
    queue.enter(job)
    job.wait(20)
    assert job.failed.startswith("This run broke off: there is no metric 'nonsense'")


def test_the_parts_can_be_read_as_they_end_and_count_as_memory(queue):
    batches = plan(SETUP, {"documents": [5, 10]}, replicates=2, steps=64)
    job = Works(batches)
    queue.enter(job)
    job.wait(20)
    assert [batch for batch, _ in job.parts] == batches
    equal(gather(job.parts), job.table())
    assert job.bytes == sum(rows.memory_usage().sum() for _, rows in job.parts) > 0


def test_works_that_no_session_wants_are_stopped(queue, monkeypatch):
    monkeypatch.setattr(Works, "stays", False)
    job = Works(plan(SETUP, {"documents": [5, 30]}, replicates=2, steps=10_000_000))
    job.away = 0.2  # seconds after which a session that does not ask again seems to have gone
    queue.enter(job)
    job.wait(20)
    assert job.complete and job.cancelled and job.parts == []
