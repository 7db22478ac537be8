"""A block of steps of all replicates in one compiled call, with the metrics of every step.

Shapes: B steps, R replicates, K labels, d features, at most m labels shown.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from learners.base import Array
from learners.compiled import compiled
from learners.multilabel.algebra import distance, link, mean, products
from learners.multilabel.page import Page, page_of
from learners.multilabel.sets import best_size, disagreements, expected_cost, loss
from learners.multilabel.watched import Seen, note_labels, note_scores
from learners.vectors import copy, finite, rank

NOTHING, SHOWN, LABELS = range(3)  # what a learner hears
LOSS, HAMMING, RANKING, REGRET, SIZE, WIDTH, CHANGE = range(7)  # rows of `found`


class World(NamedTuple):
    """The state that only the environment knows.

    rows : (B, R) the examples of the steps. features : (N, d). labels : (N, K) bool. u : (K, d), the model, or (0, d)
    if none is known, and logistic, whether it is that. noise : (B, R, K) uniform numbers by which labels are drawn, or
    (B, R, 0). truth : (R, K) bool, the labels of the latest step. p, best : (R, K) their probabilities and (R, m) the
    first labels by falling probability, if there is a model.
    """

    rows: Array
    features: Array
    labels: Array
    u: Array
    logistic: bool
    noise: Array
    truth: Array
    p: Array
    best: Array


@compiled
def draw_one(world: World, b: int, r: int) -> None:
    """Write the labels of step b and their probabilities, if there is a model; else look up the labels."""
    row = world.rows[b, r]
    if len(world.u) == 0:
        for k in range(world.truth.shape[1]):
            world.truth[r, k] = world.labels[row, k]
        return
    p = world.p[r]
    products(world.u, world.features[row], p)
    for k in range(len(p)):
        p[k] = min(max(link(p[k], world.logistic), 0.0), 1.0)
        world.truth[r, k] = world.noise[b, r, k] < p[k]
    rank(p, world.best[r])


@compiled
def hear(page: Page, truth: Array, size: int, hears: int) -> None:
    """Write what a learner hears, 1 for right, −1 for wrong, and 0 for labels of which it hears nothing."""
    for k in range(len(truth)):
        page.heard[k] = 0.0 if hears != LABELS else 1.0 if truth[k] else -1.0
    if hears == SHOWN:
        for j in range(size):
            page.heard[page.order[j]] = 1.0 if truth[page.order[j]] else -1.0


@compiled
def measure_one(world: World, pages: Page, b: int, t: int, r: int, totals: Array, found: Array) -> None:
    """Add what the labels shown in step t cost to the totals (4, R), and write the metrics into found (7, B, R)."""
    truth, score, order = world.truth[r], pages.probability[r], pages.order[r]
    size, a, cap, constant = pages.size[r], pages.a[r], pages.cap[r], pages.constant[r]
    right, missed = 0, 0
    for k in range(len(truth)):
        missed += truth[k]
    for j in range(size):
        right += truth[order[j]]
    missed -= right
    totals[LOSS, r] += loss(truth, order, size, a, constant)
    totals[HAMMING, r] += missed + (size - right)
    totals[RANKING, r] += disagreements(score, truth, order, size) / cap + missed
    if len(world.u):
        p, best = world.p[r], world.best[r]
        least = expected_cost(p, best, best_size(p, best, a, constant, cap), a, constant)
        totals[REGRET, r] += expected_cost(p, order, size, a, constant) - least
    for i in (LOSS, HAMMING, RANKING):
        found[i, b, r] = totals[i, r] / t
    found[REGRET, b, r] = totals[REGRET, r] if len(world.u) else np.nan
    found[SIZE, b, r] = size
    found[WIDTH, b, r] = mean(pages.width[r])


@compiled
def run(present: Any, learn: Any, hears: int, world: World, pages: Page, draws: Array, t: int, totals: Array,
        found: Array, flat: Array, before: Array, seen: Seen) -> tuple[int, int]:  # fmt: skip
    """Take steps t, t + 1, …; return how many, and 1 if all weights are still finite numbers, else 0.

    draws : (B, R, n), the learner's random numbers. flat : (R, K d), the weights w as they are in the pages, and
    before : (K d,) room for those before a step. seen : what the replicate that is watched shows. One replicate follows
    the other, so that what it keeps stays in the cache of the processor. A replicate ends after the step in which its
    weights overflow, and so do those after it.
    """
    steps, sound = len(world.rows), 1
    for r in range(len(pages.size)):
        b = 0
        while b < steps:
            draw_one(world, b, r)
            page = page_of(pages, r, t + b, world.features[world.rows[b, r]], draws[b, r])
            pages.size[r] = present(page)
            hear(page, world.truth[r], pages.size[r], hears)
            copy(flat[r], before)
            learn(page)
            if r == seen.replicate:
                note_scores(seen, b, page.x, before, flat[r], page.width)
            found[CHANGE, b, r] = distance(flat[r], before)
            measure_one(world, pages, b, t + b, r, totals, found)
            if r == seen.replicate:
                note_labels(seen, b, page.order, pages.size[r], world.truth[r])
            b += 1
            if not finite(flat[r]):
                steps, sound = b, 0
    return steps, sound


@compiled
def draw(world: World, b: int) -> None:
    """Draw or look up the labels of all replicates in step b."""
    for r in range(len(world.truth)):
        draw_one(world, b, r)


@compiled
def measure(world: World, pages: Page, b: int, t: int, totals: Array, found: Array) -> None:
    """Measure what all replicates show in step t, number b of `found`."""
    for r in range(len(pages.size)):
        measure_one(world, pages, b, t, r, totals, found)


@compiled
def present_all(rule: Any, pages: Page, t: int, features: Array, draws: Array) -> None:
    """Let all replicates present, on their examples (R, d)."""
    for r in range(len(pages.size)):
        pages.size[r] = rule(page_of(pages, r, t, features[r], draws[r]))


@compiled
def learn_all(rule: Any, pages: Page, t: int, features: Array, heard: Array) -> None:
    """Let all replicates learn from what they hear (R, K)."""
    for r in range(len(pages.size)):
        for k in range(heard.shape[1]):
            pages.heard[r, k] = heard[r, k]
        rule(page_of(pages, r, t, features[r], features[r, :0]))
