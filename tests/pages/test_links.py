"""The locks and hidden parts of a link, its keys of others, and the parts that survive being read and written again."""

from itertools import count
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from learners.catalogue import families
from pages.ui.families import labs
from pages.ui.form import links
from pages.ui.form.form import Form, known
from pages.ui.form.links import GROUPS, PARTS, is_tracking_key, read_link
from pages.ui.gallery.demos import DEMOS
from tests.pages.test_pages import clean, open_page

LAB = labs()["stability"]
SHORT = {"steps": "40", "replicates": "2"}
WIDGETS = ("slider", "selectbox", "number_input", "toggle", "multiselect", "text_input", "segmented_control")

pytestmark = pytest.mark.usefixtures("unestimated")


def lab(**query):
    return open_page("stability", **(SHORT | query))


def widgets(app):
    """The widgets of settings, by their keys; the inspector has two that are none."""
    found = {w.key.rsplit(":", 1)[-1]: w for kind in WIDGETS for w in app.get(kind) if w.key and ":" in w.key}
    return {key: w for key, w in found.items() if key not in ("who", "replicate", "workers", "scheduler", "code")}


def chips(app):
    """The words of the chips that open settings; other buttons that open something have a sign."""
    return [box.proto.popover.label for box in app.get("popover") if not box.proto.popover.icon]


def boxes_of(app):
    return [box.label for box in app.expander]


def locked(app):
    return {key for key, widget in widgets(app).items() if widget.disabled}


def link(app, page="stability"):
    """The link that the page has written into its address."""
    return app.session_state[f"settings:{page}"]["known"][-1]


def lines(app):
    """The line that says what the link locks."""
    return [m.value for m in app.markdown if "The link locks" in m.value]


# ---- keys of others ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key",
    ["utm_source", "UTM_Campaign", "gclid", "fbclid", "ref", "mc_cid", "mc_eid", "_hsenc", "_hsmi", "embed",
     "embed_options", "Embed", "msclkid", "igshid", "pk_campaign", "mtm_source", "_ga"],
)  # fmt: skip
def test_keys_of_others_are_ignored(key):
    assert is_tracking_key(key) and read_link({key: "x", "seed": "3"}, LAB.ask) == ({"seed": 3}, [])


@pytest.mark.parametrize("key", ["nonsense", "reference", "utm", "embedded", "hide ", "<b>"])
def test_other_unknown_keys_are_said_to_be_wrong(key):
    assert read_link({key: "x"}, LAB.ask) == ({}, [f"{key!r} is not a setting of this page."])


def test_no_setting_is_taken_for_a_key_of_others():
    every = {key for each in labs().values() for key in known(each.ask)} | set(families())
    assert len(every) > 60 and not any(map(is_tracking_key, every))


PAGES = ["stability", "lessons", "search", "sweep", "coactive", "catalogue", "figures"]


@pytest.mark.long
@pytest.mark.parametrize("name", PAGES)
def test_every_page_with_settings_understands_what_is_common_and_ignores_what_is_of_others(name):
    common = {"lock": "all", "hide": "scene,run", "present": "true"}
    app = clean(open_page(name, utm_source="letter", gclid="1", nonsense="2", **common))
    assert [w.value for w in app.warning] == ["'nonsense' is not a setting of this page."]
    assert common.items() <= link(app, name.replace("_", "-")).items() <= (common | {"vary-1": "gamma"}).items()


def test_a_page_with_nothing_but_keys_of_others_is_the_bare_page():
    app = clean(lab(seed="3"))
    app.switch_page("pages/catalogue.py").run()
    app.query_params.clear()
    app.query_params["utm_source"] = "letter"
    app.switch_page("pages/stability.py").run()
    assert link(clean(app)) == SHORT | {"seed": "3"} and not app.warning


def test_an_address_that_comes_late_is_not_taken_for_a_link():
    """A slider that moves faster than the page runs: the browser then sends what the page wrote some runs ago."""
    app, written = clean(lab(t="30")), []
    for noise in (0.1, 0.3, 0.35, 0.1):
        widgets(app)["noise"].set_value(noise)
        written.append(link(clean(app.run())))
    app.session_state["stability:rest"] = 5
    for late, noise in zip(written, (0.4, 0.5, 0.6, 0.7), strict=True):
        app.query_params.clear()
        app.query_params |= late
        widgets(app)["noise"].set_value(noise)
        assert link(clean(app.run())) == SHORT | {"noise": str(noise)}
    assert app.session_state["stability:rest"] == 5, "nor goes the playhead anywhere"
    app.query_params["noise"] = "0.35"  # which was written before what the browser has by now: somebody opens it
    assert link(clean(app.run())) == SHORT | {"noise": "0.35"}


# ---- what is locked ----------------------------------------------------------------------------------------


def test_a_locked_setting_is_disabled_says_so_and_can_be_unlocked():
    app = clean(lab(lock="noise,documents", noise="0.3"))
    assert locked(app) == {"noise", "documents"}
    assert widgets(app)["noise"].value == 0.3
    assert lines(app) == [":material/lock: The link locks Documents n, Noise η."]
    assert len(app.sidebar) == 0, "its settings stand behind chips"
    app.button(key="stability-unlock").click().run()
    assert not locked(clean(app)) and not lines(app) and link(app) == SHORT | {"noise": "0.3"}
    assert widgets(app)["noise"].value == 0.3


@pytest.mark.parametrize(
    ("lock", "some", "none"),
    [
        ("race", {"learner-1", "learner-4", "feedback-1", "swap_probability-2"}, {"noise", "steps", "charts"}),
        ("world", {"dataset", "user", "noise", "documents", "initial_weights"}, {"learner-1", "seed", "band"}),
        ("run", {"replicates", "steps", "seed"}, {"noise", "window"}),
        ("charts", {"charts", "ranking", "band", "window", "x_log", "present"}, {"seed", "learner-2"}),
        ("learner-2", {"learner-2"}, {"swap_probability-2", "learner-1"}),
        ("run,noise", {"replicates", "steps", "seed", "noise"}, {"documents"}),
        ("all", {"learner-1", "noise", "seed", "charts", "present"}, set()),
    ],
)
def test_groups_are_locked_as_a_whole(lock, some, none):
    app = clean(lab(lock=lock))
    assert not app.warning and some <= locked(app) and not none & locked(app)
    if lock == "all":
        assert locked(app) == set(widgets(app)) and "The link locks all settings." in lines(app)[0]


def test_a_lock_holds_while_other_settings_change():
    app = lab(lock="noise", hide="seed", present="true")
    widgets(app)["documents"].set_value(7).run()
    expected = SHORT | {"documents": "7", "lock": "noise", "hide": "seed", "present": "true"}
    assert locked(clean(app)) == {"noise"} and link(app) == expected
    widgets(app)["user"].set_value("expert").run()  # whose feedback has no noise
    assert not locked(clean(app)) and not lines(app) and link(app)["lock"] == "noise"
    again = clean(open_page("stability", **link(app)))
    assert not again.warning, "the setting of another user is no mistake"
    widgets(again)["user"].set_value("cascade").run()
    assert locked(clean(again)) == {"noise"}


def test_a_long_list_of_locked_settings_is_shortened():
    keys = ["learner-1", "learner-2", "feedback-1", "documents", "dataset", "user", "noise"]
    app = clean(lab(lock=",".join(keys)))
    assert len(locked(app)) == 7 and lines(app)[0].endswith(" and 2 more.") and lines(app)[0].count(", ") == 4


def test_a_locked_group_is_named_once():
    app = clean(lab(lock="race,noise,run"))
    assert lines(app) == [":material/lock: The link locks the learners, Noise η, replicates, length and seed."]


# ---- what is hidden ----------------------------------------------------------------------------------------


def test_a_hidden_setting_has_no_widget_and_keeps_its_value():
    app = clean(lab(hide="noise,seed", noise="0.35", seed="8"))
    assert "noise" not in widgets(app) and "seed" not in widgets(app)
    assert link(app) == SHORT | {"hide": "noise,seed", "noise": "0.35", "seed": "8"}
    widgets(app)["documents"].set_value(6).run()
    values = app.session_state["settings:stability"]["values"]
    assert values["noise"] == 0.35 and values["seed"] == 8 and link(clean(app))["noise"] == "0.35"


CHIPS = {
    "race": ["Preference perceptron", "Perturbed perceptron (3PR)", ":material/add: Add a learner"],
    "world": ["Data and user"],
    "run": ["Run"],
    "charts": ["Charts"],
}


@pytest.mark.parametrize("group", CHIPS)
def test_a_hidden_group_leaves_no_chip_and_no_empty_box(group):
    whole, app = clean(lab()), clean(lab(hide=group))
    assert chips(whole) == [chip for each in CHIPS.values() for chip in each]
    assert chips(app) == [chip for each, words in CHIPS.items() for chip in words if each != group]
    boxes = [box for box in boxes_of(whole) if group != "race" or "Settings of learner" not in box]
    assert boxes_of(app) == boxes
    assert len(app.caption) == len(whole.caption) - 2 * (group == "world")


def test_each_learner_has_a_chip_of_its_own_with_a_short_name_where_many_share_the_row():
    """Two of one kind shared one; a later learner's chip then had the colour of another."""
    third = {"learner-2": "preference-perceptron", "learner-3": "perturbed-perceptron"}
    assert chips(lab(**third))[:4] == ["Perceptron (1)", "Perceptron (2)", "3PR", ":material/add: Add a learner"]


@pytest.mark.parametrize("hide", ["sidebar", "all"])
@pytest.mark.parametrize("page", ["stability", "sweep", "coactive", "bandit"])
def test_a_hidden_sidebar_is_empty(page, hide):
    app = clean(open_page(page, hide=hide, lock="all", **SHORT))
    assert not widgets(app) and not lines(app) and not app.sidebar.subheader
    assert not set(chips(app)) & {chip for each in CHIPS.values() for chip in each}
    if not (page == "sweep" and hide == "all"):  # where it runs is no setting
        assert list(app.sidebar) == [app.sidebar], "so that Streamlit draws no sidebar"
    assert {"hide": hide, "lock": "all"}.items() <= link(app, page.replace("_", "-")).items()


def shown(app):
    """The parts of the page that are there."""
    boxes, heads = [e.label for e in app.main.expander], [h.value for h in app.main.subheader]
    there = {
        "sidebar": "Run" in chips(app),
        "table": any("Table of the values" in label for label in boxes),
        "inspector": any("inspector" in label for label in boxes),
        "tries": "What to try next" in heads,
        "take-away": any(label.startswith("Export: a film") for label in boxes),
    }
    return {part for part, is_there in there.items() if is_there}


def test_a_part_that_is_hidden_is_the_only_one_that_is_missing():
    whole = shown(clean(lab()))
    assert whole == {"sidebar", "table", "inspector", "tries", "take-away"}
    for part in whole:
        assert whole - shown(clean(lab(hide=part))) == {part}


def test_the_scene_can_be_hidden(monkeypatch):
    from pages.ui.lab.stage import Stage

    scenes, show = [], Stage.show
    monkeypatch.setattr(Stage, "show", lambda stage: (scenes.append(stage.scene), show(stage)))
    for hide in ("", "scene", "inspector"):
        clean(lab(hide=hide))
    assert scenes == [LAB.face.scene, None, LAB.face.scene] and LAB.face.scene


def test_the_question_can_be_hidden_and_a_hidden_answer_still_counts():
    judged = {"user": "person", "dataset": "digits-search", "steps": "5"}
    app = clean(open_page("refinement", **judged))
    assert any("You judge." in m.value for m in app.main.markdown)
    app = clean(open_page("refinement", hide="question", **judged))
    assert not any("You judge." in m.value for m in app.main.markdown)
    app = clean(open_page("refinement", hide="sidebar", **judged))
    app.session_state["refinement:person:relevant"] = "1,3"  # as a click on the cards does
    assert link(clean(app.run()), "refinement")["relevant"] == "1,3"


# ---- wrong names -------------------------------------------------------------------------------------------


def test_wrong_names_are_said_in_one_sentence_and_the_rest_holds():
    app = clean(lab(lock="noise,foo,<b>", hide="seed,inspectr"))
    assert [w.value for w in app.warning] == [
        f"lock must name settings by their keys in the address, or {', '.join(GROUPS)}, all, got 'foo', '\\<b>'; the "
        f"rest holds.\n\nhide must name settings by their keys in the address, or {', '.join((*GROUPS, *PARTS))}, all, "
        "got 'inspectr'; the rest holds."
    ]
    assert locked(app) == {"noise"} and "seed" not in widgets(app)
    assert link(app) == SHORT | {"lock": "noise", "hide": "seed"}


def test_a_hundred_wrong_names_do_not_fill_the_page():
    _, problems = read_link({"lock": ",".join("x" * 99 + str(n) for n in range(100))}, LAB.ask)
    assert len(problems) == 1 and "and 97 more" in problems[0] and len(problems[0]) < 400


def test_a_part_cannot_be_locked():
    values, problems = read_link({"lock": "inspector,noise"}, LAB.ask)
    assert values["lock"] == "noise" and "got 'inspector'" in problems[0]


# ---- for those who make links ------------------------------------------------------------------------------


def test_what_can_be_locked_is_what_the_page_has_in_words(monkeypatch):
    from pages.ui.form.settings import Settings

    found, write = [], Settings.write
    monkeypatch.setattr(Settings, "write", lambda settings: (write(settings), found.append(settings)))
    clean(lab(hide="noise,sidebar", lock="seed"))
    settings = found[-1]
    offered = links.lockable(settings)
    reader = Form({})
    LAB.ask(reader)
    used = {key for key, p in reader.known.items() if p.when is None}
    assert used - reader.hidden - {"present"} <= offered.keys() <= reader.known.keys()
    assert offered["noise"] == "Noise η" and offered["swap_probability-2"] == "Swap probability p of learner 2"
    assert links.groups(settings).keys() == {"race", "world", "run", "charts", "all"}
    assert settings.sticky_query == {"lock": "seed", "hide": "noise,sidebar"}
    problems = read_link({"lock": ",".join([*offered, *links.groups(settings)])}, LAB.ask)[1]
    assert not problems, "all that is offered is understood"


def test_the_address_is_whole_and_leaves_out_what_is_empty():
    assert links.address({"noise": "0.3", "lock": "a,b"}, t="4", hide="") == "?noise=0.3&lock=a,b&t=4"
    assert links.address({}) == "" and parse_qsl(links.address({"vs": "a~1~~b~2"})[1:]) == [("vs", "a~1~~b~2")]


def test_links_to_try_keep_what_is_common():
    common = {"lock": "noise", "hide": "seed", "present": "true"}
    app = clean(lab(demo="flip", vs="noise~0.4", **common))
    found = [dict(parse_qsl(p.proto.query_string)) for p in app.main.get("page_link")]
    tries = [query for query in found if any(one.link.items() <= query.items() for one in LAB.tries)]
    assert len(tries) >= len(LAB.tries) and all(common.items() <= query.items() for query in found)


def test_links_of_a_lesson_keep_what_is_common():
    from pages.ui.lessons import document
    from pages.ui.lessons.library import lessons

    lesson = document.of(lessons()["flip"], {"present": "true"})
    assert all("present=true" in each["href"] for each in [*lesson["cards"], *lesson["next"]])
    assert "present=true" in lesson["free"]


# ---- the text of a demo ------------------------------------------------------------------------------------


def differing(app):
    return [c.value for c in app.main.caption if "differ from the demo" in c.value]


def test_the_text_of_a_demo_stays_in_a_shared_link_which_says_what_was_changed():
    demo = next(d for d in DEMOS if d.id == "flip")
    app = clean(open_page("stability", **demo.link))
    assert demo.text in app.info[0].value and not differing(app) and link(app)["demo"] == "flip"
    widgets(app)["noise"].set_value(0.35).run()
    shared = clean(open_page("stability", **link(app)))
    for each in (clean(app), shared):
        assert demo.text in each.info[0].value
        assert differing(each) == ["Settings that differ from the demo: Noise η."]
    back = next(p for p in shared.main.get("page_link") if p.proto.label == "Back to the demo")
    assert dict(parse_qsl(back.proto.query_string)) == demo.link


def test_what_only_changes_the_drawing_for_a_room_is_no_difference():
    demo = next(d for d in DEMOS if d.id == "flip")
    app = clean(open_page("stability", **demo.link, lock="noise", hide="seed", present="true", vs="noise~0.4", t="3"))
    assert not differing(app)


def test_the_demo_of_a_sweep_stays_too():
    demo = next(d for d in DEMOS if d.page == "pages/sweep.py")
    app = clean(open_page("sweep", **demo.link))
    assert demo.text in app.info[0].value and link(app, "sweep")["demo"] == demo.id and not differing(app)


# ---- forty combinations ------------------------------------------------------------------------------------

LOCKS = ("", "noise", "noise,documents", "race,seed", "all", "world")
HIDES = ("", "seed", "inspector,table", "sidebar", "charts,tries", "scene,take-away,noise")
PINS = ("", "noise~0.4", "noise~0.4~seed~3~~defaults")
STEPS = ("", "7", "30")


def combinations():
    """Forty links, in which each value of a part meets many of the others; the last ten are of lessons."""
    found = []
    for n in count():
        page = "stability" if n < 30 else "lessons"
        query = {
            "lock": LOCKS[n % 6], "hide": HIDES[(n + n // 6) % 6], "present": ("", "true")[n % 2],
            "embed": ("", "true")[n // 2 % 2], "t": STEPS[n // 3 % 3], "utm_source": ("", "", "letter")[n % 3],
        }  # fmt: skip
        if page == "stability":
            query |= SHORT | {"vs": PINS[n // 2 % 3], "demo": ("", "", "", "flip")[n % 4]}
        else:
            query |= {"lesson": ("flip", "perturbation")[n % 2], "card": ("", "2", "3")[n % 3]}
        found.append((page, {key: text for key, text in query.items() if text}))
        if len(found) == 40:
            return found
    return found


COMBINATIONS = combinations()


def test_the_combinations_differ_and_every_part_meets_every_other():
    assert len({(page, *sorted(query.items())) for page, query in COMBINATIONS}) == 40
    parts = ["lock", "hide", "present", "embed", "t"]
    for part in [*parts, "lesson"]:
        for other in parts:
            assert any(part in query and other in query for _, query in COMBINATIONS), (part, other)
    assert all(any("vs" in query and part in query for _, query in COMBINATIONS) for part in parts)


@pytest.mark.long
@pytest.mark.parametrize(("page", "query"), COMBINATIONS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_link_that_is_read_and_written_again_is_the_same(page, query):
    """But for what the browser keeps by itself: t, card, embed and keys of others (tests/browser/test_links.py)."""
    app = clean(open_page(page, **query))
    assert not app.warning
    by_browser = {"t", "card", "embed", "utm_source"}
    written = link(app, page)
    assert written == {key: text for key, text in query.items() if key not in by_browser}
    again = clean(open_page(page, **written))
    assert link(again, page) == written
    assert locked(again) == locked(app) and widgets(again).keys() == widgets(app).keys()


def page_cut_short():
    """A page whose first run ends in the middle of its settings, as where the browser tells of a dark theme."""
    import streamlit as st

    from datasets.parameters import Parameter
    from pages.ui.form.settings import Settings

    settings = Settings("short")
    steps = settings.widget(Parameter("steps", "integer", 10, 1, 100))
    if not st.session_state.get("again"):
        st.session_state["again"] = True
        st.stop()
    st.text(f"{steps} {settings.widget(Parameter('seed', 'integer', 1, 0, 100))}")
    settings.write()
    settings.show_problems()


def test_a_run_that_is_cut_short_leaves_the_link_to_the_next():
    app = AppTest.from_function(page_cut_short)
    for key, text in {"steps": "20", "seed": "7", "nonsense": "1"}.items():
        app.query_params[key] = text
    assert not app.run().text
    for _ in range(2):
        clean(app.run())
        assert app.text[0].value == "20 7"
        assert app.warning[0].value == "'nonsense' is not a setting of this page."
