"""Compares what `learners.run.cost` estimates with what runs take, for every learner on two data sets.

    python -m tests.benchmarks.bench_estimates              # a table; about ten minutes of one core
    python -m tests.benchmarks.bench_estimates ranking      # of one family
    python -m tests.benchmarks.bench_estimates --memory     # the memory instead, each run in a process of its own
    python -m tests.benchmarks.bench_estimates --light      # the longest steps of runs that a lab does not try first

A ratio is the estimate over the truth: 2 says that a run took half of what was estimated.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

import datasets
from learners import Simulation, create
from learners.catalogue import families, learners_of
from learners.run.cost import held, probe
from learners.run.history import LEAST_ROWS
from pages.ui.jobs.estimate import LIGHT

WORLDS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "ranking": [("toy-ranking", {}), ("web-search", {"queries": 200, "documents": 20, "features": 60})],
    "classification": [("separable-points", {}), ("digits", {})],
    "multilabel": [("multilabel-synthetic", {}), ("multilabel-synthetic", {"labels": 30, "features": 60})],
    "semi-supervised": [("moons", {}), ("digits", {})],
    "learning-to-rank": [
        ("web-search", {"queries": 60, "documents": 20, "features": 20}), ("digits-search", {"queries": 30})
    ],
    "refinement": [("web-search", {"queries": 30, "documents": 50, "features": 20}), ("rated-movies", {})],
}  # fmt: skip
STEPS, ROUNDS, REPLICATES = 3000, 30, 12
LONG = 30.0  # estimated seconds, above which half of the steps are run


def worlds(only: str | None) -> Iterator[tuple[Any, str, str, dict[str, Any]]]:
    """Yield a family, a learner, and a data set with its parameters."""
    for name, data in WORLDS.items():
        if only in (None, name):
            for id, params in data:
                for learner in learners_of(families()[name]):
                    yield families()[name], learner, id, params


def seconds(family: Any, learner: str, id: str, params: dict[str, Any]) -> tuple[float, float, float]:
    """Return the seconds of one core that were estimated, those that a run took, and those of the estimate."""
    data, steps = datasets.load(id, **params), ROUNDS if family.rounds else STEPS

    def make(replicates: int) -> Simulation:
        return Simulation(create(learner), data, replicates=replicates, recorded=LEAST_ROWS, megabytes=0)

    began = time.process_time()
    while (cost := probe(make, REPLICATES, steps)).seconds > LONG and steps > 10:
        steps //= 2
        began = time.process_time()
    spent = time.process_time() - began
    began = time.process_time()
    make(REPLICATES).advance(steps=steps)
    return cost.seconds, time.process_time() - began, spent


def megabytes(family: Any, learner: str, id: str, params: dict[str, Any]) -> tuple[float, float]:
    """Return the MB that are declared for a run, and those by which the process grew at its peak."""
    data, steps = datasets.load(id, **params), ROUNDS if family.rounds else STEPS // 5
    Simulation(create(learner), data, megabytes=0).advance(steps=2)
    before = _resident()
    peak, stop = [before], threading.Event()

    def watch() -> None:
        while not stop.wait(0.002):
            peak.append(max(peak.pop(), _resident()))

    threading.Thread(target=watch, daemon=True).start()
    made = create(learner)
    Simulation(made, data, replicates=50, recorded=LEAST_ROWS, megabytes=0).advance(steps=steps)
    stop.set()
    needed = held(made, family.shape(data), 50, steps)
    if not family.rounds:  # what the environment holds besides
        needed += 50 * (family.held(made, data.size(), data.params) - made.memory(family.shape(data), 1))
    return needed / 1e6, (peak[-1] - before) / 1e6


def _resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def longest(family: Any, learner: str, id: str, params: dict[str, Any]) -> tuple[float, float]:
    """Return the bytes of state of a run with as many replicates as are LIGHT, and the seconds of its longest step."""
    data = datasets.load(id, **params)
    made, shape = create(learner), family.shape(data)
    replicates = int(np.clip(LIGHT / max(1, made.memory(shape, 1)), 1, 100))
    run = Simulation(made, data, replicates=replicates, megabytes=0)
    run.advance(steps=1)  # imports and compiles
    run, worst = Simulation(made, data, replicates=replicates, megabytes=0), 0.0
    for _ in range(ROUNDS if family.rounds else 100):
        began = time.process_time()
        run.advance(steps=1)
        worst = max(worst, time.process_time() - began)
    return made.memory(shape, replicates), worst


def main() -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", nargs="?", choices=list(WORLDS))
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--light", action="store_true")
    parser.add_argument("--one", type=int, help="only the world of this number")
    given = parser.parse_args()
    ratios = []
    for number, world in enumerate(worlds(given.family)):
        if given.one not in (None, number):
            continue
        family, learner, id, _params = world
        name = f"{family.id:17} {learner:26} {id:21}"
        if given.memory and given.one is None:
            command = [sys.executable, "-W", "ignore", "-m", __spec__.name, "--memory", "--one", str(number)]
            done = subprocess.run(command + ([given.family] if given.family else []), capture_output=True, text=True)
            print(done.stdout.splitlines()[0] if done.stdout else f"{name} {done.stderr[-200:]}", flush=True)
            continue
        if given.light:
            try:
                held_bytes, worst = longest(*world)
            except ValueError:
                continue
            print(f"{name} {held_bytes / 1e6:6.1f} MB, longest step {worst:7.3f} s", flush=True)
            continue
        try:
            estimated, truth, *spent = megabytes(*world) if given.memory else seconds(*world)
        except ValueError as error:
            print(f"{name} refused: {error}", flush=True)
            continue
        ratios.append(estimated / max(truth, 1e-9))
        words = f", {spent[0]:.2f} s to estimate" if spent else ""
        print(f"{name} estimated {estimated:8.2f}, true {truth:8.2f}, ratio {ratios[-1]:5.2f}{words}", flush=True)
    if len(ratios) > 1:
        low, middle, high = np.quantile(ratios, (0.1, 0.5, 0.9))
        within = np.mean((np.array(ratios) > 0.5) & (np.array(ratios) < 2))
        print(f"{len(ratios)} runs: median {middle:.2f}, 10–90 % {low:.2f}–{high:.2f}, within a factor 2: {within:.0%}")


if __name__ == "__main__":
    main()
