"""Preferences between documents that clicks stand for, and how hard these pull at the weights."""

from __future__ import annotations

import numpy as np

from learners.base import Array
from learners.compiled import compiled
from learners.ranking.step.page import Page

DEEPEST = 700.0  # how far below the best score a score counts, so that its exponential stays above 0


@compiled
def pull_drawn(page: Page) -> None:
    """Write to `page.tried` how hard PDGD pulls each document up ([OR18] eqs. 7 to 10, Algorithm 1).

    All documents down to the last click count as seen, and so does the one below it if it is on the page. A clicked
    document i is preferred to one that was seen and not clicked, j. The pair pulls i up and j down by
    ρ e^(s_i + s_j) / (e^s_i + e^s_j)². ρ makes up for the places: it is the probability of the list with i and j
    exchanged, relative to that of both lists, if lists are drawn by Plackett and Luce from the scores s. `page.key` is
    overwritten.
    """
    page.tried[:] = 0.0
    last = -1
    for i in range(page.on_page):
        if page.clicks[i]:
            last = i
    if last < 0:
        return
    left, top = page.key, page.scores[page.shown[0]]  # left : Σ e^s of the documents not placed above, by place
    for i in range(page.size):
        top = max(top, page.scores[page.shown[i]])
    total = 0.0
    for i in range(page.size - 1, -1, -1):
        total += weight(page, i, top)
        left[i] = total
    seen = min(last + 2, page.on_page)
    for a in range(seen):
        for b in range(a + 1, seen):
            if page.clicks[a] == page.clicks[b]:
                continue
            upper, lower = weight(page, a, top), weight(page, b, top)
            odds = 0.0  # log of the probability of the list with both exchanged over that of the list
            for i in range(a + 1, b + 1):
                odds += np.log(left[i]) - np.log(max(left[i] - lower, 0.0) + upper)
            apart = abs(page.scores[page.shown[a]] - page.scores[page.shown[b]])
            pull = logistic(odds) * np.exp(-apart) / (1.0 + np.exp(-apart)) ** 2
            sign = 1.0 if page.clicks[a] else -1.0
            page.tried[page.shown[a]] += sign * pull
            page.tried[page.shown[b]] -= sign * pull


@compiled
def weight(page: Page, place: int, top: float) -> float:
    """Return e^(s − top) of the document at a place."""
    return float(np.exp(max(page.scores[page.shown[place]] - top, -DEEPEST)))


@compiled
def logistic(odds: float) -> float:
    """Return 1 / (1 + e^−odds)."""
    return 1.0 / (1.0 + np.exp(-odds)) if odds > -DEEPEST else 0.0


@compiled
def pull_skipped(page: Page) -> None:
    """Write to `page.tried` how often each document is preferred, less how often another is preferred to it.

    A clicked document is preferred to each document above it that was not clicked (Joachims 2002, "click > skip
    above"). Only pairs whose scores differ by less than 1 in favour of the clicked one count: the hinge of [HWR13].
    """
    page.tried[:] = 0.0
    for b in range(page.on_page):
        if page.clicks[b]:
            clicked = page.shown[b]
            for a in range(b):
                skipped = page.shown[a]
                if not page.clicks[a] and page.scores[clicked] - page.scores[skipped] < 1.0:
                    page.tried[clicked] += 1.0
                    page.tried[skipped] -= 1.0


def preferred(reading: str, ranking: Array, clicks: Array, places: int, scores: Array) -> list[tuple[int, int]]:
    """Return the pairs of documents (i, j) of one list of which clicks say that i is preferred to j.

    reading : "drawn" or "skipped". ranking, clicks : (n,) what was shown, and bool by position. places : positions
    on the page. scores : (n,) of each document, for the hinge of "skipped".

    >>> ranking, clicks = np.array([2, 0, 1]), np.array([False, True, False])
    >>> preferred("drawn", ranking, clicks, 3, np.zeros(3)), preferred("skipped", ranking, clicks, 3, np.zeros(3))
    ([(0, 2), (0, 1)], [(0, 2)])
    """
    chosen = np.flatnonzero(clicks[:places])
    if not len(chosen):
        return []
    if reading == "drawn":
        seen = range(min(int(chosen[-1]) + 2, places))
        return [(int(ranking[i]), int(ranking[j])) for i in chosen for j in seen if not clicks[j]]
    pairs = [(int(ranking[i]), int(ranking[j])) for i in chosen for j in range(i) if not clicks[j]]
    return [(i, j) for i, j in pairs if scores[i] - scores[j] < 1.0]
