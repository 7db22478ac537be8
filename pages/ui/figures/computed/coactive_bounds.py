"""The bounds of coactive learning beside what they bound: on every step of many runs, and in the examples of proofs."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from datasets.ranking import RankingData
from learners import Simulation, create, create_user
from learners.base import Array
from learners.ranking import metrics
from pages.ui.figures.computed.world import world
from pages.ui.figures.figure import Curves, Size, Steps

Made = tuple[str, Mapping[str, Any], str, Mapping[str, Any]]  # a learner and a user, with their parameters
PERCEPTRON = "preference-perceptron"
STRICT, NOISY = ("strict-alpha", {"alpha": 0.5}), ("depth", {"k": 10})
WEB_USERS: dict[str, Made] = {
    **{f"strict, α = {alpha}": (PERCEPTRON, {}, "strict-alpha", {"alpha": alpha}) for alpha in (0.1, 0.5, 1.0)},
    "noisy, depth 10": (PERCEPTRON, {}, *NOISY),
    "noisy, Gaussian": (PERCEPTRON, {}, "noisy-grades", {}),
}
MOVIE_USERS: dict[str, Made] = {
    "strict, α = 0.5": (PERCEPTRON, {}, "item-alpha", {"alpha": 0.5}),
    "noisy, better": (PERCEPTRON, {}, "item-better", {}),
}
BALL_RUNS: dict[str, Made] = {  # without a radius that of w*
    f"{words}, {name}": ("convex-perceptron", ball, *user)
    for name, user in (("strict", STRICT), ("noisy", NOISY))
    for words, ball in (("radius 100", {"radius": 100.0}), ("radius ‖w*‖", {}))
}
GAMMA_RUNS: dict[str, Made] = {
    f"γ = {gamma:g}, {name}": ("second-order-perceptron", {"gamma": gamma}, *user)
    for name, user in (("strict", STRICT), ("noisy", NOISY))
    for gamma in (1.0, 0.01)
}
EXPECTED: Made = (PERCEPTRON, {}, "expected-alpha", {"alpha": 0.5})
RATIO, SHARE = "ratio to the bound", "answers below α"
LINEAR, CONVEX = (
    (metric.id, metric.bounds[0].id) for metric in (metrics.AVERAGE_REGRET, metrics.AVERAGE_CONVEX_REGRET)
)
HORIZONS = (1, 10, 100, 1000)  # T of a fixed rate
LENGTHS = (4, 16, 36, 64, 100)  # T of the example of Lemma 3
LEARNERS = {
    "Preference Perceptron": PERCEPTRON,
    "Exponentiated": "exponentiated-perceptron",
    "Convex": "convex-perceptron",
    "Second-Order": "second-order-perceptron",
}
BALLS = (1.0, 10.0, 100.0, 1000.0)  # radius of the ball in the example for Theorem 6
RADIUS, SHORT = 5.0, 64  # R and T of that example


def theorem_1_web(seed: int, size: Size) -> Curves:
    """Return the largest ratio of average regret to Theorem 1 so far, on web search."""
    return _ratios(world("web-search", seed, size), WEB_USERS, seed, size)


def theorem_1_movies(seed: int, size: Size) -> Curves:
    """Return the largest ratio of average regret to Theorem 1 so far, on movies."""
    return _ratios(world("movies", seed, size), MOVIE_USERS, seed, size)


def theorem_6(seed: int, size: Size) -> Curves:
    """Return the largest ratio of average convex regret to Theorem 6 so far."""
    data = world("web-search", seed, size)
    close = {"radius": float(np.linalg.norm(data.weights)) * 1.0001}  # a ball that just holds w*
    runs: dict[str, Made] = {
        name: (id, params or close, user, asks) for name, (id, params, user, asks) in BALL_RUNS.items()
    }
    return _ratios(data, runs, seed, size, CONVEX)


def theorem_8(seed: int, size: Size) -> Curves:
    """Return the largest ratio of average convex regret to Theorem 8 so far."""
    return _ratios(world("web-search", seed, size), GAMMA_RUNS, seed, size, CONVEX)


def corollary_2_web(seed: int, size: Size) -> Curves:
    """Return mean average regret of web search over 2R‖w*‖ / (α√T), and the share of answers below α."""
    return _expected(world("web-search", seed, size), seed, size)


def corollary_2_movies(seed: int, size: Size) -> Curves:
    """Return the same for movies."""
    return _expected(world("movies", seed, size), seed, size)


def _expected(data: RankingData, seed: int, size: Size) -> Curves:
    sim = _run(data, EXPECTED, seed, size.steps, size.replicates)
    t = np.arange(1, size.steps + 1)
    task = np.arange(size.replicates) % data.tasks
    bound = 2 * data.radius * np.linalg.norm(data.weights[task], axis=1).mean() / (sim.user.alpha * np.sqrt(t))
    x = Steps().at(size.steps)
    rows = np.array(x) - 1
    below = np.cumsum((sim.history["slack"] > 1e-9).mean(axis=1)) / t
    return {RATIO: (x, (sim.history["average-regret"].mean(axis=1) / bound)[rows]), SHARE: (x, below[rows])}


def theorem_5(seed: int, size: Size) -> Curves:
    """Return average regret at the horizon T of a fixed rate, divided by Theorem 5 as printed and as proved."""
    data = world("web-search", seed, size)
    ratios = {
        name: [_theorem_5(data, user, horizon, seed, size.replicates) for horizon in HORIZONS if horizon <= size.steps]
        for name, user in (("strict", STRICT), ("noisy", NOISY))
    }
    x = [horizon for horizon in HORIZONS if horizon <= size.steps]
    return {
        f"{name}, {words}": (x, [pair[place] for pair in pairs])
        for name, pairs in ratios.items()
        for place, words in enumerate(("as printed", "with 2S"))
    }


def theorem_5_by_hand(seed: int, size: Size) -> Curves:
    """Return the same for two documents with one feature, −1 and 1, of which the second is better by 2."""
    data = opposite(1, 1.0, 1.0)
    x = (1, 2, 3, 4, 5)
    pairs = [_theorem_5(data, ("item-alpha", {"alpha": 1.0}), horizon, seed, 1) for horizon in x]
    return {words: (x, [pair[k] for pair in pairs]) for k, words in enumerate(("as printed", "with 2S"))}


def theorem_6_by_hand(seed: int, size: Size) -> Curves:
    """Return average regret, in the example of Lemma 3 with ‖x‖ = 5, divided by Theorem 6 for −θ, over ‖w*‖."""
    printed, squared = [], []
    for ball in BALLS:
        data = opposite(SHORT, RADIUS, ball)
        sim = _run(data, ("convex-perceptron", {"radius": ball}, "item-alpha", {"alpha": 1.0}), seed, SHORT, 1)
        regret = float(sim.history["average-regret"][-1, 0])
        printed.append(regret / theorem_6_bound(2 * ball, RADIUS, SHORT))
        squared.append(regret / theorem_6_bound((2 * ball) ** 2, RADIUS, SHORT))
    return {"|B| the diameter": (BALLS, printed), "|B| its square": (BALLS, squared)}


def lemma_3(seed: int, size: Size) -> Curves:
    """Return the average regret of several learners after T steps of the example of Lemma 3, over T."""
    found = {}
    for name, learner in LEARNERS.items():
        ends = [_run(opposite(t, 1.0, 1.0), (learner, {}, "item-alpha", {"alpha": 1.0}), seed, t, 1) for t in LENGTHS]
        found[name] = LENGTHS, [float(sim.history["average-regret"][-1, 0]) for sim in ends]
    return found | {"2 / √T": (LENGTHS, [2 / np.sqrt(t) for t in LENGTHS])}


def opposite(contexts: int, length: float, optimum: float) -> RankingData:
    """Return T contexts with two objects each, ∓ a vector along an axis of their own, of which the second is better.

    contexts : T. length : of the vectors. optimum : ‖w*‖, with w* along (1, …, 1). A learner that starts at 0 knows
    nothing of any context, and takes the first object, which is the worse one ([C], proof of Lemma 3).

    >>> data = opposite(4, 1.0, 1.0)
    >>> data.features[:2], data.weights
    (array([[-1., -0., -0., -0.],
           [ 1.,  0.,  0.,  0.]]), array([[0.5, 0.5, 0.5, 0.5]]))
    """
    axes = length * np.eye(contexts)
    features = np.stack([-axes, axes], axis=1).reshape(2 * contexts, contexts)
    weights = np.full((1, contexts), optimum / np.sqrt(contexts))
    grades = np.tile([0.0, 1.0], contexts)[None]
    return RankingData("opposite", {}, features, np.arange(0, 2 * contexts + 1, 2), grades, weights=weights, slots=1)


def theorem_6_bound(ball: float, radius: float, t: int) -> float:
    """Return [C] Eq. 16 without slacks for α = G = 1, |B|/(2√T) + |B|/T + 4R²/√T.

    >>> theorem_6_bound(8.0, 1.0, 4)
    6.0
    """
    return float(ball / (2 * np.sqrt(t)) + ball / t + 4 * radius**2 / np.sqrt(t))


def theorem_5_bounds(data: RankingData, alpha: float, slack: Array, t: int) -> tuple[Array, Array]:
    """Return [C] Theorem 5 at T = t, with S/2 as printed, and with 2S. slack : mean of ξ, (R,).

    >>> bounds = theorem_5_bounds(opposite(1, 1.0, 1.0), 1.0, np.zeros(1), 1)
    >>> [float(bound[0].round(4)) for bound in bounds]  # 2 log 2 + ½, and 2 log 2 + 2
    [1.8863, 3.3863]
    """
    size, logarithm = np.abs(data.weights[0]).sum(), 2 * np.log(2 * data.dimension)
    printed, proved = ((slack + size * data.largest * (logarithm + last) / np.sqrt(t)) / alpha for last in (0.5, 2.0))
    return printed, proved


def _theorem_5(
    data: RankingData, user: tuple[str, Mapping[str, Any]], horizon: int, seed: int, runs: int
) -> tuple[float, float]:
    """Return the largest ratio of average regret at T to Theorem 5 as printed and as proved."""
    sim = _run(data, ("exponentiated-perceptron", {"horizon": horizon}, *user), seed, horizon, runs)
    regret = sim.history["average-regret"][-1]
    alpha = getattr(sim.user, "informativeness", 1.0)
    bounds = theorem_5_bounds(data, alpha, sim.history["slack"].mean(axis=0), horizon)
    printed, proved = (float((regret / bound).max()) for bound in bounds)
    return printed, proved


def _run(data: RankingData, made: Made, seed: int, steps: int, runs: int) -> Simulation:
    learner, params, user, asks = made
    sim = Simulation(create(learner, **params), data, create_user(user, **asks), runs, seed, megabytes=0)
    sim.advance(steps=steps)
    return sim


def _largest(ratio: Array, steps: int) -> tuple[tuple[int, ...], Array]:
    """Return steps, and the largest ratio (T, R) over all runs up to each of them."""
    x = Steps().at(steps)
    return x, np.maximum.accumulate(ratio.max(axis=1))[np.array(x) - 1]


def _ratios(
    data: RankingData, runs: Mapping[str, Made], seed: int, size: Size, sides: tuple[str, str] = LINEAR
) -> Curves:
    found = {}
    for name, made in runs.items():
        history = _run(data, made, seed, size.steps, size.replicates).history
        found[name] = _largest(history[sides[0]] / history[sides[1]], size.steps)
    return found
