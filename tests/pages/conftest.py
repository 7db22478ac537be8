"""Fixtures that tests of pages share. Runs that a page leaves behind must not be computed while the next test runs."""

import orjson
import pytest

from pages.ui.jobs.estimate import SweepEstimate
from pages.ui.jobs.job import Job
from pages.ui.jobs.queue import QUEUE
from pages.ui.play import player
from tests.conftest import data_lent
from tests.pages.doors import spied, undeclared
from tests.waiting import soon


@pytest.fixture(scope="package", autouse=True)
def _data_lent():
    with data_lent():
        yield


@pytest.fixture(scope="package", autouse=True)
def _nobody_seems_to_have_gone():
    """Give up no run because its page, on a busy machine, asks late; tests of that set a time of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Job, "away", 60.0)
        yield


@pytest.fixture(autouse=True)
def _nobody_computes_on():
    """Empty the server's queue after each test, and wait until its workers rest."""
    yield
    QUEUE.clear()


@pytest.fixture(autouse=True)
def in_scripts(monkeypatch):
    """Steps of runs that are taken in the thread of a page's script; those that nobody declared fail the test."""
    noted = spied(monkeypatch)
    yield noted
    assert not undeclared(noted), "computed in the thread of a page, without estimate, queue and stop"


@pytest.fixture
def unestimated(monkeypatch):
    """Have the estimate of a sweep last until it is given up, where a test opens its page for something else."""
    monkeypatch.setattr(SweepEstimate, "work", lambda estimate: soon(estimate.stopped))


@pytest.fixture
def sent(monkeypatch):
    """The payloads that the player was given, the latest last."""
    found, show = [], player.show

    def note(key, payload, **heard):
        found.append(orjson.loads(payload))
        return show(key, payload, **heard)

    monkeypatch.setattr(player, "show", note)
    return found
