"""Compiled loops over the documents of queries: rank them by scores, and measure the rankings."""

from __future__ import annotations

from learners.compiled import compiled

RUN = 16  # documents that are sorted by insertion; longer queries are merged from such runs


@compiled(allocates=True)
def ranked_queries(starts, order, scores):  # type: ignore[no-untyped-def]
    """Return the documents (n,), each query's by falling score, those with equal scores in the given order.

    starts : (Q + 1,) where each query begins and the last ends. order : (n,) the documents of each query in turn.
    scores : (n,) of the documents.
    """
    ranking, spare = order.copy(), order.copy()
    for q in range(len(starts) - 1):
        start, end = starts[q], starts[q + 1]
        for first in range(start, end, RUN):
            for k in range(first + 1, min(first + RUN, end)):
                document = ranking[k]
                while k > first and scores[ranking[k - 1]] < scores[document]:
                    ranking[k] = ranking[k - 1]
                    k -= 1
                ranking[k] = document
        width = RUN
        while width < end - start:
            for first in range(start, end, 2 * width):
                middle, last = min(first + width, end), min(first + 2 * width, end)
                i, j = first, middle
                for k in range(first, last):
                    if i < middle and (j == last or not scores[ranking[i]] < scores[ranking[j]]):
                        spare[k] = ranking[i]
                        i += 1
                    else:
                        spare[k] = ranking[j]
                        j += 1
            ranking[start:end] = spare[start:end]
            width *= 2
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
