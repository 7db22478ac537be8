"""What sparse features save: python -m tests.benchmarks.bench_news

preference-perceptron on news-topics with 20,000 words (about 90 of them in a text), 20 texts a query, scanning users,
R = 10, beside the same run with dense features, for which only 2000 of the texts are kept (320 MB). Figures are the
best of several interleaved rounds, since machines are shared; the ratio is the one to trust.
"""

import time

import numpy as np

from datasets import load
from datasets.ranking import RankingData
from learners import Simulation

REPLICATES, TEXTS = 10, 2000


def some(data, dense):
    """The first texts of the corpus in queries of 20 at random, with the features dense or not."""
    rows = np.random.default_rng(0).permuted(np.tile(np.arange(TEXTS), (20, 1)), axis=1).ravel()
    features = data.features[:TEXTS]
    return RankingData(
        "some", {}, features.toarray() if dense else features, np.arange(0, len(rows) + 1, 20), data.grades[:, :TEXTS],
        rows=rows, weights=data.weights,
    )  # fmt: skip


def microseconds(sim, steps):
    """Time of a step and replicate in µs."""
    began = time.perf_counter()
    sim.advance(steps=steps)
    return (time.perf_counter() - began) / steps / REPLICATES * 1e6


def main():
    began = time.perf_counter()
    data = load("news-topics", words=20_000)
    built = time.perf_counter() - began
    runs = [Simulation("preference-perceptron", some(data, dense), "scan", REPLICATES) for dense in (False, True)]
    for sim in runs:
        sim.advance(steps=128)
    rounds = [(microseconds(runs[0], 384), microseconds(runs[1], 64)) for _ in range(7)]
    sparse, dense = (min(column) for column in zip(*rounds, strict=True))
    ratios = sorted(b / a for a, b in rounds)
    print(f"built in {built:.1f} s; {data.features.nnz / data.features.shape[0]:.0f} words a text")
    print(f"sparse: {sparse:7.1f} µs a step and replicate")
    print(f"dense:  {dense:7.1f} µs a step and replicate")
    print(f"ratio: {dense / sparse:.1f} × best against best, median {ratios[3]:.1f} ×")


if __name__ == "__main__":
    main()
