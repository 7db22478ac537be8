"""From what happened in a block of steps to the metrics of the ranking learners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from learners import metrics
from learners.base import Array
from learners.environment import RunningSums
from learners.ranking.base import RankingLearner, Shown
from learners.ranking_world import World, masked
from learners.theory import BOUNDS, Measured


@dataclass(frozen=True)
class Note:
    """What a step leaves behind until it is measured.

    query : (R,). shown : what was presented. improved : (R, n) the feedback ranking. norm : (R,) ‖w‖, or NaN.
    """

    query: Array
    shown: Shown
    improved: Array
    norm: Array | float


class Measures:
    """Keeps the running sums of a run; `of` turns the notes of many steps into metrics at once."""

    def __init__(self, world: World, learner: RankingLearner, replicates: int, alpha: float | Array) -> None:
        self.world, self.data, self.learner, self.replicates = world, world.data, learner, replicates
        self.alpha = alpha  # at which slacks are measured
        self.t = 0
        self._start = learner.weights
        self._accumulate = RunningSums(replicates).add
        self._up = np.zeros(replicates, dtype=bool)

    def of(self, notes: Sequence[Note], overlap: Array) -> dict[str, Array]:
        """Metrics of the next B steps, each (B, R); `overlap` (B, R) is the ranking stability."""
        b, n = len(notes), max(note.shown.ranking.shape[1] for note in notes)
        query = np.stack([note.query for note in notes])  # (B, R)
        shown = _stack([note.shown.ranking for note in notes], n)
        predicted = shown if all(x.shown.predicted is x.shown.ranking for x in notes) else _stack(
            [note.shown.predicted for note in notes], n
        )  # fmt: skip
        improved = _stack([note.improved for note in notes], n)
        lengths, some = self.data.lengths[query], self.world.lengths(query)
        documents = self.data.candidates(query)
        gamma = masked(self.world.gamma[:n], some, 0.0)
        utility = self.world.utility_of(documents, some, 0.0)
        grades = self.world.grades_of(documents, some)
        start = np.arange(0, documents.size, n).reshape(b, self.replicates, 1)  # of each row, flattened

        def discounted(values: Array, ranking: Array) -> Array:
            in_order = values.take(start + ranking)
            if some is None:
                total: Array = np.einsum("...n,...n->...", in_order, gamma)
            else:  # term by term: how far a block is padded must not change a bit
                total = np.cumsum(in_order * gamma, axis=-1)[..., -1]
            return total

        def of_both(measure: Callable[[Array], Array]) -> tuple[Array, Array]:
            """The measure of the shown and of the predicted ranking."""
            first = measure(shown)
            return first, (first if predicted is shown else measure(predicted))

        best = self.world.best_utility[self.world.task, query]
        u_shown, u_predicted = of_both(lambda y: discounted(utility, y))
        regret = self._accumulate("regret", best - u_shown)
        regret_predicted = self._accumulate("regret-predicted", best - u_predicted)
        ideal = self.world.ideal_dcg[self.world.task, query]
        in_order, in_order_predicted = of_both(lambda y: grades.take(start + y))
        rank = metrics.rank_of_best(in_order_predicted)
        fell, self._up = metrics.flips(rank, lengths, self._up)
        steps = np.arange(self.t + 1.0, self.t + b + 1.0)[:, None]
        self.t += b

        alpha = self.alpha
        gain = discounted(utility, improved) - u_shown
        slack = self._accumulate("slack", alpha * (best - u_shown) - gain) / steps
        affirmed = np.full((b, self.replicates), np.nan)
        if notes[0].shown.scores is not None:
            scores = _stack([np.asarray(note.shown.scores) for note in notes], n, 0.0)
            affirmed = self._accumulate("affirmed", discounted(scores, improved) - discounted(scores, shown))
        p = np.stack([np.broadcast_to(note.shown.swap_probability, self.replicates) for note in notes])

        return {
            "average-regret": regret / steps,
            "average-regret-predicted": regret_predicted / steps,
            "cumulative-regret": regret,
            "ndcg@5": metrics.ndcg(in_order, ideal, 5),
            "ndcg@5-predicted": metrics.ndcg(in_order_predicted, ideal, 5),
            "rank-of-best": metrics.rank_of_best(in_order).astype(float),
            "rank-of-best-predicted": rank.astype(float),
            "flips": self._accumulate("flips", fell),
            "swap-probability": p,
            "affirmativeness": affirmed,
            "top10-overlap": overlap,
            "weight-norm": np.stack([np.broadcast_to(note.norm, self.replicates) for note in notes]),
        } | self._bounds(steps, slack, affirmed / steps, alpha, p)

    def _bounds(self, steps: Array, slack: Array, affirmed: Array, alpha: float | Array, p: Array) -> dict[str, Array]:
        """The learner's bounds: `bound`, and `bound-a-priori` where the papers have a second one."""
        empty = np.full(slack.shape, np.nan)
        optimum = self.data.weights[self.world.task]
        start = np.zeros(optimum.shape) if self._start is None else self._start
        measured = Measured(
            steps, slack, affirmed, self.data.radius, np.linalg.norm(optimum, axis=1), alpha,
            float(np.linalg.norm(start[0])), (start * optimum).sum(axis=1), p, getattr(self.learner, "delta", 0.0),
        )  # fmt: skip
        # the propositions are stated for w₁ = 0 alone
        found = [
            empty if id.startswith("proposition") and start.any() else BOUNDS[id].evaluate(measured)
            for id in self.learner.bounds
        ]
        return dict(zip(("bound", "bound-a-priori"), [*found, empty, empty], strict=False))


def _stack(parts: list[Array], n: int, fill: float | None = None) -> Array:
    """(B, R, n) from (R, n_b) arrays; shorter ones are filled, rankings with the numbers that are missing."""
    if all(part.shape[1] == n for part in parts):
        return np.stack(parts)
    result = np.empty((len(parts), len(parts[0]), n), dtype=parts[0].dtype)
    result[:] = np.arange(n) if fill is None else fill
    for i, part in enumerate(parts):
        result[i, :, : part.shape[1]] = part
    return result
