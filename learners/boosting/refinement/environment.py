"""Run the refiners: each replicate has a query, its base ranking, and the judgements of a few documents."""

from typing import Any, ClassVar

import numpy as np

from datasets.parameters import of_replicate
from datasets.ranking import RankingData
from learners.base import Array
from learners.boosting.environment import BoostingEnvironment, require_dense
from learners.boosting.refinement import metrics
from learners.boosting.refinement.base import Judged
from learners.boosting.refinement.base_feature import base_feature, mixed
from learners.boosting.refinement.front import front
from learners.boosting.refinement.judges.base import Judge
from learners.boosting.refinement.lists import Lists
from learners.boosting.refinement.pairs import Pairs
from learners.boosting.ties import ranked
from learners.metric import Metric
from learners.random import EACH, Stream


class RefinementEnvironment(BoostingEnvironment):
    """Deal a query to each replicate, without repetition while there are enough; nothing but its documents counts.

    Queries whose documents all have the same grade are not dealt, unless the judge asks for one by its number.

    Attributes: problems, a list of `Judged`; queries (R,) their numbers; documents, grades, scores: lists with one
    array (n,) a replicate, of stored rows, true grades, and the sum of the votes so far; before, after: (R, 25) NDCG@1
    … NDCG@25 of the base ranking and of the present one; base_name: what the base ranker is.

    Metrics, of the present ranking: `ndcg@1` … `ndcg@25`; `ndcg` of the whole list, and `gain`, what it is above the
    base ranker's; `ndcg-unjudged`, `gain-unjudged`, the same of the list without the judged documents (both 0 where no
    relevant one is left); `err-w`, `err-t` ([V] Eq. 4.4–4.5), the share of the weight W and T on pairs of different
    documents that are ranked the other way (0 without judged pairs).

    Raises
    ------
    ValueError : for sparse features, several rows of grades, a query that is not there, or nothing to rank.

    >>> from learners import Simulation
    >>> sim = Simulation("judged-first", "web-search", replicates=3, seed=0)
    >>> sim.advance(steps=1)
    >>> sim.environment.base_name, bool((sim.history["gain"] >= 0).all())
    ('feature 9', True)
    """

    reported: ClassVar[tuple[Metric, ...]] = metrics.REPORTED
    weak_error: ClassVar[Metric] = metrics.WEAK_ERROR
    data: RankingData
    user: Judge

    def prepare(self, order: Stream, person: Stream) -> list[Any]:
        data, judge = self.data, self.user
        require_dense(data, "ranking refinement needs")
        if data.tasks > 1:
            raise ValueError(
                f"ranking refinement needs one row of grades, and {data.id} has {data.tasks}, one for each of its users"
            )
        self.queries = self._deal(order)
        if data.base is not None:
            base, self.base_name = data.base, data.base_name
        else:
            feature = base_feature(data, judge.base)
            base, self.base_name = data.features[:, feature], f"feature {feature + 1}"
        self.documents = [data.documents(int(q)) for q in self.queries]
        self.grades = [data.grades[0][rows].astype(float) for rows in self.documents]
        self.scores = [np.zeros(len(rows)) for rows in self.documents]
        levels = np.unique(data.grades[0]).astype(float)
        seeds = person.integers(0, 2**62, EACH)
        problems = []
        for r, rows in enumerate(self.documents):
            scores = base[rows].astype(float)
            ranking = ranked(scores)
            rng = np.random.default_rng(seeds[r])
            judged, said = of_replicate(judge, r).judge(ranking, self.grades[r], levels, rng)
            problems.append(Judged(np.asarray(data.features[rows], dtype=float), scores, judged, said))
        judged_at = [np.isin(np.arange(len(p.base)), p.judged) for p in problems]
        self.lists = Lists(self.grades, [p.base for p in problems], judged_at)
        self._order = self.lists.order(self.scores)
        self.before = self.after = self.lists.at(self._order, self.scores)
        self._whole = self._whole_before = self.lists.whole(self._order, self.scores)
        self._pairs: dict[int, Pairs] = {}
        self._errors: list[tuple[float, float]] = []
        self._fronts: dict[tuple[int, int], Array | None] = {}
        return problems

    def _deal(self, order: Stream) -> Array:
        """Return the query (R,) of each replicate."""
        data, asked = self.data, np.broadcast_to(self.user.query, self.replicates)
        if asked.max() > data.queries:
            raise ValueError(f"query must be at most {data.queries} for {data.id}, got {asked.max()}")
        able = mixed(data)
        if len(able) == 0 and (asked == 0).any():
            raise ValueError(f"no query of {data.id} has documents of different grades, so there is nothing to refine")
        shuffled = able[order.common.permutation(len(able))] if len(able) else np.zeros(1, dtype=int)
        return np.where(asked == 0, shuffled[order.replicate % len(shuffled)], asked - 1)

    def ranking(self, replicate: int) -> Array:
        """Return the documents (n,) of the replicate's query as ranked now, numbered from 0 within the query."""
        return self._order[replicate, : len(self.documents[replicate])]

    def base_ranking(self, replicate: int) -> Array:
        """Return the same documents as the base ranker ranks them."""
        return self.lists.base_order[replicate, : len(self.documents[replicate])]

    def pairs(self, replicate: int) -> Pairs:
        """Return W and T of the replicate's query, its learner's own, or else with the default parameters."""
        own: Pairs | None = getattr(self.learners[replicate], "pairs", None)
        if own is None and replicate not in self._pairs:
            self._pairs[replicate] = Pairs(self.problems[replicate])
        return self._pairs[replicate] if own is None else own

    def front(self, replicate: int, points: int = 25) -> Array | None:
        """Return the Pareto front (points, 2) of the two losses (see `front.front`), or None for long queries."""
        if (replicate, points) not in self._fronts:
            self._fronts[replicate, points] = front(self.pairs(replicate), points)
        return self._fronts[replicate, points]

    def tally(self, moved: list[int]) -> None:
        votes = [booster.vote(p.features) for booster, p in zip(self.learners, self.problems, strict=True)]
        self.scores = [scores + vote for scores, vote in zip(self.scores, votes, strict=True)]
        before, self._order = self._order, self.lists.order(self.scores)
        self.after = self.lists.at(self._order, self.scores)
        self._whole = self.lists.whole(self._order, self.scores)
        old: list[tuple[float, float] | None] = [*self._errors] or [None] * self.replicates
        self._errors = [
            self.pairs(r).ranked(self.ranking(r)) if errors is None or (self._order[r] != before[r]).any() else errors
            for r, errors in enumerate(old)
        ]

    def metrics(self) -> dict[Metric, Array]:
        full, unjudged = self._whole
        errors = np.array(self._errors)
        return dict(zip(metrics.NDCG_AT, self.after.T, strict=True)) | {
            metrics.NDCG: full, metrics.GAIN: full - self._whole_before[0],
            metrics.NDCG_UNJUDGED: unjudged, metrics.GAIN_UNJUDGED: unjudged - self._whole_before[1],
            metrics.ERR_W: errors[:, 0], metrics.ERR_T: errors[:, 1],
        }  # fmt: skip
