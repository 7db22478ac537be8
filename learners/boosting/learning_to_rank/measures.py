"""NDCG and average precision of all queries at once."""

from __future__ import annotations

import numpy as np

from datasets.ranking import discounts
from learners.base import Array
from learners.boosting.learning_to_rank.metrics import PLACES
from learners.boosting.ties import ties

RELEVANT = 1  # from this grade on, a document counts as relevant for average precision


class Judged:
    """Queries with the grades of their documents, and what a ranking of them is worth.

    n: documents of all queries, one query after the other; Q: queries. The gain of a document is 2^grade − 1, the
    discount of rank j is 1 / log2(1 + j). Of documents with equal
    scores either may come first, whatever their order (see `ties`). A query
    without any relevant document has NDCG 0 and average precision 0, as in the evaluation script of LETOR.

    starts : (Q + 1,) where each query begins and the last ends. grades : (n,) not negative.

    Source: Eq. 3.1 of [V]; LETOR (Qin et al., Information Retrieval 13, 2010) for average precision.

    >>> judged = Judged(np.array([0, 3]), np.array([0.0, 2.0, 1.0]))
    >>> order = judged.order(np.array([3.0, 2.0, 1.0]))
    >>> judged.ndcg(order).round(4)  # (3 · .6309 + 1 · .5) / (3 + 1 · .6309)
    array([0.659])
    >>> judged.precision(order).round(4)  # (1/2 + 2/3) / 2
    array([0.5833])
    """

    def __init__(self, starts: Array, grades: Array) -> None:
        self.starts, self.grades = np.asarray(starts), np.asarray(grades, dtype=float)
        self.lengths = np.diff(self.starts)
        self._ties = ties(len(self.grades))
        self.query = np.repeat(np.arange(len(self.lengths)), self.lengths)
        self.rank = np.arange(len(self.query)) - self.starts[self.query]  # from 0
        self.discount = discounts(int(self.lengths.max()))[self.rank]
        self.gain = np.exp2(self.grades) - 1.0
        best = self.gain[self.order(self.grades)]
        self.ideal = self.total(best * self.discount)  # (Q,) Z of Eq. 3.1
        self.relevant = (self.grades >= RELEVANT).astype(float)
        self._found = self.total(self.relevant)
        depth = min(PLACES, int(self.lengths.max()))
        top = np.minimum(np.arange(depth), self.lengths[:, None] - 1)
        self._top = self.starts[:-1, None] + top  # (Q, depth), the last document of a short query repeated
        self._worth = np.where(np.arange(depth) < self.lengths[:, None], discounts(depth), 0.0)
        self._ideal_at = self._cumulative(best)

    def order(self, scores: Array) -> Array:
        """(n,) the documents, each query's from the best score to the worst."""
        found: Array = np.lexsort((self._ties, -scores, self.query))
        return found

    def ndcg(self, order: Array) -> Array:
        """(Q,) NDCG of the whole rankings."""
        return _share(self.total(self.gain[order] * self.discount), self.ideal)

    def ndcg_at(self, order: Array) -> Array:
        """(Q, 10) NDCG at 1 … 10."""
        return _share(self._cumulative(self.gain[order]), self._ideal_at)

    def precision(self, order: Array) -> Array:
        """(Q,) average precision."""
        right = self.relevant[order]
        before = np.concatenate([[0.0], np.cumsum(right)])
        hits = before[1:] - before[self.starts[self.query]]
        return _share(self.total(right * hits / (self.rank + 1)), self._found)

    def total(self, values: Array) -> Array:
        """(Q,) sums over the documents of each query."""
        sums: Array = np.add.reduceat(values, self.starts[:-1])
        return sums

    def _cumulative(self, gains: Array) -> Array:
        """(Q, 10) DCG at 1 … 10 for gains (n,) in ranked order."""
        dcg = np.cumsum(gains[self._top] * self._worth, axis=1)
        return np.pad(dcg, ((0, 0), (0, PLACES - dcg.shape[1])), mode="edge")


def _share(part: Array, whole: Array) -> Array:
    """part / whole, and 0 where the whole is 0."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
