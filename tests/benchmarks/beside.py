"""Time runs of this version and of another one in turn, each in a process of its own.

Machines are shared, so that only ratios of interleaved runs count: for each case a run of one and a run of the other,
several times, and the least of each.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]


def serve():
    """Time the runs that are asked for on standard input, in the version of the working directory."""
    sys.path.insert(0, str(Path.cwd()))
    from datasets import load
    from learners import Simulation, create

    known = {}
    for line in sys.stdin:
        learner, params, dataset, size, replicates, steps = case = json.loads(line)
        name = json.dumps(case[2:4])
        data = known[name] if name in known else known.setdefault(name, load(dataset, **size))
        began, cpu = time.perf_counter(), time.process_time()
        Simulation(create(learner, **params), data, replicates=replicates).advance(steps=steps)
        print(json.dumps((time.perf_counter() - began, time.process_time() - cpu)), flush=True)


def compare(other, cases, times=5):
    """Print a table of the cases, each a name and (learner, params, data set, its params, replicates, steps).

    other : the folder of the other version, with a working copy of its own.
    """
    versions = []
    for folder in (other, ROOT):
        command = [sys.executable, str(Path(__file__).resolve())]
        versions.append(subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
    print("| run | old, ms | new, ms | old / new | CPU, old / new |", "|---|---|---|---|---|", sep="\n")
    for name, *case in cases:
        found = [[], []]
        for _ in range(times + 1):
            for version, taken in zip(versions, found, strict=True):
                version.stdin.write(json.dumps(case) + "\n")
                version.stdin.flush()
                taken.append(json.loads(version.stdout.readline()))
        (old, old_cpu), (new, new_cpu) = (map(min, zip(*taken[1:], strict=True)) for taken in found)
        print(f"| {name} | {old * 1e3:.1f} | {new * 1e3:.1f} | {old / new:.2f} | {old_cpu / new_cpu:.2f} |", flush=True)
    for version in versions:
        version.stdin.close()
        version.wait()


if __name__ == "__main__":
    serve()
