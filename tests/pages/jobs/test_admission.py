"""More people than the server computes for, steps that take too long, and memory that is short."""

import threading
import time

import pytest

import datasets
from datasets.spec import Spec
from learners.run import memory
from learners.spec import RunSpec
from pages.ui.jobs import queue as module
from pages.ui.jobs import workers as executor
from pages.ui.jobs.admission import GRACE, TURN, Admission
from pages.ui.jobs.job import Sliced
from pages.ui.jobs.queue import QUEUE, Queue
from pages.ui.play.recording import Recording
from pages.ui.server import event_log
from tests.pages.test_pages import open_page
from tests.waiting import soon

P3 = Spec("perturbed-perceptron")


class Count(Sliced):
    """A job of some slices. With an event, its first slice lasts until the event is set."""

    def __init__(self, slices=3, step=None):
        super().__init__()
        self.left, self.step = slices, step

    @property
    def complete(self):
        return self.left <= 0 or bool(self.failed)

    def advance(self, seconds):
        if self.step is not None:
            self.step.wait(60)
        time.sleep(0.002)
        self.left -= 1


@pytest.fixture
def people(monkeypatch):
    """The person who asks, set by the test; and all events that are noted."""
    asks = {"now": ""}
    monkeypatch.setattr(module, "session", lambda: asks["now"])
    return lambda name: asks.update(now=name)


# ---- whose turn it is ----------------------------------------------------------------------------------------


def test_up_to_the_number_nobody_waits_however_long_it_takes():
    queue, thirty = Admission(40), [f"person {n}" for n in range(30)]
    for now in (0, 1, 10 * TURN, 1000 * TURN):
        assert set(queue.update(thirty, now).values()) == {0}


def test_above_the_number_people_have_places_and_come_in_their_order():
    queue = Admission(2)
    assert queue.update("abcd", 0) == {"a": 0, "b": 0, "c": 1, "d": 2}
    assert queue.update("bcd", 1) == {"b": 0, "c": 0, "d": 1}, "a is done"
    assert queue.update("dcbe", 2) == {"b": 0, "c": 0, "d": 1, "e": 2}


def test_a_long_run_does_not_keep_the_others_from_theirs():
    """Every one of 100 people has had a turn before anybody has a third, however long their runs are."""
    queue, names, turns = Admission(10), [f"person {n}" for n in range(100)], {}
    for now in range(0, int(20 * TURN), 1):
        for name, place in queue.update(names, float(now)).items():
            turns[name] = turns.get(name, 0) + (place == 0)
    assert len(turns) == 100 and max(turns.values()) - min(turns.values()) <= TURN + 1
    assert sum(turns.values()) == 10 * 20 * TURN, "all places are used all the time"


def test_a_turn_is_not_ended_where_nobody_waits():
    queue = Admission(1)
    queue.update("a", 0)
    assert queue.update("a", 5 * TURN) == {"a": 0}
    assert queue.update("ab", 5 * TURN + 1) == {"b": 0, "a": 1}, "a had more than a turn"
    assert queue.update("ab", 5 * TURN + 2) == {"b": 0, "a": 1}


def test_who_changes_the_settings_while_waiting_keeps_the_place():
    queue = Admission(1)
    queue.update("abc", 0)
    assert queue.update("ac", 1) == {"a": 0, "c": 1}
    assert queue.update("abc", 2) == {"a": 0, "b": 1, "c": 2}
    queue.update("ac", 3)
    assert queue.update("ac", 4 + GRACE) == {"a": 0, "c": 1}
    assert queue.update("abc", 5 + GRACE) == {"a": 0, "c": 1, "b": 2}, "b was away for too long"


# ---- the queue -----------------------------------------------------------------------------------------------


def test_above_the_number_the_next_run_waits_with_a_place_and_then_comes(people):
    mine, jobs = Queue(workers=1, people=2), {}
    step = threading.Event()
    for name in "abcd":
        people(name)
        jobs[name] = mine.open(f"run of {name}", lambda: Count(3, step))
    soon(lambda: [job.place for job in jobs.values()] == [0, 0, 1, 2])
    assert mine.threads.metrics()["people"] == 4 and mine.threads.metrics()["waiting"] == 2
    step.set()
    for job in jobs.values():
        job.wait(20)
    assert all(job.complete for job in jobs.values())


def test_runs_of_one_person_count_once_and_a_shared_run_has_the_best_place(people):
    mine, step = Queue(workers=1, people=1), threading.Event()
    people("ada")
    own = [mine.open(name, lambda: Count(3, step)) for name in ("run", "pin", "scene")]
    people("bob")
    other = mine.open("other", lambda: Count(3, step))
    shared = mine.open("run", Count)
    soon(lambda: other.place == 1)
    assert shared is own[0] and [job.place for job in own] == [0, 0, 0]
    step.set()
    other.wait(20)
    assert other.complete


def test_where_memory_is_short_no_run_begins_beside_another(people, monkeypatch):
    monkeypatch.setattr(memory, "free", lambda: 50.0)
    monkeypatch.setattr(executor, "LOOK", 0.0)
    mine, step = Queue(workers=2), threading.Event()
    people("ada")
    first = mine.open("first", lambda: Count(3, step))
    soon(lambda: first.worker)
    people("bob")
    second = mine.open("second", Count)
    soon(lambda: second.place == 1)
    assert second.left == 3
    step.set()
    second.wait(20)
    assert first.complete and second.complete, "alone it may begin"


def test_a_run_that_runs_out_of_memory_frees_what_nobody_looks_at(people):
    mine = Queue(workers=1)
    old = mine.open("old", lambda: Count(1))
    old.wait(10)
    old.bytes, old.away = 1000, 0.0

    class Greedy(Count):
        def advance(self, seconds):
            raise MemoryError

    job = mine.open("greedy", Greedy)
    soon(lambda: job.failed)
    assert job.failed == "This run needs more memory than the server has. Lower the steps or the replicates."
    assert mine.get("old") is None and event_log.counts["memory-out"]


# ---- steps that take too long --------------------------------------------------------------------------------


def workers():
    return sum(thread.name == "feedback-lab-worker" for thread in threading.enumerate())


def test_a_step_without_end_does_not_hold_the_others_up():
    """Before, one such step for each core ended all computing on the server."""
    before = workers()
    mine, step = Queue(workers=1, step=0.1), threading.Event()
    stuck = mine.open("stuck", lambda: Count(1, step))
    soon(lambda: stuck.worker)
    other = mine.open("other", Count)

    def done():
        mine.open("other", Count)  # as a page does that waits
        return other.complete

    soon(done)
    assert stuck.long and not stuck.complete and workers() == before + 2 and mine.threads.metrics()["long_steps"] == 1
    step.set()
    soon(lambda: stuck.complete and not stuck.long)
    mine.open("next", Count)
    soon(lambda: workers() == before + 1)  # the one that came back has ended


def test_not_every_long_step_brings_another_worker():
    before, mine, step = workers(), Queue(workers=1, step=0.01), threading.Event()
    for n in range(3 * executor.SPARES):
        mine.open(n, lambda: Count(1, step))
        time.sleep(0.05)
    assert workers() - before <= 1 + executor.SPARES
    step.set()


def test_a_run_is_abandoned_in_a_long_step_and_says_so(monkeypatch):
    """Earlier results stay and can be looked at while the thread is still in its step."""
    data = datasets.load("toy-ranking")
    mine, go = Queue(workers=1, step=0.1), threading.Event()
    recording = mine.open(
        "run", lambda: Recording("run", RunSpec((P3,), Spec("toy-ranking"), Spec("cascade"), 2, 100, 0), data)
    )
    recording.wait(60)
    assert recording.complete

    made = RunSpec((P3,), Spec("toy-ranking"), Spec("cascade"), 2, 200, 1)
    slow = Recording("slow", made, data)
    simulation, inside = slow.simulations[0], threading.Event()
    usual = type(simulation).advance

    def advance(steps, seconds=None):
        if simulation.t + steps > 100:
            usual(simulation, steps=max(0, 100 - simulation.t))
            inside.set()
            go.wait(60)
        usual(simulation, steps=steps, seconds=seconds)

    monkeypatch.setattr(simulation, "advance", advance)
    mine.open("slow", lambda: slow)
    assert inside.wait(60)
    slow.give_up()
    assert not slow.failed, "only a long step can be abandoned"
    soon(lambda: mine.open("slow", lambda: slow).long)
    assert slow.waiting().startswith("One step of this run has taken ")
    slow.give_up()
    assert slow.complete and slow.failed.startswith("This run was abandoned in a step that took longer than ")
    parts, whole = slow.parts("look", lambda moment: {"reached": moment.t}, 5)
    assert whole and 0 < parts["reached"] <= 100 and slow.at(0, parts["reached"]).t == parts["reached"]
    words, reached = slow.failed, slow.t
    go.set()
    other = mine.open("other", Count)
    other.wait(20)
    soon(lambda: not mine.threads.metrics()["long_steps"])
    assert other.complete and slow.failed == words and slow.t == reached
    assert slow.parts("look", lambda moment: pytest.fail("drawn twice"), 5) == (parts, True)


def test_the_page_says_which_place_a_run_has():
    recording = Recording(
        "r", RunSpec((P3,), Spec("toy-ranking"), Spec("cascade"), 2, 100, 0), datasets.load("toy-ranking")
    )
    assert recording.waiting() == ""
    recording.place = 1
    assert recording.waiting() == (
        "Waiting for a place on this server. Your run is next and begins by itself."
    )  # fmt: skip
    recording.advance(0.001)
    recording.t, recording.place = 5, 3
    assert recording.waiting() == (
        "Waiting for a place on this server. Your run is 3rd in the queue and goes on by itself."
    )


def test_free_memory_is_the_less_of_machine_and_container(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "CONTAINER", tmp_path)
    assert memory.free() is None
    (tmp_path / "meminfo").write_text("MemTotal: 8000000 kB\nMemAvailable:    1000000 kB\n")
    assert memory.free() == 1024
    (tmp_path / "memory.max").write_text("500000000\n")
    (tmp_path / "memory.current").write_text("450000000\n")
    (tmp_path / "memory.stat").write_text("anon 1\ninactive_file 20000000\n")
    assert memory.free() == 70
    (tmp_path / "memory.max").write_text("max\n")
    assert memory.free() == 1024


def test_a_page_offers_to_abandon_a_run_in_a_long_step_and_then_shows_what_came_before(monkeypatch):
    go, usual = threading.Event(), Recording._advance

    def advance(recording, stop):
        if recording.t >= 100:
            go.wait(60)
        usual(recording, min(stop, time.perf_counter() + 0.001))

    monkeypatch.setattr(Recording, "_advance", advance)
    monkeypatch.setattr(QUEUE.threads, "step", 0.3)
    try:
        app = open_page("stability", steps="400", seed="4711")
        run = QUEUE.get(app.session_state["stability:run"])
        soon(lambda: QUEUE.open(run.name, lambda: run).long, 60)
        app.run()
        assert not app.exception
        (words,) = [box.value for box in app.warning if "of this run has taken" in box.value]
        assert words.startswith("One step of this run") and words.endswith("You may wait for it, or abandon the run.")
        app.button(key="stability:abandon").click().run()
        assert not app.exception and run.complete and 100 <= run.t < 400
        assert not [box for box in app.button if box.key == "stability:abandon"]
        assert run.failed.startswith("This run was abandoned in a step that took longer than ")
    finally:
        go.set()
