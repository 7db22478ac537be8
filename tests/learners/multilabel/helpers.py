"""Helpers that the tests of the multilabel learners share."""

import numpy as np
from hypothesis import settings

from learners import catalogue
from learners.base import Shape
from learners.multilabel.base import Context, Feedback
from learners.multilabel.page import page_of

IDS = [info.id for info in catalogue() if info.family == "multilabel"]
SECOND_ORDER = ["multilabel-ucb", "online-binary-relevance"]
RIDGES = ["set-ucb", "set-thompson"]
many = settings(max_examples=60, deadline=None)


def start(learner, labels, features, replicates=1, seed=0):
    """Return the learner at its first step, on K labels and d features."""
    learner.reset(Shape(features, classes=labels), replicates, np.random.default_rng(seed))
    return learner


def feedback_on(learner, shown, truth):
    """Return the feedback that the environment gives where these label sets (R, K) are right."""
    inside = np.arange(truth.shape[1]) < shown.size[:, None]
    right = np.zeros_like(truth)
    np.put_along_axis(right, shown.order, np.take_along_axis(truth, shown.order, 1) & inside, axis=1)
    return Feedback(right if learner.hears != "nothing" else None, truth if learner.hears == "labels" else None)


def page_at(learner, r, context):
    """Return what the rules see of replicate r."""
    return page_of.py_func(learner.pages(), r, learner.t, context.features[r], np.empty(0))


def step(learner, x, *right):
    """Take one step of one replicate with these labels right, and return the labels shown and p̂."""
    context = Context(np.array([x], dtype=float))
    shown = learner.present(context)
    truth = np.isin(np.arange(learner.classes), right)[None]
    learner.update(context, shown, feedback_on(learner, shown, truth))
    return shown.order[0, : shown.size[0]].tolist(), shown.probability[0]


def drawing(learner, *draws):
    """Let a learner of one replicate draw these numbers for its labels, a row for each step."""
    rows = iter(draws)
    learner.draws = lambda steps: np.array([[next(rows)] for _ in range(steps)], dtype=float)
    return learner


def unit_vectors(rng, *shape):
    """Return random vectors of length 1 along the last axis."""
    x = rng.normal(size=shape)
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def expected_loss(p, chosen, a, costs):
    """Return [G] Eq. 3 of an ordered set, from its definition."""
    s = len(chosen)
    c = [(s - j) / s if costs == "decreasing" else 1.0 for j in range(s)]
    return sum((1 - a) * c[j] * (1 - p[i]) - a * p[i] for j, i in enumerate(chosen))


def least_loss(p, most, a, costs):
    """Return the ordered set of least expected loss: so many of the likeliest labels, ties by number."""
    ranked = sorted(range(len(p)), key=lambda i: (-round(p[i], 12), i))
    values = [round(expected_loss(p, ranked[:s], a, costs), 12) for s in range(min(most, len(p)) + 1)]
    return ranked[: values.index(min(values))]
