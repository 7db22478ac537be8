"""The times of sweeps and labs are estimated before they start. Too much is refused in a sentence; nobody's is cut."""

import threading
import time

import pytest

import datasets
from datasets.spec import Spec
from learners.catalogue import create
from learners.spec import RunSpec
from learners.sweep import gather, plan, run
from pages.ui.jobs import estimate as estimates
from pages.ui.jobs.estimate import sweep_estimate, too_large
from pages.ui.jobs.job import ESTIMATING
from pages.ui.jobs.queue import QUEUE, Queue
from pages.ui.play.recording import Recording
from pages.ui.race import limits
from pages.ui.server import sessions
from pages.ui.sweep.job import SweepJob
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
    for _ in range(240):  # as its page does, which asks again and again
        found = sweep_estimate(repr(batches), batches)
        found.wait(0.5)
        if found.complete:
            break
    assert found.complete and not found.cancelled
    return found


def started(batches, workers=1, owner="", key=None, queue=QUEUE):
    """A sweep that somebody has started, once its estimate has ended."""
    return queue.enter(SweepJob(batches, workers, None, estimated(batches)), key, owner).job


def sentence(text):
    assert "\n" not in text and text.endswith(".") and "Lower" in text, text
    return text


# ---- sweeps ----------------------------------------------------------------------------------------------------


def test_a_sweep_whose_state_is_too_large_is_refused_before_anything_is_built(monkeypatch):
    monkeypatch.setattr("datasets.load", lambda *a, **k: pytest.fail("data were built"))
    setup = {"learner": "second-order-perceptron", "dataset": datasets.create("web-search", features=1000)}
    batches = plan(setup, {"gamma": [0.1, 1.0]}, replicates=100)
    words = sentence(too_large(batches))
    assert words.startswith("A batch of this run would take about 1,1") and "this server allows 1,000 MB" in words


def test_the_estimate_of_a_sweep_grows_with_its_steps_and_is_about_right():
    few, many = (plan(BANDIT, GRID, replicates=10, steps=steps) for steps in (1000, 100_000))
    short, long = (estimated(batches).predicted().seconds for batches in (few, many))
    gather(run(few))  # after which nothing is left to compile
    began = time.process_time()
    gather(run(many))
    took = time.process_time() - began
    assert 0 < short < long and took / 5 < long < 5 * took


def test_a_sweep_that_takes_too_long_is_refused_in_one_sentence(monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_RUN_SECONDS", "1")
    batches = plan(BANDIT, GRID, replicates=30, steps=1_000_000)
    sweep = started(batches, workers=2)
    sweep.wait(30)
    assert not sweep.begun and sentence(sweep.failed).startswith("This run would compute for about ")
    assert "this server allows 1.0 s" in sweep.failed or "this server allows 1 s" in sweep.failed


def test_the_page_says_what_a_sweep_takes_and_refuses_too_much(monkeypatch):
    link = {"dataset": "separable-points", "steps": "1000", "replicates": "2", "number-1": "3"}
    app = open_page("sweep", **link)
    for _ in range(300):
        if any("This run takes about" in c.value for c in clean(app).caption):
            break
        time.sleep(0.1)
        app.run()
    else:
        pytest.fail("no estimate")
    monkeypatch.setenv("FEEDBACK_LAB_RUN_MB", "20")
    app = open_page("sweep", family="ranking", learner="second-order-perceptron", dataset="web-search", **{
        "features": "500", "vary-1": "gamma"})  # fmt: skip
    assert "would take about" in app.error[0].value and app.button(key="sweep-start").disabled


def test_a_second_sweep_waits_in_the_queue_and_cancels_nobodys():
    queue = Queue(jobs=1)
    first = started(plan(BANDIT, GRID, replicates=10, steps=3_000_000), owner="a", queue=queue)
    while not first.begun:
        time.sleep(0.02)
    others = [plan(BANDIT, GRID, replicates=2, steps=100, seed=seed) for seed in range(12)]
    waiting = [started(other, owner=f"{n}", queue=queue) for n, other in enumerate(others)]
    assert [sweep.place for sweep in waiting] == list(range(1, 13))
    assert first.running and not first.cancelled, "twelve others do not end it"
    assert waiting[0].waiting() == "Waiting for a place on this server. Your run is next and begins by itself."
    assert queue.leave(first.key, "a")
    for sweep in waiting:
        sweep.wait(60)
        assert not sweep.failed and len(sweep.table()), "their turn has come"
    assert first.complete and first.cancelled


def test_those_who_start_the_same_sweep_share_it_and_it_ends_with_the_last():
    batches = plan(BANDIT, GRID, replicates=10, steps=3_000_000, seed=1)
    mine = started(batches, owner="me", key="same")
    yours = started(batches, owner="you", key="same")
    assert mine is yours
    while not mine.begun:
        time.sleep(0.02)
    assert not QUEUE.leave("same", "me") and mine.running
    assert QUEUE.leave("same", "you")
    mine.wait(30)
    assert mine.complete


def test_a_sweep_begins_when_its_estimate_has_come_though_nobody_looks():
    """A person who presses Start and goes to another page keeps the estimate, too, from being given up."""
    batches = plan(BANDIT, GRID, replicates=2, steps=100, seed=99)
    estimate = sweep_estimate("new", batches)
    estimate.away = 0.0  # nobody asks for it
    sweep = QUEUE.enter(SweepJob(batches, 1, None, estimate), "new", "me").job
    assert sweep.waiting() in (ESTIMATING, "") and not sweep.place
    sweep.wait(120)
    assert sweep.complete and not sweep.failed and len(sweep.table())


def test_a_sweep_ends_when_its_owner_has_been_gone_for_as_long_as_is_stated(monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_AWAY_SECONDS", "0.5")
    here = threading.Event()
    here.set()
    monkeypatch.setattr(sessions, "connected", lambda owner: here.is_set())
    batches = plan(BANDIT, GRID, replicates=10, steps=3_000_000, seed=2)
    sweep = started(batches, owner="gone")
    while not sweep.begun:
        time.sleep(0.02)
    here.clear()
    sweep.wait(30)
    assert sweep.complete and sweep.progress.share < 1


# ---- labs ------------------------------------------------------------------------------------------------------

SVM = choice("ranking-svm")
TOO_LONG = [
    lab((SVM,) * 4, web(features=60), 20, 3000),
    lab((choice("second-order-perceptron"),), web(queries=100, documents=20, features=700), 100),
]


@pytest.mark.parametrize("setup", TOO_LONG, ids=["4 ranking SVMs", "second order, d = 700, R = 100"])
def test_a_lab_whose_steps_take_too_long_is_refused_in_one_sentence(setup, monkeypatch):
    monkeypatch.setattr(estimates, "WAIT", 60)
    limits.check(setup)
    with pytest.raises(ValueError, match=r"A run of .* would take up to .* for a single step") as caught:
        limits.check_step(setup, datasets.load(setup.dataset.id, **setup.dataset.values))
    assert "this server allows 2 s" in sentence(str(caught.value))


def test_movies_that_are_too_much_are_refused_before_they_are_built(monkeypatch):
    movies = choice("movies", datasets.create, users=6040, movies=3900, features=200)
    monkeypatch.setattr(datasets.classes()["movies"], "build", lambda self: pytest.fail("data were built"))
    with pytest.raises(ValueError, match="numbers a step; a lab allows"):
        limits.check(lab((Spec("perturbed-perceptron"),), movies, 100))


def test_a_run_that_turns_out_to_be_too_much_is_broken_off_with_the_sentence(monkeypatch):
    monkeypatch.setattr(estimates, "WAIT", 0)
    monkeypatch.setenv("FEEDBACK_LAB_RUN_SECONDS", "1")
    setup = lab((choice("second-order-perceptron"),), web(queries=30, documents=20, features=200), 50, 20_000)
    data = datasets.load(setup.dataset.id, **setup.dataset.values)
    estimate = limits.check_step(setup, data)  # which has not come yet
    recording = QUEUE.open("estimated", lambda: Recording("estimated", setup, data, estimate=estimate))
    for _ in range(600):
        QUEUE.open("estimated", lambda: pytest.fail("it was dropped"))
        if recording.complete:
            break
        recording.wait(0.1)
    assert recording.t < setup.steps
    assert sentence(recording.failed).startswith("A run of 1 learner × 50 replicates would compute for about")


def test_what_is_light_is_not_tried(monkeypatch):
    monkeypatch.setattr(estimates.QUEUE, "open", lambda *given: pytest.fail("it was tried"))
    setup = lab((Spec("preference-perceptron"), Spec("perturbed-perceptron")), Spec("toy-ranking"), 20)
    assert limits.check_step(setup, datasets.load("toy-ranking")) is None


def test_memory_beside_the_state_counts_before_anything_is_allocated(monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_RUN_MB", "100")
    setup = lab((choice("second-order-perceptron"),), web(queries=30, documents=20, features=500), 30)
    data = datasets.load(setup.dataset.id, **setup.dataset.values)
    with pytest.raises(ValueError, match=r"1 learner × 30 replicates would take about .* MB of memory"):
        limits.check_step(setup, data)


def test_an_estimate_that_is_given_up_counts_as_the_longest_sweep_that_is_allowed(monkeypatch):
    monkeypatch.setattr(estimates, "LONGEST_ESTIMATE", 0.0)
    estimate = estimated(plan(BANDIT, GRID, replicates=2, steps=1000, seed=77))
    assert estimate.unknown and not estimate.failed and estimate.predicted(2).seconds == 3600
