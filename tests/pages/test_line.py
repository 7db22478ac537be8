"""The line of long runs: who is computed, who waits with which place, who is refused, and what ends when people go."""

import threading
import time

import pytest

from pages.ui.server import line as module
from pages.ui.server import sessions
from pages.ui.server.cost import Cost
from pages.ui.server.line import Line


class Work:
    """A run that ends when it is told."""

    def __init__(self, fails=False):
        self.begun, self.ended, self.fails = 0, False, fails

    def start(self):
        self.begun += 1
        if self.fails:
            raise RuntimeError("no process")

    def running(self):
        return self.begun and not self.ended


def enter(line, key, owner="", cost=Cost(1.0), **work):  # noqa: B008
    made = Work(**work)
    return line.enter(key, owner or f"owner of {key}", cost, made.start, made.running), made


def soon(true, seconds=10):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.01)


@pytest.fixture
def gone(monkeypatch):
    """The sessions whose browsers are no longer connected."""
    found = set()
    monkeypatch.setattr(module, "connected", lambda owner: owner not in found)
    monkeypatch.setenv("FEEDBACK_LAB_AWAY_SECONDS", "0.3")
    return found


def test_a_run_begins_at_once_where_there_is_a_place():
    line = Line(jobs=2)
    turn, work = enter(line, "a")
    assert work.begun == 1 and turn.place == 0 and turn.words == "" and turn.refused == ""
    work.ended = True


def test_above_the_number_the_next_waits_with_a_place_and_begins_by_itself():
    line = Line(jobs=2)
    turns, works = zip(*(enter(line, key) for key in "abcd"), strict=True)
    assert [turn.place for turn in turns] == [0, 0, 1, 2]
    assert turns[2].words == "Waiting for a place on this server. Your run is next and begins by itself."
    assert turns[3].words == "Waiting for a place on this server. Your run is 2nd in line and begins by itself."
    works[1].ended = True
    soon(lambda: works[2].begun)  # nobody asks: the line's own thread begins it
    assert [turn.place for turn in turns] == [0, 0, 0, 1] and works[3].begun == 0 and turns[2].words == ""
    for work in works:
        work.ended = True
    soon(lambda: works[3].begun == 1 and line.told()["computed"] == 0)
    assert [work.begun for work in works] == [1] * 4
    soon(lambda: line._thread is None)
    soon(lambda: "feedback-lab-line" not in {thread.name for thread in threading.enumerate()})


def test_who_has_a_run_goes_behind_those_who_have_none():
    line = Line(jobs=1)
    names = [("a", "ada"), ("b", "ada"), ("c", "ada"), ("d", "bob"), ("e", "cyd"), ("f", "bob")]
    turns = {key: enter(line, key, owner) for key, owner in names}
    order = sorted("bcdef", key=lambda key: turns[key][0].place)
    assert order == ["d", "e", "b", "f", "c"]
    for _, work in turns.values():
        work.begun, work.ended = 1, True


def test_people_who_enter_the_same_run_share_it_and_it_ends_with_the_last(gone):
    line = Line(jobs=1)
    mine, work = enter(line, "sweep", "ada")
    yours, other = enter(line, "sweep", "bob")
    assert work.begun == 1 and other.begun == 0 and line.told() | {"people": 2} == line.told()
    mine.leave()
    assert line.wanted("sweep"), "bob still looks"
    yours.leave()
    assert not line.wanted("sweep"), "the run asks this and ends"
    work.ended = True


def test_a_run_is_wanted_for_a_while_after_the_page_is_closed_and_no_longer(gone):
    line = Line(jobs=1)
    _, running = enter(line, "a", "ada")
    second, waiting = enter(line, "b", "bob")
    third, stays = enter(line, "c", "cyd")
    gone |= {"ada", "bob"}
    assert line.wanted("a") and second.place == 1, "a page may be reloaded or the connection cut for a moment"
    soon(lambda: second.place == 0 and third.place == 1)  # bob lost his place, and cyd is next
    assert not line.wanted("a") and waiting.begun == 0
    running.ended = True
    soon(lambda: stays.begun)
    assert waiting.begun == 0 and line.wanted("c")
    stays.ended = True


def test_who_comes_back_in_time_keeps_the_run(gone):
    line = Line(jobs=1)
    _, work = enter(line, "a", "ada")
    gone.add("ada")
    enter(line, "a", "ada again")  # reloading makes another session
    time.sleep(0.5)
    assert line.wanted("a")
    work.ended = True


@pytest.mark.parametrize(
    "cost, variables, words",
    [
        (Cost(1, 5e9), {}, "This run needs about 5,000 MB of memory, and this server has 4,000 MB for all runs in its "
         "line; choose smaller data or fewer replicates."),
        (Cost(9000), {}, "This run would take about 150 minutes of one core, and one person may have 120 on this "
         "server; lower the steps, the replicates or the number of values."),
        (Cost(30), {"PERSON_MINUTES": "0.25"}, "This run would take about 0.5 minutes of one core, and one person may "
         "have 0.25 on this server; lower the steps, the replicates or the number of values."),
    ],
)  # fmt: skip
def test_what_is_over_a_budget_is_refused_in_a_sentence_and_not_entered(monkeypatch, cost, variables, words):
    for name, value in variables.items():
        monkeypatch.setenv(f"FEEDBACK_LAB_{name}", value)
    line = Line()
    turn, work = enter(line, "a", cost=cost)
    assert turn.refused == words and work.begun == 0 and turn.place == 0 and turn.words == ""
    turn.leave()
    assert line.told()["computed"] == line.told()["waiting"] == 0


def test_a_person_has_a_number_of_runs_and_minutes_and_others_are_not_touched(monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_PERSON_JOBS", "2")
    monkeypatch.setenv("FEEDBACK_LAB_PERSON_MINUTES", "10")
    line = Line(jobs=1)
    works = [enter(line, key, "ada")[1] for key in "ab"]
    third, _ = enter(line, "c", "ada")
    assert third.refused == "You have 2 runs here that have not ended; cancel one or wait."
    bob, work = enter(line, "d", "bob", Cost(400))
    assert not bob.refused and bob.place == 1, "before ada's second"
    more, _ = enter(line, "e", "bob", Cost(400))
    assert more.refused.startswith("This run would take with your others about 13.3 minutes of one core")
    for one in (*works, work):
        one.begun, one.ended = 1, True


def test_the_memory_of_what_is_computed_is_bounded(monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_JOBS_MB", "1000")
    line = Line(jobs=8)
    big = [enter(line, key, cost=Cost(1, 600e6)) for key in "ab"]
    small, later = enter(line, "c", cost=Cost(1, 1e6))
    assert [turn.place for turn, _ in big] == [0, 1] and small.place == 2, "nobody overtakes, or the big would starve"
    big[0][1].ended = True
    soon(lambda: later.begun and big[1][1].begun)
    big[1][1].ended = later.ended = True


def test_a_short_run_does_not_wait_for_long_ones():
    line = Line(jobs=2)
    long = [enter(line, key, cost=Cost(3600)) for key in "abc"]
    assert [work.begun for _, work in long] == [1, 0, 0], "one place is kept"
    short = [enter(line, key, cost=Cost(30)) for key in "de"]
    assert [work.begun for _, work in short] == [1, 0] and [turn.place for turn, _ in (*long, *short)] == [
        0,
        1,
        2,
        0,
        3,
    ]
    long[0][1].ended = True
    soon(lambda: long[1][1].begun)
    assert long[2][1].begun == short[1][1].begun == 0
    for _, work in (*long, *short):
        work.begun, work.ended = 1, True


def test_a_line_that_is_full_says_so(monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_JOBS_WAITING", "1")
    line = Line(jobs=1)
    turns, works = zip(*(enter(line, key) for key in "abc"), strict=True)
    assert [turn.refused for turn in turns] == [
        "", "", "The line of this server is full (1 run); try again later.",
    ]  # fmt: skip
    for work in works:
        work.begun, work.ended = 1, True


def test_a_run_that_cannot_begin_does_not_hold_the_line_up():
    line = Line(jobs=1)
    bad, _ = enter(line, "bad", fails=True)
    assert bad.refused == "This run could not be started (RuntimeError); try again later."
    _, good = enter(line, "good")
    soon(lambda: good.begun)
    good.running = None  # a fault in what is asked counts as the end, too
    good.ended = True
    soon(lambda: line.told()["computed"] == 0)


def test_many_people_at_once_are_each_begun_once_and_never_more_than_allowed():
    line, works, most = Line(jobs=3), [Work() for _ in range(40)], []
    lock = threading.Lock()

    def come(number):
        def start():
            works[number].start()
            with lock:
                most.append(sum(bool(work.running()) for work in works))
            threading.Timer(0.02, setattr, (works[number], "ended", True)).start()

        line.enter(number, f"person {number}", Cost(1), start, works[number].running)

    threads = [threading.Thread(target=come, args=(n,)) for n in range(40)]
    for thread in threads:
        thread.start()
    soon(lambda: all(work.ended for work in works), 30)
    assert [work.begun for work in works] == [1] * 40 and max(most) <= 3


def test_where_streamlit_keeps_its_sessions_elsewhere_everybody_is_here(monkeypatch):
    from streamlit.runtime import Runtime

    monkeypatch.setattr(Runtime, "exists", lambda: True)
    monkeypatch.setattr(Runtime, "instance", object)
    assert sessions.connected("somebody") and sessions.open_pages() is None


def test_outside_of_a_server_everybody_is_here():
    assert sessions.connected("somebody") and sessions.connected(sessions.NOBODY)
