"""A value shown for a step is the value of that step: in the curve, its end, the table, the title and the script."""

import base64
import contextlib
import io
import runpy
import sys
from itertools import pairwise

import numpy as np
import pytest

import datasets
from learners.interleaving.metrics import TOP10_SHARED
from pages.ui.draw.charts import POINTS, Look, rows_to_draw
from pages.ui.form.form import Form
from pages.ui.lab import values_table
from pages.ui.play import payload
from pages.ui.race.charts import drawn_curves, points_to_draw
from pages.ui.race.moment import Moment
from pages.ui.race.script import lab_script
from tests.conftest import ROOT
from tests.pages.modes import SHOWN

LABS = SHOWN
FLIP = {"feedback-1": "swap", "replicates": "1", "window": "1", "steps": "500", "charts": "rank-of-best,flips"}
MEAN = FLIP | {"replicates": "5", "window": "25"}
FEW = {"steps": "40"}


def played(id, query):
    """The end of the run of a link, how it is drawn, and its charts of curves."""
    lab = LABS[id]
    filled = lab.ask(Form(query))
    setup, view, charts = filled.run, filled.view, filled.charts
    data = datasets.create(setup.dataset.id, **setup.dataset.values).build()
    runs = setup.simulations(data)
    for run in runs:
        run.advance(steps=setup.steps)
    specs = [spec for spec in lab.drawn(charts, setup, data) if spec.metric is not None]
    return Moment(setup, setup.steps, runs), view, specs


@pytest.fixture(scope="module")
def flip():
    return played("stability", FLIP)


def read(exact, chart, key):
    return np.frombuffer(base64.b64decode(exact["charts"][chart][key]), dtype="<f4")


# ---- curves ---------------------------------------------------------------------------------------------


def test_a_flip_falls_from_the_first_to_the_last_place_and_stands_nowhere_in_between(flip):
    moment, view, specs = flip
    for chart, spec in zip(payload.charts(moment, specs, view, Look()), specs, strict=True):
        for line, trace in ((line, chart["data"][line["trace"]]) for line in chart["lines"]):
            assert line["steps"] and trace["line"]["shape"] == "hv"
            values = moment.simulations[line["slot"]].history[spec.metric.id][:, 0]
            at = np.searchsorted(trace["x"], np.arange(1, 501), side="right") - 1
            np.testing.assert_array_equal(np.asarray(trace["y"])[at], values.astype("f4"))
    rank = moment.simulations[0].history["rank-of-best"][:, 0]
    assert (rank[18], rank[19]) == (1, 10), "the step of which the first lesson tells"


def test_the_band_of_a_curve_of_steps_has_steps(flip):
    _, view, specs = flip
    moment, _, _ = played("stability", FLIP | {"replicates": "4"})
    band, line = payload.charts(moment, specs, view, Look())[1]["data"][:2]
    half = len(band["x"]) // 2
    across, up = np.diff(band["x"][:half]), np.diff(band["y"][:half])
    assert line["line"]["shape"] == "hv" and not (across * up).any(), "each part runs across or up"


def test_what_jumps_too_often_is_drawn_with_its_lowest_and_highest_values():
    moment, view, specs = played("stability", FLIP | {"steps": "6000", "charts": "ndcg,rank-of-best"})
    for spec in specs:
        points, jumps = points_to_draw(spec.metric, moment, view, 6000)
        assert not jumps and len(points) <= 3 * POINTS
        curve = drawn_curves(spec.metric, moment, view, 6000)[0]
        values = moment.simulations[0].history[spec.metric.id][:, 0]
        grid = rows_to_draw(6000, 6000, log=False) + 1
        for a, b in pairwise([0, *grid[::-2][::-1]]):  # of two learners
            part = curve.values[(curve.x > a) & (curve.x <= b), 0]
            assert (part.min(), part.max()) == (values[a:b].min(), values[a:b].max())


def test_a_mean_of_steps_is_drawn_as_a_line_and_named_in_the_title():
    moment, view, specs = played("stability", MEAN)
    rank, flips = payload.charts(moment, specs, view, Look())
    assert rank["title"] == "Rank of the best document (1 is best), mean of 25 steps"
    assert flips["title"] == "Flips so far"
    assert not rank["lines"][0]["steps"] and flips["lines"][0]["steps"]
    bandit, found = LABS["bandit"], LABS["semi_supervised"]
    assert bandit.ask(Form({})).view.titled("a", TOP10_SHARED) == "a, mean of 250 steps"
    assert found.ask(Form({})).view.titled("a", TOP10_SHARED) == "a"


# ---- the values of single steps -----------------------------------------------------------------------


@pytest.mark.parametrize("id", LABS)
def test_the_values_that_come_beside_the_points_are_those_of_every_step(id):
    moment, view, specs = played(id, FEW)
    exact = payload.exact(moment, specs, view, payload.near(moment, specs, 0))
    assert exact["first"] == 1
    for spec in specs:
        metric = spec.metric
        for slot, run in enumerate(moment.simulations):
            if metric.relative or metric.id not in run.history or np.isnan(run.history[metric.id]).any():
                continue
            rows = np.arange(moment.t)
            values = run.history.smooth(metric.id, rows, view.window) if metric.per_step else run.history[metric.id]
            np.testing.assert_allclose(read(exact, spec.id, f"{slot} 0 0"), values.mean(axis=1), rtol=1e-6)


def test_of_a_long_run_the_values_around_the_playhead_come():
    moment, view, specs = played("stability", {"steps": "20000", "replicates": "2", "charts": "rank-of-best,flips"})
    for t in (0, 1, 255, 256, 7777, 20_000):
        first, last = payload.near(moment, specs, t)
        assert first <= max(t, 1) <= last <= 20_000 and last - first <= 3 * payload.NEAR
        exact = payload.exact(moment, specs, view, (first, last))
        values = moment.simulations[1].history["flips"].mean(axis=1)
        np.testing.assert_allclose(read(exact, "flips", "1 0 0"), values[first - 1 : last], rtol=1e-6)
    assert payload.near(moment, specs, 300) == payload.near(moment, specs, 500), "not sent anew with every step"
    assert payload.near(moment, specs, 9, values=200_000) == (1, 20_000)


# ---- table, script, default -----------------------------------------------------------------------------


@pytest.mark.parametrize("query", [FLIP, MEAN], ids=["single", "mean"])
def test_chart_table_and_script_say_the_same_at_step_19(query, tmp_path):
    moment, view, specs = played("stability", query)
    script = tmp_path / "run.py"
    script.write_text(lab_script(moment.setup, window=view.window), encoding="utf-8")
    with contextlib.redirect_stdout(io.StringIO()) as out, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["run.py", "--library", str(ROOT), "--step", "19"])
        runpy.run_path(str(script), run_name="__main__")
    printed = out.getvalue().splitlines()
    exact = payload.exact(moment, specs, view, payload.near(moment, specs, 19))
    text = values_table.table(moment, specs, 19, (), view)
    for slot, label in enumerate(moment.setup.labels()):
        for metric, chart in (("rank-of-best", "rank-of-best"), ("flips", "flips")):
            value = float(read(exact, chart, f"{slot} 0 0")[18])
            line = next(line for line in printed[printed.index(label) :] if line.split()[0] == metric)
            averaged = view.window > 1 and metric == "rank-of-best"
            said = line.split("steps: ")[1].rstrip(")") if averaged else line.split()[1]
            assert float(said) == pytest.approx(value, rel=1e-5)
            assert ("mean of 25 steps" in line) == averaged
            assert f"<td>{value:.4g}" in text
    assert ("mean of 25 steps</th>" in text) == (view.window > 1)


@pytest.mark.parametrize(
    ("query", "window"),
    [({}, 25), ({"replicates": "1"}, 1), ({"replicates": "1", "window": "25"}, 25), ({"window": "7"}, 7)],
)
def test_a_single_run_is_not_smoothed_unless_the_link_says_so(query, window):
    assert LABS["stability"].ask(Form(query)).view.window == window
