"""The measured tables of the multilabel learners: python -m tests.benchmarks.tables_multilabel [synthetic] [yeast]
[regret] [hamming]

Without a name all of them, in about five minutes. Yeast is looked for in ../shared/data or in the folder
FEEDBACK_LAB_DATA. Means over 5 replicates ± standard errors.
"""

import sys

import numpy as np

from datasets import data_folder, load
from learners import Simulation, create
from pages.ui.figures.statement import Number
from tests.conftest import ROOT

R = 2.0
UCB, OBR = "multilabel-ucb", "online-binary-relevance"
LEARNERS = (
    ("UCB square .3", UCB, {"width": 0.3}),
    ("UCB square 1", UCB, {"width": 1.0}),
    ("UCB square .3 diagonal", UCB, {"width": 0.3, "matrices": "diagonal"}),
    ("UCB square 1 diagonal", UCB, {"width": 1.0, "matrices": "diagonal"}),
    ("UCB logistic .3 R²", UCB, {"loss": "logistic", "range": R, "width": 0.3 * R**2}),
    ("UCB logistic R²", UCB, {"loss": "logistic", "range": R, "width": R**2}),
    ("OBR square", OBR, {}),
    ("OBR square diagonal", OBR, {"matrices": "diagonal"}),
    ("OBR logistic", OBR, {"loss": "logistic", "range": R}),
    ("random", "random-labels", {}),
    ("never", "never-play", {}),
)
SIZES = (2, 5, 10)


def race(data, steps, metric="loss", sizes=SIZES, learners=LEARNERS, **params):
    """Every learner for every S: the running mean at the end, and the mean over the last quarter."""
    print(f"{data.id}, {steps:,} steps: running {metric} (mean of the last quarter)")
    print(f"| | {' | '.join(f'S = {s}' for s in sizes)} |")
    for name, id, own in learners:
        cells = []
        for size in sizes:
            sim = Simulation(create(id, **own, **params, size=size), data, replicates=5, seed=0)
            sim.advance(steps=steps)
            values, q = sim.history[metric], steps * 3 // 4
            last = (values[-1] * steps - values[q - 1] * q) / (steps - q)
            cells.append(f"{Number(values[-1]):.3f} ({last.mean():.3f})")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def synthetic():
    """The synthetic set with its square and with its logistic model, decreasing costs, a = 1/2."""
    for model in ("square", "logistic"):
        print(f"model: {model}")
        race(load("multilabel-synthetic", model=model), 5000)


def yeast():
    """Yeast, 14 labels, 2417 examples: one pass, as the paper's experiments, and four."""
    folder = ROOT.parent / "shared" / "data" / "yeast"
    folder = folder if folder.is_dir() else data_folder()
    if folder is None:
        print("yeast is not here; set FEEDBACK_LAB_DATA to the folder that holds yeast.arff.gz")
        return
    data = load("multilabel-file", path=str(folder / "yeast.arff.gz"))
    race(data, data.examples)
    race(data, 4 * data.examples, sizes=(10,))
    race(data, data.examples, metric="ranking-loss")
    print("with a constant feature, which the model needs where features have mean 0:")
    race(load("multilabel-file", path=str(folder / "yeast.arff.gz"), constant=True), data.examples)


def hamming():
    """Hamming loss with constant costs against S, the synthetic set."""
    learners = (LEARNERS[1], LEARNERS[5], LEARNERS[6])
    race(load("multilabel-synthetic"), 5000, "hamming-loss", (1, 2, 5, 10, 20, 40), learners, costs="constant")


def regret():
    """Cumulative regret on the synthetic set: slope in log-log, and R_T / (√T log T), which the theorem bounds."""
    at = np.array([500, 1000, 2000, 5000, 10_000, 20_000])
    print("| | R_T | slope 100 to T | slope 2000 to T | ratio at", ", ".join(f"{t:,}" for t in at), "|")
    for model in ("square", "logistic"):
        data = load("multilabel-synthetic", model=model)
        for name, id, params in LEARNERS[:7]:
            sim = Simulation(create(id, **params), data, replicates=5, seed=0)
            sim.advance(steps=int(at[-1]))
            values = sim.history["cumulative-regret"].mean(axis=1)
            slopes = []
            for begin in (100, 2000):
                t = np.unique(np.geomspace(begin, at[-1], 40).astype(int))
                slopes.append(f"{np.polyfit(np.log(t), np.log(values[t - 1]), 1)[0]:.2f}")
            ratio = values[at - 1] / (np.sqrt(at) * np.log(at))
            cells = " | ".join((f"{values[-1]:.0f}", *slopes, " ".join(f"{x:.2f}" for x in ratio)))
            print(f"| {name}, {model} model | {cells} |", flush=True)


TABLES = {f.__name__: f for f in (synthetic, yeast, hamming, regret)}

if __name__ == "__main__":
    for chosen in sys.argv[1:] or TABLES:
        print(f"\n{chosen}: {TABLES[chosen].__doc__}")
        TABLES[chosen]()
