"""Pairs of documents of the same query, in flat arrays that are made once."""

import numpy as np

from learners.base import Array
from learners.boosting.learning_to_rank.base import Queries

MAX_PAIRS = 10_000_000


def pairs(problem: Queries, equal: bool = False) -> tuple[Array, Array, Array]:
    """Return all pairs of documents (a, b) of the same query of which a has the higher grade.

    equal : whether pairs of the same grade are listed too, each once; but never two documents of grade 0.
    Returns (P,) a and b, row numbers of the problem, and (Q,) the number of pairs of each query; pairs of the same
    query stand together, in the order of the queries. Memory and time are linear in P and in the number of documents.

    Raises
    ------
    ValueError : where there are more than 10 million pairs.

    >>> problem = Queries(np.zeros((4, 1)), np.array([0, 4]), np.array([0.0, 2.0, 0.0, 1.0]))
    >>> a, b, counts = pairs(problem)
    >>> list(zip(a.tolist(), b.tolist())), counts
    ([(1, 3), (1, 0), (1, 2), (3, 0), (3, 2)], array([5]))
    """
    starts, lengths = problem.starts[:-1], np.diff(problem.starts)
    n = len(problem.grades)
    query = np.repeat(np.arange(len(lengths)), lengths)
    order = np.lexsort((-problem.grades, query))
    grade = problem.grades[order]
    place = np.arange(n)
    if equal:
        partner = place + 1
    else:  # the first document of a lower grade
        begins = np.flatnonzero(np.concatenate([[True], (np.diff(grade) != 0) | (np.diff(query) != 0)]))
        partner = np.append(begins, n)[np.searchsorted(begins, place, side="right")]
    counts = np.where(grade > 0, problem.starts[query + 1] - partner, 0)
    total = int(counts.sum())
    if total > MAX_PAIRS:
        raise ValueError(
            f"the training queries have {total:,} pairs of documents to compare; at most {MAX_PAIRS:,} are allowed, "
            "so choose fewer or shorter queries"
        )
    documents = order.astype(np.int32)
    shift = (partner - (np.cumsum(counts) - counts)).astype(np.int32)
    b = np.arange(total, dtype=np.int32) + np.repeat(shift, counts)
    return np.repeat(documents, counts), documents[b], np.add.reduceat(counts, starts)
