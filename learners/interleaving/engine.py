"""A simulated live search engine. Half of its searches teach the learner, half compare it with a fixed ranker."""

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import shown, whole
from datasets.ranking import RankingData
from learners.base import Array
from learners.environment import Diverged, Order, RunningSums
from learners.interleaving import metrics
from learners.interleaving.fixed import LINEAR_SAMPLE, fixed_weights
from learners.interleaving.searches import ADVANTAGE, FIELDS, OUTCOME, SHARED, Searches, compare
from learners.interleaving.verdict import sign_test, wilson
from learners.metric import Metric
from learners.random import EACH, Seeds
from learners.ranking.base import Context, RankingLearner
from learners.ranking.environment import RankingEnvironment, Step
from learners.ranking.interleave import METHODS, Interleaved, interleave, preference
from learners.ranking.searches.draws import padded, runs
from learners.ranking.searches.watched import COLUMNS, Seen
from learners.ranking.step.page import CLICKS
from learners.ranking.step.work import rows_of
from learners.ranking.users.base import Response, User, answers_by_hand, response
from learners.rule import call

COPIES = 1 << 23  # most bytes of the weights after each step of a block
# columns of the search that taught, by their names in a simulation
TAUGHT = {name: f"taught_{name}" for name in ("query", "rows", "shown", "improved", "swapped")}


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
    watched: ClassVar[tuple[str, ...]] = (*COLUMNS, "team", "fixed", "outcome", *TAUGHT.values())  # see `_keep_seen`
    bin: ClassVar[int] = 1

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
        self.fixed = np.ascontiguousarray(weights[self.world.task], dtype=float)
        self.method = method
        self._traffic = Order(data.queries, order)
        self._notes: list[Array] = []  # (B, R, FIELDS) of comparisons not measured yet
        self._sums = RunningSums(replicates).add
        self._second = self._room()  # of the latest comparison
        self._compared: tuple[Array, int, Array] | None = None  # its queries, documents and outcomes
        self._trial: Trial | None = None  # its record, once it was asked for
        self._taught: dict[str, Array] = {}  # what was seen of searches that taught and are not kept yet

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_second": None, "_compared": None, "_trial": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._second = self._room()

    @property
    def block(self) -> int:
        return max(1, min(super().block, COPIES // (8 * self.fixed.size)))

    def run(self, steps: int) -> dict[Metric, Array]:
        """Take steps and return the metrics after each of them, (steps, R): those of learning, and the counts.

        In each step one search teaches the learner, and the next compares it with the fixed ranker. There are fewer
        steps if weights cease to be finite numbers.

        Raises
        ------
        Diverged : if the first of these steps makes weights that are no finite numbers.
        """
        # the second searches teach nobody, so that they can wait until the block has been learned from
        together = not answers_by_hand(self.user) and type(self.learner).scores is RankingLearner.scores
        parts: list[tuple[Array, Array, Array]] = []
        for size in (steps,) if together else (1,) * steps:
            try:
                parts.append(self.take(size))
            except Diverged:
                if not parts:
                    raise
                break  # the next call says so
            if together:
                self._compare_all(len(parts[-1][0]))
            else:
                self._compare()
        return self.measures.of(*(np.concatenate(part) for part in zip(*parts, strict=True))) | self._counts()

    def _compare_all(self, steps: int) -> None:
        """Make the second searches of the steps just taken, in one compiled call."""
        query = self._traffic.take(steps)
        widths, slots = self._widths(query), self.world.slots
        weights = np.ascontiguousarray(self.copies, dtype=float).reshape(-1, *self.fixed.shape)[:steps]
        self.copies = ()
        searches = Searches(
            query, widths, *padded([(self.user.draws(self._noise, n, slots, b), b) for n, b in runs(widths)]),
            padded([(self._coins_of(n, b, len(weights) > 0), b) for n, b in runs(widths)])[0],
            weights, self.fixed, self.method == "team-draft",
        )  # fmt: skip
        notes = np.empty((steps, self.replicates, FIELDS))
        work = self._second.of_user(self.user.rule_numbers(self.replicates, self.data.top_grade))
        seen = self._seen_in(steps)
        call(compare, self.user.bound.ready, searches, self.world, self.stock, work, notes, seen)
        self._notes.append(notes)
        self._trial, self._compared = None, (query[-1], int(widths[-1]), notes[-1, :, OUTCOME].astype(int))
        self._keep_seen(seen, query, notes)

    def _coins_of(self, n: int, steps: int, linear: bool) -> Array:
        """Draw the coins of some steps with n documents, (steps, R, ·), after an order for learners without weights."""
        if linear:
            return rows_of(self._coins.random, steps, 1 + n // 2)
        sizes = (EACH, n), (EACH, 1 + n // 2)
        return np.stack([np.concatenate([self._coins.random(size) for size in sizes], axis=1) for _ in range(steps)])

    def _compare(self) -> None:
        """Make the second search of a step through the methods of learner and user."""
        learning = self.learned()
        assert learning is not None
        query = self._traffic.next()
        context = self.context(query, self._second)
        if self.learner.weights is not None:
            scores = self.learner.scores(context)
        else:  # any order
            scores = self._coins.random((EACH, context.n))
        a, b = context.rank(scores), context.rank(context.scores(self.fixed))
        mixed = interleave(a, b, self.method, self._coins)
        view = self.view(mixed.ranking, context, self._second)
        answer = self.user.respond(view, self._noise)
        utility = np.where(np.isfinite(view.utility), view.utility, 0.0)
        assert answer.clicks is not None
        outcome = preference(mixed, answer.clicks)
        advantage = context.discounted(utility, a) - context.discounted(utility, b)
        self._notes.append(np.stack([outcome, shared_top(context, a, b), advantage], axis=1)[None])
        truth = np.array(view.grades), np.array(view.utility)
        self._trial = Trial(
            self.t, query, context.rows, mixed, answer, outcome, *truth, self.data.lengths[query], learning
        )
        if (seen := self._seen_in(1)).replicate >= 0:
            seen.write(0, self._trial, mixed.ranking, mixed.first, mixed.second, mixed.teams)
            self._keep_seen(seen, query[None], self._notes[-1])

    def _note(self, seen: Seen, query: Array) -> None:
        """Hold what was seen of searches that teach until those that compare are made."""
        watched = seen.replicate >= 0
        self._taught = seen.columns(query[: len(seen.counts)], self.user, self.learner.in_pairs) if watched else {}

    def _keep_seen(self, seen: Seen, query: Array, notes: Array) -> None:
        """Keep what was seen in comparisons with these queries (B, R) and notes (B, R, FIELDS), if anybody watches.

        The columns are those of a search, in which `predicted` is the learner's ranking, and nothing is learned. Beyond
        them, team : (B, n) by position, 1 if the learner put the document there, else 0. fixed : (B, n) the ranking of
        the fixed ranker. outcome : (B,) 1 if the learner won, −1 if it lost, 0 for a tie. moved, was, now are those of
        the search before, which taught; its query, rows, and shown, improved and swapped have names with "taught_".
        """
        if seen.replicate < 0:
            return
        search, taught = seen.columns(query, self.user, in_pairs=False), self._taught
        self.keep(search | {name: taught[name] for name in ("moved", "was", "now")} | {
            "improved": seen.shown, "team": np.where(seen.shown >= 0, seen.marks, -1), "fixed": seen.improved,
            "outcome": notes[:, seen.replicate, OUTCOME].astype(np.int8),
            **{named: taught[name] for name, named in TAUGHT.items()},
        })  # fmt: skip

    def last(self) -> Any:
        """Return the record of the latest comparison, or None before the first."""
        if self._trial is None and self._compared is not None:
            query, n, outcome = self._compared
            work = self._second.cut(n)
            page, hidden = work.page, work.hidden
            mixed = Interleaved(self.method, page.predicted, page.partner, page.shown, page.marks)
            learning = self.learned()
            assert learning is not None
            self._trial = Trial(
                self.t, query, work.rows, mixed, response(work, CLICKS), outcome, hidden.grades, hidden.utility,
                self.data.lengths[query], learning,
            )  # fmt: skip
        return self._trial

    def _counts(self) -> dict[Metric, Array]:
        """Return the metrics of the comparisons since the last call, each (B, R)."""
        notes, self._notes = np.concatenate(self._notes), []
        outcome, overlap, advantage = (notes[:, :, field] for field in (OUTCOME, SHARED, ADVANTAGE))
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
    if not isinstance(method, str) or method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {shown(method)}")
    if user.gives != "clicks":
        raise ValueError(f"interleaving needs a user who clicks; {user.id} hands back a ranking")
    if data.consumable:
        raise ValueError(f"two searches in a step need documents that are not used up; those of {data.id} are")
    whole("sample", sample, low=1)
    if not isinstance(warm_start, bool | np.bool_):
        raise ValueError(f"warm_start must be true or false, got {shown(warm_start)}")
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
