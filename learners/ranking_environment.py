"""The world of the ranking learners: meets queries, asks the user, and measures what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from datasets.ranking import RankingData, discounts
from learners import metrics
from learners.base import Array, Shape
from learners.ranking.base import Context, Feedback, RankingLearner, Shown
from learners.stability import Stability
from learners.theory import BOUNDS, Measured
from learners.users.base import Response, User, View
from learners.users.expert import Expert


@dataclass(frozen=True)
class Step:
    """The latest step, for the inspector; the first axis of every array is the replicate.

    t : number of the step, from 1. query : (R,) which query. documents : (R, n) rows of the data's
    features. shown, response, feedback_ranking : what was presented, answered and learned from.
    before, after : (R, d) weights, or None. grades, utility : (R, n) of each document.
    lengths : (R,) documents of each query.
    """

    t: int
    query: Array
    documents: Array
    shown: Shown
    response: Response
    feedback_ranking: Array
    before: Array | None
    after: Array | None
    grades: Array
    utility: Array
    lengths: Array


class RankingEnvironment:
    """Runs one ranking learner on R replicates, each in a query order of its own.

    A step only notes what happened; `measure` turns the notes of many steps into metrics at once.
    """

    def __init__(
        self, data: RankingData, user: User, learner: RankingLearner, replicates: int, seeds: np.random.SeedSequence
    ) -> None:
        self.data, self.user, self.learner, self.replicates = data, user, learner, replicates
        order, users, own, probes = seeds.spawn(4)
        self.order_rng, self.user_rng = np.random.default_rng(order), np.random.default_rng(users)
        self.task = np.arange(replicates) % data.tasks
        self._task_start = (self.task * len(data.features))[:, None]  # in the flattened grades and utilities
        self.t = 0
        self.step_notes: list[tuple[Array, Shown, Array, Array | float]] = []
        self.latest: tuple[Array, Array, Shown, Response, Array, Array | None, Array | None] | None = None
        self._gamma = discounts(data.longest)
        self._rows = np.arange(replicates)
        shape = Shape(data.dimension, data.longest, data.initial_weights)
        learner.reset(shape, replicates, np.random.default_rng(own))
        self._start = learner.weights
        self._totals = {
            name: np.zeros(replicates) for name in ("regret", "regret-predicted", "flips", "affirmed", "slack")
        }
        self._up = np.zeros(replicates, dtype=bool)
        self._expert = Expert(optimal=learner.params["optimal"]) if learner.hears == "optimal" else None
        self._prepare_ideal()
        self.stability = Stability(data, replicates, np.random.default_rng(probes), learner.weights)

    # ---- one step ---------------------------------------------------------------------------------

    def step(self) -> None:
        """Observe, present, obtain feedback, update."""
        query = self._next_queries()
        context, documents = self._context(query)
        before = self.learner.weights
        shown = self.learner.present(context)
        lengths = context.lengths
        view = View(
            shown.ranking,
            lambda: self.grades_of(documents, lengths),
            lambda: self.utility_of(documents, lengths),
            context,
        )
        response = self.user.respond(view, self.user_rng)
        heard = Feedback(clicks=response.clicks, ranking=response.ranking)
        if self._expert is not None:
            heard = Feedback(ranking=self._expert.respond(view, self.user_rng).ranking)
        elif self.learner.hears == "nothing":
            heard = Feedback()
        improved = self.learner.update(context, shown, heard)
        after = self.learner.weights
        norm = np.nan if after is None else np.sqrt(np.einsum("rd,rd->r", after, after))
        self.t += 1
        self.step_notes.append((query, shown, improved, norm))
        self.latest = (query, documents, shown, response, improved, before, after)
        self.stability.note(self.t, after)

    def _next_queries(self) -> Array:
        """(R,) the next query of each replicate; each passes through all of them in random order, again and again."""
        at = self.t % self.data.queries
        if at == 0:
            order = np.tile(np.arange(self.data.queries), (self.replicates, 1))
            self._order = np.ascontiguousarray(self.order_rng.permuted(order, axis=1).T)
        queries: Array = self._order[at]
        return queries

    def _context(self, query: Array) -> tuple[Context, Array]:
        """The candidates of these queries, and the rows of the data they come from, (R, n)."""
        data = self.data
        documents = data.candidates(query)
        n = documents.shape[1]
        lengths = None if data.same_length else data.lengths[query]
        gamma = _masked(self._gamma[:n], lengths, 0.0)
        features = data.features.take(documents, axis=0)
        if features.dtype != np.float64:
            features = features.astype(np.float64)
        return Context(features, gamma, lengths), documents

    def grades_of(self, documents: Array, lengths: Array | None) -> Array:
        """(..., R, n) grades, −1 beyond a query's length."""
        return _masked(self.data.grades.take(documents + self._task_start), lengths, -1.0)

    def utility_of(self, documents: Array, lengths: Array | None, beyond: float = -np.inf) -> Array:
        """(..., R, n) true utilities, `beyond` a query's length."""
        return _masked(self.data.utility.take(documents + self._task_start), lengths, beyond)

    def last(self) -> Step | None:
        """The record of the latest step, or None before the first."""
        if self.latest is None:
            return None
        query, documents, shown, response, improved, before, after = self.latest
        lengths = self.data.lengths[query]
        some = None if self.data.same_length else lengths
        return Step(
            self.t, query, documents, shown, response, improved, before, after,
            self.grades_of(documents, some), self.utility_of(documents, some), lengths,
        )  # fmt: skip

    # ---- metrics ----------------------------------------------------------------------------------

    def measure(self) -> dict[str, Array] | None:
        """Metrics of the steps noted since the last call, each (B, R); None if there are none."""
        if not self.step_notes:
            return None
        notes, self.step_notes = self.step_notes, []
        b, n = len(notes), max(note[1].ranking.shape[1] for note in notes)
        query = np.stack([note[0] for note in notes])  # (B, R)
        shown = _stack([note[1].ranking for note in notes], n)
        predicted = shown if all(x[1].predicted is x[1].ranking for x in notes) else _stack(
            [note[1].predicted for note in notes], n
        )  # fmt: skip
        improved = _stack([note[2] for note in notes], n)
        lengths = self.data.lengths[query]
        some = None if self.data.same_length else lengths
        documents = self.data.candidates(query)
        gamma = _masked(self._gamma[:n], some, 0.0)
        utility = self.utility_of(documents, some, 0.0)
        grades = self.grades_of(documents, some)
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

        best = self._best_utility[self.task, query]
        u_shown, u_predicted = of_both(lambda y: discounted(utility, y))
        regret = self._accumulate("regret", best - u_shown)
        regret_predicted = self._accumulate("regret-predicted", best - u_predicted)
        ideal = self._ideal_dcg[self.task, query]
        in_order, in_order_predicted = of_both(lambda y: grades.take(start + y))
        rank = metrics.rank_of_best(in_order_predicted)
        fell, self._up = metrics.flips(rank, lengths, self._up)
        steps = np.arange(self.t - b + 1, self.t + 1.0)[:, None]

        alpha = self.user.informativeness if self._expert is None else 1.0
        gain = discounted(utility, improved) - u_shown
        slack = self._accumulate("slack", alpha * (best - u_shown) - gain) / steps
        affirmed = np.full((b, self.replicates), np.nan)
        if notes[0][1].scores is not None:
            scores = _stack([np.asarray(note[1].scores) for note in notes], n, 0.0)
            affirmed = self._accumulate("affirmed", discounted(scores, improved) - discounted(scores, shown))
        p = np.stack([np.broadcast_to(note[1].swap_probability, self.replicates) for note in notes])

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
            "top10-overlap": self.stability.values(b),
            "weight-norm": np.stack([np.broadcast_to(note[3], self.replicates) for note in notes]),
        } | self._bounds(steps, slack, affirmed / steps, alpha, p)

    def _accumulate(self, name: str, values: Array) -> Array:
        """Running sums of (B, R) values that go on where the last block ended.

        Added up one after the other, whatever the block: a run sliced differently gives the same bits.
        """
        total = np.cumsum(np.concatenate([self._totals[name][None, :], values]), axis=0)[1:]
        self._totals[name] = total[-1]
        return total

    def _bounds(self, steps: Array, slack: Array, affirmed: Array, alpha: float | Array, p: Array) -> dict[str, Array]:
        """The learner's bounds: `bound`, and `bound-a-priori` where the papers have a second one."""
        empty = np.full(slack.shape, np.nan)
        optimum = self.data.weights[self.task]
        start = np.zeros(optimum.shape) if self._start is None else self._start
        measured = Measured(
            steps, slack, affirmed, self.data.radius, np.linalg.norm(optimum, axis=1), alpha,
            float(np.linalg.norm(start[0])), (start * optimum).sum(axis=1), p, getattr(self.learner, "delta", 0.0),
        )  # fmt: skip
        found = [BOUNDS[id].evaluate(measured) for id in self.learner.bounds]
        return dict(zip(("bound", "bound-a-priori"), [*found, empty, empty], strict=False))

    # ---- prepared once ----------------------------------------------------------------------------

    def _prepare_ideal(self) -> None:
        """(K, Q) utility and DCG@5 of the best ranking of each query, for the tasks that are in use."""
        data = self.data
        tasks = min(data.tasks, self.replicates)
        self._best_utility = np.empty((tasks, data.queries))
        self._ideal_dcg = np.empty((tasks, data.queries))
        size = max(1, (1 << 20) // data.longest)
        for a in range(0, data.queries, size):
            queries = np.arange(a, min(a + size, data.queries))
            lengths, documents = data.lengths[queries], data.candidates(queries)
            gamma = self._gamma[: documents.shape[1]]
            for task in range(tasks):
                utility = -np.sort(-_masked(data.utility[task, documents], lengths, -np.inf), axis=1)
                grades = -np.sort(-_masked(data.grades[task, documents], lengths, -1.0), axis=1)
                finite = np.where(np.isfinite(utility), utility, 0.0)
                self._best_utility[task, queries] = (finite * gamma).sum(axis=1)
                self._ideal_dcg[task, queries] = metrics.dcg(grades, 5)


def _masked(values: Array, lengths: Array | None, beyond: float) -> Array:
    """`values` (..., n) with those beyond each query's length replaced."""
    if lengths is None:
        return values
    return np.where(np.arange(values.shape[-1]) < lengths[..., None], values, beyond)


def _stack(parts: list[Array], n: int, fill: float | None = None) -> Array:
    """(B, R, n) from (R, n_b) arrays; shorter ones are filled, rankings with the numbers that are missing."""
    if all(part.shape[1] == n for part in parts):
        return np.stack(parts)
    result = np.empty((len(parts), len(parts[0]), n), dtype=parts[0].dtype)
    result[:] = np.arange(n) if fill is None else fill
    for i, part in enumerate(parts):
        result[i, :, : part.shape[1]] = part
    return result
