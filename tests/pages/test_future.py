"""The other futures of a run, and what is sent of the run itself: numbers by the library, in an order to rely on."""

import re

import numpy as np
import pytest

import datasets
from datasets.spec import Spec
from learners.classification.metrics import METRICS as ONLINE
from learners.ranking.metrics import METRICS, SWAP_PROBABILITY
from learners.run.what_if import questions
from learners.spec import RunSpec
from pages.ui.draw.charts import Look
from pages.ui.play import payload
from pages.ui.play.film import film
from pages.ui.play.future import Future
from pages.ui.play.recording import Recording
from pages.ui.race.charts import ChartView, curves, drawn_curves

CHARTS = curves(METRICS)
STEPS, T, REPLICATE = 60, 7, 0
EXACT = ChartView(band="none", window=1)


def recorded(setup, slices=1e9):
    recording = Recording("test", setup, datasets.load(setup.dataset.id, **setup.dataset.values))
    while not recording.complete:
        recording.advance(slices)
    assert not recording.failed
    return recording


@pytest.fixture(scope="module")
def recording():
    learners = Spec("perturbed-perceptron"), Spec("preference-perceptron")
    return recorded(RunSpec(learners, Spec("toy-ranking"), Spec("cascade"), 3, STEPS, 0))


@pytest.fixture(scope="module")
def question(recording):
    """What if the only click of step 7 of the second learner had not happened?"""
    return next(q for q in questions(recording.simulations[1], T, REPLICATE) if q.id.startswith("no-click"))


def computed(recording, question, seconds=1e9):
    future = Future(recording, 1, T, REPLICATE, question)
    assert future.drawn(CHARTS, EXACT) == [] and not future.complete
    while not future.complete:
        future.advance(seconds)
    return future


def test_a_future_answers_once_both_runs_are_complete(recording, question):
    future = Future(recording, 1, T, REPLICATE, question)
    assert future.answer("best-lost", METRICS[0]) == ""
    future.advance(1e9)
    told = future.answer("best-lost", METRICS[0])
    assert told.startswith(f"Without the mistaken click on d3 at place 3 in step {T}, ") and METRICS[0].title in told
    assert future.answer("best-lost", None) != told


@pytest.mark.parametrize("seconds", [1e9, 1e-4])
def test_a_future_is_the_fork_and_what_it_is_compared_with_is_the_run(recording, question, seconds):
    """Of both are drawn: the values of the replicate at each step from the one before the question on."""
    future, run = computed(recording, question, seconds), recording.simulations[1]
    fork = run.fork(at=T, change=question.change)
    fork.advance(steps=STEPS - T + 1)
    was, other = future.drawn(CHARTS, EXACT)
    assert was["id"] != other["id"] and was["from"] == other["from"] == T and was["slot"] == other["slot"] == 1
    assert was["label"] == "replicate 1 as it was"
    assert other["label"] == f"replicate 1 as it would have been {question.without}"
    shown, moved = 0, set()
    for spec in CHARTS:
        for found, simulation in ((was, run), (other, fork)):
            history = simulation.history
            if spec.metric.relative or spec.metric.id not in history or np.isnan(history[spec.metric.id]).all():
                continue
            for line in found["charts"][spec.id]:
                values = history[spec.metric.id][line["x"] - 1, REPLICATE]
                np.testing.assert_array_equal(line["y"], values.astype(np.float32), err_msg=spec.id)
                assert line["x"][0] == T - 1 and line["x"][-1] == STEPS
                shown += 1
        before = [found["charts"][spec.id] for found in (was, other)]
        if before[0]:
            (a,), (b,) = before
            np.testing.assert_array_equal(a["y"][a["x"] < T], b["y"][b["x"] < T])
            moved |= {spec.id} if not np.array_equal(a["y"], b["y"]) else set()
    assert shown >= 8 and "average-regret" in moved


def test_without_the_click_the_learner_learns_nothing_in_that_step(recording, question):
    """By hand: the ranking of step 7 was shown before the click, so that the regret of the step is what it was; the
    weights stay those of step 6, and step 8 shows the ranking by these."""
    future, run = computed(recording, question), recording.simulations[1]
    step, now = run.at(T), future.simulation.at(T)
    assert step.response.clicks[REPLICATE].sum() == 1 and not now.response.clicks[REPLICATE].any()
    np.testing.assert_array_equal(now.shown.ranking, step.shown.ranking)
    np.testing.assert_array_equal(now.after[REPLICATE], run.at(T - 1).after[REPLICATE])
    assert not np.array_equal(step.after[REPLICATE], step.before[REPLICATE])
    was, other = (found["charts"]["average-regret"][0] for found in future.drawn(CHARTS, EXACT))
    regret = run.history["cumulative-regret"][:, REPLICATE]
    assert list(was["x"][:2]) == [6, 7]
    np.testing.assert_allclose(was["y"][:2], [regret[5] / 6, regret[6] / 7], rtol=1e-6)
    np.testing.assert_array_equal(other["y"][:2], was["y"][:2])
    again = future.simulation.at(T + 1)
    np.testing.assert_array_equal(again.before[REPLICATE], now.after[REPLICATE])


def test_a_question_that_cannot_be_answered_ends_in_a_sentence(recording, question):
    class Wrong:
        id, title, change = "wrong", "What if?", {"user": {"noise": 7}}

    future = Future(recording, 0, T, REPLICATE, Wrong)
    future.advance(1)
    assert future.complete and re.fullmatch(r"noise must be in \[0, 1\], got 7.*", future.failed)
    assert future.drawn(CHARTS, EXACT) == []


# ---- the lines of the payload


VIEWS = [
    ChartView(),
    ChartView("both", "none", 1),
    ChartView("predicted", "10–90 %", x_log=True),
    ChartView("both", "single runs", bounds=False),
]
ONLINE_SETUP = RunSpec((Spec("perceptron"), Spec("banditron"), Spec("halving", (("levels", 3),))),
                     Spec("separable-points", (("examples", 200),)), None, 3, STEPS, 0)  # fmt: skip


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: f"{view.which} {view.band}")
@pytest.mark.parametrize("family", ["ranking", "classification"])
def test_lines_come_in_the_order_of_the_curves_on_which_the_film_relies(recording, family, view):
    made = recording if family == "ranking" else recorded(ONLINE_SETUP)
    specs, moment = CHARTS if family == "ranking" else curves(ONLINE), made.moment()
    packed = film(moment, specs, view, Look(), curves=True)["charts"]
    lines = 0
    for chart, spec in zip(payload.charts(moment, specs, view, Look()), specs, strict=True):
        drawn = drawn_curves(spec.metric, moment, view, STEPS)
        told = [(line["slot"], line["name"], line["faint"], line["bound"]) for line in chart["lines"]]
        assert told == [(c.slot, c.label, c.faint, c.bound) for c in drawn], spec.id
        for line, curve in zip(chart["lines"], drawn, strict=True):
            trace = chart["data"][line["trace"]]
            np.testing.assert_array_equal(trace["x"], curve.x)
            np.testing.assert_allclose(trace["y"], curve.values.mean(axis=1), rtol=1e-6)
            band = line["band"]
            assert band is None or chart["data"][band]["fill"] == "toself"
        assert len(packed[spec.id]) == len(drawn)
        lines += len(drawn)
    assert lines > len(specs)


def test_a_learner_without_a_metric_has_no_line_and_the_others_keep_their_slots(recording):
    """The preference perceptron, in slot 1, swaps nothing; its curve is missing or flat, never that of slot 0."""
    spec = next(chart for chart in CHARTS if chart.metric is SWAP_PROBABILITY)
    (chart,) = payload.charts(recording.moment(), [spec], ChartView(bounds=False), Look())
    for line in chart["lines"]:
        trace = chart["data"][line["trace"]]
        history = recording.simulations[line["slot"]].history[SWAP_PROBABILITY.id]
        np.testing.assert_allclose(trace["y"], history[trace["x"] - 1].mean(axis=1), rtol=1e-6)
