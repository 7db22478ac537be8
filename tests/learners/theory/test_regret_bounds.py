"""Bounds on regret, worked out by hand, and what every bound declares and records."""

import numpy as np
import pytest

from datasets import load
from datasets.ranking import discounts
from learners import Simulation, catalogue, create, create_user
from learners.catalogue import works
from learners.ranking.measured.measurement import RECORDED
from learners.theory import (
    BOUNDS,
    Convex,
    Measured,
    bounds_by_metric,
    lemma_4,
    proposition_5,
    proposition_6,
    theorem_1,
    theorem_2,
    theorem_5,
    theorem_6,
    theorem_6_linear,
    theorem_8,
    theorem_8_linear,
)
from learners.theory.convex import CONVEX_BOUNDS
from learners.theory.regret import REGRET_BOUNDS
from tests.cases import cases


def measured(t=100.0, slack=0.0, affirmed=0.0, **others):
    """R = 3 and ‖w*‖ = 2 unless given."""
    one = np.array([[1.0]])
    given = {"radius": 3.0, "optimum": np.array([2.0])} | others
    return Measured(t * one, slack * one, affirmed * one, **given)


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


def test_lemma_4_by_hand():
    """k = 25 is Theorem 1 with 5 times the second part: 1.2 · 5 = 6; with α = ½ and slack .3: (.3 + 6)/½ = 12.6.
    With ‖w₁‖ = 80 and w₁·w* = 20, k = 4: √(4·9·4·100 + 6400) = 144.222051, (144.222051·2 − 20)/100 = 2.684441."""
    assert lemma_4(measured())[0, 0] == theorem_1(measured())[0, 0]
    assert lemma_4(measured(k=25))[0, 0] == pytest.approx(6.0)
    assert lemma_4(measured(k=25, slack=0.3, alpha=0.5))[0, 0] == pytest.approx(12.6)
    started = measured(k=4, start_norm=80.0, start_product=20.0)
    assert lemma_4(started)[0, 0] == pytest.approx(2.684441, abs=1e-6)


def test_theorem_5_by_hand():
    """S = 3, ‖w*‖₁ = 2, d = 4, log 8 = 2.079442. At T = 100: 2·2·3·(2.079442 + 1)/10 = 3.695330. At step 25 of it:
    2·2·3·(2.079442·10/25 + 1/10) = 11.181319. With slack .3 and α = ½ at T: (.3 + 3.695330)/½ = 7.990660."""
    world = {"one_norm": np.array([2.0]), "largest": 3.0, "features": 4, "horizon": 100}
    assert theorem_5(measured(**world))[0, 0] == pytest.approx(3.695330, abs=1e-6)
    assert theorem_5(measured(25.0, **world))[0, 0] == pytest.approx(11.181319, abs=1e-5)
    assert theorem_5(measured(slack=0.3, alpha=0.5, **world))[0, 0] == pytest.approx(7.990660, abs=1e-6)


def convex(**others):
    """ξ⁺ = .1 and ξ⁺² = .04 on average, gaps up to 4, gains / α up to 5, M = 6, a ball of radius 2."""
    one = np.array([[1.0]])
    given = {"gap": 4 * one, "reach": 5 * one, "best": np.array([6.0]), "ball": 2.0} | others
    return Convex(0.1 * one, 0.04 * one, **given)


def test_theorem_6_by_hand():
    """|B| = 16, T = 100, R = 3: .1·2 + 16/20 + 16/100 + 36/10 = 4.76; G = 2·(6 + 4) = 20: 95.2, with α = ½ twice that.
    Linear, G = 1: 4.76. Nothing is said where ‖w*‖ = 2 is longer than the radius."""
    assert theorem_6(measured(convex=convex()))[0, 0] == pytest.approx(95.2)
    assert theorem_6(measured(convex=convex(), alpha=0.5))[0, 0] == pytest.approx(190.4)
    assert theorem_6_linear(measured(convex=convex()))[0, 0] == pytest.approx(4.76)
    assert np.isnan(theorem_6(measured(convex=convex(ball=1.9)))).all()
    with pytest.raises(ValueError, match="convex"):
        theorem_6(measured())


def test_theorem_8_by_hand():
    """λ = 2, G = 2·(6 + 5) = 22, γ = 1/11 = λ/G, ε = ½, N = 4, T = 100, |B| = 16, R = 3, α = 1:
    .04 + 2·22·.1 + 22·½·16/100 + 22·4·11/200 · log(4·9·100/11/½ + 1) = .04 + 4.4 + 1.76 + 4.84·6.483616 = 37.580703.
    With γ = 1 and a mean of .3 of ((w* − w)·Δ)²: 22·4/200·log(7201) = 3.908167, and 11·(1 − 1/11)·.3 = 3 is added,
    as is .7 where the loss rose: .04 + 4.4 + 1.76 + 3.908167 + 3 + .7 = 13.808167. Divided by 2M = 12 for the regret.
    """
    of = {"features": 4}
    exact = theorem_8(measured(convex=convex(gamma=1 / 11, epsilon=0.5), **of))[0, 0]
    assert exact == pytest.approx(6.2 + 4.84 * np.log(3600 / 5.5 + 1)) == pytest.approx(37.5852, abs=1e-2)
    lacking = measured(convex=convex(gamma=1.0, epsilon=0.5, turned=0.3, beyond=0.7), **of)
    assert theorem_8(lacking)[0, 0] == pytest.approx(6.2 + 0.44 * np.log(7201) + 3 + 0.7)
    assert theorem_8_linear(lacking)[0, 0] == pytest.approx((6.2 + 0.44 * np.log(7201) + 3.7) / 12)
    half = measured(convex=convex(gamma=1 / 11, epsilon=0.5), alpha=0.5, **of)
    assert theorem_8(half)[0, 0] == pytest.approx(0.16 + 2 * (4.4 + 1.76 + 4.84 * np.log(3600 / 5.5 + 1)))
    assert np.isnan(theorem_8(measured(convex=convex(ball=1.9), **of))).all()


@cases("id", list(CONVEX_BOUNDS))
def test_convex_bounds_take_one_value_a_replicate(id):
    rng = np.random.default_rng(0)
    t, values = np.arange(1, 6.0)[:, None], {n: rng.random((5, 3)) for n in ("clipped", "squared", "gap", "reach")}
    each = {n: rng.uniform(0.1, 1, size=3) for n in ("best", "gamma", "epsilon")} | {"ball": np.array([0.2, 1.0, 3.0])}
    alpha, optimum = rng.uniform(0.1, 1, size=3), np.array([0.5, 0.5, 0.5])
    zero = np.zeros((5, 3))
    bound = BOUNDS[id].evaluate
    together = bound(Measured(t, zero, zero, 2.0, optimum, alpha, features=3, convex=Convex(**values, **each)))
    assert together.shape == (5, 3) and np.isnan(together[:, 0]).all() and np.isfinite(together[:, 1:]).all()
    for r in (1, 2):
        own = Convex(**{n: v[:, r : r + 1] for n, v in values.items()}, **{n: v[r : r + 1] for n, v in each.items()})
        alone = Measured(t, zero, zero, 2.0, optimum[r : r + 1], alpha[r : r + 1], features=3, convex=own)
        np.testing.assert_allclose(bound(alone)[:, 0], together[:, r])


@cases("id", list(BOUNDS))
def test_bounds_say_what_they_are(id):
    """And their titles name the authors, not the key of the paper."""
    bound = BOUNDS[id]
    assert bound.note.rstrip(")").endswith(".")  # or a sentence in brackets
    assert bound.symbols and bound.words and bound.bounded
    assert bound.formula.count("{") == bound.formula.count("}")
    assert bound.record in RECORDED
    first_author = works()[bound.paper].split()[0].strip(",.")
    assert bound.title.startswith(f"{bound.statement} of {first_author}") and "[" not in bound.title


def test_each_bound_has_a_metric_of_its_own():
    assert bounds_by_metric(()) == {}
    assert bounds_by_metric(("theorem-2", "proposition-6")) == {"bound": "theorem-2", "bound-a-priori": "proposition-6"}
    assert bounds_by_metric(("theorem-6-linear", "theorem-6")) == {
        "bound": "theorem-6-linear",
        "bound-convex": "theorem-6",
    }
    assert bounds_by_metric(("theorem-1", "corollary-2")) == {"bound": "theorem-1", "bound-a-priori": "corollary-2"}
    with pytest.raises(ValueError, match="one bound recorded as bound-a-priori, got corollary-2 and lemma-4"):
        bounds_by_metric(("theorem-1", "corollary-2", "lemma-4"))


@cases("id", [info.id for info in catalogue()])
def test_every_learner_s_bounds_can_be_recorded(id):
    ids = create(id).bounds
    assert sorted(bounds_by_metric(ids).values()) == sorted(ids)


def test_only_the_propositions_are_stated_for_zero_starting_weights_alone():
    """The toy starts at w₁ = (1, −1) unless told otherwise. Only from 0 Proposition 5 is recorded."""
    assert {id for id, bound in BOUNDS.items() if bound.zero_start} == {"proposition-5", "proposition-6"}
    for initial, recorded in (((1.0, -1.0), False), ((0.0, 0.0), True)):
        sim = Simulation("perturbed-perceptron", load("toy-ranking", documents=3, initial_weights=initial), "cascade")
        sim.advance(3)
        assert np.isfinite(sim.history["bound"]).all()
        assert np.isfinite(sim.history["bound-a-priori"]).all() == recorded


@cases("id", list(REGRET_BOUNDS))
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
            at, one = np.s_[b : b + 1, r : r + 1], {name: values[r : r + 1] for name, values in each.items()}
            alone = Measured(t[b : b + 1], slack[at], affirmed[at], 2.0, start_norm=0.5, swap_probability=p[at], **one)
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
