"""Cost of a round of ranking refinement: python -m tests.benchmarks.bench_refinement

With the folder of another version: the default runs of the lab and longer queries, beside that version.

Asked: 50 rounds on 1,000 documents × 46 features in under 2 s, measures included. CPU seconds, since machines are
shared.
"""

import sys
import time

import numpy as np

from datasets.ranking import RankingData
from learners import Simulation, create
from tests.benchmarks.beside import compare

ROUNDS, FEATURES = 50, 46
LAB = ("ranking-refinement", "rocchio", "feedback-svm", "judged-first", "base-ranker")
LAB_DATA = {"queries": 100, "documents": 60, "features": 20}
LONG = {"queries": 20, "documents": 200, "features": 46}
CASES = (
    *((f"lab: {id}", id, {}, "web-search", LAB_DATA, 20, 50) for id in LAB),
    ("the sum of the losses", "ranking-refinement", {"combine": "sum", "gamma": 0.01}, "web-search", LAB_DATA, 20, 50),
    ("trees of depth 3", "ranking-refinement", {"depth": 3}, "web-search", LAB_DATA, 20, 50),
    ("200 documents × 46, R = 10", "ranking-refinement", {}, "web-search", LONG, 10, 50),
)


def query(n):
    """A single query of n documents whose grades two features tell, with noise."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((n, FEATURES))
    grades = np.clip(np.round(x[:, 0] + x[:, 1] + rng.standard_normal(n)), 0, 4)
    return RankingData("query", {}, x, np.array([0, n]), grades[None])


def main():
    for n in (100, 300, 1000, 2000):
        data = query(n)
        for params in ({}, {"combine": "sum", "gamma": 0.01}, {"depth": 3}):
            began, wall = time.process_time(), time.perf_counter()
            sim = Simulation(create("ranking-refinement", **params), data, seed=0)
            made = time.process_time() - began
            sim.advance(steps=ROUNDS)
            spent, wall = time.process_time() - began, time.perf_counter() - wall
            print(
                f"n = {n:5} {params}: {ROUNDS} rounds {spent:.2f} s CPU ({wall:.2f} s), of which {made:.2f} s to set "
                f"up",
                flush=True,
            )
    for n in (100, 300):
        world = Simulation("ranking-refinement", query(n), seed=0).environment
        began = time.process_time()
        world.front(0, 25)
        print(f"n = {n:5} Pareto front of 25 points {time.process_time() - began:.2f} s CPU")


if __name__ == "__main__":
    if sys.argv[1:]:
        compare(sys.argv[1], CASES)
    else:
        main()
