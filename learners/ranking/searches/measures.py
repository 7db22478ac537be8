"""Measures of a ranking, for arrays with any leading axes. The last axis runs over positions."""

import numpy as np

from learners.base import Array
from learners.ndcg import dcg as dcg
from learners.ndcg import ndcg as ndcg


def rank_of_best(grades: Array) -> Array:
    """Return the rank (1 is best) of the first document with the highest grade of its query, (..., n) → (...).

    >>> rank_of_best(np.array([[0.0, 2.0, 2.0], [1.0, 0.0, 0.0]]))
    array([2, 1])
    """
    rank: Array = grades.argmax(axis=-1) + 1
    return rank


def flips(rank: Array, documents: Array, up: Array) -> tuple[Array, Array]:
    """Return when the best document has fallen from rank 1 to the lower half of the ranking.

    Parameters
    ----------
    rank : (B, R) rank of the best document in the predicted ranking, step by step.
    documents : (B, R) documents of each query.
    up : (R,) whether the document was at rank 1 when it was last at rank 1 or in the lower half.

    Returns
    -------
    (B, R) flips at each step (0 or 1), and `up` after the last step.

    >>> rank = np.array([[1], [4], [9], [1], [10]])
    >>> flips(rank, np.full((5, 1), 10), up=np.array([False]))[0].ravel()
    array([0, 0, 1, 0, 1])
    """
    top, bottom = rank == 1, rank > documents / 2
    steps = np.arange(1, len(rank) + 1)[:, None]
    latest = np.maximum.accumulate(np.where(top | bottom, steps, 0), axis=0)  # last step at rank 1 or in the lower half
    padded = np.concatenate([up[None, :], top])
    was_up = np.take_along_axis(padded, latest, axis=0)  # state after each step
    before = np.concatenate([up[None, :], was_up[:-1]])
    return (bottom & before).astype(int), was_up[-1]
