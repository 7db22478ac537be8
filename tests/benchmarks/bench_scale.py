"""One pass over data of the paper's size: python -m tests.benchmarks.bench_scale

28,000 queries, 644,000 documents, 700 features, single precision, preference perceptron at R = 1. Takes a minute and 2
GB.
"""

import resource
import time

from datasets import load
from learners import Simulation, create


def main():
    began = time.perf_counter()
    data = load("web-search", queries=28_000, documents=23, features=700, precision="single")
    loaded = time.perf_counter()
    sim = Simulation(create("preference-perceptron"), data, "noisy-grades", replicates=1, seed=0)
    sim.advance(steps=data.queries)
    done = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(
        f"documents {data.features.shape[0]:,}, data {data.features.nbytes / 1e9:.2f} GB, made in {loaded - began:.1f} "
        f"s"
    )
    print(f"one pass of {sim.t:,} steps: {done - loaded:.1f} s (asked: under 15)")
    print(f"peak memory {peak / 1e9:.2f} GB = {peak / data.features.nbytes:.2f} × the data (asked: under 3)")
    print(f"NDCG@5, last 1000 steps: {sim.history['ndcg@5'][-1000:].mean():.3f}")


if __name__ == "__main__":
    main()
