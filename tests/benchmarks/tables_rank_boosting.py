"""The measured tables of learning to rank: python -m tests.benchmarks.tables_rank_boosting [nonlinear] [correlated]
[dimension] [sample]

Without a name all of them, in about five minutes. The LightGBM sample is looked for in ../shared/data or in the folder
FEEDBACK_LAB_DATA. NDCG of test queries after 100 rounds, means over replicates ± standard errors.
"""

import sys

import numpy as np

from datasets import data_folder, load
from learners import Simulation, create
from tests.conftest import ROOT

LEARNERS = (
    ("NDCG_Boost", "ndcg-boost", {}),
    ("AdaRank, features", "adarank", {}),
    ("AdaRank, stumps", "adarank", {"weak": "stumps"}),
    ("linear regression", "linear-regression-ranking", {}),
    ("ranking SVM", "pairwise-svm", {}),
    ("LambdaRank", "lambdarank", {}),
    ("random", "random-scores", {}),
)
SMALL = {"queries": 300, "documents": 20}


def finals(data, replicates=5, rounds=100, learners=LEARNERS, seed=0):
    """The history of every learner's metrics after the last round: {name: {metric: (R,)}}."""
    found = {}
    for name, id, params in learners:
        sim = Simulation(create(id, **params), data, replicates=replicates, seed=seed)
        sim.advance(steps=rounds)
        found[name] = {metric: sim.history[metric][-1] for metric in sim.history}
    return found


def cell(values):
    return f"{values.mean():.3f} ± {values.std(ddof=1) / np.sqrt(len(values)):.3f}"


def compare(data):
    """NDCG@5, NDCG@10 and MAP of every learner."""
    print("| | NDCG@5 | NDCG@10 | MAP | NDCG@5, training |")
    found = finals(data)
    for name, values in found.items():
        print(
            f"| {name} | {' | '.join(cell(values[m]) for m in ('ndcg@5', 'ndcg@10', 'map', 'ndcg@5-train'))} |",
            flush=True,
        )
    return found


def nonlinear():
    """web-search, nonlinear, 5 features: 300 queries × 20 documents, 5 replicates; then twenty fresh data sets of that
    kind."""
    compare(load("web-search", relevance="nonlinear", features=5, **SMALL))
    print("gain of NDCG_Boost in NDCG@5 by data seed:")
    others = [name for name, _, _ in LEARNERS[1:4]]
    print(f"| data seed | {' | '.join(f'over {name}' for name in others)} |\n|---|{'---|' * len(others)}")
    gains = []
    for seed in range(10, 30):
        data = load("web-search", relevance="nonlinear", features=5, data_seed=seed, **SMALL)
        found = finals(data, learners=LEARNERS[:4])
        gains.append([(found["NDCG_Boost"]["ndcg@5"] - found[name]["ndcg@5"]).mean() for name in others])
        print(f"| {seed} | {' | '.join(f'{gain:+.3f}' for gain in gains[-1])} |", flush=True)
    print(f"| mean | {' | '.join(cell(column) for column in np.transpose(gains))} |")


def correlated():
    """web-search, linear, neighbouring features correlated .9: 20 and 46 features; and uncorrelated ones."""
    for spectrum in ("correlated", "isotropic"):
        for features in (20, 46):
            print(f"{spectrum}, {features} features")
            compare(load("web-search", spectrum=spectrum, features=features, **SMALL))


def dimension():
    """web-search, nonlinear: with more features, less of the product can be written as a sum over single features."""
    for features in (2, 5, 10, 20, 46):
        found = finals(load("web-search", relevance="nonlinear", features=features, **SMALL), learners=LEARNERS[:6])
        cells = " | ".join(f"{name} {cell(values['ndcg@10'])}" for name, values in found.items())
        print(f"| {features} features | {cells} |", flush=True)


def sample():
    """The LightGBM sample: NDCG@1 … 10 on its own test file with three seeds, and on random divisions of the training
    file."""
    folder = ROOT.parent / "shared" / "data" / "lightgbm_lambdarank"
    folder = folder if folder.is_dir() else data_folder()
    if folder is None:
        print("the sample is not here; set FEEDBACK_LAB_DATA to the folder that holds rank.train.gz")
        return
    path = str(folder / "rank.train.gz")
    for title, data in (
        ("its own test file", load("letor-folds", path=path)),
        ("60/20/20", load("letor-file", path=path)),
    ):
        print(f"{title}: three seeds | {' | '.join(f'@{k}' for k in range(1, 11))} | MAP")
        for name, id, params in LEARNERS:
            values = {}
            for seed in range(3):
                sim = Simulation(create(id, **params), data, seed=seed)
                sim.advance(steps=100)
                for metric in (*(f"ndcg@{k}" for k in range(1, 11)), "map"):
                    values.setdefault(metric, []).append(sim.history[metric][-1, 0])
            means = " ".join(f"{np.mean(v):.3f}" for v in values.values())
            errors = " ".join(f"{np.std(v, ddof=1) / np.sqrt(3):.3f}" for v in values.values())
            print(f"| {name:<18} | {means} |\n|   ± s.e.           | {errors} |", flush=True)


TABLES = {f.__name__: f for f in (nonlinear, correlated, dimension, sample)}

if __name__ == "__main__":
    for chosen in sys.argv[1:] or TABLES:
        print(f"\n{chosen}: {TABLES[chosen].__doc__}")
        TABLES[chosen]()
