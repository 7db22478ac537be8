"""Turn what happened in a block of steps into the metrics of the ranking learners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import ClassVar

import numpy as np

from datasets.ranking import discounts
from learners.base import Array
from learners.environment import RunningSums
from learners.metric import Metric
from learners.ranking import metrics
from learners.ranking.base import RankingLearner, Shown
from learners.ranking.world import measures
from learners.ranking.world.convex_loss import QuadraticLoss
from learners.ranking.world.slots import Seen
from learners.ranking.world.truth import World, masked
from learners.theory import BOUNDS, Measured, bounds_by_metric

RECORDED = {metric.id: metric for metric in (metrics.BOUND, metrics.BOUND_A_PRIORI, metrics.BOUND_CONVEX)}


@dataclass(frozen=True)
class Note:
    """What is kept of a step until it is measured.

    query : (R,). shown : what was presented. improved : (R, n) the feedback ranking. norm : (R,) ‖w‖, or NaN.
    seen : the truth of that step if documents are used up; the rankings are then cut down to its documents.
    """

    query: Array
    shown: Shown
    improved: Array
    norm: Array | float
    seen: Seen | None = None


class Measures:
    """Keeps the running sums of a run. `of` turns the notes of many steps into metrics at once."""

    shared: ClassVar[tuple[str, ...]] = ("data", "_start")

    def __init__(self, world: World, learner: RankingLearner, replicates: int, alpha: float | Array) -> None:
        self.world, self.data, self.learner, self.replicates = world, world.data, learner, replicates
        self.t = 0
        self._start = learner.weights
        self._loss = QuadraticLoss(world, learner, replicates)
        self.changed(alpha)
        self._accumulate = RunningSums(replicates).add
        self._up = np.zeros(replicates, dtype=bool)

    def changed(self, alpha: float | Array) -> None:
        """Take over the learner's bounds, and the α at which slacks are measured."""
        self.alpha = alpha
        self._bound_ids = bounds_by_metric(self.learner.bounds)

    def of(self, notes: Sequence[Note], overlap: Array) -> dict[Metric, Array]:
        """Return the metrics of the next B steps, each (B, R). `overlap` (B, R) is the ranking stability."""
        b, n = len(notes), max(note.shown.ranking.shape[1] for note in notes)
        query = np.stack([note.query for note in notes])  # (B, R)
        shown = _stack([note.shown.ranking for note in notes], n)
        predicted = shown if all(x.shown.predicted is x.shown.ranking for x in notes) else _stack(
            [note.shown.predicted for note in notes], n
        )  # fmt: skip
        improved = _stack([note.improved for note in notes], n)
        lengths, some = self.data.lengths[query], self.world.lengths(query)
        seen = _all_seen(notes)
        gamma = masked(self.world.gamma[:n], some, 0.0)
        if seen is None:
            documents = self.data.candidates(query)
            utility = self.world.utility_of(documents, some, 0.0)
            grades = self.world.grades_of(documents, some)
            best = self.world.best_utility[self.world.task, query]
            ideal = self.world.ideal_dcg[self.world.task, query]
        else:
            utility, grades, best, ideal = seen.utility, seen.grades, seen.best, seen.ideal
            gamma, lengths = np.where(np.arange(n) < n // 3, discounts(n), 0.0), np.full(query.shape, 2 * n // 3)
        rank_of_best = measures.rank_of_best if seen is None else seen.rank
        start = np.arange(0, utility.size, n).reshape(b, self.replicates, 1)  # of each row, flattened

        def discounted(values: Array, ranking: Array) -> Array:
            in_order = values.take(start + ranking)
            if some is None:
                total: Array = np.einsum("...n,...n->...", in_order, gamma)
            else:  # term by term: how far a block is padded must not change a bit
                total = np.cumsum(in_order * gamma, axis=-1)[..., -1]
            return total

        def of_both(measure: Callable[[Array], Array]) -> tuple[Array, Array]:
            """Return the measure of the shown and of the predicted ranking."""
            first = measure(shown)
            return first, (first if predicted is shown else measure(predicted))

        u_shown, u_predicted = of_both(lambda y: discounted(utility, y))
        gap = best - u_shown
        regret = self._accumulate("regret", gap)
        regret_predicted = self._accumulate("regret-predicted", best - u_predicted)
        in_order, in_order_predicted = of_both(lambda y: grades.take(start + y))
        rank = rank_of_best(in_order_predicted)
        fell, self._up = measures.flips(rank, lengths, self._up)
        steps = np.arange(self.t + 1.0, self.t + b + 1.0)[:, None]
        self.t += b

        alpha = self.alpha
        gain = discounted(utility, improved) - u_shown
        missing = alpha * gap - gain  # ξ_t of [C] Eq. 6
        slack = self._accumulate("slack", missing) / steps
        possible = gap > 1e-12 * (1.0 + np.abs(best))
        affirmed = change = np.full((b, self.replicates), np.nan)
        if notes[0].shown.scores is not None:
            scores = _stack([np.asarray(note.shown.scores) for note in notes], n, 0.0)
            change = discounted(scores, improved) - discounted(scores, shown)
            affirmed = self._accumulate("affirmed", change)
        p = np.stack([np.broadcast_to(note.shown.swap_probability, self.replicates) for note in notes])

        return {
            metrics.AVERAGE_REGRET: regret / steps,
            metrics.AVERAGE_REGRET_PREDICTED: regret_predicted / steps,
            metrics.CUMULATIVE_REGRET: regret,
            metrics.AVERAGE_CONVEX_REGRET: self._accumulate("convex", self._loss.regret(gap)) / steps,
            metrics.ALPHA: np.divide(gain, gap, out=np.full(gap.shape, np.nan), where=possible),
            metrics.SLACK: missing,
            metrics.NDCG: measures.ndcg(in_order, ideal, self.world.cutoff),
            metrics.NDCG_PREDICTED: measures.ndcg(in_order_predicted, ideal, self.world.cutoff),
            metrics.RANK_OF_BEST: rank_of_best(in_order).astype(float),
            metrics.RANK_OF_BEST_PREDICTED: rank.astype(float),
            metrics.FLIPS: self._accumulate("flips", fell),
            metrics.SWAP_PROBABILITY: p,
            metrics.AFFIRMATIVENESS: affirmed,
            metrics.TOP10_OVERLAP: overlap,
            metrics.WEIGHT_NORM: np.stack([np.broadcast_to(note.norm, self.replicates) for note in notes]),
        } | self._bounds(Measured(
            steps, slack, affirmed / steps, self.data.radius, alpha=alpha, swap_probability=p, optimum=np.empty(0),
            convex=self._loss.measured(steps, gap, gain, missing, change, alpha)
            if "bound-convex" in self._bound_ids else None,
        ))  # fmt: skip

    def _bounds(self, measured: Measured) -> dict[Metric, Array]:
        """Return the learner's bounds: `bound`, `bound-a-priori` (a second one) and `bound-convex`; NaN for none."""
        optimum, gamma = self.data.weights[self.world.task], self.data.gamma
        start = np.zeros(optimum.shape) if self._start is None else self._start
        measured = replace(
            measured, optimum=np.linalg.norm(optimum, axis=1), one_norm=np.abs(optimum).sum(axis=1),
            start_norm=float(np.linalg.norm(start[0])), start_product=(start * optimum).sum(axis=1),
            features=self.data.dimension, ratio=float((gamma[1:] / gamma[:-1].clip(1e-9)).min(initial=1.0,
            where=gamma[:-1] > 0)), drop=float((gamma[:-1] - gamma[1:]).max()),
            **({} if measured.convex else self.learner.bound_terms()),
        )  # fmt: skip
        bounds = {metric: np.full(measured.slack.shape, np.nan) for metric in RECORDED.values()}
        for name, id in self._bound_ids.items():
            if not (BOUNDS[id].zero_start and start.any()):
                bounds[RECORDED[name]] = BOUNDS[id].evaluate(measured)
        return bounds


def _all_seen(notes: Sequence[Note]) -> Seen | None:
    """Return what was seen in all steps, with a first axis of steps, or None if documents are not used up."""
    if notes[0].seen is None:
        return None
    return Seen(*(np.stack([getattr(note.seen, f.name) for note in notes]) for f in fields(Seen)))


def _stack(parts: list[Array], n: int, fill: float | None = None) -> Array:
    """Stack (R, n_b) arrays to (B, R, n). Shorter ones are padded with `fill`, or with the missing document numbers."""
    if all(part.shape[1] == n for part in parts):
        return np.stack(parts)
    result = np.empty((len(parts), len(parts[0]), n), dtype=parts[0].dtype)
    result[:] = np.arange(n) if fill is None else fill
    for i, part in enumerate(parts):
        result[i, :, : part.shape[1]] = part
    return result
