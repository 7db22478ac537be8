"""The environment of the ranking learners: it draws queries, asks the user and lets the learner learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numba import types

from datasets.ranking import RankingData
from learners.base import Array, Shape
from learners.environment import Answerable, Diverged, Order, Watchable, orders_of
from learners.metric import Metric
from learners.random import Seeds
from learners.ranking.base import Context, Feedback, RankingLearner, Shown
from learners.ranking.parts import steps
from learners.ranking.parts.page import CLICKS, RANKING
from learners.ranking.parts.work import Work
from learners.ranking.users.base import Response, User, View, response
from learners.ranking.users.expert import Expert
from learners.ranking.world.block import (
    CHANGE,
    DEAF,
    FIELDS,
    NORM,
    OPTIMAL,
    SWAP,
    USER,
    Plan,
    fill_all,
    finish_all,
    take_steps,
    weigh,
)  # fmt: skip
from learners.ranking.world.draws import padded, runs
from learners.ranking.world.held_out import HeldOut
from learners.ranking.world.measurement import Measures
from learners.ranking.world.person import approve, on_page
from learners.ranking.world.stability import BIN, Stability
from learners.ranking.world.stock import Stock
from learners.ranking.world.truth import World
from learners.ranking.world.watched import COLUMNS, NOBODY, Seen

SECONDS, NUMBERS, LONGEST = 0.03, 1 << 20, 4096  # limits of a block: about so long, so many random numbers, steps


@dataclass(frozen=True)
class Step:
    """The latest step, for the inspector. The first axis of every array is the replicate.

    t : number of the step, from 1. query : (R,) number of the query. documents : (R, n) rows of the data's features.
    shown, response, feedback_ranking : what was presented, answered and learned from. before, after : (R, d) weights,
    or None. grades, utility : (R, n) of each document. lengths : (R,) documents of each query, or those still offered;
    all others have grade −1 and utility −inf. on_page : (R,) positions on the page.
    """

    t: int
    query: Array
    documents: Array
    shown: Shown
    response: Response
    feedback_ranking: Array
    before: Array | None
    after: Array | None
    grades: Array
    utility: Array
    lengths: Array
    on_page: Array


class RankingEnvironment(Answerable, Watchable):
    """Runs one ranking learner on R replicates, each in a query order of its own.

    Learners and users made of compiled rules take blocks of steps. Others, which override `present`, `update` or
    `respond`, take step by step.
    """

    shared: ClassVar[tuple[str, ...]] = ("world",)
    watched: ClassVar[tuple[str, ...]] = COLUMNS
    answerable: ClassVar[str] = "documents"
    asks: ClassVar[str] = "query"
    bin: ClassVar[int] = BIN  # steps between two copies of the weights, a divisor of the stability's bin

    def __init__(self, data: RankingData, user: User, learner: RankingLearner, replicates: int, seeds: Seeds) -> None:
        if reason := user.unfit(data) or learner.unfit(data, user):
            raise ValueError(reason)
        self.data, self.user, self.learner, self.replicates = data, user, learner, replicates
        order, users, own, probes = seeds.spawn(4)
        self.order = Order(data.queries, order)
        self.user_rng = users
        self.world = World.of(data, order.replicate)
        self.stock = Stock.of(data, self.world.task)
        self.t = 0
        shape = Shape(data.dimension, data.longest, data.initial_weights, largest=data.largest)
        learner.reset(shape, replicates, own)
        self._hears = {"optimal": OPTIMAL, "nothing": DEAF}.get(learner.hears, USER)
        self._given: Response | None = None  # what everybody answers in the next step
        self._approved: Sequence[int] | None = None  # documents that a person approves of in the next step
        self._diverged = False
        self._latest: tuple[Array, int, Array] | None = None  # queries, documents and draws of the latest step
        self._record: Step | None = None  # of the latest step, once it was asked for
        self.copies: Array | Sequence[Array] = ()  # weights (R, d) after every `bin`-th step, of the latest block
        self.measures = Measures(data, self.world, learner, replicates)
        self.changed()
        self._stability = Stability(data, self.world.x, replicates, probes.common, learner.weights)
        self._held_out = HeldOut(data, self.world.task, learner.weights)
        self._work, self._spare = self._room(), self._room()  # of the latest block, and for the next

    def _room(self) -> Work:
        """Return the arrays of a step."""
        none = np.zeros((self.replicates, 0))
        work = Work.of(self.data.longest, self.data.dimension, none, none, none, self.learner.tries)
        if self.stock.used:
            work = work._replace(
                offered=self.stock.offered, order=self.stock.order, grades=self.stock.grades,
                utility=self.stock.utility, there=self.stock.offered.copy(),
            )  # fmt: skip
        return work

    def __getstate__(self) -> dict[str, Any]:
        """Return the state, without the record of the latest step."""
        return self.__dict__ | {"_work": None, "_spare": None, "_latest": None, "_record": None, "copies": ()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._work, self._spare = self._room(), self._room()

    def changed(self) -> None:
        """Take over the learner's expert and bounds, and the user's α."""
        learns = self._hears == OPTIMAL
        self._expert = Expert(optimal=self.learner.params["optimal"]) if learns else Expert()
        self.measures.changed(1.0 if learns else self.user.informativeness)

    @property
    def block(self) -> int:
        """The most steps that are worth taking at once."""
        n, d, tries = self.data.longest, self.data.dimension, self.learner.tries
        steps = min(SECONDS / (2e-6 + 1e-9 * n * d * (1 + tries)), NUMBERS / (3 * n + 40 + tries * d))
        return int(np.clip(steps / self.replicates, 1, LONGEST))

    @staticmethod
    def queries_met(data: RankingData, seeds: Seeds, steps: int, replicate: int) -> Array:
        """Return the queries of the first steps of a replicate of a run with these random numbers, (steps,)."""
        if data.queries == 1:
            return np.zeros(steps, dtype=np.intp)
        return orders_of(seeds, data.queries).first(steps, replicate)

    @property
    def _on_page(self) -> Array:
        """(R,) how many results stand on the page."""
        return on_page(self.user, self.replicates, self.data.longest, self._approved is not None)

    @property
    def _compiled(self) -> bool:
        """Whether learner and user are compiled rules."""
        return self.learner.in_rules and type(self.user).respond is User.respond

    def run(self, steps: int) -> dict[Metric, Array]:
        """Take steps and return the metrics after each of them; of fewer if weights cease to be finite numbers.

        Raises
        ------
        Diverged : if the first of these steps makes weights that are no finite numbers.
        """
        return self.measures.of(*self.take(steps))

    def take(self, steps: int) -> tuple[Array, Array, Array]:
        """Take steps; return their queries (B, R), notes on them (B, R, FIELDS), and what was looked at (B, R, 3)."""
        if self._diverged:
            raise Diverged(self.learner.id, self.t + 1, "choose data with smaller features")
        query = self.order.take(steps)
        notes = np.empty((steps, self.replicates, FIELDS))
        seen = self._seen_in(steps)
        copies: Array | Sequence[Array]
        if not self._compiled or self._given is not None or self._approved is not None:
            taken, copies = self._take_one_by_one(query, notes, seen)
        elif self.learner.solves:
            taken, copies = self._take_solving(query, notes, seen)
        else:
            taken, copies = self._take_block(self._plan(query), notes, seen)
        self._note(seen.cut(0, taken), query)
        if taken < steps:
            self._diverged = True
        if taken == 0:
            raise Diverged(self.learner.id, self.t + 1, "choose data with smaller features")
        self.copies = copies
        first = (self.t // BIN + 1) * BIN // self.bin - self.t // self.bin - 1  # place of the first copy for stability
        looked_at = self.t, taken, copies[first :: BIN // self.bin]
        kept, held_out = self._stability.values(*looked_at), self._held_out.values(*looked_at)
        self.t += taken
        return query[:taken], notes[:taken], np.concatenate([kept, held_out[:, :, None]], axis=2)

    def _seen_in(self, steps: int) -> Seen:
        """Return room for what is watched in some steps."""
        return Seen.of(steps, self.data.longest, self.watching, self.stock.used) if self.watching >= 0 else NOBODY

    def _note(self, seen: Seen, query: Array) -> None:
        """Keep what was seen of the replicate that is watched, in searches with these queries (B, R)."""
        if seen.replicate >= 0:
            self.keep(seen.columns(query[: len(seen.counts)], self.user, self.learner.in_pairs))

    def _plan(self, query: Array) -> Plan:
        """Return what is drawn for steps with these queries (B, R)."""
        widths, slots = self._widths(query), self.world.slots
        draws = padded([(self.learner.draws(n, b), b) for n, b in runs(widths)])
        noise = padded([(self.user.draws(self.user_rng, n, slots, b), b) for n, b in runs(widths)])
        return Plan(query, widths, *draws, *noise, self.t + 1, self._hears, self.bin)

    def _take_solving(self, query: Array, notes: Array, seen: Seen) -> tuple[int, list[Array]]:
        """Take steps one compiled call each, and let the learner solve what it has to after each of them."""
        plan, learner = self._plan(query), self.learner
        copies: list[Array] = []
        for b in range(len(query)):
            before = self._work, self._latest, self._record
            self._take_block(plan.step(b), notes[b : b + 1], seen.cut(b, b + 1))
            learner.t -= 1
            learner.solve(self._work.delta)
            learner.t += 1
            weigh(np.ascontiguousarray(learner.state[:, 0]), self._work, notes[b])
            if not np.isfinite(notes[b, :, NORM]).all():
                if self._work is not before[0]:
                    self._work, self._spare = self._spare, self._work
                _, self._latest, self._record = before
                return b, copies
            if plan.step(b).first % self.bin == 0:
                copies.append(learner.w)
        return len(query), copies

    def _take_block(self, plan: Plan, notes: Array, seen: Seen) -> tuple[int, Array | Sequence[Array]]:
        """Take steps in one compiled call. Return how many ended well, and copies of the weights for stability."""
        learner, query, widths = self.learner, plan.query, plan.widths
        steps = len(query)
        start = plan.first - 1
        bins = (start + steps) // plan.bin - start // plan.bin if learner.linear else 0
        copies = np.empty((bins, self.replicates, self.data.dimension))
        state = learner.state, learner.tally, *self.stock[1:]
        before = [array.copy() for array in state]
        self._work, self._spare = self._spare, self._work  # which keeps the latest step of the block before
        taken = self._call(plan, notes, copies, seen)
        if taken < steps:  # some replicates went on: do the good steps again
            for array, old in zip(state, before, strict=True):
                array[:] = old
            if taken:
                self._call(plan.first_steps(taken), notes, copies, seen)
        if taken:
            learner.t += taken
            n = widths[taken - 1]
            self._latest = query[taken - 1], n, plan.draws[taken - 1, :, : plan.own[taken - 1]].copy()
            self._record = None
        else:
            self._work, self._spare = self._spare, self._work
        return taken, copies

    def _call(self, plan: Plan, notes: Array, copies: Array, seen: Seen) -> int:
        learner = self.learner
        rules = learner.rule_to_present, learner.rule_to_learn, self.user.rule, self._expert.rule
        kinds = steps.PRESENTS, steps.LEARNS, steps.RESPONDS, steps.RESPONDS
        work = self._work._replace(
            numbers=learner.rule_numbers(), memory=learner.tally,
            wanted=self.user.rule_numbers(self.replicates, self.data.top_grade), on_page=self._on_page,
        )  # fmt: skip
        taken: int = steps.call(
            take_steps, rules, kinds, types.int64,
            learner.how(self.world.slots), plan, self.world, self.stock, work, learner.state, notes, copies, seen,
        )  # fmt: skip
        return taken

    def _take_one_by_one(self, query: Array, notes: Array, seen: Seen) -> tuple[int, list[Array]]:
        """Take steps through the methods of learner and user."""
        copies: list[Array] = []
        for b, row in enumerate(query):
            good = self.learned()
            self._step(self.t + b + 1, row, notes[b])
            if np.isinf(notes[b, :, NORM]).any() or (self.learner.linear and np.isnan(notes[b, :, NORM]).any()):
                self._record = good
                return b, copies
            if seen.replicate >= 0 and self._record is not None:
                step, shown = self._record, self._record.shown
                marks = None if shown.pairs is None else shown.pairs.swapped
                seen.write(b, step, shown.ranking, shown.predicted, step.feedback_ranking, marks)
            if (self.t + b + 1) % self.bin == 0 and self.learner.weights is not None:
                copies.append(np.array(self.learner.weights))
        return len(query), copies

    def _step(self, t: int, query: Array, note: Array) -> None:
        """Observe, present, obtain feedback, update, and measure."""
        learner, context = self.learner, self.context(query)
        before = learner.weights
        shown = learner.present(context)
        view = self.view(shown.ranking, context)
        answer = self.user.respond(view, self.user_rng)
        if self._approved is not None:
            answer = approve(answer, shown.ranking, int(context.counts[0]), context.slots, self._approved)
            self._approved = None
        if self._given is not None:
            answer, self._given = self._given, None
        heard = Feedback(clicks=answer.clicks, ranking=answer.ranking)
        if self._hears == OPTIMAL:
            heard = Feedback(ranking=self._expert.respond(view, self.user_rng).ranking)
        elif self._hears == DEAF:
            heard = Feedback()
        improved = learner.update(context, shown, heard)
        after = learner.weights
        n, work = context.n, self._work
        counts = context.counts.copy()
        work.shown[:, :n], work.predicted[:, :n], work.improved[:, :n] = shown.ranking, shown.predicted, improved
        work.scores[:, :n] = np.nan if shown.scores is None else shown.scores
        grades, utility = work.grades[:, :n].copy(), work.utility[:, :n].copy()
        finish_all(self.world, self.stock, query, n, work, note)
        note[:, SWAP] = shown.swap_probability
        if after is None or before is None:
            note[:, NORM] = note[:, CHANGE] = np.nan
        else:
            work.before[:] = before
            weigh(np.ascontiguousarray(after, dtype=float), work, note)
        self._record = Step(
            t, query, context.rows.copy(), shown, answer, improved, before, after, grades, utility, counts,
            np.minimum(context.on_page, counts),
        )  # fmt: skip

    def override(self, response: Response) -> None:
        """Let the user answer this at the next step, whatever is shown; it still draws its random numbers."""
        self._given = response

    def answer(self, items: Sequence[int]) -> None:
        self._approved = items

    @staticmethod
    def items_at(data: RankingData, seeds: Seeds, steps: Array) -> Array:
        """Return how many documents the queries of these steps of the first replicate have, (k,)."""
        if data.same_length:
            return np.full(len(steps), data.longest)
        met = RankingEnvironment.queries_met(data, seeds, int(steps.max()), 0)
        found: Array = data.lengths[met[steps - 1]]
        return found

    @staticmethod
    def said(data: RankingData, items: Sequence[int]) -> str:
        return f"the person chose {' and '.join(f'd{item + 1}' for item in items) or 'nothing'}"

    def _widths(self, query: Array) -> Array:
        """Return the number of documents of the longest query of each step, (B,)."""
        widths: Array = self.world.lengths[query].max(axis=1)
        return widths

    def context(self, query: Array) -> Context:
        """Return the candidates of these queries (R,). They stay the same until the next step."""
        n, work, stock = int(self._widths(query[None])[0]), self._work, self.stock
        fill_all(self.world, stock, query, n, work)
        if stock.used:
            left = stock.left.copy(), self.world.slots, stock.offered.copy(), stock.order.copy()
            return Context(self.world.x, self.world.gamma, *left, rows=work.rows, on_page=self._on_page)
        lengths = None if self.data.same_length else self.world.lengths[query]
        rows = work.rows[:, :n].copy()
        return Context(self.world.x, self.world.gamma[:n], lengths, self.world.slots, rows=rows, on_page=self._on_page)

    def view(self, ranking: Array, context: Context) -> View:
        """Return what the user sees and knows of a ranking of the context's documents."""
        n = context.n
        return View(ranking, self._work.grades[:, :n], self._work.utility[:, :n], context, self.data.top_grade)

    def last(self) -> Any:
        """Return the record of the latest step, or None before the first."""
        return self.learned()

    def learned(self) -> Step | None:
        """Return the record of the latest search that taught the learner, or None before the first."""
        if self._record is None and self._latest is not None:
            self._record = self._recorded(*self._latest)
        return self._record

    def _recorded(self, query: Array, n: int, draws: Array) -> Step:
        """Return the record of the latest step of a block, from the arrays of the block."""
        learner, work = self.learner, self._work.cut(n)
        if self.stock.used:
            there = work.there
            grades, utility = self.stock.all_grades, self.stock.all_utility
        else:
            there = np.arange(n) < work.left[:, None]
            grades, utility = work.grades, work.utility
            work.scores[~there] = 0.0  # left over from longer queries
        before = work.before if learner.linear else None
        none = np.zeros((self.replicates, 0))
        own = work._replace(wanted=none, grades=none, utility=none, clicks=none, answer=none, judged=none)
        answered = RANKING if self.user.gives == "ranking" else CLICKS
        return Step(
            self.t, query, work.rows, learner.seen(own, draws), response(work, answered), work.improved, before,
            learner.weights, np.where(there, grades, -1.0), np.where(there, utility, -np.inf), work.left,
            np.minimum(np.minimum(self._on_page, self.world.slots), work.left),
        )  # fmt: skip
