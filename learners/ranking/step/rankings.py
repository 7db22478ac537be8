"""Compiled loops over one ranking: sort, discount, pair, swap, and turn clicks into a feedback ranking."""

from __future__ import annotations

from learners.base import Array
from learners.compiled import compiled
from learners.ranking.step.features import Features, add_row
from learners.ranking.step.page import Page
from learners.vectors import RUN, copy, merge_runs

TOP = 5  # documents of an improved ranking that count as clicked


@compiled
def sort(values: Array, count: int, order: Array, room: Array) -> None:
    """Write the numbers 0 … count − 1 by falling value to `order`, ties by number. `room` (count,) is overwritten."""
    for a in range(0, count, RUN):
        for i in range(a, min(a + RUN, count)):
            k, value = i, values[i]
            while k > a and values[order[k - 1]] < value:
                order[k] = order[k - 1]
                k -= 1
            order[k] = i
    merge_runs(values, order[:count], room)


@compiled
def rank(page: Page, values: Array, places: int, ranking: Array) -> None:
    """Write the documents by falling value to `ranking` (n,), ties by number; those not offered stand at the end.

    Where documents are used up and there is one slot, only the first `places` positions are in order. `page.key` and
    `page.place` are overwritten.
    """
    n = values.shape[0]
    if page.order.shape[0] == 0:
        sort(values, page.size, ranking, page.place)
        for i in range(page.size, n):
            ranking[i] = i
    elif page.slots == 1:
        for i in range(n):
            ranking[i] = page.order[i]
        for place in range(min(places, page.size)):
            best = place
            for i in range(place, page.size):
                a, b = ranking[i], ranking[best]
                if values[a] > values[b] or (values[a] == values[b] and a < b):
                    best = i
            ranking[place], ranking[best] = ranking[best], ranking[place]
    else:
        for i in range(n):
            page.key[i] = values[i] if page.offered[i] else -1e308
        sort(page.key, n, ranking, page.place)
        # documents not offered come last, even after a value of −∞
        k = 0
        for offered in (True, False):
            for i in range(n):
                if page.offered[ranking[i]] == offered:
                    page.place[k] = ranking[i]
                    k += 1
        for i in range(n):
            ranking[i] = page.place[i]


@compiled
def discounted(page: Page, values: Array, ranking: Array) -> float:
    """Return Σ_i γ_i v(y_i) over the places of the list."""
    total = 0.0
    for i in range(min(page.slots, page.size)):
        total += page.gamma[i] * values[ranking[i]]
    return total


@compiled
def difference(x: Features, rows: Array, page: Page, better: Array, worse: Array, delta: Array) -> None:
    """Write φ(x, ȳ) − φ(x, y) to `delta` (d,), reading only documents whose discount differs. Overwrites `page.key`."""
    for j in range(delta.shape[0]):
        delta[j] = 0.0
    count = min(page.slots, page.size)
    for i in range(count):
        page.key[better[i]] = 0.0
        page.key[worse[i]] = 0.0
    for i in range(count):
        if better[i] != worse[i]:
            page.key[better[i]] += page.gamma[i]
            page.key[worse[i]] -= page.gamma[i]
    for i in range(count):
        for document in (better[i], worse[i]):
            c = page.key[document]
            if c != 0.0:
                add_row(x, rows[document], c, delta)
                page.key[document] = 0.0


@compiled
def add_pulled(x: Features, rows: Array, page: Page, delta: Array) -> None:
    """Write Σ_i c_i x_i to `delta` (d,), where `page.tried` holds c_i of each document."""
    for j in range(delta.shape[0]):
        delta[j] = 0.0
    for i in range(page.tried.shape[0]):
        if page.tried[i] != 0.0:
            add_row(x, rows[i], page.tried[i], delta)


@compiled
def form_pairs(page: Page, probability: float, draws: Array) -> None:
    """Pair adjacent positions and mark each pair with some probability ([S] Alg. 3, FORMPAIRS, PERTURB).

    draws : (2 + n // 2,) uniform in [0, 1). The first chooses between the pairs (1,2),(3,4),… and (1),(2,3),(4,5),…;
        each of the others decides about one pair.
    """
    for i in range(page.partner.shape[0]):
        page.partner[i], page.marks[i] = i, False
    first = 0 if draws[0] < 0.5 else 1
    for i in range(first, page.size - 1, 2):
        page.partner[i], page.partner[i + 1] = i + 1, i
        page.marks[i] = page.marks[i + 1] = draws[1 + (i + first) // 2] < probability


@compiled
def swap_pairs(page: Page, ranking: Array, shown: Array) -> None:
    """Write the ranking with the documents of each marked pair exchanged to `shown` (n,)."""
    for i in range(ranking.shape[0]):
        shown[i] = ranking[page.partner[i]] if page.marks[i] else ranking[i]


@compiled
def move_to_top(page: Page) -> None:
    """Put the clicked documents on top and the others below, both in the order shown ([S] §4.1)."""
    k = 0
    for clicked in (True, False):
        for i in range(page.shown.shape[0]):
            if page.clicks[i] == clicked:
                page.improved[k] = page.shown[i]
                k += 1


@compiled
def swap_with_first(page: Page) -> None:
    """Exchange the topmost clicked document with the one at rank 1 ([S] §4.2)."""
    n = page.shown.shape[0]
    copy(page.shown, page.improved)
    for i in range(n):
        if page.clicks[i]:
            page.improved[0], page.improved[i] = page.shown[i], page.shown[0]
            return


@compiled
def exchange_pairs(page: Page) -> None:
    """Exchange each pair whose lower document was clicked and whose upper one was not ([S] Alg. 3)."""
    copy(page.shown, page.improved)
    for i in range(page.shown.shape[0]):
        j = page.partner[i]
        if j > i and page.clicks[j] and not page.clicks[i]:
            page.improved[i], page.improved[j] = page.shown[j], page.shown[i]


@compiled
def click_on_top(page: Page) -> None:
    """Mark the documents at the top of the improved ranking as if they were clicked.

    Five are marked, or all but one of the positions on the page if there are fewer than six, but at least one.
    Documents below the page were not shown and cannot be marked.
    """
    there = page.on_page
    chosen = min(max(there - 1, 1), TOP)
    for i in range(page.shown.shape[0]):
        page.clicks[i] = False
        for k in range(chosen):
            if i < there and page.improved[k] == page.shown[i]:
                page.clicks[i] = True
