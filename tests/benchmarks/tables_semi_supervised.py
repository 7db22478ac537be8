"""The measured tables of the semi-supervised learners: python -m tests.benchmarks.tables_semi_supervised [name …]

The names are digits, uci, weight and depth; without one all of them, in about fifteen minutes. Accuracy in percent on
the test rows, mean and standard error of ten repeats, each trained on a fifth of the rows, 50 rounds. The UCI files are
looked for in ../shared/data or in the folder FEEDBACK_LAB_DATA; the dissertation too takes their training sets alone.
"""

import dataclasses
import gzip
import sys
import time

import numpy as np

from datasets import data_folder, load
from datasets.classification import ClassificationData
from learners import Simulation, create
from tests.benchmarks.tables_bandit import without_rare
from tests.conftest import ROOT

ROUNDS, REPEATS = 50, 10
LABELLED = (0.02, 0.04, 0.06, 0.08, 0.10)
LEARNERS = {
    "tree": ("single-tree", {}),
    "ASSEMBLE": ("assemble", {}),
    "ASSEMBLE, first labels by nearest": ("assemble", {"first": "nearest"}),
    "MCSSB": ("mcssb", {}),
    "MCSSB uniform": ("mcssb", {"similarity": "uniform"}),
    "MCSSB absolute": ("mcssb", {"similarity": "absolute"}),
    "nearest neighbour": ("nearest-neighbour", {}),
}
FILES = {"optdigits": "optdigits.tra.gz", "pendigits": "pendigits.tra.gz", "nursery": "nursery.arff.gz"}
QUOTED = {  # what [V] §2.4.2 says in words
    "optdigits": "2 %: tree 24, MCSSB 43; ASSEMBLE no better than the tree; absolute second best",
    "pendigits": "2 %: tree 33, MCSSB 48; ASSEMBLE no better than the tree; absolute second best",
    "nursery": "MCSSB worse than the tree; absolute best",
    "nursery as 8 numbers": "MCSSB worse than the tree; absolute best",
}


def accuracy(id, params, data, labelled, rounds=ROUNDS):
    """(R,) accuracy in percent on the test rows after the last round."""
    data = dataclasses.replace(data, params=data.params | {"labelled": labelled, "training": 0.2})
    sim = Simulation(create(id, **params), data, replicates=REPEATS, seed=0)
    sim.advance(steps=rounds)
    return 100 * sim.history["accuracy-test"][-1]


def mean(values):
    """Mean and standard error over the repeats."""
    return f"{values.mean():.1f} ± {values.std(ddof=1) / np.sqrt(len(values)):.1f}"


def note(text):
    """Progress, apart from the tables."""
    print(f"[{time.process_time():.0f} s of CPU] {text}", file=sys.stderr, flush=True)


def as_numbers(path):
    """The nursery with its 8 features as the numbers of their values, in the order in which the file declares them."""
    with gzip.open(path, "rt") as file:
        lines = [line.strip() for line in file if line.strip() and not line.startswith("%")]
    values = [
        [word.strip(" '\"") for word in line[line.index("{") + 1 : line.rindex("}")].split(",")]
        for line in lines
        if line.lower().startswith("@attribute")
    ]
    rows = [[word.strip(" '\"") for word in line.split(",")] for line in lines if not line.startswith("@")]
    table = np.array([[values[j].index(word) for j, word in enumerate(row)] for row in rows], dtype=float)
    return without_rare(ClassificationData("nursery", {}, table[:, :-1], table[:, -1].astype(int), tuple(values[-1])))


def sets():
    """The data sets of the dissertation that are here, by name; nothing if they are not."""
    folder = ROOT.parent / "shared" / "data"
    folder = folder if folder.is_dir() else data_folder()
    found = {name: folder / name / file for name, file in FILES.items()} if folder else {}
    if not found or not all(path.is_file() for path in found.values()):
        print("the files are not here; set FEEDBACK_LAB_DATA to the folder that holds optdigits, pendigits and nursery")
        return {}
    data = {name: without_rare(load("classification-file", path=str(path))) for name, path in found.items()}
    return data | {"nursery as 8 numbers": as_numbers(found["nursery"])}


def digits():
    """scikit-learn's digits, 5 % labelled: every learner, and what is asked of them."""
    data = load("digits")
    runs = LEARNERS | {
        "MCSSB, C = 1e10": ("mcssb", {"C": 1e10}),
        "MCSSB, trained with weights": ("mcssb", {"train": "weights"}),
        "MCSSB, 200 rounds": ("mcssb", {}),
        "label spreading": ("label-spreading", {}),
        "self-training": ("self-training", {}),
        "AdaBoost, depth 4": ("adaboost", {"depth": 4}),
    }
    print("| learner | accuracy |\n|---|---|")
    found = {}
    for name, (id, params) in runs.items():
        found[name] = accuracy(id, params, data, 0.05, 200 if "200" in name else ROUNDS)
        print(f"| {name} | {mean(found[name])} |")
    print("\n| comparison | asked | here |\n|---|---|---|")
    for what, asked, values in (
        ("MCSSB − tree", "≥ 20", found["MCSSB"] - found["tree"]),
        ("uniform", "≤ 13", found["MCSSB uniform"]),
        ("C = 1e4 − C = 1e10", "within 4", found["MCSSB"] - found["MCSSB, C = 1e10"]),
        ("200 − 50 rounds", "> 0", found["MCSSB, 200 rounds"] - found["MCSSB"]),
        ("MCSSB − nearest neighbour", "< 0", found["MCSSB"] - found["nearest neighbour"]),
    ):
        print(f"| {what} | {asked} | {mean(values)} |")


def uci():
    """Three data sets of the dissertation, 2 to 10 % labelled."""
    head = " | ".join(f"{100 * share:.0f} %" for share in LABELLED)
    for set_, data in sets().items():
        print(f"\n**{set_}** ({data.examples} × {data.dimension}, {data.classes} classes). [V]: {QUOTED[set_]}\n")
        print(f"| learner | {head} |\n|---|{'---|' * len(LABELLED)}")
        found = {}
        for name, (id, params) in LEARNERS.items():
            note(f"{set_}, {name}")
            found[name] = [accuracy(id, params, data, share) for share in LABELLED]
            print(f"| {name} | {' | '.join(map(mean, found[name]))} |", flush=True)
        gain = [a - b for a, b in zip(found["MCSSB"], found["tree"], strict=True)]
        print(f"| MCSSB − tree | {' | '.join(map(mean, gain))} |", flush=True)


def weight():
    """Fig. 2.2: MCSSB with 2 % labelled, by C. [V]: stable for large C."""
    values = (1.0, 1e2, 1e4, 1e6, 1e8, 1e10)
    print(f"| data | {' | '.join(f'C = {C:g}' for C in values)} |\n|---|{'---|' * len(values)}")
    for set_, data in sets().items():
        note(f"{set_}, by C")
        print(f"| {set_} | {' | '.join(mean(accuracy('mcssb', {'C': C}, data, 0.02)) for C in values)} |", flush=True)


def depth():
    """Fig. 2.3: 2 % labelled, by depth of the trees. [V]: MCSSB above ASSEMBLE at every depth."""
    values = (1, 2, 3, 5, 8)
    for set_, data in sets().items():
        print(f"\n**{set_}**\n\n| learner | {' | '.join(f'depth {d}' for d in values)} |\n|---|{'---|' * len(values)}")
        for name in ("tree", "ASSEMBLE", "ASSEMBLE, first labels by nearest", "MCSSB"):
            note(f"{set_}, {name}, by depth")
            id, params = LEARNERS[name]
            cells = (mean(accuracy(id, params | {"depth": d}, data, 0.02)) for d in values)
            print(f"| {name} | {' | '.join(cells)} |", flush=True)


TABLES = {f.__name__: f for f in (digits, uci, weight, depth)}

if __name__ == "__main__":
    for chosen in sys.argv[1:] or TABLES:
        print(f"\n{chosen}: {TABLES[chosen].__doc__}")
        TABLES[chosen]()
