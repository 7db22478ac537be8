"""The regret bounds: numbers worked out by hand, and bounds that no run may break."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import load
from datasets.ranking import RankingData, discounts
from learners import Simulation, create, create_user
from learners.theory import Measured, proposition_5, proposition_6, theorem_1, theorem_2
from learners.theory.regret import REGRET_BOUNDS


def measured(t=100.0, slack=0.0, affirmed=0.0, **others):
    """R = 3 and ‖w*‖ = 2 unless given."""
    one = np.array([[1.0]])
    given = {"radius": 3.0, "optimum": np.array([2.0])} | others
    return Measured(t * one, slack * one, affirmed * one, **given)


# ---- by hand ------------------------------------------------------------------------------------------


def test_theorem_1_by_hand():
    """T = 100: 2·3·2/10 = 1.2. With α = ½ and a mean slack of .3: (.3 + 1.2)/½ = 3; of −.3: (−.3 + 1.2)/½ = 1.8.
    With ‖w₁‖ = 80, w₁·w* = 20: √(4·9·100 + 6400) = 100, (.3 + (100·2 − 20)/100)/½ = 4.2."""
    assert theorem_1(measured())[0, 0] == pytest.approx(1.2)
    assert theorem_1(measured(slack=0.3, alpha=0.5))[0, 0] == pytest.approx(3.0)
    assert theorem_1(measured(slack=-0.3, alpha=0.5))[0, 0] == pytest.approx(1.8)
    assert theorem_1(measured(slack=0.3, alpha=0.5, start_norm=80.0, start_product=20.0))[0, 0] == pytest.approx(4.2)


def test_theorem_2_by_hand():
    """Δ = 14: √(36 + 28) = 8, 8·2/10 = 1.6; Δ = −10: √16·2/10 = .8; Δ = −18.1, the root is 0. α = ½, slack .2:
    (.2 + 1.6)/½ = 3.6. With ‖w₁‖ = 60: √(64·100 + 3600) = 100, so 2 − .2 with w₁·w* = 20."""
    assert theorem_2(measured())[0, 0] == pytest.approx(1.2)  # Δ = 0: Theorem 1
    assert theorem_2(measured(affirmed=14.0))[0, 0] == pytest.approx(1.6)
    assert theorem_2(measured(affirmed=-10.0))[0, 0] == pytest.approx(0.8)
    assert theorem_2(measured(affirmed=-18.1))[0, 0] == 0
    assert theorem_2(measured(affirmed=14.0, slack=0.2, alpha=0.5))[0, 0] == pytest.approx(3.6)
    assert theorem_2(measured(affirmed=14.0, start_norm=60.0, start_product=20.0))[0, 0] == pytest.approx(1.8)


def test_proposition_5_by_hand():
    """γ₂/γ₁ = .63093, p = ½: β = .184535. With T = 100, slack .1, R‖w*‖ = 6:
    .1 + 6·.184535 + √(2·(4 − .034053))·6/10 = .1 + 1.107210 + 2.816371·.6 = 2.897033. p = 0: √8·.6 = 1.697056."""
    value = proposition_5(measured(slack=0.1, swap_probability=0.5))[0, 0]
    assert value == pytest.approx(2.897033, abs=1e-5)
    assert proposition_5(measured())[0, 0] == pytest.approx(1.697056, abs=1e-6)
    assert proposition_5(measured(slack=0.1, swap_probability=0.5, alpha=0.25))[0, 0] == pytest.approx(4 * value)


def test_proposition_6_by_hand():
    """Δ = 14: 4R² + 2Δ = 64, √(64/100) = .8; γ₁ − γ₂ = .36907; √(64 + .36907·3·.8) = √64.885768 = 8.055170;
    2/10 of it is 1.611034; with slack .1 and α = ½ (.1 + 1.611034)·2 = 3.422068."""
    assert proposition_6(measured(delta=14.0))[0, 0] == pytest.approx(1.611034, abs=1e-5)
    assert proposition_6(measured(delta=14.0, slack=0.1, alpha=0.5))[0, 0] == pytest.approx(3.422068, abs=1e-5)


@pytest.mark.parametrize("id", list(REGRET_BOUNDS))
def test_bounds_take_one_value_a_replicate(id):
    """(B, 1) steps and (B, R) measurements, with α, p, Δ and w₁·w* of shape (R,), as alone."""
    rng = np.random.default_rng(0)
    t = np.arange(1, 6.0)[:, None]
    slack, affirmed = rng.normal(size=(5, 3)), rng.normal(size=(5, 3))
    each = {name: rng.uniform(0.1, 1, size=3) for name in ("optimum", "alpha", "start_product", "delta")}
    p = rng.random((5, 3))
    together = REGRET_BOUNDS[id].evaluate(Measured(t, slack, affirmed, 2.0, start_norm=0.5, swap_probability=p, **each))
    assert together.shape == (5, 3)
    for b in range(5):
        for r in range(3):
            one = {name: values[r : r + 1] for name, values in each.items()}
            alone = Measured(
                t[b : b + 1], slack[b : b + 1, r : r + 1], affirmed[b : b + 1, r : r + 1], 2.0,
                start_norm=0.5, swap_probability=p[b : b + 1, r : r + 1], **one,
            )  # fmt: skip
            assert REGRET_BOUNDS[id].evaluate(alone)[0, 0] == pytest.approx(together[b, r])


def test_bounds_of_a_run_are_made_of_what_happened():
    """The toy, n = 3, w₁ = [1, −1], w* = [1, −1], one step with a user who always errs: d1 at rank 2 is clicked and
    swapped to the top, ȳ = 1 0 2. γ = 1, γ₂ = .63093, γ₃ = ½.

    Regret 0. Gain U(ȳ) − U(y) = 2γ₂ − 2 = −.738140, slack 0 + .738140. R = Σγ = 2.130930, ‖w*‖ = √2, ‖w₁‖² = 2,
    w₁·w* = 2. Bound: .738140 + √(4R² + 2)·√2 − 2 = .738140 + 4.490373·1.414214 − 2 = 5.088486.
    """
    data = load("toy-ranking", documents=3)
    sim = Simulation(create("preference-perceptron", feedback="swap"), data, create_user("cascade", noise=1.0))
    sim.advance(1)
    gamma_2 = discounts(2)[1]
    assert sim.history["average-regret"][0, 0] == 0
    radius = 1.5 + gamma_2
    wanted = 2 - 2 * gamma_2 + np.sqrt(4 * radius**2 + 2) * np.sqrt(2) - 2
    assert sim.history["bound"][0, 0] == pytest.approx(wanted)
    assert wanted == pytest.approx(5.088486, abs=1e-5)
    assert np.isnan(sim.history["bound-a-priori"]).all()


def test_slacks_are_measured_at_the_users_own_alpha():
    """ξ = α (U(y*) − U(y)) − (U(ȳ) − U(y)), added up here from the records of the steps, for an α of each replicate."""
    alphas, data = np.array([0.1, 0.5, 1.0]), load("web-search", queries=30, documents=9, features=5, lengths="varied")
    user = create_user("strict-alpha", alpha=alphas)
    sim = Simulation("preference-perceptron", data, user, replicates=3, seed=1)
    slack, gamma = np.zeros(3), discounts(data.longest)
    for _, step in zip(range(40), sim, strict=False):
        for r, n in enumerate(step.lengths):
            utility = step.utility[r, :n]
            best = -np.sort(-utility) @ gamma[:n]
            shown, improved = (utility[y[r, :n]] @ gamma[:n] for y in (step.shown.ranking, step.feedback_ranking))
            slack[r] += alphas[r] * (best - shown) - (improved - shown)
        wanted = (slack / step.t + 2 * data.radius * np.linalg.norm(data.weights) / np.sqrt(step.t)) / alphas
        np.testing.assert_allclose(sim.history["bound"][-1], wanted)
    assert (np.abs(slack) > 0.1).all()


# ---- no run may break them ------------------------------------------------------------------------------


@st.composite
def worlds(draw):
    """Random data: lengths equal or not, several tasks, any w* and w₁ (short or long, for or against w*)."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    queries, d, tasks = draw(st.integers(1, 12)), draw(st.integers(1, 5)), draw(st.integers(1, 2))
    lengths = rng.integers(2, 13, size=queries) if draw(st.booleans()) else np.full(queries, rng.integers(2, 13))
    starts = np.concatenate([[0], np.cumsum(lengths)])
    features = rng.normal(size=(starts[-1], d)) * 10.0 ** rng.integers(-1, 2)
    best = rng.normal(size=(tasks, d)) * 10.0 ** rng.integers(-1, 2)
    first = draw(st.sampled_from([None, 0.1, 3.0, -3.0]))
    return RankingData(
        "random", {}, features, starts, rng.integers(0, 5, size=(tasks, starts[-1])).astype(float),
        weights=best if draw(st.booleans()) else None,
        initial_weights=None if first is None else first * best[0] + rng.normal(size=d),
        task_names=("one", "two")[:tasks],
    )  # fmt: skip


users = st.one_of(
    st.builds(lambda x: create_user("cascade", noise=x), st.sampled_from([0.0, 0.2, 0.5, [0.0, 0.3, 0.9]])),
    st.builds(lambda x: create_user("scan", noise=x), st.floats(0, 1)),
    st.builds(lambda x: create_user("noisy-grades", sigma=x), st.floats(0, 3)),
    st.builds(lambda x: create_user("strict-alpha", alpha=x), st.sampled_from([0.1, 1.0, [0.05, 0.5, 1.0]])),
    st.just(create_user("expert")),
)
bounded = st.sampled_from(
    [
        ("preference-perceptron", {"feedback": "top"}),
        ("preference-perceptron", {"feedback": "swap"}),
        ("preference-perceptron", {"feedback": "pair"}),
        ("structured-perceptron", {"optimal": "grades"}),
        ("structured-perceptron", {"optimal": "utility"}),
        ("perturbed-perceptron", {"swap_probability": 0.5}),
        ("perturbed-perceptron", {"swap_probability": [0.0, 0.3, 1.0]}),
        ("perturbed-perceptron", {"dynamic": True, "delta": 0.5}),
        ("perturbed-perceptron", {"dynamic": True, "delta": [0.0, 0.1, 10.0]}),
    ]
)


@settings(max_examples=70, deadline=None)
@given(worlds(), users, bounded, st.integers(0, 1000))
def test_theorems_1_and_2_hold_on_every_prefix(data, user, learner, seed):
    sim = Simulation(create(learner[0], **learner[1]), data, user, replicates=3, seed=seed)
    sim.advance(80)
    regret, bound = sim.history["average-regret"], sim.history["bound"]
    room = 1e-9 * (1 + np.abs(bound))
    assert (regret <= bound + room).all()
    assert (regret >= -room).all()


def test_bounds_do_not_hold_for_free():
    """On the toy the slacks are what keeps Theorem 1 true: without them the swapping perceptron breaks it."""
    data = load("toy-ranking", documents=10)
    sim = Simulation(create("preference-perceptron", feedback="swap"), data, "cascade", replicates=20, seed=0)
    sim.advance(1000)
    steps = np.arange(1, 1001)[:, None]
    regret, bound = sim.history["average-regret"], sim.history["bound"]
    without = (np.sqrt(4 * data.radius**2 * steps + 2) * np.sqrt(2) - 2) / steps
    assert (regret <= bound).all() and (regret[-1] > without[-1]).all()
