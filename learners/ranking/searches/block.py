"""Steps of the ranking environment, compiled: query, list shown, answer, learning, measures; in blocks or in parts."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from learners.base import Array
from learners.compiled import compiled, inlined
from learners.moved import note_moved
from learners.ranking.searches.stock import Stock, first_left, remove, renew
from learners.ranking.searches.truth import World
from learners.ranking.searches.watched import Seen, note_search
from learners.ranking.step.page import CLICKS, NOTHING, RANKING, Hidden, Page, hidden_of
from learners.ranking.step.rankings import discounted
from learners.ranking.step.steps import How, learn_step, present_step, search_of
from learners.ranking.step.work import Work
from learners.ranking.users.base import Response
from learners.vectors import copy, product, writable

USER, OPTIMAL, DEAF = range(3)  # whom a learner hears: the user, the expert with the best ranking, nobody

# the measures of a step, by their places in its row of notes
(
    SHOWN, PREDICTED, IMPROVED, SCORE_SHOWN, SCORE_IMPROVED, NDCG, NDCG_PREDICTED, RANK, RANK_PREDICTED, SWAP, NORM,
    BEST, CHANGE, NDCG_DEEP, FIELDS,
) = range(15)  # fmt: skip


class Plan(NamedTuple):
    """The random numbers of a block of B steps.

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

    def part(self, first: int, end: int) -> Plan:
        """Return the plan of some of the steps, from the one at place `first` on."""
        names = ("query", "widths", "draws", "own", "noise", "others")
        parts = {name: getattr(self, name)[first:end] for name in names}
        return self._replace(**parts, first=self.first + first)


class Given(NamedTuple):
    """The answer of a person in place of the user, in the first step of a block.

    kind : CLICKS or RANKING, if all replicates answer by `clicks` and `judged`, or `answer`, (R, n); else NOTHING.
    approved : (n,) bool, the documents that a person approves of who answers for the first replicate, or (0,) if
    nobody does.
    """

    kind: int
    clicks: Array
    judged: Array
    answer: Array
    approved: Array

    @classmethod
    def of(cls, response: Response | None = None, approved: Array | None = None) -> Given:
        """Return what a response of all replicates, or a person, says in place of the user."""
        nothing: Array = np.zeros((0, 0), np.int64)
        made = cls(NOTHING, nothing > 0, nothing.astype(np.int8), nothing, np.zeros(0, np.bool_))
        if approved is not None:
            made = made._replace(approved=approved)
        if response is None:
            return made
        if response.clicks is None:
            return made._replace(kind=RANKING, answer=writable(response.ranking, np.int64))
        judged = np.full(response.clicks.shape, -1) if response.judged is None else response.judged
        return made._replace(kind=CLICKS, clicks=writable(response.clicks, np.bool_), judged=writable(judged, np.int8))


NOBODY_ELSE = Given.of()  # answers in place of the user


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
    up, grades and utilities are those of the stock.
    """
    if stock.used:
        return stock.left[r]
    start, count, task = world.starts[q], world.lengths[q], world.task[r]
    for i in range(count):
        row = start + i if world.rows.shape[0] == 0 else world.rows[start + i]
        s.rows[r, i] = row
        s.hidden.grades[r, i] = world.grades[task, row]
        s.hidden.utility[r, i] = world.utility[task, row]
    for i in range(count, n):
        s.rows[r, i], s.hidden.grades[r, i], s.hidden.utility[r, i] = s.rows[r, count - 1], -1.0, -np.inf
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
def approve(page: Page, hidden: Hidden, answered: int, approved: Array) -> None:
    """Write what a person does who approves of documents, `approved` (n,), in place of what the user did.

    Where the user clicks, a person clicks the documents approved of, and has read the list down to the last click, or
    all its slots if there is none. Where the user hands back a ranking, a person moves them to the top, in the order
    shown. Documents that are not offered are left where they are.
    """
    n, read, top = page.shown.shape[0], min(page.size, page.slots), 0
    for i in range(n):
        chosen = i < page.size and approved[page.shown[i]]
        hidden.clicks[i] = chosen
        if chosen:
            read = i + 1
            hidden.answer[top] = page.shown[i]
            top += 1
    for i in range(n):
        if not hidden.clicks[i]:
            hidden.answer[top] = page.shown[i]
            top += 1
        hidden.judged[i] = 1 if hidden.clicks[i] else 0 if i < read else -1
    if answered != CLICKS:
        hidden.clicks[:], hidden.judged[:] = False, -1


@inlined
def answer_one(
    respond: Any, expert: Any, hears: int, given: Given, b: int, r: int, page: Page, hidden: Hidden
) -> tuple[int, int]:
    """Let the user answer, or in step 0 who is given in its place, and let the learner hear. Return what both get."""
    n = page.shown.shape[0]
    answered = respond(page, hidden)
    if b == 0 and r == 0 and given.approved.shape[0] > 0:
        approve(page, hidden, answered, given.approved)
    if b == 0 and given.kind == CLICKS:
        answered = CLICKS
        copy(given.clicks[r, :n], hidden.clicks)
        copy(given.judged[r, :n], hidden.judged)
    elif b == 0 and given.kind == RANKING:
        answered = RANKING
        copy(given.answer[r, :n], hidden.answer)
    heard = answered
    if hears == DEAF:
        heard = NOTHING
    elif hears == OPTIMAL:
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
    return answered, heard


@inlined
def close_one(
    world: World, stock: Stock, s: Work, r: int, q: int, b: int, page: Page, hidden: Hidden, after: Array, weighs: bool,
    answered: int, note: Array, seen: Seen,
) -> None:  # fmt: skip
    """Write what is measured of a step to `note` (FIELDS,), and what is seen of it.

    after : (d,) weights after the step, if it `weighs` documents by any.
    """
    measure(world, stock, r, q, page, hidden, note)
    note[SWAP] = s.p[r]
    if weighs:
        weigh_one(after, s.before[r], s.moved[r], note)
    else:
        note[SCORE_SHOWN] = note[SCORE_IMPROVED] = note[NORM] = note[CHANGE] = np.nan
    if r == seen.replicate:
        note_search(seen, b, page, hidden, s.rows[r], page.improved, answered == CLICKS)
        if weighs:
            note_moved(seen.moved[b], seen.was[b], seen.now[b], s.before[r], after)
        elif seen.told.shape[0] > 0:
            note_moved(seen.moved[b], seen.was[b], seen.now[b], seen.told, page.memory[seen.first :])


@compiled
def take_steps(
    present: Any, learn: Any, respond: Any, expert: Any, how: How, plan: Plan, world: World, stock: Stock, s: Work,
    state: Array, notes: Array, copies: Array, seen: Seen, given: Given,
) -> int:  # fmt: skip
    """Take a block of B steps in each replicate. Return how many steps ended with finite weights in all of them.

    state : (R, s, d) of the learner. notes : (B, R, FIELDS). copies : (·, R, d) weights after each step that is a
    multiple of `plan.bin`. seen : what the replicate that is watched shows and hears. given : who answers in the first
    step.
    """
    B, R = plan.query.shape
    good = B
    for r in range(R):
        copied = 0
        w = state[r]
        for b in range(B):
            q, n, t = plan.query[b, r], plan.widths[b], plan.first + b
            count = fill(world, stock, r, q, n, s)
            page = search_of(s, r, n, t, count, world.slots, world.gamma, plan.draws[b, r, : plan.own[b]])
            hidden = hidden_of(s.hidden, r, n, plan.noise[b, r, : plan.others[b]])
            copy(w[0], s.before[r])
            if b == B - 1:
                remember(stock, s, r, count)
            s.p[r] = present_step(present, how, page, world.x, s.rows[r], w)
            answered, heard = answer_one(respond, expert, plan.hears, given, b, r, page, hidden)
            if r == seen.replicate:
                copy(page.memory[seen.first :], seen.told)
            learn_step(learn, how, page, world.x, s.rows[r], w, s.delta[r], heard)
            note = notes[b, r]
            close_one(world, stock, s, r, q, b, page, hidden, w[0], how.linear, answered, note, seen)
            if how.linear and not np.isfinite(note[NORM]):
                good = min(good, b)
                break
            if t % plan.bin == 0 and how.linear:
                copy(w[0], copies[copied, r])
                copied += 1
            if stock.used and B > 1:
                use_up(world, stock, r, page)
    if stock.used and B == good == 1:  # of a step alone, only once it ended well everywhere
        for r in range(R):
            page = search_of(s, r, plan.widths[0], plan.first, s.left[r], world.slots, world.gamma, world.gamma)
            use_up(world, stock, r, page)
    return good


@inlined
def remember(stock: Stock, s: Work, r: int, count: int) -> None:
    """Note which documents a step offers."""
    s.left[r] = count
    if stock.used:
        copy(stock.offered[r], s.there[r])


# ---- a step in parts, between which a learner in plain Python presents and learns


@compiled
def open_all(world: World, stock: Stock, query: Array, n: int, s: Work) -> None:
    """Look up the documents of one query of each replicate, (R,), with room for n documents."""
    for r in range(query.shape[0]):
        remember(stock, s, r, fill(world, stock, r, query[r], n, s))


@compiled
def answer_all(
    respond: Any, expert: Any, hears: int, given: Given, world: World, n: int, s: Work, noise: Array
) -> tuple[int, int]:
    """Let the users answer and the learners hear. Return what they get, as `answer_one` does."""
    answered = heard = NOTHING
    for r in range(noise.shape[0]):
        page = search_of(s, r, n, 0, s.left[r], world.slots, world.gamma, noise[r])
        answered, heard = answer_one(respond, expert, hears, given, 0, r, page, hidden_of(s.hidden, r, n, noise[r]))
    return answered, heard


@compiled
def close_all(
    world: World, stock: Stock, query: Array, n: int, s: Work, after: Array, answered: int, notes: Array, seen: Seen
) -> None:
    """Write what is measured and seen of a step, notes (R, FIELDS), and use up documents.

    after : (R, d) weights, or (0, d) without any.
    """
    weighs = after.shape[0] > 0
    for r in range(query.shape[0]):
        page = search_of(s, r, n, 0, s.left[r], world.slots, world.gamma, world.gamma)
        own = after[r] if weighs else s.before[r]
        hidden = hidden_of(s.hidden, r, n, world.gamma)
        close_one(world, stock, s, r, query[r], 0, page, hidden, own, weighs, answered, notes[r], seen)
        if stock.used:
            use_up(world, stock, r, page)
