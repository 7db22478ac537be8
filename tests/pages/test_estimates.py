"""What sweeps and labs take is estimated before they start. Too much is refused in a sentence; nobody's is cut."""

import threading
import time

import pytest

import datasets
from datasets.spec import Spec
from learners.catalogue import create
from learners.spec import RunSpec
from learners.sweep import plan
from pages.ui.play.recording import Recording
from pages.ui.race import afford, limits
from pages.ui.server import line
from pages.ui.sweep import started
from pages.ui.sweep.estimates import ESTIMATES, refused
from pages.ui.sweep.started import Started
from tests.pages.test_pages import clean, open_page

pytestmark = pytest.mark.long

BANDIT = {"learner": "banditron", "dataset": "separable-points"}
GRID = {"gamma": [0.1, 0.2, 0.5]}


def choice(id, make=create, **params):
    return Spec(id, tuple(make(id, **params).params.items()))


def lab(learners, dataset, replicates, steps=1000, user="cascade"):
    return RunSpec(learners, dataset, Spec(user) if user else None, replicates, steps, 0)


def web(**params):
    return choice("web-search", datasets.create, **params)


def estimated(batches):
    found = ESTIMATES.ask(repr(batches), lambda: batches)
    assert found.ended.wait(120)
    return found


def sentence(text):
    assert "\n" not in text and text.endswith(".") and "Lower" in text, text
    return text


# ---- sweeps ----------------------------------------------------------------------------------------------------


def test_a_sweep_whose_state_is_too_large_is_refused_before_anything_is_built(monkeypatch):
    monkeypatch.setattr("datasets.load", lambda *a, **k: pytest.fail("data were built"))
    setup = {"learner": "second-order-perceptron", "dataset": datasets.create("web-search", features=1000)}
    batches = plan(setup, {"gamma": [0.1, 1.0]}, replicates=100)
    words = sentence(refused(batches))
    assert words.startswith("A batch of this sweep would hold about 1,1") and "this server allows 1,000 MB" in words


def test_the_estimate_of_a_sweep_grows_with_its_steps_and_is_about_right():
    short, long = (estimated(plan(BANDIT, GRID, replicates=10, steps=steps)).cost(1) for steps in (1000, 1_000_000))
    assert 0 < short.seconds < 5 < 1.5 * long.seconds < 150  # 8 s on a slow core


def test_a_sweep_that_takes_too_long_is_refused_in_one_sentence(monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_SWEEP_SECONDS", "1")
    batches = plan(BANDIT, GRID, replicates=30, steps=1_000_000)
    sweep = Started(batches, estimated(batches), workers=2)
    sweep.wait(30)
    assert not sweep.began and sentence(sweep.error).startswith("This sweep would compute for about ")
    assert "this server allows 1 s" in sweep.error


def test_the_page_says_what_a_sweep_takes_and_refuses_too_much(monkeypatch):
    link = {"dataset": "separable-points", "steps": "1000", "replicates": "2", "number-1": "3"}
    app = open_page("sweep", **link)
    for _ in range(300):
        if any("This sweep takes about" in c.value for c in clean(app).caption):
            break
        time.sleep(0.1)
        app.run()
    else:
        pytest.fail("no estimate")
    monkeypatch.setenv("FEEDBACK_LAB_SWEEP_MB", "20")
    app = open_page("sweep", family="ranking", learner="second-order-perceptron", dataset="web-search", **{
        "features": "500", "vary-1": "gamma"})  # fmt: skip
    assert "would hold about" in app.error[0].value and app.button(key="sweep-start").disabled


@pytest.fixture
def one_at_a_time(monkeypatch):
    alone = line.Line(jobs=1)
    monkeypatch.setattr(started, "LINE", alone)
    return alone


def test_a_second_sweep_waits_in_the_line_and_cancels_nobodys(one_at_a_time):
    batches = plan(BANDIT, GRID, replicates=10, steps=3_000_000)
    first = Started(batches, estimated(batches), 1, owner="a")
    while not first.began:
        time.sleep(0.02)
    others = [plan(BANDIT, GRID, replicates=2, steps=100, seed=seed) for seed in range(12)]
    waiting = [Started(other, estimated(other), 1, owner=f"{n}") for n, other in enumerate(others)]
    while not all("line" in sweep.waits or "next" in sweep.waits for sweep in waiting):
        time.sleep(0.02)
    assert first.running and not first.cancelled, "twelve others do not end it"
    assert waiting[0].waits == "Waiting for a place on this server. Your run is next and begins by itself."
    assert first.leave("a")
    for sweep in waiting:
        sweep.wait(60)
        assert sweep.error is None and len(sweep.table()), "their turn has come"
    assert not first.running


def test_those_who_start_the_same_sweep_share_it_and_it_ends_with_the_last():
    batches = plan(BANDIT, GRID, replicates=10, steps=3_000_000, seed=1)
    estimate = estimated(batches)
    mine = started.start("same", batches, estimate, 1, None, "me")
    yours = started.start("same", batches, estimate, 1, None, "you")
    assert mine is yours
    while not mine.began:
        time.sleep(0.02)
    assert not mine.leave("me") and mine.running
    assert mine.leave("you")
    mine.wait(30)
    assert not mine.running


def test_a_sweep_ends_when_its_owner_has_been_gone_for_as_long_as_is_stated(monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_AWAY_SECONDS", "0.5")
    here = threading.Event()
    here.set()
    monkeypatch.setattr(line, "connected", lambda owner: here.is_set())
    batches = plan(BANDIT, GRID, replicates=10, steps=3_000_000, seed=2)
    sweep = Started(batches, estimated(batches), 1, owner="gone")
    while not sweep.began:
        time.sleep(0.02)
    here.clear()
    sweep.wait(30)
    assert not sweep.running and sweep.progress.share < 1


# ---- labs ------------------------------------------------------------------------------------------------------

SVM = choice("ranking-svm")
TOO_LONG = [
    lab((SVM,) * 4, web(features=60), 20, 3000),
    lab((choice("second-order-perceptron"),), web(queries=100, documents=20, features=700), 100),
]


@pytest.mark.parametrize("setup", TOO_LONG, ids=["4 ranking SVMs", "second order, d = 700, R = 100"])
def test_a_lab_whose_steps_take_too_long_is_refused_in_one_sentence(setup, monkeypatch):
    monkeypatch.setattr(afford, "WAIT", 60)
    limits.check(setup)
    with pytest.raises(ValueError, match=r"A single step of .* would take up to") as caught:
        limits.check_step(setup, datasets.load(setup.dataset.id, **setup.dataset.values))
    assert "a lab allows 2 s" in sentence(str(caught.value))


def test_movies_that_are_too_much_are_refused_before_they_are_built():
    movies = choice("movies", datasets.create, users=6040, movies=3900, features=200)
    began = time.monotonic()
    with pytest.raises(ValueError, match="numbers a step; a lab allows"):
        limits.check(lab((Spec("perturbed-perceptron"),), movies, 100))
    assert time.monotonic() - began < 2


def test_a_run_that_turns_out_to_be_too_much_is_broken_off_with_the_sentence(monkeypatch):
    monkeypatch.setattr(afford, "WAIT", 0)
    monkeypatch.setenv("FEEDBACK_LAB_RUN_SECONDS", "1")
    setup = lab((choice("second-order-perceptron"),), web(queries=30, documents=20, features=200), 50, 20_000)
    data = datasets.load(setup.dataset.id, **setup.dataset.values)
    limits.check_step(setup, data)  # the estimate has not come yet
    recording = Recording("estimated", setup, data)
    for _ in range(600):
        recording.advance(0.05)
        if recording.complete:
            break
    assert recording.t < setup.steps and sentence(recording.failed).startswith("This run would compute for about")


def test_what_is_light_is_not_tried(monkeypatch):
    monkeypatch.setattr(afford, "Estimate", lambda *given: pytest.fail("it was tried"))
    setup = lab((Spec("preference-perceptron"), Spec("perturbed-perceptron")), Spec("toy-ranking"), 20)
    limits.check_step(setup, datasets.load("toy-ranking"))


def test_memory_beside_the_state_counts_before_anything_is_allocated(monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_RUN_MB", "100")
    setup = lab((choice("second-order-perceptron"),), web(queries=30, documents=20, features=500), 30)
    data = datasets.load(setup.dataset.id, **setup.dataset.values)
    with pytest.raises(ValueError, match=r"1 learner × 30 replicates would take about .* MB while they run"):
        limits.check_step(setup, data)


def test_an_estimate_that_is_given_up_counts_as_the_longest_sweep_that_is_allowed(monkeypatch):
    monkeypatch.setattr("pages.ui.sweep.estimates.LONGEST", 0.0)
    estimate = estimated(plan(BANDIT, GRID, replicates=2, steps=1000, seed=77))
    assert estimate.unknown and not estimate.problem and estimate.cost(2).seconds == 3600
