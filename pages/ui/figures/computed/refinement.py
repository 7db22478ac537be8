"""Computes what no simulation of ranking refinement shows: bounds round by round, its optimum, and what its time is."""

from dataclasses import dataclass
from time import thread_time

import numpy as np

from datasets import load
from learners import Simulation, create, create_user
from learners.base import Array
from learners.boosting.refinement.base import Judged
from learners.boosting.refinement.judges.base import Judge
from learners.boosting.refinement.pairs import Pairs
from learners.boosting.refinement.ranking_refinement import RankingRefinement
from learners.threads import one_thread
from pages.ui.figures.figure import Curves, Size

WORLD = {"documents": 60, "features": 46, "relevance": "nonlinear"}  # of synthetic web search
BOUNDS = ("Theorem 9", "Theorem 10", "exp(−η²/4) a round")
STEPS = tuple(float(a) for a in np.linspace(-2, 2, 17).round(2))  # α of Lemma 5
WEIGHTS = tuple(float(g) for g in np.geomspace(1 / 30, 30, 13).round(4))  # γ over that of the product's optimum
LENGTHS = (25, 50, 100, 200, 400)  # movies rated by a user
LONG = (100, 200, 400, 800, 1600)  # documents
READINGS = ("0 for all other pairs", "η/2 among the judged", "η/2 for all pairs")  # of T


def run(learner: RankingRefinement, judge: Judge, seed: int, size: Size, **params: object) -> Simulation:
    """Return the simulation of a learner on `WORLD` with this seed, at its start. params : of the data that differ."""
    drawn = load("web-search", data_seed=seed, **{"queries": max(10, size.replicates), **WORLD, **params, **size.data})
    return Simulation(learner, drawn, judge, replicates=size.replicates, seed=seed)


def progress(seed: int, size: Size, relevance: str = "nonlinear", documents: int = 60, judged: int = 20) -> Array:
    """Return log L_p and its bounds after each round, (4, rounds + 1, queries), each less log L_p at the start.

    The rows are L_p and the three of `BOUNDS`: Theorem 9, which subtracts Σ (√μ − √ν)², Theorem 10, which subtracts
    Σ η, and what follows from Theorem 9 and μ + ν ≤ 2, which subtracts Σ η²/4. A round that adds nothing changes none.
    """
    judge = create_user("judge", judged=judged)
    sim = run(create("ranking-refinement"), judge, seed, size, documents=documents, relevance=relevance)
    found = np.zeros((4, size.steps + 1, size.replicates))
    for t in range(1, size.steps + 1):
        sim.advance(steps=1)
        found[:, t] = found[:, t - 1]
        for r, (done, learner) in enumerate(zip(sim.last.rounds, sim.environment.learners, strict=True)):
            if not done.stopped:
                eta, mu, nu = (done.details[name] for name in ("eta", "mu", "nu"))
                found[0, t, r] = np.log(done.values["objective"]) - np.log(np.prod(learner.pairs.start))
                found[1:, t, r] -= (np.sqrt(mu) - np.sqrt(nu)) ** 2, eta, eta**2 / 4
    return found


def descent(seed: int, size: Size) -> Curves:
    """Return the mean over the queries of what `progress` finds, round by round."""
    found = progress(seed, size).mean(axis=2)
    x = tuple(range(size.steps + 1))
    return {name: (x, row) for name, row in zip(("L_p", *BOUNDS), found, strict=True)}


def first_rounds(seed: int, size: Size) -> Curves:
    """Return in how many of the first rounds L_p is above each bound, as a share, in worlds small and large."""
    names, shares = [], []
    one = Size(1, size.data, size.seeds, size.replicates)
    for documents in (20, 60, 100):
        for relevance in ("linear", "nonlinear"):
            for judged in (5, 20):
                found = progress(seed, one, relevance, documents, judged)[:, 1]
                learned = found[2] < 0
                names.append(f"{documents}, {relevance}, {judged}")
                shares.append([broken(found[0], row)[learned].mean() for row in found[1:]])
    return {bound: (tuple(names), row) for bound, row in zip(BOUNDS, np.array(shares).T, strict=True)}


def broken(log_loss: Array, log_bound: Array) -> Array:
    """Return where a logarithm is above its bound by more than rounding.

    >>> broken(np.array([0.1, 0.1]), np.array([0.1, 0.0]))
    array([False,  True])
    """
    return log_loss > log_bound + 1e-9


def lemma(seed: int, size: Size) -> Curves:
    """Return both sides of Lemma 5 for random F, f and the α of `STEPS`: means, and the largest left less right."""
    rng = np.random.default_rng(seed)
    sim = run(create("ranking-refinement"), create_user("judge"), seed, size)
    left, right = np.empty((2, len(STEPS), size.replicates))
    for r in range(size.replicates):
        pairs = sim.environment.pairs(r)
        scores = rng.standard_normal(len(pairs.W))
        picked = rng.random(len(scores)) < rng.random()
        before = np.array(pairs.losses(scores))
        for i, alpha in enumerate(STEPS):
            ratios = np.array(pairs.losses(scores + alpha * picked)) / before  # Σ a e^(α(f_j − f_i)), and with b
            left[i, r], right[i, r] = np.log(ratios).sum(), ratios.sum() - 2
    return {
        "log(L̃_p / L_p)": (STEPS, left.mean(axis=1)),
        "the bound of Lemma 5": (STEPS, right.mean(axis=1)),
        "largest excess over the bound": (STEPS, (left - right).max(axis=1)),
    }


def least(losses: tuple[Array, ...]) -> Array:
    """Return the F (n,) with mean 0 that minimises Π_k Σ_ij C_k,ij e^(F_j − F_i) for losses C_k (n, n).

    One document should rise above the other three times as much as the reverse: e^(2d) = 3.

    >>> F = least((np.array([[0.0, 3.0], [1.0, 0.0]]),))
    >>> round(float(F[0] - F[1]), 4), round(float(np.log(3) / 2), 4)
    (0.5493, 0.5493)
    """
    from scipy.optimize import minimize

    def value(F: Array) -> tuple[float, Array]:
        total, slope = 0.0, np.zeros(len(F))
        for C in losses:
            M = C * np.exp(F[None, :] - F[:, None])
            whole = M.sum()
            total, slope = total + float(np.log(whole)), slope + (M.sum(axis=0) - M.sum(axis=1)) / whole
        return total, slope

    start = np.zeros(len(losses[0]))
    with one_thread():
        found = minimize(value, start, jac=True, method="L-BFGS-B", options={"ftol": 1e-15, "gtol": 1e-9}).x
    centred: Array = found - found.mean()
    return centred


def pareto(seed: int, size: Size) -> Curves:
    """Return L_p along the Pareto front, over the least L_p of all F: the mean over the queries.

    The front is made of the minimisers of γ êrr_w + êrr_t. Its x are γ over the γ at which the product's own minimiser
    has equal slopes, êrr_t / êrr_w there. With it L_p of the boosted ensemble, and of the sum's, with stumps.
    """
    front, boosted = np.empty((len(WEIGHTS), size.replicates)), np.empty((2, size.replicates))
    judge = create_user("judge")
    sims = [
        run(create("ranking-refinement", **params), judge, seed, size, documents=40)
        for params in ({}, {"combine": "sum", "gamma": 1.0})
    ]
    for sim in sims:
        sim.advance(steps=size.steps)
    for r in range(size.replicates):
        pairs = sims[0].environment.pairs(r)
        W, T = pairs.W, np.zeros(pairs.W.shape)
        T[np.ix_(pairs.judged, pairs.judged)] = pairs.T
        if not pairs.ordered:
            front[:, r], boosted[:, r] = np.nan, np.nan
            continue
        by_w, by_t = pairs.losses(least((W, T)))
        for i, weight in enumerate(WEIGHTS):
            front[i, r] = np.prod(pairs.losses(least((weight * by_t / by_w * W + T,)))) / (by_w * by_t)
        boosted[:, r] = [np.prod(pairs.losses(sim.environment.scores[r])) / (by_w * by_t) for sim in sims]
    level = np.nanmean(boosted, axis=1)
    return {
        "along the front": (WEIGHTS, np.nanmean(front, axis=1)),
        "Algorithm 6, 50 rounds": (WEIGHTS, np.full(len(WEIGHTS), level[0])),
        "the sum, γ = 1, 50 rounds": (WEIGHTS, np.full(len(WEIGHTS), level[1])),
    }


# ---- T as it is printed ------------------------------------------------------------------------------------


@dataclass(kw_only=True)
class Reading(RankingRefinement):
    """Ranking refinement with a T that is η/2 elsewhere, among the judged documents or for all pairs (`READINGS`)."""

    reading: int = 0

    def reset(self, problem: Judged, rng: np.random.Generator) -> None:
        super().reset(problem, rng)
        self.pairs = read(problem, self.eta, self.reading)
        self.pull = self.pairs.pull(self.F)
        self.end = "" if self.pairs.ordered else self.end


def read(problem: Judged, eta: float, reading: int) -> Pairs:
    """Return W, and T in one of the `READINGS`.

    >>> two = Judged(np.zeros((3, 1)), np.arange(3.0), np.array([2, 0]), np.array([1.0, 0.0]))
    >>> read(two, 0.5, 1).T
    array([[0.25, 0.75],
           [0.25, 0.25]])
    >>> read(two, 0.5, 2).T
    array([[0.25, 0.25, 0.25],
           [0.25, 0.25, 0.25],
           [0.75, 0.25, 0.25]])
    """
    pairs = Pairs(problem, eta)
    if reading:
        pairs.T = np.where(pairs.T > 0, pairs.T, eta / 2)
    if reading == 2:
        everywhere = np.full((len(problem.base), len(problem.base)), eta / 2)
        everywhere[np.ix_(problem.judged, problem.judged)] = pairs.T
        pairs.T, pairs.judged = everywhere, np.arange(len(problem.base))
    pairs.start = pairs.start[0], float(pairs.T.sum())
    return pairs


def readings(seed: int, size: Size) -> Curves:
    """Return the gain of the three readings of T, on the whole list and on the unjudged documents."""
    rows: dict[str, list[float]] = {"whole list": [], "unjudged documents": []}
    for reading in range(len(READINGS)):
        sim = run(Reading(reading=reading), create_user("judge"), seed, size, documents=100)
        sim.advance(steps=size.steps)
        rows["whole list"].append(float(sim.history["gain"][-1].mean()))
        rows["unjudged documents"].append(float(sim.history["gain-unjudged"][-1].mean()))
    return {name: (READINGS, row) for name, row in rows.items()}


# ---- time --------------------------------------------------------------------------------------------------


def seconds(seed: int, size: Size) -> Curves:
    """Return the milliseconds of MRR for users with as many rated movies as `LENGTHS` say, or nearly as many.

    Time is the processor's, of the learner alone without data and metrics, and the least of three runs.
    """
    data = load("rated-movies", data_seed=seed, **size.data)
    levels, took = np.unique(data.grades[0]).astype(float), []
    for length in LENGTHS:
        rows = data.documents(int(np.argmin(np.abs(data.lengths - length))))
        grades, base = data.grades[0][rows].astype(float), data.base[rows].astype(float)
        said = create_user("rater").judge(np.argsort(-base), grades, levels, np.random.default_rng(seed))
        took.append(_time(Judged(np.asarray(data.features[rows], dtype=float), base, *said), size.steps))
    return {"MRR": (LENGTHS, took)}


def long_queries(seed: int, size: Size) -> Curves:
    """Return the milliseconds of MRR for queries with as many documents as `LONG` says, made of random numbers."""
    took = []
    for n in LONG:
        rng = np.random.default_rng([seed, n])
        problem = Judged(rng.standard_normal((n, 10)), rng.standard_normal(n), np.arange(20), rng.integers(0, 3, 20))
        took.append(_time(problem, size.steps))
    return {"MRR": (LONG, took)}


def _time(problem: Judged, rounds: int, times: int = 3) -> float:
    took = []
    for _ in range(times):
        learner = create("ranking-refinement")
        began = thread_time()
        learner.reset(problem, np.random.default_rng(0))
        for _ in range(rounds):
            learner.round()
        took.append(1000 * (thread_time() - began))
    return min(took)
