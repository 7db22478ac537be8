"""The adversary of [C] Lemma 3 by hand, against every ranking learner and arbitrary ones, and its user."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import catalogue, create
from learners.adversary import Adversary
from learners.ranking.base import RankingLearner, Shown
from tests.cases import cases
from tests.learners.run.problems import same

IDS = [info.id for info in catalogue() if info.family == "ranking" and not info.learner.fixed_list]


@dataclass(kw_only=True)
class Arbitrary(RankingLearner):
    """A learner that presents the objects of a plan (T, R), each 0 or 1."""

    id = "arbitrary"

    def __init__(self, plan):
        self.plan = plan

    def present(self, context):
        first = self.plan[int(context.features[0, 0].argmax())]
        ranking = np.stack([first, 1 - first], axis=1)
        return Shown(ranking, ranking)

    def update(self, context, shown, feedback):
        return feedback.ranking


def played(learner, horizon, replicates=2, seed=0, **more):
    """Return the adversary at its end, and all its moves."""
    adversary = Adversary(learner, horizon, replicates, seed, **more)
    return adversary, list(adversary)


def test_four_steps_by_hand():
    """w = 0 ties, so that +e_t is presented at each step, and −e_t is answered: w_{t+1} = w_t − 2 e_t. The user is
    w* = −(½, ½, ½, ½); presenting +e_t has the utility −½, −e_t has ½: the regret of a step is 1, as 2/√4 is. Theorem 1
    allows 2/√t: 2, 1.41, 1.15, 1. With the user of the horizon t, a step costs 2/√t.
    """
    adversary, moves = played("preference-perceptron", 4, replicates=1)
    assert [move.presented.tolist() for move in moves] == [[1]] * 4
    assert [move.feedback_ranking.tolist() for move in moves] == [[[1, 0]]] * 4
    assert moves[2].before.tolist() == [[-2, -2, 0, 0]] and moves[2].after.tolist() == [[-2, -2, -2, 0]]
    assert adversary.weights.tolist() == [[-0.5] * 4]
    history = adversary.history
    assert history["average-regret"][:, 0].tolist() == [1, 1, 1, 1] == history["lower-bound"][:, 0].tolist()
    assert history["cumulative-regret"][:, 0].tolist() == [1, 2, 3, 4] == history["mistakes"][:, 0].tolist()
    by_horizon = [2, 2 / 2**0.5, 2 / 3**0.5, 1]
    for name in ("bound", "average-regret-by-horizon", "lower-bound-by-horizon"):
        np.testing.assert_allclose(history[name][:, 0], by_horizon, rtol=1e-15)
    np.testing.assert_allclose(history["weight-norm"][:, 0], [2, 8**0.5, 12**0.5, 4])


def regrets(adversary, moves):
    """Return the regret of each step (T, R), from φ(x, y) = y x and the user at the end, and that user."""
    user = adversary.weights
    values = []
    for move in moves:
        x = np.zeros(adversary.horizon)
        x[move.t - 1] = 1.0
        best = np.maximum(user @ x, user @ -x)
        values.append(best - user @ x * np.where(move.shown.ranking[:, 0] == 0, 1, -1))
        # the answer is the best object for that user: 1-informative
        np.testing.assert_array_equal(user @ x * move.wanted, best)
    return np.array(values), user


@pytest.mark.parametrize("id", IDS)
@settings(max_examples=3, deadline=None)
@given(horizon=st.integers(1, 70), seed=st.integers(0, 10**6))
def test_every_learner_suffers(id, horizon, seed):
    """The average regret is 2/√T on every run, for one user of length 1 who explains all the answers. As the user is
    chosen last, this holds for learners that randomise as well."""
    adversary, moves = played(id, horizon, replicates=3, seed=seed)
    values, user = regrets(adversary, moves)
    np.testing.assert_allclose(np.linalg.norm(user, axis=1), 1)
    np.testing.assert_allclose(values.mean(axis=0), 2 / np.sqrt(horizon))
    history = adversary.history
    assert (history["average-regret"] >= history["lower-bound"]).all()
    assert (history["average-regret-by-horizon"] >= history["lower-bound-by-horizon"]).all()
    np.testing.assert_allclose(history["cumulative-regret"], values.cumsum(axis=0))
    if "theorem-1" in create(id).bounds:  # at the horizon the upper bound equals the lower one
        assert (history["average-regret"] <= history["bound"] * (1 + 1e-15)).all()
        np.testing.assert_allclose(history["bound"][-1], history["lower-bound"][-1])


@settings(max_examples=40, deadline=None)
@given(horizon=st.integers(1, 60), seed=st.integers(0, 10**6))
def test_whatever_is_presented(horizon, seed):
    plan = np.random.default_rng(seed).integers(0, 2, size=(horizon, 4))
    adversary, moves = played(Arbitrary(plan), horizon, replicates=4)
    # each entry contradicts what was presented
    np.testing.assert_allclose(adversary.weights * np.sqrt(horizon), (2 * plan - 1).T)
    values, _ = regrets(adversary, moves)
    np.testing.assert_allclose(values.mean(axis=0), 2 / np.sqrt(horizon))


@cases("id", IDS)
def test_a_user_drawn_beforehand_costs_half_as_much_in_expectation(id):
    """A share of ½ ± 5/√(4RT) of R·T independent fair coins is wrong."""
    horizon, replicates = 40, 60
    adversary, moves = played(id, horizon, replicates, seed=3, sees="nothing")
    values, user = regrets(adversary, moves)
    np.testing.assert_allclose(np.linalg.norm(user, axis=1), 1)
    np.testing.assert_allclose(adversary.history["average-regret"][-1], values.mean(axis=0))
    share = values.mean() * np.sqrt(horizon) / 2
    assert abs(share - 0.5) < 5 / np.sqrt(4 * replicates * horizon)
    assert adversary.history["lower-bound"][-1, 0] == pytest.approx(1 / np.sqrt(horizon))
    right = [(move.wanted == move.presented) for move in moves]
    for move, kept in zip(moves, right, strict=True):  # a right answer is confirmed
        if create(id).hears != "nothing":
            assert (move.feedback_ranking[kept] == move.shown.ranking[kept]).all()


@cases("id", IDS)
@cases("sees", ["shown", "nothing"])
def test_blocks_of_steps_equal_steps_one_by_one(id, sees):
    """A learner with a method of its own plays step by step; the numbers are the same."""
    cls = type(create(id))
    by_hand = type(cls.__name__, (cls,), {"present": lambda self, context: cls.present(self, context)})
    fast, slow = (Adversary(learner, 70, 3, seed=5, sees=sees) for learner in (create(id), by_hand()))
    for game in (fast, slow):
        game.advance()
    np.testing.assert_array_equal(fast.weights, slow.weights)
    for name in fast.history:
        np.testing.assert_allclose(fast.history[name], slow.history[name], rtol=1e-12, err_msg=name)
    same(fast.last, slow.last)


def test_the_dueling_bandit_hears_nothing_of_the_object_it_did_not_present():
    """There is one place on the page, and the adversary never wants what stands there."""
    adversary, moves = played("dueling-bandit", 50, replicates=3)
    assert not adversary.learner.w.any() and len({move.presented.tolist()[0] for move in moves}) == 2


@pytest.mark.parametrize("sees", ["shown", "nothing"])
def test_slices_and_reset_repeat_the_run(sees):
    whole = Adversary("perturbed-perceptron", 150, 3, seed=5, sees=sees)
    whole.advance()
    sliced = Adversary("perturbed-perceptron", 150, 3, seed=5, sees=sees)
    for size in (1, 70, 0, 40, 100):
        sliced.advance(size)
    assert whole.done and sliced.done and sliced.t == 150
    first = {name: values.copy() for name, values in whole.history.items()}
    whole.reset()
    assert whole.t == 0 and whole.last is None and not whole.weights.any()
    whole.advance(seconds=60)
    for name, values in first.items():
        np.testing.assert_array_equal(values, sliced.history[name])
        np.testing.assert_array_equal(values, whole.history[name])
    whole.advance(5)  # at the end nothing more happens
    assert whole.t == 150 and len(whole.history["mistakes"]) == 150


@cases(
    "given, sentence",
    [
        (("preference-perceptron", 0), "horizon must be a whole number of at least 1 and at most 100,000, got 0"),
        (("preference-perceptron", 1.5), "horizon must be a whole number of at least 1 and at most 100,000, got 1.5"),
        (
            ("preference-perceptron", 9, 0),
            "replicates must be a whole number of at least 1 and at most 1,000,000,000,000, got 0",
        ),
        (("preference-perceptron", 9, 1, -1), "seed must be a whole number of at least 0, got -1"),
        (("preference-perceptron", 9, 1, 0, "all"), "sees must be one of shown, nothing, got all"),
        (("banditron", 9), "the adversary plays against learners of the ranking family, got banditron"),
        (
            ("preference-perceptron", 100_000, 5000),
            "5,000 replicates of preference-perceptron with a horizon of 100,000 need 4.0 GB of memory; "
            "at most 2 GB are allowed",
        ),
    ],
)
def test_what_is_not_allowed_is_refused_in_a_sentence(given, sentence):
    with pytest.raises(ValueError) as error:
        Adversary(*given)
    assert str(error.value) == sentence
