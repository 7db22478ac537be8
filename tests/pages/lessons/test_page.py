"""The page of the lessons: the list, a lesson with its player, bad addresses, the hand, and the class."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.jobs.queue import QUEUE
from pages.ui.lessons import cards, page, tally
from pages.ui.lessons import shelf as shelf_of_lessons
from pages.ui.lessons.library import lessons
from pages.ui.lessons.tally import TALLY, PredictionTally
from tests.pages.test_pages import clean, open_page

pytestmark = pytest.mark.usefixtures("shelf")


@pytest.fixture
def given(monkeypatch):
    """The data that the browser was given, the latest last."""
    found = []
    monkeypatch.setattr(cards, "show", lambda key, data, **heard: found.append(data | {"heard": heard}))
    return found


@pytest.fixture(autouse=True)
def _fresh_counts(monkeypatch):
    monkeypatch.setattr(page, "TALLY", PredictionTally())


def texts(app: AppTest) -> str:
    return " ".join(e.value for kind in ("markdown", "caption", "warning", "error", "html") for e in app.get(kind))


def opened(**query: str) -> AppTest:
    return open_page("lessons", lesson="flipping", **query)


def turn(app: AppTest, given, number: int) -> AppTest:
    """Turn to a card, from 0, as the browser does."""
    app.session_state["settings:lessons"]["values"]["card"] = number + 1
    return app.run()


def test_the_list_names_every_lesson():
    app = clean(open_page("lessons"))
    assert app.title[0].value == "Lessons"
    [card] = shelf_of_lessons.content(lessons().values(), {"class": "room-12"})
    assert (card["number"], card["title"]) == (90, "A perceptron and a noisy user")
    assert "<strong>errs</strong>" in card["text"] and card["href"] == "lessons?lesson=flipping&class=room-12"


def test_a_lesson_opens_with_its_card_and_its_run(given):
    app = clean(opened())
    sent = given[-1]
    assert (sent["card"], sent["lesson"]["id"], len(sent["lesson"]["cards"])) == (0, "flipping", 5)
    run = QUEUE.get(sent["run"])
    assert run is not None and run.setup.steps == 200 and run.setup.learners[0].values["feedback"] == "swap"
    assert not app.sidebar.children, "no fields in the sidebar"
    first = sent["lesson"]["cards"][0]
    assert first["play"] == {"to": 57, "speed": "25"} and "<em>rank</em>" in first["text"] and "&amp;" in first["text"]
    assert first["href"].startswith("stability?feedback-1=swap&replicates=1")
    assert sent["tally"] is None and sent["code"] == ""
    assert [each["href"] for each in sent["lesson"]["next"]] == ["stability?noise=0.4", "coactive"]


def test_what_came_out_is_read_from_the_run_once_it_is_computed(given):
    app = clean(opened(card="2"))
    run = QUEUE.get(given[-1]["run"])
    run.wait(60)
    clean(app.run())
    assert given[-1]["card"] == 1
    assert given[-1]["truths"] == {"guess": run.simulations[0].history["flips"][199, 0]}
    assert 2 < given[-1]["truths"]["guess"] < 50


def test_a_card_has_the_fields_of_its_controls_alone(given):
    app = clean(opened(card="4"))
    assert [slider.key for slider in app.slider] == ["lessons:flipping:noise:noise"] and not app.selectbox[1:]
    assert app.slider[0].value == 0.1 and given[-1]["changed"] == []
    before = given[-1]["run"]
    app.slider[0].set_value(0.0)
    clean(app.run())
    assert given[-1]["changed"] == ["noise"] and given[-1]["run"] != before
    assert QUEUE.get(given[-1]["run"]).setup.user.values["noise"] == 0.0
    clean(turn(app, given, 1))
    assert not app.slider and QUEUE.get(given[-1]["run"]).setup.user.values["noise"] == 0.2, (
        "cards before have their own"
    )


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"lesson": "flopping"}, "There is no lesson “flopping”. All that there are stand below."),
        ({"lesson": "<b>x</b>"}, "There is no lesson “\\<b>x\\</b>”."),
        ({"lesson": "flipping", "card": "6"}, "card must be a whole number in [1, 5], got 6; the default 1 is used."),
        ({"lesson": "flipping", "card": "two"}, "card must be a whole number in [1, 5], got two"),
        ({"lesson": "flipping", "noise": "0.3"}, "'noise' is not a setting of this page."),
        ({"lesson": "flipping", "class": "a b"}, "class must be 3 to 24 letters, digits or hyphens, got a b"),
    ],
)
def test_a_bad_address_ends_in_one_sentence(given, query, words):
    app = clean(open_page("lessons", **query))
    assert len(app.warning) == 1 and words in app.warning[0].value, app.warning[0].value
    assert (app.title[0].value == "Lessons") == (query["lesson"] != "flipping")
    assert all(data["card"] == 0 for data in given)


def test_a_lesson_with_a_mistake_is_left_out_and_said(shelf):
    (shelf / "broken.toml").write_text('title = "Broken"\ncolour = "red"', encoding="utf-8")
    app = open_page("lessons")
    assert not app.exception and list(lessons()) == ["flipping"]
    assert any("In lesson broken, colour is not known" in error.value for error in app.error)


# ---- the person as the user


def test_a_person_answers_searches_and_the_learner_learns_from_these_clicks(given):
    app = clean(opened(card="5"))
    assert given[-1]["run"] is None
    hand = given[-1]["hand"]
    assert (hand["lists"], hand["of"], hand["first"], len(hand["list"])) == ([], 2, None, 20)
    assert hand["wanted"] == {"of": "topic", "what": "<em>digit 3</em>"} and hand["list"][0]["image"].startswith(
        "data:image/png"
    )
    expected = []
    for lists in ([[2, 5]], [[2, 5], [1]]):
        hand = clicked(app, given, lists)
        person = app.session_state["lessons:hand"][1]
        clicks = np.flatnonzero(person.simulation.last.response.clicks[0]) + 1
        expected.append(set(clicks.tolist()))
        assert hand["lists"] == lists and person.simulation.t == len(lists)
    assert expected == [{2, 5}, {1}] and hand["list"] is None and "chart" not in hand
    assert len(hand["first"]["before"]) == len(hand["first"]["after"]) == 20
    hand = clicked(app, given, lists, then=True)
    assert app.session_state["lessons:hand"][1].simulation.t == 52
    assert len(hand["chart"]["data"][0]["y"]) > 20 and hand["map"]["image"].startswith("data:image/png")
    before = hand["first"]
    assert clicked(app, given, lists)["first"] != before, "undone: the learner is as it was after the two searches"
    assert app.session_state["lessons:hand"][1].simulation.t == 2
    assert clicked(app, given, [])["lists"] == []
    assert clicked(app, given, [["x", 3], 7, [1], [1]])["lists"] == [[3], []], "no more than are asked, and no nonsense"


def clicked(app: AppTest, given, lists, then=False):
    """The browser sends what was clicked in each list; what it is told then."""
    app.session_state["lessons:clicked"] = "lessons:flipping:yourself", {"lists": lists, "then": then}
    clean(app.run())
    return given[-1]["hand"]


# ---- the class


def test_predictions_are_counted_once(given, monkeypatch):
    """That only those of a person who joined are sent is a test of the cards, in tests/browser."""
    clean(opened(card="3", **{"class": "room-12"}))
    assert given[-1]["tally"]["why"] == [0, 0, 0] and given[-1]["code"] == "room-12"
    lesson = lessons()["flipping"]
    monkeypatch.setattr(page.st, "session_state", {})
    for sent in ({"card": "why", "value": 1}, None, {"card": "meet", "value": 1}, {"card": "why", "value": 0}):
        monkeypatch.setattr(page, "heard", lambda key, name, sent=sent: sent)
        for code in ("", "room-12", "room-12"):
            page._answered(lesson, code)
    assert page.TALLY.counts("room-12", "flipping", "why", lesson.cards[2].ask) == [0, 1, 0]


def test_a_teacher_sees_the_counts(given):
    ask = lessons()["flipping"].cards[2].ask
    for value in (1, 1, 0):
        assert page.TALLY.add("room-12", "flipping", "why", ask, value)
    app = clean(opened(card="3", tally="true", **{"class": "room-12"}))
    assert "(3 so far)" in texts(app) and "the second" in texts(app)
    assert given[-1]["tally"]["why"] == [1, 2, 0]
    assert given[-1]["tally"]["guess"] == {"counts": [0] * tally.BINS, "low": 0.0, "high": 50.0}
    assert [button.label for button in app.get("download_button")] == ["Predictions of the class as CSV"]
    others = clean(opened(card="3", **{"class": "room-12"}))
    assert "(3 so far)" not in texts(others) and not others.get("download_button")
    assert len(TALLY) == 0
