"""The measured tables of the pairwise baselines: python -m tests.benchmarks.tables_pairwise [svm] [dueling] [live]

Without a name all of them, in about fifteen minutes on two cores. Web search 2000 × 20 × 50, 20 data orders, mean ±
standard error.
"""

import sys
import time

import numpy as np

from datasets import load
from learners import Simulation, create, create_user
from learners.interleaving import Comparison
from learners.run.history import History
from learners.sweep.points import Points

ORDERS, STEPS = 20, 2000
# w₁ = 0 makes δ / γ alone matter: this grid has 25 different ratios, from 0.003 to 3
GAMMAS, DELTAS = (1.0, 1.33, 1.78, 2.37, 3.16), (0.01, 0.042, 0.18, 0.75, 3.16)
USERS = (
    ("strict α = 0.5", "strict-alpha", {"alpha": 0.5}),
    ("depth 10", "depth", {"k": 10}),  # what [C] calls noisy feedback
    ("noisy grades σ = 1", "noisy-grades", {"sigma": 1.0}),
)


def world():
    return load("web-search", queries=2000, documents=20, features=50)


def mean(values, digits=3):
    """Mean and standard error over the replicates."""
    return f"{values.mean():.{digits}f} ± {values.std(ddof=1) / np.sqrt(len(values)):.{digits}f}"


def svm():
    """Figs. 7 and 8 of [C]: average regret of the ranking SVM and the preference perceptron, and the time of each."""
    data, at = world(), (50, 100, 200, 500, 1000, 2000)
    print("| user | learner |", *(f"T = {t} |" for t in at), "seconds a run |")
    for title, user, params in USERS:
        for id, more in (("preference-perceptron", {}), ("ranking-svm", {}), ("ranking-svm", {"schedule": "steps"})):
            sim = Simulation(create(id, **more), data, create_user(user, **params), replicates=ORDERS, seed=0)
            began = time.process_time()
            sim.advance(steps=STEPS)
            spent = (time.process_time() - began) / ORDERS
            regret = sim.history["average-regret"]
            cells = [mean(regret[t - 1]) for t in at]
            print(f"| {title} | {id} {more or ''} |", " | ".join(cells), f"| {spent:.3f} |", flush=True)


def dueling(search=3000, few=5, steps=6000):
    """Fig. 9 of [C]: the best of a 5 × 5 grid of γ, δ, and how many steps the perceptron needs for the same regret.

    The grid is searched on a few data orders; the five best go on to all 20 and more steps.
    """
    data, grid = world(), [(g, d) for g in GAMMAS for d in DELTAS]
    for title, user, params in USERS:
        made = create_user(user, **params)
        fast = Simulation("preference-perceptron", data, made, replicates=ORDERS, seed=0)
        fast.advance(steps=STEPS)
        reference = fast.history["average-regret"].mean(axis=1)
        first = _duels(data, made, grid, few, search)[-1].mean(axis=1)
        print(f"{title}: average regret after {search:,} steps; rows γ = {GAMMAS}, columns δ = {DELTAS}")
        print(first.reshape(len(GAMMAS), len(DELTAS)).round(3), flush=True)
        finalists = [grid[i] for i in np.argsort(first)[:5]]
        regret = _duels(data, made, finalists, ORDERS, steps)
        for t in (300, 1000, 3000, steps):
            best = int(regret[t - 1].mean(axis=1).argmin())
            value = regret[t - 1, best]
            same = int(np.argmax(reference <= value.mean())) + 1
            print(
                f"| {title} | {t:,} | γ, δ = {finalists[best]} | {mean(value)} | perceptron there after {same} | "
                f"× {t / same:.0f} |",
                flush=True,
            )


def _duels(data, user, grid, orders, steps):
    """(steps, points, orders) average regret of the dueling bandit at the points γ, δ of a grid."""
    gamma, delta = (np.repeat(values, orders) for values in np.array(grid).T)
    sim = Points(create("dueling-bandit", gamma=gamma, delta=delta), data, user, len(grid), orders, 0)
    sim.history = History(len(gamma), recorded=steps)
    sim.advance(steps=steps)
    return sim.history["average-regret"].reshape(-1, len(grid), orders)


def live(steps=1000):
    """Win ratio against a ranker fitted to a few queries: [S] Fig. 1, both kinds of interleaving."""
    data = world()
    for sample in (3, 20):
        for id in ("preference-perceptron", "perturbed-perceptron", "random-ranking"):
            for method in ("balanced", "team-draft"):
                run = Comparison(
                    id, data, "noisy-grades", method=method, sample=sample, replicates=ORDERS, seed=0
                )  # fmt: skip
                run.advance(steps=steps)
                verdict, h = run.verdict(), run.history
                each = [run.verdict(replicate=r).says for r in range(ORDERS)]
                count = ", ".join(f"{each.count(s)} {s}" for s in ("better", "no difference", "worse"))
                print(
                    f"| {sample} queries | {id} | {method} | share {verdict.share:.3f} [{verdict.low:.3f}, "
                    f"{verdict.high:.3f}] | {count} | advantage {mean(h['advantage'][-1])} |",
                    flush=True,
                )


TABLES = {f.__name__: f for f in (svm, dueling, live)}

if __name__ == "__main__":
    for chosen in sys.argv[1:] or TABLES:
        print(f"\n{chosen}: {TABLES[chosen].__doc__}")
        TABLES[chosen]()
