"""Small problems for semi-supervised learners, and learners that have begun on them."""

import numpy as np

from datasets.classification import ClassificationData
from learners import catalogue, create
from learners.boosting.semi_supervised.base import Training

IDS = sorted(info.id for info in catalogue() if info.family == "semi-supervised")
SIMILARITIES = ("gaussian", "uniform", "absolute")


def problem(seed, n=40, d=3, classes=3, labelled=0.3):
    """Overlapping clouds, some of whose rows are labelled, at least one of each class."""
    rng = np.random.default_rng(seed)
    truth = np.concatenate([np.arange(classes), rng.integers(classes, size=n - classes)])
    features = rng.normal(size=(classes, d))[truth] * 1.5 + rng.normal(size=(n, d))
    hidden = rng.random(n) >= labelled
    hidden[:classes] = False
    return Training(features, np.where(hidden, -1, truth), classes)


def data_of(features, labels, **params):
    names = tuple(f"class {k}" for k in range(max(labels) + 1))
    return ClassificationData("made", params, np.asarray(features, dtype=float), np.asarray(labels), names)


def begun(id, given, seed=0, **params):
    learner = create(id, **params)
    learner.reset(given, np.random.default_rng(seed))
    return learner


def rounds(learner, most):
    """The rounds until it stops, at most so many."""
    for _ in range(most):
        done = learner.round()
        if done.stopped:
            return
        yield done


# --- the environment --------------------------------------------------------------------------------------------------


def small(seed=0, N=60, d=2, classes=3, **params):
    rng = np.random.default_rng(seed)
    labels = np.arange(N) % classes
    return data_of(rng.normal(size=(classes, d))[labels] * 3 + rng.normal(size=(N, d)), labels, **params)
