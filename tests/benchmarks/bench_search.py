"""What the search page costs, and what the study depends on.

    python -m tests.benchmarks.bench_search [costs|choices]

costs: seconds until the index stands, with the docstrings read anew and from the cache; seconds a query; memory; and
seconds that a crowd of 500 takes. choices: the study of two seeds with 4,000 searches, for other numbers of documents,
position biases and lowest relevant grades than those that were chosen after looking.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace

import numpy as np

from learners.sweep.batch import compute
from pages.ui.figures.figure import Size
from pages.ui.figures.papers.stable.study import PERTURBED, PREFP, RATIO
from pages.ui.figures.plan import trial
from pages.ui.search.study import LEARNERS

INDEX = """
import json, os, re, time
from pathlib import Path

def most():  # megabytes held at once so far
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024

def worked():
    return sum(os.times()[:4])

from datasets.functions.index import index
began, cpu, before = time.perf_counter(), worked(), most()
held = index()
seconds, cpu = time.perf_counter() - began, worked() - cpu
times = []
for query in QUERIES:
    start = time.perf_counter()
    held.search(query)
    times.append(time.perf_counter() - start)
print(json.dumps({"functions": len(held.functions), "seconds": seconds, "cpu": cpu, "times": times,
                  "before": before, "megabytes": most()}))
"""
QUERIES = [
    "singular value decomposition", "sort", "random forest", "read csv", "fast fourier transform", "inverse matrix",
    "moving average", "k means", "dtype", "group by sum", "logistic regression classifier", "scipy sparse", "nan",
]  # fmt: skip


def costs() -> None:
    with tempfile.TemporaryDirectory() as empty:
        for words, home in (("read anew", {"XDG_CACHE_HOME": empty}), ("from the cache", {"XDG_CACHE_HOME": empty})):
            script = INDEX.replace("QUERIES", repr(QUERIES * 5))
            ran = subprocess.run(
                [sys.executable, "-c", script], env=os.environ | home, capture_output=True, text=True, check=True
            )
            found = json.loads(ran.stdout.splitlines()[-1])
            times = 1e3 * np.array(found["times"])
            print(
                f"index of {found['functions']:,} functions, {words}: {found['seconds']:.1f} s ({found['cpu']:.1f} s "
                f"of a processor); a query "
                f"{np.median(times):.1f} ms, the slowest {times.max():.1f} ms; {found['before']:.0f} MB before, "
                f"{found['megabytes']:.0f} MB at most"
            )
    import datasets
    from learners.interleaving.crowd import crowd

    for documents in (20, 50):
        began = time.perf_counter()
        data = datasets.load("function-search", documents=documents)
        built, taken = time.perf_counter() - began, []
        for seed in range(4):  # the first compiles, or waits for what is compiled
            began = time.perf_counter()
            crowd(data, dict.fromkeys(LEARNERS, data.tuned), 500, 0.1, 1.0, seed)
            taken.append(time.perf_counter() - began)
        print(
            f"{documents} documents: data in {built:.1f} s; a crowd of 500 with both learners {taken[0]:.2f} s at "
            f"first, then {min(taken[1:]):.2f} s"
        )


def choices() -> None:
    people = [(50, 0.5, 1), (20, 0.5, 1), (50, 1.0, 1), (50, 0.0, 1), (50, 0.5, 2), (50, 0.5, 3)]
    print("documents  bias  relevant from  noise  perceptron wins  3PR wins  perceptron shares  3PR shares")
    for documents, bias, grade in people:
        for noise in (0.0, 0.05, 0.1, 0.2):
            found = [ends(learner, documents, bias, grade, noise) for learner in (PREFP, PERTURBED)]
            ratios = "  ".join(f"{ratio:15.2f}" for ratio, _ in found)
            shares = "  ".join(f"{shared:15.1f}" for _, shared in found)
            print(f"{documents:9} {bias:5} {grade:14} {noise:6} {ratios}  {shares}", flush=True)


def ends(learner, documents, bias, grade, noise):
    """The win ratio and the shared documents at the end, mean of two seeds with 4,000 searches."""
    found = []
    for seed in range(2):
        panel = replace(
            RATIO, data=RATIO.data | {"documents": documents},
            asks={"noise": noise, "bias": bias, "relevant_from": grade},
        )  # fmt: skip
        run = replace(trial(panel, learner, Size(2000), seed), metrics=("win-ratio", "top10-overlap"))
        found.append([values.item() for values in map(compute(run).get, run.metrics)])
    return np.mean(found, axis=0)


TABLES = {"costs": costs, "choices": choices}

if __name__ == "__main__":
    for name in sys.argv[1:] or TABLES:
        TABLES[name]()
