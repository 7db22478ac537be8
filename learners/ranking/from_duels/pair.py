"""Kernels of the contextual dueling bandits: the documents that are there, the best, and which of both won."""

from __future__ import annotations

from learners.base import Array
from learners.compiled import compiled
from learners.ranking.fixed_list.duel import winner
from learners.ranking.step.page import CLICKS, RANKING, Page
from learners.vectors import product


@compiled
def offered(page: Page, document: int) -> bool:
    """Return whether a document is offered."""
    return bool(page.offered[document]) if page.order.shape[0] > 0 else document < page.size


@compiled
def best_but(page: Page, w: Array, other: int) -> int:
    """Return the offered document with the highest w · x except one, ties by number, or −1."""
    best, highest = -1, 0.0
    for i in range(page.scores.shape[0]):
        if i != other and offered(page, i):
            value = product(page.x[i], w)
            if best < 0 or value > highest:
                best, highest = i, value
    return best


@compiled
def preferred(page: Page, heard: int) -> int:
    """Return the place, 0 or 1, of the document that won, or −1 if nobody did.

    Of clicks, the one of both that is clicked alone has won; of an improved ranking, the one that stands higher.
    """
    if heard == CLICKS:
        return int(winner(page, heard))
    if heard == RANKING and page.on_page >= 2:
        for document in page.improved:
            for place in range(2):
                if page.shown[place] == document:
                    return place
    return -1
