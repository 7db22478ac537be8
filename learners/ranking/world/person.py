"""What a person does who approves of some of the documents shown, and what stands on the page."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from learners.base import Array
from learners.ranking.users.base import Response, User


def on_page(user: User, replicates: int, longest: int, person: bool) -> Array:
    """Return how many results stand on the page of each replicate, (R,).

    longest : documents of the longest query. person : whether a person answers for the first replicate, who sees all.

    >>> from learners import create_user
    >>> on_page(create_user("scan"), 2, 24, person=True).tolist()
    [24, 10]
    """
    found = np.array(np.broadcast_to(longest if user.page is None else user.page, replicates), dtype=np.int64)
    if person:
        found[0] = longest
    return found


def approve(response: Response, shown: Array, count: int, slots: int, documents: Sequence[int]) -> Response:
    """Return the response of all replicates, in which a person answers for the first one.

    Where the user clicks, a person clicks the documents approved of, and has read the list down to the last click, or
    all its slots if there is none. Where the user hands back a ranking, a person moves them to the top, in the order
    shown. Documents that are not offered are left where they are.

    response : of the simulated user. shown : (R, n) the ranking shown. count, slots : documents offered to the first
    replicate, and positions that count. documents : numbers from 0.

    >>> user = Response(clicks=np.array([[True, False, False]]), judged=np.array([[1, 0, 0]]))
    >>> found = approve(user, np.array([[2, 0, 1]]), count=3, slots=3, documents=[0])
    >>> found.clicks, found.judged
    (array([[False,  True, False]]), array([[ 0,  1, -1]]))
    >>> approve(Response(ranking=np.array([[0, 1, 2]])), np.array([[2, 0, 1]]), 3, 3, [0, 1]).ranking
    array([[0, 1, 2]])
    """
    approved = np.isin(shown[0], documents) & (np.arange(shown.shape[1]) < count)
    if response.clicks is not None:
        clicks = response.clicks.copy()
        clicks[0] = approved
        read = np.flatnonzero(approved).max() + 1 if approved.any() else min(count, slots)
        judged = np.full(clicks.shape, -1, dtype=np.int8) if response.judged is None else response.judged.copy()
        judged[0] = np.where(approved, 1, np.where(np.arange(shown.shape[1]) < read, 0, -1))
        return dataclasses.replace(response, clicks=clicks, judged=judged)
    assert response.ranking is not None
    ranking = response.ranking.copy()
    ranking[0] = np.concatenate([shown[0][approved], shown[0][~approved]])
    return dataclasses.replace(response, ranking=ranking)
