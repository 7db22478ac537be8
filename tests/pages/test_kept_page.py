"""Keeping a run of a lab, and the page Kept runs: what is selected there is compared and can be taken away."""

import json
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace
from urllib.parse import parse_qs

import numpy as np
import pytest

from datasets import classes
from learners.grid import Grid
from pages.ui.draw import still_charts
from pages.ui.draw.charts import Look
from pages.ui.families import labs
from pages.ui.kept.finals import curve_of, of_sweep
from pages.ui.kept.run import Final
from pages.ui.runs import compare, page
from tests.pages.test_kept import swept
from tests.pages.test_pages import clean, open_page

EXAMPLES = Grid(classes()["synnonsep"].parameter("examples"), 100, 200, 2)
SMALL = {"steps": "40", "replicates": "4", "charts": "average-regret"}


@pytest.fixture
def picked(monkeypatch):
    """The runs that the browser says are selected."""
    found = SimpleNamespace(picked=[])
    monkeypatch.setattr(page, "_table", lambda **given: found)
    return found.picked


@pytest.fixture
def drawn(monkeypatch):
    """The charts that are drawn, each with its title."""
    found = []
    monkeypatch.setattr(still_charts, "show", lambda charts, *more: found.extend(charts))
    return found


def kept(lab="stability", **query):
    """A run that is kept in a lab, as the browser stores it."""
    app = clean(open_page(lab, **SMALL | query))
    app.button(key="keep").click()
    return json.loads(json.dumps(clean(app.run()).session_state["kept:last"]["entry"])) | {"last": len(query)}


def test_a_lab_keeps_its_run_with_the_final_values_of_all_its_metrics():
    entry = kept(noise="0.4")
    assert (entry["page"], entry["title"], entry["seed"], entry["reached"]) == ("stability", "Stability lab", 0, None)
    assert entry["settings"] == {"noise": "0.4", "steps": "40", "replicates": "4"} and "vs" not in entry["query"]
    assert parse_qs(entry["query"])["charts"] == ["average-regret"]
    first, last = entry["finals"][0], entry["finals"][-1]
    assert first["metric"] == "average-regret" and first["half"] > 0
    assert {first["learner"], last["learner"]} == set(entry["learners"]) and len(entry["finals"]) > 10


def test_two_runs_are_compared_and_each_is_taken_away(picked, drawn):
    picked += [kept(noise="0.4", seed="3"), kept(noise="0.1")]
    app = clean(open_page("runs"))
    assert not app.warning and app.title[0].value == "Kept runs"
    (table,) = (html.value for html in app.html if "fl-table" in html.value)
    assert "noise η</th><td>0.1</td><td>0.4</td>" in table and "seed</th><td>0</td><td>3</td>" in table
    (chart,) = drawn
    assert len(chart.figure["data"]) == 4 and chart.figure["layout"]["yaxis"]["ticktext"][2].startswith(
        "B · Preference"
    )
    (link,) = [each.proto for each in app.get("page_link") if "curves" in each.proto.label]
    query = {key: values[0] for key, values in parse_qs(link.query_string).items()}
    assert (
        query["noise"] == "0.4"
        and query["charts"] == "average-regret"
        and query["vs"] == ("noise~0.1~replicates~4~steps~40")
    )
    opened = clean(open_page("stability", **query))
    assert not opened.warning


def test_one_run_is_taken_away_and_not_compared(picked, drawn):
    picked += [kept()]
    app = clean(open_page("runs"))
    assert not drawn and [box for box in app.expander if box.label.startswith("Take away")]


def test_what_cannot_be_opened_is_left_out_in_one_sentence_each(picked, drawn):
    good = kept(noise="0.4")
    picked += [7, {"page": "../x"}, good | {"settings": {"noise": "7"}}, good]
    app = clean(open_page("runs"))
    sentences = app.warning[0].value.split("\n\n")
    assert len(sentences) == 3 and "0, 1" in sentences[2] and all(each.endswith(".") for each in sentences)
    assert not drawn, "one is left"


def test_a_run_of_a_former_page_is_found_where_the_page_is_now():
    entry = {"page": "interleaving", "title": "Interleaving", "settings": {"seed": "3"}, "query": "seed=3", "last": 1}
    (found,), problems = page.selected([entry])
    assert not problems and found.page == "stability" and found.run.run.comparison is not None
    filled = labs()["stability"].ask(found.form(labs()["stability"].ask))
    assert filled.run == found.run.spec


def sweep(seed):
    spec, table = swept()
    link = (("seed", seed),)
    finals, curve = of_sweep(spec, table), curve_of(spec, table)
    return compare.Selected("sweep", "Sweep", "", compare.KeptRun(link, spec, finals, curve))


def test_sweeps_over_one_parameter_are_compared_as_curves_and_others_by_their_best_values():
    pair = [sweep("1"), sweep("2")]
    figure, legend = compare.sweep_curves(pair, pair[0].run.finals[0].title, Look())
    spec, table = swept()
    assert len(legend) == 2
    for trace in (trace for trace in figure["data"] if trace.get("name")):
        means = table[table.metric == "error-rate"].groupby("gamma").value.mean()
        assert list(trace["x"]) == list(means.index) and np.allclose(trace["y"], means)
    run = compare.KeptRun((), spec.run, (Final("a", "error-rate", pair[0].run.finals[0].title, 1.0),))
    mixed = [pair[0], compare.Selected("bandit", "Bandit lab", "", run)]
    assert compare.sweep_curves(mixed, run.finals[0].title, Look()) is None
    rows = compare.values(mixed, run.finals[0].title)
    assert [row.label.split(" · ")[0] for row in rows] == ["A", "B"] and "gamma = 0.2" in rows[0].label
    assert "kind" in compare.settings_table(mixed)


def test_a_kept_sweep_over_two_parameters_gives_its_table_and_no_curve_to_compare(monkeypatch):
    one = sweep("1")
    spec = replace(one.run.spec, grids=(*one.run.spec.grids, EXAMPLES))
    two = replace(one, run=replace(one.run, spec=spec, curve={"error-rate": [[0.1], [0.2]] * 3}))
    assert compare.sweep_curves([two, two], one.run.finals[0].title, Look()) is None
    files = {}
    monkeypatch.setattr(page.exports, "box", lambda *words: nullcontext())
    monkeypatch.setattr(page.exports, "button", lambda words, make, name, *more: files.update({name: make}))
    page._take_away.__wrapped__([two])
    head, first, second, *more = files["sweep.csv"]().splitlines()
    assert (head, first, second) == (
        "gamma,examples,replicate,metric,value", "0.1,100,0,error-rate,0.1", "0.1,200,0,error-rate,0.2",
    )  # fmt: skip
    assert len(more) == 4
