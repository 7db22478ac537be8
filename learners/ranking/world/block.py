"""A block of steps in one compiled call without the interpreter lock, with the measures of every step."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from learners.base import Array
from learners.compiled import compiled
from learners.ranking.parts.page import CLICKS, NOTHING, RANKING, Hidden, Page
from learners.ranking.parts.rankings import discounted
from learners.ranking.parts.steps import How, hidden_of, learn_step, page_of, present_step
from learners.ranking.parts.work import Work
from learners.ranking.world.stock import Stock, first_left, remove, renew
from learners.ranking.world.truth import World
from learners.ranking.world.watched import Seen, note_search
from learners.vectors import copy, product

USER, OPTIMAL, DEAF = range(3)  # whom a learner hears: the user, the expert with the best ranking, nobody

# what is measured of a step, by the place in its row of notes
(
    SHOWN, PREDICTED, IMPROVED, SCORE_SHOWN, SCORE_IMPROVED, NDCG, NDCG_PREDICTED, RANK, RANK_PREDICTED, SWAP, NORM,
    BEST, CHANGE, NDCG_DEEP, FIELDS,
) = range(15)  # fmt: skip


class Plan(NamedTuple):
    """What was drawn for a block of B steps.

    query : (B, R). widths : (B,) documents of the longest query of each step. draws, noise : (B, R, ·) random numbers
    of the learner and of the user, as many as `own` and `others` (B,) say. first : number of the first step.
    hears : USER, OPTIMAL or DEAF. bin : steps between two copies of the weights.
    """

    query: Array
    widths: Array
    draws: Array
    own: Array
    noise: Array
    others: Array
    first: int
    hears: int
    bin: int

    def step(self, b: int) -> Plan:
        """Return the plan of one step alone."""
        one = slice(b, b + 1)
        parts = {name: getattr(self, name)[one] for name in ("query", "widths", "draws", "own", "noise", "others")}
        return self._replace(**parts, first=self.first + b)

    def first_steps(self, steps: int) -> Plan:
        """Return the plan of the first steps alone."""
        return self._replace(query=self.query[:steps])


@compiled
def gain(grade: float) -> float:
    """Return 2^grade − 1, and 0 for a missing document (see `learners.ndcg`)."""
    if grade <= 0.0:
        return 0.0
    whole = int(grade)
    if whole == grade and whole < 60:
        return float((1 << whole) - 1)
    return 2.0**grade - 1.0


@compiled
def dcg(page: Page, grades: Array, ranking: Array, cutoff: int) -> float:
    """Return the DCG of the first `cutoff` documents of a ranking. Within the slots, γ are its discounts."""
    total = 0.0
    for i in range(min(cutoff, page.size)):
        total += gain(grades[ranking[i]]) * page.gamma[i]
    return total


@compiled
def rank_of(page: Page, grades: Array, ranking: Array, highest: float, positions: int) -> int:
    """Return the rank of the first document with the highest grade, or positions + 1 if it is in none of them."""
    for i in range(min(positions, page.size)):
        if grades[ranking[i]] == highest:
            return i + 1
    return positions + 1


@compiled
def measure(world: World, stock: Stock, r: int, q: int, page: Page, hidden: Hidden, note: Array) -> None:
    """Write what is measured of a step to `note` (FIELDS,), except swap probability, norm and change.

    The documents of the step must still be offered.
    """
    grades, utility = hidden.grades, hidden.utility
    positions = page.size
    if stock.used:
        positions = world.slots
        at = first_left(stock, r, 1, stock.best[r, 1])
        stock.best[r, 1] = at
        highest = grades[stock.by_grade[r, at]]
        ideal = ideal_deep = 0.0
        for i in range(min(world.deep, page.size)):
            ideal_deep += gain(grades[stock.by_grade[r, at]]) * page.gamma[i]
            if i < world.cutoff:
                ideal = ideal_deep
            at = first_left(stock, r, 1, at + 1)
        at = first_left(stock, r, 0, stock.best[r, 0])
        stock.best[r, 0] = at
        best = 0.0
        for i in range(min(page.slots, page.size)):
            best += utility[stock.by_utility[r, at]] * page.gamma[i]
            at = first_left(stock, r, 0, at + 1)
    else:
        best, ideal = world.best_utility[world.task[r], q], world.ideal_dcg[world.task[r], q]
        ideal_deep = world.ideal_deep[world.task[r], q]
        highest = grades[0]
        for i in range(1, page.size):
            highest = max(highest, grades[i])
    note[BEST] = best
    note[SHOWN] = discounted(page, utility, page.shown)
    note[PREDICTED] = discounted(page, utility, page.predicted)
    note[IMPROVED] = discounted(page, utility, page.improved)
    note[SCORE_SHOWN] = discounted(page, page.scores, page.shown)
    note[SCORE_IMPROVED] = discounted(page, page.scores, page.improved)
    found, believed = (dcg(page, grades, page.shown, world.cutoff), dcg(page, grades, page.predicted, world.cutoff))
    note[NDCG] = found / ideal if ideal > 0.0 else 0.0
    note[NDCG_PREDICTED] = believed / ideal if ideal > 0.0 else 0.0
    note[NDCG_DEEP] = dcg(page, grades, page.shown, world.deep) / ideal_deep if ideal_deep > 0.0 else 0.0
    note[RANK] = rank_of(page, grades, page.shown, highest, positions)
    note[RANK_PREDICTED] = rank_of(page, grades, page.predicted, highest, positions)


@compiled
def fill(world: World, stock: Stock, r: int, q: int, n: int, s: Work) -> int:
    """Look up the documents of query q, and unless they are used up, their grades and utilities. Return their number.

    There is room for n; what stands beyond the query's documents has grade −1 and utility −∞. Where documents are used
    up, `s.grades` and `s.utility` are those of the stock.
    """
    if stock.used:
        return stock.left[r]
    start, count, task = world.starts[q], world.lengths[q], world.task[r]
    for i in range(count):
        row = start + i if world.rows.shape[0] == 0 else world.rows[start + i]
        s.rows[r, i] = row
        s.grades[r, i] = world.grades[task, row]
        s.utility[r, i] = world.utility[task, row]
    for i in range(count, n):
        s.rows[r, i], s.grades[r, i], s.utility[r, i] = s.rows[r, count - 1], -1.0, -np.inf
    return count


@compiled
def weigh_one(after: Array, before: Array, moved: Array, note: Array) -> None:
    """Write the norm of the weights (d,) after a step, and that of their change, which `moved` (d,) receives."""
    for j in range(moved.shape[0]):
        moved[j] = after[j] - before[j]
    note[NORM], note[CHANGE] = np.sqrt(product(after, after)), np.sqrt(product(moved, moved))


@compiled
def weigh(after: Array, s: Work, notes: Array) -> None:
    """Write to `notes` (R, FIELDS) the norms of the weights (R, d) after a step and of their change in it."""
    for r in range(after.shape[0]):
        weigh_one(after[r], s.before[r], s.moved[r], notes[r])


@compiled
def use_up(world: World, stock: Stock, r: int, page: Page) -> None:
    """Remove what was shown or answered in a slot ([C] §6.1.2)."""
    slots = min(world.slots, page.shown.shape[0])
    for i in range(slots):
        remove(stock, r, page.shown[i])
    for i in range(slots):
        remove(stock, r, page.improved[i])
    renew(stock, r)


@compiled
def take_steps(
    present: Any,
    learn: Any,
    respond: Any,
    expert: Any,
    how: How,
    plan: Plan,
    world: World,
    stock: Stock,
    s: Work,
    state: Array,
    notes: Array,
    copies: Array,
    seen: Seen,
) -> int:
    """Take a block of B steps in each replicate. Return how many steps ended with finite weights in all of them.

    state : (R, s, d) of the learner. notes : (B, R, FIELDS). copies : (·, R, d) weights after each step that is a
    multiple of `plan.bin`. seen : what the replicate that is watched shows and hears.
    """
    B, R = plan.query.shape
    good = B
    for r in range(R):
        copied = 0
        w = state[r]
        for b in range(B):
            q, n, t = plan.query[b, r], plan.widths[b], plan.first + b
            count = fill(world, stock, r, q, n, s)
            page = page_of(s, r, n, t, count, world.slots, world.gamma, plan.draws[b, r, : plan.own[b]])
            hidden = hidden_of(s, r, n, plan.noise[b, r, : plan.others[b]])
            copy(w[0], s.before[r])
            if b == B - 1:
                s.left[r] = count
                if stock.used:
                    copy(stock.offered[r], s.there[r])
            s.p[r] = present_step(present, how, page, world.x, s.rows[r], w)
            answered = heard = respond(page, hidden)
            if plan.hears == DEAF:
                heard = NOTHING
            elif plan.hears == OPTIMAL:
                # the expert's answer goes to the learner alone; the user's stays in the record
                copy(hidden.answer, page.improved)
                expert(page, hidden)
                copy(hidden.answer, page.answer)
                copy(page.improved, hidden.answer)
                heard = RANKING
            elif heard == CLICKS:
                copy(hidden.clicks, page.clicks)
            else:
                copy(hidden.answer, page.answer)
            page.key[:], page.place[:] = 0.0, 0  # the user has computed there with what only it knows
            learn_step(learn, how, page, world.x, s.rows[r], w, s.delta[r], heard)
            note = notes[b, r]
            measure(world, stock, r, q, page, hidden, note)
            note[SWAP] = s.p[r]
            weigh_one(w[0], s.before[r], s.moved[r], note)
            if r == seen.replicate:
                note_search(seen, b, page, hidden, s.rows[r], page.improved, answered == CLICKS)
            if not how.linear:
                note[SCORE_SHOWN] = note[SCORE_IMPROVED] = note[NORM] = note[CHANGE] = np.nan
            elif not np.isfinite(note[NORM]):
                good = min(good, b)
                break
            if t % plan.bin == 0 and how.linear:
                copy(w[0], copies[copied, r])
                copied += 1
            if stock.used:
                use_up(world, stock, r, page)
    return good


@compiled
def fill_all(world: World, stock: Stock, query: Array, n: int, s: Work) -> None:
    """Look up the documents of one query of each replicate, (R,), with room for n documents."""
    for r in range(query.shape[0]):
        fill(world, stock, r, query[r], n, s)


@compiled
def finish_all(world: World, stock: Stock, query: Array, n: int, s: Work, notes: Array) -> None:
    """Write what is measured of one step of each replicate to `notes` (R, FIELDS), and use up documents."""
    for r in range(query.shape[0]):
        count = stock.left[r] if stock.used else world.lengths[query[r]]
        page = page_of(s, r, n, 0, count, world.slots, world.gamma, world.gamma)
        measure(world, stock, r, query[r], page, hidden_of(s, r, n, world.gamma), notes[r])
        if stock.used:
            use_up(world, stock, r, page)
