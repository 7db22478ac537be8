"""Sweeps, in one process, two, and on a cluster of two workers: python -m tests.benchmarks.bench_sweep

Machines are shared: each pair of one and two workers is timed in turn, and the ratio is the one to trust.
"""

import time

import numpy as np
import pandas as pd

from datasets import create
from learners.sweep import gather, plan, run


def timed(batches, **how):
    """Seconds, and the table."""
    began = time.perf_counter()
    table = gather(run(batches, **how))
    return time.perf_counter() - began, table


def line():
    """15 values of γ × 10 replicates × 100,000 steps."""
    setup = {"learner": "banditron", "dataset": "synnonsep"}
    batches = plan(setup, {"gamma": np.geomspace(0.001, 0.5, 15)}, replicates=10, steps=100_000)
    seconds, table = timed(batches)
    errors = table[table.metric == "error-rate"].groupby("gamma").value.mean()
    print(
        f"15 γ × 10 replicates × 100,000 steps, {len(batches)} batch in one process: {seconds:.1f} s (asked: under 60)"
    )
    print(f"  lowest final error {errors.min():.3f} at γ = {errors.idxmin():.3g}")


def plane():
    """γ × label noise, a batch for each noise, 1 and 2 workers and a cluster."""
    setup = {"learner": "banditron", "dataset": create("synnonsep", examples=20_000)}
    over = {"gamma": np.geomspace(0.005, 0.5, 6), "noise": [0.0, 0.05, 0.1, 0.2]}
    batches = plan(setup, over, replicates=10, steps=20_000)
    ratios = []
    timed(batches[:2], workers=2)  # the processes are started once, and stay for a while
    for _ in range(3):
        (one, here), (two, there) = timed(batches), timed(batches, workers=2)
        pd.testing.assert_frame_equal(here, there, check_exact=True)
        ratios.append(one / two)
        print(f"6 γ × 4 noises × 10 × 20,000, {len(batches)} batches: 1 worker {one:.1f} s, 2 workers {two:.1f} s")
    print(f"  two workers are {np.median(ratios):.2f} times as fast (median of 3), with the identical table")
    try:
        from distributed import LocalCluster
    except ImportError:
        print("  no Dask: not timed on a cluster")
        return
    with LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=":0") as cluster:
        for again in ("", " again"):
            seconds, table = timed(batches, scheduler=cluster.scheduler_address)
            pd.testing.assert_frame_equal(here, table, check_exact=True)
            print(f"  on a Dask cluster of two workers{again}: {seconds:.1f} s, with the identical table")


if __name__ == "__main__":
    line()
    plane()
