"""The declarations of the labs: what they show at first, and what they say to try next."""

import json

import numpy as np
import pytest

import datasets
from learners.base import Learner
from learners.catalogue import learner_classes, user_classes
from learners.metric import Metric
from learners.spec import _learner_of
from pages.ui.form.form import Form, known
from pages.ui.form.links import read_link
from pages.ui.race import limits
from tests.pages.modes import SHOWN
from tests.pages.test_pages import clean, open_page

LABS = SHOWN
SHORT = 260  # steps; rounds are fewer


def opened(lab, query):
    """Return what a link opens: the setup, how it is drawn, and the ids of its charts."""
    filled = lab.ask(Form(query))
    return filled.run, filled.view, filled.charts


@pytest.mark.parametrize("name", LABS)
def test_what_to_try_next_is_three_valid_links_that_change_one_setting_each(name):
    lab = LABS[name]
    assert len(lab.tries) == 3 and len({one.setting for one in lab.tries}) == 3
    first = opened(lab, {})
    for one in lab.tries:
        values, problems = read_link(one.link, lab.ask)
        assert not problems and list(values) == [one.setting]
        assert values[one.setting] != known(lab.ask)[one.setting].default, "it changes nothing"
        now = opened(lab, one.link)
        assert now != first
        limits.check(now[0])
        assert one.text.endswith("?") and len(one.text) <= 110


@pytest.mark.parametrize("name", LABS)
def test_no_chart_shown_at_first_is_constant(name):
    """At least one learner of the first race moves in every chart of curves that is shown."""
    lab = LABS[name]
    setup, _, charts = opened(lab, {})
    data = datasets.create(setup.dataset.id, **setup.dataset.values).build()
    shown = [spec.metric for spec in lab.drawn(charts, setup, data)]
    metrics = [metric for metric in shown if metric is not None]
    assert metrics and all(isinstance(metric, Metric) for metric in metrics)
    runs = setup.simulations(data)
    for run in runs:
        run.advance(8 if lab.declaration.rounds else SHORT)
    for metric in metrics:
        values = [run.history[metric.id] for run in runs if metric.id in run.history]
        assert any(np.any(v[1:] != v[:-1], where=~np.isnan(v[:-1])) for v in values), f"{metric.id} is constant"


@pytest.mark.parametrize("query, drawn, named", [
    ({}, False, True), ({"steps": "60"}, True, False), ({"steps": "60", "bounds": "false"}, False, True),
])  # fmt: skip
def test_bounds_are_off_at_first_and_a_link_that_does_not_name_them_draws_them(query, drawn, named):
    """Links leave out what has its default, so that those made before show what they showed."""
    app = clean(open_page("stability", **query))
    assert next(t.value for t in app.toggle if t.label == "Bounds from theory") == drawn
    link = next(json.loads(p.proto.json) for p in app.get("bidi_component") if '"link"' in (p.proto.json or ""))["link"]
    assert ("bounds=false" in link.split("&")) == named


def test_bounds_are_drawn_at_first_where_they_are_the_subject():
    assert [name for name, lab in LABS.items() if lab.bounded and not lab.opening] == ["coactive"]
    assert all(lab.ask(Form({})).view.bounds == lab.bounded for lab in LABS.values())


def behind_more(app):
    """The settings behind “More”: the labels and whether it is open; nothing where there is none."""
    found = [box for box in app.expander if box.label == "More"]
    assert len(found) <= 1
    kinds = ("slider", "selectbox", "number_input", "radio", "button_group")
    return [({*(w.label for kind in kinds
                for w in box.get(kind) if hasattr(w, "label"))}, box.proto.expanded) for box in found]  # fmt: skip


def test_settings_that_are_rarely_used_stand_behind_more_unless_a_link_sets_one():
    few = {"steps": "10", "replicates": "2", "queries": "100"}
    ((labels, opened),) = behind_more(clean(open_page("coactive", **few)))
    assert {"Relevance noise", "Data seed"} <= labels and "Noise" not in labels and not opened
    rare = [p.name for p in datasets.classes()["web-search"].parameters() if p.rare]
    assert rare == ["relevance_noise", "spectrum", "lengths", "precision", "data_seed"]
    app = clean(open_page("coactive", spectrum="correlated", **few))
    assert behind_more(app)[0][1], "what a link sets is seen"
    assert not behind_more(clean(open_page("coactive", hide=",".join(rare), **few))), "nothing stands there"
    for kind in (*datasets.classes().values(), *learner_classes().values(), *user_classes().values()):
        names = {p.name for p in kind.parameters() if p.rare}
        assert not any(p.when and p.when[0] in names for p in kind.parameters()), "others are asked for before it"


@pytest.mark.parametrize("name", LABS)
def test_the_description_of_a_lab_is_one_line(name):
    assert len(LABS[name].lead) <= 80, "beside the title and four buttons, 1280 pixels wide"


def test_the_swap_probability_is_shown_at_first_once_a_learner_sets_it():
    lab = LABS["stability"]

    def shown(query):
        setup, _, charts = opened(lab, query)
        data = datasets.create(setup.dataset.id, **setup.dataset.values).build()
        return [spec.id for spec in lab.drawn(charts, setup, data)]

    first = ["rank-of-best", "order-kept", "average-regret", "flips"]
    assert shown({}) == first
    assert shown({"dynamic-2": "true"}) == [*first, "swap-probability"]
    assert shown({"charts": "swap-probability"}) == ["swap-probability"], "chosen, it is drawn"


def test_a_bandit_race_of_fixed_rates_has_no_chart_of_the_rate():
    lab = LABS["bandit"]
    setup, _, charts = opened(lab, {"learner-3": "none"})
    data = datasets.create(setup.dataset.id, **setup.dataset.values).build()
    assert "gamma" in charts and "gamma" not in [spec.id for spec in lab.drawn(charts, setup, data)]


@pytest.fixture
def asked(monkeypatch):
    """The kinds of form that the labs ask for the settings of a run, one for each traversal."""
    from pages.ui.lab.lab import Lab

    found, ask = [], Lab.ask_own_run
    monkeypatch.setattr(Lab, "ask_own_run", lambda lab, form: (found.append(type(form).__name__), ask(lab, form))[1])
    return found


def test_a_rerun_asks_for_every_setting_once_and_builds_each_learner_at_most_once(monkeypatch, asked):
    """The default stability lab, opened with learners that nobody built before, and run again with a new value."""
    built, made = [], Learner.__post_init__
    monkeypatch.setattr(Learner, "__post_init__", lambda learner: (built.append(repr(learner)), made(learner))[1])
    _learner_of.cache_clear()
    app = clean(open_page("stability"))
    assert asked == ["Settings"] and 0 < len(built) == len(set(built)), built
    asked.clear(), built.clear()
    app.slider(key="stability:perturbed-perceptron:swap_probability-2").set_value(0.37)
    clean(app.run())
    assert asked == ["Settings"] and len(built) == 1, built
    asked.clear(), built.clear()
    clean(app.run())
    assert asked == ["Settings"] and not built


@pytest.mark.parametrize(
    ("query", "more"),
    [
        ({"seed": "3"}, 0),
        ({"lock": "nonsense,noise", "hide": "gamma-2"}, 0),
        ({"vs": "noise~0.3~~seed~2~~defaults"}, 3),
        ({"demo": "flip"}, 1),
    ],
    ids=["link", "lock", "kept", "demo"],
)
def test_a_link_is_read_once_and_what_it_names_is_kept(asked, query, more):
    """A link is read while its settings are drawn. An unknown name in lock asks nothing; kept runs and the demo are
    read with the link and never again."""
    app = clean(open_page("stability", **({"steps": "40", "replicates": "2"} | query)))
    assert sorted(asked) == ["Form"] * more + ["Settings"]
    for change in ("documents", "seed"):
        asked.clear()
        widget = next(w for w in (*app.slider, *app.number_input) if w.key and w.key.endswith(f":{change}"))
        clean(widget.set_value(9).run())
        assert asked == ["Settings"]


def test_the_line_below_a_title_holds_whatever_is_set():
    """It is one line and names no learner, no data set and no user, since all of these can be changed."""
    kinds = (*learner_classes().values(), *user_classes().values(), *datasets.classes().values())
    titles = {kind.title.lower() for kind in kinds}
    for lab in SHOWN.values():
        assert len(lab.lead) <= 115 and not [title for title in titles if title in lab.lead.lower()], lab.id


def test_data_that_memory_cannot_hold_again_end_in_a_sentence(monkeypatch):
    """The run has been recorded, and the server has dropped its data since."""
    app = clean(open_page("stability", steps="50", seed="4713"))

    def load(dataset):
        raise MemoryError

    monkeypatch.setattr("pages.ui.lab.lab.load_data", load)
    assert not app.run().exception and app.error[0].value.startswith("This setup needs more memory than the server has")
