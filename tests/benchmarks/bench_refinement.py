"""Cost of a round of ranking refinement: python -m tests.benchmarks.bench_refinement

Asked: 50 rounds on 1,000 documents × 46 features in under 2 s, measures included. CPU seconds, since machines are
shared.
"""

import time

import numpy as np

from datasets.ranking import RankingData
from learners import Simulation, create

ROUNDS, FEATURES = 50, 46


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
    main()
