"""The order in which the documents of a query are stored: fixed, pseudo-random and independent of their grades."""

import numpy as np

from datasets.base import Array

_BLOCK = 10_000  # documents moved at a time, rounded up to whole queries


def document_order(lengths: Array) -> Array:
    """Return a permutation (N,): at each stored position, the document's position in the file.

    lengths : (Q,) number of documents of each query. Queries keep their order. Documents within a query are sorted by a
    hash (splitmix64) of the positions of query and document, so the order is the same on every machine.

    >>> document_order(np.array([4, 3])).tolist()
    [2, 1, 0, 3, 4, 6, 5]
    """
    query = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(len(query)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    key = (query.astype(np.uint64) << np.uint64(32)) + place.astype(np.uint64)
    key = (key + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)  # arithmetic modulo 2⁶⁴
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.lexsort((key ^ (key >> np.uint64(31)), query))


def shuffle_documents(features: Array, grades: Array, starts: Array) -> None:
    """Put the documents of each query into `document_order`, in place.

    features : (N, d). grades : (1, N). starts : (Q + 1,).

    Documents with equal scores are shown in stored order. Without the shuffle, a learner that knows nothing would look
    perfect on a file sorted by grade.
    """
    order = document_order(np.diff(starts))
    grades[:] = grades[:, order]
    a = 0
    while a < len(order):
        b = int(starts[np.searchsorted(starts, min(a + _BLOCK, len(order)))])
        features[a:b] = features[order[a:b]]
        a = b
