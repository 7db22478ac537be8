"""Cost of a step of the classification learners, against another version of the project, Vowpal Wabbit and river, and
the memory of a long run:

python -m tests.benchmarks.bench_bandit [--old WORKTREE] [--others PYTHON]

WORKTREE is a checkout of another version. PYTHON is that of an environment with tests/benchmarks/requirements.txt.
Rounds of all of them are interleaved, each in a process of its own with one thread for linear algebra. Figures are
processor times (of Vowpal Wabbit, which has a second thread that reads, the lesser of processor and wall-clock time)
and the best of the rounds, since machines are shared; the ratios are the ones to trust.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from datasets import load
from learners import Simulation, create

EXAMPLES = 20_000  # of SynSep

# runs in every version, by itself
OURS = """
import json, time
from datasets import load
from learners import Simulation, create
from learners.catalogue import learner_classes

DATA = {"synsep": load("synsep", examples=%d), "digits": load("digits")}
IDS = [id for id, cls in learner_classes().items() if cls.family == "classification"]

def cost(id, data, replicates, steps):
    sim = Simulation(create(id), DATA[data], replicates=replicates, seed=0)
    sim.advance(steps=10 if id == "halving" else 300)
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        sim.advance(steps=steps)
        best = min(best, time.process_time() - began)
    return best / steps / replicates * 1e6

found = {}
for data in DATA:
    for id in IDS:
        for replicates in (1, 20, 100):
            if id == "halving":
                if data == "digits" and replicates < 100:
                    found[f"{id} {data} {replicates}"] = cost(id, data, replicates, 20)
            elif replicates < 100 or id == "banditron":
                found[f"{id} {data} {replicates}"] = cost(id, data, replicates, max(200, 8000 // replicates))
print(json.dumps(found))
"""

# the driver of Vowpal Wabbit, which reads its own binary cache, and single calls of river; without our packages
OTHERS = """
import json, os, sys, time
from river import linear_model, multiclass
from vowpalwabbit import Workspace

text, cache = sys.argv[1], sys.argv[1] + ".cache"
lines = [line.split("|") for line in open(text)]

def passes(number):
    if os.path.exists(cache):
        os.remove(cache)
    wall, processor = time.perf_counter(), time.process_time()
    Workspace(
        f"--cbify 9 --cb_type mtr --epsilon 0.05 --quiet -b 14 -d {text} --cache_file {cache} --passes {number} "
        "--holdout_off"
    ).finish()
    return min(time.perf_counter() - wall, time.process_time() - processor)

one, four = passes(1), passes(4)
found = {"Vowpal Wabbit, from its cache": (four - one) / 3 / len(lines) * 1e6}
wabbit = Workspace("--cbify 9 --cb_type mtr --epsilon 0.05 --quiet -b 14")
parsed = [wabbit.parse("|".join(line)) for line in lines[:3000]]
began = time.process_time()
for example in parsed:
    wabbit.learn(example)
found["Vowpal Wabbit, parsed examples"] = (time.process_time() - began) / len(parsed) * 1e6
examples = [(dict.fromkeys(words.split(), 1.0), int(label)) for label, words in lines[:2000]]
model = multiclass.OneVsRestClassifier(linear_model.Perceptron())
began = time.process_time()
for x, y in examples:
    model.predict_one(x)
    model.learn_one(x, y)
found["river, one perceptron against the rest"] = (time.process_time() - began) / len(examples) * 1e6
print(json.dumps(found))
"""


def figures(python, code, *arguments, cwd=None):
    """What a program prints, µs by case."""
    command = [python, "-c", code, *map(str, arguments)]
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    return json.loads(subprocess.run(command, cwd=cwd, env=alone, check=True, capture_output=True, text=True).stdout)


def written(data, path):
    """Write the examples as Vowpal Wabbit and the others read them."""
    rows = data.features
    words = (rows.indices[a:b] for a, b in zip(rows.indptr[:-1], rows.indptr[1:], strict=True))
    lines = (f"{y + 1} | {' '.join(map(str, row))}\n" for y, row in zip(data.labels, words, strict=True))
    path.write_text("".join(lines))
    return path


def interleaved(old, others, rounds):
    """The best µs of each case of this version, the old one, and the others."""
    best = {"new": {}, "old": {}, "others": {}}
    with tempfile.TemporaryDirectory() as folder:
        text = written(load("synsep", examples=EXAMPLES), Path(folder) / "synsep.txt") if others else None
        for _ in range(rounds):
            found = {"new": figures(sys.executable, OURS % EXAMPLES)}
            if old:
                found["old"] = figures(sys.executable, OURS % EXAMPLES, cwd=old)
            if others:
                found["others"] = figures(others, OTHERS, text)
            for who, values in found.items():
                for case, value in values.items():
                    best[who][case] = min(value, best[who].get(case, value))
    return best


def speed(old, others, rounds):
    """Print the tables."""
    best = interleaved(old, others, rounds)
    print("µs a step and replicate (learner, data, R)")
    for case, new in best["new"].items():
        before = best["old"].get(case)
        print(f"{case:34} {new:8.2f}" + (f"   old {before:8.2f}   {before / new:6.1f} ×" if before else ""))
    for data in ("synsep", "digits"):
        costs = [best["new"][f"banditron {data} {replicates}"] for replicates in (1, 20, 100)]
        print(
            f"banditron on {data}: R = 1 costs {costs[0] / costs[1]:.2f} × R = 20, R = 100 {costs[2] / costs[1]:.2f} ×"
        )
    for case, value in best["others"].items():
        one, twenty = (best["new"][f"banditron synsep {replicates}"] for replicates in (1, 20))
        print(f"{case:40} {value:8.2f}   banditron: R = 1 {value / one:.1f} ×, R = 20 {value / twenty:.1f} × as fast")


def long_run():
    """A million steps of ten replicates."""
    data = load("synsep", examples=1_000_000)
    sim = Simulation(create("banditron"), data, replicates=10, seed=0)
    process = psutil.Process()
    sim.advance(steps=1000)
    start, began = process.memory_info().rss, time.perf_counter()
    for steps in (100_000, 500_000, 1_000_000):
        sim.advance(steps=steps - sim.t)
        grown = (process.memory_info().rss - start) / 2**20
        seconds = time.perf_counter() - began
        print(f"{steps:9,} steps: {seconds:5.1f} s, memory {grown:+.0f} MB, {sim.history.rows:,} rows of history")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--old")
    parser.add_argument("--others")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--long", action="store_true", help="also a million steps")
    told = parser.parse_args()
    speed(told.old, told.others, told.rounds)
    if told.long:
        long_run()
