"""The boosting labs, run by Streamlit's AppTest."""

import importlib

import numpy as np
import pytest

import datasets
from datasets import load
from datasets.spec import Spec
from learners.catalogue import families, learners_of
from learners.spec import RunSpec
from pages.ui.draw.charts import Look
from pages.ui.draw.scatter_panels import MOST_POINTS, ScatterPanel, scatter_panels
from pages.ui.families import labs
from pages.ui.form.links import read_link
from pages.ui.race import limits
from pages.ui.race.charts import ChartView, curves, figure, picture
from pages.ui.race.moment import Moment
from tests.pages.test_pages import clean, clock, open_page, recording, step

LABS = {"semi-supervised": "semi_supervised", "learning-to-rank": "learning_to_rank", "refinement": "refinement"}
SMALL = {
    "semi-supervised": {"dataset": "moons", "examples": "100"},
    "learning-to-rank": {"queries": "20", "documents": "8", "features": "5"},
    "refinement": {"queries": "20", "documents": "30", "features": "5"},
}


@pytest.mark.parametrize("family", list(LABS))
def test_every_learner_of_a_boosting_lab_steps_with_every_chart(family):
    """Four learners at a time, all charts; the clock counts rounds and the inspector tells every line."""
    ids = learners_of(families()[family])
    charts = ",".join(spec.id for spec in _charts(family))
    for first in range(0, len(ids), 4):
        some = list(ids[first : first + 4])
        slots = {f"learner-{n + 1}": id for n, id in enumerate(some)}
        slots |= {f"learner-{n}": "none" for n in range(len(some) + 1, 5)}
        app = clean(open_page(LABS[family], replicates="2", steps="4", charts=charts, **SMALL[family], **slots))
        app = clean(step(app, 2))
        assert clock(app) == 2
        assert any(s.label == "Rounds T" for s in (*app.number_input, *app.slider))


def test_the_round_inspector_says_what_came_of_the_round():
    app = clean(open_page("semi_supervised", replicates="1", charts="", **SMALL["semi-supervised"]))
    assert any("After round 1" in h.value for h in step(app).main.get("html"))


def test_a_person_judges_by_the_positions_in_the_link():
    link = {"dataset": "digits-search", "topic": "3", "documents": "40", "user": "person", "query": "2"}
    link |= {"replicates": "1", "steps": "4"}
    none = clean(open_page("refinement", **link))
    app = clean(open_page("refinement", relevant="1,4", **link))
    found = recording(app).simulations[0].environment.problems[0]
    assert found.grades.tolist().count(found.grades.max()) == 2
    assert recording(none).simulations[0].environment.problems[0].grades.max() == 0
    assert any("You judge" in m.value for m in app.markdown)


@pytest.mark.parametrize(
    ("page", "query", "words"),
    [
        ("semi_supervised", {"labelled": "0"}, "labelled must be in [0.001, 1], got 0"),
        ("semi_supervised", {"steps": "1001"}, "steps must be a whole number in [1, 1000]"),
        ("refinement", {"user": "cascade"}, "user must be one of judge, person, rater"),
        ("learning_to_rank", {"dataset": "movies"}, "dataset must be one of"),
        ("bandit", {"gamma-2": "0"}, "gamma-2 must be in [1e-06, 1], got 0"),
        ("bandit", {"gamma-2": "1.7"}, "gamma-2 must be in [1e-06, 1], got 1.7"),
        ("multilabel", {"a-1": "2"}, "a-1 must be in [0, 1], got 2"),
    ],
)  # fmt: skip
def test_nonsense_in_a_link_is_said_in_words(page, query, words):
    (problem,) = read_link(query, labs()[page].ask)[1]
    assert words in problem


@pytest.mark.parametrize(
    ("page", "query", "words"),
    [
        ("semi_supervised", {"steps": "1001"}, "steps must be a whole number in [1, 1000]"),
        ("sweep", {"vary-1": "gamma", "from-1": "-3"}, "got -3"),
        ("sweep", {"vary-1": "colour"}, "vary-1 must be one of"),
    ],
)
def test_nonsense_in_a_link_stands_on_the_page(page, query, words):
    app = open_page(page, **query)
    assert not app.exception and any(words in w.value for w in app.warning), [w.value for w in app.warning]


@pytest.mark.parametrize(
    ("page", "query", "words"),
    [
        ("semi_supervised", {"steps": "1000", "replicates": "100"}, "rounds in all; a lab allows 20,000"),
        ("semi_supervised", {"examples": "2000", "training": "0.95", "replicates": "100"}, "pairs a round; a lab "
                                                                                           "allows"),
        ("refinement", {"user": "person", "relevant": "one"}, "relevant"),
    ],
)  # fmt: skip
def test_what_is_too_much_or_cannot_be_is_refused_in_one_sentence(page, query, words):
    app = open_page(page, **query)
    assert not app.exception and any(words in e.value for e in app.error), [e.value for e in app.error]


def test_the_share_of_labels_is_for_the_semi_supervised_lab_alone():
    """The same digits in both labs: only one of them has the setting."""
    short = {"dataset": "digits", "steps": "10", "replicates": "1"}
    apps = [clean(open_page(page, **short)) for page in ("bandit", "semi_supervised")]
    labels = [[s.label for s in (*app.slider, *app.number_input)] for app in apps]
    assert "Labelled" not in labels[0] and "Labelled" in labels[1]
    (refused,) = read_link({"dataset": "digits", "labelled": "0.1"}, labs()["bandit"].ask)[1]
    assert "'labelled' is not a setting of this page" in refused


def test_the_sweep_page_varies_the_share_of_labels_and_C():
    app = clean(open_page("sweep", family="semi-supervised", learner="mcssb", dataset="moons"))
    names = next(s for s in app.selectbox if s.label == "First parameter").options
    assert any("Labelled" in n for n in names) and any(n.startswith("C") for n in names)
    assert next(s for s in (*app.number_input, *app.slider) if s.label == "Rounds T").value == 50


def _charts(family):
    pictures = importlib.import_module(f"pages.ui.families.{LABS[family]}.pictures").PICTURES
    return (*curves(families()[family].metrics), *pictures)


def drawn_of(spec, moment, view):
    """A chart of a moment, whether it holds curves or a picture."""
    return figure(spec, moment, view, Look()) if spec.metric is not None else picture(spec, Look())(moment)


def _race(family, learner="", rounds=3, replicates=2):
    query = SMALL[family]
    kind = query.get("dataset", "web-search")
    made = datasets.create(kind, **{k: int(v) for k, v in query.items() if k != "dataset"})
    choice = Spec(kind, tuple(made.params.items()))
    user = Spec("judge") if family == "refinement" else None
    ids = [learner] if learner else list(learners_of(families()[family]))[:3]
    setup, data = RunSpec(tuple(Spec(id) for id in ids), choice, user, replicates, 10, 0), made.build()
    simulations = setup.simulations(data)
    for simulation in simulations:
        simulation.advance(steps=rounds)
    return Moment(setup, rounds, simulations)


@pytest.mark.parametrize("family", list(LABS))
@pytest.mark.parametrize("rounds", [0, 3])
def test_every_chart_is_drawn_before_and_after_rounds(family, rounds):
    race = _race(family, rounds=rounds)
    for which in ("presented", "predicted", "both"):
        for spec in _charts(family):
            drawn = drawn_of(spec, race, ChartView(which, y_log=which == "both", unit="round"))
            assert isinstance(drawn["data"], list) and drawn["layout"]["height"] > 100
            if not any(len(trace["x"]) for trace in drawn["data"]):
                assert rounds == 0, spec.id
                assert drawn["layout"]["annotations"][0]["text"].startswith("Press Play"), spec.id
            elif rounds == 0:
                assert spec.id in ("regions", "path", "positions"), "the data, the front, and the base ranker"


def test_regions_show_labels_weights_and_predictions_of_the_first_run():
    race = _race("semi-supervised", "mcssb")
    drawn = drawn_of(next(c for c in _charts("semi-supervised") if c.id == "regions"), race, ChartView())
    world = race.simulations[0].environment
    region, others, told = drawn["data"]
    assert region["z"] is world.region and told["marker"]["symbol"] == ["diamond"] * int(
        (world.problems[0].labels >= 0).sum()
    )
    assert len(others["x"]) == int((world.problems[0].labels < 0).sum())
    sizes = others["marker"]["size"]
    weights = world.rounds[0].weights[world.problems[0].labels < 0]
    assert np.argmax(sizes) == np.argmax(weights) and sizes.min() >= 4.5


def test_many_points_are_thinned_and_more_classes_than_colours_differ_by_symbol():
    n = 3 * MOST_POINTS
    panel = ScatterPanel("x", np.random.default_rng(0).random((n, 2)), np.arange(n) % 25, np.zeros(n, dtype=bool))
    drawn = scatter_panels([panel], [f"class {k}" for k in range(25)], Look(), "")
    points = drawn["data"][0]
    assert len(points["x"]) == MOST_POINTS
    assert len(set(zip(points["marker"]["color"], points["marker"]["symbol"], strict=True))) == 25


def test_the_weights_of_a_query_stand_in_its_present_order():
    race = _race("learning-to-rank", "ndcg-boost")
    drawn = drawn_of(next(c for c in _charts("learning-to-rank") if c.id == "weights"), race, ChartView())
    world, data = race.simulations[0].environment, race.simulations[0].dataset
    query = int(world.folds[0][0][0])
    order = np.argsort(-world.scores[0][data.documents(query)], kind="stable")
    np.testing.assert_allclose(drawn["data"][0]["y"], world.weights_of(0, query)[order])


def test_the_path_of_the_losses_begins_at_one_and_one():
    race = _race("refinement", "ranking-refinement")
    drawn = drawn_of(next(c for c in _charts("refinement") if c.id == "path"), race, ChartView())
    front, path = drawn["data"]
    assert (path["x"][0], path["y"][0]) == (1.0, 1.0) and len(path["x"]) == race.t + 1
    assert front["name"] == "Pareto front"


def test_a_round_is_a_round_and_a_step_a_step():
    assert [families()[f].unit for f in ("ranking", "semi-supervised", "refinement")] == ["step", "round", "round"]


def test_a_setup_without_a_learner_is_refused():
    with pytest.raises(ValueError, match="Choose at least one learner"):
        limits.check(RunSpec((), Spec("moons"), None, 1, 1, 0))
    assert RunSpec((Spec("mcssb"),), Spec("moons"), None, 1, 1, 0).family.id == "semi-supervised"


def test_a_chart_says_when_its_discount_is_that_of_letors_script(tmp_path):
    file = tmp_path / "rank.txt"
    file.write_text("".join(f"{k % 2} qid:{q} 1:{k}\n" for q in range(5) for k in range(3)))
    for kind, words in (("standard", "NDCG@5 (0 to 1)"), ("letor", "NDCG@5 (0 to 1), LETOR's discount")):
        data = load("letor-file", path=str(file), ndcg=kind)
        titles = {spec.id: spec.titled_for(data).title for spec in _charts("learning-to-rank")}
        assert titles["ndcg@5"] == words and titles["map"] == "MAP, mean average precision (0 to 1)"
