"""Small data of the three boosting families, and runs on them."""

import numpy as np
import pytest

from datasets import load
from learners import Simulation, create
from learners.catalogue import families, learner_classes

PACKAGES = {
    "semi-supervised": "boosting.semi_supervised",
    "learning-to-rank": "boosting.learning_to_rank",
    "refinement": "boosting.refinement",
}
CLASSES = {id: cls for id, cls in learner_classes().items() if cls.family in PACKAGES}
IDS = sorted(CLASSES)
STEPS = 6
SHARES = ("accuracy-", "ndcg", "map", "err-")  # metrics between 0 and 1 begin with one of these


def small(family):
    """The smallest data of a family, on which a round takes milliseconds; nobody may write to them."""
    spec = families()[family].smallest
    data = load(spec.id, **spec.values)
    for array in (data.features, getattr(data, "grades", None), getattr(data, "labels", None)):
        if array is not None:
            array.setflags(write=False)
    return data


DATA = {family: small(family) for family in PACKAGES}


def run(learner, steps=STEPS, replicates=2, seed=0, sizes=None, data=None, **params):
    learner = create(learner, **params) if isinstance(learner, str) else learner
    if learner.id in ("lambdarank", "rank-xendcg"):
        pytest.importorskip("lightgbm", reason="needs LightGBM, which is optional")
    sim = Simulation(learner, DATA[learner.family] if data is None else data, replicates=replicates, seed=seed)
    for size in sizes or [steps]:
        sim.advance(size)
    return sim


def same(first, second):
    np.testing.assert_equal(dict(first.history), dict(second.history))


def arrays(problem):
    return {name: value for name, value in vars(problem).items() if isinstance(value, np.ndarray)}


def same_problems(first, second):
    for one, other in zip(first, second, strict=True):
        assert type(one) is type(other) and vars(one).keys() == vars(other).keys()
        for name in vars(one):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
