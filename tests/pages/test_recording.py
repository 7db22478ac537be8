"""Runs computed in the background: their numbers, who waits for them, and when they are dropped."""

import sys
import threading
import time

import numpy as np
import pytest

import datasets
from datasets.spec import Spec
from learners import Simulation, create
from learners.classification.metrics import METRICS as ONLINE
from learners.metric import Metric
from learners.ranking.metrics import METRICS
from learners.run.history import History
from learners.spec import RunSpec
from pages.ui.draw.charts import Look
from pages.ui.jobs.job import Sliced
from pages.ui.jobs.queue import Queue
from pages.ui.play import payload
from pages.ui.play.recording import Recording, keyframes
from pages.ui.race.charts import ChartView, curves
from tests.learners.classification.test_blocks import growing
from tests.waiting import soon

SWAP, P3 = Spec("preference-perceptron", (("feedback", "swap"),)), Spec("perturbed-perceptron")
CHARTS = {chart.id: chart for chart in curves(METRICS)}
ERRORS = next(chart for chart in curves(ONLINE) if chart.metric.id == "error-rate")


def setup(*learners, steps=200, replicates=3, dataset=Spec("toy-ranking")):  # noqa: B008
    return RunSpec(learners or (SWAP, P3), dataset, Spec("cascade"), replicates, steps, 0)


@pytest.fixture
def data():
    return datasets.load("toy-ranking")


def recorded(made, data, seconds=1e9, **more):
    recording = Recording("test", made, data, **more)
    while not recording.complete:
        recording.advance(seconds)
    return recording


def test_how_a_run_is_sliced_does_not_change_its_numbers(data):
    whole, sliced = recorded(setup(), data), recorded(setup(), data, seconds=1e-4)
    assert whole.t == sliced.t == 200
    for a, b in zip(whole.simulations, sliced.simulations, strict=True):
        for metric in a.history:
            np.testing.assert_array_equal(a.history[metric], b.history[metric])


def test_a_recording_has_the_numbers_of_the_library(data):
    recording = recorded(setup(), data)
    simulation = Simulation(create("perturbed-perceptron"), data, "cascade", replicates=3, seed=0)
    simulation.advance(steps=200)
    for metric in simulation.history:
        np.testing.assert_array_equal(recording.simulations[1].history[metric], simulation.history[metric])
    for t in (1, 77, 200):
        np.testing.assert_array_equal(recording.at(1, t).last.shown.ranking, simulation.at(t).shown.ranking)
        assert recording.at(1, t).t == t


def test_learners_of_a_race_meet_the_same_queries_and_noise():
    data = datasets.load("web-search", queries=50, documents=8, features=5)
    made = setup(Spec("random-ranking"), Spec("structured-perceptron"), dataset=Spec("web-search"), steps=10)
    recording = recorded(made, data)
    for t in range(1, 6):
        first, second = (recording.at(slot, t).last for slot in (0, 1))
        np.testing.assert_array_equal(first.query, second.query)
        # the noise belongs to documents: judged documents that both users looked at are judged alike
        for r in range(3):
            verdicts = [
                {int(d): int(v) for d, v in zip(s.shown.ranking[r], s.response.judged[r], strict=True) if v >= 0}
                for s in (first, second)
            ]
            common = verdicts[0].keys() & verdicts[1].keys()
            assert all(verdicts[0][d] == verdicts[1][d] for d in common)


def test_a_learner_whose_numbers_do_not_change_does_not_run_again(data):
    before = recorded(setup(), data)
    after = recorded(setup(Spec("random-ranking"), P3), data, like=before)
    assert after.simulations[1] is before.simulations[1] and after.simulations[0] is not before.simulations[0]
    other = Recording("other", setup(SWAP, P3, steps=100), data, like=before)
    assert not set(map(id, other.simulations)) & set(map(id, before.simulations)), "another horizon is another run"


def test_pictures_are_drawn_with_all_learners_at_the_keyframe(data):
    seen = []

    def draw(moment):
        seen.append((moment.t, [s.t for s in moment.simulations]))
        return {"data": [], "layout": {}}

    recorded(setup(steps=300), data, seconds=1e-4, pictures={"picture": draw})
    assert [t for t, _ in seen] == keyframes(300).tolist() and len(seen) == 121
    assert all(taken == [t, t] for t, taken in seen)


def test_parts_are_made_once_and_anew_when_the_run_has_grown(data):
    recording, made = Recording("test", setup(), data), []

    def make(moment):
        made.append(moment.t)
        return {"reached": moment.t}

    assert recording.parts("look", make, 1) == recording.parts("look", make, 1) == ({"reached": 0}, False)
    recording.advance(1e9)
    assert recording.parts("look", make, 1) == ({"reached": 200}, True) and made == [0, 200]
    recording.parts("other look", make, 1)
    assert made == [0, 200, 200]


def test_a_page_does_not_wait_for_a_long_step(data):
    """While a worker holds the lock, whoever asks gets what was made before, or the empty charts of step 0."""
    recording = Recording("test", setup(), data)
    with recording.lock:
        began = time.monotonic()
        assert recording.parts("look", lambda moment: {"reached": moment.t}, 0.05) == ({"reached": 0}, False)
        assert time.monotonic() - began < 5
    empty = payload.charts(recording.moment(), [CHARTS["average-regret"]], ChartView(), Look())
    assert all(not len(trace["x"]) for trace in empty[0]["data"])


def test_curves_of_the_payload_are_means_of_the_history_on_its_grid(data):
    recording = recorded(setup(steps=1000), data)
    (chart,) = payload.charts(recording.moment(), [CHARTS["average-regret"]], ChartView(bounds=False), Look())
    for line in chart["lines"]:
        trace = chart["data"][line["trace"]]
        assert len(trace["x"]) <= 300 and list(trace["x"][:16]) == list(range(1, 17)) and trace["x"][-1] == 1000
        history = recording.simulations[line["slot"]].history["average-regret"]
        np.testing.assert_allclose(trace["y"], history[trace["x"] - 1].mean(axis=1), rtol=1e-6)
        assert chart["data"][line["band"]]["fill"] == "toself"


class Slow(Sliced):
    """A job of some slices."""

    def __init__(self, slices, fails=False):
        super().__init__()
        self.left, self.fails, self.seen = slices, fails, []

    @property
    def complete(self):
        return self.left == 0

    def advance(self, seconds):
        if self.fails:
            raise RuntimeError("a fault")
        time.sleep(0.005)
        self.left -= 1
        self.seen.append(time.monotonic())


def test_a_short_run_is_not_kept_waiting_by_long_ones():
    mine = Queue(workers=1)
    long = [mine.open(i, lambda: Slow(10_000)) for i in range(5)]
    time.sleep(0.1)
    short = mine.open("short", lambda: Slow(3))
    short.wait(20)
    assert short.complete and not any(job.complete for job in long)
    for job in long:
        job.left = 0


def test_the_work_that_is_left_follows_from_the_steps_of_all_learners(data):
    """Half of the first of two learners took 1 s: three halves are left. With the first known, half of the second."""
    race = setup(SWAP, P3, steps=100)
    job = Recording("job", race, data)
    job.worked = 1.0
    assert job.seconds_left() == np.inf
    job.simulations[0].advance(steps=50)
    assert job.seconds_left() == pytest.approx(3)
    before = recorded(setup(SWAP, steps=100), data)
    after = Recording("after", race, data, like=before)
    after.worked = 1.0
    after.simulations[1].advance(steps=50)
    assert after.seconds_left() == pytest.approx(1)


def test_of_runs_that_are_alike_one_is_finished_after_the_other():
    """With slices in turn the first of ten would end when nine tenths of all the work are done."""

    class Known(Slow):
        def seconds_left(self):
            return 0.005 * self.left if self.worked else 0.0

    mine = Queue(workers=1)
    jobs = [mine.open(i, lambda: Known(9)) for i in range(10)]
    for job in jobs:
        job.wait(20)
    slices = sorted(at for job in jobs for at in job.seen)
    assert slices.index(min(job.seen[-1] for job in jobs)) < 0.5 * len(slices) == 45


def test_work_ends_when_nobody_asks_and_goes_on_when_somebody_does(monkeypatch):
    monkeypatch.setattr(Slow, "away", 0.3)
    mine = Queue(workers=2)
    soon(lambda: mine.open("run", lambda: Slow(10_000)).left < 10_000)
    job = mine.get("run")

    def rests():
        with mine._cache.changed:  # under which a worker takes a job
            return not (job.wanted or job.worker)

    soon(rests)
    left = job.left
    time.sleep(0.1)
    assert job.left == left > 0, "the tab is closed"
    soon(lambda: mine.open("run", lambda: Slow(1)).left < left)
    job.left = 1
    mine.leave("run")


def test_a_fault_in_one_run_is_said_and_the_others_go_on():
    mine = Queue(workers=1)
    bad, good = mine.open("bad", lambda: Slow(5, fails=True)), mine.open("good", lambda: Slow(5))
    good.wait(20)
    assert good.complete and "a fault" in bad.failed and bad.left == 5


def test_what_nobody_looks_at_is_dropped_and_memory_is_bounded(monkeypatch):
    mine = Queue(workers=1, keep=0.2)
    mine.open("old", lambda: Slow(1)).wait(10)
    soon(lambda: mine.get("old") is None)
    mine._cache.keep = 3600
    mine.open("new", lambda: Slow(1)).wait(10)
    assert mine.get("new") is not None
    bounded = Queue(workers=1, megabytes=1)
    for name in "abc":
        job = bounded.open(name, lambda: Slow(1))
        job.wait(10)
        job.bytes = 600_000
    monkeypatch.setattr(Slow, "away", 0.2)
    time.sleep(0.3)
    bounded.open("c", lambda: Slow(1))
    bounded.open("d", lambda: Slow(1))
    assert bounded.get("a") is None and bounded.get("b") is None and bounded.get("c") and bounded.get("d")


def test_runs_that_people_wait_for_do_not_push_each_other_out():
    """Both would begin anew at each question, and never come to an end."""
    mine = Queue(workers=1, megabytes=1)
    made = []

    def make():
        made.append(Slow(20))
        made[-1].bytes = 900_000
        return made[-1]

    soon(lambda: all(mine.open(name, make).complete for name in ("mine", "yours")))
    assert len(made) == 2


def test_people_who_open_the_same_link_share_a_run():
    mine, made = Queue(workers=1), []

    def make():
        made.append(1)
        return Slow(3)

    jobs = []
    threads = [threading.Thread(target=lambda: jobs.append(mine.open("link", make))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(map(id, jobs))) == 1


@pytest.mark.parametrize("seconds", [1e9, 1e-4])
@pytest.mark.parametrize("bad", [0, 1])
def test_a_learner_that_diverges_is_told_in_a_sentence_and_all_before_is_kept(bad, seconds):
    """One of two learners overflows: the recording ends before that step, with the curves and pictures so far."""
    drawn = []

    def draw(moment):
        drawn.append(moment.t)
        return {"data": [], "layout": {}}

    data, steep = growing(), Spec("banditron-margin", (("gamma", 0.1), ("margin", 0.0)))
    race = (steep, Spec("halving")) if bad == 0 else (Spec("halving"), steep)
    made = RunSpec(race, Spec("digits"), None, 3, 500, 2)
    with np.errstate(over="ignore", invalid="ignore"):
        recording = recorded(made, data, seconds, pictures={"picture": draw})
    step = recording.simulations[bad].t + 1
    assert recording.failed == (
        f"the weights of banditron-margin are no longer finite numbers at step {step}; "
        "choose data with smaller features"
    )
    assert recording.complete and 0 < recording.t <= step - 1
    assert recording.t == min(simulation.t for simulation in recording.simulations)
    for slot in range(len(race)):
        good = made.simulation(slot, data)
        good.advance(steps=recording.simulations[slot].t)
        for metric in good.history:
            np.testing.assert_array_equal(recording.simulations[slot].history[metric], good.history[metric])
        back = made.simulation(slot, data)
        back.advance(steps=recording.t)
        np.testing.assert_array_equal(recording.at(slot, recording.t).last.shown.label, back.last.shown.label)
    assert drawn == recording.frames["picture"].since(0)["at"] == [t for t in keyframes(500) if t <= recording.t]
    (chart,) = payload.charts(recording.moment(), [ERRORS], ChartView(window=1), Look())
    ends = {line["slot"]: chart["data"][line["trace"]]["x"][-1] for line in chart["lines"]}
    assert ends[bad] == step - 1 and min(ends.values()) == recording.t


def test_a_queue_that_is_cleared_leaves_no_work():
    mine = Queue(workers=2)
    jobs = [mine.open(name, lambda: Slow(10_000)) for name in "abc"]
    soon(lambda: sum(job.left for job in jobs) < 30_000)
    mine.clear()
    left = [job.left for job in jobs]
    assert len(mine) == 0 and all(job.worker is None for job in jobs)
    time.sleep(0.1)
    assert [job.left for job in jobs] == left
    again = mine.open("a", lambda: Slow(2))
    again.wait(20)
    assert again.complete and again is not jobs[0]


def test_histories_can_be_read_while_they_grow():
    """Rows never become fewer, and running sums that several people extend at once are those of one person."""
    metric, values = Metric("loss", "Loss", "Of a step.", per_step=True), np.random.default_rng(0).random((4000, 2))
    history, alone, faults = History(2, recorded=50), History(2, recorded=50), []

    def read():
        try:
            while history.steps < len(values):
                for row in range(len(history.at)):
                    assert len(history["loss"]) > row, "a row is gone"
                if history.rows:
                    history.smooth("loss", np.arange(history.rows), 25)
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for start in range(0, len(values), 3):
            history.append({metric: values[start : start + 3]})
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(usual)
    alone.append({metric: values})
    rows = np.arange(alone.rows)
    assert not faults, faults
    np.testing.assert_array_equal(history.smooth("loss", rows, 25), alone.smooth("loss", rows, 25))


def test_a_page_never_takes_half_a_run_for_all_of_it(data):
    recording = recorded(setup(), data)
    with recording.lock:  # somebody else draws it
        threading.Timer(0.3, recording.lock.release).start()
        recording_parts = recording.parts("look", lambda moment: {"reached": moment.t}, 0.01)
        recording.lock.acquire()
    assert recording_parts == ({"reached": 200}, True)


def test_what_follows_the_curves_waits_until_a_page_has_them_but_not_for_long(data, monkeypatch):
    recording = Recording("curves", setup(), data)
    pictures = Recording("pictures", recording.setup, data, {"a": lambda moment: moment.t}, after=recording)
    with recording.showing():
        while not recording.complete:
            recording.advance(1e9)
        assert not pictures.ready, "the page is about to draw the curves"
    assert pictures.ready
    with recording.showing():
        assert not pictures.ready
        monkeypatch.setattr("pages.ui.play.recording.SHOWN_SOON", 0.0)
        assert pictures.ready, "a page that never comes to its end holds nothing up"


def test_what_could_not_be_drawn_during_a_long_step_is_drawn_after_it(data):
    recording = Recording("test", setup(), data)
    with recording.lock:
        recording.parts("look", lambda moment: {"reached": moment.t}, 0.01)
        recording.advance(1e9)
        assert recording.parts("look", lambda moment: pytest.fail("drawn twice"), 0.01) == ({"reached": 200}, True)


def test_a_picture_that_breaks_leaves_what_was_computed_before(data, logged):
    def draw(moment):
        if moment.t == 150:
            raise RuntimeError("a fault\nof two lines")
        return {"data": [], "layout": {}}

    mine = Queue(workers=2)
    bad = mine.open("bad", lambda: Recording("bad", setup(), data, {"picture": draw}))
    good = mine.open("good", lambda: Recording("good", setup(), data))
    for job in (bad, good):
        job.wait(60)
    assert good.complete and not good.failed
    assert "RuntimeError: a fault of two lines" in bad.failed and "Traceback" in logged()
    parts, whole = bad.parts("look", lambda moment: {"reached": moment.t}, 1)
    assert whole and parts["reached"] >= 148 and bad.at(0, parts["reached"]).t == parts["reached"]


def test_a_run_without_memory_says_so():
    class Greedy(Slow):
        def advance(self, seconds):
            raise MemoryError

    mine = Queue(workers=1)
    job = mine.open("run", lambda: Greedy(1))
    with job.grown:
        assert job.grown.wait_for(lambda: job.failed, 20)
    assert job.failed == "This run needs more memory than the server has. Lower the steps or the replicates."


def test_those_who_look_do_not_keep_a_run_from_being_computed():
    mine = Queue(workers=1)
    job = mine.open("run", lambda: Slow(5))

    def look():
        while not job.complete:
            with job.looked_at():
                time.sleep(0.01)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    job.wait(60)
    assert job.complete
    for thread in threads:
        thread.join()
    assert job.asked == 0


def test_settings_that_were_left_are_not_computed_on():
    mine = Queue(workers=2)
    left = []
    for number in range(30):
        if left:
            mine.leave(number - 1)
        left.append(mine.open(number, lambda number=number: Slow(10_000 if number < 29 else 40)))
    left[-1].wait(60)
    assert left[-1].complete and all(job.left for job in left[:-1]), "the last one wins"
    soon(lambda: not any(job.worker for job in left))
    done = [job.left for job in left[:-1]]
    time.sleep(0.1)
    assert [job.left for job in left[:-1]] == done


def test_looking_back_is_counted_as_memory(data):
    recording = recorded(setup(), data)
    before = recording.bytes
    recording.at(0, 150)
    assert recording.bytes >= before + recording.at(0, 150).history.bytes
