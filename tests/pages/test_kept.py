"""Kept runs: what a link and the browser hold of them, what is said and drawn of them, and the widgets."""

import json
import math
from dataclasses import replace
from types import SimpleNamespace
from urllib.parse import parse_qs, urlencode

import numpy as np
import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import datasets
from datasets.parameters import Parameter
from datasets.spec import Spec
from learners import create, create_user
from learners.catalogue import families
from learners.metric import Metric
from learners.ranking.metrics import METRICS
from learners.spec import RunSpec
from pages.ui.form.form import Form
from pages.ui.form.links import choice_of
from pages.ui.kept import finals, shelf
from pages.ui.kept.differences import Difference, differences, label
from pages.ui.kept.run import Final, kept_of, read, read_entry, titles_of, write
from pages.ui.lab import values_table
from pages.ui.lab.ghosts import ghost
from pages.ui.plain import APART
from pages.ui.race.charts import ChartView, curves, drawn_curves
from pages.ui.race.moment import Moment
from pages.ui.race.world import REPLICATES, SEED, STEPS
from pages.ui.sweep.form import ask_spec
from tests.conftest import ROOT

LEARNERS = ("preference-perceptron", "perturbed-perceptron", "random-ranking")
CHARTS = {chart.id: chart for chart in curves(METRICS)}


def ask(settings):
    """The settings of a small lab with two learners."""
    from datasets.made.toy_ranking import ToyRanking
    from learners.catalogue import learner_classes
    from learners.ranking.users.cascade import Cascade

    found = []
    for slot in (1, 2):
        place = choice_of(f"learner-{slot}", LEARNERS[slot - 1], [*LEARNERS, "none"])
        id = settings.widget(place, label=f"Learner {slot}")
        if id != "none":
            found.append(settings.declared(learner_classes()[id], f"-{slot}", of=f"learner {slot}"))
    data, user = settings.declared(ToyRanking), settings.declared(Cascade)
    run = [settings.widget(p) for p in (REPLICATES, STEPS, SEED)]
    return RunSpec(tuple(found), data, user, *run)


def run(query, t=None):
    """The moment of a run after t steps, by default at its end."""
    setup = kept_of(query, ask).spec
    data = datasets.load("toy-ranking", **setup.dataset.values)
    simulations = setup.simulations(data)
    for simulation in simulations:
        simulation.advance(steps=t or setup.steps)
    return Moment(setup, t or setup.steps, simulations)


# ---- the link --------------------------------------------------------------------------------------


def test_a_kept_run_holds_what_differs_from_the_defaults_and_determines_numbers():
    found = kept_of(
        {"noise": "0.4", "seed": "0", "steps": "500", "charts": "flips", "speed": "25", "vs": "defaults"}, ask
    )
    assert dict(found.link) == {"noise": "0.4", "steps": "500"}
    assert found.spec == replace(kept_of({}, ask).spec, steps=500, user=Spec("cascade", (*found.spec.user.params,)))
    assert found.spec.user.values["noise"] == 0.4


def test_kept_runs_come_back_from_a_link_as_they_were():
    several = [kept_of({}, ask), kept_of({"noise": "0.4", "seed": "3"}, ask), kept_of({"learner-2": "none"}, ask)]
    text = write(several)
    assert text == "defaults~~noise~0.4~seed~3~~learner-2~none"
    query = urlencode({"vs": text})
    assert query == f"vs={text}", "readable in the address"
    assert read(parse_qs(query)["vs"][0], ask) == (several, [])
    assert read("", ask) == ([], [])


def test_a_kept_run_means_the_same_run_in_every_link():
    """What is written are differences from the defaults, so the present settings do not matter."""
    (found,), _ = read("seed~3", ask)
    assert found.spec.seed == 3 and found.spec.user.values["noise"] == kept_of({}, ask).spec.user.values["noise"]


@pytest.mark.parametrize("value", ["a~b", "~~", "50%", "%7E", "%25", "%00", "a=b&c", "ä~"])
def test_texts_with_signs_of_the_link_are_escaped(value):
    def words(settings):
        settings.widget(Parameter("path", "text", "x"))
        return kept_of({}, ask).spec

    first, second = kept_of({"path": value}, words), kept_of({"path": "end"}, words)
    text = parse_qs(urlencode({"vs": write([first, second])}))["vs"][0]
    found, problems = read(text, words)
    assert not problems and [dict(found.link)["path"] for found in found] == [value, "end"]


def test_an_empty_text_that_is_no_default_is_kept():
    def words(settings):
        settings.widget(Parameter("name", "text", "x"))
        return kept_of({}, ask).spec

    found = kept_of({"name": ""}, words)
    assert dict(found.link) == {"name": ""} and read(write([found, found]), words) == ([found], [])


@pytest.mark.parametrize(
    ("text", "kept", "words"),
    [
        ("noise~7~seed~3", [{"seed": "3"}], ["noise must be in [0, 1], got 7; the default 0.2 is used."]),
        ("seed~3~~noise~<b>x</b>", [{"seed": "3"}], ["noise must be in [0, 1], got <b>x</b>"]),
        ("speed~9~seed~3", [{"seed": "3"}], ["can hold learner-1,", "got 'speed'; this part is left out."]),
        ("seed~3~noise", [{"seed": "3"}], ["'noise' has no value; this part is left out."]),
        ("hello", [], ["must be settings with their values, such as noise~0.4~seed~3, or defaults"]),
        ("~~seed~3", [{"seed": "3"}], ["Kept run 1 in vs must be settings with their values"]),
        ("~~".join(f"seed~{i}" for i in range(1, 8)), [{"seed": str(i)} for i in range(1, 5)], ["at most 4", "got 7"]),
        ("learner-1~none", [], []),
        ("steps~100000~replicates~100", [], ["steps in all; a lab allows"]),
        ("seed~1~~seed~1", [{"seed": "1"}], []),
    ],
)
def test_what_is_wrong_is_refused_in_a_sentence_and_the_rest_is_kept(text, kept, words):
    if text == "learner-1~none":
        text, words = "learner-1~none~learner-2~none", ["Choose at least one learner"]
    found, problems = read(text, ask)
    assert [dict(found.link) for found in found] == kept
    assert len(problems) == bool(words) and all(w in problems[0] for w in words), problems


def test_a_thousand_wrong_parts_are_refused_in_one_sentence():
    _, problems = read("~".join(f"x{i}~1" for i in range(1000)), ask)
    assert len(problems) == 1 and "and 997 more" in problems[0] and len(problems[0]) < 600


def test_the_titles_of_the_settings_are_those_of_the_widgets():
    reader = Form({"learner-2": "perturbed-perceptron"})
    ask(reader)
    titles = titles_of(reader.asked)
    assert titles["noise"] == ("Noise η", "0.2")
    assert titles["learner-1"] == ("Learner 1", "preference-perceptron")
    assert titles["swap_probability-2"] == ("Swap probability p of learner 2", "0.5")
    assert "charts" not in titles


# ---- what differs, in words ------------------------------------------------------------------------


def words(then, now):
    return [d.words for d in differences(kept_of(then, ask).spec, kept_of(now, ask).spec)]


def test_differences_are_named_with_titles_and_values():
    assert words({}, {}) == []
    assert words({"noise": "0.1"}, {"noise": "0.4"}) == ["noise η 0.1 → 0.4"]
    assert words({}, {"swap_probability-2": "0.3"}) == ["learner 2, swap probability p 0.5 → 0.3"]
    assert words({}, {"dynamic-2": "true"})[0] == "learner 2, dynamic off → on"
    assert words({"steps": "5000"}, {"seed": "3"}) == ["steps T 5,000 → 1,000", "seed 0 → 3"]
    assert words({"initial_weights": "1,-1"}, {"initial_weights": "2,0.5"}) == ["initial weights w₁ (1, -1) → (2, 0.5)"]


def test_another_learner_is_named_and_its_settings_are_not_compared_one_by_one():
    assert words({"swap_probability-2": "0.3"}, {"learner-2": "random-ranking"}) == [
        "learner 2: Perturbed perceptron (3PR), p = 0.3 → " + create("random-ranking").title
    ]
    assert words({"learner-2": "none"}, {}) == ["learner 2: none → Perturbed perceptron (3PR), p = 0.5"]


def test_settings_without_effect_are_no_difference():
    """Delta matters only while the swap probability is dynamic."""
    delta = create("perturbed-perceptron").parameter("delta")
    assert delta.when == ("dynamic", True)
    assert words({"delta-2": "0.3"}, {}) == []
    assert len(words({"delta-2": "0.3", "dynamic-2": "true"}, {"dynamic-2": "true"})) == 1


def test_other_data_and_users_are_named():
    then = kept_of({}, ask).spec
    now = replace(then, dataset=Spec("web-search"), user=Spec("noisy-grades"))
    named = [d.words for d in differences(then, now)]
    web, grades = datasets.classes()["web-search"].title, create_user("noisy-grades").title
    assert named == [
        f"data set: {datasets.classes()['toy-ranking'].title} → {web}",
        f"simulated user: {create_user('cascade').title} → {grades}",
    ]
    assert differences(replace(now, user=None), now) == [Difference("simulated user:", "none", grades)]


def test_files_are_named_without_their_folders_and_comparisons_by_their_settings():
    then = kept_of({}, ask).spec
    files = [Spec("letor-file", (("path", f"upload/0f/{name}.txt"),)) for name in "ab"]
    found = differences(replace(then, dataset=files[0]), replace(then, dataset=files[1]))
    assert [d.words for d in found] == ["path a.txt → b.txt"]
    balanced = replace(then, comparison=(("method", "balanced"), ("sample", 5)))
    team = replace(then, comparison=(("method", "team draft"), ("sample", 5)))
    assert [d.words for d in differences(balanced, team)] == ["method balanced → team draft"]


def test_the_unit_of_the_family_is_used():
    learner = next(c for c in families()["semi-supervised"].rivals)
    then = RunSpec((Spec(learner),), Spec("synsep"), None, 5, 20, 0)
    assert [d.words for d in differences(then, replace(then, steps=30))] == ["rounds T 20 → 30"]


def test_the_label_is_short():
    found = [Difference("a", "1", "2"), Difference("b", "1", "2"), Difference("c", "1", "2")]
    assert label(found) == "a 1 → 2, b 1 → 2 and 1 more"
    assert label(found[:2]) == "a 1 → 2, b 1 → 2"


# ---- what is drawn ---------------------------------------------------------------------------------

SMALL = {"replicates": "4", "steps": "40"}


def test_ghosts_are_the_mean_curves_of_the_kept_run():
    found, moment = kept_of(SMALL | {"noise": "0.4"}, ask), run(SMALL | {"noise": "0.4"})
    charts = [CHARTS["average-regret"], CHARTS["rank-of-best"]]
    drawn = ghost(found, moment, kept_of(SMALL, ask).spec, charts, ChartView(window=1))
    assert (drawn["id"], drawn["label"]) == (found.text, "noise η 0.4 → 0.2")
    for chart in charts:
        for slot, line in enumerate(drawn["charts"][chart.id]):
            history = moment.simulations[slot].history[chart.metric.id]
            assert line["slot"] == slot
            np.testing.assert_array_equal(line["x"], np.arange(1, 41))
            np.testing.assert_allclose(line["y"], history.mean(axis=1), rtol=1e-6)


def test_ghosts_have_the_points_of_the_runs_own_curves_whatever_their_length():
    now = kept_of({"replicates": "2", "steps": "3000", "learner-2": "none"}, ask).spec
    own = drawn_curves(
        CHARTS["average-regret"].metric, run({"replicates": "2", "steps": "3000"}), ChartView(bounds=False), 3000
    )[0].x
    for steps in ("1000", "5000"):
        query = {"replicates": "2", "steps": steps, "learner-2": "none"}
        drawn = ghost(kept_of(query, ask), run(query), now, [CHARTS["average-regret"]], ChartView())
        (line,) = drawn["charts"]["average-regret"]
        last = min(3000, int(steps))
        assert len(line["x"]) <= 300 and line["x"][-1] == last
        assert set(line["x"][:-1].tolist()) <= set(own.tolist())


def test_ghosts_have_no_bounds_thin_lines_or_pictures_and_wait_for_their_run():
    found, moment = kept_of(SMALL, ask), run(SMALL)
    view = ChartView("both")
    done, waiting = (
        ghost(found, at, found.spec, [CHARTS["average-regret"]], view) for at in (moment, replace(moment, t=0))
    )
    assert (
        len(done["charts"]["average-regret"])
        == 2
        < len(drawn_curves(CHARTS["average-regret"].metric, moment, view, 40))
    )
    assert waiting["charts"] == {}
    picture = replace(CHARTS["average-regret"], metric=None)
    assert ghost(found, moment, found.spec, [picture], view)["charts"] == {}


# ---- the table -------------------------------------------------------------------------------------


def rows(text):
    import xml.etree.ElementTree as tree

    table = tree.fromstring(text[text.index("<table") : text.index("</table>") + 8].replace("<br>", " "))
    return [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")]


def test_the_table_is_that_of_the_step_asked_for():
    moment, spec = run(SMALL), CHARTS["average-regret"]
    values = moment.simulations[1].history["average-regret"][6]
    found = rows(values_table.table(moment, [spec], 7))
    assert found[2][0] == moment.setup.labels()[1]
    assert found[2][1] == f"{values.mean():.4g} ± {values.std(ddof=1) / 2:.2g}"
    assert rows(values_table.table(moment, [spec], 40)) != found


def test_the_table_shows_kept_values_and_which_way_is_better():
    moment, past = run(SMALL), run(SMALL | {"noise": "0.45", "seed": "3"})
    charts = [CHARTS["average-regret"], CHARTS["weight-norm"]]
    found = rows(values_table.table(moment, charts, 20, [("noise <η>", past), ("waits", None)]))
    assert [row[0] for row in found[1:]] == [
        moment.setup.labels()[0], "kept: noise <η>", moment.setup.labels()[1], "kept: noise <η>",
    ]  # fmt: skip
    for slot in (0, 1):
        now, then = (m.simulations[slot].history["average-regret"][19].mean() for m in (moment, past))
        signed = f"{now - then:+.3g}".replace("-", "−")
        cell = found[2 + 2 * slot][1]
        assert cell.startswith(f"{then:.4g} ± ") and cell.endswith(
            f"now {signed} {'better' if now < then else 'worse'}"
        )
        norm = found[2 + 2 * slot][found[0].index(CHARTS["weight-norm"].metric.label)]
        assert "now" in norm and "better" not in norm and "worse" not in norm, "neither direction is better"


def test_a_higher_value_is_better_where_the_metric_says_so():
    spec = CHARTS["average-regret"]
    upside_down = replace(spec, metric=replace_metric(spec.metric, better="higher"))
    moment, past = run(SMALL), run(SMALL | {"noise": "0.45", "seed": "3"})
    texts = [values_table.table(moment, [s], 30, [("x", past)]) for s in (spec, upside_down)]
    verdicts = [[("better" in row[1]) for row in rows(text) if row[0] == "kept: x"] for text in texts]
    assert verdicts[0] == [not good for good in verdicts[1]]


def replace_metric(metric: Metric, **changed) -> Metric:
    return replace(metric, companion=None, bounds=(), **changed)


def test_a_kept_run_that_is_shorter_has_no_value_and_one_with_other_learners_names_them():
    moment = run(SMALL | {"learner-2": "none"})
    past = run({"replicates": "4", "steps": "10", "learner-1": "random-ranking"})
    found = rows(values_table.table(moment, [CHARTS["flips"]], 40, [("x", past)]))
    assert [row[0] for row in found[1:]] == [
        moment.setup.labels()[0],
        f"{past.setup.labels()[0]}, kept: x",
        f"{past.setup.labels()[1]}, kept: x",
    ]
    assert found[2][1] == found[3][1] == "–"
    early = rows(values_table.table(moment, [CHARTS["flips"]], 5, [("x", past)]))
    assert "now" in early[2][1] and "now" not in early[3][1] and early[3][1] != "–"


def test_the_same_value_is_called_the_same():
    moment = run(SMALL)
    assert rows(values_table.table(moment, [CHARTS["flips"]], 40, [("x", moment)]))[2][1].endswith("now the same")


# ---- the widgets -----------------------------------------------------------------------------------

APP = """
import sys
sys.path.insert(0, {root!r})
import streamlit as st
st.navigation([st.Page("small.py", url_path="small", default=True)]).run()
"""
PAGE = """
import streamlit as st
from pages.ui.form.settings import Settings
from pages.ui.kept import shelf
from pages.ui.kept.run import VS, KeptRun, kept_of, write
from tests.pages.test_kept import ask

def everything(form):
    ask(form)
    form.get(VS)

settings = Settings("small", everything)
ask(settings)
behind = shelf.behind(settings, ask)
settings.write()
settings.show_problems()
now = kept_of(settings.link, ask)
numbers = {key: asked for key, asked in settings.asked.items() if key != VS.name}
pressed = shelf.show(
    "small", now, behind, numbers, lambda: settings.set(VS, write([*behind, now])),
    lambda ticked: settings.set(VS, "~~".join(each["text"] for each in ticked)),
)
if pressed:
    shelf.keep(now.entry("small", "Small", numbers))
shelf.keeper()
st.text(settings.link)
"""


@pytest.fixture
def small(tmp_path):
    (tmp_path / "app.py").write_text(APP.format(root=str(ROOT)), encoding="utf-8")
    (tmp_path / "small.py").write_text(PAGE, encoding="utf-8")

    def open_page(**query):
        app = AppTest.from_file(str(tmp_path / "app.py"), default_timeout=120)
        for key, value in query.items():
            app.query_params[key] = value
        return run_of(app)

    return open_page


def run_of(app):
    app.run()
    assert not app.exception, app.exception
    return app


def link(app):
    return eval(app.text[0].value)


@pytest.fixture
def listed(monkeypatch):
    """What the list of kept runs is given, the latest last; `tick` of one answers as the browser does."""
    given = []

    def draw(key, data, on_behind_change):
        def tick(app, *texts):
            app.session_state[key] = SimpleNamespace(behind=[{"text": text} for text in texts])
            app.button(key="tick").click()
            return run_of(app)

        st.button("tick", key="tick", on_click=on_behind_change)
        given.append(SimpleNamespace(**data, tick=tick))

    monkeypatch.setattr(shelf, "_shelf", draw)
    return given


def test_what_is_kept_is_shown_behind_the_next_and_ticks_change_that(small, listed):
    app = small(noise="0.1")
    assert "vs" not in link(app) and listed[-1].behind == [] and "kept:last" not in app.session_state
    app.button(key="keep").click()
    run_of(app)
    assert link(app)["vs"] == "noise~0.1" and "kept:last" in app.session_state
    stored = app.session_state["kept:last"]["entry"]
    assert (stored["page"], stored["title"], stored["run"]) == ("small", "Small", "noise~0.1")
    assert stored["names"] == {"noise": "Noise η"} and stored["steps"] == STEPS.default
    assert stored["learners"] == ["Preference perceptron, top", "Perturbed perceptron (3PR), p = 0.5"]
    app.slider(key="small:cascade:noise").set_value(0.4)
    run_of(app)
    assert listed[-1].behind == [{"text": "noise~0.1", "settings": {"noise": "0.1"}}] and link(app)["noise"] == "0.4"
    assert listed[-1].now == {"noise": "0.4"} and listed[-1].settings["noise"] == ("Noise η", "0.2")
    listed[-1].tick(app, "noise~0.1", "seed~3", "defaults")
    assert link(app)["vs"] == "noise~0.1~~seed~3~~defaults" and not app.warning
    listed[-1].tick(app)
    assert "vs" not in link(app) and link(app)["noise"] == "0.4"


def test_what_was_kept_is_stored_once_for_each_press(small, listed):
    app = small(noise="0.1")
    app.button(key="keep").click()
    number = run_of(app).session_state["kept:last"]["number"]
    assert run_of(app).session_state["kept:last"]["number"] == number
    app.button(key="keep").click()
    assert run_of(app).session_state["kept:last"]["number"] != number


def test_a_bad_part_of_a_link_is_said_once_and_leaves_the_address(small, listed):
    app = small(vs="noise~7~~seed~3")
    assert [w.value for w in app.warning] == ["Kept run 1 in vs: noise must be in [0, 1], got 7; the run is left out."]
    assert link(app)["vs"] == "seed~3"
    run_of(app)
    assert len(app.warning[0].value.split("\n\n")) == 1
    listed[-1].tick(app)
    assert not app.warning, "a setting has been changed"


def test_markup_in_a_link_is_shown_as_it_is(small):
    app = small(vs="x<img src=x>[a](http://b)~1")
    assert "\\<img" in app.warning[0].value and f"]\\(http\\:{APART}//b" in app.warning[0].value


# ---- final values, and what the browser stores ------------------------------------------------------


def test_final_values_are_those_of_a_sweep_with_their_interval():
    """Half the width is 3.182 (t with 3 degrees of freedom) standard deviations over the root of four."""
    moment = run(SMALL)
    metrics = [chart.metric for chart in CHARTS.values()]
    found = finals.of_run(moment, metrics)
    for final in found:
        slot = moment.setup.labels().index(final.learner)
        values = moment.simulations[slot].history.final(final.metric)
        assert final.value == pytest.approx(values.mean())
        assert final.half == pytest.approx(3.18244630 * values.std(ddof=1) / 2)
    assert found[0].title == "Average regret" and {f.learner for f in found} == set(moment.setup.labels())
    assert [f.half for f in finals.of_run(run(SMALL | {"replicates": "1"}), metrics[:1])] == [None, None]


SWEEP = {
    "family": "classification", "vary-1": "gamma", "from-1": "0.1", "to-1": "0.3", "number-1": "3",
    "log-1": "false",
}  # fmt: skip


def swept():
    spec = kept_of(SWEEP, ask_spec).spec
    rows = [("error-rate", g, r, abs(g - 0.2) + r / 100) for g in (0.1, 0.2, 0.3) for r in range(2)]
    rows += [("accuracy", g, r, math.nan) for g in (0.1, 0.2) for r in range(2)]
    return spec, pd.DataFrame(rows, columns=["metric", "gamma", "replicate", "value"])


def test_a_sweep_is_kept_with_its_best_values_and_its_curve():
    spec, table = swept()
    (best,) = finals.of_sweep(spec, table)
    assert (best.metric, best.value, best.at) == ("error-rate", pytest.approx(0.005), "gamma = 0.2")
    assert best.learner == "Banditron", "and not with the γ that it has where γ does not vary"
    assert best.half == pytest.approx(12.7062047 * 0.005)
    curve = json.loads(json.dumps(finals.curve_of(spec, table)))
    assert curve["error-rate"] == [[0.1, 0.11], [0.0, 0.01], [0.1, 0.11]]
    assert curve["accuracy"] == [[None, None], [None, None], []], "it was cancelled before the third"
    back = finals.table_of(spec, curve)
    pd.testing.assert_frame_equal(back, table[list(back)], atol=1e-6)


def test_a_sweep_over_two_parameters_is_kept_with_all_its_values():
    """They come back as the table that the page of the sweep hands out: a row for each point, replicate and metric."""
    two = {"dataset": "synnonsep", "vary-2": "examples", "from-2": "100", "to-2": "200", "number-2": "2"}
    link = SWEEP | two | {"log-2": "false"}
    run = kept_of(link, ask_spec)
    rows = [(g, n, r, "error-rate", g + n + r / 100)
            for g in (0.1, 0.2, 0.3) for n in (100, 200) for r in range(2) if (g, n) != (0.3, 200)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["gamma", "examples", "replicate", "metric", "value"])
    mixed = table.sample(frac=1, random_state=0).sort_values("replicate", kind="stable")  # as workers hand them in
    ask_spec(form := Form(link))
    entry = replace(run, curve=finals.curve_of(run.spec, mixed)).entry("sweep", "Sweep", form.asked)
    found, _ = read_entry(json.loads(json.dumps(entry)), ask_spec)
    assert found == run and len(found.curve["error-rate"]) == 6, "one was cancelled"
    pd.testing.assert_frame_equal(finals.table_of(run.spec, found.curve), table, rtol=1e-5)


def test_a_curve_that_is_too_long_keeps_its_first_metrics(monkeypatch):
    monkeypatch.setattr(finals, "MOST_VALUES", 6)
    assert list(finals.curve_of(*swept())) == ["error-rate"]


def test_two_sweeps_differ_in_their_grids_and_from_a_run():
    one, other = (kept_of(SWEEP | more, ask_spec).spec for more in ({}, {"to-1": "0.5", "seed": "3"}))
    assert [d.words for d in differences(one, other)] == [
        "seed 0 → 3", "parameter 1: Gamma γ in 3 values 0.1 to 0.3 → Gamma γ in 3 values 0.1 to 0.5",
    ]  # fmt: skip
    assert [d.words for d in differences(one, one.run)] == ["kind: sweep → run"]


@pytest.mark.parametrize("raw", [None, 7, [], "x", {}, {"settings": 7}, {"settings": {"noise": []}, "finals": 3}])
def test_what_is_no_entry_is_refused_in_a_sentence_or_has_the_defaults(raw):
    found, problems = read_entry(raw, ask)
    assert (found is None) == bool(problems) and all(p.endswith(".") for p in problems)
    assert found is None or (found.link, found.finals, found.curve) == ((), (), {})


def test_odd_parts_of_an_entry_are_left_out():
    entry = {"settings": {"noise": "0.4"}, "finals": [None, {"value": "x"}, {"learner": "a", "chart": "b", "value": 1}],
             "curve": {"m": [[1, "x", None], 7]}, "reached": True, "tags": "no", "last": math.inf}  # fmt: skip
    found, problems = read_entry(entry, ask)
    assert not problems and dict(found.link) == {"noise": "0.4"}
    assert found.finals == (Final("a", "b", "", 1.0),), "of the run log of earlier versions"
    assert found.curve == {} and (found.reached, found.tags, found.kept) == (None, (), 0.0)
    curve = {"error-rate": [[1, "x", None], 7], "m": [[1]], "regret": [[1], [1, 2]]}
    found, _ = read_entry({"settings": SWEEP, "curve": curve}, ask_spec)
    assert found.curve == {"error-rate": [[1.0, None, None], []]}, "of a sweep, with as many replicates at each point"
