"""Cost of MCSSB by size: python -m tests.benchmarks.bench_semi_supervised [rows …]

With the folder of another version: the default runs of the lab and MCSSB on 10 replicates, beside that version.

50 rounds on Gaussian clouds with ten classes and 64 features, with as many test rows as training rows. CPU time, so
that other work on the machine counts for little; memory is the largest that the process has had so far.
"""

import resource
import sys
import time

import numpy as np

from datasets.classification import ClassificationData
from learners import Simulation, create
from tests.benchmarks.beside import compare

ASKED = {2_000: "10 s", 10_000: "180 s and 3 GB"}
LAB = ("mcssb", "assemble", "single-tree", "nearest-neighbour", "adaboost", "label-spreading", "self-training")
CASES = (
    *((f"lab: {id}", id, {}, "moons", {}, 5, 50) for id in LAB),
    ("mcssb, digits, R = 1", "mcssb", {}, "digits", {}, 1, 50),
    ("mcssb, digits, R = 10", "mcssb", {}, "digits", {}, 10, 50),
    ("mcssb with weights, digits, R = 10", "mcssb", {"train": "weights"}, "digits", {}, 10, 50),
    ("assemble, depth 6, digits, R = 10", "assemble", {"depth": 6}, "digits", {}, 10, 50),
    ("adaboost, depth 4, digits, R = 10", "adaboost", {"depth": 4}, "digits", {}, 10, 50),
)


def clouds(rows, classes=10, features=64):
    """Overlapping Gaussian clouds."""
    rng = np.random.default_rng(0)
    labels = np.arange(rows) % classes
    at = rng.normal(size=(classes, features))
    params = {"training": 0.5, "labelled": 0.05}
    names = tuple(f"class {k}" for k in range(classes))
    return ClassificationData("clouds", params, at[labels] + 1.5 * rng.normal(size=(rows, features)), labels, names)


def main(sizes):
    for rows in sizes:
        data = clouds(2 * rows)
        for similarity in ("gaussian", "uniform", "absolute"):
            began, cpu = time.perf_counter(), time.process_time()
            sim = Simulation(create("mcssb", similarity=similarity), data, seed=0)
            sim.advance(steps=50)
            wall, cpu = time.perf_counter() - began, time.process_time() - cpu
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
            done = "ended early" if sim.last.rounds[0].stopped else "50 rounds"
            print(
                f"{rows:>6,} rows, {similarity:<8} {done}: {wall:6.2f} s, CPU {cpu:6.2f} s, at most {memory:.2f} GB"
                f"   (asked: {ASKED.get(rows, 'nothing')})",
                flush=True,
            )


if __name__ == "__main__":
    if sys.argv[1:] and not sys.argv[1].isdigit():
        compare(sys.argv[1], CASES)
    else:
        main([int(x) for x in sys.argv[1:]] or list(ASKED))
