"""The game of the lower bound: it goes through the server's queue, has an estimate, a stop, and an end."""

import time

import pytest

from datasets.spec import Spec
from pages.ui.families.ranking import lower_bound
from pages.ui.families.ranking.adversary_game import BoundGame, Played, opened
from pages.ui.jobs.queue import QUEUE, Queue
from pages.ui.jobs.workers import Threads
from tests.pages.test_pages import clean, computed, open_page
from tests.waiting import soon

HEAVY = {"learner": "second-order-perceptron", "horizon": "4990"}  # 2 GB, and 24 minutes of a core


def test_a_game_that_would_fill_the_memory_is_refused_before_anything_is_computed():
    app = open_page("lower_bound", **HEAVY)
    (error,) = app.error
    assert "would hold" in error.value and "Lower the horizon" in error.value and not app.exception
    assert not len(QUEUE), "nothing was begun"


def test_a_game_that_takes_too_long_is_refused_by_its_estimate(monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_RUN_SECONDS", "1")
    game = BoundGame(Spec("second-order-perceptron"), 1500, "shown", 0)
    with pytest.raises(ValueError, match=r"(compute for|take up to) .* Lower (the steps or )?the horizon"):
        end = time.monotonic() + 60
        while time.monotonic() < end:  # the estimate takes a moment on a busy machine
            game.checked()


def test_a_long_game_is_drawn_as_it_goes_on_and_can_be_stopped(in_scripts, monkeypatch):
    monkeypatch.setattr(lower_bound, "SOON", 0.0)
    monkeypatch.setattr(Threads, "_choose", lambda self: None)  # no worker takes it
    app = clean(open_page("lower_bound", horizon="3000"))
    assert [b.label for b in app.button if b.key == "lower-bound:stop"] == ["Stop"] and not app.metric
    game = app.session_state["lower-bound:run"]
    clean(app.button(key="lower-bound:stop").click().run())
    assert any("Stopped after 0 of 3,000 steps" in c.value for c in app.caption)
    assert not QUEUE.get(game).wanted, "nobody waits for it any more"
    monkeypatch.undo()
    clean(app.button(key="lower-bound:on").click().run())
    computed(app, 3000, "lower-bound")
    app = clean(app.run())
    assert {m.label: m.value for m in app.metric}["Average regret at T"] == "0.0365", "2 / sqrt(3000)"


def asked(played):
    """Return a game for which all of its visitors have just asked."""
    played.sessions |= dict.fromkeys(played.sessions, time.monotonic())
    return played


def test_a_game_rests_once_its_visitors_have_left(monkeypatch):
    monkeypatch.setattr(Played, "away", 0.3)
    played = opened(BoundGame(Spec("second-order-perceptron"), 1200, "shown", 0), Queue(workers=1))
    soon(lambda: asked(played).t)
    time.sleep(0.5)  # nobody asks
    soon(lambda: played.worker is None)
    t = played.t
    time.sleep(0.3)
    assert 0 < t == played.t < 1200


def test_a_game_waits_in_the_same_queue_as_the_runs_of_labs():
    others = Queue(workers=1, people=1)
    busy = opened(BoundGame(Spec("preference-perceptron"), 5000, "shown", 1), others)
    waits = opened(BoundGame(Spec("preference-perceptron"), 5000, "shown", 2), others)
    if not busy.complete:
        assert "Your run is next and begins by itself" in waits.waiting()
    for played in (busy, waits):
        soon(lambda played=played: asked(played).complete)
        assert played.result.regret[-1].mean() == pytest.approx(2 / 5000**0.5)
        assert played.bytes < 1e6, "the game itself is not kept"
