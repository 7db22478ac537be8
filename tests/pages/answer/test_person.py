"""A person in place of the simulated user: what is shown, what the answers teach, and the run that has them."""

import dataclasses

import numpy as np
import pytest

import datasets
from datasets import load
from datasets.spec import Spec
from learners.catalogue import datasets_of, families
from learners.spec import RunSpec
from pages.ui.answer.panel import can_judge, wanted
from pages.ui.answer.person import CHOICES, Clicker, Guesses
from pages.ui.lab.be_the_user import _there

pytestmark = pytest.mark.long

DIGITS = Spec("digits-search", (("documents", 12), ("topic", "3")))
LEARNERS = (
    Spec("preference-perceptron", (("feedback", "swap"),)),
    Spec("perturbed-perceptron", (("swap_probability", 0.5),)),
)
LISTS = RunSpec(LEARNERS, DIGITS, Spec("scan", (("noise", 0.2),)), 7, 500, 3)
GUESSERS = (Spec("perceptron"), Spec("banditron", (("gamma", 0.3),)), Spec("exponentiated-gradient"))
CLASSES = RunSpec(GUESSERS, Spec("digits"), None, 4, 1000, 5)
DATA = {choice: load(choice.id, **choice.values) for choice in (DIGITS, CLASSES.dataset)}


def searches(setup=LISTS, learner=0, t=1):
    return Clicker(setup, [setup.learners[learner]], DATA[setup.dataset], t)


def whole(setup, person, steps):
    """The runs of the setup in one replicate, with what the person has answered, made without the person."""
    answers = tuple(sorted((dict(setup.answers) | person.answers).items()))
    setup = dataclasses.replace(setup, replicates=1, answers=answers)
    runs = setup.simulations(person.data)
    for run in runs:
        run.advance(steps=steps)
    return runs


# ---- documents


def test_who_compares_sees_the_two_on_top_and_the_learner_learns_which_is_better():
    """A dueling learner of w. The preferred document gains on the other; both or neither teaches what neither does."""
    learner = Spec("feel-good-thompson")
    setup = dataclasses.replace(LISTS, learners=(learner,), user=Spec("bradley-terry"))
    person = searches(setup)
    assert person.compares and not searches().compares
    assert [len(person.items()), len(person.shown())] == [2, 2]
    pair = person.items()
    for marks in ({2}, {1, 2}, set(), {1}):
        step, items = person.t, person.items()
        person.choose(marks)
        alone = {1, 2} if len(marks) == 1 else set()
        assert person.answers[step] == tuple(sorted(items[place - 1] for place in marks & alone))
    assert person.answers[1] == (pair[1],)
    (run,) = whole(setup, person, 4)
    np.testing.assert_array_equal(run.history["average-regret"], person.simulations[0].history["average-regret"])
    ends = []
    for marks in ({1}, {2}, {1}):
        other = searches(setup)
        for _ in range(3):
            other.choose(marks)
        other.go_on(20)
        ends.append(other.simulations[0].history["average-regret"].tolist())
    assert ends[0] == ends[2] != ends[1]


def test_who_compares_two_lists_clicks_what_the_better_one_put_on_top():
    """The dueling bandit moves if the list of the weights it tries is called better, and not for both or neither."""
    setup = dataclasses.replace(LISTS, learners=(Spec("dueling-bandit"),), user=Spec("cascade"))
    person, moves = searches(setup), []
    assert person.compares and not searches().lists()
    for marks in ({1}, {2}, {1, 2}, set(), {1}, {2}):
        duel, step, items, w = person.duel, person.t, person.items(), person.simulations[0].learner.w
        both = (duel.first[0], duel.second[0]) if duel.teams[0, 0] else (duel.second[0], duel.first[0])
        assert items[0] == both[0][0] and items[1] in both[1][:2]
        for rows, ranking in zip(person.lists(), both, strict=True):
            np.testing.assert_array_equal(rows, person.steps[0].documents[0][ranking[:CHOICES]])
        person.choose(marks)
        assert person.answers[step] == tuple(items[mark - 1] for mark in marks if len(marks) == 1)
        tried = len(marks) == 1 and duel.teams[0, 0] != (marks == {1})
        assert (person.simulations[0].learner.w != w).any() == tried
        moves.append(tried)
    assert True in moves and False in moves[:2] + moves[4:]
    (run,) = whole(setup, person, 6)
    np.testing.assert_array_equal(run.history["average-regret"], person.simulations[0].history["average-regret"])
    assert searches(dataclasses.replace(setup, user=Spec("strict-alpha"))).duel is None


@pytest.mark.parametrize("learner", [0, 1])
def test_each_list_is_that_which_the_learner_shows_in_the_run_with_the_answers(learner):
    person, lists = searches(learner=learner, t=31), []
    for marks in ({1}, {3, 7}, set(), {12}):
        lists.append((person.t, person.shown().tolist(), marks))
        person.choose(marks)
    run = whole(LISTS, person, 40)[learner]
    assert [t for t, *_ in lists] == [31, 32, 33, 34] == list(person.answers)
    for t, rows, marks in lists:
        step = run.at(t)
        assert step.documents[0][step.shown.ranking[0]].tolist() == rows
        assert set((np.flatnonzero(step.response.clicks[0]) + 1).tolist()) == marks


def test_the_clicks_teach_and_another_answer_teaches_something_else():
    kept, other = searches(), searches()
    first = kept.shown().tolist()
    assert other.shown().tolist() == first
    kept.choose({5})
    other.choose({9})
    assert kept.shown().tolist() != other.shown().tolist()
    w = kept.simulations[0].learner.weights[0]
    data, rows = kept.data, np.array(first)
    moved = rows.copy()
    moved[[0, 4]] = rows[[4, 0]]
    np.testing.assert_allclose(w, data.gamma[:12] @ (data.features[moved] - data.features[rows]), atol=1e-6)


def test_steps_that_are_answered_are_not_asked_again():
    before = ((2, (4,)), (3, ()))
    person = searches(dataclasses.replace(LISTS, answers=before))
    person.choose({1})
    assert person.t == 4
    person.choose({2})
    assert list(person.answers) == [1, 4]
    run = person.simulations[0]
    assert run.answers == dict(before) | person.answers
    again = whole(dataclasses.replace(LISTS, answers=before), person, 60)[0]
    run.advance(steps=60 - run.t)
    np.testing.assert_array_equal(run.history["average-regret"], again.history["average-regret"])


def test_what_stands_at_no_place_is_no_answer():
    person = searches()
    person.choose({0, 13, 99, -1})
    assert person.answers == {1: ()} and not person.simulations[0].last.response.clicks.any()


def test_where_one_movie_is_recommended_a_person_sees_it_alone_or_with_others_to_have_instead():
    movies = Spec("movies", (("users", 60), ("movies", 80), ("ratings", 30), ("features", 5)))
    data = load(movies.id, **movies.values)
    for user, shown in (("cascade", 1), ("item-better", CHOICES)):
        person = Clicker(RunSpec(LEARNERS, movies, Spec(user), 3, 100, 0), LEARNERS[:1], data)
        assert len(person.items()) == len(person.shown()) == shown
        assert wanted(person) == f"You stand in for *{data.task_names[0]}*."
        item = person.items()[-1]
        before = person.items()[0]
        person.choose({shown})
        step = person.simulations[0].last
        if user == "item-better":
            assert step.response.ranking[0, 0] == item
            assert not set(person.items()) & {item, before}, "both are used up"
            assert np.abs(person.simulations[0].learner.weights).sum() > 0
        else:
            assert step.response.clicks[0, 0]


# ---- labels


def test_every_label_that_a_learner_plays_is_asked_once_with_all_who_play_it():
    person = Guesses(CLASSES, CLASSES.learners, DATA[CLASSES.dataset], 300)
    asked = []
    for _ in range(6):
        played = person.played()
        assert sorted(n for numbers in played.values() for n in numbers) == [0, 1, 2] and person.items() == list(played)
        asked.append((person.t, person.row, played))
        person.choose({1})
    assert max(len(played) for *_, played in asked) > 1
    runs = whole(CLASSES, person, 310)
    for t, row, played in asked:
        for number, run in enumerate(runs):
            step = run.at(t)
            assert step.row[0] == row and number in played[int(step.shown.label[0])]


def test_learners_hear_what_the_person_says_and_not_the_truth():
    """A learner that plays the label which the person calls right moves towards it, though it is wrong."""
    data = DATA[CLASSES.dataset]
    person = Guesses(CLASSES, CLASSES.learners[1:2], data, 1)
    (label,) = person.items()
    truth = int(data.labels[person.row])
    assert label != truth, "the test needs a step in which the label played is wrong"
    twin = Guesses(CLASSES, CLASSES.learners[1:2], data, 1)
    person.choose({1})
    twin.choose(set())
    w, v = (p.simulations[0].learner.weights[0] for p in (person, twin))
    x = data.features[person.simulations[0].last.row[0]]
    assert (w @ x)[label] > 0 and (w @ x).argmax() == label
    assert (v @ x)[label] <= 0


# ---- which data can be judged


@pytest.mark.parametrize("family, what", [("ranking", "documents"), ("classification", "labels")])
def test_data_sets_say_truly_whether_a_person_can_judge_them(family, what):
    found = {}
    for id in datasets_of(families()[family]):
        kind = datasets.classes()[id]
        if _there(kind) and id != "synsep" and id != "synnonsep":
            found[id] = can_judge(kind().build(), what)
            assert found[id] == bool(kind.judged_by), id
    assert any(found.values())
    small = load("synsep", examples=200)
    assert not can_judge(small, "labels") and not datasets.classes()["synsep"].judged_by
