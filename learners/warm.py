"""Compile ahead of the first run, in a process of its own: `python -m learners.warm`.

It runs a few steps of every learner and user on small data of every form, so that all that can be compiled lies on the
disk, from where it takes a fraction of a second to load. It does nothing if that is so already.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

import datasets
from datasets import home
from datasets.disk import write
from datasets.parameters import Declared
from datasets.variables import Variable
from learners.adversary import Adversary
from learners.catalogue import families, learner_classes, learners_of, user_classes, users_of
from learners.compiled import counts, prepare, store
from learners.compiled.fingerprint import machine
from learners.compiled.turns import taken, turn
from learners.family import Family
from learners.interleaving import Comparison, live
from learners.run.simulation import Simulation
from learners.sweep.processes import end_with

TURN = "compile everything"  # of the process that compiles ahead; there is one at a time
DELAY = 1.0  # seconds after the first page, which comes first
WARM = Variable(
    "FEEDBACK_LAB_WARM", "choice", "yes", choices=("yes", "no"), deprecated=True,
    help="Whether the server compiles ahead, in the background, when its first page is opened.",
)  # fmt: skip
NICE = 5  # how much lower its priority is

Job = Callable[[], None]
_started = threading.Lock()


def jobs(first: str = "") -> list[Job]:
    """Return small runs that use every compiled function; those of the lab whose page is `first` come first."""
    found: list[Job] = []
    for family in sorted(families().values(), key=lambda family: (family.page != first, family.place)):
        learners = [learner_classes()[id] for id in learners_of(family)]
        users = [user_classes()[id] for id in users_of(family)]
        smallest, *others = (
            cache(partial(datasets.load, spec.id, **spec.values)) for spec in (family.smallest, *family.forms)
        )
        found += [partial(_run, learner.make, smallest) for learner in learners]
        found += [partial(_run, learners[0].make, smallest, user.make) for user in users]
        found += [partial(_run, make, smallest) for cls in learners for make in _variations(cls)]
        found += [partial(_run, learners[0].make, smallest, make) for cls in users for make in _variations(cls)]
        for data in others:
            found += [partial(_run, learner.make, data) for learner in learners]
            found += [partial(_run, learners[0].make, data, user.make) for user in users]
        for data in (smallest, *others):
            for form in _forms(family):
                found += [partial(_run, learner.make, cache(partial(form, data))) for learner in learners]
        if family.id == "ranking":
            found.append(lambda: Comparison("perturbed-perceptron", "toy-ranking", replicates=2).advance(steps=4))
            found.append(live.prepare)
            found.append(lambda: Adversary("perturbed-perceptron", 4, replicates=2).advance(steps=4))
    return found


def _variations(cls: type[Declared]) -> Iterator[Callable[[], Any]]:
    """Return makers of learners or users with each choice, and with a value of its own for each replicate."""
    for parameter in cls.parameters():
        if parameter.kind in ("choice", "flag"):
            for value in parameter.choices or (False, True):
                if value != parameter.default:
                    yield partial(cls.make, **{parameter.name: value})
    each = {p.name: np.full(2, p.default) for p in cls.parameters() if p.per_replicate}
    if each:
        yield partial(cls.make, **each)


def _forms(family: Family) -> list[Callable[[Callable[[], Any]], Any]]:
    """Return functions that give data single precision, make it sparse, or both, where the family takes such data."""
    if not hasattr(family.data, "sparse"):
        return []

    def single(data: Callable[[], Any]) -> Any:
        return replace(data(), features=data().features.astype(np.float32))

    def sparse(data: Callable[[], Any]) -> Any:
        from scipy.sparse import csr_array

        return replace(data(), features=csr_array(data().features))

    return [single, sparse, lambda data: sparse(lambda: single(data))]


def _run(learner: Callable[[], Any], data: Callable[[], Any], user: Callable[[], Any] | None = None) -> None:
    """Take a few steps alone and side by side: arrays of one replicate may differ in type from those of several."""
    for replicates in (2, 1):
        with contextlib.suppress(ValueError):  # not for these data, or a value for each of two replicates
            simulation = Simulation(learner(), data(), user() if user else None, replicates)
            simulation.advance(steps=1)
            simulation.advance(steps=3)
            assert simulation.last is not None


# ---- the process -------------------------------------------------------------------------------------


def main(first: str = "", parent: str = "") -> None:
    """Compile everything that is not yet on the disk, unless another process does.

    parent : the number of the server's process, with which this one ends.
    """
    if parent:
        end_with(int(parent))
    folder = store.folder()
    folder.mkdir(parents=True, exist_ok=True)
    with turn(TURN, patience=0) as held:
        if not held or is_warm():
            return
        for job in jobs(first):
            try:
                job()
            except Exception:  # the page that runs it will say what is wrong
                logging.getLogger(__name__).exception("a run that compiles ahead failed")
        write(folder / f"{_sources()}.warm", json.dumps(sorted(store.used)).encode())


def is_warm() -> bool:
    """Return whether all that this version compiles is on the disk."""
    try:
        listed = json.loads((store.folder() / f"{_sources()}.warm").read_bytes())
        return set(listed) <= set(os.listdir(store.folder()))
    except (OSError, ValueError, TypeError):
        return False


@cache
def _sources() -> str:
    """Return a hash of the sources, and of what else the fingerprints of compiled functions have in common."""
    digest = hashlib.blake2b(repr(machine()).encode(), digest_size=16)
    for folder in ("datasets", "learners"):
        for path in sorted((home.CODE / folder).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


# ---- for the server ----------------------------------------------------------------------------------


def start(first: str = "") -> None:
    """Compile ahead in another process, unless FEEDBACK_LAB_WARM is "no". Only the first call does anything."""
    if WARM.value == "yes" and _started.acquire(blocking=False):
        timer = threading.Timer(DELAY, _launch, (first,))
        timer.daemon = True
        timer.start()


def _launch(first: str) -> None:
    prepare()
    if is_warm() or taken(TURN):
        return
    with contextlib.suppress(OSError):
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", home.module("learners.warm"), first, str(os.getpid())],
            cwd=home.ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )
        if hasattr(os, "setpriority"):  # pages come first
            os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
        process.wait()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        try:
            main(*sys.argv[1:3])
        except OSError as error:
            store.complain(error)
        print(counts())
