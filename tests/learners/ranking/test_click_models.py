"""The click models with chances by grade: clicks worked out by hand, chances, and the data they can judge."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import datasets
from datasets.ranking import RankingData
from learners import Simulation, create_user, sweep
from learners.ranking.users.click_tables import TABLES, chances
from tests.cases import cases
from tests.learners.dice import Dice
from tests.learners.ranking.test_users import CLICK_MODELS, clicks_of, respond, seen

BEHAVIOURS = tuple(TABLES[4])

# ---- by hand ------------------------------------------------------------------------------------------


def test_the_tables_are_those_of_the_papers():
    """Hofmann et al. 2013 and Oosterhuis & de Rijke 2018: chances of a click and of leaving, from grade 0 up."""
    assert chances("navigational", 4).tolist() == [[0.05, 0.3, 0.5, 0.7, 0.95], [0.2, 0.3, 0.5, 0.7, 0.9]]
    assert chances("informational", 4).tolist() == [[0.4, 0.6, 0.7, 0.8, 0.9], [0.1, 0.2, 0.3, 0.4, 0.5]]
    assert chances("perfect", 4).tolist() == [[0, 0.2, 0.4, 0.8, 1], [0] * 5]
    assert chances("almost random", 4).tolist() == [[0.4, 0.45, 0.5, 0.55, 0.6], [0.5] * 5]
    for behaviour in BEHAVIOURS:
        wide, narrow = chances(behaviour, 4), chances(behaviour, 2)
        assert narrow[:, [0, 1, 2]].tolist() == wide[:, [0, 2, 4]].tolist() or behaviour in ("perfect", "informational")
        assert chances(behaviour, 1)[:, :2].tolist() == narrow[:, [0, 2]].tolist()
        assert (np.diff(wide[0]) >= 0).all() and (np.diff(wide[1]) >= 0).all()
    assert chances("perfect", 2)[0, :3].tolist() == [0, 0.5, 1]
    assert chances("informational", 2)[:, :3].tolist() == [[0.4, 0.7, 0.9], [0.1, 0.3, 0.5]]


def test_dependent_clicks_by_hand():
    """Shown 2 0 1 3 with grades 4 0 1 2 of d0 … d3, navigational. By documents, the chances of a click are .95, .05,
    .3 and .5 and of leaving .9, .2, .3 and .5.

    With .4 for d2 and .94 for d0, d2 is not clicked (.4 ≥ .3) and d0 is. With .9 for leaving, d0 does not end it; with
    .89 it does. If it goes on, d1 (.04 < .05) and d3 (.5 ≥ .5 no) follow: ranks 2 and 3."""
    view = seen([2, 0, 1, 3], [4, 0, 1, 2])
    user = create_user("dependent-click")
    answer = respond(user, view, Dice([[0.94, 0.04, 0.4, 0.5, 0.9, 0.5, 0.0, 0.0]]))
    assert clicks_of(answer) == [[1, 2]] and answer.judged.tolist() == [[0, 1, 1, 0]]
    answer = respond(user, view, Dice([[0.94, 0.04, 0.4, 0.5, 0.89, 0.5, 0.0, 0.0]]))
    assert clicks_of(answer) == [[1]] and answer.judged.tolist() == [[0, 1, -1, -1]]
    short = create_user("dependent-click", depth=1)  # and who looks at one result sees no more than that
    assert respond(short, view, Dice([[0.0] * 8])).judged.tolist() == [[1, -1, -1, -1]]


def test_dynamic_bayesian_by_hand():
    """The same documents, γ = .9. Nobody leaves without a click unless the third number is .9 or more: at .9 for d2 the
    user gives up after rank 1. At .89 it goes on to d0, clicks it, is not satisfied (.9 ≥ .9), and gives up there."""
    view = seen([2, 0, 1, 3], [4, 0, 1, 2])
    user, satisfied = create_user("dynamic-bayesian"), [0.9, 0.5, 0.0, 0.0]
    answer = respond(user, view, Dice([[0.94, 0.04, 0.4, 0.5, *satisfied, 0.95, 0.0, 0.9, 0.0]]))
    assert clicks_of(answer) == [[]] and answer.judged.tolist() == [[0, -1, -1, -1]]
    answer = respond(user, view, Dice([[0.94, 0.04, 0.4, 0.5, *satisfied, 0.95, 0.0, 0.89, 0.0]]))
    assert clicks_of(answer) == [[1]] and answer.judged.tolist() == [[0, 1, -1, -1]]


def test_position_based_by_hand():
    """Shown 2 0 1 3 with grades 4 0 1 2, η = 1: the places are looked at below 1, 1/2, 1/3 and 1/4. With .49 for d0,
    .34 for d1 and .2 for d3, ranks 1, 2 and 4 are; with .2 for d2 (< .3), .95 for d0 (not < .95) and .4 for d3 (< .5),
    ranks 1 and 4 are clicked."""
    view = seen([2, 0, 1, 3], [4, 0, 1, 2])
    dice = [[0.95, 0.0, 0.2, 0.4, 0.49, 0.34, 0.99, 0.2]]
    answer = respond(create_user("position-based"), view, Dice(dice))
    assert clicks_of(answer) == [[0, 3]] and answer.judged.tolist() == [[1, 0, -1, 1]]
    answer = respond(create_user("position-based", exponent=0.0, depth=3), view, Dice(dice))
    assert clicks_of(answer) == [[0, 2]] and answer.judged.tolist() == [[1, 0, 1, -1]]


def test_attention_by_hand():
    """Grades 4 and 0 and then nothing, navigational. The first is clicked with .95 and ends it with .95 · .9 = .855, so
    the second is looked at with .145 and clicked with .145 · .05. If γ = .5, the user goes on with .145 · .5 = .0725.
    By places with η = 1: looked at with 1 and ½, clicked with .95 and .025."""
    grades = np.array([[4.0, 0.0, -1.0]])
    found = create_user("dependent-click").attention(grades, 4)
    np.testing.assert_allclose(found.looked, [[1, 0.145, 0]])
    np.testing.assert_allclose(found.clicked, [[0.95, 0.00725, 0]])
    np.testing.assert_allclose(found.ended, [[0.855, 0.145, 0]])
    found = create_user("dynamic-bayesian", continuation=0.5).attention(grades, 4)
    np.testing.assert_allclose(found.looked, [[1, 0.0725, 0]])
    np.testing.assert_allclose(found.ended, [[0.9275, 0.0725, 0]])
    found = create_user("position-based").attention(grades, 4)
    np.testing.assert_allclose(found.looked, [[1, 0.5, 0]])
    np.testing.assert_allclose(found.clicked, [[0.95, 0.025, 0]])
    assert found.ended is None
    assert create_user("noisy-grades").attention(grades, 4) is None


# ---- properties ---------------------------------------------------------------------------------------


@cases("top", [1, 2, 4])
@cases(
    "id, behaviour", [*product(CLICK_MODELS, BEHAVIOURS), ("cascade", None), ("scan", None), ("position-biased", None)]
)
def test_attention_is_how_often_a_user_looks_and_clicks(id, behaviour, top):
    """Measured in 20,000 searches, each chance within four standard errors, .5 / √20,000 at most."""
    replicates, n = 20_000, 13
    user = create_user(id, **({"behaviour": behaviour} if behaviour else {}))
    grades = np.random.default_rng(top).integers(0, top + 1, n)
    view = seen(np.tile(np.arange(n), (replicates, 1)), np.tile(grades, (replicates, 1)), top_grade=top)
    answer = respond(user, view, np.random.default_rng(1))
    found = user.attention(grades[None].astype(float), top)
    close = 4 * 0.5 / np.sqrt(replicates)
    np.testing.assert_allclose((answer.judged >= 0).mean(axis=0), found.looked[0], atol=close)
    np.testing.assert_allclose(answer.clicks.mean(axis=0), found.clicked[0], atol=close)
    if found.ended is not None:
        last = n - 1 - (answer.judged[:, ::-1] >= 0).argmax(axis=1)
        np.testing.assert_allclose(np.bincount(last, minlength=n) / replicates, found.ended[0], atol=close)


amounts = st.floats(0, 1, allow_subnormal=False).map(lambda x: x if x >= 1e-9 else 0.0)


@settings(max_examples=60, deadline=None)
@given(
    id=st.sampled_from([*CLICK_MODELS, "cascade", "scan", "position-biased"]), behaviour=st.sampled_from(BEHAVIOURS),
    depth=st.integers(1, 30), share=amounts, lengths=st.lists(st.integers(1, 12), min_size=1, max_size=4),
    seed=st.integers(0, 99),
)  # fmt: skip
def test_attention_is_a_chance(id, behaviour, depth, share, lengths, seed):
    """Chances lie between 0 and 1, nobody clicks what it does not look at, those who go down end somewhere, and what is
    looked at never becomes more likely further down."""
    own = {"dynamic-bayesian": "continuation", "position-based": "exponent", "position-biased": "bias"}
    given = {own[id]: share} if id in own else {}
    given |= {"behaviour": behaviour, "depth": depth} if id in CLICK_MODELS else {"noise": share}
    grades = np.random.default_rng(seed).integers(0, 5, (len(lengths), 12)).astype(float)
    grades[np.arange(12) >= np.array(lengths)[:, None]] = -1
    found = create_user(id, **given).attention(grades, 4)
    assert (found.clicked >= 0).all() and (found.clicked <= found.looked).all() and (found.looked <= 1).all()
    assert (np.diff(found.looked, axis=1) <= 1e-12).all() and (found.looked[grades < 0] == 0).all()
    assert (found.looked[:, 0] == 1).all()
    if found.ended is not None:
        assert (found.ended >= -1e-12).all()
        np.testing.assert_allclose(found.ended.sum(axis=1), 1.0)


@settings(max_examples=40, deadline=None)
@given(behaviour=st.sampled_from(BEHAVIOURS), top=st.sampled_from([1, 2, 4]), seed=st.integers(0, 999))
def test_without_giving_up_the_bayesian_network_is_the_dependent_click_model(behaviour, top, seed):
    rng, n = np.random.default_rng(seed), 15
    shown = np.stack([rng.permutation(n) for _ in range(5)])
    view = seen(shown, rng.integers(0, top + 1, (5, n)), top_grade=top)
    draws = rng.random((5, 3 * n))
    patient = respond(create_user("dynamic-bayesian", behaviour=behaviour, continuation=1.0), view, Dice(draws))
    dependent = respond(create_user("dependent-click", behaviour=behaviour), view, Dice(draws[:, : 2 * n].copy()))
    np.testing.assert_array_equal(patient.clicks, dependent.clicks)
    np.testing.assert_array_equal(patient.judged, dependent.judged)


def test_each_replicate_may_have_its_own_numbers():
    grades = np.tile([4.0, 0.0, 4.0], (2, 1))
    found = create_user("position-based", exponent=[0.0, 2.0], depth=[3, 2]).attention(grades, 4)
    np.testing.assert_allclose(found.looked, [[1, 1, 1], [1, 0.25, 0]])
    view = seen([[0, 1, 2]] * 2, grades)
    answer = respond(create_user("position-based", exponent=[0.0, 2.0], depth=[3, 2]), view, Dice(np.full((2, 6), 0.2)))
    assert answer.judged.tolist() == [[1, 0, 1], [1, 0, -1]]
    found = create_user("dynamic-bayesian", continuation=[0.0, 1.0]).attention(grades, 4)
    np.testing.assert_allclose(found.looked[:, 1], [0, 0.145])


# ---- which data they can judge ------------------------------------------------------------------------


def small(top, grades=(0, 1, 1, 0)):
    grades = np.array([grades], dtype=float)
    return RankingData("small", {}, np.eye(4)[:, :2] + 0.5, np.array([0, 2, 4]), grades, top_grade=top)


@cases("id, top", [*product(CLICK_MODELS, [None, 3, 5])])
def test_data_without_a_scale_that_has_a_table_are_refused_in_a_sentence(id, top):
    """Although the grades that occur are 0 and 1, nobody guesses the scale."""
    with pytest.raises(ValueError, match=f"^{id} clicks by tables for relevance grades from 0 to 1, 2 or 4, and small"):
        Simulation("preference-perceptron", small(top), id)
    with pytest.raises(ValueError, match="clicks by tables"):
        sweep({"learner": "preference-perceptron", "dataset": small(top), "user": id}, {"depth": [1, 2]}, steps=20)


def test_movies_are_refused():
    movies = datasets.load("movies", users=20, movies=30, ratings=20, features=2)
    with pytest.raises(ValueError, match="movies declares no such scale; choose another user or other data"):
        Simulation("preference-perceptron", movies, "dependent-click")


def test_the_scale_that_is_declared_decides():
    """The grades 0 and 1 are the ends of the scale to 1, and the lower half of the scale to 2: with a perfect user and
    a number of .7, grade 1 is clicked on the first alone."""
    for top, expected in ((1, [[0]]), (2, [[]]), (4, [[]])):
        view = seen([0, 1], [1, 0], top_grade=top)
        user = create_user("dependent-click", behaviour="perfect")
        assert clicks_of(respond(user, view, Dice(np.full((1, 4), 0.7)))) == expected


def test_grades_off_the_declared_scale_are_refused():
    with pytest.raises(ValueError, match="whole numbers from 0 to 1, got 2"):
        small(1, (0, 1, 2, 0))
    with pytest.raises(ValueError, match=r"whole numbers from 0 to 4, got 0\.5"):
        small(4, (0, 0.5, 2, 0))
    with pytest.raises(ValueError, match="top_grade must be a whole number of at least 1"):
        small(0)


@pytest.mark.parametrize(
    "id, top", [("toy-ranking", 1), ("digits-search", 1), ("news-topics", 1), ("web-search", 4), ("function-search", 4)]
)
def test_what_the_data_sets_declare(id, top):
    declared = {"queries": 100} if id != "toy-ranking" else {}
    assert datasets.load(id, **declared).top_grade == top
