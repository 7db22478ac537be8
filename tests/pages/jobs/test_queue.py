"""The queue of long runs: who is computed, who waits with which place, who is refused, and what ends when people go."""

import threading
import time

import pytest

from learners.run.cost import Cost
from pages.ui.jobs.job import Whole
from pages.ui.jobs.queue import Queue
from pages.ui.server import event_log, sessions
from tests.waiting import soon


class Work(Whole):
    """A run that ends when it is told, or when nobody wants it any more; `begins` counts how often it began."""

    lane = "processes"

    def __init__(self, cost=Cost(1.0), fails=False):  # noqa: B008
        super().__init__(cost)
        self.begins, self.over, self.fails = 0, threading.Event(), fails

    def work(self):
        self.begins += 1
        if self.fails:
            raise RuntimeError("no process")
        while not (self.stopped() or self.over.wait(0.01)):
            pass


def enter(queue, key, owner="", cost=Cost(1.0), **work):  # noqa: B008
    made = Work(cost, **work)
    return queue.enter(made, key, owner or f"owner of {key}"), made


@pytest.fixture
def made():
    """Queues of the test, all of whose jobs end with it."""
    queues = []

    def queue(**given):
        queues.append(Queue(**given))
        return queues[-1]

    yield queue
    for each in queues:
        each.clear()


@pytest.fixture
def gone(monkeypatch):
    """The sessions whose browsers are no longer connected."""
    found = set()
    monkeypatch.setattr(sessions, "connected", lambda owner: owner not in found)
    monkeypatch.setenv("FEEDBACK_LAB_AWAY_SECONDS", "0.3")
    return found


def test_a_run_begins_at_once_where_there_is_a_place(made):
    ticket, work = enter(made(jobs=2), "a")
    soon(lambda: work.begins == 1)
    assert ticket.place == 0 and ticket.words == "" and ticket.refused == ""


def test_above_the_number_the_next_waits_with_a_place_and_begins_by_itself(made):
    queue = made(jobs=2)
    tickets, works = zip(*(enter(queue, key) for key in "abcd"), strict=True)
    assert [ticket.place for ticket in tickets] == [0, 0, 1, 2]
    assert tickets[2].words == "Waiting for a place on this server. Your run is next and begins by itself."
    assert tickets[3].words == "Waiting for a place on this server. Your run is 2nd in the queue and begins by itself."
    works[1].over.set()
    soon(lambda: works[2].begins)  # nobody asks: the end of the one begins the other
    assert [ticket.place for ticket in tickets] == [0, 0, 0, 1] and works[3].begins == 0 and tickets[2].words == ""
    for work in works:
        work.over.set()
    soon(lambda: works[3].begins == 1 and queue.processes.metrics()["computed"] == 0)
    assert [work.begins for work in works] == [1] * 4 and all(work.complete for work in works)
    soon(lambda: "feedback-lab-processes" not in {thread.name for thread in threading.enumerate()})


def test_who_has_a_run_goes_behind_those_who_have_none(made):
    queue = made(jobs=1)
    names = [("a", "ada"), ("b", "ada"), ("c", "ada"), ("d", "bob"), ("e", "cyd"), ("f", "bob")]
    tickets = {key: enter(queue, key, owner)[0] for key, owner in names}
    assert sorted("bcdef", key=lambda key: tickets[key].place) == ["d", "e", "b", "f", "c"]


def test_people_who_enter_the_same_run_share_it_and_it_ends_with_the_last(made):
    queue = made(jobs=1)
    mine, work = enter(queue, "sweep", "ada")
    yours, other = enter(queue, "sweep", "bob")
    soon(lambda: work.begins == 1)
    assert yours.job is mine.job is work and other.begins == 0 and queue.processes.metrics()["people"] == 2
    mine.leave()
    assert work.wanted and not work.cancelled, "bob still looks"
    yours.leave()
    work.wait(10)
    assert work.complete and work.cancelled and not work.failed


def test_a_run_is_wanted_for_a_while_after_the_page_is_closed_and_no_longer(made, gone):
    queue = made(jobs=1)
    _, running = enter(queue, "a", "ada")
    second, waiting = enter(queue, "b", "bob")
    third, stays = enter(queue, "c", "cyd")
    gone.add("bob")
    assert running.wanted  # ada is seen after bob was last seen, so that his time is over when her run ends
    gone.add("ada")
    assert waiting.wanted and second.place == 1, "a page may be reloaded or the connection cut for a moment"
    soon(lambda: stays.begins)  # ada's run has ended, bob's never began, and nobody had to look
    assert running.complete and running.cancelled and stays.wanted and third.place == 0
    assert waiting.begins == 0 and waiting.complete and second.place == 0


def test_who_has_closed_the_page_loses_the_place(made, gone):
    queue = made(jobs=1)
    enter(queue, "a", "ada")
    second, waiting = enter(queue, "b", "bob")
    third, _ = enter(queue, "c", "cyd")
    gone.add("bob")
    soon(lambda: second.place == 0 and third.place == 1)  # bob lost his place, and cyd is next
    assert waiting.begins == 0 and queue.get("b") is None


def test_who_comes_back_in_time_keeps_the_run(made, gone):
    queue = made(jobs=1)
    _, work = enter(queue, "a", "ada")
    gone.add("ada")
    enter(queue, "a", "ada again")  # reloading makes another session
    time.sleep(0.5)
    assert work.wanted and work.begins == 1 and not work.complete


def test_who_enters_a_run_that_is_being_cancelled_gets_another(made):
    queue = made(jobs=2)
    mine, work = enter(queue, "a", "ada")
    soon(lambda: work.begins)
    mine.leave()
    again, other = enter(queue, "a", "ada")
    assert again.job is other and queue.get("a") is other
    soon(lambda: other.begins and work.complete)
    assert queue.get("a") is other, "the end of the old one does not take the new one away"


def test_a_run_that_is_being_cancelled_keeps_its_place_until_it_ends(made):
    queue = made(jobs=1)

    class Slow(Work):
        def work(self):
            self.over.wait(20)

    work = Slow()
    queue.enter(work, "a", "ada").leave()
    again, other = enter(queue, "a", "ada")
    time.sleep(0.1)
    assert work.cancelled and not work.complete and again.place == 1 and not other.begins
    work.over.set()
    soon(lambda: other.begins)


@pytest.mark.parametrize(
    "cost, variables, words",
    [
        (Cost(1, 5e9), {}, "This run would take about 5,000 MB of memory; this server has 4,000 MB for all runs in its "
         "queue. Lower "),
        (Cost(9000), {}, "This run would compute for about 150 minutes on one core; this server allows one person 120. "
         "Lower "),
        (Cost(30), {"PERSON_MINUTES": "0.25"}, "This run would compute for about 0.5 minutes on one core; this server "
         "allows one person 0.25. Lower "),
    ],
)  # fmt: skip
def test_what_is_over_a_budget_is_refused_in_a_sentence_and_not_entered(made, monkeypatch, cost, variables, words):
    for name, value in variables.items():
        monkeypatch.setenv(f"FEEDBACK_LAB_{name}", value)
    queue, before = made(), event_log.counts["job-refused"]
    ticket, work = enter(queue, "a", cost=cost)
    lower = "the steps, the replicates, the number of values or the size of the data."
    assert ticket.refused == words + lower and work.begins == 0 and ticket.place == 0 and ticket.words == ""
    ticket.leave()
    found = queue.processes.metrics()
    assert found["computed"] == found["waiting"] == len(queue) == 0 and event_log.counts["job-refused"] == before + 1


def test_a_person_has_a_number_of_runs_and_minutes_and_others_are_not_touched(made, monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_PERSON_JOBS", "2")
    monkeypatch.setenv("FEEDBACK_LAB_PERSON_MINUTES", "10")
    queue = made(jobs=1)
    for key in "ab":
        enter(queue, key, "ada")
    third, _ = enter(queue, "c", "ada")
    assert third.refused == "You have 2 runs here that have not ended; cancel one or wait."
    bob, _ = enter(queue, "d", "bob", Cost(400))
    assert not bob.refused and bob.place == 1, "before ada's second"
    more, _ = enter(queue, "e", "bob", Cost(400))
    assert more.refused.startswith("This run would compute with your others for about 13.3 minutes on one core")


def test_the_memory_of_what_is_computed_is_bounded(made, monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_JOBS_MB", "1000")
    queue = made(jobs=8)
    big = [enter(queue, key, cost=Cost(1, 600e6)) for key in "ab"]
    small, later = enter(queue, "c", cost=Cost(1, 1e6))
    assert [ticket.place for ticket, _ in big] == [0, 1] and small.place == 2, (
        "nobody overtakes, or the big would starve"
    )
    big[0][1].over.set()
    soon(lambda: later.begins and big[1][1].begins)


def test_a_short_run_does_not_wait_for_long_ones(made):
    queue = made(jobs=2)
    long = [enter(queue, key, cost=Cost(3600)) for key in "abc"]
    assert [bool(work.begun) for _, work in long] == [True, False, False], "one place is kept"
    short = [enter(queue, key, cost=Cost(30)) for key in "de"]
    assert [bool(work.begun) for _, work in short] == [True, False]
    assert [ticket.place for ticket, _ in (*long, *short)] == [0, 1, 2, 0, 3]
    long[0][1].over.set()
    soon(lambda: long[1][1].begins)
    assert long[2][1].begins == short[1][1].begins == 0


def test_a_queue_that_is_full_says_so(made, monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_JOBS_WAITING", "1")
    queue = made(jobs=1)
    assert [enter(queue, key)[0].refused for key in "abc"] == [
        "", "", "The queue of this server is full (1 run); try again later.",
    ]  # fmt: skip


def test_a_run_that_breaks_off_does_not_hold_the_queue_up(made):
    queue = made(jobs=1)
    _, bad = enter(queue, "bad", fails=True)
    _, good = enter(queue, "good")
    soon(lambda: good.begins)
    assert bad.complete and bad.failed == (
        "This run broke off at a fault of the app, which the server's log holds (RuntimeError: no process)."
    )
    good.over.set()
    soon(lambda: queue.processes.metrics()["computed"] == 0)
    again, other = enter(queue, "bad")
    soon(lambda: other.begins)
    assert again.job is other, "what has ended is not shared, but run again"


def test_what_ended_stays_for_a_page_that_is_reloaded_and_is_evicted_when_memory_is_short(made, monkeypatch):
    monkeypatch.setattr(Work, "keep", 3600.0)
    queue = made(jobs=1, keep=0.05)
    _, work = enter(queue, "a")
    _, running = enter(queue, "b")
    work.over.set()
    work.wait(10)
    work.away, running.bytes = 0.1, 10**15
    time.sleep(0.2)
    with queue._cache.changed:
        queue._cache.evict(megabytes=10**10)
        assert queue.get("a") is work
        queue._cache.evict()
    assert queue.get("a") is None and queue.get("b") is running, "what runs stays"


def test_a_job_is_asked_whether_it_is_wanted_without_a_lock(made):
    """Whether a session is connected is asked of Streamlit, which may wait for a lock of its own."""
    queue, free = made(jobs=1), []

    class Asking(Work):
        @property
        def wanted(self):
            def take():
                free.append(queue._cache.changed.acquire(timeout=5))
                if free[-1]:
                    queue._cache.changed.release()

            other = threading.Thread(target=take)
            other.start()
            other.join()
            return True

    enter(queue, "a")
    ticket = queue.enter(Asking(), "b", "bob")
    assert ticket.place == 1 and len(free) >= 2 and all(free)


def test_many_people_at_once_are_each_begun_once_and_never_more_than_allowed(made):
    queue, works, most = made(jobs=3), [], []
    lock = threading.Lock()

    class Brief(Work):
        def work(self):
            self.begins += 1
            with lock:
                most.append(sum(work.running for work in works))
            time.sleep(0.02)

    works = [Brief() for _ in range(40)]
    threads = [threading.Thread(target=queue.enter, args=(work, n, f"person {n}")) for n, work in enumerate(works)]
    for thread in threads:
        thread.start()
    soon(lambda: all(work.complete for work in works), 30)
    assert [work.begins for work in works] == [1] * 40 and max(most) <= 3


def test_where_streamlit_keeps_its_sessions_elsewhere_everybody_is_here(monkeypatch):
    from streamlit.runtime import Runtime

    monkeypatch.setattr(Runtime, "exists", lambda: True)
    monkeypatch.setattr(Runtime, "instance", object)
    assert sessions.connected("somebody") and sessions.open_pages() is None


def test_outside_of_a_server_everybody_is_here():
    assert sessions.connected("somebody") and sessions.connected(sessions.NOBODY)


def test_while_a_run_goes_on_it_is_seen_who_waits_and_has_closed_the_page(made, gone):
    """Nobody looks at the queue: what runs has it look, so that a short absence is not taken for a long one."""
    queue = made(jobs=1)
    _, running = enter(queue, "a", "ada")
    soon(lambda: running.begins)
    _, waiting = enter(queue, "b", "bob")
    gone.add("bob")
    waiting.wait(10)
    assert waiting.complete and not waiting.begun and not running.complete and queue.get("b") is None


def test_when_a_session_was_last_seen_is_remembered_for_the_latest(monkeypatch):
    here = {"ada", "bob", "cyd"}
    monkeypatch.setattr(sessions, "connected", here.__contains__)
    monkeypatch.setattr(sessions, "MOST_SEEN", 2)
    monkeypatch.setattr(sessions, "_seen", {})
    first = sessions.seen("ada")
    assert 0 < first <= sessions.seen("bob") <= time.monotonic()
    here.discard("bob")
    assert 0 < sessions.seen("bob") <= time.monotonic() and sessions.seen("nobody") == 0.0
    sessions.seen("cyd")
    here.clear()
    assert sessions.seen("ada") == 0.0 and sessions.seen("cyd") > 0, "the oldest is forgotten"
