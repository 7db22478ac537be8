"""Cost of a step of the Banditron on SynSep, what sparse rows and compiled loops gain, and a long run's memory:
python -m tests.benchmarks.bench_bandit

Figures are the best of several interleaved rounds, since machines are shared; the ratios are the ones to trust.
"""

import time
from unittest.mock import patch

import psutil

from datasets import load
from datasets.classification import ClassificationData
from learners import Simulation, create
from learners.classification import linear


def microseconds(data, replicates, steps):
    """Time of a step in µs."""
    sim = Simulation(create("banditron"), data, replicates=replicates, seed=0)
    sim.advance(steps=512)
    began = time.perf_counter()
    sim.advance(steps=steps)
    return (time.perf_counter() - began) / steps * 1e6


def plain(data, replicates, steps):
    """The same without compiled loops."""
    with patch.object(linear, "_loops", lambda: None):
        return microseconds(data, replicates, steps)


def speed(rounds=9):
    sparse = load("synsep", examples=100_000)
    few = load("synsep", examples=10_000)
    dense = ClassificationData(
        "dense", {}, few.features.toarray().astype(float), few.labels, few.names, separator=few.separator
    )
    cases = {
        "R = 1": lambda: microseconds(sparse, 1, 8192),
        "R = 20": lambda: microseconds(sparse, 20, 4096) / 20,
        "R = 20, dense rows": lambda: microseconds(dense, 20, 1024) / 20,
        "R = 1, plain NumPy": lambda: plain(sparse, 1, 2048),
        "R = 20, plain NumPy": lambda: plain(sparse, 20, 512) / 20,
    }
    times = {name: [] for name in cases}
    for _ in range(rounds):
        for name, case in cases.items():
            times[name].append(case())
    best = {name: min(found) for name, found in times.items()}
    asked = {"R = 1": " (asked: at most 12)"}
    for name, found in best.items():
        print(f"{name:20} {found:6.2f} µs a step and replicate{asked.get(name, '')}")
    for what, slow, fast in (
        ("batch of 20 against one", "R = 1", "R = 20"),
        ("sparse against dense rows, R = 20", "R = 20, dense rows", "R = 20"),
        ("compiled against plain, R = 1", "R = 1, plain NumPy", "R = 1"),
        ("compiled against plain, R = 20", "R = 20, plain NumPy", "R = 20"),
    ):
        ratios = sorted(a / b for a, b in zip(times[slow], times[fast], strict=True))
        print(f"gain, {what}: {best[slow] / best[fast]:.1f} ×, median {ratios[rounds // 2]:.1f} ×")


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
    speed()
    long_run()
