"""Run a learner of rankings on a training part of the queries, and measure it on the parts that it does not see."""

from typing import Any, ClassVar

import numpy as np

from datasets.ranking import RankingData
from learners.base import Array
from learners.boosting.environment import BoostingEnvironment, require_dense
from learners.boosting.learning_to_rank import metrics
from learners.boosting.learning_to_rank.base import Queries
from learners.boosting.learning_to_rank.measures import GradedQueries
from learners.boosting.learning_to_rank.metrics import MAP, NDCG, PLACES
from learners.metric import Metric
from learners.random import Stream

LEAST_QUERIES = 3  # queries, so that each part has one
SHARE_HELD_OUT = 0.2  # of the queries that validate, and of those that test, where the data bring no folds


class RankBoostingEnvironment(BoostingEnvironment):
    """Divide the queries into training, validation and test, hand the first part out and measure on all three.

    folds : for each replicate, the numbers of its training, validation and test queries; those of the data in turn,
    or else a random division 60/20/20. rows : for each replicate, (n,) the stored documents of its problem. problems :
    for each replicate, its `Queries`. scores : (R, N) sum of votes of every stored document. picked : (R, d) how much
    each feature has been used: Σ|α| of the weak rankers that look at it alone, or what the learner says of itself.

    Metrics: ndcg@1 … ndcg@10 and map, means over the test queries; with -train and -validation over the others; NaN
    where the data bring no validation queries. See `GradedQueries` for what counts; the data's parameter `ndcg` chooses
    the discounts. The learner sees the training queries and no other grade. Where data have several
    tasks, replicate r wants task r mod K. Where queries share documents, a test query may hold documents that were
    trained on.

    Raises
    ------
    ValueError : for fewer than 3 queries, sparse features, and data of which single slots count.
    """

    reported: ClassVar[tuple[Metric, ...]] = metrics.REPORTED
    weak_error: ClassVar[Metric] = metrics.WEAK_ERROR

    def prepare(self, order: Stream, person: Stream) -> list[Any]:
        data: RankingData = self.data
        check(data)
        R = self.replicates
        self.task = order.replicate % data.tasks
        if data.folds:
            self.folds = [data.folds[r % len(data.folds)] for r in order.replicate]
        else:
            self.folds = _divided(order.permutations(data.queries))
        self.offered = np.arange(len(data.features)) if data.rows is None else data.rows  # (M,) of all queries in turn
        kind = data.params.get("ndcg", "standard")  # of the discounts
        self.measures = [GradedQueries(data.starts, data.grades[k, self.offered], kind) for k in range(data.tasks)]
        self.scores = np.zeros((R, len(data.features)))
        self.picked = np.zeros((R, data.dimension))
        self._quality = np.full((3, PLACES + 1, R), np.nan)  # NDCG@1 … NDCG@10 and MAP of each part
        self.rows: list[Array] = []
        problems: list[Queries] = []
        known: dict[tuple[int, int], int] = {}  # replicates with the same fold and task share one copy
        for r in range(R):
            key = (id(self.folds[r]), int(self.task[r]))
            first = known.setdefault(key, r)
            problem, rows = (problems[first], self.rows[first]) if first < r else self._problem(r)
            problems.append(problem)
            self.rows.append(rows)
        return problems

    def _problem(self, r: int) -> tuple[Queries, Array]:
        data, train = self.data, self.folds[r][0]
        lengths = data.lengths[train]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        place = np.arange(starts[-1]) + np.repeat(data.starts[train] - starts[:-1], lengths)
        rows = self.offered[place]
        return Queries(data.features[rows], starts, data.grades[self.task[r], rows]), rows

    def tally(self, moved: list[int]) -> None:
        scores, picked, quality = self.scores.copy(), self.picked.copy(), self._quality.copy()
        for r in moved:
            done, learner = self.rounds[r], self.learners[r]
            scores[r] += learner.vote(self.data.features)
            if "picked" in done.details:
                picked[r] += done.details["picked"]
            elif "feature" in done.details:
                picked[r, done.details["feature"]] += abs(done.step)
            ndcg, precision = self.measures[self.task[r]].quality(scores[r, self.offered])
            for part, queries in enumerate(self.folds[r]):
                if len(queries):  # data may bring no validation queries
                    quality[part, :, r] = *ndcg[queries].mean(axis=0), precision[queries].mean()
        self.scores, self.picked, self._quality = scores, picked, quality

    def metrics(self) -> dict[Metric, Array]:
        found: dict[Metric, Array] = {}
        for part, name in enumerate(metrics.PARTS):
            found |= dict(zip((*NDCG[name], MAP[name]), self._quality[part], strict=True))
        return found

    def weights_of(self, r: int, query: int) -> Array | None:
        """Return the signed weight w (n,) of each document of a training query in the latest round, or None without
        one.

        query : a number out of `folds[r][0]`.
        """
        done, at = self.rounds[r], np.flatnonzero(self.folds[r][0] == query)
        if done.weights is None or done.targets is None or not len(at):
            return None
        a, b = self.problems[r].starts[at[0] : at[0] + 2]
        w: Array = done.weights[a:b] * done.targets[a:b]
        return w


def check(data: RankingData) -> None:
    """Raise ValueError for data on which rankings cannot be learnt query by query."""
    require_dense(data, "learning to rank needs")
    if data.consumable or data.slots is not None:
        raise ValueError(f"learning to rank needs whole rankings, but in {data.id} only the first places count")
    if data.queries < LEAST_QUERIES:
        few = "1 query" if data.queries == 1 else f"{data.queries} queries"
        raise ValueError(
            f"learning to rank needs at least {LEAST_QUERIES} queries, to train, validate and test; {data.id} has {few}"
        )


def _divided(shuffled: Array) -> list[tuple[Array, Array, Array]]:
    """Return training, validation and test queries of each replicate, from (R, Q) query numbers in random order."""
    held = max(1, int(SHARE_HELD_OUT * shuffled.shape[1]))
    return [(np.sort(q[2 * held :]), np.sort(q[:held]), np.sort(q[held : 2 * held])) for q in shuffled]
