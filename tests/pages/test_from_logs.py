"""The mode of the stability lab in which learners only see a log: its page, links, and pictures."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.spec import Spec
from learners.spec import RunSpec
from pages.ui.draw.charts import Look
from pages.ui.families import labs
from pages.ui.families.ranking.log_pictures import LEARNED, estimates, propensities
from pages.ui.form.form import Form
from pages.ui.race.moment import Moment
from tests.pages.test_pages import clean, lab

LAB = labs()["stability"]
SMALL = {"mode": "log", "steps": "150", "replicates": "4", "seed": "3"}


def moment(steps=150, **query):
    run = LAB.ask(Form(SMALL | query)).run
    data = run.load()
    simulations = [run.simulation(slot, data) for slot in range(len(run.learners))]
    for simulation in simulations:
        simulation.advance(steps)
    return Moment(run, steps, simulations)


def test_the_switch_opens_learners_from_a_log_beside_one_online():
    app = clean(lab(**SMALL))
    switch = app.button_group(key="stability:mode")
    assert list(switch.options) == ["Online", "From a log", "Interleaved"]
    run = LAB.ask(Form(SMALL)).run
    assert [learner.id for learner in run.learners][1:] == [
        "logged-propensity",
        "logged-proximal",
        "perturbed-perceptron",
    ]
    assert (run.dataset.id, run.user.id) == ("graded-list", "position-based")


def test_a_run_opens_in_the_mode_that_is_made_for_it():
    run = LAB.ask(Form(SMALL)).run
    assert LAB.query(run)["mode"] == "log" and LAB.showing(run)[0] == "log"
    online = replace(run, learners=run.learners[3:])
    elsewhere = replace(run, user=Spec("scan"))
    compared = RunSpec((Spec("perturbed-perceptron"),), Spec("web-search"), Spec("scan"), comparison=(("sample", 5),))
    assert [LAB.showing(each)[0] for each in (online, elsewhere, compared)] == ["race", "race", "interleaved"]


def test_the_chart_of_attention_draws_what_the_log_says_and_the_truth():
    now = moment()
    made = propensities(now, Look(), 260)
    lines = {trace["name"]: trace["y"] for trace in made["data"] if "name" in trace}
    looks = now.simulations[0].learner.looks()
    np.testing.assert_allclose(lines["true"], 1 / np.arange(1.0, 11))
    np.testing.assert_allclose(lines["EM"], looks["EM"].mean(axis=0))
    known = ~np.isnan(looks["swaps"]).all(axis=0)
    np.testing.assert_allclose(lines["exchanges"][known], np.nanmean(looks["swaps"][:, known], axis=0))


def test_the_chart_of_estimates_draws_intervals_and_the_truth():
    now = moment()
    made = estimates(now, Look(), 260)
    learners = [simulation.learner for simulation in now.simulations[:3]]
    assert len(made["layout"]["yaxis"]["ticktext"]) == 9 and len(made["layout"]["shapes"]) == 3
    drawn = {trace["y"][0]: trace for trace in made["data"]}
    for number, learner in enumerate(learners):
        data = now.data
        clicked = now.simulations[0].user.attention(data.grades[0][learner.valued], data.top_grade).clicked
        assert made["layout"]["shapes"][number]["x0"] == pytest.approx(clicked[0].sum())
        value, low, high = (each[0] for each in learner.values()["IPS"])
        trace = drawn[-3 * number]
        assert trace["x"] == [pytest.approx(value)]
        assert trace["error_x"]["array"] == [pytest.approx(high - value)]
        assert trace["error_x"]["arrayminus"] == [pytest.approx(value - low)]


@pytest.mark.parametrize("draw", [propensities, estimates])
def test_without_a_log_the_charts_say_so(draw):
    query = {f"learner-{slot}": "none" for slot in (2, 3, 4)} | {"learner-1": "perturbed-perceptron"}
    assert draw(moment(**query), Look(), 260)["layout"]["annotations"][0]["text"] == "No learner reads a log."
    first = moment(0) if draw is propensities else moment(1)
    assert draw(first, Look(), 260)["layout"]["annotations"]


def test_the_axis_follows_the_list_and_a_cascade_has_chances_too():
    data = moment().data
    low, high = LEARNED.limits(data)
    assert 0 <= low < 1 < high
    assert estimates(moment(user="cascade"), Look(), 260)["layout"]["shapes"]
