"""Steps looked at again against runs that stopped there, and what that costs: python -m tests.benchmarks.check_states

For every learner, in simulations, comparisons with a fixed ranker and games against the adversary: fifty random steps
of runs with random seeds (`--times`), each compared to the bit. Then a run of 100,000 steps (`--steps`): the memory of
the states that are kept, the time of looking at a step, and the time that keeping states adds, as the ratio of
interleaved runs with and without. Names of learners restrict it to these; `--part` does one
part.
"""

import argparse
import time

import numpy as np

from datasets import load
from learners import Simulation
from learners.run.states import weigh
from tests.learners.run.problems import every, same, simulation

RUNS = [  # of the second part
    ("perturbed-perceptron", "toy-ranking", "cascade", 10),
    ("perturbed-perceptron", "web-search", "noisy-grades", 1),
    ("banditron", "synsep", None, 20),
    ("multilabel-ucb", "multilabel-synthetic", None, 10),
]


def equal(names, times, steps=200, rounds=8):
    """Compare `times` random steps of every learner; half of them in forks without a change."""
    for online in (True, False):
        for id, kind in sorted(every(online, apart=None), key=lambda run: run[1]):
            if names and id not in names:
                continue
            rng = np.random.default_rng(sum(map(ord, id + kind)))
            most = steps if online else rounds
            began = time.perf_counter()
            for number in range(times):
                seed, t = int(rng.integers(1 << 30)), int(rng.integers(1, most + 1))
                sim, short = (simulation(id, seed=seed, kind=kind) for _ in range(2))
                sim._past.interval = 1 if not online else 32
                sim.advance(steps=most)
                short.advance(steps=t)
                same(sim.at(t), short.last)
                if number % 2:
                    twin = sim.fork(at=t)
                    twin.advance(steps=1)
                    same(twin.last, short.last)
            print(f"{id:28} {kind:10} {times} equal, {time.perf_counter() - began:.0f} s", flush=True)


def cost(names, steps):
    """Measure memory, time to look at a step, and time to keep states."""
    for id, dataset, user, replicates in RUNS:
        if names and id not in names:
            continue
        data = load(dataset)
        Simulation(id, data, user, replicates).advance(steps=1000)  # compiles
        took = {64: [], 0: []}
        for _ in range(7):
            for megabytes in took:
                sim = Simulation(id, data, user, replicates, megabytes=megabytes)
                sim.advance(steps=256)
                began = time.thread_time()
                sim.advance(steps=max(256, steps // 20))
                took[megabytes].append(time.thread_time() - began)
        ratio = np.median(took[64]) / np.median(took[0])
        sim = Simulation(id, data, user, replicates)
        most = 0.0
        for _ in range(10):
            sim.advance(steps=steps // 10)
            most = max(most, sim._past.bytes / 1e6)
        kept, seen = sim._past, {}
        weigh(sim.environment, seen)
        held = weigh(kept.states, seen) / 1e6  # and not by the environment
        rng = np.random.default_rng(0)
        far, near = [], []
        for t in rng.integers(100, sim.t - 100, size=15):
            for times, step in ((far, t), (near, t + 1), (near, t - 1), (near, t - 2)):
                began = time.perf_counter()
                sim.at(int(step))
                times.append(time.perf_counter() - began)
        print(
            f"{id} on {dataset}, R = {replicates}, T = {steps:,}: {len(kept.states)} states, "
            f"one every {kept.interval} steps, "
            f"{kept.bytes / 1e6:.1f} MB counted ({most:.1f} at most, budget 64), {held:.1f} MB held by them alone; "
            f"a step anywhere {1e3 * np.median(far):.1f} ms, a neighbour {1e3 * np.median(near):.2f} ms; "
            f"processor time with states / without {ratio:.3f}",
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--part", choices=["equal", "cost"])
    given = parser.parse_args()
    if given.part != "cost":
        equal(given.names, given.times)
    if given.part != "equal":
        cost(given.names, given.steps)


if __name__ == "__main__":
    main()
