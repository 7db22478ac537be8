"""Cost of a step of the coactive learners: python -m tests.benchmarks.bench_coactive

Web search with 20 documents a query, a strict user of α = ½, every metric recorded, each replicate in its own query
order. `step` is the whole step, `learner` what the learner itself takes of it (present and update on contexts that are
ready). Figures are the best of several interleaved rounds, since machines are shared; the ratios to the preference
perceptron inside one run are the ones to trust.
"""

import time

import numpy as np

from datasets import load
from learners import Simulation, create
from learners.base import Shape
from learners.ranking.base import Context, Feedback

RATIO = (
    ("preference-perceptron", {}),
    ("batch-perceptron", {"k": 10}),
    ("exponentiated-perceptron", {}),
    ("exponentiated-perceptron", {"rate": "variable"}),
    ("convex-perceptron", {}),
    ("convex-perceptron", {"radius": 1.0}),
)
SECOND = (
    ("second-order-perceptron", {}, 136, 20, 150.0),
    ("second-order-perceptron", {}, 700, 1, 5000.0),
    ("second-order-perceptron, always projecting", {"radius": 0.05, "epsilon": 1.0}, 50, 20, 0.0),
)


def step(data, id, params, replicates, steps):
    """Time of a step and replicate of a simulation in µs."""
    sim = Simulation(create(id, **params), data, "strict-alpha", replicates=replicates, seed=0)
    sim.advance(steps=64)
    began = time.perf_counter()
    sim.advance(steps=steps)
    return (time.perf_counter() - began) / steps / replicates * 1e6


def alone(id, params, d, replicates, steps):
    """Time that the learner takes of a step, for each replicate, in µs."""
    rng = np.random.default_rng(0)
    contexts = [Context(rng.normal(size=(replicates, 20, d)), 1 / np.log2(np.arange(2, 22))) for _ in range(8)]
    answers = [Feedback(ranking=rng.random((replicates, 20)).argsort(axis=1)) for _ in contexts]
    learner = create(id, **params)
    learner.reset(Shape(d, 20), replicates, rng)
    took = 0.0
    for i in range(steps + 16):
        context, answer = contexts[i % 8], answers[(3 * i) % 7]
        began = time.perf_counter()
        learner.update(context, learner.present(context), answer)
        took += (time.perf_counter() - began) * (i >= 16)
    return took / steps / replicates * 1e6


def main(rounds=3):
    data = load("web-search", queries=2000, documents=20, features=136)
    for replicates, steps in ((1, 400), (20, 120)):
        times = [
            [
                (step(data, id, params, replicates, steps), alone(id, params, 136, replicates, steps))
                for id, params in RATIO
            ]
            for _ in range(rounds)
        ]
        print(
            f"d = 136, R = {replicates}: µs a step and replicate, and the ratio to the preference perceptron (asked: "
            f"1.5)"
        )
        table = np.array(times)  # (rounds, learners, 2)
        ratio = table.min(axis=0) / table.min(axis=0)[:1]  # best against best
        for (id, params), best, factor in zip(RATIO, table.min(axis=0), ratio, strict=True):
            name = f"{id} {' '.join(map(str, params.values()))}"
            print(f"  {name:<36} step {best[0]:7.1f} ({factor[0]:.2f} ×)   learner {best[1]:7.1f} ({factor[1]:.2f} ×)")
    for name, params, d, replicates, asked in SECOND:
        took = [alone(name.split(",")[0], params, d, replicates, 40 if d > 200 else 60) for _ in range(rounds)]
        limit = f" (asked: at most {asked:.0f})" if "," not in name else ""
        print(f"{name}, d = {d}, R = {replicates}: {min(took):.1f} µs a step and replicate{limit}")


if __name__ == "__main__":
    main()
