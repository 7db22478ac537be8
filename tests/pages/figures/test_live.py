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
from pages.ui.figures.live import Run
from pages.ui.server.line import Line
from tests.pages.figures.small import small


def until(holds, seconds=60):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.01)


def begun(figure, scale="live"):
    run = Run(figure, scale)
    run.begin()
    return run


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
    until(lambda: run.complete and not run.running)
    assert run.error is None and not run.cancelled and run.progress.share == 1
    same(run.found, compute(small(), scale))


def test_curves_come_one_by_one_and_those_that_have_come_stay(monkeypatch):
    ends = threading.Semaphore(0)
    given = run_work.dispatch(type(live.plan(small(), "live").works[0]))

    def slow(work, tick):
        ends.acquire(timeout=60)
        return given(work, tick)

    run = Run(small(), "live")
    whole = compute(small(), "live")
    monkeypatch.setattr(importlib.import_module("learners.sweep.run"), "compute", slow)
    assert run.found is None
    run.begin()
    for done in (1, 2, 3):
        ends.release()
        until(lambda done=done: len(run.job.parts) == done)
        drawn = run.found.panels["steps"]
        assert sum(len(series.y) for series in drawn.values()) == done
        for name, series in drawn.items():
            np.testing.assert_array_equal(series.y, whole.panels["steps"][name].y[: len(series.y)])
    run.cancel()
    for _ in run.plan.works:
        ends.release()
    until(lambda: not run.running)
    assert run.cancelled and not run.complete and run.found.panels["steps"]


def endless(steps=50_000_000):
    panel = Panel("a", "A", (Series("3PR", "perturbed-perceptron"),), Size(steps, seeds=2), dataset="toy-ranking",
                  metric="average-regret", user="cascade", live=Size(steps, seeds=2))  # fmt: skip
    return Figure("X-fig2", "S", 2, "Fig. 2", "Endless", "", (panel,), ())


@pytest.fixture
def several():
    """Runs that never end by themselves, which are cancelled after the test."""
    made = [Run(endless()) for _ in range(4)]
    yield made
    for run in made:
        run.cancel()
    for run in made:
        if run.job is not None:
            run.job.wait(60)


def test_a_few_run_at_a_time_and_the_others_in_turn(several):
    line = Line(jobs=2)
    for run in several:
        run.look(line)
    assert [run.running for run in several] == [True, True, False, False]
    assert [run.turn.place for run in several] == [0, 0, 1, 2]
    several[0].cancel()
    until(lambda: several[2].running)
    assert [run.running for run in several] == [False, True, True, False]
    several[1].cancel()
    several[3].cancel()
    until(lambda: not several[1].running)
    several[2].look(line)
    assert not several[3].waiting and not several[3].running and several[3].turn.place == 0


def test_a_run_that_nobody_looks_at_is_cancelled_and_the_next_begins(several):
    line = Line(jobs=1)
    first, second, third, _ = several
    for run in (first, second, third):
        run.look(line)
    assert first.running and second.waiting
    first.looked = time.monotonic() - live.AWAY["live"] - 1
    until(lambda: not first.running)
    assert first.cancelled
    until(lambda: second.running)
    assert third.waiting and third.turn.words.startswith("Waiting for a place on this server. Your run is next")


def test_a_run_that_is_given_up_while_it_waits_does_not_begin(several):
    line = Line(jobs=1)
    first, second, _, _ = several
    first.look(line)
    second.look(line)
    second.cancel()
    first.cancel()
    until(lambda: not first.running)
    line.look()
    assert second.job is None and second.cancelled and line.told()["waiting"] == 0


def test_a_person_with_too_many_runs_reads_why(several, monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_PERSON_JOBS", "1")
    line = Line(jobs=1)
    first, second, _, _ = several
    first.look(line)
    second.look(line)
    assert not second.waiting and second.job is None
    assert second.error == "You have 1 run here that has not ended; cancel one or wait."


def test_an_error_is_said_in_one_sentence():
    figure = endless(20)
    run = begun(replace(figure, panels=(replace(figure.panels[0], metric="nonsense"),)))
    until(lambda: not run.running)
    assert run.error.startswith("The run broke off: there is no metric 'nonsense'") and run.error.endswith(".")
    assert "\n" not in run.error and not run.complete


def test_what_was_run_is_said_honestly():
    assert live.words(small()) == (
        "66 % or more of the data seeds, 18 % or more of the steps and 1 of 2 runs with each seed"
    )
    whole = replace(endless(), panels=(replace(endless().panels[0], page=Size(5, seeds=2), live=Size(5, seeds=2)),))
    assert live.words(whole) == "as much as in the stored result"
    smaller = replace(endless().panels[0], page=Size(9, {"documents": 9}, 2), live=Size(9, {"documents": 5}, 2))
    assert live.words(replace(whole, panels=(smaller,))) == "smaller data"
