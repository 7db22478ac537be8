"""Cost of a step of the multilabel learners, every metric recorded: python -m tests.benchmarks.bench_multilabel [OLD]

OLD is the folder of another version, which is run alternately with this one, each time in a process of its own. Figures
are times of the processor, the best of several rounds, since machines are shared. Then one step is taken apart.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

import numba
import numpy as np
from numba import types

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


def parts(size, params, replicates=10):
    """Print what the parts of a step of multilabel-ucb cost, in ns a replicate, each repeated by itself."""
    from datasets import load
    from learners import Simulation, create
    from learners.compiled import compiled, ready
    from learners.multilabel import kernel
    from learners.multilabel.page import LEARN, PAGES, PRESENT, page_of
    from learners.multilabel.second_order import learn, look, show
    from learners.random import EACH
    from learners.run.history import History

    labels, features = size
    data = load("multilabel-synthetic", labels=labels, features=features)
    sim = Simulation(create("multilabel-ucb", **params), data, replicates=replicates)
    sim.advance(steps=20)
    environment, learner = sim.environment, sim.learner
    many = max(2, min(200, environment.block))
    world, pages = environment._world(many), learner.pages()
    x, found = data.features[world.rows[0]], np.empty((6, many, replicates))

    def often(function, signature):
        """Return a compiled function that runs a rule or a part of it for all replicates many times."""

        @compiled
        def repeat(rule, pages, x, many):
            for b in range(many):
                for r in range(len(x)):
                    rule(page_of(pages, r, b + 1, x[r], x[r, :0]))

        ready(repeat, types.void(types.FunctionType(signature), PAGES, numba.float64[:, ::1], numba.int64))
        return lambda: repeat(ready(function, signature), pages, x, many)

    def each(function, *arguments):
        def run():
            for b in range(many):
                kernel.call(function, world, *((pages, b, b + 1, *arguments) if arguments else (b,)))

        return run

    rules = kernel.ready_rules(learner.rules)
    history = History(replicates)
    block = environment.run(many)
    steps = {
        "random numbers of the labels": lambda: environment.world.random((many, EACH, labels)),
        "labels and their probabilities *": each(kernel.draw),
        "A⁻¹x, x·A⁻¹x, w·x": often(look, LEARN),
        "p̂, ranking, best set": often(show, PRESENT),
        "both updates": often(learn, LEARN),
        "metrics *": each(kernel.measure, environment._totals, found),
        "all of the compiled block": lambda: kernel.call(
            kernel.run, *rules, kernel.SHOWN, world, pages, learner.draws(many), 1, environment._totals, found
        ),
        "the history": lambda: history.append(block),
        "a step of a simulation": lambda: sim.advance(steps=many),
    }
    print(f"\nparts of a step of multilabel-ucb {params}, K = {labels}, d = {features}, ns a replicate")
    for name, run in steps.items():
        times = []
        for _ in range(7):
            began = time.perf_counter()
            run()
            times.append(time.perf_counter() - began)
        print(f"  {name:<36}{min(times[1:]) / many / replicates * 1e9:12,.0f}")
    print("  * with the cost of a call from Python for every step, which a block does not have")


def main(rounds=2):
    table(sys.argv[1] if len(sys.argv) > 1 else None, rounds)
    parts(SMALL, DIAGONAL)
    parts(LARGE, FULL)


if __name__ == "__main__":
    main()
