"""Measurements of one checkout, run by `side_by_side` in a process of its own with that checkout on its path.

It reads requests from its input, one JSON object a line such as {"measure": "steps", "learner": "banditron"}, and
writes one line of JSON for each. It uses nothing but what old and new versions have in common. Times are CPU seconds
of the process unless they are called wall, since machines are shared; BLAS runs in one thread.
"""

from __future__ import annotations

import functools
import importlib
import json
import os
import resource
import signal
import sys
import threading
import time
import traceback
from pathlib import Path

BEGAN = time.perf_counter()
MOST = 1000.0  # ms of a lab's run that is not repeated

# parts of a step by the files at work, wherever they stand in the stack; the first that fits counts
PARTS = (
    ("history", ("run/history",)),
    ("stability", ("measured/stability",)),
    ("metrics", ("measured/measure", "measured/convex_loss", "learners/ndcg")),
    ("random numbers, order", ("learners/random", "learners/environment")),
    ("user", ("ranking/users/",)),
    ("way into compiled code", ("site-packages/numba/",)),
    ("block of steps", ("searches/block", "step/steps")),
    ("learner", ("ranking/step/", "perceptron", "learners/ranking/base")),
)


def gaussian(queries, documents, features):
    """Queries of any size, whose grades two features tell."""
    import numpy as np

    from datasets.ranking import RankingData

    x = np.random.default_rng(0).standard_normal((queries * documents, features))
    grades = np.clip(np.round(x[:, 0] + x[:, 1]), 0, 4)
    return RankingData("gaussian", {}, x, np.arange(0, len(x) + 1, documents), grades[None])


@functools.cache
def data(id, params):
    from datasets import load

    if id == "gaussian":
        return gaussian(**json.loads(params))
    return load(id, **dict(json.loads(params)))


def simulation(learner, dataset, params=None, size=None, user=None, replicates=1, seed=0):
    from learners import Simulation, create

    made = create(learner, **(params or {}))
    return Simulation(made, data(dataset, json.dumps(size or {})), user, replicates=replicates, seed=seed)


@functools.cache
def _known(setup):
    sim = simulation(**json.loads(setup))
    sim.advance(steps=8)  # compiles
    return sim


def ends(history):
    """Mean over the replicates of the latest value of each metric, to compare versions by."""
    return {metric: float(values[-1].mean()) for metric, values in history.items()}


def steps(warm=64, steps=512, slices=5, at_once=0, **setup):
    """The time of a step and replicate in µs, the best of some slices that are all the same steps of the same run.

    at_once : steps asked for in one call of `advance`; all if 0.
    """
    sim = _known(json.dumps(setup))
    found = []
    for _ in range(slices):
        sim.reset()
        sim.advance(steps=warm)
        began = time.process_time()
        for _ in range(steps // (at_once or steps)):
            sim.advance(steps=at_once or steps)
        found.append(time.process_time() - began)
    return {"time": min(found) / steps / sim.replicates * 1e6, "numbers": ends(sim.history)}


@functools.cache
def lab(page, query):
    """The setup of a page's lab with a link's query, and its data. The page is imported but not drawn."""
    from pages.ui import entry
    from pages.ui.form.form import Form
    from pages.ui.lab.lab import Lab
    from pages.ui.lab.recorded import load_data

    entry.through_app, found = lambda: None, []
    drawn, Lab.run = Lab.run, lambda self: found.append(self)
    try:
        importlib.reload(importlib.import_module(f"pages.{page}"))
    finally:
        Lab.run = drawn
    setup = found[-1].ask_run(Form(json.loads(query)))
    return setup, load_data(setup.dataset)


def run_of_lab(page, query=None, slices=3):
    """The whole run of a lab as its page makes it, without pictures, in ms.

    making : the time to set it up. time : as the page takes it, slice by slice. wall : the same by the clock. at_once :
    each learner by one call of `advance`, as in a script.
    """
    from pages.ui.jobs.workers import SLICE
    from pages.ui.play.recording import Recording

    setup, data = lab(page, json.dumps(query or {}))
    for simulation in setup.simulations(data):  # compiles, once in each process
        simulation.advance(steps=2)
    best = {}
    for _ in range(slices):
        if best.get("time", 0.0) > MOST:
            break
        began = time.process_time()
        recording = Recording("", setup, data)
        made, clock = time.process_time(), time.perf_counter()
        while not recording.complete:
            recording.advance(SLICE)
        took = {"making": made - began, "time": time.process_time() - made, "wall": time.perf_counter() - clock}
        simulations = setup.simulations(data)
        began = time.process_time()
        for sim in simulations:
            sim.advance(steps=setup.steps)
        took["at_once"] = time.process_time() - began
        best = {name: min(1e3 * took[name], best.get(name, 1e9)) for name in took}
    names = {i: ends(sim.history) for i, sim in enumerate(recording.simulations)}
    numbers = {f"{metric} {i}": value for i, values in names.items() for metric, value in values.items()}
    words = f"{len(names)} learners, {setup.dataset.id}, R = {setup.replicates}, T = {setup.steps:,}"
    return best | {"words": words, "numbers": numbers}


def run_of_game(slices=3):
    """The default game of the lower-bound page, in ms."""
    from learners import create
    from learners.adversary import Adversary

    best = {}
    for _ in range(slices):
        began = time.process_time()
        game = Adversary(create("preference-perceptron"), 1000, replicates=10, seed=0, sees="shown")
        made, clock = time.process_time(), time.perf_counter()
        game.advance()
        took = {"making": made - began, "time": time.process_time() - made, "wall": time.perf_counter() - clock}
        best = {name: min(1e3 * took[name], best.get(name, 1e9)) for name in took}
    best["at_once"] = best["time"]
    return best | {"words": "1 learner, R = 10, T = 1,000", "numbers": ends(game.history)}


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def one_pass(queries, documents, features, learner="preference-perceptron"):
    """Seconds of one pass over data in single precision, and the peak of memory beyond the interpreter's, in bytes."""
    small = {"queries": 50, "documents": documents, "features": features, "precision": "single"}
    _known(json.dumps({"learner": learner, "dataset": "web-search", "size": small, "user": "noisy-grades"}))
    before = peak()
    sim = simulation(learner, "web-search", size=small | {"queries": queries}, user="noisy-grades")
    loaded, began, clock = peak(), time.process_time(), time.perf_counter()
    sim.advance(steps=queries)
    spent = {"time": time.process_time() - began, "wall": time.perf_counter() - clock}
    size = sim.dataset.features.nbytes
    memory = {"interpreter": before, "loaded": loaded - before, "peak": peak() - before, "data": size}
    return spent | memory | {"numbers": ends(sim.history)}


def threads(steps, slices=3, **setup):
    """Seconds by the clock of two simulations one after the other, and in two threads."""
    sims = [_known(json.dumps(setup | {"seed": seed})) for seed in (0, 1)]
    found = {"one after the other": [], "two threads": []}
    for _ in range(slices):
        for how, times in found.items():
            for sim in sims:
                sim.reset()
            workers = [threading.Thread(target=sim.advance, kwargs={"steps": steps}) for sim in sims]
            began = time.perf_counter()
            for worker in workers:
                worker.start()
                if how != "two threads":
                    worker.join()
            for worker in workers:
                worker.join()
            times.append(time.perf_counter() - began)
    return {how: min(times) for how, times in found.items()}


def profile(seconds=3.0, block=1024, **setup):
    """Shares of the CPU time of a step by part, sampled each millisecond."""
    sim, shares = _known(json.dumps(setup)), {}
    sim.reset()
    last = time.process_time()

    def note(_, frame):
        nonlocal last
        now = time.process_time()
        files = []
        while frame is not None:
            files.append(frame.f_code.co_filename)
            frame = frame.f_back
        part = next((part for part, names in PARTS if any(n in file for file in files for n in names)), "rest")
        shares[part] = shares.get(part, 0.0) + now - last
        last = now

    signal.signal(signal.SIGPROF, note)
    signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
    began, taken = time.process_time(), 0
    while time.process_time() - began < seconds:
        sim.advance(steps=block)
        taken += block
    total = time.process_time() - began
    signal.setitimer(signal.ITIMER_PROF, 0)
    return {
        "time": total / taken / sim.replicates * 1e6,
        "shares": {k: v / sum(shares.values()) for k, v in shares.items()},
    }


def first_steps(setups):
    """Seconds from the start of the process to the import of the library, and of each first step: by the clock, CPU."""
    import learners  # noqa: F401

    found = {"import": (time.perf_counter() - BEGAN, time.process_time())}
    for name, setup in setups.items():
        data(setup["dataset"], json.dumps(setup.get("size") or {}))
        began, cpu = time.perf_counter(), time.process_time()
        simulation(**setup).advance(steps=2)
        found[name] = time.perf_counter() - began, time.process_time() - cpu
    return found


def ids(family):
    """Ids of a family's learners and users."""
    from learners.catalogue import families, learners_of, users_of

    declared = families()[family]
    return {"learners": list(learners_of(declared)), "users": list(users_of(declared))}


MEASURES = {
    f.__name__: f for f in (steps, run_of_lab, run_of_game, one_pass, threads, profile, first_steps, ids)
}  # fmt: skip


def serve():
    """Answer requests until the input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the library prints must not stand between the answers
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = MEASURES[request.pop("measure")](**request)
        except Exception as error:
            traceback.print_exc()
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    sys.path.remove(str(Path(__file__).parent))
    serve()
