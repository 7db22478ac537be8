"""Replicates side by side: the numbers of one thread, faults that reach the caller, and no threads in any state."""

import copy
import threading
import time

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from learners.boosting import side_by_side as module
from learners.boosting.side_by_side import Pace, side_by_side
from learners.threads import one_thread
from tests.cases import cases
from tests.learners.boosting.problems import CLASSES, run, same

BOOSTERS = sorted(id for id, cls in CLASSES.items() if cls.boosts)


@pytest.fixture
def threads(monkeypatch):
    """Call with True for threads always, False for never."""
    monkeypatch.setattr(module, "_cores", lambda: 4)
    module._threads.cache_clear()
    yield lambda wanted: monkeypatch.setattr(Pace, "threads_pay", lambda self: wanted)
    module._threads().shutdown()
    module._threads.cache_clear()


@cases("id", BOOSTERS)
def test_threads_give_the_numbers_of_one_thread(id, threads):
    runs = []
    for wanted in (False, True, True):
        threads(wanted)
        runs.append(run(id, steps=12, replicates=5))
    for other in runs[1:]:
        same(runs[0], other)
        for mine, its in zip(runs[0].last.rounds, other.last.rounds, strict=True):
            assert mine.stopped == its.stopped
            np.testing.assert_array_equal(mine.weights, its.weights)


def test_work_is_done_in_several_threads_and_returned_in_order(threads):
    threads(True)
    names, meeting = set(), threading.Barrier(2)

    def work(item):
        names.add(threading.current_thread().name)
        meeting.wait(timeout=30)  # two of them must be at work at once
        return item

    assert side_by_side(work, range(6), Pace()) == list(range(6))
    assert len(names) >= 2 and threading.current_thread().name not in names


@pytest.mark.parametrize("wanted", [False, True])
def test_a_fault_reaches_the_caller_when_all_work_is_over(wanted, threads):
    threads(wanted)
    over = []

    def work(item):
        if item in (1, 2):
            raise ValueError(f"fault in {item}")
        time.sleep(0.05)
        over.append(item)

    with pytest.raises(ValueError, match="fault in 1"):
        side_by_side(work, range(4), Pace())
    done = list(over)
    time.sleep(0.2)
    assert over == done and 0 in done


@pytest.mark.parametrize("wanted", [False, True])
def test_a_fault_in_the_round_of_one_replicate_reaches_the_caller(wanted, threads):
    threads(wanted)
    sim = run("mcssb", steps=2, replicates=4)
    sim.environment.learners[2].H = None
    with pytest.raises(AttributeError):
        sim.advance(steps=1)
    assert sim.t == 2 and len(sim.history["objective"]) == 2


@cases("id", BOOSTERS)
def test_a_copy_of_an_environment_goes_on_alike(id, threads):
    threads(True)
    sim = run(id, steps=3, replicates=3)
    other = copy.deepcopy(sim.environment)
    for _ in range(3):
        mine, its = sim.environment.run(1), other.run(1)
        for metric in mine:
            np.testing.assert_array_equal(mine[metric], its[metric])


def test_threads_are_used_while_they_are_faster():
    pace = Pace()
    assert not pace.threads_pay()  # the first time
    pace.took(False, 1.0)
    assert pace.threads_pay()
    pace.took(True, 0.6)
    assert pace.threads_pay()
    pace.took(True, 1.2)
    assert not pace.threads_pay()
    pace.took(False, 1.1)
    assert not Pace(alone=module.WORTH / 2).threads_pay()  # too little work


def test_linear_algebra_stays_in_one_thread_until_the_last_has_left():
    def limits():
        return {info["num_threads"] for info in threadpool_info() if info["user_api"] == "blas"}

    before, entered, leave = limits(), threading.Event(), threading.Event()

    def other():
        with one_thread():
            entered.set()
            leave.wait(timeout=30)

    thread = threading.Thread(target=other)
    with one_thread():
        thread.start()
        assert entered.wait(timeout=30)
    assert limits() == {1}
    leave.set()
    thread.join()
    assert limits() == before
