"""The ranking learners: updates worked out by hand, properties of rankings, and checks of every learner found.

The hand-computed steps use the discounts 1, 1/2, 1/4, 1/8, so that all numbers are exact.
"""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.ranking import discounts
from learners import create
from learners.catalogue import catalogue
from learners.random import Stream
from learners.ranking.base import Context, Feedback, Swaps
from learners.theory import BOUNDS
from tests.cases import cases
from tests.learners.dice import Dice
from tests.learners.ranking.pages import (
    CORNERS,
    clicked,
    draws_for_pairs,
    exchange_pairs,
    form_pairs,
    move_to_top,
    query,
    start,
    swap_pairs,
    swap_with_first,
)
from tests.strategies import amounts

IDS = [info.id for info in catalogue() if info.family == "ranking" and not info.learner.fixed_list]
many = settings(max_examples=60, deadline=None)


def step(learner, context, *positions):
    """One step with clicks on these positions: what was shown, and ȳ."""
    shown = learner.present(context)
    improved = learner.update(context, shown, clicked(context.n, *positions))
    return shown.ranking[0].tolist(), improved[0].tolist()


# ---- by hand ------------------------------------------------------------------------------------------


def test_top_moves_the_clicked_documents_up_in_the_order_shown():
    """w₁ = 0 shows 0 1 2; a click on d2 gives ȳ = 2 0 1, D(ȳ) − D(y) = (½ − 1, ¼ − ½, 1 − ¼), so that
    w₂ = −½[1,0] − ¼[0,1] + ¾[1,1] = [¼, ½]. Its scores ¼, ½, ¾ show 2 1 0; clicks on d1 and d0 give ȳ = 1 0 2,
    D(ȳ) − D(y) = (½ − ¼, 1 − ½, ¼ − 1) and w₃ = [¼, ½] + [¼ − ¾, ½ − ¾] = [−¼, ¼]: scores −¼, ¼, 0.
    """
    context, learner = query(CORNERS), create("preference-perceptron", feedback="top")
    start(learner, context)
    assert step(learner, context, 2) == ([0, 1, 2], [2, 0, 1])
    assert learner.w.tolist() == [[0.25, 0.5]]
    assert step(learner, context, 1, 2) == ([2, 1, 0], [1, 0, 2])
    assert learner.w.tolist() == [[-0.25, 0.25]]
    assert step(learner, context) == ([1, 2, 0], [1, 2, 0])  # no click, no update
    assert learner.w.tolist() == [[-0.25, 0.25]]


def test_swap_exchanges_the_topmost_clicked_document_with_the_first():
    """w₁ = 0 shows 0 1 2; clicks on ranks 2 and 3 count as one on d1: ȳ = 1 0 2, D(ȳ) − D(y) = (−½, ½, 0),
    w₂ = [−½, ½]. Its scores −½, ½, 0 show 1 2 0; a click on d0 at rank 3 gives ȳ = 0 2 1,
    D(ȳ) − D(y) = (1 − ¼, ¼ − 1, 0), w₃ = [−½ + ¾, ½ − ¾] = [¼, −¼].
    """
    context, learner = query(CORNERS), create("preference-perceptron", feedback="swap")
    start(learner, context)
    assert step(learner, context, 1, 2) == ([0, 1, 2], [1, 0, 2])
    assert learner.w.tolist() == [[-0.5, 0.5]]
    assert step(learner, context, 2) == ([1, 2, 0], [0, 2, 1])
    assert learner.w.tolist() == [[0.25, -0.25]]
    assert step(learner, context) == ([0, 2, 1], [0, 2, 1])
    assert step(learner, context, 0) == ([0, 2, 1], [0, 2, 1])  # the first document itself
    assert learner.w.tolist() == [[0.25, -0.25]]


def test_pair_compares_neighbours_and_swaps_nothing():
    """Swaps (1,2),(3): a click on d1 at rank 2 gives w₂ = [−½, ½] and the ranking 1 2 0. Swaps (1),(2,3): a click
    on d0 at rank 3 gives ȳ = 1 0 2, D(ȳ) − D(y) = (½ − ¼, 0, ¼ − ½), w₃ = w₂ + ¼[1,0] − ¼[1,1] = [−½, ¼].
    Clicks on the upper one of a pair, or on both, teach nothing.
    """
    context, learner = query(CORNERS), create("preference-perceptron", feedback="pair")
    start(learner, context, Dice([0.1, 0, 0], [0.7, 0, 0], [0.7, 0, 0], [0.2, 0, 0]))
    assert step(learner, context, 1) == ([0, 1, 2], [1, 0, 2])
    assert learner.w.tolist() == [[-0.5, 0.5]]
    assert step(learner, context, 2) == ([1, 2, 0], [1, 0, 2])
    assert learner.w.tolist() == [[-0.5, 0.25]]
    assert step(learner, context, 1) == ([1, 2, 0], [1, 2, 0])
    assert step(learner, context, 0, 1) == ([1, 2, 0], [1, 2, 0])
    assert learner.w.tolist() == [[-0.5, 0.25]]


def test_averaged_presents_by_the_mean_of_all_weights():
    """With swap feedback as above w₂ = [−½, ½]; the mean of w₁ = 0 and w₂ has the scores −¼, ¼, 0 and shows 1 2 0.
    A click on d0 at rank 3 adds [¾, −¾]: w₃ = [¼, −¼], which by itself would show d0 first; the mean of the three
    is [−1/12, 1/12] and shows 1 2 0 again. Another such click: w₄ = [1, −1], mean [3/16, −3/16], shows 0 2 1.
    """
    context, learner = query(CORNERS), create("averaged-perceptron", feedback="swap")
    start(learner, context)
    assert step(learner, context, 1) == ([0, 1, 2], [1, 0, 2])
    assert learner.weights.tolist() == [[-0.25, 0.25]]
    assert step(learner, context, 2) == ([1, 2, 0], [0, 2, 1])
    assert learner.w.tolist() == [[0.25, -0.25]]
    np.testing.assert_allclose(learner.weights, [[-1 / 12, 1 / 12]])
    assert step(learner, context, 2) == ([1, 2, 0], [0, 2, 1])
    np.testing.assert_allclose(learner.weights, [[3 / 16, -3 / 16]])
    assert learner.present(context).ranking.tolist() == [[0, 2, 1]]


def test_perturbed_learns_relative_to_what_was_shown():
    """Four documents, the fourth [0, 0]; p = ½. Dice .2, .3, .9: pairs (1,2),(3,4), only the first is swapped, so
    ŷ = 0 1 2 3 is shown as 1 0 2 3. A click on d0 at rank 2 gives ȳ = 0 1 2 3 = ŷ, and w₂ = ½[1,0] − ½[0,1].
    Scores ½, −½, 0, 0: ŷ = 0 2 3 1. Dice .8, -, .1, -: pairs (1),(2,3),(4), shown 0 3 2 1. A click on d2 at rank 3
    gives ȳ = 0 2 3 1, D(ȳ) − D(y) = ¼ for d2 and −¼ for d3, w₃ = [½, −½] + ¼[1,1] = [¾, −¼].
    """
    context, learner = query([*CORNERS, [0, 0]]), create("perturbed-perceptron", swap_probability=0.5)
    start(learner, context, Dice([0.2, 0.3, 0.9, 0.0], [0.8, 0.0, 0.1, 0.0], [0.2, 0.6, 0.4, 0.0]))
    shown = learner.present(context)
    assert shown.predicted.tolist() == [[0, 1, 2, 3]] and shown.ranking.tolist() == [[1, 0, 2, 3]]
    assert shown.swap_probability == 0.5 and shown.pairs.swapped.tolist() == [[True, True, False, False]]
    assert learner.update(context, shown, clicked(4, 1)).tolist() == [[0, 1, 2, 3]]
    assert learner.w.tolist() == [[0.5, -0.5]]
    assert step(learner, context, 0, 2) == ([0, 3, 2, 1], [0, 2, 3, 1])
    assert learner.w.tolist() == [[0.75, -0.25]]
    # scores ¾, −¼, ½, 0: ŷ = 0 2 3 1, shown 0 2 1 3; both of the first pair clicked, the upper one of the second
    assert step(learner, context, 0, 1, 2) == ([0, 2, 1, 3], [0, 2, 1, 3])
    assert learner.w.tolist() == [[0.75, -0.25]]


def test_dynamic_swap_probability_by_hand():
    """d0 = [1,0], d1 = [0,1], Δ = ¼, w₁ = [1, 0].

    t = 1: w·φ(ŷ) = 1, w·φ(y′) = ½, D = ½, R = 0, p = ¼/½ = ½. The die .4 swaps: y = 1 0; a click on d0 gives ȳ = 0 1,
    affirmed 1 − ½ = ½, w₂ = [3/2, −½].
    t = 2: w·φ(ŷ) = 3/2 − ¼ = 5/4, w·φ(y′) = −½ + ¾ = ¼, D = 1, p = (2·¼ − ½)/1 = 0. A click on d1 gives ȳ = 1 0,
    affirmed ¼ − 5/4 = −1, R = −½, w₃ = [1, 0].
    t = 3: D = ½ again, (3·¼ + ½)/½ = 5/2, p = 1. A click on d0, now at rank 2, affirms ½, R = 0, w₄ = [3/2, −½].
    t = 4: pairs (1),(2), nothing to swap, D = 0 and Δ·4 ≥ 0, p = 1; no click, R stays 0.
    t = 5: D = 1, (5·¼ − 0)/1 = 5/4, p = 1.
    """
    context, learner = query([[1, 0], [0, 1]]), create("perturbed-perceptron", dynamic=True, delta=0.25)
    dice = Dice([0.1, 0.4, 0.9], [0.1, 0.0, 0.9], [0.1, 0.99, 0.9], [0.9, 0.5, 0.5], [0.1, 0.99, 0.9])
    start(learner, context, dice, weights=np.array([1.0, 0.0]))
    seen = []
    for positions in ((1,), (1,), (1,), (), ()):
        shown = learner.present(context)
        learner.update(context, shown, clicked(2, *positions))
        seen.append((float(shown.swap_probability[0]), shown.ranking[0].tolist(), learner.w[0].tolist()))
    assert seen == [
        (0.5, [1, 0], [1.5, -0.5]),
        (0.0, [0, 1], [1.0, 0.0]),
        (1.0, [1, 0], [1.5, -0.5]),
        (1.0, [0, 1], [1.5, -0.5]),
        (1.0, [1, 0], [1.5, -0.5]),
    ]


def test_dynamic_swap_probability_where_swapping_costs_nothing():
    """w = 0: D = 0, so p is 1 where Δ·t ≥ R_t and 0 where R_t is larger; each replicate has its own Δ and R."""
    context = query(np.zeros((4, 2, 2)))
    learner = start(create("perturbed-perceptron", dynamic=True, delta=[0.0, 0.0, 0.5, 0.5]), context)
    learner.tally[:, 0], learner.t = [0.0, 0.1, 1.0, 1.6], 2  # two steps learned from, so the next is the third
    assert learner.present(context).swap_probability.tolist() == [1.0, 0.0, 1.0, 0.0]


def test_dynamic_swap_probability_is_each_replicates_own():
    """As the first step above, D = ½, with Δ = ¼, 1/10 and 3: p = ½, 1/5 and, clipped, 1."""
    context = query([[[1, 0], [0, 1]]] * 3)
    learner = create("perturbed-perceptron", dynamic=True, delta=[0.25, 0.1, 3.0])
    start(learner, context, weights=np.array([1.0, 0.0]))
    dice = SimpleNamespace(random=lambda shape: np.full(shape, 0.3))  # pairs (1,2), swapped below p
    learner.rng = Stream(dice, replicates=3)
    shown = learner.present(context)
    np.testing.assert_allclose(shown.swap_probability, [0.5, 0.2, 1.0])
    assert shown.ranking.tolist() == [[1, 0], [0, 1], [1, 0]]


def test_structured_perceptron_learns_from_the_best_ranking():
    """Told 2 1 0 for 0 1 2: D(y*) − D(y) = (−¾, 0, ¾), w₂ = ¾([1,1] − [1,0]) = [0, ¾]: scores 0, ¾, ¾, shown 1 2 0.
    Told 2 1 0: (0, −½, ½), w₃ = [0, ¾] + ½([1,1] − [0,1]) = [½, ¾], which shows 2 1 0 and has learned all."""
    context, learner = query(CORNERS), create("structured-perceptron")
    start(learner, context)
    for shows, weights in (([0, 1, 2], [0.0, 0.75]), ([1, 2, 0], [0.5, 0.75]), ([2, 1, 0], [0.5, 0.75])):
        shown = learner.present(context)
        assert shown.ranking[0].tolist() == shows
        best = np.array([[2, 1, 0]])
        assert learner.update(context, shown, Feedback(ranking=best)).tolist() == [[2, 1, 0]]
        assert learner.w.tolist() == [weights]


def test_random_ranking_sorts_random_numbers_and_learns_nothing():
    """Scores .2, .9, .5 show 1 2 0, then .7, .1, .3 show 0 2 1, whatever was clicked before."""
    context, learner = query(CORNERS), create("random-ranking")
    start(learner, context, Dice([0.2, 0.9, 0.5], [0.7, 0.1, 0.3]))
    assert step(learner, context, 2) == ([1, 2, 0], [1, 2, 0])
    assert step(learner, context, 1, 2) == ([0, 2, 1], [0, 2, 1])
    assert learner.weights is None


def test_weights_start_where_the_data_say_and_reset_forgets():
    context, learner = query(CORNERS), create("perturbed-perceptron", dynamic=True, delta=1.0)
    first = np.array([0.5, -1.0])
    for _ in range(2):
        start(learner, context, weights=first)
        assert learner.w.tolist() == [[0.5, -1.0]] and learner.t == 0 and learner.affirmed.tolist() == [0.0]
        step(learner, context, 1, 2)
    assert first.tolist() == [0.5, -1.0]


def test_replicates_with_queries_of_unequal_length():
    """Two replicates, the second with two documents of three: the third is never paired, shown last and has no say.

    Swap feedback on rank 2: the first as above, w = [−½, ½]; the second, d0 = [2,0], d1 = [0,2], w = [−1, 1].
    """
    context = query([CORNERS, [[2, 0], [0, 2], [0, 2]]], lengths=[3, 2])
    learner = start(create("preference-perceptron", feedback="swap"), context)
    shown = learner.present(context)
    learner.update(context, shown, Feedback(clicks=np.array([[False, True, False]] * 2)))
    assert learner.w.tolist() == [[-0.5, 0.5], [-1.0, 1.0]]
    assert learner.present(context).ranking.tolist() == [[1, 2, 0], [1, 0, 2]]


def test_pair_feedback_needs_pairs():
    context = query(CORNERS)
    shown = start(create("preference-perceptron"), context).present(context)
    learner = start(create("preference-perceptron", feedback="pair"), context)
    with pytest.raises(ValueError, match="pair feedback needs a ranking that was shown in pairs"):
        learner.update(context, shown, clicked(3, 1))


# ---- properties ---------------------------------------------------------------------------------------


@st.composite
def problems(draw):
    """A random context (some with unequal lengths), a ranking, clicks and a generator."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    replicates, n, d = draw(st.integers(1, 4)), draw(st.integers(2, 9)), draw(st.integers(1, 4))
    lengths = rng.integers(2, n + 1, size=replicates) if draw(st.booleans()) else None
    context = query(rng.normal(size=(replicates, n, d)), lengths, discounts(n))
    ranking = context.rank(rng.normal(size=(replicates, n)))
    clicks = rng.random((replicates, n)) < 0.4
    if lengths is not None:
        clicks &= np.arange(n) < lengths[:, None]
    return context, ranking, clicks, rng


def is_ranking(context, ranking):
    """Permutations, with the documents beyond a query's length at the end, in place."""
    lengths = np.full(len(ranking), context.n) if context.lengths is None else context.lengths
    return all(
        sorted(row[:length]) == list(range(length)) and row[length:].tolist() == list(range(length, context.n))
        for row, length in zip(ranking, lengths, strict=True)
    )


@many
@given(problems(), st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_fair_pairs(problem, p):
    """Swaps are disjoint neighbours, within the query; a document moves by one position at most."""
    context, ranking, _, rng = problem
    draws = draws_for_pairs(context, Stream(rng, replicates=len(ranking)))
    pairs = form_pairs(context, p, draws)
    positions = np.arange(context.n)
    lengths = np.full(len(ranking), context.n) if context.lengths is None else context.lengths
    for r, length in enumerate(lengths):
        shift = int(draws[r, 0] >= 0.5)
        expected = {(a, a + 1) for a in range(shift, length - 1, 2)}  # (1,2),(3,4),… or (2,3),(4,5),…
        assert {(i, j) for i, j in enumerate(pairs.partner[r]) if j > i} == expected
        assert (pairs.partner[r][pairs.partner[r]] == positions).all()
        assert (pairs.swapped[r] == pairs.swapped[r][pairs.partner[r]]).all()  # both of a pair, or none
        assert not pairs.swapped[r][pairs.partner[r] == positions].any()
    shown = swap_pairs(context, ranking, pairs)
    assert is_ranking(context, shown)
    moved = np.argsort(shown, axis=1) - np.argsort(ranking, axis=1)
    assert np.abs(moved).max() <= 1
    assert (shown != ranking).sum() == pairs.swapped.sum()
    if p in (0.0, 1.0):
        assert (pairs.swapped == ((pairs.partner != positions) & bool(p))).all()


@pytest.mark.parametrize("n", [4, 5])
def test_share_of_swaps_and_of_pairings(n):
    """Each pair is swapped with its probability, by itself; both ways of pairing are equally frequent."""
    replicates = 40_000
    context = query(np.zeros((replicates, n, 1)))
    p = np.where(np.arange(replicates) < replicates // 2, 0.5, 0.2)
    learner = start(create("perturbed-perceptron", swap_probability=p), context, np.random.default_rng(1))
    pairs = learner.present(context).pairs
    from_first = pairs.partner[:, 0] == 1
    assert abs(from_first.mean() - 0.5) < 0.01
    for value in (0.5, 0.2):
        for way, a, b in ((from_first, 0, 2), (~from_first, 1, 3 if n == 5 else 1)):
            of = pairs.swapped[(p == value) & way]
            assert abs(of[:, a].mean() - value) < 0.02 and abs(of[:, b].mean() - value) < 0.02
            if a != b:
                assert abs((of[:, a] & of[:, b]).mean() - value**2) < 0.02


@many
@given(problems())
def test_feedback_rankings_equal_the_paper_line_by_line(problem):
    context, ranking, clicks, rng = problem
    pairs = form_pairs(context, 0.5, draws_for_pairs(context, Stream(rng, replicates=len(ranking))))
    top, swap = move_to_top(context, ranking, clicks), swap_with_first(context, ranking, clicks)
    paired = exchange_pairs(context, ranking, clicks, pairs)
    for r, y in enumerate(ranking.tolist()):
        marked = [d for d, c in zip(y, clicks[r], strict=True) if c]
        assert top[r].tolist() == marked + [d for d in y if d not in marked]
        expected = list(y)
        if marked:
            i = y.index(marked[0])
            expected[0], expected[i] = y[i], y[0]
        assert swap[r].tolist() == expected
        expected = list(y)
        for upper, lower in enumerate(pairs.partner[r]):
            if lower > upper and y[lower] in marked and y[upper] not in marked:
                expected[upper], expected[lower] = y[lower], y[upper]
        assert paired[r].tolist() == expected
    for answer in (top, swap, paired):
        assert is_ranking(context, answer)


@many
@given(problems())
def test_arithmetic_of_rankings(problem):
    """φ(x, y) is the discounted sum of the features; what one document gains in discount, others lose."""
    context, worse, clicks, _ = problem
    better = move_to_top(context, worse, clicks)
    ones = Context(np.ones((*worse.shape, 1)), context.gamma, context.lengths)
    np.testing.assert_allclose(ones.feature_difference(better, worse), 0, atol=1e-12)
    scores = context.features.sum(axis=2)
    lengths = np.full(len(worse), context.n) if context.lengths is None else context.lengths
    gamma = discounts(context.n)
    for r, length in enumerate(lengths):

        def phi(y, r=r, length=length):
            return sum(gamma[i] * context.features[r, y[r, i]] for i in range(length))

        np.testing.assert_allclose(context.feature_difference(better, worse)[r], phi(better) - phi(worse), atol=1e-12)
        np.testing.assert_allclose(context.discounted(scores, worse)[r], phi(worse).sum(), atol=1e-12)


def test_ties_rank_by_document_number():
    context = query(np.zeros((2, 5, 1)), lengths=[5, 3])
    scores = np.array([[1.0, 2.0, 1.0, 2.0, 1.0], [1.0, 1.0, 2.0, 9.0, 9.0]])
    assert context.rank(scores).tolist() == [[1, 3, 0, 2, 4], [2, 0, 1, 3, 4]]


@many
@given(st.integers(0, 10**6), amounts(10))
def test_dynamic_swap_probability_is_a_probability(seed, delta):
    rng = np.random.default_rng(seed)
    context = query(rng.normal(size=(6, 5, 3)) * 10.0 ** rng.integers(-3, 4), rng.integers(2, 6, size=6))
    learner = start(create("perturbed-perceptron", dynamic=True, delta=delta), context, weights=rng.normal(size=3))
    for _ in range(6):
        shown = learner.present(context)
        p = shown.swap_probability
        assert p.shape == (6,) and (p >= 0).all() and (p <= 1).all()
        learner.update(context, shown, Feedback(clicks=rng.random((6, 5)) < 0.3))


COACTIVE = [
    ("batch-perceptron", {"k": 1}),
    ("batch-perceptron", {"k": 3}),
    ("exponentiated-perceptron", {"rate": "fixed", "horizon": 20}),
    ("exponentiated-perceptron", {"rate": "variable"}),
    ("convex-perceptron", {"radius": 0.7}),
    ("convex-perceptron", {"radius": 100.0}),
    ("second-order-perceptron", {"gamma": 0.3, "epsilon": 0.5, "radius": 0.4}),
    ("second-order-perceptron", {"gamma": 2.0, "epsilon": 0.1, "radius": 100.0}),
]
VARIANTS = [
    ("preference-perceptron", {"feedback": "top"}),
    ("preference-perceptron", {"feedback": "swap"}),
    ("preference-perceptron", {"feedback": "pair"}),
    ("averaged-perceptron", {}),
    ("perturbed-perceptron", {}),
    ("perturbed-perceptron", {"dynamic": True, "delta": 0.1}),
    *COACTIVE,
]


@pytest.mark.parametrize("id, params", VARIANTS)
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_numbering_of_documents_does_not_matter(id, params, seed):
    """With the documents renumbered (no ties) the weights stay the same and the rankings are renumbered."""
    rng = np.random.default_rng(seed)
    n, d = 7, 3
    first, second = create(id, **params), create(id, **params)
    weights = rng.normal(size=d)
    blocks = [rng.normal(size=(2, n, d)) for _ in range(8)]
    start(first, query(blocks[0]), np.random.default_rng(seed), weights)
    start(second, query(blocks[0]), np.random.default_rng(seed), weights)
    for block in blocks:
        learned = first.weights.any(axis=1).all()  # w = 0 shows documents by number
        new = rng.permutation(n) if learned else np.arange(n)  # document i of the second is new[i] of the first
        clicks = Feedback(clicks=rng.random((2, n)) < 0.3)
        a, b = query(block), query(block[:, new])
        shown_a, shown_b = first.present(a), second.present(b)
        assert (shown_a.ranking == new[shown_b.ranking]).all()
        assert (first.update(a, shown_a, clicks) == new[second.update(b, shown_b, clicks)]).all()
        np.testing.assert_allclose(first.weights, second.weights, atol=1e-10 if (id, params) in COACTIVE else 1e-12)


@cases("id, params", [*VARIANTS, ("ranking-svm", {})])
def test_replicates_do_not_touch_each_other(id, params):
    """A replicate learns the same whatever happens in the others."""
    rng = np.random.default_rng(5)
    n, d, replicates = 6, 3, 4
    blocks, all_clicks = rng.normal(size=(12, replicates, n, d)), rng.random((12, replicates, n)) < 0.3
    learners = [create(id, **params), create(id, **params)]
    for learner in learners:
        start(learner, query(blocks[0]), np.random.default_rng(1))
    for block, clicks in zip(blocks, all_clicks, strict=True):
        for other, learner in enumerate(learners):
            x, c = block.copy(), clicks.copy()
            if other:
                x[[0, 1, 3]], c[[0, 1, 3]] = rng.normal(size=(3, n, d)), rng.random((3, n)) < 0.5
            context = query(x)
            learner.update(context, learner.present(context), Feedback(clicks=c))
    np.testing.assert_array_equal(learners[0].weights[2], learners[1].weights[2])
    assert (learners[0].weights[0] != learners[1].weights[0]).any()


# ---- every learner that the catalogue finds ------------------------------------------------------------


def heard(learner, context, rng):
    """Feedback of the kind the learner hears."""
    if learner.hears == "optimal":
        return Feedback(ranking=context.rank(rng.normal(size=context.features.shape[:2])))
    there = np.arange(context.n) < context.counts[:, None]  # not beyond a query's length
    clicks = (rng.random(context.features.shape[:2]) < 0.4) & there
    return Feedback() if learner.hears == "nothing" else Feedback(clicks=clicks)


@cases("id", IDS)
def test_what_bounds_need_of_a_learner_is_said_by_name(id):
    """In the names of theory, and only by learners that have bounds."""
    learner = start(create(id), query(CORNERS))
    terms = learner.bound_terms()
    convex = any(BOUNDS[bound].record == "bound-convex" for bound in learner.bounds)
    allowed = {"gamma", "epsilon", "radius"} if convex else {"delta", "k", "horizon", "largest"}
    assert set(terms) <= allowed and (learner.bounds or not terms)
    for name, value in terms.items():
        np.testing.assert_array_equal(value, getattr(learner, name))


@cases("id", IDS)
@cases("lengths", [None, [6, 3, 2]])
def test_what_is_handed_over_stays_as_it_was(id, lengths):
    """Neither context nor shown nor feedback is changed, nor weights that somebody has read before the update."""
    rng = np.random.default_rng(2)
    learner, context = create(id), query(rng.normal(size=(3, 6, 4)), lengths)
    start(learner, context)
    for _ in range(5):
        kept = learner.weights
        before = None if kept is None else kept.copy()
        around = [context.x.dense, context.rows, context.gamma, context.counts]  # compiled code reads these as they are
        kept_around = [array.copy() for array in around]
        shown, feedback = learner.present(context), heard(learner, context, rng)
        parts = [shown.ranking, shown.predicted, shown.scores, feedback.clicks, feedback.ranking]
        parts += [shown.pairs.partner, shown.pairs.swapped] if isinstance(shown.pairs, Swaps) else []
        parts = [part for part in parts if part is not None]
        copies = [part.copy() for part in parts]
        for part in parts:
            part.setflags(write=False)
        improved = learner.update(context, shown, feedback)
        for part, copy in zip([*around, *parts], [*kept_around, *copies], strict=True):
            np.testing.assert_array_equal(part, copy)
        np.testing.assert_array_equal(kept, before)
        for ranking in (shown.ranking, shown.predicted, improved):
            assert is_ranking(context, ranking)
