"""The compiled step of the coactive template, in parts: present, ask the user, read the feedback, learn.

Learner and user take part by their rules, compiled functions with the signatures of `page`, so that this file is
compiled once for all of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from learners.base import Array
from learners.compiled import compiled, inlined
from learners.ranking.step.features import Features, gather, score
from learners.ranking.step.page import CLICKS, NOTHING, Page, hidden_of, page_of
from learners.ranking.step.preferences import pull_drawn, pull_skipped
from learners.ranking.step.rankings import (
    add_pulled,
    click_on_top,
    difference,
    discounted,
    exchange_pairs,
    move_to_top,
    rank,
    swap_with_first,
)
from learners.ranking.step.work import Work
from learners.vectors import copy, product

# how clicks become a feedback ranking; or preferences between documents, beside the clicked documents on top
READINGS = ("top", "swap", "pair", "drawn", "skipped")
DRAWN = PREFERENCES = 3


class How(NamedTuple):
    """The part a learner takes in a step.

    linear : whether it ranks by the first row of its state. tries : how many directions it also tries. places :
    positions beyond the first that must be in order. reading : how it reads clicks, a place in READINGS.
    """

    linear: bool
    tries: int
    places: int
    reading: int


@inlined
def search_of(s: Work, r: int, n: int, t: int, count: int, slots: int, gamma: Array, draws: Array) -> Page:
    """Return the page of replicate r for a query with room for n documents."""
    return page_of(s.page, r, n, t, count, slots, min(slots, count, s.on_page[r]), gamma[:n], draws)


@compiled
def present_step(rule: Any, how: How, page: Page, x: Features, rows: Array, w: Array) -> float:
    """Score the documents, rank them, and show what the rule makes of it. Return the swap probability."""
    there = rows if page.order.shape[0] > 0 else rows[: page.size]  # of used-up documents any may be left
    if how.linear:
        score(x, there, w[0], page.scores)
        rank(page, page.scores, how.places, page.predicted)
    if page.x.shape[0] > 0:
        gather(x, there, page.x)
    for c in range(how.tries):
        u = page.u[c]
        d = u.shape[0]
        copy(page.draws[c * d : (c + 1) * d], u)
        length = np.sqrt(product(u, u))
        for j in range(d):
            u[j] /= length
        score(x, there, u, page.tried)
        if page.each.shape[1] > 0:
            for i in range(page.each.shape[0]):
                page.each[i, c] = page.tried[i]
    return rule(page)


@compiled
def read(page: Page, reading: int, heard: int) -> None:
    """Write to `page.improved` the feedback ranking that the feedback stands for."""
    if heard == NOTHING:
        copy(page.shown, page.improved)
    elif heard != CLICKS:
        copy(page.answer, page.improved)
    elif reading == 1:
        swap_with_first(page)
    elif reading == 2:
        exchange_pairs(page)
    else:
        move_to_top(page)


@compiled
def learn_step(rule: Any, how: How, page: Page, x: Features, rows: Array, w: Array, delta: Array, heard: int) -> None:
    """Read the feedback and learn from it."""
    read(page, how.reading, heard)
    change = 0.0
    if how.linear:
        difference(x, rows, page, page.improved, page.shown, delta)
        change = discounted(page, page.scores, page.improved) - discounted(page, page.scores, page.shown)
    if how.reading >= PREFERENCES and heard != NOTHING:
        if heard != CLICKS:
            click_on_top(page)
        if how.reading == DRAWN:
            pull_drawn(page)
        else:
            pull_skipped(page)
        add_pulled(x, rows, page, delta)
    rule(page, w, delta, change, heard)


@compiled
def present_all(
    rule: Any, how: How, s: Work, t: int, counts: Array, slots: int, gamma: Array, draws: Array, x: Features, w: Array
) -> None:
    """Present in each replicate."""
    for r in range(counts.shape[0]):
        page = search_of(s, r, s.page.shown.shape[1], t, counts[r], slots, gamma, draws[r])
        s.p[r] = present_step(rule, how, page, x, s.rows[r], w[r])


@compiled
def learn_all(
    rule: Any,
    how: How,
    s: Work,
    t: int,
    counts: Array,
    slots: int,
    gamma: Array,
    draws: Array,
    x: Features,
    w: Array,
    heard: int,
) -> None:
    """Learn in each replicate."""
    for r in range(counts.shape[0]):
        page = search_of(s, r, s.page.shown.shape[1], t, counts[r], slots, gamma, draws[r])
        if page.x.shape[0] > 0:
            gather(x, s.rows[r], page.x)
        learn_step(rule, how, page, x, s.rows[r], w[r], s.delta[r], heard)


@compiled
def respond_all(rule: Any, s: Work, counts: Array, slots: int, gamma: Array, noise: Array) -> int:
    """Ask the user of each replicate; return what it answers with."""
    heard = 0
    for r in range(counts.shape[0]):
        n = s.page.shown.shape[1]
        page = search_of(s, r, n, 0, counts[r], slots, gamma, noise[r])
        heard = rule(page, hidden_of(s.hidden, r, n, noise[r]))
    return heard


@compiled
def score_all(x: Features, rows: Array, w: Array, scores: Array) -> None:
    """Score the documents of each replicate."""
    for r in range(rows.shape[0]):
        score(x, rows[r], w[r], scores[r])


@compiled
def rank_all(s: Work, counts: Array, slots: int, gamma: Array, values: Array, places: int) -> None:
    """Rank the documents of each replicate by falling value."""
    for r in range(counts.shape[0]):
        page = search_of(s, r, values.shape[1], 0, counts[r], slots, gamma, gamma)
        rank(page, values[r], places, page.predicted)


@compiled
def difference_all(s: Work, counts: Array, slots: int, gamma: Array, x: Features, better: Array, worse: Array) -> None:
    """Write φ(x, ȳ) − φ(x, y) of each replicate."""
    for r in range(counts.shape[0]):
        page = search_of(s, r, better.shape[1], 0, counts[r], slots, gamma, gamma)
        difference(x, s.rows[r], page, better[r], worse[r], s.delta[r])
