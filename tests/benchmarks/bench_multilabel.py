"""Cost of a step of the multilabel learners, every metric recorded: python -m tests.benchmarks.bench_multilabel [OLD]

OLD is the folder of another version, which is run alternately with this one, each time in a process of its own. Figures
are times of the processor, the best of several rounds, since machines are shared. Then one step is taken apart.
"""

import json
import subprocess
import sys
from pathlib import Path

SMALL, LARGE = (40, 20), (101, 120)  # labels, features; the second is the size of the paper's video data
DIAGONAL, FULL = {"matrices": "diagonal"}, {"matrices": "full"}
CASES = [  # learner, parameters, size, numbers of replicates, and by how much faster than OLD R = 10 must be
    ("multilabel-ucb", DIAGONAL, SMALL, (1, 10, 100), 10),
    ("multilabel-ucb", FULL, LARGE, (1, 10), 2),
    ("multilabel-ucb", FULL, SMALL, (1, 10, 100), None),
    ("multilabel-ucb", DIAGONAL, LARGE, (1, 10, 100), None),
    ("multilabel-ucb", DIAGONAL | {"loss": "logistic"}, SMALL, (1, 10, 100), None),
    ("multilabel-ucb", DIAGONAL | {"confidence": "remark 1"}, SMALL, (1, 10, 100), None),
    ("online-binary-relevance", FULL, SMALL, (1, 10, 100), None),
    ("random-labels", {}, SMALL, (1, 10, 100), None),
    ("never-play", {}, SMALL, (1, 10, 100), None),
    ("multilabel-ucb", DIAGONAL | {"size": 1000}, (1000, 20), (1, 10), None),
]

# what both versions understand
WORK = """
import json, sys, time
sys.path.insert(0, "")
from datasets import load
from learners import Simulation, create
id, params, (labels, features), many, _ = json.loads(sys.argv[1])
data = load("multilabel-synthetic", labels=labels, features=features, density=0.1 if labels < 100 else 0.043)
found = []
for replicates in many:
    sim = Simulation(create(id, **params), data, replicates=replicates, seed=0)
    sim.advance(seconds=0.2)
    best = 1e9
    for _ in range(4):
        steps, began = -sim.t, time.process_time()
        sim.advance(seconds=0.1)
        best = min(best, (time.process_time() - began) / (steps + sim.t))
    found.append(best / replicates * 1e6)
print(json.dumps(found))
"""


def measured(folder, case):
    """Time of a step and replicate in µs, for each number of replicates, by the version in a folder."""
    command = [sys.executable, "-c", WORK, json.dumps(case)]
    return json.loads(subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout)


def table(old, rounds):
    """Print the times of this version, and their ratios to those of the old one."""
    here = Path(__file__).parents[2]
    print("µs a step and replicate (and by how much faster than the old version)")
    for case in CASES:
        id, params, (labels, features), many, asked = case
        pairs = [(measured(here, case), measured(old, case) if old else None) for _ in range(rounds)]
        cells = []
        for j, replicates in enumerate(many):
            new = min(pair[0][j] for pair in pairs)
            ratio = f" ({min(pair[1][j] for pair in pairs) / new:.1f} ×)" if old else ""
            limit = f" asked {asked} ×" if asked and replicates == 10 else ""
            cells.append(f"R = {replicates}: {new:.2f}{ratio}{limit}")
        name = f"{id} {' '.join(map(str, params.values()))}, K = {labels}, d = {features}"
        print(f"{name:<64} {'   '.join(cells)}", flush=True)


def main(rounds=2):
    table(sys.argv[1] if len(sys.argv) > 1 else None, rounds)


if __name__ == "__main__":
    main()
