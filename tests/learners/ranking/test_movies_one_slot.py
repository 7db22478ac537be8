"""Recommending one movie after the other: one slot, documents that are used up, and candidates that all share."""

import dataclasses

import numpy as np
import pytest

from datasets import load
from datasets.ranking import RankingData
from learners import Simulation, create, create_user, sweep
from learners.base import Shape
from learners.catalogue import learner_classes, user_classes
from learners.ranking.base import Context
from learners.ranking.measured.stability import look_at
from learners.ranking.searches.stock import Stock, first_left, remove, renew
from learners.ranking.step.features import Features
from learners.theory import BOUNDS
from tests.cases import cases
from tests.datasets.test_movies import SMALL, tiny
from tests.learners.ranking.slow_reference import Slow
from tests.learners.ranking.test_users import CLICK_MODELS

LEARNERS = sorted(id for id, cls in learner_classes().items() if cls.family == "ranking" and not cls.fixed_list)
USERS = sorted(id for id, cls in user_classes().items() if cls.family == "ranking")


@pytest.fixture(scope="module")
def small():
    return load("movies", **SMALL)


# ---- slots ---------------------------------------------------------------------------------------------


def test_only_slots_count():
    """Two queries of three documents, two slots: discounts 1, .631, 0; the best is the sum over the first two, and R is
    the largest norm with them: 5 + .631 · 4 = 7.524."""
    x = np.array([[3.0], [4.0], [5.0], [1.0], [0.0], [2.0]])
    data = RankingData("two", {}, x, np.array([0, 3, 6]), x.T.copy(), weights=np.array([[1.0]]), slots=2)
    np.testing.assert_allclose(data.gamma, [1, 0.63093, 0], atol=1e-5)
    assert abs(data.radius - (5 + 0.63093 * 4)) < 1e-4
    sim = Simulation("preference-perceptron", data, create_user("strict-alpha"), seed=0)
    sim.advance(1)  # w = 0 shows them in order
    query = int(sim.last.query[0])
    best, now = [(5 + 0.63093 * 4, 3 + 0.63093 * 4), (2 + 0.63093, 1.0)][query]
    assert abs(sim.history["average-regret"][0, 0] - (best - now)) < 1e-4
    gain = (5 + 0.63093 * 4) - (3 + 0.63093 * 4) if query == 0 else 2 + 0.63093 - 1
    np.testing.assert_allclose(sim.learner.w, [[gain]], atol=1e-4)


def test_a_list_goes_on_below_the_positions_that_count():
    """Eq. 21 of [C]: the utility is that of five documents. The user reads ten, and what comes up from below counts."""
    data = load("web-search", queries=30, documents=12, features=5, slots=5)
    whole = load("web-search", queries=30, documents=12, features=5)
    assert (data.slots, data.on_page, whole.slots, whole.on_page) == (5, 12, None, 12)
    np.testing.assert_array_equal(data.features, whole.features)
    sim = Simulation("dueling-bandit", data, create_user("depth", k=10), seed=0)
    regret, raised = 0.0, 0
    for t in range(1, 31):
        sim.advance(1)
        step = sim.last
        utility, shown, answer = step.utility[0], step.shown.ranking[0], step.response.ranking[0]
        best = np.sort(utility)[::-1]
        regret += sum((best[i] - utility[shown[i]]) / np.log2(i + 2) for i in range(5))
        assert sim.history["average-regret"][-1, 0] == pytest.approx(regret / t)
        raised += len(set(answer[:5].tolist()) - set(shown[:5].tolist()))
        teams = dict(zip(shown.tolist(), step.shown.mixed.teams[0].tolist(), strict=True))
        lead = sum(1 if teams[d] else -1 for d in answer[:5].tolist())  # of the five put on top, wherever they stood
        assert np.any(step.after != step.before) == (lead < 0)
    assert raised > 20


def test_as_many_slots_as_documents_change_nothing():
    rng = np.random.default_rng(0)
    plain = RankingData(
        "plain", {}, rng.normal(size=(40, 3)), np.arange(0, 41, 4), rng.integers(0, 5, (1, 40)).astype(float)
    )
    slotted = dataclasses.replace(plain, slots=4)
    runs = [Simulation("perturbed-perceptron", data, "depth", replicates=3, seed=1) for data in (plain, slotted)]
    for run in runs:
        run.advance(70)
    for metric in runs[0].history:
        if not metric.startswith("ndcg"):  # which is cut at the slots
            np.testing.assert_array_equal(runs[0].history[metric], runs[1].history[metric])


# ---- one item after the other ----------------------------------------------------------------------------


@pytest.mark.parametrize("make", [lambda: tiny(n=23, tasks=3), lambda: load("movies", **SMALL)], ids=["tiny", "movies"])
@pytest.mark.parametrize("alpha", [0.3, 1.0])
def test_shrinking_candidates_against_the_reference(make, alpha):
    """Five users and 60 steps (on the tiny set each starts anew several times): what is shown and answered, regret,
    NDCG and the rank of the best within the slot."""
    data, user, learner = make(), create_user("item-alpha", alpha=alpha), create("preference-perceptron")
    sim = Simulation(learner, data, user, replicates=5, seed=0)
    slow = Slow(learner, data, data.features.astype(float), user, 5, 0)
    regret, ndcg, rank = np.empty((3, 60, 5))
    for t in range(60):
        offered = [sorted(stock[:left]) for stock, left in zip(slow.stock, slow.left, strict=True)]
        sim.advance(1)
        step = sim.last
        for r, (_, (y, *_), _, _, (answer, *_)) in enumerate(slow.step()):
            left, u, g = offered[r], data.utility[r % data.tasks], data.grades[r % data.tasks]
            assert step.shown.ranking[r, 0] == y and step.feedback_ranking[r, 0] == answer, (t, r)
            assert step.lengths[r] == len(left) and sorted(step.shown.ranking[r, : len(left)]) == left
            assert np.flatnonzero(np.isfinite(step.utility[r])).tolist() == left
            assert np.flatnonzero(step.grades[r] >= 0).tolist() == left
            best = max(g[left])
            ndcg[t, r], rank[t, r] = (2 ** g[y] - 1) / (2**best - 1), 1 + (g[y] < best)
            regret[t, r] = max(u[left]) - u[y]
    np.testing.assert_allclose(sim.history["cumulative-regret"], np.cumsum(regret, axis=0), atol=1e-5)
    steps = np.arange(1, 61)[:, None]
    np.testing.assert_allclose(sim.history["average-regret"], np.cumsum(regret, axis=0) / steps, atol=1e-6)
    np.testing.assert_allclose(sim.history["ndcg@5"], ndcg, atol=1e-9)
    np.testing.assert_array_equal(sim.history["rank-of-best"], rank)
    np.testing.assert_allclose(sim.learner.w, [one.w for one in slow.each], atol=1e-5)
    assert (sim.history["bound"] >= sim.history["average-regret"]).all()  # Theorem 1, as items are ranked by one slot


@pytest.mark.parametrize("user", ["item-alpha", "item-better", "item-best", "expected-alpha"])
def test_no_movie_is_shown_twice(small, user):
    """Until they are used up: n movies last for n / 2 steps at least. And none that was answered is shown later."""
    sim = Simulation("preference-perceptron", small, user, replicates=4, seed=2)
    gone = [set() for _ in range(4)]
    for _ in range(small.longest // 2 - 1):
        sim.advance(1)
        for r in range(4):
            y, answer = int(sim.last.shown.ranking[r, 0]), int(sim.last.feedback_ranking[r, 0])
            assert y not in gone[r] and answer not in gone[r]
            gone[r] |= {y, answer}
            assert int(sim.last.lengths[r]) >= 2
    assert all(len(g) >= small.longest // 2 - 1 for g in gone)


def take(stock, documents):
    """Remove documents (R, s), as a step does."""
    for r, row in enumerate(documents):
        for document in row:
            remove(stock, r, document)
        renew(stock, r)


def best(stock, r, which, number):
    """The highest utilities (0) or grades (1) left to replicate r, in falling order, as a step finds them."""
    falling, values = (stock.by_utility[r], stock.utility[r]) if which == 0 else (stock.by_grade[r], stock.grades[r])
    found, at = [], stock.best[r, which]
    for _ in range(number):
        at = first_left(stock, r, which, at)
        found.append(values[falling[at]])
        at += 1
    stock.best[r, which] = first_left(stock, r, which, stock.best[r, which])  # it only ever moves down
    return found


def test_users_start_anew_each_for_himself():
    """Seven movies. Taken away two by two, one is left after three steps: then all are offered again; the second
    replicate, which takes one at a time, has three left by then."""
    stock = Stock.of(tiny(n=7, tasks=2), np.array([0, 1]))
    for a in range(3):
        take(stock, np.array([[2 * a, 2 * a + 1], [a, a]]))
    assert stock.left.tolist() == [7, 4] and stock.offered[1].tolist() == [False] * 3 + [True] * 4
    np.testing.assert_array_equal(stock.utility[0], tiny(n=7, tasks=2).utility[0])
    assert np.isinf(stock.utility[1]).tolist() == [True] * 3 + [False] * 4
    assert sorted(stock.order[1, :4]) == [3, 4, 5, 6] and sorted(stock.order[1]) == list(range(7))


def test_the_stock_against_brute_force():
    """Random takes from a stock of 31 for two slots: what is offered stands first; the best utilities and grades."""
    rng, data = np.random.default_rng(0), tiny(n=31, tasks=4, slots=2)
    stock, left = Stock.of(data, np.arange(4)), [set(range(31)) for _ in range(4)]
    for _ in range(60):
        taken = rng.integers(0, 31, (4, 3))
        take(stock, taken)
        for r in range(4):
            left[r] -= set(taken[r].tolist())
            left[r] = left[r] if len(left[r]) >= 2 else set(range(31))
            assert set(np.flatnonzero(stock.offered[r])) == left[r] == set(stock.order[r, : stock.left[r]].tolist())
            utility, grades = ([of[r, i] for i in left[r]] for of in (data.utility, data.grades))
            assert best(stock, r, 0, 2) == sorted(utility, reverse=True)[:2]
            assert best(stock, r, 1, 2) == sorted(grades, reverse=True)[:2]
            gone = sorted({*range(31)} - left[r])
            assert (stock.utility[r, gone] == -np.inf).all() and (stock.grades[r, gone] == -1).all()


@cases("slots", [1, 2, 5, 30])
@cases("id", LEARNERS)
def test_every_learner_recommends(id, slots):
    """Every ranking learner on movies that are used up, also through the few that are left at the end; the same seed
    gives the same numbers, however the run is sliced; no metric of regret is below 0."""
    data = tiny(n=12, tasks=3, slots=slots)
    user = "item-alpha" if slots == 1 else "strict-alpha"
    first, second = (Simulation(create(id), data, user, replicates=3, seed=1) for _ in range(2))
    first.advance(40)
    for _ in range(8):
        second.advance(5)
    np.testing.assert_equal(dict(first.history), dict(second.history))
    assert np.diff(first.history["cumulative-regret"], axis=0, prepend=0).min() > -1e-9


@cases("id", USERS)
def test_every_user_answers(id):
    for slots in (1, 3):
        data = tiny(n=12, slots=slots)
        if id in CLICK_MODELS:  # who need grades on a scale that is declared; stars are none
            with pytest.raises(ValueError, match="declares no such scale"):
                Simulation("preference-perceptron", data, id)
            data = dataclasses.replace(data, grades=data.grades - 1, top_grade=4)
        sim = Simulation("preference-perceptron", data, id, replicates=3, seed=1)
        sim.advance(30)
        assert np.isfinite(sim.history["average-regret"]).all()


def test_learning_beats_chance(small):
    """With exact feedback the average regret of the perceptron falls below half of that of random movies."""
    runs = {}
    for id in ("preference-perceptron", "random-ranking"):
        sim = Simulation(id, small, create_user("item-alpha", alpha=1.0), replicates=30, seed=0)
        sim.advance(30)
        runs[id] = sim.history["average-regret"][-1].mean()
    assert runs["preference-perceptron"] < 0.6 * runs["random-ranking"]


# ---- the runner-up -------------------------------------------------------------------------------------


@cases("places", [1, 2, 5, 9, 20])
def test_as_many_places_are_in_order_as_were_asked_for(places):
    """Ties by document number; documents that are not offered stay behind, also where fewer are left than places."""
    rng = np.random.default_rng(places)
    scores = rng.integers(0, 4, (6, 9)).astype(float)
    offered = rng.random((6, 9)) < 0.6
    offered[0], offered[:, :2] = np.arange(9) < 2, True
    order = np.argsort(~offered, axis=1, kind="stable")
    context = Context(np.zeros((6, 9, 1)), np.eye(9)[0], offered.sum(axis=1), 1, offered, order)
    ranking = context.rank(scores, places)
    for r, row in enumerate(ranking.tolist()):
        left = np.flatnonzero(offered[r]).tolist()
        assert row[:places][: len(left)] == sorted(left, key=lambda i, r=r: (-scores[r, i], i))[:places]
        assert sorted(row[: len(left)]) == left and sorted(row) == list(range(9))


@pytest.mark.parametrize("params", [{"swap_probability": 0.5}, {"dynamic": True, "delta": 0.1}])
def test_what_3pr_shows_after_a_swap_is_the_runner_up(small, params):
    """By its own scores; and D_t of Proposition 6 is what the best movie has more than the runner-up."""
    sim = Simulation(create("perturbed-perceptron", **params), small, "item-alpha", replicates=8, seed=0)
    swaps = 0
    for _ in range(30):
        affirmed, t = sim.learner.affirmed, sim.learner.t
        sim.advance(1)
        step = sim.last
        for r in range(8):
            left = np.flatnonzero(np.isfinite(step.utility[r]))
            scores = step.shown.scores[r]
            first, second = sorted(left.tolist(), key=lambda i, s=scores: (-s[i], i))[:2]
            assert step.shown.predicted[r, :2].tolist() == [first, second]
            swapped = bool(step.shown.pairs.swapped[r, 0])
            assert step.shown.ranking[r, 0] == (second if swapped else first)
            swaps += swapped
            if "dynamic" in params and step.shown.pairs.partner[r, 0] == 1:
                missing, most = 0.1 * t - affirmed[r], float(scores[first]) - float(scores[second])
                expected = np.clip(missing / most, 0, 1) if most > 0 else float(missing >= 0)
                np.testing.assert_allclose(step.shown.swap_probability[r], expected, rtol=1e-5)
    assert swaps > 20


def test_perturbed_without_swaps_is_the_perceptron_with_pair_feedback(small):
    first, second = (
        Simulation(create(id, **params), small, "cascade", replicates=4, seed=3)
        for id, params in (
            ("perturbed-perceptron", {"swap_probability": 0.0}),
            ("preference-perceptron", {"feedback": "pair"}),
        )
    )
    first.advance(30)
    second.advance(30)
    assert np.abs(first.learner.w).max() > 0
    np.testing.assert_array_equal(first.learner.w, second.learner.w)


# ---- sweeps --------------------------------------------------------------------------------------------


def equals_single_runs(learner, data, user, name, values, replicates, steps, **params):
    """Whether each point of a sweep has the bits of a simulation of its own, in every metric."""
    setup = {"learner": create(learner, **params), "dataset": data, "user": user}
    table = sweep(setup, {name: values}, replicates=replicates, seed=5, steps=steps)
    for value, of_value in table.groupby(name):
        theirs = {name: value} if name == "alpha" else {}
        own = {} if theirs else {name: value}
        user_here = create_user(user, **theirs)
        sim = Simulation(create(learner, **params, **own), data, user_here, replicates=replicates, seed=5)
        sim.advance(steps)
        for metric, of in of_value.groupby("metric"):
            np.testing.assert_array_equal(of.value, sim.history.final(metric), err_msg=f"{metric} at {value}")


@pytest.fixture(scope="module")
def movies():
    return load("movies", users=300, movies=700)


@cases("replicates", [1, 2, 3])
@cases(
    "learner, name, values, params",
    [
        ("perturbed-perceptron", "swap_probability", [0.1, 0.5], {}),
        ("perturbed-perceptron", "delta", [0.0, 0.3, 0.6], {"dynamic": True}),
        ("preference-perceptron", "alpha", [0.1, 0.5, 1.0], {}),
        ("averaged-perceptron", "alpha", [0.1, 0.5], {}),
        ("convex-perceptron", "radius", [0.1, 1.0, 10.0], {}),
        ("dueling-bandit", "gamma", [0.1, 1.0, 10.0], {}),
    ],
)
def test_a_sweep_has_the_bits_of_single_runs(movies, learner, name, values, params, replicates):
    """Scores computed from features of 32 bits do not depend on what stands beside in the batch."""
    equals_single_runs(learner, movies, "item-alpha", name, values, replicates, 70, **params)


@cases("replicates", [1, 3])
@cases("learner", sorted({*LEARNERS} - {"random-ranking"}))
def test_a_sweep_with_three_slots_has_the_bits_of_single_runs(learner, replicates):
    equals_single_runs(learner, tiny(n=40, slots=3), "strict-alpha", "alpha", [0.2, 0.5, 0.9], replicates, 30)


def shared(x, replicates, **more):
    """A context in which every replicate is offered the same documents."""
    rows = np.tile(np.arange(len(x)), (replicates, 1))
    return Context(Features.of(x), np.eye(len(x))[0], rows=rows, **more)


@cases("replicates", [1, 7, 64])
def test_scores_do_not_depend_on_the_other_replicates(replicates):
    """Features of every length modulo eight. The sum has eight totals of every eighth product each, which are added in
    pairs, and then the products that are left over."""
    rng = np.random.default_rng(0)
    for d in range(1, 20):
        x, w = rng.normal(size=(33, d)).astype(np.float32), rng.normal(size=(replicates, d))
        alone = np.concatenate([shared(x, 1).scores(row[None]) for row in w])
        np.testing.assert_array_equal(shared(x, replicates).scores(w), alone)
        products, whole = w[:, None, :] * x.astype(float), d - d % 8
        lanes = np.zeros((replicates, 33, 8))
        for j in range(0, whole, 8):
            lanes = lanes + products[..., j : j + 8]
        while lanes.shape[2] > 1:
            lanes = lanes[..., ::2] + lanes[..., 1::2]
        wanted = lanes[..., 0]
        for j in range(whole, d):
            wanted = wanted + products[..., j]
        np.testing.assert_array_equal(alone, wanted)


# ---- the arithmetic of shared candidates -----------------------------------------------------------------


def test_shared_rows_are_the_same_arithmetic():
    """Documents that all replicates share, by their rows, against a copy for each replicate and against NumPy."""
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(8, 3)), rng.normal(size=(4, 3))
    gamma = np.where(np.arange(8) < 2, [1.0, 0.63] + [0.5] * 6, 0.0)
    rows = np.tile(np.arange(8), (4, 1))
    one, copies = Context(Features.of(x), gamma, slots=2, rows=rows), Context(np.tile(x, (4, 1, 1)), gamma, slots=2)
    np.testing.assert_array_equal(one.scores(w), copies.scores(w))
    np.testing.assert_allclose(one.scores(w), w @ x.T)
    a, b = (rng.permuted(np.tile(np.arange(8), (4, 1)), axis=1) for _ in range(2))
    np.testing.assert_array_equal(one.feature_difference(a, b), copies.feature_difference(a, b))
    wanted = np.einsum("s,rsd->rd", gamma[:2], x[a[:, :2]] - x[b[:, :2]])
    np.testing.assert_allclose(one.feature_difference(a, b), wanted, atol=1e-12)
    np.testing.assert_array_equal(one.features, copies.features)


def test_every_document_that_is_left_is_scored():
    """Also those of high number, of which fewer are left than there were."""
    rng = np.random.default_rng(1)
    x, w = rng.normal(size=(9, 4)), rng.normal(size=(2, 4))
    offered = np.array([np.arange(9) >= 6, np.arange(9) % 2 == 0])
    order = np.argsort(~offered, axis=1, kind="stable")
    left = {"lengths": offered.sum(axis=1), "slots": 1, "offered": offered, "order": order}
    context = shared(x, 2, **left)
    np.testing.assert_allclose(context.scores(w), w @ x.T)
    for id in ("preference-perceptron", "dueling-bandit"):
        learner = create(id)
        learner.reset(Shape(4, 9), 2, np.random.default_rng(0))
        learner.w = w
        np.testing.assert_allclose(learner.present(context).scores, w @ x.T)


def test_ranking_of_what_is_offered():
    """With one slot only the first is sorted; ties by number, and what is not offered behind."""
    offered = np.array([[True, False, True, True, False]])
    order = np.argsort(~offered, axis=1, kind="stable")
    scores = np.array([[1.0, 9.0, 2.0, 2.0, 9.0]])
    lengths = np.array([3])
    one = Context(np.zeros((1, 5, 1)), np.eye(5)[0], lengths, 1, offered, order).rank(scores)[0]
    assert one[0] == 2 and set(one[:3]) == {0, 2, 3} and set(one[3:]) == {1, 4}
    two = Context(np.zeros((1, 5, 1)), np.ones(5), lengths, 2, offered, order).rank(scores)[0]
    assert two.tolist() == [2, 3, 0, 1, 4]


def test_long_lists_have_the_same_top_ten():
    """Lists of 60 and of 15 documents, of which ten and seven are marked, ties by number."""
    rng = np.random.default_rng(0)
    for scores in (rng.normal(size=(4, 2, 60)), rng.integers(0, 4, (4, 2, 60)).astype(float)):
        lengths, found = np.array([60, 15]), np.zeros((4, 2, 60), dtype=bool)
        for r in range(4):  # one feature, the score itself
            x, rows = Features.of(scores[r].reshape(-1, 1)), np.arange(120).reshape(2, 60)
            room = np.empty(60), np.empty(10, dtype=np.int64)
            no_pairs = np.zeros(3, dtype=np.int64), np.zeros((0, 2), dtype=np.int64)
            order = np.zeros((1, 0), dtype=np.int8)
            look_at(x, rows, lengths, *no_pairs, np.ones((1, 1)), found[r : r + 1], order, *room)
        scores[:, 1, 15:] = -np.inf
        order = np.argsort(-scores, axis=-1, kind="stable")
        expected = np.zeros(scores.shape, dtype=bool)
        np.put_along_axis(
            expected, order, np.broadcast_to(np.arange(60) < np.array([[10], [7]]), scores.shape), axis=-1
        )
        np.testing.assert_array_equal(found, expected)


def test_the_discounts_in_bounds_follow_the_slots():
    """γ = 1, .631, .5, …: the smallest ratio .631 and the largest drop .369; with two slots of five .631 falls to 0."""
    seen = []
    rng = np.random.default_rng(0)
    plain = RankingData("plain", {}, rng.normal(size=(10, 3)), np.array([0, 5, 10]), np.ones((1, 10)))
    for data in (plain, dataclasses.replace(plain, slots=2)):
        with pytest.MonkeyPatch.context() as patch:
            bound = dataclasses.replace(
                BOUNDS["proposition-5"], evaluate=lambda m: seen.append((m.ratio, m.drop)) or m.t
            )
            patch.setitem(BOUNDS, "proposition-5", bound)
            Simulation("perturbed-perceptron", data, "cascade").advance(1)
    np.testing.assert_allclose(seen, [(0.63093, 0.36907), (0.0, 0.63093)], atol=1e-5)
