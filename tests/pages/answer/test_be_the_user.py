"""The button and the panel of a lab, run by AppTest; what the browser marks is put where the panel keeps it."""

import pytest

from learners.catalogue import datasets_of, families
from pages.ui.form import settings
from pages.ui.lab.be_the_user import STEPS, _listed
from pages.ui.race.answers import ANSWERS, MOST_ANSWERS
from tests.pages.test_pages import clean, open_page, recording, stage

pytestmark = pytest.mark.long

DIGITS = {"dataset": "digits-search", "topic": "3", "user": "scan", "steps": "60", "replicates": "4"}
BANDIT = {"steps": "1000", "replicates": "2"}


@pytest.fixture
def addresses(monkeypatch):
    """The queries that were written into the address of the page, the latest last."""
    found = []
    monkeypatch.setattr(settings, "_address", lambda key, data: found.append(data["link"]))
    return found


def button(app, label):
    return next(b for b in app.button if b.label == label)


def turn(app):
    return app.session_state[f"{stage(app)}:turn"]


def begin(app):
    return clean(button(app, "Be the user").click().run())


def answer(app, marks, last=False):
    turn(app).person.marked = set(marks)
    label = next(b.label for b in app.button if b.label == "Done" or b.label.startswith("Next "))
    assert (label == "Done") == last
    return clean(button(app, label).click().run())


def test_five_lists_become_a_setting_with_which_the_run_goes_on(sent, addresses):
    app = begin(clean(open_page("stability", **DIGITS)))
    person = turn(app).person
    assert any("List 1 of 5** (step 1). You look for *digit 3*." in m.value for m in app.markdown)
    assert any("There are 4 replicates" in c.value for c in app.caption)
    assert not [b for b in app.button if b.label == "Be the user"], "the panel stands in place of button and player"
    marks = [{1, 3}, set(), {2}, {20}, {5}]
    documents = []
    for number, places in enumerate(marks, start=1):
        documents.append((number, tuple(sorted(person.items()[place - 1] for place in places))))
        answer(app, places, last=number == STEPS)
    setup = recording(app).setup
    assert setup.answers == tuple(documents) and setup.replicates == 1
    assert app.slider(key="stability:replicates").value == 1
    assert sent[-1]["t"] == 1 and sent[-1]["opened"] == 2, "the playhead stands at the first step answered"
    assert f"answers={ANSWERS.format(setup.answers)}" in addresses[-1] and "replicates=1" in addresses[-1]
    assert any("A person answered steps 1 to 5 in place of the simulated user" in c.value for c in app.caption)
    run = recording(app).simulations[1]
    assert run.at(4).response.clicks.sum() == 1

    query = dict(part.split("=") for part in addresses[-1].split("&"))
    again = clean(open_page("stability", **query))
    assert recording(again).setup == setup
    same = recording(again).simulations[1].history["average-regret"]
    assert same.tolist() == run.history["average-regret"].tolist()


def test_the_next_steps_after_the_playhead_are_asked_and_enough_is_enough(sent):
    app = clean(open_page("coactive", **DIGITS, t="17"))
    begin(app)
    assert turn(app).person.t == 18
    answer(app, {1})
    answer(app, {2})
    clean(button(app, "Stop here").click().run())
    assert [t for t, _ in recording(app).setup.answers] == [18, 19] and sent[-1]["t"] == 18
    begin(app)
    assert turn(app).person.t == 20, "what is answered is not asked again"
    clean(button(app, "Stop here").click().run())
    assert [t for t, _ in recording(app).setup.answers] == [18, 19]


@pytest.mark.parametrize("t, steps", [("60", [1, 2, 3, 4, 5]), ("57", [58, 59, 60])])
def test_at_the_end_of_a_run_there_are_fewer_steps_or_it_begins_anew(t, steps):
    app = begin(clean(open_page("stability", **DIGITS, t=t)))
    for number in range(1, len(steps) + 1):
        answer(app, {1}, last=number == len(steps))
    assert [t for t, _ in recording(app).setup.answers] == steps


def test_a_full_setup_asks_no_more():
    answers = "-".join(f"{t}.1" for t in range(1, MOST_ANSWERS + 1))
    app = clean(open_page("stability", **DIGITS, answers=answers))
    assert button(app, "Be the user").disabled


def test_a_changed_setting_ends_the_turn():
    app = begin(clean(open_page("stability", **DIGITS)))
    app.slider(key="stability:digits-search:documents").set_value(15)
    clean(app.run())
    assert button(app, "Be the user") and not recording(app).setup.answers


def test_in_the_bandit_lab_the_person_says_right_or_wrong():
    app = begin(clean(open_page("bandit", **BANDIT, t="300")))
    person = turn(app).person
    assert person.t == 301 and len(person.simulations) == 4
    assert any("Example 1 of 5** (step 301). What is this?" in m.value for m in app.markdown)
    said = []
    for number in range(1, STEPS + 1):
        labels = person.items()
        chosen = {number % len(labels) + 1}
        said.append((person.t, tuple(labels[place - 1] for place in chosen)))
        answer(app, chosen, last=number == STEPS)
    assert recording(app).setup.answers == tuple(said)


def test_in_a_comparison_the_person_answers_the_search_that_teaches():
    app = begin(clean(open_page("interleaving", **DIGITS)))
    answer(app, {1})
    clean(button(app, "Stop here").click().run())
    run = recording(app).simulations[0]
    assert run.at(1).learning.response.clicks[0].nonzero()[0].tolist() == [0]


@pytest.mark.parametrize("page, family", [("stability", "ranking"), ("bandit", "classification")])
def test_data_that_nobody_can_judge_lead_to_those_that_can(page, family):
    numbers = {"stability": {"dataset": "toy-ranking", "documents": "5"}, "bandit": {"dataset": "synsep"}}[page]
    app = clean(open_page(page, **numbers, steps="1000"))
    assert not [b for b in app.button if b.label == "Be the user"], "no button that refuses"
    assert any("nobody can judge by looking" in m.value for m in app.markdown)
    links = [link for link in app.get("page_link") if "dataset=" in link.proto.query_string]
    assert links and "documents=5" not in "".join(link.proto.query_string for link in links)
    for link in links:
        query = dict(part.split("=") for part in link.proto.query_string.split("&"))
        assert query["dataset"] in datasets_of(families()[family]) and query.get("steps", "1000") == "1000"
    first = dict(part.split("=") for part in links[0].proto.query_string.split("&"))
    other = begin(clean(open_page(page, **first)))
    assert not other.warning and turn(other).person


def test_other_labs_have_no_such_button():
    for page in ("multilabel", "refinement", "semi_supervised"):
        assert not [b for b in clean(open_page(page)).button if b.label == "Be the user"]


def test_steps_in_words():
    assert _listed(((7, ()),)) == "step 7"
    assert _listed(((1, ()), (3, ()), (4, ()), (9, ()), (1000, ()))) == "steps 1, 3 to 4, 9 and 1,000"
