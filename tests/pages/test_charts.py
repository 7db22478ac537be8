"""Figures as data: what is drawn, and how much of it."""

import base64
import io
import tomllib
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import datasets
from datasets.spec import Spec
from learners.interleaving.metrics import WIN_SHARE
from learners.ranking.metrics import AVERAGE_REGRET, HELD_OUT, METRICS, NDCG
from learners.spec import RunSpec
from pages.ui.draw import images
from pages.ui.draw.bars import Bar, bar_panels
from pages.ui.draw.charts import (
    POINTS,
    REFERENCE,
    Axis,
    Curve,
    Look,
    band_of,
    base_layout,
    line_chart,
    rows_to_draw,
    standalone,
)
from pages.ui.draw.legend import legend
from pages.ui.draw.parameter_charts import heat_maps
from pages.ui.families.classification import pictures as bandit
from pages.ui.families.ranking import coactive_pictures as coactive
from pages.ui.families.ranking import comparison_pictures as interleaving
from pages.ui.families.ranking import pictures as ranking
from pages.ui.race.charts import ChartView, bounds_of, curves, figure
from pages.ui.race.moment import Moment
from tests.conftest import ROOT

CHARTS = curves(METRICS)
THEMES = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]


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
        Spec("preference-perceptron"),
        Spec("perturbed-perceptron", (("dynamic", True),)),
        Spec("random-ranking"),
    )
    setup = RunSpec(learners, Spec("toy-ranking"), Spec("cascade"), 4, 300, 0)
    return moment(setup, datasets.load("toy-ranking"), 300)


@pytest.fixture(scope="module")
def tested():
    """A race on data with test queries."""
    world = Spec("web-search", (("queries", 20), ("documents", 5), ("features", 3), ("test_queries", 10)))
    setup = RunSpec((Spec("preference-perceptron"), Spec("random-ranking")), world, Spec("scan"), 2, 60, 0)
    return moment(setup, datasets.load(world.id, **world.values), 60)


def moment(setup, data, t):
    """A race after t steps."""
    simulations = setup.simulations(data)
    for simulation in simulations:
        simulation.advance(steps=t)
    return Moment(setup, t, simulations, [[(t, 2.5)] for _ in simulations])


@pytest.mark.parametrize("spec", CHARTS, ids=lambda c: c.id)
@pytest.mark.parametrize("view", [
    ChartView(), ChartView(which="both", band="single runs", window=1),
    ChartView(which="predicted", band="10–90 %", x_log=True),
    ChartView(band="none", y_log=True, bounds=False),
], ids=["default", "both", "predicted", "log"])  # fmt: skip
def test_every_chart_in_every_view_is_a_valid_figure(race, tested, spec, view):
    race = tested if spec.id == HELD_OUT.id else race
    made = figure(spec, race, view, Look())
    go.Figure(made)  # Plotly checks every property
    assert made["data"], "something is drawn"
    for trace in made["data"]:
        assert len(trace["x"]) == len(trace["y"])
    assert spec.title in standalone(made, spec.title, race.setup.labels())


def test_the_curve_is_the_mean_of_the_history(race):
    spec = next(c for c in CHARTS if c.id == "average-regret")
    made = figure(spec, race, ChartView(band="none", bounds=False), Look())
    curve = made["data"][0]
    expected = race.simulations[0].history["average-regret"].mean(axis=1)
    np.testing.assert_allclose(curve["y"], expected[np.asarray(curve["x"]) - 1])


def test_the_bound_is_drawn_dotted_for_learners_that_have_one(race):
    spec = next(c for c in CHARTS if c.id == "average-regret")
    names = [t.get("name") for t in figure(spec, race, ChartView(), Look())["data"]]
    assert [n for n in names if n and "bound" in n] == [
        "Preference perceptron, top · worst-case bound",
        "Perturbed perceptron (3PR), dynamic · worst-case bound",
    ]


def test_an_empty_chart_says_what_will_appear():
    made = line_chart([Curve("a", 0, np.empty(0, int), np.empty((0, 2)))], Axis("Regret"))
    assert "Press Play" in made["layout"]["annotations"][0]["text"]


def test_a_line_to_compare_with_stands_where_the_metric_declares_it():
    assert WIN_SHARE.reference == (0.5, "no difference")
    curve = Curve("a", 0, np.array([1, 2]), np.array([[0.2], [0.7]]))
    made = line_chart([curve], Axis("Share", y_range=WIN_SHARE.limits, reference=WIN_SHARE.reference))
    (line,) = made["layout"]["shapes"]
    assert (line["y0"], line["y1"], line["x0"], line["x1"]) == (0.5, 0.5, 0, 1) and line["xref"] == "paper"
    (said,) = made["layout"]["annotations"]
    assert (said["text"], said["y"], said["yref"], said["name"]) == ("no difference", 0.5, "y", REFERENCE)
    go.Figure(made)
    assert not line_chart([curve], Axis("Share"))["layout"].get("shapes")
    empty = line_chart([replace(curve, x=curve.x[:0], values=curve.values[:0])], Axis("a", reference=(0.5, "b")))
    assert [note["text"] for note in empty["layout"]["annotations"]] == [Axis.empty]


@pytest.mark.parametrize("values", [[3.0, 4.0], [-0.1, -4.0], [-2.0, 5.0], [0.0]], ids=str)
def test_bars_begin_at_zero(values):
    made = bar_panels([("a", 0, [Bar(str(v), v, "") for v in values])], Look(), 200, "x", "", 1)
    low, high = made["layout"]["yaxis"]["range"]
    assert low == min(0, 1.05 * min(values)) and high >= max(0, 1.05 * max(values)) and low < high
    assert made["layout"]["meta"]["hold"] == ["yaxis"]
    go.Figure(made)


def test_titles_above_panels_are_not_cut():
    titles = ["Exponentiated gradient, γ = 0.25", "A learner with a name of many words that needs some lines"] * 2
    panels = [(title, i, [Bar("1", 1, "")]) for i, title in enumerate(titles)]
    for made in (
        heat_maps([np.eye(2)] * 4, titles, ("a", "b"), Look(), 200),
        bar_panels(panels, Look(), 200, "x", "", 1),
    ):
        written = [note["text"] for note in made["layout"]["annotations"]]
        assert [text.replace("<br>", " ").replace("\xa0", " ") for text in written] == titles
        assert made["layout"]["margin"]["t"] >= 11 * max(text.count("<br>") + 1 for text in written)


def test_what_is_shown_on_hover_has_the_ground_of_the_page():
    for theme, ground in (("light", "#FFFFFF"), ("dark", "#12161C")):
        assert Look.of(theme).ground == ground == THEMES[theme]["backgroundColor"]
        assert base_layout(Look.of(theme), 200)["hoverlabel"]["bgcolor"] == ground


def test_a_bound_above_the_picture_is_said_so(race):
    spec = next(c for c in CHARTS if c.id == "average-regret")
    made = figure(spec, race, ChartView(), Look())
    ends = [t["y"][-1] for t in made["data"] if "bound" in t.get("name", "")]
    hidden = max(ends) > made["layout"]["yaxis"]["range"][1]
    assert hidden == any("above the picture" in a["text"] for a in made["layout"].get("annotations", []))


def test_learners_keep_colour_and_dash_in_every_chart(race):
    seen = {}
    for spec in CHARTS:
        for trace in figure(spec, race, ChartView(band="none", bounds=False), Look())["data"]:
            line = (trace["line"]["color"], trace["line"]["dash"])
            assert seen.setdefault(trace["name"], line) == line
    assert len(set(seen.values())) == 3


def picture(module, id):
    return next(spec for spec in module.PICTURES if spec.id == id)


def test_the_regions_of_the_bandit_lab_are_what_the_weights_predict():
    """One panel a learner; halving has no weights and so no background, and nobody has one before the first step."""
    dataset = Spec("separable-points", (("examples", 200),))
    setup = RunSpec((Spec("perceptron"), Spec("halving", (("levels", 3),))), dataset, None, 2, 100, 0)
    data, spec = datasets.load("separable-points", examples=200), picture(bandit, "regions")
    first, drawn = (spec.draw(moment(setup, data, t), Look(), 260) for t in (0, 60))
    assert [trace["type"] for trace in first["data"]] == ["scatter"] * 4
    assert first["layout"] == drawn["layout"], "nothing moves but the background"
    now = moment(setup, data, 60)
    maps = [t for t in drawn["data"] if t["type"] == "heatmap"]
    assert len(maps) == 1 and maps[0]["z"].shape == (bandit.GRID, bandit.GRID)
    W = now.simulations[0].learner.weights[0]
    for i, j in ((0, 0), (5, 40), (47, 13)):
        x = np.array([maps[0]["x"][j], maps[0]["y"][i]])
        assert maps[0]["z"][i, j] == (W @ x).argmax()
    assert drawn["data"][1]["text"][0].startswith("true class: sector")


LEARNERS = {"classification": ("perceptron", "halving"), "ranking": ("preference-perceptron", "random-ranking")}
SHOWN = [
    (bandit, "classification", Spec("digits"), None),
    (bandit, "classification", Spec("separable-points", (("examples", 200),)), None),
    (coactive, "ranking", Spec("web-search", (("queries", 20),)), Spec("cascade")),
    (ranking, "ranking", Spec("toy-ranking"), Spec("cascade")),
    (ranking, "ranking", Spec("digits-search"), Spec("cascade")),
]


@pytest.mark.parametrize(("module", "family", "dataset", "user"), SHOWN, ids=lambda x: getattr(x, "id", None))
def test_every_picture_has_one_size_at_all_steps_and_never_stays_empty(module, family, dataset, user):
    learners = tuple(Spec(id) for id in LEARNERS[family] if id != "halving" or dataset.id != "digits")
    setup, data = RunSpec(learners, dataset, user, 2, 100, 0), datasets.load(dataset.id, **dataset.values)
    moments = [moment(setup, data, t) for t in (0, 1, 30)]
    for spec in module.PICTURES:
        if spec.write is not None:
            pages = [spec.write(now, Look()) for now in moments]
            assert len({page.count("<") for page in pages}) == 1 and all("fl-" in page for page in pages), spec.id
            continue
        drawn = [spec.draw(now, Look(), 260) for now in moments]
        assert len({made["layout"]["height"] for made in drawn}) == 1, spec.id
        for made in drawn:
            go.Figure(made)
            assert made["data"] or made["layout"]["annotations"][0]["text"].startswith(
                ("Press", "Play on", "Drawn", "These")
            )


def test_the_cost_of_steps_is_that_of_the_moment():
    setup = RunSpec((Spec("perceptron"),), Spec("digits"), None, 1, 1000, 0)
    now = Moment(setup, 20, [None], [[(10, 3.5), (20, 2.5), (30, 9.0)]])
    (trace,) = picture(coactive, "cost").draw(now, Look(), 260)["data"]
    assert trace["x"].tolist() == [20] and trace["y"].tolist() == [3.0]


def test_the_cost_of_steps_is_the_mean_of_each_part_of_the_run():
    """Parts of 25 steps: 25 of 4 µs; then 5 of 4 and 20 of 9 µs, so (20 + 180) / 25 = 8; then 10 of 9."""
    setup = RunSpec((Spec("perceptron"),), Spec("digits"), None, 1, 1000, 0)
    made = picture(coactive, "cost").draw(Moment(setup, 60, [None], [[(30, 4.0), (60, 9.0)]]), Look(), 260)
    assert made["data"][0]["x"].tolist() == [25, 50, 60]
    np.testing.assert_allclose(made["data"][0]["y"], [4, 8, 9])
    assert made["layout"]["yaxis"]["range"] == [0, 1], "whole powers of ten"


def test_weights_are_shown_where_there_are_images_and_elsewhere_a_sentence_says_so():
    rows = moment(RunSpec((Spec("perceptron"),), Spec("digits"), None, 1, 100, 0), datasets.load("digits"), 50)
    page = picture(bandit, "weight-maps").write(rows, Look())
    assert page.count("<img") == 1 and 'alt="weights of the classes 0, 1, 2, 3, 4, 5, 6, 7, 8, 9"' in page
    toy = RunSpec((Spec("preference-perceptron"),), Spec("toy-ranking"), Spec("cascade"), 1, 100, 0)
    none = picture(ranking, "weight-maps").write(moment(toy, datasets.load("toy-ranking"), 5), Look())
    assert "Drawn where documents are images" in none and "<img" not in none


def test_a_sheet_of_maps_is_red_where_weights_speak_for_a_class_and_blue_where_against():
    maps = np.zeros((2, 2, 2))
    maps[0, 0, 0], maps[1, 1, 1] = 5.0, -0.1
    with Image.open(io.BytesIO(base64.b64decode(images.sheet(maps).split(",")[1]))) as read:
        pixels = np.asarray(read.convert("RGBA")).astype(int)
    assert pixels.shape == (2, 5, 4) and pixels[:, 2, 3].tolist() == [0, 0], "a gap between the two"
    red, blue, white = pixels[0, 0], pixels[1, 4], pixels[0, 1]
    assert red[0] > red[2] + 100 and blue[2] > blue[0] + 100 and white[:3].min() > 240


def test_the_verdicts_count_all_replicates():
    dataset = Spec("web-search", (("queries", 20), ("documents", 8), ("features", 5)))
    settings = (("method", "team-draft"), ("sample", 5))
    setup = RunSpec((Spec("preference-perceptron"),), dataset, Spec("cascade"), 3, 200, 0, settings)
    data = datasets.load(dataset.id, **dataset.values)
    first, late = moment(setup, data, 0), moment(setup, data, 200)
    write = picture(interleaving, "verdicts").write
    assert "nothing compared yet" in write(first, Look())
    wins = int(late.simulations[0].history["wins"][-1].sum())
    assert wins and f"<td>{wins:,}</td>" in write(late, Look())
    assert write(first, Look()).count("<") == write(late, Look()).count("<")


def test_the_legend_says_in_words_what_theory_promises_and_names_the_theorems_on_hover(race):
    words, theorems = bounds_of(race, 0, [AVERAGE_REGRET])
    assert words == "worst-case bound", "once, though two learners have different theorems"
    assert theorems.startswith("Theorem 1 of Shivaswamy & Joachims: worst-case bound, with the slacks ")
    assert "Theorem 2 of Raman et al.: " in theorems and "[" not in theorems
    assert bounds_of(race, 0, [NDCG]) is None
    entry = legend(["one"], Look(), [(words, theorems)])[-1]
    assert (entry.label, entry.help, entry.dash) == (words, theorems, "dot")
