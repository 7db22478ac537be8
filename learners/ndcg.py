"""Normalised discounted cumulative gain (NDCG), defined once for every family that ranks.

The gain of a document is 2^grade − 1. The discount of rank j is 1 / log2(j + 1), or that of LETOR's evaluation script.
Three rules hold everywhere.

- A query without a relevant document has NDCG 0, as in LETOR's evaluation script and scikit-learn's `ndcg_score`.
- Tied documents share their ranks. The NDCG of a scored list is the mean over all orders of tied documents.
- Missing documents, beyond the end of a shorter query, have grade −1 and gain 0.

Sources: K. Järvelin and J. Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20, 2002; F. McSherry
and M. Najork, Computing information retrieval performance measures efficiently in the presence of tied scores, ECIR
2008.
"""

import numpy as np

from datasets import ranking
from learners.base import Array


def discounts(n: int, kind: str = "standard") -> Array:
    """Return the discounts of ranks 1 … n, (n,).

    The standard discounts are 1 / log2(j + 1). LETOR's script divides the gain at rank j by log2(j) from rank 2 on, so
    that kind "letor" gives 1, 1, 1 / log2(3), 1 / log2(4) …, and ranks 1 and 2 count alike.

    >>> discounts(3).round(4), discounts(4, "letor").round(4)
    (array([1.    , 0.6309, 0.5   ]), array([1.    , 1.    , 0.6309, 0.5   ]))
    """
    if kind == "letor":
        return np.concatenate([[1.0], ranking.discounts(n - 1)])[:n]
    return ranking.discounts(n)


def gains(grades: Array) -> Array:
    """Return 2^grade − 1 for grades of any shape, and 0 for missing documents (grade −1).

    >>> gains(np.array([2.0, 0.0, -1.0]))
    array([3., 0., 0.])
    """
    found: Array = np.exp2(np.maximum(grades, 0.0)) - 1.0
    return found


def dcg(grades: Array, k: int) -> Array:
    """Return DCG@k = Σ_{j ≤ k} (2^g_j − 1) / log2(j + 1) of grades in ranked order, (..., n) → (...).

    >>> float(dcg(np.array([3.0, 0.0, 1.0]), k=5))  # 7/1 + 0 + 1/2
    7.5
    """
    top = gains(grades[..., :k])
    total: Array = (top * discounts(top.shape[-1])).sum(axis=-1)
    return total


def ndcg(grades: Array, ideal: Array, k: int) -> Array:
    """Return DCG@k of grades in ranked order, (..., n) → (...), divided by the largest possible DCG, `ideal` (...).

    >>> ndcg(np.array([[0.0, 1.0], [0.0, 0.0]]), ideal=np.array([1.0, 0.0]), k=5).round(3)
    array([0.631, 0.   ])
    """
    return normalised(dcg(grades, k), ideal)


def expected_ndcg(grades: Array, scores: Array, k: int | None = None, kind: str = "standard") -> float:
    """Return the mean NDCG@k of one query ranked by falling score, over all orders of tied documents.

    Parameters
    ----------
    grades, scores : (n,). k : number of ranks that count, or None for all. kind : kind of the discounts.

    >>> round(expected_ndcg(np.array([1.0, 0.0]), np.array([0.5, 0.5])), 4)  # half of 1 and half of .6309
    0.8155
    """
    depth = len(grades) if k is None else k
    discount = np.where(np.arange(len(grades)) < depth, discounts(len(grades), kind), 0.0)
    falling = np.argsort(-scores, kind="stable")
    found = shared(gains(grades)[falling], first_of_ties(scores[falling])) @ discount
    return float(normalised(found, np.sort(gains(grades))[::-1] @ discount))


def first_of_ties(*keys: Array) -> Array:
    """Return for each document whether it begins a group of ties, so that one of its keys differs from that before.

    keys : arrays (..., n) in ranked order, such as query and score. The first document always begins a group.

    >>> first_of_ties(np.array([5.0, 5.0, 2.0]))
    array([ True, False,  True])
    """
    first = np.ones(keys[0].shape, dtype=bool)
    first[..., 1:] = np.any([key[..., 1:] != key[..., :-1] for key in keys], axis=0)
    return first


def shared(values: Array, first: Array) -> Array:
    """Replace values (..., n) in ranked order by the means of their groups of ties (see `first_of_ties`).

    >>> shared(np.array([3.0, 1.0, 7.0]), np.array([True, False, True]))
    array([2., 2., 7.])
    """
    begins = np.flatnonzero(first)
    counts = np.diff(np.append(begins, values.size))
    means = np.add.reduceat(values.ravel(), begins) / counts
    return np.repeat(means, counts).reshape(values.shape)


def normalised(found: Array, ideal: Array) -> Array:
    """Return found / ideal, or 0 if the ideal is 0, when nothing can be found.

    >>> normalised(np.array([1.0, 0.0]), np.array([2.0, 0.0]))
    array([0.5, 0. ])
    """
    return np.divide(found, ideal, out=np.zeros(np.shape(found)), where=np.asarray(ideal) > 0)
