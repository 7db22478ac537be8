"""Bounds on regret that no run may break."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import load
from datasets.ranking import RankingData
from learners import Simulation, create, create_user
from learners.theory import BOUNDS, Measured
from tests.strategies import amounts


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
        "random",
        {},
        features,
        starts,
        rng.integers(0, 5, size=(tasks, starts[-1])).astype(float),
        weights=best if draw(st.booleans()) else None,
        initial_weights=None if first is None else first * best[0] + rng.normal(size=d),
        task_names=("one", "two")[:tasks],
    )


users = st.one_of(
    st.builds(lambda x: create_user("cascade", noise=x), st.sampled_from([0.0, 0.2, 0.5, [0.0, 0.3, 0.9]])),
    st.builds(lambda x: create_user("scan", noise=x), amounts(1)),
    st.builds(lambda x: create_user("noisy-grades", sigma=x), amounts(3)),
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


convex_learners = st.one_of(
    st.builds(
        lambda k, how: ("batch-perceptron", {"k": k, "feedback": how}),
        st.sampled_from([1, 2, 7, 100, [1, 5, 30]]),
        st.sampled_from(["top", "swap", "pair"]),
    ),
    st.builds(
        lambda t: ("exponentiated-perceptron", {"horizon": t}), st.sampled_from([1, 20, 80, 5000, [1, 80, 10**6]])
    ),
    st.builds(lambda x: ("convex-perceptron", {"radius": x}), st.sampled_from([1.0, 100.0, [0.3, 3.0, 30.0]])),
    st.builds(
        lambda g, e, x: ("second-order-perceptron", {"gamma": g, "epsilon": e, "radius": x}),
        st.sampled_from([1e-4, 0.01, 1.0, 30.0, [1e-4, 0.01, 1.0]]),
        st.sampled_from([1e-3, 1.0, 100.0]),
        st.sampled_from([1.0, 30.0, [0.3, 3.0, 30.0]]),
    ),
)


@settings(max_examples=60, deadline=None)
@given(worlds(), users, convex_learners, st.integers(0, 1000))
def test_lemma_4_and_theorems_5_6_and_8_hold_on_every_prefix(data, user, learner, seed):
    """For every user, at its own α; where w* is longer than the radius nothing is said."""
    sim = Simulation(create(learner[0], **learner[1]), data, user, replicates=3, seed=seed)
    sim.advance(80)
    radius = np.broadcast_to(getattr(sim.learner, "radius", np.inf), 3)
    inside = np.linalg.norm(data.weights, axis=1)[np.arange(3) % data.tasks] <= radius
    assert sim.learner.bounds
    measured_by = {"bound": "average-regret", "bound-convex": "average-convex-regret"}
    for id in sim.learner.bounds:
        metric = BOUNDS[id].record
        bound, regret = sim.history[metric], sim.history[measured_by[metric]]
        assert (np.isnan(bound) == ~inside).all()
        room = 1e-9 * (1 + np.abs(bound))
        assert (regret <= bound + room)[:, inside].all(), id


@settings(max_examples=40, deadline=None)
@given(worlds(), st.sampled_from([0.1, 0.5, 1.0]), convex_learners, st.integers(0, 1000))
def test_bounds_hold_for_a_strict_user_of_any_alpha(data, alpha, learner, seed):
    sim = Simulation(create(learner[0], **learner[1]), data, create_user("strict-alpha", alpha=alpha), 3, seed)
    sim.advance(60)
    for metric, regret in (("bound", "average-regret"), ("bound-convex", "average-convex-regret")):
        bound = sim.history[metric]
        assert (np.isnan(bound) | (sim.history[regret] <= bound + 1e-9 * (1 + np.abs(bound)))).all()


def test_theorem_8_alone_holds_where_its_conditions_do():
    """γ below λ/G and a ball no larger than w* must have: nothing that its proof lacks is added."""
    data = load("web-search", queries=50, documents=6, features=4)
    ball = float(np.linalg.norm(data.weights)) * 1.000001
    sim = Simulation(
        create("second-order-perceptron", gamma=1 / (8 * data.radius * ball), epsilon=1.0, radius=ball),
        data,
        create_user("strict-alpha", alpha=1.0),
        replicates=5,
        megabytes=0,  # for what follows cannot be kept
    )
    seen = []
    inner = sim.environment.measures._loss
    measure = inner.measured
    inner.measured = lambda *args: seen.append(measure(*args)) or seen[-1]
    sim.advance(300)
    for c in seen:
        assert (np.asarray(c.gamma) <= 2 / (2 * (c.best + c.reach))).all() and not np.any(c.beyond)
    assert (sim.history["average-convex-regret"] <= sim.history["bound-convex"]).all()


def test_corollary_2_holds_for_the_means_over_replicates():
    """The bound of the means, with measured slacks in place of the expected ones."""
    data = load("web-search", queries=100, documents=8, features=6)
    sim = Simulation("preference-perceptron", data, create_user("cascade", noise=0.3), replicates=40, seed=0)
    sim.advance(200)
    steps = np.arange(1, 201.0)[:, None]
    slack = sim.history["slack"].cumsum(axis=0) / steps
    optimum = np.linalg.norm(data.weights, axis=1)
    bound = BOUNDS["corollary-2"].evaluate(
        Measured(steps, slack.mean(axis=1, keepdims=True), 0 * steps, data.radius, optimum)
    )
    assert (sim.history["average-regret"].mean(axis=1, keepdims=True) <= bound).all()


def test_learners_without_a_theorem_show_none():
    """A variable rate, and the mean of all weights."""
    assert create("exponentiated-perceptron", rate="variable").bounds == create("averaged-perceptron").bounds == ()
    sim = Simulation(create("exponentiated-perceptron", rate="variable"), "toy-ranking", "cascade")
    sim.advance(3)
    assert all(np.isnan(sim.history[metric]).all() for metric in ("bound", "bound-a-priori", "bound-convex"))


def test_bounds_do_not_hold_for_free():
    """On the toy the slacks are what keeps Theorem 1 true: without them the swapping perceptron breaks it."""
    data = load("toy-ranking", documents=10)
    sim = Simulation(create("preference-perceptron", feedback="swap"), data, "cascade", replicates=20, seed=0)
    sim.advance(1000)
    steps = np.arange(1, 1001)[:, None]
    regret, bound = sim.history["average-regret"], sim.history["bound"]
    without = (np.sqrt(4 * data.radius**2 * steps + 2) * np.sqrt(2) - 2) / steps
    assert (regret <= bound).all() and (regret[-1] > without[-1]).all()
