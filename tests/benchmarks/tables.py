"""The measured tables of the ranking learners: python -m tests.benchmarks.tables [toy] [strict] [web] [nonlinear]
[sample] [digits]

Without a name all of them, in about four minutes. The sample is LightGBM's ranking example, looked for in
../shared/data or in the folder FEEDBACK_LAB_DATA.
"""

import sys

import numpy as np

from datasets import data_folder, load, read_letor
from learners import Simulation, create, create_user
from tests.conftest import ROOT

LEARNERS = (
    ("PrefP top", "preference-perceptron", {"feedback": "top"}),
    ("PrefP pair", "preference-perceptron", {"feedback": "pair"}),
    *((f"3PR p = {p}", "perturbed-perceptron", {"swap_probability": p}) for p in (0.1, 0.25, 0.5)),
    ("3PR dynamic", "perturbed-perceptron", {"dynamic": True}),
    ("structured (grades)", "structured-perceptron", {"optimal": "grades"}),
    ("structured (utility)", "structured-perceptron", {"optimal": "utility"}),
    ("random", "random-ranking", {}),
)


def mean(values):
    """Mean and standard error over the replicates."""
    return f"{values.mean():.3f} ± {values.std(ddof=1) / np.sqrt(len(values)):.3f}"


def toy():
    """Mean rank of the one good document over 1000 steps, 100 replicates."""
    for id, params in (
        ("preference-perceptron", {"feedback": "swap"}),
        ("preference-perceptron", {"feedback": "top"}),
        ("averaged-perceptron", {"feedback": "swap"}),
        ("perturbed-perceptron", {"swap_probability": 0.5}),
    ):
        sim = Simulation(create(id, **params), "toy-ranking", "cascade", replicates=100, seed=0)
        sim.advance(steps=1000)
        ranks = [mean(sim.history[m].mean(axis=0)) for m in ("rank-of-best", "rank-of-best-predicted")]
        print(f"{id} {params}: presented {ranks[0]}, predicted {ranks[1]}")


def strict():
    """Average regret after 2000 steps under strictly α-informative feedback, and Theorem 1's bound."""
    data = load("web-search", queries=2000, documents=20, features=50)
    sim = Simulation("random-ranking", data, "cascade", replicates=10, seed=0)
    sim.advance(steps=2000)
    random = sim.history["average-regret"][-1].mean()
    print(f"random: {random:.3f}")
    for alpha in (0.1, 0.5, 1.0):
        user = create_user("strict-alpha", alpha=alpha)
        sim = Simulation("preference-perceptron", data, user, replicates=10, seed=0)
        sim.advance(steps=2000)
        regret, bound = sim.history["average-regret"], sim.history["bound"]
        print(
            f"α = {alpha}: {regret[-1].mean():.4f}, {100 * regret[-1].mean() / random:.2f} % of random; largest ratio "
            f"to the bound {(regret / bound).max():.3f}"
        )


def race(data, user, steps, last):
    """NDCG@5 of every learner, mean of the last steps, 10 replicates."""
    print(f"steps {steps:,}, mean of the last {last:,} | presented | predicted | swap probability")
    for name, id, params in LEARNERS:
        sim = Simulation(create(id, **params), data, user, replicates=10, seed=0)
        sim.advance(steps=steps)
        cells = [mean(sim.history[m][-last:].mean(axis=0)) for m in ("ndcg@5", "ndcg@5-predicted")]
        print(f"| {name} | {' | '.join(cells)} | {sim.history['swap-probability'][-last:].mean():.2f} |")


def web(relevance="linear"):
    """Web search, grades seen through Gaussian noise."""
    data = load("web-search", queries=2000, documents=20, features=136, relevance=relevance)
    race(data, create_user("noisy-grades", sigma=1.0), 20_000, 2000)


def nonlinear():
    """The same with grades that no linear function fits."""
    web("nonlinear")


def sample():
    """LightGBM's ranking example."""
    folder = ROOT.parent / "shared" / "data" / "lightgbm_lambdarank"
    folder = folder if folder.is_dir() else data_folder()
    if folder is None:
        print("the sample is not here; set FEEDBACK_LAB_DATA to the folder that holds rank.train.gz")
        return
    race(read_letor(folder / "rank.train.gz"), create_user("noisy-grades", sigma=1.0), 10_000, 2000)


def digits():
    """Handwritten digits, a scanning user who errs in one judgement of five."""
    race(load("digits-search"), create_user("scan", noise=0.2), 5000, 1000)


TABLES = {f.__name__: f for f in (toy, strict, web, nonlinear, sample, digits)}

if __name__ == "__main__":
    for chosen in sys.argv[1:] or TABLES:
        print(f"\n{chosen}: {TABLES[chosen].__doc__}")
        TABLES[chosen]()
