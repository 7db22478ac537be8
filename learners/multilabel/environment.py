"""The environment of the multilabel learners, which holds the label sets and decides who hears what."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.multilabel import MultilabelData
from learners.base import Array, Shape
from learners.environment import Order, RunningSums, Stepwise
from learners.metric import Metric
from learners.multilabel import metrics
from learners.multilabel.base import Context, Feedback, MultilabelLearner, Shown, best_size, cost, loss
from learners.random import EACH, Seeds


@dataclass(frozen=True)
class Step:
    """The latest step, for the inspector; the first axis of every array is the replicate.

    t : number of the step, from 1. row : (R,) row of the example. features : (R, d). shown : what was shown, with
    estimates and widths. truth : (R, K) bool, Y. right : (R, K) bool, shown and right. loss : (R,) cost of the step.
    probabilities : (R, K) the true probabilities, or None if no model is known. bayes : the Bayes set Y* under the
    learner's cap, as labels in order (R, K) and size (R,), or None.
    """

    t: int
    row: Array
    features: Array
    shown: Shown
    truth: Array
    right: Array
    loss: Array
    probabilities: Array | None
    bayes: tuple[Array, Array] | None


class MultilabelEnvironment(Stepwise):
    """Runs one multilabel learner on R replicates, each with its own order of the examples.

    Where the label probabilities are known, an example gets new labels at every visit. The draws do not depend on what
    is shown, so learners raced on one seed meet the same labels.
    """

    def __init__(
        self, data: MultilabelData, user: None, learner: MultilabelLearner, replicates: int, seeds: Seeds
    ) -> None:
        self.data, self.learner, self.replicates = data, learner, replicates
        order, world, own, _ = seeds.spawn(4)  # the same four streams as in every family
        self.order = Order(data.examples, order)
        self.world = world
        self.t = 0
        self._measured = 0
        self._noted: list[Array] = []  # rows, truth, labels shown, their p̂, size, mean width, each (block, R, …)
        self._sums = RunningSums(replicates)
        self._latest: tuple[Array, Array, Shown, Array, Array] | None = None
        self._most = min(int(np.max(learner.size)), data.classes)  # labels that can be shown
        shape = Shape(data.dimension, classes=data.classes, examples=data.examples)
        learner.reset(shape, replicates, own)

    def changed(self) -> None:
        """Take over the learner's cap on the size of the sets."""
        self._most = min(int(np.max(self.learner.size)), self.data.classes)
        self._noted = []

    def step(self) -> None:
        """Let the learner receive an example, show labels, hear about them, and update."""
        row = self.order.next()
        context = Context(self.data.features.take(row, axis=0))
        truth = self._labels(row)
        shown = self.learner.present(context)
        first = shown.order[:, : self._most]
        right = np.zeros_like(truth)
        hit = np.take_along_axis(truth, first, axis=1) & (np.arange(self._most) < shown.size[:, None])
        np.put_along_axis(right, first, hit, axis=1)
        hears = self.learner.hears
        self.learner.update(
            context, shown, Feedback(None if hears == "nothing" else right, truth if hears == "labels" else None)
        )
        score = np.take_along_axis(shown.probability, first, axis=1)
        width = np.full(self.replicates, np.nan) if shown.width is None else shown.width.mean(axis=1)
        parts = row, truth, first, score, shown.size, width
        if not self._noted:
            self._noted = [np.empty((self.block, *part.shape), dtype=part.dtype) for part in parts]
        for noted, part in zip(self._noted, parts, strict=True):
            noted[self.t - self._measured] = part
        self.t += 1
        self._latest = (row, context.features, shown, truth, right)

    def _labels(self, row: Array) -> Array:
        """Return the labels of these examples, (R, K) bool, newly drawn where their probabilities are known."""
        if self.data.model is None:
            return self.data.labels.take(row, axis=0)
        drawn = self.world.random((EACH, self.data.classes))
        return np.asarray(drawn < self.data.probabilities(row))

    def last(self) -> Step | None:
        """Return the record of the latest step, or None before the first."""
        if self._latest is None:
            return None
        row, features, shown, truth, right = self._latest
        p = None if self.data.model is None else self.data.probabilities(row)
        paid = loss(truth, shown.order, shown.size, self.learner.a, self.learner.costs)
        return Step(self.t, row, features, shown, truth, right, paid, p, None if p is None else self.learner.choose(p))

    def measure(self) -> dict[Metric, Array]:
        """Return the metrics of the steps since the last call, each (B, R).

        loss, hamming-loss and ranking-loss are running means of ℓ_{a,c} with the learner's own a and c, of
        |Y \\ Ŷ| + |Ŷ \\ Y| (a number of labels), and of ℓ_{rank,t} / S ([G] §4), where S ≤ K is the learner's cap.
        """
        b = self.t - self._measured
        rows, truth, order, score, size, width = (part[:b].copy() for part in self._noted)
        steps = np.arange(self._measured + 1.0, self.t + 1.0)[:, None]
        self._measured = self.t
        learner, inside = self.learner, np.arange(self._most) < size[:, :, None]
        right = np.take_along_axis(truth, order, axis=2) & inside
        missed = truth.sum(axis=2) - right.sum(axis=2)
        wrong = size - right.sum(axis=2)
        cap = np.minimum(learner.size, self.data.classes)
        ranking = disagreements(score, right, inside) / cap + missed
        regret = np.full((b, self.replicates), np.nan)
        if self.data.model is not None:
            regret = self._sums.add("regret", self._regret(rows, order, size))
        return {
            metrics.LOSS: self._sums.add("loss", loss(truth, order, size, learner.a, learner.costs)) / steps,
            metrics.HAMMING_LOSS: self._sums.add("hamming", (missed + wrong).astype(float)) / steps,
            metrics.RANKING_LOSS: self._sums.add("ranking", ranking) / steps,
            metrics.CUMULATIVE_REGRET: regret,
            metrics.SHOWN_SIZE: size.astype(float),
            metrics.WIDTH: width,
        }

    def _regret(self, rows: Array, order: Array, size: Array) -> Array:
        """Return E[ℓ(Ŷ)] − E[ℓ(Y*)], (B, R), with Y* the best set under the same cap ([G] §2, Lemma 1)."""
        b, r, k = *rows.shape, self.data.classes
        p = self.data.probabilities(rows.ravel()).reshape(b, r, k)
        position, a, costs = np.arange(self._most), self.learner.a, self.learner.costs
        best = -np.sort(-p, axis=2)[:, :, : self._most]
        cap = np.broadcast_to(self.learner.size, (b, r)).ravel()
        every = np.broadcast_to(a, (b, r)).ravel()
        best_sizes = best_size(best.reshape(b * r, -1), every, costs, cap).reshape(b, r)

        def expected(ranked: Array, s: Array) -> Array:
            """Return [G] Eq. 3, (1 − a) Σ c(j, s)(1 − p) − a Σ p over the first s labels."""
            wrong = (cost(position, s[:, :, None], costs) * (1 - ranked)).sum(axis=2)
            return np.asarray((1 - a) * wrong - a * (ranked * (position < s[:, :, None])).sum(axis=2))

        return expected(np.take_along_axis(p, order, axis=2), size) - expected(best, best_sizes)


def disagreements(score: Array, right: Array, inside: Array) -> Array:
    """Return the number (…,) of pairs of a right and a wrong label shown in the wrong order, ties counting ½.

    It is the first part of ℓ_{rank,t} in [G] §4. score : (…, m) falling. right : (…, m) bool, shown and right.
    inside : (…, m) bool, shown.

    >>> yes = np.array([False, True, False, True])
    >>> float(disagreements(np.array([0.9, 0.5, 0.5, 0.1]), yes, np.ones(4, dtype=bool)))
    3.5
    """
    m = score.shape[-1]
    wrong = np.zeros((*score.shape[:-1], m + 1))
    wrong[..., 1:] = np.cumsum(inside & ~right, axis=-1)  # [j]: number of wrong labels among the first j
    new = np.ones(score.shape, dtype=bool)  # whether a label's score is lower than the one before it
    new[..., 1:] = score[..., 1:] < score[..., :-1]
    place = np.arange(m)
    begin = np.maximum.accumulate(np.where(new, place, 0), axis=-1)  # of the labels with the same score
    last = np.concatenate([new[..., 1:], np.ones((*score.shape[:-1], 1), dtype=bool)], axis=-1)
    end = np.minimum.accumulate(np.where(last, place + 1, m)[..., ::-1], axis=-1)[..., ::-1]
    above, up_to = np.take_along_axis(wrong, begin, axis=-1), np.take_along_axis(wrong, end, axis=-1)
    return np.asarray((right * (above + (up_to - above) / 2)).sum(axis=-1))
