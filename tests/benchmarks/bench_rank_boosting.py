"""Cost of a round of NDCG_Boost, and how it grows: python -m tests.benchmarks.bench_rank_boosting

With the folder of another version: the default runs of the lab and NDCG_Boost on 300 × 20, beside that version.

The size that is asked for: 100 rounds on 340 training queries × 40 documents × 46 features in 5 s. Times are CPU times,
the best of several interleaved rounds, since machines are shared; memory is what NumPy allocates (tracemalloc), at its
peak.
"""

import sys
import time
import tracemalloc

import numpy as np

from datasets import load
from datasets.ranking import RankingData
from learners import Simulation, create
from learners.boosting.learning_to_rank.base import Queries
from tests.benchmarks.beside import compare

SIZES = ((340, 40), (680, 40), (1360, 40), (340, 80), (340, 160))  # queries, documents
LEARNERS = ("ndcg-boost", "adarank", "linear-regression-ranking", "pairwise-svm", "lambdarank")
LAB_DATA = {"relevance": "nonlinear", "queries": 300, "features": 5}
CASES = (
    *((f"lab: {id}", id, {}, "web-search", LAB_DATA, 5, 50) for id in (*LEARNERS, "random-scores")),
    ("adarank, stumps", "adarank", {"weak": "stumps"}, "web-search", LAB_DATA, 5, 50),
    *(
        (f"ndcg-boost, 300 × 20 × 50, R = {R}", "ndcg-boost", {}, "web-search", {"queries": 300}, R, 50)
        for R in (1, 10)
    ),
)


def problem(queries, documents, features=46):
    """Queries with grades 0 … 4 as web search has them."""
    data = load("web-search", queries=queries, documents=documents, features=features)
    return Queries(data.features, data.starts, data.grades[0])


def growth(rounds=3, steps=10):
    """Time and memory of a round where queries or documents double."""
    problems = [problem(*size) for size in SIZES]
    best, peaks, kept, pairs = [np.inf] * len(SIZES), [], [], []
    for given in problems:
        learner = create("ndcg-boost")
        tracemalloc.start()
        learner.reset(given, np.random.default_rng(0))
        learner.round()
        now, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        kept.append(now)
        peaks.append(peak)
        pairs.append(len(learner.surrogate.a))
    for _ in range(rounds):
        for i, given in enumerate(problems):
            learner = create("ndcg-boost")
            learner.reset(given, np.random.default_rng(0))
            began = time.process_time()
            for _ in range(steps):
                learner.round()
            best[i] = min(best[i], (time.process_time() - began) / steps)
    print("| queries × documents | pairs | ms a round | ns a round and pair | MB kept | MB at most | bytes a pair |")
    for (q, m), p, t, k, peak in zip(SIZES, pairs, best, kept, peaks, strict=True):
        print(
            f"| {q} × {m} | {p:,} | {t * 1e3:.1f} | {t / p * 1e9:.0f} | {k / 1e6:.1f} | {peak / 1e6:.1f} | "
            f"{peak / p:.0f} |"
        )


def asked():
    """100 rounds of every learner through a simulation, 340 of 567 queries to train on, all metrics measured."""
    data = load("web-search", queries=567, documents=40, features=46)
    parts = np.split(np.arange(567), [340, 453])
    data = RankingData("one fold", {}, data.features, data.starts, data.grades, folds=(tuple(parts),))
    for id in LEARNERS:
        began = time.process_time()
        Simulation(id, data).advance(steps=100)
        print(f"{id:<26} 100 rounds: {time.process_time() - began:5.2f} s of CPU time", flush=True)


if __name__ == "__main__":
    if sys.argv[1:]:
        compare(sys.argv[1], CASES)
    else:
        asked()
        growth()
