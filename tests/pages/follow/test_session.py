"""Sessions that lead and follow, run by Streamlit's AppTest."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import follow
from pages.ui.follow import session
from pages.ui.follow.classes import CLASSES
from pages.ui.follow.view import TeacherView, code_of, problem, tidied
from pages.ui.plain import visible
from tests.conftest import ROOT

SECRET = "a secret of more than twenty signs"
CODE = code_of(SECRET)


@pytest.fixture(autouse=True)
def _no_class_is_left():
    yield
    CLASSES.end(SECRET)


@pytest.fixture
def drawn(monkeypatch):
    """The data that the part in the browser is given, the latest last."""
    found = []
    monkeypatch.setattr(session, "_part", lambda key, data, **heard: found.append(data))
    return found


@pytest.fixture
def does(monkeypatch):
    """Functions that the session calls when its next run begins, as it does when the browser sends something."""
    found, begin = [], follow.begin

    def begin_after(page):
        while found:
            found.pop()()
        begin(page)

    monkeypatch.setattr(follow, "begin", begin_after)
    return found


def open_page(name, **query):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app.switch_page(f"pages/{name}.py")
    for key, text in query.items():
        app.query_params[key] = text
    return app.run()


def test_who_has_no_code_neither_leads_nor_follows(drawn):
    app = open_page("catalogue")
    assert not app.exception and drawn[-1]["role"] == drawn[-1]["code"] == ""
    assert drawn[-1]["own"] == session.OWN and "secret" not in drawn[-1]


def test_a_code_in_the_address_is_followed_on_all_pages_and_said_to_be_no_wrong_setting(drawn):
    app = open_page("catalogue", follow=f" {CODE.lower()}")
    assert (drawn[-1]["role"], drawn[-1]["code"], drawn[-1]["problem"]) == ("follow", CODE, "")
    assert not app.warning and "secret" not in drawn[-1]
    app.switch_page("pages/home.py").run()
    assert drawn[-1]["role"] == "follow"


def test_a_code_that_is_none_ends_in_a_sentence(drawn):
    open_page("catalogue", follow="<b>")
    assert drawn[-1]["problem"].endswith("got <B>.")


def test_a_page_loaded_anew_leads_on_with_the_secret_that_the_browser_kept(drawn, does, monkeypatch):
    app = open_page("catalogue")
    link = f"http://school.example/catalogue?follow={CODE}"
    monkeypatch.setattr(session, "heard", lambda part, name: {"resume": {"secret": SECRET, "link": link}}.get(name))
    does.append(session._resumed)
    app.run()
    assert (drawn[-1]["role"], drawn[-1]["code"], drawn[-1]["link"]) == ("lead", CODE, link)
    assert drawn[-1]["qr"].startswith("<svg") and CODE in CLASSES
    heard = {}
    CLASSES.join(CODE, heard.update)
    app.query_params["follow"] = "ABCDEF"
    app.run()
    assert drawn[-1]["role"] == "lead", "who leads does not follow"
    does.append(session.stop)
    app.run()
    assert heard["ended"] and drawn[-1]["stopped"] == CODE and CODE not in CLASSES


@pytest.mark.parametrize(
    "sent", [None, "x", {}, {"secret": "short", "link": ""}, {"secret": SECRET}, {"secret": SECRET, "link": "x" * 501}]
)
def test_nonsense_from_a_browser_begins_no_class(sent, monkeypatch):
    monkeypatch.setattr(session.st, "session_state", {})
    monkeypatch.setattr(session, "heard", lambda part, name: {"resume": sent}.get(name))
    session._resumed()
    assert not session.leads() and CODE not in CLASSES


@pytest.fixture
def moved(does, monkeypatch):
    """Lets the browser of a session say that the teacher has moved, and runs its page."""

    def run(app, **sent):
        monkeypatch.setattr(session, "heard", lambda part, name: {"moved": sent}.get(name))
        does.append(session._moved)
        return app.run()

    return run


def test_a_page_that_follows_gets_the_teachers_settings_and_keeps_its_own(drawn, moved):
    CLASSES.open(SECRET)
    app = open_page("stability", follow=CODE, steps="20", replicates="1", lock="seed")
    CLASSES.show(CODE, TeacherView("stability", "noise=0.37&replicates=4&steps=30", 12))
    CLASSES.note(SECRET, {"stability:replicate": 3})
    moved(app, t=11)
    assert not app.exception and not app.warning
    assert app.session_state["settings:stability"]["values"]["noise"] == 0.37
    assert app.session_state["stability:replicate"] == 3
    assert {key: app.query_params[key] for key in ("noise", "t", "follow", "lock")} == {
        "noise": "0.37", "t": "11", "follow": CODE, "lock": "seed",
    }  # fmt: skip
    CLASSES.show(CODE, TeacherView("stability", "", 0))  # all at their defaults
    moved(app, t="12")
    assert app.session_state["settings:stability"]["values"]["noise"] == 0.2


def test_a_page_that_follows_goes_to_the_teachers_page(drawn, moved):
    CLASSES.open(SECRET)
    app = open_page("catalogue", follow=CODE)
    CLASSES.show(CODE, TeacherView("runs", "", 0))
    moved(app)
    assert app.title[0].value == "Kept runs"
    CLASSES.show(CODE, TeacherView("no_such_page", "", 0))
    moved(app)
    assert app.title[0].value == "Catalogue" and not app.exception, "where AppTest begins each run"


def test_who_has_left_does_not_come_back_by_the_same_address(drawn, does):
    app = open_page("catalogue", follow=CODE)
    does.append(session._left)
    app.run()
    assert drawn[-1]["role"] == ""


def test_hidden_signs_in_a_code_are_shown():
    assert visible(problem(tidied("abc\u202edef"))).endswith("got ABC\ufffdDEF.")
