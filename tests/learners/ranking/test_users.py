"""The simulated users: clicks worked out by hand, shares of errors, and checks of every user found."""

import numpy as np
import pytest

from datasets.ranking import discounts
from learners import create_user
from learners.catalogue import user_classes
from learners.random import Stream
from learners.ranking.base import Context
from learners.ranking.users.base import View
from tests.cases import cases
from tests.learners.dice import Dice

IDS = sorted(id for id, cls in user_classes().items() if cls.family == "ranking")
GAMMA = discounts(30)
CLICK_MODELS = ("dependent-click", "dynamic-bayesian", "position-based")


class Numbered:
    """A random generator whose numbers by document are handed out for documents in another order."""

    def __init__(self, order):
        self.order, self.rng = order, np.random.default_rng(6)

    def random(self, shape):
        draw, n = self.rng.random(shape), len(self.order)
        if shape[-1] not in (n, 2 * n, 3 * n):
            return draw
        parts = [part[..., self.order] for part in np.split(draw, shape[-1] // n, axis=-1)]
        return np.concatenate(parts, axis=-1)

    standard_normal = random


def respond(user, view, dice):
    """The user's answer, with one number of the dice for each replicate."""
    return user.respond(view, Stream(dice, len(view.shown)))


def seen(shown, grades, utility=None, lengths=None, slots=None, offered=None, top_grade=4):
    """The view of a user; grades and utilities by document, one row a replicate, filled up as the simulation does.

    `offered` says which documents are left, where documents are used up.
    """
    shown, grades = np.atleast_2d(shown), np.atleast_2d(np.asarray(grades, dtype=float))
    utility = grades.copy() if utility is None else np.atleast_2d(np.asarray(utility, dtype=float))
    replicates, n = shown.shape
    gamma = np.where(np.arange(n) < (slots or n), GAMMA[:n], 0.0)
    there, left = None, {}
    if offered is not None:
        there = np.atleast_2d(offered)
        lengths = there.sum(axis=1)
        left = {"offered": there, "order": np.argsort(~there, axis=1, kind="stable")}
    elif lengths is not None:
        lengths = np.asarray(lengths)
        there = np.arange(n) < lengths[:, None]
    if there is not None:
        grades, utility = np.where(there, grades, -1.0), np.where(there, utility, -np.inf)
    return View(shown, grades, utility, Context(np.zeros((replicates, n, 1)), gamma, lengths, slots, **left), top_grade)


def clicks_of(response):
    return [np.flatnonzero(row).tolist() for row in response.clicks]


# ---- by hand ------------------------------------------------------------------------------------------


def test_cascade_clicks_the_first_that_seems_relevant():
    """Shown 2 0 1 3, only d1 is relevant, noise .2. Dice without error: rank 3 is clicked, rank 4 not looked at.
    With an error on d0 (die .1 < .2): rank 2. With one on d1: nothing seems relevant, no click."""
    user = create_user("cascade", noise=0.2)
    view = seen([2, 0, 1, 3], [0, 1, 0, 0])
    fine = [0.2, 0.5, 0.9, 0.3]  # .2 is not below .2
    answer = respond(user, view, Dice([fine]))
    assert clicks_of(answer) == [[2]] and answer.judged.tolist() == [[0, 0, 1, -1]] and answer.ranking is None
    answer = respond(user, view, Dice([[0.1, 0.5, 0.9, 0.3]]))
    assert clicks_of(answer) == [[1]] and answer.judged.tolist() == [[0, 1, -1, -1]]
    answer = respond(user, view, Dice([[0.5, 0.1, 0.9, 0.3]]))
    assert clicks_of(answer) == [[]] and answer.judged.tolist() == [[0, 0, 0, 0]]


def test_cascade_noise_and_threshold_of_each_replicate():
    """Noise 0 and 1: the first clicks d1 at rank 2, the second takes d0 for relevant. From grade 2 on, d2 only."""
    user = create_user("cascade", noise=[0.0, 1.0])
    view = seen([[0, 1, 2]] * 2, [[0, 1, 2]] * 2)
    assert clicks_of(respond(user, view, Dice(np.full((2, 3), 0.5)))) == [[1], [0]]
    user = create_user("cascade", noise=0.0, relevant_from=[1, 2])
    assert clicks_of(respond(user, view, Dice(np.full((2, 3), 0.5)))) == [[1], [2]]
    square = seen([[0, 1]] * 2, [[1, 2]] * 2)  # as many replicates as documents
    user = create_user("scan", noise=0.0, relevant_from=[1, 2])
    assert clicks_of(respond(user, square, Dice(np.full((2, 2), 0.5)))) == [[0, 1], [1]]


def test_cascade_and_scan_do_not_see_past_a_shorter_query():
    """Two documents of four, both irrelevant, every judgement wrong: what is not there is never clicked."""
    view = seen([[1, 0, 2, 3]], [[0, 1, 1, 1]], lengths=[2])
    dice = np.full((1, 4), 0.5)
    answer = respond(create_user("cascade", noise=1.0), view, Dice(dice))
    assert clicks_of(answer) == [[1]] and answer.judged.tolist() == [[0, 1, -1, -1]]
    answer = respond(create_user("scan", noise=1.0), view, Dice(dice))
    assert clicks_of(answer) == [[1]] and answer.judged.tolist() == [[0, 1, -1, -1]]
    nothing = seen([[0, 1, 2]], [[1, 1, 0]], lengths=[2])
    assert clicks_of(respond(create_user("cascade", noise=1.0), nothing, Dice(np.zeros((1, 3))))) == [[]]


def test_scan_looks_at_ten_and_clicks_five():
    """Twelve documents shown in order. All relevant: ranks 1 to 5 are clicked and the user leaves. Relevant from rank
    7 on: ranks 7 to 10. An error on d0 (die 0 < .2) adds rank 1, one on d7 takes rank 8 away."""
    user = create_user("scan", noise=0.2)
    order, fine = np.arange(12), np.full((1, 12), 0.9)
    answer = respond(user, seen(order, np.ones(12)), Dice(fine))
    assert clicks_of(answer) == [[0, 1, 2, 3, 4]] and answer.judged.tolist() == [[1] * 5 + [-1] * 7]
    late = (order >= 6).astype(float)
    answer = respond(user, seen(order, late), Dice(fine))
    assert clicks_of(answer) == [[6, 7, 8, 9]] and answer.judged.tolist() == [[0] * 6 + [1] * 4 + [-1] * 2]
    wrong = fine.copy()
    wrong[0, [0, 7]] = 0.0
    assert clicks_of(respond(user, seen(order, late), Dice(wrong))) == [[0, 6, 8, 9]]


def test_noisy_grades_clicks_the_five_that_seem_best():
    """Shown from d11 down to d0: ten are looked at, d11 … d2. Grades 0, and noise ½·i·σ for document i: with σ = 2
    d11 … d7 seem best, ranks 1 to 5. With grade 20 for d2 (rank 10) and for d1, which is not looked at: ranks 1 to 4
    and 10. σ = 0 and equal grades: the first five."""
    order, noise = np.arange(11, -1, -1), 0.5 * np.arange(12.0)[None]
    user = create_user("noisy-grades", sigma=2.0)
    answer = respond(user, seen(order, np.zeros(12)), Dice(noise))
    assert clicks_of(answer) == [[0, 1, 2, 3, 4]]
    assert answer.judged.tolist() == [[1] * 5 + [0] * 5 + [-1] * 2]
    grades = np.zeros(12)
    grades[[1, 2]] = 20
    assert clicks_of(respond(user, seen(order, grades), Dice(noise))) == [[0, 1, 2, 3, 9]]
    # one σ for each replicate: −3 (rank 1) has its noise weighed 0 or 1
    user = create_user("noisy-grades", sigma=[0.0, 1.0])
    low = np.zeros((2, 7))
    low[:, 0] = -3
    assert clicks_of(respond(user, seen([range(7)] * 2, np.zeros((2, 7))), Dice(low))) == [
        [0, 1, 2, 3, 4],
        [1, 2, 3, 4, 5],
    ]


def test_noisy_grades_of_movies_with_one_slot():
    """Documents 0 to 11 shown from the last to the first, 11 and 10 gone; grades are their numbers. Of the ten looked
    at (11 … 2, of which 11 and 10 stand last as gone) the five best are 9, 8, 7, 6, 5, at the positions they are
    shown."""
    shown = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 11, 10]
    view = seen(shown, np.arange(12), slots=1, offered=np.arange(12) < 10)
    answer = respond(create_user("noisy-grades", sigma=0.0), view, np.random.default_rng(0))
    assert np.flatnonzero(answer.clicks[0]).tolist() == [0, 1, 2, 3, 4]
    view = seen(shown[::-1], np.arange(12), slots=1, offered=np.ones(12, dtype=bool))
    answer = respond(create_user("noisy-grades", sigma=0.0), view, np.random.default_rng(0))
    assert np.array(shown[::-1])[np.flatnonzero(answer.clicks[0])].tolist() == [10, 11, 5, 6, 7]


def test_noisy_grades_of_short_queries():
    """Four documents, of which the first replicate has three: all that is there is clicked, and no more."""
    view = seen([[2, 0, 1, 3], [3, 2, 1, 0]], np.zeros((2, 4)), lengths=[3, 4])
    answer = respond(create_user("noisy-grades"), view, Dice([[0.0, 0.0, 0.0, 99.0]] * 2))
    assert clicks_of(answer) == [[0, 1, 2], [0, 1, 2, 3]] and answer.judged.tolist() == [[1, 1, 1, -1], [1, 1, 1, 1]]


def test_a_user_with_position_bias_looks_at_place_i_with_probability_one_in_i():
    """Shown 2 0 3 1, relevant d0 and d1, bias 1: the places are looked at below 1, 1/2, 1/3 and 1/4. With .49, .34
    and .2 for d0, d3 and d1, ranks 1, 2 and 4 are looked at; d0 and d1 are clicked. With an error on d2 and on d1,
    d2 and d0 are. Bias 2 asks for 1/4, 1/9 and 1/16: only rank 1 is looked at. Bias 0 looks at all four."""
    view = seen([2, 0, 3, 1], [1, 1, 0, 0])
    fine, looks = [0.9, 0.9, 0.9, 0.9], [0.49, 0.2, 0.999, 0.34]
    user = create_user("position-biased", noise=0.2)
    answer = respond(user, view, Dice([fine + looks]))
    assert clicks_of(answer) == [[1, 3]] and answer.judged.tolist() == [[0, 1, -1, 1]]
    answer = respond(user, view, Dice([[0.9, 0.1, 0.1, 0.1, *looks]]))
    assert clicks_of(answer) == [[0, 1]] and answer.judged.tolist() == [[1, 1, -1, 0]]
    answer = respond(create_user("position-biased", noise=0.2, bias=2.0), view, Dice([fine + looks]))
    assert clicks_of(answer) == [[]] and answer.judged.tolist() == [[0, -1, -1, -1]]
    answer = respond(create_user("position-biased", noise=0.2, bias=0.0), view, Dice([fine + looks]))
    assert clicks_of(answer) == [[1, 3]] and answer.judged.tolist() == [[0, 1, 0, 1]]


def test_position_bias_of_shorter_queries_and_of_each_replicate():
    """An absent document is not looked at, however likely; the bias may differ from replicate to replicate."""
    view = seen([[1, 0, 2, 3]] * 2, [[1, 1, 1, 1]] * 2, lengths=[2, 2])
    user = create_user("position-biased", noise=0.0, bias=[0.0, 4.0])
    answer = respond(user, view, Dice(np.full((2, 8), 0.5)))
    assert clicks_of(answer) == [[0, 1], [0]] and answer.judged.tolist() == [[1, 1, -1, -1], [1, -1, -1, -1]]


# ---- properties ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("id, noise", [("cascade", 0.3), ("scan", 0.1)])
def test_share_of_wrong_judgements(id, noise):
    rng, replicates = np.random.default_rng(0), 4000
    grades = rng.integers(0, 2, size=(replicates, 8))
    view = seen(np.tile(np.arange(8), (replicates, 1)), grades)
    judged = respond(create_user(id, noise=noise), view, rng).judged
    looked = judged >= 0
    assert abs((judged[looked] != grades[looked]).mean() - noise) < 0.02


@cases("bias", [0.0, 1.0, 2.0])
def test_click_rates_of_a_user_with_position_bias(bias):
    """A relevant document at place i is clicked in (1 − noise) / i^bias of all searches, others in noise / i^bias."""
    rng, replicates, noise = np.random.default_rng(1), 20_000, 0.3
    grades = np.tile([1, 0, 1, 0, 1, 0, 1, 0], (replicates, 1))
    view = seen(np.tile(np.arange(8), (replicates, 1)), grades)
    clicks = respond(create_user("position-biased", noise=noise, bias=bias), view, rng).clicks
    expected = np.where(grades[0] == 1, 1 - noise, noise) / np.arange(1.0, 9.0) ** bias
    np.testing.assert_allclose(clicks.mean(axis=0), expected, atol=0.015)


# ---- every user that is found --------------------------------------------------------------------------


@cases("id", IDS)
@cases("lengths", [None, [6, 2, 11, 12]])
def test_answers_have_the_right_form(id, lengths):
    """Clicks on what is there or a permutation; nothing handed over is changed; the same generator, the same answer;
    and as many random numbers are taken whatever is shown, so that raced learners meet the same noise."""
    rng, n = np.random.default_rng(4), 12
    shown = np.tile(np.arange(n), (4, 1))
    there = np.arange(n) < np.array([n] * 4 if lengths is None else lengths)[:, None]
    for r in range(4):
        rng.shuffle(shown[r, : there[r].sum()])
    grades, utility = rng.integers(0, 3, size=(4, n)), rng.normal(size=(4, n))
    answers, states = [], []
    for order in (shown, shown, np.tile(np.arange(n), (4, 1))):
        view = seen(order.copy(), grades, utility, lengths)
        arrays = (view.shown, view.grades, view.utility, view.context.x.dense, view.context.gamma)
        copies = [array.copy() for array in arrays]
        for array in arrays[:3]:  # compiled code reads the others as they are
            array.setflags(write=False)
        dice = np.random.default_rng(9)
        answers.append(respond(create_user(id), view, dice))
        states.append(dice.bit_generator.state)
        for array, copy in zip(arrays, copies, strict=True):
            np.testing.assert_array_equal(array, copy)
    first, second, _ = answers
    assert states[0] == states[1] == states[2]
    if user_classes()[id].gives == "clicks":
        assert first.ranking is None and first.clicks.shape == (4, n) and first.clicks.dtype == bool
        assert not (first.clicks & ~there).any()
        often = ("position-biased", *CLICK_MODELS)  # who click as often as they like
        assert id in often or first.clicks.sum(axis=1).max() <= 5
        assert set(np.unique(first.judged)) <= {-1, 0, 1} and (first.judged[~there] == -1).all()
        assert (first.judged[first.clicks] == 1).all()
        np.testing.assert_array_equal(first.clicks, second.clicks)
    else:
        assert first.clicks is None
        for r, length in enumerate(there.sum(axis=1)):
            assert sorted(first.ranking[r, :length]) == list(range(length))
            assert first.ranking[r, length:].tolist() == list(range(length, n))
        np.testing.assert_array_equal(first.ranking, second.ranking)


@cases("id", IDS)
def test_the_answer_depends_on_documents_and_not_on_their_numbers(id):
    """Documents renumbered together with what is shown: the same positions are clicked, the same ranking answered."""
    rng, n = np.random.default_rng(6), 9
    new = rng.permutation(n)  # document i becomes new[i]
    shown, grades = rng.permutation(n), rng.permutation(n).astype(float)
    back = np.argsort(new)
    first = respond(create_user(id), seen(shown, grades), Numbered(np.arange(n)))
    second = respond(create_user(id), seen(new[shown], grades[back]), Numbered(back))
    if first.clicks is not None:
        np.testing.assert_array_equal(first.clicks, second.clicks)
    else:
        np.testing.assert_array_equal(new[first.ranking], second.ranking)
