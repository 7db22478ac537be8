"""A figure that runs while a person looks: what comes, what it is compared with, and who gets a place on the server."""

import importlib
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from learners.sweep.batch import compute as run_work
from pages.ui.figures import live
from pages.ui.figures.command import compute
from pages.ui.figures.figure import Figure, Panel, Series, Size
from pages.ui.figures.live import FigureRun
from pages.ui.jobs.queue import QUEUE, Queue
from tests.pages.figures.small import small
from tests.waiting import soon


def begun(figure, scale="live"):
    run = FigureRun(figure, scale)
    QUEUE.enter(run)
    return run


def looked(run, holds):
    """Wait for something, and look at the run meanwhile as a page does."""
    soon(lambda: holds() or (QUEUE.enter(run) and holds()))


def same(one, other):
    assert one.panels.keys() == other.panels.keys()
    for panel in one.panels:
        assert one.panels[panel].keys() == other.panels[panel].keys(), panel
        for name, drawn in one.panels[panel].items():
            assert drawn.x == other.panels[panel][name].x
            np.testing.assert_array_equal(drawn.y, other.panels[panel][name].y, err_msg=f"{panel}, {name}")


@pytest.mark.parametrize("scale", ["live", "page"])
def test_curves_of_a_run_are_those_that_the_command_makes(scale):
    run = begun(small(), scale)
    looked(run, lambda: run.complete)
    assert run.whole and not run.failed and not run.cancelled and run.progress.share == 1
    same(run.found, compute(small(), scale))


def test_curves_come_one_by_one_and_those_that_have_come_stay(monkeypatch):
    ends = threading.Semaphore(0)
    given = run_work.dispatch(type(live.plan(small(), "live").works[0]))

    def slow(work, tick):
        ends.acquire(timeout=60)
        return given(work, tick)

    run = FigureRun(small(), "live")
    whole = compute(small(), "live")
    monkeypatch.setattr(importlib.import_module("learners.sweep.run"), "compute", slow)
    assert run.found is None
    QUEUE.enter(run)
    for done in (1, 2, 3):
        ends.release()
        soon(lambda done=done: len(run.parts) == done)
        drawn = run.found.panels["steps"]
        assert sum(len(series.y) for series in drawn.values()) == done
        for name, series in drawn.items():
            np.testing.assert_array_equal(series.y, whole.panels["steps"][name].y[: len(series.y)])
    QUEUE.leave(run.key)
    for _ in run.plan.works:
        ends.release()
    soon(lambda: run.complete)
    assert run.cancelled and not run.whole and not run.failed and run.found.panels["steps"]


def endless(steps=50_000_000):
    panel = Panel("a", "A", (Series("3PR", "perturbed-perceptron"),), Size(steps, seeds=2), dataset="toy-ranking",
                  metric="average-regret", user="cascade", live=Size(steps, seeds=2))  # fmt: skip
    return Figure("X-fig2", "S", 2, "Fig. 2", "Endless", "", (panel,), ())


@pytest.fixture
def several():
    """Runs that never end by themselves, which are cancelled after the test."""
    made = [FigureRun(endless()) for _ in range(4)]
    yield made
    for run in made:
        run.stop()
    for run in made:
        if run.begun:
            run.wait(60)


def test_a_few_run_at_a_time_and_the_others_in_turn(several):
    queue = Queue(jobs=2)
    tickets = [queue.enter(run) for run in several]
    assert [run.running for run in several] == [True, True, False, False]
    assert [ticket.place for ticket in tickets] == [0, 0, 1, 2]
    tickets[0].leave()
    soon(lambda: several[2].running)
    assert [run.running for run in several] == [False, True, True, False]
    tickets[1].leave()
    tickets[3].leave()
    soon(lambda: not several[1].running)
    queue.enter(several[2])
    assert several[3].complete and not several[3].begun and tickets[3].place == 0


def test_a_run_that_nobody_looks_at_is_cancelled_and_the_next_begins(several):
    queue = Queue(jobs=1)
    first, second, third, _ = several
    for run in (first, second, third):
        queue.enter(run)
    assert first.running and not second.begun
    first.sessions = {"": time.monotonic() - live.AWAY["live"] - 1}
    soon(lambda: not first.running)
    assert first.cancelled
    soon(lambda: second.running)
    assert not third.begun and third.waiting().startswith("Waiting for a place on this server. Your run is next")


def test_a_run_that_is_given_up_while_it_waits_does_not_begin(several):
    queue = Queue(jobs=1)
    first, second, _, _ = several
    tickets = [queue.enter(run) for run in (first, second)]
    tickets[1].leave()
    tickets[0].leave()
    soon(lambda: not first.running)
    queue.look()
    assert not second.begun and second.cancelled and queue.processes.metrics()["waiting"] == 0


def test_a_person_with_too_many_runs_reads_why(several, monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_PERSON_JOBS", "1")
    queue = Queue(jobs=1)
    first, second, _, _ = several
    for run in (first, second):
        queue.enter(run, owner="ada")
    assert second.complete and not second.begun
    assert second.failed == "You have 1 run here that has not ended; cancel one or wait."


def test_an_error_is_said_in_one_sentence():
    figure = endless(20)
    run = begun(replace(figure, panels=(replace(figure.panels[0], metric="nonsense"),)))
    soon(lambda: run.complete)
    assert run.failed.startswith("This run broke off: there is no metric 'nonsense'") and run.failed.endswith(".")
    assert "\n" not in run.failed and not run.whole


def test_what_was_run_is_said_honestly():
    assert live.words(small()) == (
        "66 % or more of the data seeds, 18 % or more of the steps and 1 of 2 runs with each seed"
    )
    whole = replace(endless(), panels=(replace(endless().panels[0], page=Size(5, seeds=2), live=Size(5, seeds=2)),))
    assert live.words(whole) == "as much as in the stored result"
    smaller = replace(endless().panels[0], page=Size(9, {"documents": 9}, 2), live=Size(9, {"documents": 5}, 2))
    assert live.words(replace(whole, panels=(smaller,))) == "smaller data"
