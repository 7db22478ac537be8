"""Helpers that the tests of the classification learners share: one step by hand, random data, short runs."""

import numpy as np

from datasets.classification import ClassificationData
from learners import Simulation, catalogue, create
from learners.base import Shape
from learners.classification.base import Feedback
from learners.classification.environment import hit
from learners.classification.linear import Examples

IDS = [info.id for info in catalogue() if info.family == "classification"]


def start(learner, d, k, replicates=1, examples=100):
    """Return the learner at its first step, on K classes and d features."""
    learner = create(learner) if isinstance(learner, str) else learner
    learner.reset(Shape(d, classes=k, examples=examples), replicates, np.random.default_rng(0))
    return learner


def fix_draws(learner, uniform, label):
    """Let the learner draw these uniform numbers and these labels (R,) in every step."""
    draws = np.stack([uniform, (np.asarray(label) + 0.5) / learner.classes]).astype(float)
    learner.draws = lambda steps: np.stack([draws[: learner.chances]] * steps)


def play(learner, x, truth, explore=None):
    """Take one step with the draw of the exploration fixed, and return what was shown.

    explore=None exploits, explore=k draws the label k.
    """
    if learner.rules:
        fix_draws(learner, [1.0 if explore is None else 0.0], [explore or 0])
    return present_and_update(learner, Examples(np.array([x], dtype=float)), np.array([truth]))


def present_and_update(learner, x, truth):
    """Present and update with the feedback that the learner may hear, and return what was shown."""
    shown = learner.present(x)
    learner.update(x, shown, Feedback(hit(shown.label, truth), truth if learner.hears == "label" else None))
    return shown


def weights(learner):
    """Return W of the first replicate, with a row for each class."""
    return learner.weights[0]


def random_data(n=60, d=5, k=4, seed=0, whole=False):
    """Return random examples; `whole` makes the features whole numbers, whose sums are exact in any order."""
    rng = np.random.default_rng(seed)
    features = rng.integers(-3, 4, (n, d)).astype(float) if whole else rng.normal(size=(n, d))
    features[0, 0] = 1.0
    labels = (features @ rng.normal(size=(d, k)) + 0.5 * rng.normal(size=(n, k))).argmax(axis=1)
    return ClassificationData("world", {}, features, labels, tuple(map(str, range(k))))


def run(learner, data, steps=150, replicates=3, seed=0):
    """Return a simulation after so many steps."""
    sim = Simulation(learner, data, replicates=replicates, seed=seed)
    sim.advance(steps=steps)
    return sim


def smooth_hinge(data, U):
    """Return the mean loss over the examples that Gaptron's paper charges weights U (K, d) with."""
    scores, own = data.features @ U.T, (np.arange(len(data.labels)), data.labels)
    right = scores[own]
    scores[own] = -np.inf
    margin = right - scores.max(axis=1)
    return np.where(margin < 0, 1 - 2 * margin, np.maximum(0, 1 - margin) ** 2).mean()
