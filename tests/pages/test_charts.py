"""Figures as data: what is drawn, and how much of it."""

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

import datasets
from learners.ranking.metrics import METRICS
from pages.ui.choice import Choice
from pages.ui.draw.charts import POINTS, Axis, Curve, Look, band_of, line_chart, rows_to_draw, standalone
from pages.ui.family import bandit
from pages.ui.lab.charts import View, curves, figure
from pages.ui.lab.race import Race
from pages.ui.lab.setup import Setup

CHARTS = curves(METRICS)


@given(st.integers(1, 100_000), st.data(), st.booleans())
def test_at_most_300_points_and_the_last_always(steps, data, log):
    t = data.draw(st.integers(1, steps))
    rows = rows_to_draw(t, steps, log)
    assert 1 <= len(rows) <= POINTS and rows[-1] == t - 1
    assert (np.diff(rows) > 0).all() and rows[0] >= 0


@given(st.integers(10, 50_000), st.booleans())
def test_points_already_drawn_stay_where_they_are(steps, log):
    early, late = rows_to_draw(steps // 2, steps, log), rows_to_draw(steps, steps, log)
    assert set(early[:-1]) <= set(late)


def test_band_by_hand():
    """Of 1 and 3 the mean is 2 and the standard error √2/√2 = 1; the 10 % quantile is 1.2."""
    values = np.array([[1.0, 3.0]])
    np.testing.assert_allclose(np.concatenate(band_of(values, "standard error")), [1, 3])
    np.testing.assert_allclose(np.concatenate(band_of(values, "10–90 %")), [1.2, 2.8])


@pytest.fixture(scope="module")
def race():
    learners = (
        Choice("preference-perceptron"),
        Choice("perturbed-perceptron", (("dynamic", True),)),
        Choice("random-ranking"),
    )
    race = Race()
    race.change(Setup(learners, Choice("toy-ranking"), Choice("cascade"), 4, 300, 0), datasets.load("toy-ranking"))
    race.playing = True
    while race.active:
        race.tick(1, None, 0.1)
    return race


@pytest.mark.parametrize("spec", CHARTS, ids=lambda c: c.id)
@pytest.mark.parametrize("view", [
    View(), View(which="both", band="single runs", window=1), View(which="predicted", band="10–90 %", x_log=True),
    View(band="none", y_log=True, bounds=False),
], ids=["default", "both", "predicted", "log"])  # fmt: skip
def test_every_chart_in_every_view_is_a_valid_figure(race, spec, view):
    made = figure(spec, race, view, Look())
    go.Figure(made)  # Plotly checks every property
    assert made["data"], "something is drawn"
    for trace in made["data"]:
        assert len(trace["x"]) == len(trace["y"])
    assert spec.title in standalone(made, spec.title, race.setup.labels())


def test_the_curve_is_the_mean_of_the_history(race):
    spec = next(c for c in CHARTS if c.id == "average-regret")
    made = figure(spec, race, View(band="none", bounds=False), Look())
    curve = made["data"][0]
    expected = race.simulations[0].history["average-regret"].mean(axis=1)
    np.testing.assert_allclose(curve["y"], expected[np.asarray(curve["x"]) - 1])


def test_the_bound_is_drawn_dotted_for_learners_that_have_one(race):
    spec = next(c for c in CHARTS if c.id == "average-regret")
    names = [t.get("name") for t in figure(spec, race, View(), Look())["data"]]
    assert [n for n in names if n and "Theorem" in n] == [
        "Preference perceptron, top · Theorem 1 of Shivaswamy & Joachims",
        "Perturbed perceptron (3PR), dynamic · Theorem 2 of Raman et al.",
    ]


def test_an_empty_chart_says_what_will_appear():
    made = line_chart([Curve("a", 0, np.empty(0, int), np.empty((0, 2)))], Axis("Regret"))
    assert "Press Play" in made["layout"]["annotations"][0]["text"]


def test_a_bound_above_the_picture_is_said_so(race):
    spec = next(c for c in CHARTS if c.id == "average-regret")
    made = figure(spec, race, View(), Look())
    ends = [t["y"][-1] for t in made["data"] if "Theorem" in t.get("name", "")]
    hidden = max(ends) > made["layout"]["yaxis"]["range"][1]
    assert hidden == any("above the picture" in a["text"] for a in made["layout"].get("annotations", []))


def test_learners_keep_colour_and_dash_in_every_chart(race):
    seen = {}
    for spec in CHARTS:
        for trace in figure(spec, race, View(band="none", bounds=False), Look())["data"]:
            line = (trace["line"]["color"], trace["line"]["dash"])
            assert seen.setdefault(trace["name"], line) == line
    assert len(set(seen.values())) == 3


def test_the_regions_of_the_bandit_lab_are_what_the_weights_predict():
    """One panel a learner; halving has no weights and so no background."""
    race = Race()
    dataset = Choice("separable-points", (("examples", 200),))
    learners = (Choice("perceptron"), Choice("halving", (("levels", 3),)))
    race.change(Setup(learners, dataset, None, 2, 100, 0), datasets.load("separable-points", examples=200))
    spec = next(c for c in bandit.PICTURES if c.id == "regions")
    assert figure(spec, race, View(), Look())["data"] == []
    for _ in range(60):
        race.step()
    drawn = figure(spec, race, View(), Look())
    maps = [t for t in drawn["data"] if t["type"] == "heatmap"]
    assert len(maps) == 1 and maps[0]["z"].shape == (bandit.GRID, bandit.GRID)
    W = race.simulations[0].learner.weights[0]
    for i, j in ((0, 0), (5, 40), (47, 13)):
        x = np.array([maps[0]["x"][j], maps[0]["y"][i]])
        assert maps[0]["z"][i, j] == (W @ x).argmax()
    assert drawn["data"][1]["text"][0].startswith("true class: sector")
