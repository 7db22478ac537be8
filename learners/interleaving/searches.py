"""The second searches of a block of steps in one compiled call, without the interpreter lock."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from learners.base import Array
from learners.compiled import compiled
from learners.ranking.interleave import credit_teams, credit_tops, draft, merge
from learners.ranking.searches.block import fill
from learners.ranking.searches.stock import Stock
from learners.ranking.searches.truth import World
from learners.ranking.searches.watched import Seen, note_search
from learners.ranking.step.features import score
from learners.ranking.step.page import hidden_of
from learners.ranking.step.rankings import discounted, rank
from learners.ranking.step.steps import search_of
from learners.ranking.step.work import Work
from learners.vectors import copy

OUTCOME, SHARED, ADVANTAGE, FIELDS = range(4)  # what is noted of a search, by the place in its row of notes


class Searches(NamedTuple):
    """The random numbers of the second searches of B steps, and how their rankings are interleaved.

    query : (B, R). widths : (B,) documents of the longest query of each step. noise : (B, R, ·) random numbers of the
    user, as many as `others` (B,) say. coins : (B, R, ·) those of the interleaving; for learners without weights, n
    numbers come before these, by which the learner's ranking is made. weights : (B, R, d) of the learner, or (0, R, d).
    fixed : (R, d) of the fixed ranker. draft : whether teams are drafted; else the lists are balanced.
    """

    query: Array
    widths: Array
    noise: Array
    others: Array
    coins: Array
    weights: Array
    fixed: Array
    draft: bool


@compiled
def compare(respond: Any, searches: Searches, world: World, stock: Stock, s: Work, notes: Array, seen: Seen) -> None:
    """Interleave the rankings of the learner and of the fixed ranker, ask the user, and note what the clicks say.

    notes : (B, R, FIELDS). seen : what the replicate that is watched shows and hears; `improved` is the fixed ranker's
    ranking there. Afterwards `s` holds the latest search: `predicted` is the learner's ranking, `partner` that of the
    fixed ranker, and `marks` are True for the learner's team.
    """
    B, R = searches.query.shape
    linear = searches.weights.shape[0] > 0
    for b in range(B):
        n = searches.widths[b]
        for r in range(R):
            count = fill(world, stock, r, searches.query[b, r], n, s)
            s.left[r] = count
            coins, rows = searches.coins[b, r], s.rows[r, :count]
            page = search_of(s, r, n, 0, count, min(world.slots, n), world.gamma, coins)
            hidden = hidden_of(s.hidden, r, n, searches.noise[b, r, : searches.others[b]])
            if linear:
                score(world.x, rows, searches.weights[b, r], page.scores)
            else:
                copy(coins, page.scores)
                coins = coins[n:]
            score(world.x, rows, searches.fixed[r], page.tried)
            first, second = page.predicted, page.partner
            rank(page, page.scores, 1, first)
            rank(page, page.tried, 1, second)
            if searches.draft:
                draft(first, second, coins, page.shown, page.marks, page.key)
            else:
                merge(first, second, coins[0], page.shown, page.marks, page.key)
            respond(page, hidden)
            if r == seen.replicate:
                note_search(seen, b, page, hidden, s.rows[r], second, True)
            if searches.draft:
                mine, its = credit_teams(page.marks, hidden.clicks)
            else:
                mine, its = credit_tops(first, second, page.shown, hidden.clicks, page.key)
            note = notes[b, r]
            note[OUTCOME] = np.sign(mine - its)
            note[SHARED] = shared(first, second, min(10, count // 2), page.key)
            note[ADVANTAGE] = discounted(page, hidden.utility, first) - discounted(page, hidden.utility, second)


@compiled
def shared(first: Array, second: Array, most: int, room: Array) -> float:
    """Return how many of the top `most` documents both rankings share, scaled to ten. `room` (n,) is overwritten."""
    if most == 0:
        return np.nan
    room[:] = 0.0
    for i in range(most):
        room[first[i]] = 1.0
    found = 0
    for i in range(most):
        if room[second[i]] > 0.0:
            found += 1
    return 10 * found / most
