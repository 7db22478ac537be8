"""PDGD, pairwise ε-greedy and TD-MGD: updates by hand, properties, and what is known of their behaviour."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets import load
from learners import Simulation, create, create_user
from learners.base import Shape
from learners.ranking.base import Context, Feedback, Shown
from learners.ranking.from_clicks.multileave_descent import Multileaved, MultileaveDescent
from learners.ranking.from_clicks.pairwise_differentiable import PairwiseDifferentiable
from learners.ranking.from_clicks.pairwise_greedy import PairwiseGreedy
from tests.cases import cases

IDS = ("pairwise-differentiable", "pairwise-greedy", "multileave-descent")
WEB = load("web-search", queries=50)
EYE = np.eye(3)[None]  # three documents, each with a feature of its own


def taught(learner, shown, clicks, w=(0.0, 0.0, 0.0), x=EYE, slots=None, on_page=None):
    """The weights after one step in which this list was shown and these places were clicked."""
    learner.reset(Shape(x.shape[2], x.shape[1]), 1, np.random.default_rng(0))
    learner.w = np.array([w])
    page = None if on_page is None else np.array([on_page])
    context = Context(x, np.ones(x.shape[1]), slots=slots, on_page=page)
    scores = context.scores(learner.w)
    list_shown = Shown(np.array([shown]), context.rank(scores), scores)
    pressed = np.isin(np.arange(x.shape[1]), clicks)[None]
    learner.update(context, list_shown, Feedback(clicks=pressed))
    return learner.w[0]


# ---- PDGD ----------------------------------------------------------------------------------------------


def test_pdgd_with_weights_of_0_by_hand():
    """All lists are equally likely, so ρ = 1/2, and each pair pulls by 1/2 · 1/4 = 1/8.

    Shown are documents 2, 0, 1, and 0, at place 2, is clicked. Place 3, just below, counts as seen. So 0 is preferred
    to 2 and to 1: w₀ = 2/8 η, w₁ = w₂ = −1/8 η, with η = 0.4: 0.1, −0.05, −0.05.
    """
    assert np.allclose(taught(PairwiseDifferentiable(eta=0.4), [2, 0, 1], [1]), [0.1, -0.05, -0.05], atol=1e-15)


def test_pdgd_corrects_for_the_places_by_hand():
    """With w = (log 2, 0, 0) document 0 has twice the weight of each other in a draw.

    The list 1, 0, 2 has probability 1/4 · 2/3 = 1/6, and 0, 1, 2 has 2/4 · 1/2 = 1/4. Document 1, in place 1, is
    clicked; place 2 counts as seen, place 3 does not. ρ = (1/4) / (1/6 + 1/4) = 3/5, the slope of the pair is
    2 · 1 / 3² = 2/9, so that it pulls by 2/15.
    """
    w = taught(PairwiseDifferentiable(eta=1.0), [1, 0, 2], [0], (np.log(2), 0, 0))
    assert np.allclose(w, [np.log(2) - 2 / 15, 2 / 15, 0], atol=1e-15)


def test_pdgd_takes_a_click_far_down_with_what_lies_between_by_hand():
    """With w = (log 2, 0, 0) the list is 0, 1, 2, and place 3 alone is clicked: 2 is preferred to 0 and to 1.

    P(0,1,2) = 1/2 · 1/2 = 1/4. With 2 and 0 exchanged it is 2,1,0: 1/4 · 1/3 = 1/12; ρ = 1/4; slope 2/9: 1/18.
    With 2 and 1 exchanged it is 0,2,1: as likely; ρ = 1/2; slope 1/4: 1/8.
    """
    w = taught(PairwiseDifferentiable(eta=1.0), [0, 1, 2], [2], (np.log(2), 0, 0))
    assert np.allclose(w, [np.log(2) - 1 / 18, -1 / 8, 1 / 18 + 1 / 8], atol=1e-15)


@pytest.mark.parametrize("clicks", [[], [0, 1, 2]])
def test_pdgd_learns_nothing_where_nothing_or_all_is_clicked(clicks):
    assert (taught(PairwiseDifferentiable(), [1, 0, 2], clicks, (1, 2, 3)) == [1, 2, 3]).all()


def test_nothing_below_the_slots_is_seen():
    """Two places are on the page: the click on the first is a preference over the second, and over no other."""
    w = taught(PairwiseDifferentiable(eta=8.0), [2, 0, 1], [0], slots=2)
    assert w[1] == 0 and np.isclose(w[2], 1.0) and np.isclose(w[0], -1.0)


def test_nothing_below_the_page_is_seen_by_hand():
    """All three documents count, but the page has two, 2 and 0. 0, in the last place, is clicked.

    With weights of 0, ρ = 1/2 and the slope is 1/4: 0 is preferred to 2 by 1/8 η, with η = 8 by 1. Document 1 stands
    below the page, and so there is nothing just below the click.
    """
    assert np.allclose(taught(PairwiseDifferentiable(eta=8.0), [2, 0, 1], [1], on_page=2), [1, 0, -1], atol=1e-15)


@pytest.mark.parametrize("depth, pairs", [(1, False), (2, True)])
def test_a_page_of_one_result_has_no_pairs(depth, pairs):
    """A user whose page has one result says nothing of the second, which it never sees."""
    user = create_user("dependent-click", behaviour="almost random", depth=depth)
    sim = Simulation("pairwise-differentiable", WEB, user, replicates=2, seed=0)
    sim.advance(steps=100)
    assert sim.learner.w.any() == pairs
    assert (sim.last.on_page == depth).all()


def test_a_user_of_each_replicate_may_have_a_page_of_its_own():
    user = create_user("dependent-click", behaviour="almost random", depth=np.array([1, 2]))
    sim = Simulation("pairwise-differentiable", WEB, user, replicates=2, seed=0)
    sim.advance(steps=100)
    assert sim.learner.w.any(axis=1).tolist() == [False, True]


def test_a_person_sees_the_whole_list():
    """One approves of the document in place 3 while the user's page would end at place 1."""
    user = create_user("dependent-click", depth=1)
    about = "pairwise-differentiable", WEB, user
    shown = Simulation(*about, replicates=2, seed=0)
    shown.advance(steps=1)
    third = int(shown.last.shown.ranking[0, 2])
    sim = Simulation(*about, replicates=2, seed=0, answers={1: (third,)})
    sim.advance(steps=1)
    assert sim.learner.w.any(axis=1).tolist() == [True, False]


@cases("scale", [0.0, 1.0, 1e3, 1e8, 1e300])
def test_pdgd_copes_with_scores_of_any_size(scale):
    w = taught(PairwiseDifferentiable(eta=1.0), [2, 0, 1], [1], (scale, -scale, 0.0))
    assert np.isfinite(w).all() and np.abs(w - [scale, -scale, 0]).max() <= 1


@given(st.lists(st.floats(-5, 5), min_size=4, max_size=4), st.permutations(range(4)), st.sets(st.integers(0, 3)))
def test_the_pulls_of_a_list_cancel(scores, shown, clicks):
    """Each pair pulls one document up and another down by the same, so features shared by all do not move."""
    x = np.concatenate([np.eye(4), np.ones((4, 1))], axis=1)[None]
    w = taught(PairwiseDifferentiable(eta=1.0), shown, list(clicks), [*scores, 0.0], x)
    assert abs(w[4]) < 1e-12
    for place, document in enumerate(shown):  # what was clicked never loses
        if place in clicks:
            assert w[document] >= scores[document]


def test_pdgd_draws_lists_by_plackett_and_luce():
    """With scores log 3, log 2, 0 the first place is drawn with probabilities 1/2, 1/3, 1/6."""
    R = 40_000
    learner = PairwiseDifferentiable()
    learner.reset(Shape(3, 3), R, np.random.default_rng(0))
    learner.w = np.tile(np.log([3.0, 2.0, 1.0]), (R, 1))
    shown = learner.present(Context(np.tile(EYE, (R, 1, 1)), np.ones(3))).ranking
    first = np.bincount(shown[:, 0], minlength=3) / R
    assert np.abs(first - [1 / 2, 1 / 3, 1 / 6]).max() < 4 * np.sqrt(0.25 / R)
    second = np.bincount(shown[shown[:, 0] == 0, 1], minlength=3)[1:] / (shown[:, 0] == 0).sum()
    assert np.abs(second - [2 / 3, 1 / 3]).max() < 4 * np.sqrt(0.25 / (R / 2))


# ---- pairwise ε-greedy ---------------------------------------------------------------------------------


def test_pairwise_greedy_by_hand():
    """Documents 2, 0, 1 are shown and place 3 is clicked: 1 is preferred to 2 and to 0.

    With w = (0, 0.5, −0.6) the margins are 1.1 and 0.5. Only the second is below 1, so η = 0.1 moves 1 up and 0 down.
    """
    w = taught(PairwiseGreedy(eta=0.1), [2, 0, 1], [2], (0, 0.5, -0.6))
    assert np.allclose(w, [-0.1, 0.6, -0.6], atol=1e-15)


def test_pairwise_greedy_says_nothing_of_what_stands_below_a_click():
    assert (taught(PairwiseGreedy(), [2, 0, 1], [0]) == 0).all()


@pytest.mark.parametrize("epsilon", [0.0, 1.0])
def test_no_place_or_every_place_is_random(epsilon):
    R = 3000
    learner = PairwiseGreedy(epsilon=epsilon)
    learner.reset(Shape(3, 3), R, np.random.default_rng(0))
    learner.w = np.tile([3.0, 2.0, 1.0], (R, 1))
    shown = learner.present(Context(np.tile(EYE, (R, 1, 1)), np.ones(3)))
    if epsilon:
        assert shown.at_random.all()
        assert np.abs(np.bincount(shown.ranking[:, 0]) / R - 1 / 3).max() < 0.04
    else:
        assert not shown.at_random.any() and (shown.ranking == [0, 1, 2]).all()


# ---- TD-MGD --------------------------------------------------------------------------------------------


def drafted(teams, clicks, directions, heard=None):
    """The weights after a step with δ = 0.5 in which the teams (n,) put documents 0, 1, … on the list."""
    learner = MultileaveDescent(delta=0.5, candidates=len(directions))
    learner.reset(Shape(3, 3), 1, np.random.default_rng(0))
    context, y = Context(EYE, np.ones(3)), np.arange(3)[None]
    shown = Multileaved(y, y, np.zeros((1, 3)), teams=np.array([teams]), directions=np.array([directions], dtype=float))
    answer = Feedback(clicks=np.isin(np.arange(3), clicks)[None]) if heard is None else Feedback(ranking=heard)
    learner.update(context, shown, answer)
    return learner.w[0]


def test_multileaving_moves_to_the_mean_of_the_winners_by_hand():
    """Teams 0, 1, 2 hold a place each, and places 2 and 3 are clicked: both candidates beat w, which got no click.

    w = 0.5 · ((1, 0, 0) + (0, 0.6, 0.8)) / 2 = (0.25, 0.15, 0.2).
    """
    directions = [[1, 0, 0], [0, 0.6, 0.8]]
    assert np.allclose(drafted([0, 1, 2], [1, 2], directions), [0.25, 0.15, 0.2], atol=1e-15)
    assert np.allclose(drafted([0, 1, 2], [2], directions), [0, 0.3, 0.4], atol=1e-15)


@cases("clicks", [[], [0], [0, 1], [0, 1, 2]])
def test_who_gets_no_more_clicks_than_w_does_not_win(clicks):
    assert (drafted([0, 1, 2], clicks, [[1, 0, 0], [0, 0.6, 0.8]]) == 0).all()


def test_an_improved_ranking_counts_as_clicks_on_its_top():
    """Of three places two count as put on top (all but one): 2 and 1, which teams 2 and 1 had picked."""
    w = drafted([0, 1, 2], None, [[1, 0, 0], [0, 1, 0]], heard=np.array([[2, 1, 0]]))
    assert np.allclose(w, [0.25, 0.25, 0])


def test_in_each_round_every_ranking_picks_once_and_its_best():
    learner = create("multileave-descent", candidates=3, gamma=0.7)
    R, n = 200, 8
    learner.reset(Shape(n, n), R, np.random.default_rng(1))
    learner.w = np.tile(np.linspace(1, 0, n), (R, 1))
    x = np.eye(n)
    shown = learner.present(Context(np.tile(x[None], (R, 1, 1)), np.ones(n)))
    for r in range(R):
        teams, y = shown.teams[r], shown.ranking[r].tolist()
        assert sorted(teams[:4]) == sorted(teams[4:]) == [0, 1, 2, 3] and sorted(y) == list(range(n))
        for place in range(n):
            own = learner.w[r] + (0.7 * shown.directions[r, teams[place] - 1] if teams[place] else 0.0)
            left = y[place:]
            assert max(left, key=lambda d, own=own: own[d]) == y[place]
    assert np.allclose(np.linalg.norm(shown.directions, axis=2), 1)
    assert np.abs(np.bincount(shown.teams[:, 0]) / R - 1 / 4).max() < 0.13  # all are first as often


# ---- how they behave -----------------------------------------------------------------------------------


def ndcg(id, metrics=("ndcg@5-predicted",), steps=1500, **params):
    """The means of metrics over the last fifth of a run of three replicates."""
    sim = Simulation(create(id, **params), "web-search", "dependent-click", 3)
    sim.advance(steps=steps)
    return [sim.history[metric][-steps // 5 :].mean() for metric in metrics]


def test_they_learn_in_the_order_that_their_papers_report():
    """[OR18] Figs. 2 and 3, [SOWR16] Fig. 4: after few searches PDGD is best, and multileaving beats a single duel."""
    (pdgd,) = ndcg("pairwise-differentiable")
    (multileave,) = ndcg("multileave-descent", delta=0.1)
    (duel,) = ndcg("dueling-bandit", delta=0.1)
    assert pdgd > multileave + 0.1 > duel + 0.1


def test_what_pairwise_greedy_shows_is_poor_however_much_it_knows():
    known, shown = ndcg("pairwise-greedy", ["ndcg@5-predicted", "ndcg@5"])
    assert shown < known - 0.2


@cases("id", IDS)
def test_one_slot_teaches_no_preference(id):
    """A single movie is shown at a time, so no document stands above or below another."""
    data = load("movies", users=60, movies=90, ratings=30, features=6)
    sim = Simulation(id, data, "item-better", 2, 0)
    sim.advance(steps=20)
    assert np.isfinite(sim.history["average-regret"]).all()
