"""The answers of a person, as a setting: its text, the labs that have it, and where it is told."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import datasets
from datasets.spec import Spec
from learners import Simulation
from learners.catalogue import families
from learners.run.watch import Watch
from learners.run.what_if import questions
from learners.spec import RunSpec
from pages.ui.draw.charts import Look
from pages.ui.families.classification.inspector import ClassificationInspector
from pages.ui.families.classification.scene import AnswerScene
from pages.ui.families.ranking.comparison_inspector import ComparisonInspector
from pages.ui.families.ranking.inspector import RankingInspector
from pages.ui.form.form import Form
from pages.ui.form.links import read_link
from pages.ui.kept import differences as differing
from pages.ui.kept import run as kept
from pages.ui.play import payload
from pages.ui.play.recording import Recording
from pages.ui.race import limits
from pages.ui.race.answers import ANSWERS, LAST_ITEM, LAST_STEP, MOST_ANSWERS
from tests.pages.modes import SHOWN
from tests.pages.test_pages import clean, open_page
from tests.pages.test_why import check

NUMBERS = st.lists(st.integers(0, LAST_ITEM - 1), max_size=6)
ANSWERED = st.dictionaries(st.integers(1, LAST_STEP), NUMBERS, max_size=MOST_ANSWERS)


# ---- the text


@given(ANSWERED)
def test_every_answer_has_one_text_from_which_it_comes_back(answers):
    value = ANSWERS.check(answers)
    assert [t for t, _ in value] == sorted(answers) and dict(value) == {
        t: tuple(sorted(set(items))) for t, items in answers.items()
    }
    text = ANSWERS.format(value)
    assert ANSWERS.parse(text) == value and ANSWERS.format(ANSWERS.parse(text)) == text
    assert not answers or re.fullmatch(r"[0-9.-]+", text)  # it needs no escapes in a link


@given(st.text(alphabet="0123456789.-, x", max_size=12))
def test_any_other_text_is_refused_with_a_sentence(text):
    try:
        value = ANSWERS.parse(text)
    except ValueError as error:
        assert str(error).startswith("answers must be ") and len(str(error)) < 300
    else:
        assert ANSWERS.parse(ANSWERS.format(value)) == value


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1.3.7-", "answers must be steps with the numbers chosen in them, such as 1.3.7-2 .*, got 1.3.7-"),
        ("0.3", "got 0.3"),
        ("1.0", "got 1.0"),
        ("01.2", "got 01.2"),
        ("1,3", "got 1,3"),
        ("<b>", "got <b>"),
        ("１.２", "got １.２"),
        ("1.2-1.3", "answers must be to different steps, got step 1 twice"),
        ("100001.1", "answers must be to steps from 1 to 100,000, got step 100,001"),
        ("1.1000001", r"answers must be numbers from 1 to 1,000,000, got 1,000,001 in step 1"),
        ("-".join(map(str, range(1, 52))), "answers must be to at most 50 steps, got 51"),
        ("9" * 4000, "answers must be steps"),
    ],
)
def test_what_is_wrong_with_a_text_is_said(text, sentence):
    with pytest.raises(ValueError, match=sentence):
        ANSWERS.parse(text)


@pytest.mark.parametrize("value", [3, {1: 2}, [(1, ("a",))], {True: (1,)}, [(1,)], {1: (0.5,)}])
def test_what_is_no_answer_is_refused(value):
    with pytest.raises(ValueError, match="answers must be"):
        ANSWERS.check(value)


# ---- the labs


@pytest.mark.parametrize("name", SHOWN)
def test_labs_whose_learners_can_be_answered_have_the_setting(name):
    lab = SHOWN[name]
    values, problems = read_link({"answers": "1.2-3"}, lab.ask)
    if lab.declaration.answerable:
        setup = lab.ask_run(Form({"answers": "1.2-3"}))
        assert not problems and values == {"answers": ((1, (1,)), (3, ()))} and setup.answers == values["answers"]
        found = kept.kept_of({"answers": "1.2-3", "seed": "4"}, lab.ask_run)
        assert dict(found.link)["answers"] == "1.2-3" and found.spec.answers == setup.answers
        assert kept.read(found.text, lab.ask_run) == ([found], [])
        reader = Form({})
        lab.ask_run(reader)
        assert kept.titles_of(reader.asked)["answers"] == ("Answers", "none")  # for the list of kept runs
        wrong = read_link({"answers": "1."}, lab.ask)[1]
        assert len(wrong) == 1 and wrong[0].endswith("the default none is used.")
    else:
        assert problems == ["'answers' is not a setting of this page."]


def setup_of(learners, dataset, user, answers, steps=60, replicates=2, comparison=None):
    return RunSpec(
        tuple(map(Spec, learners)), Spec(*dataset), user and Spec(user), replicates, steps, 1, comparison, answers
    )


DIGITS = ("digits-search", (("topic", "3"), ("documents", 10)))
RANKED = setup_of(("preference-perceptron", "perturbed-perceptron"), DIGITS, "scan", ((5, (1, 2)), (6, ()), (40, (0,))))
PLAYED = setup_of(("perceptron", "banditron"), ("digits",), None, ((5, (3,)), (6, ()), (40, (0, 1))))


def recorded(setup):
    data = datasets.load(setup.dataset.id, **setup.dataset.values)
    recording = Recording("test", setup, data)
    recording.advance(1e9)
    return recording


@pytest.mark.parametrize("setup", [RANKED, PLAYED], ids=["ranking", "labels"])
def test_every_learner_of_a_race_gets_the_answers_and_the_timeline_marks_them(setup):
    recording = recorded(setup)
    assert all(simulation.answers == dict(setup.answers) for simulation in recording.simulations)
    for replicate in (0, 1):
        events = payload.events(recording.moment(), replicate)
        marked = [(event["t"], event["slot"]) for event in events["list"] if event["kind"] == "answered"]
        assert marked == ([(t, 0) for t in (5, 6, 40)] if replicate == 0 else [])
        kind = [kind for kind in events["kinds"] if kind["id"] == "answered"]
        assert len(kind) == (replicate == 0)
        if kind:
            assert kind[0]["title"] == "A person answered" and kind[0]["sign"] == "person" and kind[0]["of"] == 3
    simulation = recording.at(0, 40)
    assert simulation.t == 40 and simulation.answers == dict(setup.answers)


def test_another_recording_does_not_lend_its_learners():
    plain = recorded(replace(RANKED, answers=()))
    like = Recording("other", RANKED, plain.data, {}, plain)
    assert not set(map(id, like.simulations)) & set(map(id, plain.simulations))


def test_differences_say_how_many_steps_were_answered():
    def words(then, now):
        found = differing.differences(replace(RANKED, answers=then), replace(RANKED, answers=now))
        return [difference.words for difference in found]

    one, two = ((1, (2,)),), ((1, (2,)), (2, ()))
    assert words((), two) == ["answered by hand: 0 steps → 2 steps"]
    assert words(two, one) == ["answered by hand: 2 steps → 1 step"]
    assert words(one, ((1, (3,)),)) == ["answered by hand: 1 step → 1 step otherwise"]
    assert words(one, one) == []


def test_answers_that_belong_to_other_data_are_refused_with_a_sentence():
    data = datasets.load("digits-search", topic="3", documents=10)
    limits.check_step(RANKED, data)
    with pytest.raises(ValueError, match="Step 2 was answered by hand with number 11, but has only 10 documents"):
        limits.check_step(replace(RANKED, answers=((1, (9,)), (2, (0, 10)))), data)
    with pytest.raises(ValueError, match="but has only 10 labels"):
        limits.check_step(replace(PLAYED, answers=((1, (10,)),)), datasets.load("digits"))


# ---- what is told of a step


def account(inspector, setup, slot, t, replicate=0):
    data = datasets.load(setup.dataset.id, **setup.dataset.values)
    simulation = setup.simulation(slot, data)
    simulation.advance(steps=t)
    return inspector(simulation, replicate, Look())


@pytest.mark.long
@pytest.mark.parametrize("slot", [0, 1])
@pytest.mark.parametrize("t", [5, 6, 40])
@pytest.mark.parametrize(("setup", "inspector"), [(RANKED, RankingInspector), (PLAYED, ClassificationInspector)])
def test_the_inspector_says_first_that_a_person_answered(setup, inspector, t, slot):
    told = account(inspector, setup, slot, t)
    assert told.why().startswith("A person answered this step. ") and "The user" not in told.why()
    check(told.why().removeprefix("A person answered this step. "))
    assert "A person answered this step." in told.html()
    for other in (account(inspector, setup, slot, t, replicate=1), account(inspector, setup, slot, 7)):
        assert "You " not in other.why() and "You " not in other.html()


def test_what_a_person_told_a_learner_is_told_with_the_truth():
    perceptron, banditron = (account(ClassificationInspector, PLAYED, slot, 5) for slot in (0, 1))
    truth = f"“{perceptron.names[perceptron.truth]}”"
    assert perceptron.truth != 3
    assert f"The person told it that this is “3”, though the true class is {truth}." in perceptron.why()
    assert banditron.labels[0] != 3 and not banditron.heard
    assert "The person called that wrong, as it is." in banditron.why()
    none = account(ClassificationInspector, PLAYED, 0, 6)
    assert f"The person named no single class, so it is told the true one, “{none.names[none.truth]}”." in none.why()
    right = replace(PLAYED, answers=((5, tuple(range(10))),))
    assert f"The person called that right, though the true class is {truth}." in account(
        ClassificationInspector, right, 1, 5).why()  # fmt: skip
    several = replace(right, learners=(Spec("banditron-labels"),), answers=((5, tuple(range(10))), (6, ())))
    all = account(ClassificationInspector, several, 0, 5)
    first, second = (f"“{all.names[k]}”" for k in all.labels)
    assert f"The person called {first} and {second} right; the true class is {truth}." in all.why()
    assert (
        "The person called none of them right; the true class is"
        in account(ClassificationInspector, several, 0, 6).why()
    )


def test_a_comparison_tells_of_the_search_that_taught():
    setup = setup_of(("preference-perceptron",), ("web-search",), "scan", ((5, (1, 2)),), comparison=(("sample", 2),))
    told = account(ComparisonInspector, setup, 0, 5).html()
    assert "One search taught the learner.</b> A person answered this step." in told


@pytest.mark.parametrize("id", ["perceptron", "banditron", "banditron-labels"])
def test_the_scene_shows_what_was_heard(id):
    data = datasets.load("digits")
    answers = {t: (t % 10,) for t in range(1, 41, 2)}
    simulation = Simulation(id, data, replicates=2, seed=1, answers=answers)
    simulation.advance(steps=60)
    columns = AnswerScene().columns(Watch(simulation, 0).advance(60), data)
    heard = [bool(np.any(simulation.at(t).heard.right[0])) for t in range(1, 61)]
    assert columns["heard"].astype(bool).tolist() == heard
    told = [simulation.at(t).heard.label for t in range(1, 61)]
    assert columns["told"].tolist() == [-1 if label is None else label[0] for label in told]
    assert (columns["told"] != columns["truth"]).any()


def test_what_if_works_on_an_answered_step():
    data = datasets.load("digits-search", topic="3", documents=10)
    simulation = RANKED.simulation(0, data)
    simulation.advance(steps=60)
    asked = questions(simulation, 5, 0)
    assert {"no-click-all"} <= {question.id for question in asked}
    question = next(question for question in asked if question.id == "no-click-all")
    fork = simulation.fork(at=5, change=question.change)
    fork.advance(steps=56)
    assert not fork.at(5).response.clicks[0].any() and fork.answers == simulation.answers
    assert not fork.at(6).response.clicks[0].any()  # the person still answers what comes later


# ---- the page


@pytest.mark.parametrize(
    ("page", "query", "words"),
    [
        ("stability", {"dataset": "digits-search", "answers": "1.2.3-2"}, "2 queries"),
        ("bandit", {"answers": "3.1"}, "1 example"),
    ],
)
def test_the_settings_say_so_and_forget(page, query, words):
    at = clean(open_page(page, **query, steps="100", replicates="1"))
    said = [caption.value for caption in at.caption if ":material/person: A person answered" in caption.value]
    assert said == [f":material/person: A person answered {words}."]
    next(button for button in at.button if button.label == "Forget").click()
    at.run()
    assert not [caption for caption in at.caption if ":material/person: A person answered" in caption.value]


@pytest.mark.parametrize(("key", "drawn", "disabled"), [("lock", 1, True), ("hide", 0, None)])
@pytest.mark.parametrize("named", ["answers", "run", "all"])
def test_a_link_can_lock_and_hide_the_line(key, drawn, disabled, named):
    at = open_page("bandit", answers="3.1", steps="10", replicates="1", **{key: named})
    assert not at.exception and not at.warning
    buttons = [button for button in at.button if button.label == "Forget"]
    assert [button.disabled for button in buttons] == [disabled] * drawn
    assert at.session_state["settings:bandit"]["values"]["answers"] == ((3, (0,)),)


def test_an_answer_that_is_not_there_ends_in_a_sentence_and_can_be_forgotten():
    at = open_page("stability", dataset="digits-search", answers="1.500", replicates="1", steps="10")
    assert len(at.error) == 1 and "Step 1 was answered by hand with number 500" in at.error[0].value
    next(button for button in at.button if button.label == "Forget").click()
    at.run()
    assert not at.error and not at.exception


def test_families_say_what_can_be_answered():
    answerable = {id: family.answerable for id, family in families().items() if family.answerable}
    assert answerable == {"ranking": "documents", "classification": "labels"}
