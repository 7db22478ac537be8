"""Cost of a step, and what the batch of replicates gains: python -m tests.benchmarks.bench_steps

perturbed-perceptron on web-search 2000 × 20 × 136, noisy grades, every metric of the lab recorded, each replicate in
its own query order. Figures are the best of several interleaved rounds, since machines are shared; the ratio is the
one to trust.
"""

import time

from datasets import load
from learners import Simulation, create


def microseconds(data, replicates, steps=600):
    """Time of a step and replicate in µs."""
    sim = Simulation(create("perturbed-perceptron"), data, "noisy-grades", replicates=replicates, seed=0)
    sim.advance(steps=100)
    began = time.perf_counter()
    sim.advance(steps=steps)
    return (time.perf_counter() - began) / steps / replicates * 1e6


def main():
    data = load("web-search", queries=2000, documents=20, features=136)
    rounds = [(microseconds(data, 1), microseconds(data, 20)) for _ in range(7)]
    one, twenty = (min(column) for column in zip(*rounds, strict=True))
    ratios = sorted(a / b for a, b in rounds)
    print(f"R = 1:  {one:6.1f} µs a step and replicate")
    print(f"R = 20: {twenty:6.1f} µs a step and replicate (asked: at most 15)")
    print(f"gain of the batch: {one / twenty:.1f} × best against best, median {ratios[3]:.1f} × (asked: at least 6)")


if __name__ == "__main__":
    main()
