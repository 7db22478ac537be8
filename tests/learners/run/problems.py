"""Small runs of every learner, and what it means that two records of a step are the same."""

import dataclasses
import pickle

import numpy as np

from datasets import load
from learners import Simulation, catalogue, create
from learners.adversary import Adversary
from learners.catalogue import families
from learners.interleaving.comparison import Comparison

SMALL = {
    "halving": {"most": 500},
    "pseudo-labels": {"trees": 1},
    "ranking-svm": {"pairs": 25},
}  # parameters that keep the runs short
SMALLER = {"refinement": {"queries": 10, "documents": 15, "features": 3}}  # and of the data
DATA = {}


def data_of(family):
    """The smallest data of a family, built once."""
    if family.id not in DATA:
        DATA[family.id] = load(family.smallest.id, **SMALLER.get(family.id, family.smallest.values))
    return DATA[family.id]


def simulation(id, seed=0, replicates=2, kind="", user=None, **more):
    """A simulation, a comparison or an adversary of a learner on the smallest data of its family."""
    learner = create(id, **SMALL.get(id, {}))
    if kind == "adversary":
        return Adversary(learner, horizon=300, replicates=replicates, seed=seed, **more)
    data = data_of(families()[learner.family])
    if kind == "comparison":
        return Comparison(learner, data, "cascade", sample=2, replicates=replicates, seed=seed, **more)
    return Simulation(learner, data, user, replicates=replicates, seed=seed, **more)


FEW = ("perturbed-perceptron", "dueling-bandit", "second-order-perceptron")


def every(online=True):
    """(id, kind) of the runs of every learner of a family that takes steps, or of one that boosts.

    Those of FEW are also compared with a fixed ranker and play against the adversary.
    """
    found = []
    for info in catalogue():
        if bool(families()[info.family].rounds) == online:
            continue
        more = info.family == "ranking" and info.id in FEW
        kinds = ("", "comparison", "adversary") if more else ("",)
        found += [(info.id, kind) for kind in kinds]
    return found


def same(a, b, path="it"):
    """Raise an AssertionError unless two records are equal to the bit."""
    assert type(a) is type(b), f"{path}: {type(a)} and {type(b)}"
    if isinstance(a, np.ndarray):
        assert a.dtype == b.dtype and a.shape == b.shape, f"{path}: {a.dtype} {a.shape} and {b.dtype} {b.shape}"
        if a.dtype.kind == "f":
            assert np.array_equal(np.isnan(a), np.isnan(b)), path
        assert a.tobytes() == b.tobytes() or np.array_equal(a, b, equal_nan=a.dtype.kind == "f"), path
    elif isinstance(a, dict):
        assert list(a) == list(b), path
        for key in a:
            same(a[key], b[key], f"{path}[{key}]")
    elif isinstance(a, (list, tuple)):
        assert len(a) == len(b), path
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            same(x, y, f"{path}[{i}]")
    elif dataclasses.is_dataclass(a) and not isinstance(a, type):
        for field in dataclasses.fields(a):
            same(getattr(a, field.name), getattr(b, field.name), f"{path}.{field.name}")
    elif isinstance(a, float):
        assert a == b or (a != a and b != b), path
    elif hasattr(a, "__slots__") and not hasattr(a, "__dict__"):
        for name in a.__slots__:
            same(getattr(a, name), getattr(b, name), f"{path}.{name}")
    elif isinstance(a, (int, str, bool, type(None), np.generic)):
        assert a == b, path
    else:
        assert pickle.dumps(a) == pickle.dumps(b), path


def same_histories(a, b):
    """Raise an AssertionError unless two histories are equal to the bit, and smooth alike."""
    assert (a.steps, a.rows, list(a)) == (b.steps, b.rows, list(b))
    assert np.array_equal(a.at, b.at)
    for name in a:
        assert np.array_equal(a[name], b[name], equal_nan=True), name
        if a.rows:
            rows = np.arange(a.rows)
            assert np.array_equal(a.smooth(name, rows, 7), b.smooth(name, rows, 7), equal_nan=True), name


def check(sim, make, steps):
    """Compare `at` for some steps with runs that stopped there; each run goes on to the next of the steps."""
    short = make()
    for t in sorted(steps):
        short.advance(steps=t - short.t)
        same(sim.at(t), short.last, f"{sim.learner.id} at {t}")
