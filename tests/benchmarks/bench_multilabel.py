"""Cost of a step of the multilabel learners at the size of the paper's video data: python -m
tests.benchmarks.bench_multilabel

K = 101 labels, d = 120 features, S = 10, every metric recorded. Figures are the best of several interleaved rounds,
since machines are shared.
"""

import time

from datasets import load
from learners import Simulation, create

CASES = (
    ("multilabel-ucb", {"matrices": "diagonal"}, 0.5),
    ("multilabel-ucb", {"matrices": "full"}, 5.0),
    ("multilabel-ucb", {"matrices": "full", "loss": "logistic"}, 5.0),
    ("online-binary-relevance", {"matrices": "full"}, None),
    ("random-labels", {}, None),
)


def milliseconds(data, id, params, replicates, steps):
    """Time of a step and replicate in ms."""
    sim = Simulation(create(id, **params), data, replicates=replicates, seed=0)
    sim.advance(steps=64)
    began = time.perf_counter()
    sim.advance(steps=steps)
    return (time.perf_counter() - began) / steps / replicates * 1e3


def main(rounds=3):
    data = load("multilabel-synthetic", labels=101, features=120, density=0.043)
    times = [
        [(milliseconds(data, id, params, 1, 256), milliseconds(data, id, params, 10, 64)) for id, params, _ in CASES]
        for _ in range(rounds)
    ]
    for i, (id, params, asked) in enumerate(CASES):
        one, ten = (min(column) for column in zip(*(t[i] for t in times), strict=True))
        name = f"{id} {' '.join(params.values())}"
        limit = "" if asked is None else f" (asked: at most {asked} at R = 1)"
        print(f"{name:<34} R = 1: {one:6.3f} ms a step   R = 10: {ten:6.3f} ms a step and replicate{limit}")


if __name__ == "__main__":
    main()
