"""The environment of the classification learners, which holds the true labels and decides who hears what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from datasets.classification import ClassificationData
from learners.base import Array, Shape
from learners.classification import metrics
from learners.classification.base import ClassificationLearner, Feedback, Shown
from learners.classification.linear import Examples, Moves
from learners.environment import Order, RunningSums, Stepwise
from learners.metric import Metric
from learners.random import Seeds
from learners.theory import BOUNDS, Mistakes, bounds_by_metric

RECORDED = {metric.id: metric for metric in (metrics.BOUND, metrics.BOUND_A_PRIORI)}
REMEMBERED = 1000  # latest steps for which confusions can be counted


@dataclass(frozen=True)
class Step:
    """The latest step, for the inspector; the first axis of every array is the replicate.

    t : number of the step, from 1. row : (R,) row of the example. examples : its features. shown, moves : what was
    played and what it changed. truth : (R,) the true label. right : bool of the shape of the label played.
    """

    t: int
    row: Array
    examples: Examples
    shown: Shown
    moves: Moves
    truth: Array
    right: Array


class ClassificationEnvironment(Stepwise):
    """Runs one classification learner on R replicates, each with its own order of the examples."""

    block = 256

    def __init__(
        self, data: ClassificationData, user: None, learner: ClassificationLearner, replicates: int, seeds: Seeds
    ) -> None:
        self.data, self.learner, self.replicates = data, learner, replicates
        order, _, own, _ = seeds.spawn(4)  # the same four streams as in every family
        self.order = Order(data.examples, order)
        self.t = 0
        self._measured = 0
        # row, label played, label predicted, γ and explored of each step: (R,) or (R, r), or a number for γ
        self._noted: list[tuple[Array, Array, Array, float | Array, Array]] = []
        self._sums = RunningSums(replicates)
        self._played = np.full((REMEMBERED, 2, replicates), -1, dtype=np.int16)  # true and played label, in a ring
        self._latest: tuple[Array, Examples, Shown, Moves, Array, Array] | None = None
        shape = Shape(data.dimension, classes=data.classes, examples=data.examples)
        learner.reset(shape, replicates, own)
        self._padded = data.padded if data.sparse and data.even else None
        self._hears_label = learner.hears == "label"
        self.changed()

    def changed(self) -> None:
        """Take over the learner's bounds."""
        self._bounds = {metric: BOUNDS[id] for metric, id in bounds_by_metric(self.learner.bounds).items()}

    def step(self) -> None:
        """Let the learner receive an example, play a label, hear about it, and update."""
        row = self.order.next()
        x = self._examples(row)
        truth = self.data.labels.take(row)
        shown = self.learner.present(x)
        right = hit(shown.label, truth)
        moves = self.learner.update(x, shown, Feedback(right, truth if self._hears_label else None))
        label, predicted, _, gamma, explored = shown
        self._noted.append((row, label, predicted, gamma, explored))
        self.t += 1
        self._latest = (row, x, shown, moves, truth, right)

    def _examples(self, row: Array) -> Examples:
        if self._padded is not None:
            index, value = self._padded
            return Examples(None, index.take(row, axis=0), None if value is None else value.take(row, axis=0))
        if self.data.sparse:
            return Examples(None, *self.data.gather(row))
        return Examples(self.data.features.take(row, axis=0))

    def last(self) -> Step | None:
        """Return the record of the latest step, or None before the first."""
        return None if self._latest is None else Step(self.t, *self._latest)

    def confusion(self, steps: int, replicate: int | None = None) -> Array:
        """Return how often each true label (row) met each answer (column) in the last steps (at most 1000), (K, K)."""
        steps = min(steps, self._measured, REMEMBERED)
        at = np.arange(self._measured - steps, self._measured) % REMEMBERED
        pairs = self._played[at] if replicate is None else self._played[at][:, :, [replicate]]
        k = self.data.classes
        cells = pairs[:, 0].ravel().astype(np.int64) * k + pairs[:, 1].ravel()
        return np.asarray(np.bincount(cells, minlength=k * k).reshape(k, k))

    def measure(self) -> dict[Metric, Array]:
        """Return the metrics of the steps since the last call, each (B, R)."""
        rows, labels, predicted, gamma, explored = (
            _stacked(parts, self.replicates) for parts in zip(*self._noted, strict=True)
        )
        self._noted = []
        steps = np.arange(self._measured + 1.0, self.t + 1.0)[:, None]
        truth = self.data.labels.take(rows)
        right, greedy = hit(labels, truth), hit(predicted, truth)
        at = np.arange(self._measured, self.t) % REMEMBERED
        self._played[at, 0] = truth
        self._played[at, 1] = labels if right.ndim == 2 else _answer_counted(labels, right)
        right, greedy = (x.astype(float) if x.ndim == 2 else x.any(axis=2).astype(float) for x in (right, greedy))
        self._measured = self.t
        mistakes = self._sums.add("mistakes", 1 - right)
        bounds = {metrics.BOUND: np.full((len(rows), self.replicates), np.nan)}
        if self._bounds:
            measured = self._so_far(steps, rows, gamma, greedy)
            bounds |= {RECORDED[id]: bound.evaluate(measured) for id, bound in self._bounds.items()}
        return {
            metrics.ERROR_RATE: mistakes / steps,
            metrics.MISTAKES: mistakes,
            metrics.ERROR_RATE_GREEDY: self._sums.add("greedy", 1 - greedy) / steps,
            metrics.ACCURACY: right,
            metrics.ACCURACY_GREEDY: greedy,
            metrics.GAMMA: gamma,
            metrics.EXPLORED: self._sums.add("explored", explored.astype(float)) / steps,
        } | bounds

    def _so_far(self, steps: Array, rows: Array, gamma: Array, greedy: Array) -> Mistakes:
        """Return what the bounds on mistakes need, up to each of the latest steps."""
        safe = np.where(gamma > 0, gamma, 1.0)
        variance = np.where(greedy > 0, gamma, self.data.classes / safe)
        return Mistakes(
            t=steps,
            loss=self._sums.add("loss", self.data.hinge.take(rows)),
            complexity=self.data.complexity,
            classes=self.data.classes,
            gamma=gamma,
            explored=self._sums.add("gamma", gamma),
            variance=self._sums.add("variance", variance),
            **self.learner.bound_terms(),
        )


def hit(label: Array, truth: Array) -> Array:
    """Return whether each label is the true one; `label` has the shape of `truth`, or one more axis of labels."""
    found: Array = label == (truth if label.ndim == truth.ndim else truth[..., None])
    return found


def _stacked(parts: tuple[Any, ...], replicates: int) -> Array:
    """Return what was noted in B steps, (B, R) or (B, R, r)."""
    if np.ndim(parts[0]) == 0:
        return np.tile(np.array(parts)[:, None], replicates)
    return np.concatenate(parts).reshape(len(parts), *parts[0].shape)


def _answer_counted(labels: Array, right: Array) -> Array:
    """Return the one of several labels (B, R, r) that confusions count: the right one, or else the first."""
    return np.take_along_axis(labels, right.argmax(axis=2)[..., None], axis=2)[..., 0]
