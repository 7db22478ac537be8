"""Knobs: what is shown at a stop is the run at that stop, those nearest to the run come first, and nobody waits."""

import itertools
import time
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import datasets
from pages.ui.draw.charts import Look
from pages.ui.form.form import Form
from pages.ui.jobs.queue import Queue
from pages.ui.play.grid import KnobGrid, turned
from pages.ui.play.payload import charts, encoded
from pages.ui.play.recording import Recording
from pages.ui.race.charts import ChartView
from pages.ui.race.knob import MOST_KNOBS, Knob, knobs_of, owners
from tests.pages.modes import SHOWN

LABS = sorted(SHOWN.values(), key=lambda lab: lab.id != "stability")
STEPS = {"semi-supervised": 3, "learning-to-rank": 3, "refinement": 3}  # the others take a little more than a hundred


@cache
def load(spec):
    return datasets.load(spec.id, **spec.values)


def knobs(lab, run):
    return knobs_of(run, lab.knobs, tuple(range(1, len(run.learners) + 1)), lab.family)


def done(job):
    while not job.complete:
        job.advance(10)
    return job


VIEW = ChartView()


def grid(lab, run, knob, view=VIEW, **changed):
    recording = done(Recording("run", run, load(run.dataset)))
    recording.worked = changed.get("worked", 0.01)
    specs = [lab.charts[id] for id in lab._shown]
    return KnobGrid(recording, knob, specs, view, Look(), load), specs


def small(lab, **link):
    """The run of a lab with few steps and replicates, and with few queries, which are soon made."""
    run = lab.ask_run(Form({"replicates": "2", "steps": str(STEPS.get(lab.id, 130)), **link}))
    return run.given("dataset", {"queries": 100}) if run.dataset.values.get("queries", 0) > 100 else run


CASES = [
    pytest.param(lab, knob.key, marks=pytest.mark.long if number > 1 else ())
    for lab in LABS
    for number, knob in enumerate(knobs(lab, small(lab)))
]


def test_every_lab_has_two_to_four_knobs():
    for lab in LABS:
        found, shorts = knobs(lab, small(lab)), small(lab).shorts()
        assert 2 <= len(found) <= MOST_KNOBS, lab.id
        named = {(knob.label, owner) for knob, owner in zip(found, owners(found, shorts), strict=True)}
        assert len(named) == len(found), f"{lab.id} has two knobs of one name"


@pytest.mark.parametrize(("lab", "key"), CASES, ids=lambda x: getattr(x, "id", x))
def test_a_stop_shows_the_run_with_that_value_to_the_bit(lab, key):
    """The first two stops and the last one, each beside a run of its own."""
    run, view = small(lab), ChartView(window=5)
    knob = next(k for k in knobs(lab, run) if k.key == key)
    knob = replace(knob, values=tuple(sorted({*(knob.values[i] for i in knob.nearest()[:3]), knob.values[-1]})))
    job, specs = grid(lab, run, knob, view)
    itself, found = job._recording, dict(done(job).found)
    assert len(found) == len(knob.values) and not job.left_out
    for number, shown in found.items():
        one = knob.given(run, knob.values[number])
        alone = done(Recording("alone", one, load(one.dataset)))
        curves = [spec for spec in specs if spec.metric is not None]
        drawn = charts(alone.moment(), curves, view, Look())
        assert encoded({"": shown}) == encoded({"": [turned(chart, knob.slot) for chart in drawn]})
        assert others(drawn, knob.slot) == others(charts(itself.moment(), curves, view, Look()), knob.slot)


def others(drawn, slot):
    """The curves of the learners that a knob does not concern, which stay as they are while it is turned."""
    if slot is None:
        return None
    rest = [(chart, line) for chart in drawn for line in chart["lines"] if line["slot"] != slot]
    return [(line["slot"], encoded({"": chart["data"][line["trace"]]})) for chart, line in rest]


@given(st.sets(st.floats(0, 1).map(lambda v: round(v, 3)), min_size=1, max_size=12), st.integers(0, 1000))
def test_the_stops_hold_the_value_of_the_run_and_go_outwards_from_it(values, here):
    lab = LABS[0]
    here /= 1000
    run = small(lab, noise=repr(here))
    knob = knobs_of(run, (Knob("noise", "user", tuple(sorted(values))),), (1, 2), lab.family)[0]
    assert list(knob.values) == sorted({*values, here}) and knob.value == here
    order = [abs(number - knob.values.index(here)) for number in knob.nearest()]
    assert order == sorted(order) and sorted(knob.nearest()) == list(range(len(knob.values)))


def test_two_neighbours_come_first_and_the_rest_together():
    lab, run = LABS[0], small(LABS[0])
    job, _ = grid(lab, run, knobs(lab, run)[0])
    job.advance(0.0)
    first, rest = job._parts
    here = job.turning.values.index(job.turning.value)
    assert sorted(first) == [here - 1, here + 1] and len(rest) == len(job.turning.values) - 3


def test_a_run_that_takes_long_has_few_stops_and_says_how_many_are_left_out():
    lab, run = LABS[0], small(LABS[0])
    job, _ = grid(lab, run, knobs(lab, run)[0], worked=15.0)
    assert len(done(job).found) == 3 and job.left_out == len(job.turning.values) - 3


def test_a_stop_that_breaks_off_is_left_out_and_the_others_come(monkeypatch):
    lab, run = LABS[0], small(LABS[0])
    knob = knobs(lab, run)[0]
    broken, start = knob.values[0], KnobGrid._start

    def fails(self, recording, part):
        if broken in [knob.values[number] for number in part]:
            raise ValueError("its weights overflow")
        start(self, recording, part)

    monkeypatch.setattr(KnobGrid, "_start", fails)
    job = done(grid(lab, run, knob)[0])
    assert {number for number, _ in job.found} == set(knob.nearest()) - {0} and job.left_out == 1


def test_runs_come_before_knobs():
    """A queue with one worker computes a run that came later before the stops of a knob."""
    lab, run = LABS[0], small(LABS[0])
    order = []

    class Noted(KnobGrid):
        def advance(self, seconds):
            order.append("knob")
            time.sleep(0.01)
            super().advance(0.0)

    class Run(Recording):
        def advance(self, seconds):
            order.append("run")
            super().advance(seconds)

    job, specs = grid(lab, run, knobs(lab, run)[0])
    queue = Queue(workers=1)
    slow = queue.open("knob", lambda: Noted(job._recording, job.turning, specs, ChartView(), Look(), load))
    while not order:
        time.sleep(0.001)
    longer = replace(run, steps=2_000, replicates=20)
    queue.open("run", lambda: Run("run", longer, load(run.dataset))).wait(60)
    began, ended = order.index("run"), len(order) - order[::-1].index("run")
    assert not slow.failed and order[began:ended].count("knob") <= 1, [k for k, _ in itertools.groupby(order)]
