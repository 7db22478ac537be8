"""Chooses the feature that is the base ranker, by how well each ranks on average over the queries."""

from weakref import WeakKeyDictionary

import numpy as np

from datasets.ranking import RankingData
from learners.base import Array
from learners.boosting.refinement.judges.base import BASES
from learners.boosting.ties import ties
from learners.ndcg import discounts, gains

MOST_NUMBERS = 8_000_000  # numbers of the features that are ranked; of larger data some queries, evenly spread
_KNOWN: WeakKeyDictionary[RankingData, Array] = WeakKeyDictionary()


def mixed(data: RankingData) -> Array:
    """Return the numbers of the queries whose documents have different grades, so that their order matters.

    >>> from datasets.ranking import RankingData
    >>> mixed(RankingData("two", {}, np.eye(4), np.array([0, 2, 4]), np.array([[1.0, 1.0, 0.0, 1.0]])))
    array([1])
    """
    grades = data.grades[0] if data.rows is None else data.grades[0][data.rows]
    starts = data.starts[:-1]
    return np.flatnonzero(np.maximum.reduceat(grades, starts) > np.minimum.reduceat(grades, starts))


def qualities(data: RankingData) -> Array:
    """Return the mean NDCG (d,) of whole lists ranked by each feature, the largest value first, ties as `ties` has
    them.

    The mean is over the queries whose documents have different grades. Computed once for each data set.

    >>> from datasets.ranking import RankingData
    >>> x = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> qualities(RankingData("one", {}, x, np.array([0, 2]), np.array([[1.0, 0.0]]))).round(3)
    array([1.   , 0.631])
    """
    if data not in _KNOWN:
        queries = mixed(data)
        few = max(1, MOST_NUMBERS * len(queries) // max(1, int(data.lengths[queries].sum()) * data.dimension))
        if few < len(queries):
            queries = queries[np.linspace(0, len(queries) - 1, few).astype(int)]
        total = np.zeros(data.dimension)
        for query in queries:
            rows = data.documents(int(query))
            gain = gains(data.grades[0][rows])
            discount = discounts(len(rows))
            mixed_up = np.argsort(ties(len(rows)))  # in no order, for equal values stay as they are
            falling = np.argsort(-np.asarray(data.features[rows[mixed_up]], dtype=float), axis=0, kind="stable")
            order = mixed_up[falling]
            ideal = np.sort(gain)[::-1] @ discount
            total = total + (gain[order] * discount[:, None]).sum(axis=0) / ideal
        _KNOWN[data] = total / max(1, len(queries))
    return _KNOWN[data]


def base_feature(data: RankingData, which: str) -> int:
    """Return the feature with the best, the middle or the worst quality ([V] §4.4.1 and §4.4.3); of equals the first.

    A feature is taken as it is: one that falls with relevance ranks badly, although turned round it would rank well.
    """
    order = np.argsort(-qualities(data).round(12), kind="stable")
    return int(order[{BASES[0]: 0, BASES[1]: len(order) // 2, BASES[2]: len(order) - 1}[which]])
