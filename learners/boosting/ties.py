"""One order of tied documents, for learners and base rankers that need a ranking; metrics average over all orders."""

import numpy as np

from learners.base import Array


def ties(n: int) -> Array:
    """Return the keys (n,) of n documents, always the same and in no order; of equal scores the smaller key comes
    first.

    A file often lists the relevant documents of a query first. If ties went by that order, a score that says nothing
    would rank perfectly.

    >>> ties(4).tolist() == ties(4).tolist(), sorted(ties(4).tolist())
    (True, [0, 1, 2, 3])
    """
    keys: Array = np.random.default_rng(n).permutation(n)
    return keys


def ranked(scores: Array) -> Array:
    """Return the documents (n,) from the highest score (n,) to the lowest."""
    order: Array = np.lexsort((ties(len(scores)), -scores))
    return order
