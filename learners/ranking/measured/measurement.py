"""Turn what happened in a block of steps into the metrics of the ranking learners."""

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from datasets.ranking import RankingData
from learners.base import Array
from learners.environment import RunningSums
from learners.metric import Metric
from learners.ranking import metrics
from learners.ranking.base import RankingLearner
from learners.ranking.measured.quadratic_loss import QuadraticLoss
from learners.ranking.searches import block, measures
from learners.ranking.searches.truth import World
from learners.theory import BOUNDS, Measured, bounds_by_metric

RECORDED = {metric.id: metric for metric in (metrics.BOUND, metrics.BOUND_A_PRIORI, metrics.BOUND_CONVEX)}


class Measures:
    """Keeps the running sums of a run. `of` turns the notes of many steps into metrics at once."""

    shared: ClassVar[tuple[str, ...]] = ("data", "task", "_start", "_known")

    def __init__(self, data: RankingData, world: World, learner: RankingLearner, replicates: int) -> None:
        self.data, self.task, self.learner, self.replicates = data, world.task, learner, replicates
        self.t = 0
        self._weight = 1.0  # γ^t, by which NDCG counts in the next step
        self._start = learner.weights
        self._loss = QuadraticLoss(data, world.task, replicates)
        self._accumulate = RunningSums(replicates).add
        self._up = np.zeros(replicates, dtype=bool)
        self._slots = world.slots
        start = 0.0 if self._start is None else self._start
        self._moved = bool(np.any(start))  # whether it starts from weights other than 0
        self._known = _known(data, self.task, np.broadcast_to(start, (replicates, data.dimension)))
        self.changed(1.0)

    def changed(self, alpha: float | Array) -> None:
        """Take over the learner's bounds, and the α at which slacks are measured."""
        self.alpha = alpha
        self._bound_ids = bounds_by_metric(self.learner.bounds)

    def of(self, query: Array, notes: Array, stability: Array) -> dict[Metric, Array]:
        """Return the metrics of the next B steps, each (B, R).

        query : (B, R). notes : (B, R, FIELDS) what was measured of each step. stability : (B, R, 3) the
        overlap of the top tens, the share of the pairs in the same order, and NDCG@10 on test queries.
        """
        steps = np.arange(self.t + 1.0, self.t + len(notes) + 1.0)[:, None]
        self.t += len(notes)
        note = [np.ascontiguousarray(notes[:, :, field]) for field in range(block.FIELDS)]
        best, shown, alpha = note[block.BEST], note[block.SHOWN], self.alpha
        gap, gain = best - shown, note[block.IMPROVED] - shown
        regret = self._accumulate("regret", gap)
        regret_predicted = self._accumulate("regret-predicted", best - note[block.PREDICTED])
        # one that leaves the slots of documents that are used up has left the upper half
        documents = np.full(query.shape, 2 * self._slots) if self.data.consumable else self.data.lengths[query]
        fell, self._up = measures.flips(note[block.RANK_PREDICTED], documents, self._up)
        missing = alpha * gap - gain  # ξ_t of [C] Eq. 6
        slack = self._accumulate("slack", missing) / steps
        possible = gap > 1e-12 * (1.0 + np.abs(best))
        change = note[block.SCORE_IMPROVED] - note[block.SCORE_SHOWN]
        affirmed = self._accumulate("affirmed", change)
        p = note[block.SWAP]
        # one factor after the other, so that the bits depend neither on the machine nor on how steps are cut
        weights = np.multiply.accumulate(np.append(self._weight, np.full(len(notes), metrics.GAMMA)))
        self._weight = float(weights[-1])
        return {
            metrics.AVERAGE_REGRET: regret / steps,
            metrics.AVERAGE_REGRET_PREDICTED: regret_predicted / steps,
            metrics.CUMULATIVE_REGRET: regret,
            metrics.AVERAGE_CONVEX_REGRET: self._accumulate("convex", self._loss.regret(gap)) / steps,
            metrics.ALPHA: np.divide(gain, gap, out=np.full(gap.shape, np.nan), where=possible),
            metrics.SLACK: missing,
            metrics.NDCG: note[block.NDCG],
            metrics.NDCG_PREDICTED: note[block.NDCG_PREDICTED],
            metrics.DISCOUNTED_NDCG: self._accumulate("discounted", weights[:-1, None] * note[block.NDCG_DEEP]),
            metrics.HELD_OUT: stability[:, :, 2],
            metrics.RANK_OF_BEST: note[block.RANK],
            metrics.RANK_OF_BEST_PREDICTED: note[block.RANK_PREDICTED],
            metrics.FLIPS: self._accumulate("flips", fell),
            metrics.SWAP_PROBABILITY: p,
            metrics.AFFIRMATIVENESS: affirmed,
            metrics.TOP10_OVERLAP: stability[:, :, 0],
            metrics.ORDER_KEPT: stability[:, :, 1],
            metrics.WEIGHT_NORM: note[block.NORM],
            metrics.WEIGHT_CHANGE: note[block.CHANGE],
        } | self._bounds(Measured(
            steps, slack, affirmed / steps, self.data.radius, alpha=alpha, swap_probability=p, optimum=np.empty(0),
            convex=self._loss.measured(steps, gap, gain, missing, change, alpha, self.learner.bound_terms())
            if "bound-convex" in self._bound_ids else None,
        ))  # fmt: skip

    def _bounds(self, measured: Measured) -> dict[Metric, Array]:
        """Return the learner's bounds: `bound`, `bound-a-priori` (a second one) and `bound-convex`; NaN for none."""
        terms = {} if measured.convex else self.learner.bound_terms()
        measured = replace(measured, **self._known, **terms)
        bounds = {metric: np.full(measured.slack.shape, np.nan) for metric in RECORDED.values()}
        for name, id in self._bound_ids.items():
            if not (BOUNDS[id].zero_start and self._moved):
                bounds[RECORDED[name]] = BOUNDS[id].evaluate(measured)
        return bounds


def _known(data: RankingData, task: Array, start: Array) -> dict[str, Any]:
    """Return what bounds need to know of the data and of the weights at the start, (R, d)."""
    optimum, gamma = data.weights[task], data.gamma
    fall = gamma[1:] / gamma[:-1].clip(1e-9)
    return {
        "optimum": np.linalg.norm(optimum, axis=1),
        "one_norm": np.abs(optimum).sum(axis=1),
        "start_norm": float(np.linalg.norm(start[0])),
        "start_product": (start * optimum).sum(axis=1),
        "features": data.dimension,
        "ratio": float(fall.min(initial=1.0, where=gamma[:-1] > 0)),
        "drop": float((gamma[:-1] - gamma[1:]).max()),
    }
