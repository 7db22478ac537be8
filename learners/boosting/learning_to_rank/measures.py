"""NDCG and average precision of all queries at once."""

import numpy as np

from learners.base import Array
from learners.boosting.learning_to_rank.metrics import PLACES
from learners.boosting.ties import ties
from learners.compiled import compiled
from learners.ndcg import discounts, gains, normalised
from learners.vectors import RUN, merge_runs

RELEVANT = 1  # from this grade on, a document counts as relevant for average precision


class GradedQueries:
    """Queries with the grades of their documents, by which rankings are measured.

    n: documents of all queries, one query after the other; Q: queries. `learners.ndcg` says what NDCG is. NDCG and
    average precision of scores are means over all orders of tied documents. A query without any relevant document has
    NDCG 0 and average precision 0, as in the evaluation script of LETOR.

    Parameters
    ----------
    starts : (Q + 1,) where each query begins and the last ends. grades : (n,) not negative. kind : of the discounts.

    Source: Eq. 3.1 of [V]; LETOR (Qin et al., Information Retrieval 13, 2010) for average precision; McSherry and
    Najork, ECIR 2008, for ties.

    >>> measures = GradedQueries(np.array([0, 3]), np.array([0.0, 2.0, 1.0]))
    >>> measures.ndcg_at(np.array([3.0, 2.0, 1.0]))[:, 2].round(4)  # (3 · .6309 + 1 · .5) / (3 + 1 · .6309)
    array([0.659])
    >>> measures.precision(np.array([3.0, 2.0, 1.0])).round(4)  # (1/2 + 2/3) / 2
    array([0.5833])
    >>> measures.precision(np.zeros(3)).round(4)  # orders 011, 101, 110: (.5833 + .8333 + 1) / 3
    array([0.8056])
    """

    def __init__(self, starts: Array, grades: Array, kind: str = "standard") -> None:
        self.starts, self.grades = np.asarray(starts, dtype=np.int64), np.asarray(grades, dtype=float)
        self.lengths = np.diff(self.starts)
        self.query = np.repeat(np.arange(len(self.lengths)), self.lengths)
        self._mixed_up = np.lexsort((ties(len(self.grades)), self.query))  # each query's documents in no order
        self.discounts = discounts(int(self.lengths.max()), kind)
        self.discount = self.discounts[np.arange(len(self.query)) - self.starts[self.query]]
        self.gain = gains(self.grades)
        best = self.gain[self.order(self.grades)]
        self.ideal = self.total(best * self.discount)  # (Q,) Z of Eq. 3.1
        self.relevant = (self.grades >= RELEVANT).astype(float)
        self._relevant_in_all = self.total(self.relevant)
        self._ideal_at = self._measured(np.arange(len(best)), -np.arange(len(best), dtype=float), best)[0]

    def order(self, scores: Array) -> Array:
        """Return the documents (n,), each query's from the best score to the worst, ties in one order (see `ties`)."""
        found: Array = ranked_queries(self.starts, self._mixed_up, np.asarray(scores, dtype=float))
        return found

    def ndcg(self, order: Array) -> Array:
        """Return the NDCG (Q,) of the whole rankings in this one order, as AdaRank needs it."""
        return normalised(self.total(self.gain[order] * self.discount), self.ideal)

    def ndcg_at(self, scores: Array) -> Array:
        """Return NDCG at 1 … 10, (Q, 10)."""
        return self.quality(scores)[0]

    def precision(self, scores: Array) -> Array:
        """Return the average precision (Q,).

        Of n tied documents, r of them relevant, each stands at each of their places alike. If a relevant one is at the
        i-th place (from 0), then i (r − 1) / (n − 1) of those before it in the group are relevant on average.
        """
        return self.quality(scores)[1]

    def quality(self, scores: Array) -> tuple[Array, Array]:
        """Return `ndcg_at` (Q, 10) and `precision` (Q,), of one ranking."""
        dcg, hits = self._measured(self.order(scores), np.asarray(scores, dtype=float), self.gain)
        return normalised(dcg, self._ideal_at), normalised(hits, self._relevant_in_all)

    def _measured(self, order: Array, scores: Array, gain: Array) -> tuple[Array, Array]:
        """Return DCG at 1 … 10, (Q, 10), and the sums of the precisions (Q,)."""
        dcg, hits = np.empty((len(self.lengths), PLACES)), np.empty(len(self.lengths))
        measure(self.starts, order, scores, gain, self.relevant, self.discounts, dcg, hits)
        return dcg, hits

    def total(self, values: Array) -> Array:
        """Return the sums (Q,) over the documents of each query."""
        sums: Array = np.add.reduceat(values, self.starts[:-1])
        return sums


@compiled(allocates=True)
def ranked_queries(starts, order, scores):  # type: ignore[no-untyped-def]
    """Return the documents (n,), each query's by falling score, those with equal scores in the given order.

    starts : (Q + 1,) where each query begins and the last ends. order : (n,) the documents of each query in turn.
    scores : (n,) of the documents.
    """
    ranking, room = order.copy(), np.empty_like(order)
    for q in range(len(starts) - 1):
        start, end = starts[q], starts[q + 1]
        for first in range(start, end, RUN):
            for k in range(first + 1, min(first + RUN, end)):
                document = ranking[k]
                while k > first and scores[ranking[k - 1]] < scores[document]:
                    ranking[k] = ranking[k - 1]
                    k -= 1
                ranking[k] = document
        merge_runs(scores, ranking[start:end], room)
    return ranking


@compiled(allocates=True)
def measure(starts, ranking, scores, gain, relevant, discounts, dcg, hits):  # type: ignore[no-untyped-def]
    """Fill dcg (Q, places), DCG at 1 …, and hits (Q,), the sum of the precisions at the relevant documents.

    Both are means over all orders of documents with equal scores. starts : (Q + 1,). ranking : (n,) the documents of
    each query from the best score. scores, gain, relevant : (n,) of the documents; relevant is 0 or 1.
    discounts : of the ranks, as many as the longest query has documents.
    """
    places = dcg.shape[1]
    for q in range(len(starts) - 1):
        start, end = starts[q], starts[q + 1]
        found, ahead, precisions = 0.0, 0.0, 0.0  # DCG so far; relevant ones ahead of the group; sum of precisions
        first = start
        while first < end:  # a group of ties
            last, gains, right = first, 0.0, 0.0
            while last < end and (last == first or scores[ranking[last]] == scores[ranking[first]]):
                gains += gain[ranking[last]]
                right += relevant[ranking[last]]
                last += 1
            n = last - first
            for k in range(first, last):
                rank = k - start  # from 0
                if rank < places:
                    found += gains / n * discounts[rank]
                    dcg[q, rank] = found
                before = ahead + 1.0 + (k - first) * ((right - 1.0) / max(n - 1, 1))
                precisions += right / n * before / (rank + 1)
            ahead += right
            first = last
        for rank in range(end - start, places):
            dcg[q, rank] = found
        hits[q] = precisions
