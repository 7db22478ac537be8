"""Pinned runs: what a link holds of them, what is said of them, what is drawn, the table, and the widgets."""

from dataclasses import replace
from urllib.parse import parse_qs, urlencode

import numpy as np
import pytest
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
from pages.ui.lab import numbers, pins
from pages.ui.lab.pins import Difference, differences, ghosts, label, pin_of, read, titles_of, write
from pages.ui.plain import APART
from pages.ui.race.charts import View, curves, drawn_curves
from pages.ui.race.moment import Moment
from pages.ui.race.setup import REPLICATES, SEED, STEPS
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
    setup = pin_of(query, ask).setup
    data = datasets.load("toy-ranking", **setup.dataset.values)
    simulations = setup.simulations(data)
    for simulation in simulations:
        simulation.advance(steps=t or setup.steps)
    return Moment(setup, t or setup.steps, simulations)


# ---- the link --------------------------------------------------------------------------------------


def test_a_pin_holds_what_differs_from_the_defaults_and_determines_numbers():
    pin = pin_of({"noise": "0.4", "seed": "0", "steps": "500", "charts": "flips", "speed": "25", "vs": "defaults"}, ask)
    assert dict(pin.link) == {"noise": "0.4", "steps": "500"}
    assert pin.setup == replace(pin_of({}, ask).setup, steps=500, user=Spec("cascade", (*pin.setup.user.params,)))
    assert pin.setup.user.values["noise"] == 0.4


def test_pins_come_back_from_a_link_as_they_were():
    pinned = [pin_of({}, ask), pin_of({"noise": "0.4", "seed": "3"}, ask), pin_of({"learner-2": "none"}, ask)]
    text = write(pinned)
    assert text == "defaults~~noise~0.4~seed~3~~learner-2~none"
    query = urlencode({"vs": text})
    assert query == f"vs={text}", "readable in the address"
    assert read(parse_qs(query)["vs"][0], ask) == (pinned, [])
    assert read("", ask) == ([], [])


def test_a_pin_means_the_same_run_in_every_link():
    """What is written are differences from the defaults, so the present settings do not matter."""
    (pin,), _ = read("seed~3", ask)
    assert pin.setup.seed == 3 and pin.setup.user.values["noise"] == pin_of({}, ask).setup.user.values["noise"]


@pytest.mark.parametrize("value", ["a~b", "~~", "50%", "%7E", "%25", "%00", "a=b&c", "ä~"])
def test_texts_with_signs_of_the_link_are_escaped(value):
    def words(settings):
        settings.widget(Parameter("path", "text", "x"))
        return pin_of({}, ask).setup

    first, second = pin_of({"path": value}, words), pin_of({"path": "end"}, words)
    text = parse_qs(urlencode({"vs": write([first, second])}))["vs"][0]
    found, problems = read(text, words)
    assert not problems and [dict(pin.link)["path"] for pin in found] == [value, "end"]


def test_an_empty_text_that_is_no_default_is_kept():
    def words(settings):
        settings.widget(Parameter("name", "text", "x"))
        return pin_of({}, ask).setup

    pin = pin_of({"name": ""}, words)
    assert dict(pin.link) == {"name": ""} and read(write([pin, pin]), words) == ([pin], [])


@pytest.mark.parametrize(
    ("text", "kept", "words"),
    [
        ("noise~7~seed~3", [{"seed": "3"}], ["noise must be in [0, 1], got 7; the default 0.2 is used."]),
        ("seed~3~~noise~<b>x</b>", [{"seed": "3"}], ["noise must be in [0, 1], got <b>x</b>"]),
        ("speed~9~seed~3", [{"seed": "3"}], ["can hold learner-1,", "got 'speed'; this part is left out."]),
        ("seed~3~noise", [{"seed": "3"}], ["'noise' has no value; this part is left out."]),
        ("hello", [], ["must be settings with their values, such as noise~0.4~seed~3, or defaults"]),
        ("~~seed~3", [{"seed": "3"}], ["Pinned run 1 in vs must be settings with their values"]),
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
    assert [dict(pin.link) for pin in found] == kept
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
    return [d.words for d in differences(pin_of(then, ask).setup, pin_of(now, ask).setup)]


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
    then = pin_of({}, ask).setup
    now = replace(then, dataset=Spec("web-search"), user=Spec("noisy-grades"))
    named = [d.words for d in differences(then, now)]
    web, grades = datasets.classes()["web-search"].title, create_user("noisy-grades").title
    assert named == [
        f"data set: {datasets.classes()['toy-ranking'].title} → {web}",
        f"simulated user: {create_user('cascade').title} → {grades}",
    ]
    assert differences(replace(now, user=None), now) == [Difference("simulated user:", "none", grades)]


def test_files_are_named_without_their_folders_and_comparisons_by_their_settings():
    then = pin_of({}, ask).setup
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


def test_ghosts_are_the_mean_curves_of_the_pinned_run():
    pin, moment = pin_of(SMALL | {"noise": "0.4"}, ask), run(SMALL | {"noise": "0.4"})
    charts = [CHARTS["average-regret"], CHARTS["rank-of-best"]]
    (ghost,) = ghosts([pin], [moment], pin_of(SMALL, ask).setup, charts, View(window=1))
    assert (ghost["id"], ghost["label"]) == (pin.text, "noise η 0.4 → 0.2")
    for chart in charts:
        for slot, line in enumerate(ghost["charts"][chart.id]):
            history = moment.simulations[slot].history[chart.metric.id]
            assert line["slot"] == slot
            np.testing.assert_array_equal(line["x"], np.arange(1, 41))
            np.testing.assert_allclose(line["y"], history.mean(axis=1), rtol=1e-6)


def test_ghosts_have_the_points_of_the_runs_own_curves_whatever_their_length():
    now = pin_of({"replicates": "2", "steps": "3000", "learner-2": "none"}, ask).setup
    own = drawn_curves(
        CHARTS["average-regret"].metric, run({"replicates": "2", "steps": "3000"}), View(bounds=False), 3000
    )[0].x
    for steps in ("1000", "5000"):
        query = {"replicates": "2", "steps": steps, "learner-2": "none"}
        (ghost,) = ghosts([pin_of(query, ask)], [run(query)], now, [CHARTS["average-regret"]], View())
        (line,) = ghost["charts"]["average-regret"]
        last = min(3000, int(steps))
        assert len(line["x"]) <= 300 and line["x"][-1] == last
        assert set(line["x"][:-1].tolist()) <= set(own.tolist())


def test_ghosts_have_no_bounds_thin_lines_or_pictures_and_wait_for_their_run():
    pin, moment = pin_of(SMALL, ask), run(SMALL)
    view = View("both")
    (done, waiting) = ghosts([pin, pin], [moment, None], pin.setup, [CHARTS["average-regret"]], view)
    assert (
        len(done["charts"]["average-regret"])
        == 2
        < len(drawn_curves(CHARTS["average-regret"].metric, moment, view, 40))
    )
    assert waiting["charts"] == {}
    picture = replace(CHARTS["average-regret"], metric=None)
    assert ghosts([pin], [moment], pin.setup, [picture], view)[0]["charts"] == {}


# ---- the table -------------------------------------------------------------------------------------


def rows(text):
    import xml.etree.ElementTree as tree

    table = tree.fromstring(text[text.index("<table") : text.index("</table>") + 8].replace("<br>", " "))
    return [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")]


def test_the_table_is_that_of_the_step_asked_for():
    moment, spec = run(SMALL), CHARTS["average-regret"]
    values = moment.simulations[1].history["average-regret"][6]
    found = rows(numbers.table(moment, [spec], 7))
    assert found[2][0] == moment.setup.labels()[1]
    assert found[2][1] == f"{values.mean():.4g} ± {values.std(ddof=1) / 2:.2g}"
    assert rows(numbers.table(moment, [spec], 40)) != found


def test_the_table_shows_pinned_values_and_which_way_is_better():
    moment, past = run(SMALL), run(SMALL | {"noise": "0.45", "seed": "3"})
    charts = [CHARTS["average-regret"], CHARTS["weight-norm"]]
    found = rows(numbers.table(moment, charts, 20, [("noise <η>", past), ("waits", None)]))
    assert [row[0] for row in found[1:]] == [
        moment.setup.labels()[0], "pinned: noise <η>", moment.setup.labels()[1], "pinned: noise <η>",
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
    texts = [numbers.table(moment, [s], 30, [("x", past)]) for s in (spec, upside_down)]
    verdicts = [[("better" in row[1]) for row in rows(text) if row[0] == "pinned: x"] for text in texts]
    assert verdicts[0] == [not good for good in verdicts[1]]


def replace_metric(metric: Metric, **changed) -> Metric:
    return replace(metric, companion=None, bounds=(), **changed)


def test_a_pinned_run_that_is_shorter_has_no_value_and_one_with_other_learners_names_them():
    moment = run(SMALL | {"learner-2": "none"})
    past = run({"replicates": "4", "steps": "10", "learner-1": "random-ranking"})
    found = rows(numbers.table(moment, [CHARTS["flips"]], 40, [("x", past)]))
    assert [row[0] for row in found[1:]] == [
        moment.setup.labels()[0],
        f"{past.setup.labels()[0]}, pinned: x",
        f"{past.setup.labels()[1]}, pinned: x",
    ]
    assert found[2][1] == found[3][1] == "–"
    early = rows(numbers.table(moment, [CHARTS["flips"]], 5, [("x", past)]))
    assert "now" in early[2][1] and "now" not in early[3][1] and early[3][1] != "–"


def test_the_same_value_is_called_the_same():
    moment = run(SMALL)
    assert rows(numbers.table(moment, [CHARTS["flips"]], 40, [("x", moment)]))[2][1].endswith("now the same")


# ---- the widgets -----------------------------------------------------------------------------------

APP = """
import sys
sys.path.insert(0, {root!r})
import streamlit as st
st.navigation([st.Page("small.py", url_path="small", default=True)]).run()
"""
PAGE = """
import streamlit as st
from pages.ui.lab import pinned
from pages.ui.form.form import Form
from pages.ui.form.settings import Settings
from pages.ui.lab.pins import VS, pin_of
from tests.pages.test_pins import ask

def everything(form):
    ask(form)
    form.get(VS)

settings = Settings("small", everything)
ask(settings)
found = pinned.chosen(settings, ask)
settings.write()
settings.show_problems()
pinned.show(settings, pin_of(settings.link, ask), found, "small.py", states=["computing"])
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


def chips(app):
    return [(c.proto.label, c.proto.query_string) for c in app.get("page_link")]


def test_pin_change_pin_again_remove_and_clear(small):
    app = small(noise="0.1")
    assert not chips(app) and "vs" not in link(app)
    app.button(key="pin").click()
    run_of(app)
    assert link(app)["vs"] == "noise~0.1"
    assert app.button(key="pin").disabled, "it is pinned already"
    assert chips(app)[0][0] == "this run (computing)"
    app.slider(key="small:cascade:noise").set_value(0.4)
    run_of(app)
    assert chips(app)[0][0] == "noise η 0.1 → 0.4 (computing)" and link(app)["noise"] == "0.4"
    app.button(key="pin").click()
    run_of(app)
    assert link(app)["vs"] == "noise~0.1~~noise~0.4"
    app.button(key="unpin-0").click()
    run_of(app)
    assert link(app)["vs"] == "noise~0.4"
    app.slider(key="small:cascade:noise").set_value(0.3)
    run_of(app)
    app.button(key="pin").click()
    run_of(app)
    app.button(key="unpin-all").click()
    run_of(app)
    assert "vs" not in link(app) and not chips(app) and link(app)["noise"] == "0.3"


def test_a_chip_opens_its_run_with_the_present_one_pinned(small):
    app = small(noise="0.1", vs="noise~0.4~seed~3~~defaults")
    query = {key: values[0] for key, values in parse_qs(chips(app)[0][1]).items()}
    assert query == {"noise": "0.4", "seed": "3", "vs": "defaults~~noise~0.1"}
    swapped = small(**query)
    assert not swapped.warning and [c[0] for c in chips(swapped)][1] == "noise η 0.1 → 0.4, seed 0 → 3"
    back = {key: values[0] for key, values in parse_qs(chips(swapped)[1][1]).items()}
    assert back == {"noise": "0.1", "vs": "defaults~~noise~0.4~seed~3"}


def test_four_pins_are_the_limit(small):
    app = small(vs="seed~1~~seed~2~~seed~3~~seed~4")
    assert app.button(key="pin").disabled and "limit" in app.button(key="pin").help
    assert len(chips(app)) == pins.MOST_PINS


def test_a_bad_part_of_a_link_is_said_once_and_leaves_the_address(small):
    app = small(vs="noise~7~~seed~3")
    assert [w.value for w in app.warning] == [
        "Pinned run 1 in vs: noise must be in [0, 1], got 7; the run is left out."
    ]
    assert link(app)["vs"] == "seed~3"
    run_of(app)
    assert len(app.warning[0].value.split("\n\n")) == 1
    app.button(key="unpin-0").click()
    run_of(app)
    assert not app.warning, "a setting has been changed"


def test_markup_in_a_link_is_shown_as_it_is(small):
    app = small(vs="x<img src=x>[a](http://b)~1")
    assert "\\<img" in app.warning[0].value and f"]\\(http\\:{APART}//b" in app.warning[0].value


def test_link_readers_answer_like_settings_for_pins():
    reader = Form({"seed": "4"})
    assert ask(reader).seed == 4 and pins.pin_of({"seed": "4"}, ask).setup.seed == 4
