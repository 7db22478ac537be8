"""Users who hand back an improved ranking: answers by hand, the slow reference, and chances by enumeration."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import load
from datasets.ranking import discounts
from learners import Simulation, create_user
from learners.ranking.base import Context
from learners.ranking.users.base import View
from tests.learners.dice import Dice
from tests.learners.ranking.pages import answers_on_average
from tests.learners.ranking.slow_reference import USERS, Search
from tests.learners.ranking.test_users import respond, seen


def answer(id, view, *draws, **params):
    return respond(create_user(id, **params), view, Dice(*draws)).ranking.tolist()


def slow_answer(id, view, r, noise=None, alpha=None):
    """The answer of the slow reference for replicate r."""
    there, n = np.flatnonzero(np.isfinite(view.utility[r])).tolist(), view.context.n
    search = Search(there, np.zeros((n, 1)), discounts(n), view.context.slots or n, view.grades[r], view.utility[r])
    return USERS[id](search, view.shown[r].tolist(), noise, {"alpha": alpha})


# ---- expert and strict-alpha --------------------------------------------------------------------------------


def test_expert_answers_the_best_ranking():
    """Grades 0 2 1 2 shown 3 0 1 2: by grade 3 1 2 0 (a tie in the order shown), by utility 5 7 6 −1: 1 2 0 3.
    Without the fourth document: 1 2 0 either way, and the fourth last."""
    view = seen([3, 0, 1, 2], [0, 2, 1, 2], [5, 7, 6, -1])
    assert respond(create_user("expert"), view, Dice()).ranking.tolist() == [[3, 1, 2, 0]]
    assert respond(create_user("expert", optimal="utility"), view, Dice()).ranking.tolist() == [[1, 2, 0, 3]]
    view = seen([2, 0, 1, 3], [0, 2, 1, 2], [5, 7, 6, 99], lengths=[3])
    assert respond(create_user("expert"), view, Dice()).ranking.tolist() == [[1, 2, 0, 3]]
    assert respond(create_user("expert", optimal="utility"), view, Dice()).ranking.tolist() == [[1, 2, 0, 3]]


def test_strict_alpha_by_hand():
    """Utilities 0 0 0 0 0 1 3 of d0 … d6, shown in order; γ = 1, .631, .5, .431, .387, .356, .333.

    U(y) = .356 + 3·.333 = 1.356, U(y*) = 3 + .631 = 3.631, gap 2.275. m = 5 gains nothing. m = 6 puts d5 on top: U = 1
    + 3·.333 = 2, gain .644, the share .283. m = 7 puts d6, d5 on top and gains all. So α = .28 stops at m = 6, α = .29
    and α = 1 go on to m = 7.
    """
    view = seen(np.arange(7), np.zeros(7), [0, 0, 0, 0, 0, 1, 3])
    for alpha, answer in ((0.28, [5, 0, 1, 2, 3, 4, 6]), (0.29, [6, 5, 0, 1, 2, 3, 4]), (1.0, [6, 5, 0, 1, 2, 3, 4])):
        assert respond(create_user("strict-alpha", alpha=alpha), view, Dice()).ranking.tolist() == [answer]
    both = seen([np.arange(7)] * 2, np.zeros((2, 7)), [[0, 0, 0, 0, 0, 1, 3]] * 2)
    mixed = respond(create_user("strict-alpha", alpha=[0.29, 0.28]), both, Dice())
    assert mixed.ranking.tolist() == [[6, 5, 0, 1, 2, 3, 4], [5, 0, 1, 2, 3, 4, 6]]
    assert mixed.clicks is None
    best = seen(np.arange(7), np.zeros(7), np.arange(7, 0, -1))  # nothing to improve
    assert respond(create_user("strict-alpha"), best, Dice()).ranking.tolist() == [list(range(7))]


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 14), st.booleans(), st.booleans())
def test_strict_alpha_equals_the_slow_reference(seed, n, varied, coarse):
    rng = np.random.default_rng(seed)
    replicates = 4
    lengths = rng.integers(2, n + 1, size=replicates) if varied else np.full(replicates, n)
    utility = rng.integers(-2, 3, size=(replicates, n)).astype(float) if coarse else rng.normal(size=(replicates, n))
    shown = np.tile(np.arange(n), (replicates, 1))
    for r, length in enumerate(lengths):
        rng.shuffle(shown[r, :length])
    alpha = rng.uniform(0.01, 1, size=replicates)
    alpha[0] = 1.0
    view = seen(shown, np.zeros((replicates, n)), utility, lengths if varied else None)
    answer = respond(create_user("strict-alpha", alpha=alpha), view, rng).ranking.tolist()
    assert answer == [slow_answer("strict-alpha", view, r, alpha=alpha[r]) for r in range(replicates)]


# ---- depth ----------------------------------------------------------------------------------------------


def test_depth_by_hand():
    """Shown 7 … 0 with the grades 0 1 2 3 4 0 2 1 of d0 … d7. The first six are d7 … d2 with the grades 1 2 0 4 3 2:
    the five highest by falling grade are 4 3 2 2 1 of d4 d3 d6 d2 d7 (d6 was shown above d2), then d5 d1 d0. To depth
    3: d6 (2), d7 (1), d5 (0), and the others as they are. To depth 1 nothing changes; to depth 30 all eight are looked
    at: 4 3 2 2 1 of d4 d3 d6 d2 d7, where d7 was shown above d1, which has a 1 too."""
    view = seen(np.arange(7, -1, -1), [0, 1, 2, 3, 4, 0, 2, 1])
    assert answer("depth", view, k=6) == [[4, 3, 6, 2, 7, 5, 1, 0]]
    assert answer("depth", view, k=3) == [[6, 7, 5, 4, 3, 2, 1, 0]]
    assert answer("depth", view, k=1) == [[7, 6, 5, 4, 3, 2, 1, 0]]
    assert answer("depth", view, k=30) == [[4, 3, 6, 2, 7, 5, 1, 0]]


def test_depth_of_each_replicate_and_of_short_lists():
    """Grades 0 1 2, shown in order: depth 2 gives 1 0 2, depth 3 gives 2 1 0. Of five documents two are left: those are
    put in order, d4 before d1, and the others stay behind."""
    both = seen([[0, 1, 2]] * 2, [[0, 1, 2]] * 2)
    assert answer("depth", both, k=[2, 3]) == [[1, 0, 2], [2, 1, 0]]
    view = seen([1, 4, 0, 2, 3], [9, 1, 9, 9, 2], offered=[False, True, False, False, True])
    assert answer("depth", view) == [[4, 1, 0, 2, 3]]


# ---- one item -------------------------------------------------------------------------------------------


def test_item_alpha_by_hand():
    """Utilities 0 1 2 3 4 of d0 … d4; d1 is shown, the gap to d4 is 3. α = .1 asks for 1.3 at least: d2, the least that
    is enough; α = 1/3 for 2: d2 still, which is equal; α = .34 for 2.02: d3; α = 1 for d4. The chosen one changes place
    with d1. With d4 shown nothing is better, and it is taken. Without d2 and d4, α = .1 asks for 1.2: d3."""
    view = seen([1, 0, 2, 3, 4], np.zeros(5), [0, 1, 2, 3, 4], slots=1)
    for alpha, item in (
        (0.1, [2, 0, 1, 3, 4]),
        (1 / 3, [2, 0, 1, 3, 4]),
        (0.34, [3, 0, 2, 1, 4]),
        (1.0, [4, 0, 2, 3, 1]),
    ):
        assert answer("item-alpha", view, alpha=alpha) == [item]
    view = seen([4, 0, 1, 2, 3], np.zeros(5), [0, 1, 2, 3, 4], slots=1)
    assert answer("item-alpha", view) == [[4, 0, 1, 2, 3]]
    view = seen([1, 3, 0, 4, 2], np.zeros(5), [0, 1, 2, 3, 4], slots=1, offered=[True, True, False, True, False])
    assert answer("item-alpha", view, alpha=0.1) == [[3, 1, 0, 4, 2]]
    two = seen([[0, 1, 2]] * 2, np.zeros((2, 3)), [[0, 1, 2]] * 2, slots=1)
    assert answer("item-alpha", two, alpha=[0.5, 0.6]) == [[1, 0, 2], [2, 1, 0]]
    assert create_user("item-alpha", alpha=0.25).informativeness == 0.25


def test_item_better_by_hand():
    """Grades 3 2 4 4 5, d0 is shown: the lowest grade above 3 is 4, of d2 and d3, and the noise .9 .1 chooses d3, .1 .9
    chooses d2 (less noise is nearer). With d4 shown nothing is better. Without d2 and d3 it is d4."""
    noise = [[0.5, 0.0, 0.9, 0.1, 0.0]]
    view = seen([0, 1, 2, 3, 4], [3, 2, 4, 4, 5], slots=1)
    assert answer("item-better", view, noise) == [[3, 1, 2, 0, 4]]
    assert answer("item-better", view, [[0.5, 0.0, 0.1, 0.9, 0.0]]) == [[2, 1, 0, 3, 4]]
    view = seen([4, 1, 2, 3, 0], [3, 2, 4, 4, 5], slots=1)
    assert answer("item-better", view, noise) == [[4, 1, 2, 3, 0]]
    view = seen([0, 1, 4, 2, 3], [3, 2, 4, 4, 5], slots=1, offered=[True, True, False, False, True])
    assert answer("item-better", view, noise) == [[4, 1, 0, 2, 3]]


def test_item_best_by_hand():
    """Grades 3 5 4 5: d1 or d3, whatever is shown, d1 itself too if it is shown."""
    view = seen([0, 1, 2, 3], [3, 5, 4, 5], slots=1)
    assert answer("item-best", view, [[0.0, 0.2, 0.0, 0.7]]) == [[1, 0, 2, 3]]
    assert answer("item-best", view, [[0.0, 0.8, 0.0, 0.7]]) == [[3, 1, 2, 0]]
    view = seen([1, 0, 2, 3], [3, 5, 4, 5], slots=1)
    assert answer("item-best", view, [[0.0, 0.8, 0.0, 0.7]]) == [[3, 0, 2, 1]]
    assert answer("item-best", view, [[0.0, 0.2, 0.0, 0.7]]) == [[1, 0, 2, 3]]


@pytest.mark.parametrize("id", ["item-better", "item-best"])
def test_ties_are_broken_evenly(id):
    view = seen([[0, 1, 2, 3]] * 6000, [[0, 4, 4, 4]] * 6000, slots=1)
    top = np.array(respond(create_user(id), view, np.random.default_rng(0)).ranking)[:, 0]
    assert (np.abs(np.bincount(top, minlength=4) / 6000 - [0, 1 / 3, 1 / 3, 1 / 3]) < 0.02).all()


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 9), st.booleans())
def test_items_equal_the_slow_reference(seed, n, coarse):
    rng = np.random.default_rng(seed)
    replicates = 5
    offered = rng.random((replicates, n)) < 0.7
    offered[:, rng.permutation(n)[:2]] = True
    utility = rng.integers(-2, 3, (replicates, n)).astype(float) if coarse else rng.normal(size=(replicates, n))
    grades = rng.integers(0, 4, (replicates, n)).astype(float)
    shown = np.array([[*rng.permutation(np.flatnonzero(o)), *np.flatnonzero(~o)] for o in offered])
    alpha = rng.uniform(0.01, 1, replicates)
    alpha[0] = 1.0
    view = seen(shown, grades, utility, slots=1, offered=offered)
    noise = rng.random((replicates, n))
    for id, draws, params in (
        ("item-alpha", [], {"alpha": alpha}),
        ("item-better", [noise], {}),
        ("item-best", [noise], {}),
    ):
        expected = [slow_answer(id, view, r, noise[r], alpha[r]) for r in range(replicates)]
        assert answer(id, view, *draws, **params) == expected, id


# ---- expected-alpha -------------------------------------------------------------------------------------


def total(utility, ranking, slots):
    return sum(utility[d] / np.log2(i + 2) for i, d in enumerate(ranking[:slots]))


def test_expected_alpha_by_hand():
    """One slot, utilities 0 1 2 3 4, d0 is shown, the gap is 4. The strict answer is d4, gain 4; the five numbers 0 .25
    .45 .45 .9 stand for the ranks 1 2 3 3 5, the items 0 1 2 2 4 with the mean gain 9/5. α = .5 wants 2: q = (2 − 1.8)
    / 2.2 = 1/11, and each of the five has 2/11. Below 1/11 the die gives d4, then 0, 1, 2, 2, 4 in turn. α = .4 wants
    less than the five gain: q = 0. α = 1 wants 4: q = 1."""
    view = seen([0, 1, 2, 3, 4], np.zeros(5), [0, 1, 2, 3, 4], slots=1)
    draws = np.array([[0, 0.25, 0.45, 0.45, 0.9]])
    for alpha, q in ((0.5, 1 / 11), (0.4, 0.0), (1.0, 1.0)):
        answers, chance = answers_on_average(create_user("expected-alpha", alpha=alpha), view, draws)
        assert answers[:, 0, 0].tolist() == [4, 0, 1, 2, 2, 4]
        np.testing.assert_allclose(chance, [[q, *[(1 - q) / 5] * 5]], atol=1e-12)
    for die, top in ((0.09, 4), (0.1, 0), (0.28, 1), (0.46, 2), (0.64, 2), (0.82, 4), (0.999, 4)):
        assert answer("expected-alpha", view, draws, [[die]])[0][0] == top


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 12), st.sampled_from([None, 1, 3]), st.booleans())
def test_the_expectation_is_alpha_informative(seed, n, slots, some):
    """By enumeration of the six answers: the expected gain is α of the gap exactly, or more where the five random
    objects alone gain more, or that of the strict answer where it gains no more than it must."""
    rng = np.random.default_rng(seed)
    replicates = 4
    offered = np.ones((replicates, n), dtype=bool)
    if some and n > 3:
        offered[:, rng.permutation(n)[:2]] = False
    shown = np.array([[*rng.permutation(np.flatnonzero(o)), *np.flatnonzero(~o)] for o in offered])
    utility, alpha = rng.normal(size=(replicates, n)), rng.uniform(0.05, 1, replicates)
    view = seen(shown, np.zeros((replicates, n)), utility, slots=slots, offered=offered if some else None)
    user = create_user("expected-alpha", alpha=alpha)
    draws = rng.random((replicates, 5) if slots == 1 else (replicates, 5, n))
    answers, chance = answers_on_average(user, view, draws)
    np.testing.assert_allclose(chance.sum(axis=1), 1.0)
    assert (chance >= 0).all() and np.ptp(chance[:, 1:], axis=1).max() < 1e-15
    np.testing.assert_array_equal(user.informativeness, alpha)
    for r in range(replicates):
        left = int(offered[r].sum())
        deep = min(slots or n, left)
        now = total(utility[r], shown[r], deep)
        best = total(utility[r], sorted(np.flatnonzero(offered[r]), key=lambda d, r=r: -utility[r, d]), deep)
        gains = [total(utility[r], y[r], deep) - now for y in answers]
        for y in answers:
            assert sorted(y[r]) == list(range(n)) and set(y[r, :left]) == set(np.flatnonzero(offered[r]))
        expected, wanted, random = float(np.dot(chance[r], gains)), alpha[r] * (best - now), np.mean(gains[1:])
        if gains[0] >= wanted - 1e-9:
            assert expected >= wanted - 1e-9
        if gains[0] > wanted > random:
            assert abs(expected - wanted) < 1e-9
        elif random >= wanted + 1e-9:
            assert chance[r, 0] == 0.0 or abs(random - gains[0]) < 1e-12


def test_answers_come_with_their_chances():
    """20,000 users alike: every answer as often as its chance says."""
    replicates = 20_000
    rng = np.random.default_rng(3)
    utility, keys = rng.normal(size=8), rng.random((1, 5, 8))
    many, one = (
        seen(np.tile(np.arange(8), (m, 1)), np.zeros((m, 8)), np.tile(utility, (m, 1))) for m in (replicates, 1)
    )
    user = create_user("expected-alpha", alpha=0.3)
    answers, chance = answers_on_average(user, one, keys)
    given_answers = answer(
        "expected-alpha", many, np.tile(keys, (replicates, 1, 1)), rng.random((replicates, 1)), alpha=0.3
    )
    for i in range(6):
        share = (np.array(given_answers) == answers[i, 0]).all(axis=1).mean()
        assert abs(share - chance[0, i]) < 0.015


# ---- strict-alpha with one slot, and what all this comes to ------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 12))
def test_strict_alpha_finds_the_same_answer_with_one_slot(seed, n):
    """The short way for one slot against the general one, to which the discounts 1, 0, 0, … are given."""
    rng = np.random.default_rng(seed)
    shown = rng.permuted(np.tile(np.arange(n), (5, 1)), axis=1)
    utility, alpha = rng.integers(-3, 4, (5, n)) + rng.integers(0, 2) * rng.normal(size=(5, n)), rng.uniform(0.01, 1, 5)
    one = seen(shown, np.zeros((5, n)), utility, slots=1)
    plain = View(shown, one.grades, one.utility, Context(np.zeros((5, n, 1)), np.eye(n)[0]))
    assert answer("strict-alpha", one, alpha=alpha) == answer("strict-alpha", plain, alpha=alpha)


def test_noise_in_grades_keeps_regret_up_and_expected_feedback_does_not():
    """[C] Figs. 3 and 6 on a small web search with noisy grades: to depth 10 regret levels off, to depth 25 higher
    still (measured: .36 and .42 at 2000 queries); strict feedback and feedback that is
    α-informative in expectation go on."""
    data = load("web-search", queries=500, relevance_noise=1.0)
    last = {}
    for user in (
        create_user("depth"),
        create_user("depth", k=25),
        create_user("strict-alpha"),
        create_user("expected-alpha"),
    ):
        sim = Simulation("preference-perceptron", data, user, replicates=3, seed=0)
        sim.advance(1000)
        regret = sim.history["cumulative-regret"].mean(axis=1)
        last[user.describe() or user.id] = (regret[-1] - regret[-501]) / 500
        assert (sim.history["bound"].mean(axis=1) >= sim.history["average-regret"].mean(axis=1)).all()
    ten, twenty_five, strict, expected = last.values()
    assert 0.25 < ten < 0.45 and ten < twenty_five < 0.55
    assert strict < 0.03 and expected < 0.05
