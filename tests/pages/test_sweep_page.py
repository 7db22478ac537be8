"""The sweep page: its grids and limits, its script, and the page run by Streamlit's AppTest."""

import io
import json
import math
from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import datasets
from datasets.parameters import Parameter
from datasets.spec import Spec
from learners.catalogue import families, learner_classes, user_classes
from learners.grid import Grid, GridSpec, varying
from learners.spec import RunSpec
from pages.ui.draw.charts import COLORS, Look
from pages.ui.draw.hues import own
from pages.ui.kept.run import read_entry
from pages.ui.sweep.form import ask_spec
from pages.ui.sweep.results import _tables, best, curves
from pages.ui.sweep.setup import check, clusters_allowed
from tests.pages.test_pages import PATIENCE, clean, open_page

GAMMA = Parameter("gamma", "real", 0.05, 0, 1, low_open=True, step=0.01)
SMALL = Spec("separable-points", (("examples", 200),))
BANDITRON = Spec("banditron", (("gamma", 0.05),))


def test_the_grid_suggested_for_a_parameter_holds_values_that_it_allows():
    declared = [p for cls in {**learner_classes(), **datasets.classes()}.values() for p in cls.parameters()]
    for parameter in [p for p in declared if p.kind in ("real", "integer")]:
        values = Grid.suggested(parameter).values
        assert len(values) >= 2 and values == sorted(set(values)), parameter
        assert all(parameter.check(v) == v for v in values), parameter


@given(st.floats(0.001, 1), st.floats(0.001, 1), st.integers(2, 30), st.booleans())
def test_a_grid_runs_from_low_to_high(a, b, number, log):
    low, high = min(a, b), max(a, b)
    values = Grid(GAMMA, low, high, number, log).values
    assert 1 <= len(values) <= number
    assert math.isclose(values[0], low, rel_tol=1e-3) and math.isclose(values[-1], high, rel_tol=1e-3)


@pytest.mark.parametrize(
    ("grid", "words"),
    [
        (Grid(GAMMA, 0.5, 0.1, 5), "gamma: from must not be above to, got 0.5 and 0.1"),
        (Grid(Parameter("x", "real", 1, -1, 1), -1, 1, 5, True), "x: logarithmic spacing needs values above 0, got -1"),
        (Grid(GAMMA, 0, 1, 5), r"gamma must be in \(0, 1\], got 0"),
    ],
)
def test_a_wrong_grid_is_refused_in_words(grid, words):
    with pytest.raises(ValueError, match=words):
        _ = grid.values


def test_too_much_is_refused_in_words():
    grid = Grid(GAMMA, 0.01, 0.5, 30)
    with pytest.raises(ValueError, match="30 points × 100 replicates × 1,000,000 steps are 3,000,000,000 steps"):
        check(GridSpec(RunSpec((BANDITRON,), SMALL, None, 100, 1_000_000), (grid,)))
    examples = Grid(Parameter("examples", "integer", 1000, 100, 2_000_000), 1000, 2_000_000, 3)
    with pytest.raises(ValueError, match="MB of memory; this server allows"):
        check(GridSpec(RunSpec((BANDITRON,), Spec("synsep", (("examples", 1000),)), None, 2, 100), (examples,)))


def test_what_can_be_varied_is_numeric_and_in_use():
    found = varying(Spec("potential", (("potential", "exponential"),)), SMALL, None)
    assert "gamma" in found and "power" not in found and "potential" not in found and "examples" in found
    assert "power" in varying(Spec("potential", (("potential", "p-norm"),)), SMALL, None)


def test_a_cluster_can_be_named_only_where_the_server_allows_it(monkeypatch):
    """From wherever somebody comes: behind a proxy on the same machine, everybody seems to be at the machine."""
    monkeypatch.delenv("FEEDBACK_LAB_DASK", raising=False)
    app = open_page("sweep", dataset="separable-points")
    assert not clusters_allowed() and "Dask scheduler" not in {field.label for field in app.text_input}
    monkeypatch.setenv("FEEDBACK_LAB_DASK", "yes")
    app = open_page("sweep", dataset="separable-points")
    assert clusters_allowed() and "Dask scheduler" in {field.label for field in app.text_input}


@pytest.mark.long
@pytest.mark.parametrize("family", ["ranking", "classification", "multilabel"])
def test_every_learner_of_every_family_can_be_chosen(family):
    from learners.catalogue import families, learners_of

    for learner in learners_of(families()[family]):
        app = clean(open_page("sweep", family=family, learner=learner))
        assert not app.warning, [w.value for w in app.warning]


def test_a_sweep_runs_to_its_chart():
    app = open_page("sweep", dataset="separable-points", steps="50", replicates="2", **{"number-1": "2"})
    app.button(key="sweep-start").click().run()
    app.session_state["sweep:job"]["job"].wait(PATIENCE)
    clean(app.run())
    assert any("The best mean is" in c.value for c in app.caption)
    assert "Done in" in str(app.get("progress")[0].proto)


def test_the_best_choice_is_given_for_each_circumstance():
    """Noise is nobody's choice: the best swap probability is told for each noise, and never that no noise is best."""
    kind, user = learner_classes()["perturbed-perceptron"], user_classes()["cascade"]
    p, noise = Grid(kind.parameter("swap_probability"), 0.0, 0.5, 2), Grid(user.parameter("noise"), 0.0, 0.4, 2)
    means = {(0.0, 0.0): 1.0, (0.5, 0.0): 1.5, (0.0, 0.4): 4.0, (0.5, 0.4): 2.0}
    table = pd.DataFrame([{"swap_probability": a, "noise": b, "value": v} for (a, b), v in means.items()])
    metric = families()["ranking"].by_id["rank-of-best"]

    def told(*grids):
        learner = Spec("perturbed-perceptron", (("dynamic", False),))
        return best(table, GridSpec(RunSpec((learner,), Spec("toy-ranking"), Spec("cascade"), 1, 10), grids), metric)

    words = "The best swap probability for each noise, lower mean is better: 0: 0 (mean 1); 0.4: 0.5 (mean 2)."
    assert told(p, noise) == told(noise, p) == words
    assert told(noise) == "From 1.25 at noise = 0 to 3 at noise = 0.4."
    assert told(p) == "The best mean is 1.75 at swap probability = 0.5 (lower is better)."


@pytest.mark.long
def test_the_csv_counts_replicates_as_the_library_does(monkeypatch):
    files = {}
    monkeypatch.setattr(
        "streamlit.download_button", lambda label, data, name, *more, **options: files.update({name: data})
    )
    app = open_page("sweep", dataset="separable-points", steps="50", replicates="2", **{"number-1": "2"})
    app.button(key="sweep-start").click().run()
    job = app.session_state["sweep:job"]["job"]
    job.wait(60)
    clean(app.run())
    written = pd.read_csv(io.StringIO(files["sweep.csv"]()))
    assert sorted(set(written.replicate)) == [0, 1]
    pd.testing.assert_frame_equal(written, job.table())


def test_a_wrong_grid_is_said_on_the_page_and_nothing_can_be_started():
    app = open_page("sweep", **{"vary-1": "gamma", "from-1": "0.5", "to-1": "0.1"})
    assert not app.exception and "from must not be above to" in app.error[0].value
    assert app.button(key="sweep-start").disabled


@pytest.mark.long
def test_a_kept_curve_is_drawn_beside_the_next_one():
    """Two learners over the same parameter in one chart, with a legend; a sweep over another parameter stands alone."""

    def finished(app):
        app.session_state["sweep:job"]["job"].wait(PATIENCE)
        return app.run()

    link = {
        "family": "semi-supervised", "dataset": "moons", "vary-1": "depth", "from-1": "1", "to-1": "2",
        "number-1": "2",
    }  # fmt: skip
    app = clean(open_page("sweep", learner="mcssb", steps="2", replicates="2", **link))
    finished(app.button(key="sweep-start").click().run())
    clean(app.button(key="keep").click().run())
    stored = app.session_state["kept:last"]["entry"]
    assert stored["page"] == "sweep" and stored["over"] and len(stored["curve"]["accuracy-test"]) == 2
    assert {"accuracy-test"} <= {final["metric"] for final in stored["finals"]}
    next(s for s in app.selectbox if s.label == "Learner").set_value("adaboost").run()
    clean(finished(app.button(key="sweep-start").click().run()))
    behind, ran = app.session_state["sweep:behind"], app.session_state["sweep:job"]["setup"]
    assert [k.run.ids[0] for k in behind] == ["mcssb"] and ran.learner.id == "adaboost"
    table = app.session_state["sweep:job"]["job"].table()
    beside = _tables(behind, ran)
    figure, entries = curves([*beside, (ran, table)], "accuracy-test", "Accuracy", "none", Look())
    assert len(entries) == 2 and "AdaBoost" in entries[1].label
    drawn = [trace["line"]["color"] for trace in figure["data"] if trace.get("name")]
    assert drawn == [entry.color for entry in entries] == [COLORS[own("mcssb")], COLORS[own("adaboost")]]
    assert [len(t["x"]) for t in figure["data"] if t.get("name")] == [2, 2]
    other = replace(ran, grids=(replace(ran.grids[0], parameter=GAMMA),))
    assert not _tables(behind, other)
    read = read_entry(json.loads(json.dumps(stored)), ask_spec)[0]
    assert read == behind[0] and read.curve == behind[0].curve, "as after a reload"
