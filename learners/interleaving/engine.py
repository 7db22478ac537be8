"""A simulated live search engine. Half of its searches teach the learner, half compare it with a fixed ranker."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import whole
from datasets.ranking import RankingData
from learners.base import Array
from learners.environment import Diverged, Order, RunningSums
from learners.interleaving import metrics
from learners.interleaving.fixed import LINEAR_SAMPLE, fixed_weights
from learners.interleaving.verdict import sign_test, wilson
from learners.metric import Metric
from learners.random import EACH, Seeds
from learners.ranking.base import Context, RankingLearner
from learners.ranking.parts.interleave import METHODS, Interleaved, interleave, preference
from learners.ranking.users.base import Response, User
from learners.ranking.world.environment import RankingEnvironment, Step


@dataclass(frozen=True)
class Trial:
    """The latest comparison, for the inspector. The first axis of every array is the replicate.

    t : number of the step, from 1. query : (R,) number of the query. documents : (R, n) rows of the data's features.
    mixed : the interleaved list; `first` is the learner's ranking, `second` that of the fixed ranker, and `teams` is
    True where the learner put the document. response : clicks by shown position. outcome : (R,) 1 if the learner won,
    −1 if it lost, 0 for a tie. grades, utility : (R, n) of each document. lengths : (R,) documents of each query.
    learning : the record of the preceding search, which taught the learner.
    """

    t: int
    query: Array
    documents: Array
    mixed: Interleaved
    response: Response
    outcome: Array
    grades: Array
    utility: Array
    lengths: Array
    learning: Step


class LiveEngine(RankingEnvironment):
    """A ranking environment with a second search in every step, from which nobody learns.

    The first search of a step is that of a simulation and gives the same numbers for the same seed. The second shows
    the interleaved rankings of w_t and w_fixed; its query and user noise come from streams of their own.

    Attributes
    ----------
    fixed : (R, d) weights of the fixed ranker.
    """

    shared: ClassVar[tuple[str, ...]] = ("fixed",)

    def __init__(
        self, data: RankingData, user: User, learner: RankingLearner, replicates: int, seeds: Seeds,
        *, fixed: Any = LINEAR_SAMPLE, method: str = METHODS[0], sample: int = 20, warm_start: bool = False,
    ) -> None:  # fmt: skip
        check(data, user, method, sample, warm_start)
        order, self._noise, self._coins, hand = seeds.spawn(4, first=4)  # the environment has the first four
        weights = fixed_weights(fixed, data, sample, hand.common)
        if warm_start:
            data = dataclasses.replace(data, initial_weights=weights[0])
        super().__init__(data, user, learner, replicates, seeds)
        self.fixed = weights[self.world.task]
        self.method = method
        self._traffic = Order(data.queries, order)
        self._trials: list[tuple[Array, Array, Array]] = []  # outcome, overlap, advantage of steps not measured yet
        self._sums = RunningSums(replicates).add
        self._trial: Trial | None = None

    def run(self, steps: int) -> dict[Metric, Array]:
        """Take steps and return the metrics after each of them, (steps, R): those of learning, and the counts.

        In each step one search teaches the learner, and the next compares it with the fixed ranker. There are fewer
        steps if weights cease to be finite numbers.

        Raises
        ------
        Diverged : if the first of these steps makes weights that are no finite numbers.
        """
        parts = []
        for _ in range(steps):
            try:
                parts.append(self.take(1))
            except Diverged:
                if not parts:
                    raise
                break  # the next call says so
            self._compare()
        return self.measures.of(*(np.concatenate(part) for part in zip(*parts, strict=True))) | self._counts()

    def _compare(self) -> None:
        """Interleave the rankings of the learner and of the fixed ranker, and note what the user's clicks say."""
        query = self._traffic.next()
        context = self.context(query)
        mine = self.learner.weights is not None
        scores = (
            self.learner.scores(context) if mine else self._coins.random((EACH, context.n))
        )  # no weights: any order
        a, b = context.rank(scores), context.rank(context.scores(self.fixed))
        mixed = interleave(context, a, b, self.method, self._coins)
        view = self.view(mixed.ranking, context)
        response = self.user.respond(view, self._noise)
        utility = np.where(np.isfinite(view.utility), view.utility, 0.0)
        assert response.clicks is not None
        outcome = preference(context, mixed, response.clicks)
        advantage = context.discounted(utility, a) - context.discounted(utility, b)
        self._trials.append((outcome, shared_top(context, a, b), advantage))
        truth = np.array(view.grades), np.array(view.utility)
        learning = super().last()
        assert learning is not None
        self._trial = Trial(
            self.t, query, context.rows, mixed, response, outcome, *truth, self.data.lengths[query], learning
        )

    def last(self) -> Any:
        """Return the record of the latest comparison, or None before the first."""
        return self._trial

    def _counts(self) -> dict[Metric, Array]:
        """Return the metrics of the comparisons since the last call, each (B, R)."""
        outcome, overlap, advantage = (np.stack(part) for part in zip(*self._trials, strict=True))
        self._trials = []
        wins, losses, ties = (self._sums(name, outcome == sign) for name, sign in zip("wlt", (1, -1, 0), strict=True))
        low, high = wilson(wins, losses)
        steps = np.arange(self.t - len(outcome) + 1.0, self.t + 1.0)[:, None]
        return {
            metrics.WINS: wins,
            metrics.LOSSES: losses,
            metrics.TIES: ties,
            metrics.WIN_SHARE: _ratio(wins, wins + losses),
            metrics.WIN_SHARE_LOW: low,
            metrics.WIN_SHARE_HIGH: high,
            metrics.WIN_RATIO: _ratio(wins, losses),
            metrics.WIN_RATIO_LOW: _ratio(low, 1 - low),
            metrics.WIN_RATIO_HIGH: _ratio(high, 1 - high),
            metrics.P_VALUE: sign_test(wins, losses),
            metrics.TOP10_SHARED: overlap,
            metrics.ADVANTAGE: self._sums("advantage", advantage) / steps,
        }


def check(data: RankingData, user: User, method: str, sample: int, warm_start: bool) -> None:
    """Raise ValueError for data, a user or settings that a comparison cannot use."""
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method}")
    if user.gives != "clicks":
        raise ValueError(f"interleaving needs a user who clicks; {user.id} hands back a ranking")
    if data.consumable:
        raise ValueError(f"two searches in a step need documents that are not used up; those of {data.id} are")
    whole("sample", sample, low=1)
    if warm_start and data.tasks > 1:
        raise ValueError(f"warm_start needs data with one task; {data.id} has {data.tasks} with a fixed ranker each")


def shared_top(context: Context, first: Array, second: Array) -> Array:
    """Return how many documents both top tens share, (R,), for rankings (R, n).

    With fewer than 20 documents the better halves are compared, scaled to ten.
    """
    lengths = np.full(len(first), context.n) if context.lengths is None else context.lengths
    k = np.minimum(10, lengths // 2)
    top = np.zeros((2, *first.shape), dtype=bool)
    for place, ranking in zip(top, (first, second), strict=True):
        place.put(context.flat(ranking), np.arange(context.n) < k[:, None])
    return np.asarray(10 * top.all(axis=0).sum(axis=1) / k)


def _ratio(part: Array, rest: Array) -> Array:
    """Return part / rest, NaN where the rest is 0."""
    ratio: Array = np.divide(part, rest, out=np.full(part.shape, np.nan), where=rest > 0)
    return ratio
