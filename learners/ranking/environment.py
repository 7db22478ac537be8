"""The environment of the ranking learners: it draws queries, asks the user and lets the learner learn."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import named
from datasets.ranking import RankingData
from learners.base import Array, Shape, permutations
from learners.environment import Answerable, Diverged, Order, Watchable, orders_of
from learners.metric import Metric
from learners.moved import note_moved
from learners.random import Seeds
from learners.ranking.base import Context, Feedback, RankingLearner, Shown, presents_by_hand
from learners.ranking.measured.held_out import HeldOut
from learners.ranking.measured.measurement import Measures
from learners.ranking.measured.stability import BIN, Stability
from learners.ranking.searches.block import (
    DEAF,
    FIELDS,
    NOBODY_ELSE,
    NORM,
    OPTIMAL,
    USER,
    Given,
    Plan,
    answer_all,
    close_all,
    open_all,
    take_steps,
    weigh,
)  # fmt: skip
from learners.ranking.searches.draws import padded, runs
from learners.ranking.searches.stock import Stock
from learners.ranking.searches.truth import World
from learners.ranking.searches.watched import COLUMNS, NOBODY, Seen
from learners.ranking.step.page import CLICKS, RANKING
from learners.ranking.step.work import Work
from learners.ranking.users.base import Response, User, View, answers_by_hand, response
from learners.ranking.users.expert import Expert
from learners.rule import call

# limits of a block: about so long, so many random numbers, steps
BLOCK_SECONDS, BLOCK_NUMBERS, BLOCK_STEPS = 0.03, 1 << 20, 4096


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

    A block of steps is one compiled call. Learners and users that override `present`, `update` or `respond` take the
    same step in parts.
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
        self._approved: Array | None = None  # documents (n,) that a person approves of in the next step
        self._diverged = False
        self._latest: tuple[int, Array, int, Array, Shown | None] | None = None  # of the latest step, see `_keep`
        self._record: Step | None = None  # of the latest step, once it was asked for
        self.copies: Array | tuple[()] = ()  # weights (R, d) after every `bin`-th step, of the latest block
        self.measures = Measures(data, self.world, learner, replicates)
        self.changed()
        self._stability = Stability(data, self.world.x, replicates, probes.common, learner.weights)
        self._held_out = HeldOut(data, self.world.task, learner.weights)
        self._work, self._spare = self._room(), self._room()  # of the latest block, and for the next

    def _room(self) -> Work:
        """Return the arrays of a step."""
        work = Work.of(
            self.data.longest, self.data.dimension, self.replicates, tries=self.learner.tries, read=self.learner.reads
        )
        if not self.stock.used:
            return work
        page = work.page._replace(offered=self.stock.offered, order=self.stock.order)
        hidden = work.hidden._replace(grades=self.stock.grades, utility=self.stock.utility)
        return work._replace(page=page, hidden=hidden, there=self.stock.offered.copy())

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
        timed = BLOCK_SECONDS / (2e-6 + 1e-9 * (n * d + self.learner.effort(n, d)))
        steps = min(timed, BLOCK_NUMBERS / (3 * n + 40 + tries * d))
        return int(np.clip(steps / self.replicates, 1, BLOCK_STEPS))

    @staticmethod
    def queries_met(data: RankingData, seeds: Seeds, steps: int, replicate: int) -> Array:
        """Return the queries of the first steps of a replicate of a run with these random numbers, (steps,)."""
        if data.queries == 1:
            return np.zeros(steps, dtype=np.intp)
        return orders_of(seeds, data.queries).first(steps, replicate)

    @property
    def _on_page(self) -> Array:
        """(R,) how many results stand on the page, of which a person, who answers for the first replicate, sees all."""
        longest, page = self.data.longest, self.user.page
        found = np.array(np.broadcast_to(longest if page is None else page, self.replicates), dtype=np.int64)
        if self._approved is not None:
            found[0] = longest
        return found

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
        copies = self._room_for_copies(steps)
        replaced = self._given is not None or self._approved is not None
        plan, taken, given = self._plan(query), 0, Given.of(self._given, self._approved) if replaced else NOBODY_ELSE
        take = self._by_hand if self._in_parts else self._take_block
        one_by_one = self._in_parts or self.learner.solves
        cuts = range(steps if one_by_one else min(steps, 1 + replaced))  # what somebody else answers stands alone
        for first, end in pairwise((*cuts, steps)):
            own = copies[self._bins(first) : self._bins(end)]
            taken += take(plan.part(first, end), notes[first:end], own, seen.cut(first, end), given)
            given, self._given, self._approved = NOBODY_ELSE, None, None
            if taken < end:
                break
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

    @property
    def _in_parts(self) -> bool:
        """Whether the learner or the user takes part by methods of its own, in plain Python."""
        return presents_by_hand(self.learner) or answers_by_hand(self.user)

    def _bins(self, steps: int) -> int:
        """Return how many copies of the weights the next steps make, one after every `bin`-th step of a run."""
        return (self.t + steps) // self.bin - self.t // self.bin

    def _room_for_copies(self, steps: int) -> Array:
        count = 0 if self.learner.weights is None else self._bins(steps)
        return np.empty((count, self.replicates, self.data.dimension))

    def _seen_in(self, steps: int) -> Seen:
        """Return room for what is watched in some steps."""
        if self.watching < 0:
            return NOBODY
        told = () if self._in_parts else self.learner.told[:2]
        return Seen.of(steps, self.data.longest, self.watching, self.stock.used, *told)

    def _note(self, seen: Seen, query: Array) -> None:
        """Keep what was seen of the replicate that is watched, in searches with these queries (B, R)."""
        if seen.replicate >= 0:
            self.keep(seen.columns(query[: len(seen.counts)], self.user, self.learner.in_pairs))

    def _plan(self, query: Array) -> Plan:
        """Return what is drawn for steps with these queries (B, R)."""
        widths, slots = self._widths(query), self.world.slots
        nothing = np.zeros((len(query), self.replicates, 0)), np.zeros(len(query), dtype=np.int64)
        draws, noise = nothing, nothing  # who takes part by hand draws by itself
        if not self._in_parts:
            draws = padded([(self.learner.draws(n, b), b) for n, b in runs(widths)])
        if not answers_by_hand(self.user):
            noise = padded([(self.user.draws(self.user_rng, n, slots, b), b) for n, b in runs(widths)])
        return Plan(query, widths, *draws, *noise, self.t + 1, self._hears, self.bin)

    def _take_block(self, plan: Plan, notes: Array, copies: Array, seen: Seen, given: Given) -> int:
        """Take steps in one compiled call, and let the learner solve what it has to. Return how many ended well."""
        learner, work = self.learner, self._spare  # while the other keeps the latest step of the block before
        state = [learner.state, learner.tally]
        if len(plan.query) > 1:  # a step alone uses up nothing if it fails
            state += self.stock.changing
        before = [array.copy() for array in state]
        taken = self._call(work, plan, notes, copies, seen, given)
        if taken < len(plan.query):  # some replicates went on: do the good steps again
            for array, old in zip(state, before, strict=True):
                array[:] = old
            if taken:
                self._call(work, plan.part(0, taken), notes, copies, seen, given)
        if taken and learner.solves:
            learner.solve(work.delta)
            solved = np.ascontiguousarray(learner.state[:, 0])
            weigh(solved, work, notes[0])
            if (r := seen.replicate) >= 0:
                seen.moved[0] = -1
                note_moved(seen.moved[0], seen.was[0], seen.now[0], work.before[r], solved[r])
            copies[:] = learner.w
            taken = int(np.isfinite(notes[0, :, NORM]).all())
        if taken:
            learner.t += taken
            n, draws = plan.widths[taken - 1], plan.draws[taken - 1, :, : plan.own[taken - 1]].copy()
            self._keep(work, plan.first + taken - 1, plan.query[taken - 1], n, draws)
        return taken

    def _call(self, work: Work, plan: Plan, notes: Array, copies: Array, seen: Seen, given: Given) -> int:
        learner = self.learner
        work.on_page[:] = self._on_page
        work = work.of_learner(learner.rule_numbers(), learner.tally)
        work = work.of_user(self.user.rule_numbers(self.replicates, self.data.top_grade))
        taken: int = call(
            take_steps, (*learner.bound.ready, *self.user.bound.ready, *self._expert.bound.ready),
            learner.how(self.world.slots), plan, self.world, self.stock, work, learner.state, notes, copies, seen,
            given,
        )  # fmt: skip
        return taken

    def _by_hand(self, plan: Plan, notes: Array, copies: Array, seen: Seen, given: Given) -> int:
        """Take one step through methods of the learner or the user in plain Python; return 1 if it ended well."""
        learner, query, work, good = self.learner, plan.query[0], self._spare, self.learned()
        work.on_page[:] = self._on_page
        context, before = self.context(query, work), learner.weights
        n, page = context.n, work.page
        shown, each = learner.present(context), (self.replicates, n)
        if not isinstance(shown, Shown):
            raise ValueError(f"{learner.id} must return a Shown from present, got {named(shown)}")
        page.shown[:, :n] = permutations(shown.ranking, *each, f"{learner.id} must show each document once")
        page.predicted[:, :n] = permutations(shown.predicted, *each, f"{learner.id} must predict a ranking of all")
        page.scores[:, :n] = np.nan if shown.scores is None else shown.scores
        page.marks[:, :n] = False if shown.pairs is None else shown.pairs.swapped
        work.p[:] = shown.swap_probability
        user: User = self.user
        if answers_by_hand(user):
            own = Given.of(user.respond(self.view(shown.ranking, context, work), self.user_rng), given.approved)
            given = given if given.kind else own
            user = self._expert  # whose answer is not heard
        answered, heard = call(
            answer_all, (*user.bound.ready, *self._expert.bound.ready), self._hears, given, self.world, n,
            work.of_user(user.rule_numbers(self.replicates, self.data.top_grade)), plan.noise[0],
        )  # fmt: skip
        clicks, ranking = page.clicks[:, :n].copy(), page.answer[:, :n].copy()
        told = (Feedback(), Feedback(clicks=clicks), Feedback(ranking=ranking))[heard]
        words = f"{learner.id} must return from update the ranking that it learned from, with each document once"
        page.improved[:, :n] = permutations(learner.update(context, shown, told), *each, words)
        after = learner.weights
        weighs = before is not None and after is not None
        work.before[:] = before if weighs else 0.0
        weights = np.array(after, dtype=float) if weighs else np.zeros((0, self.data.dimension))
        close_all(self.world, self.stock, query, n, work, weights, answered, notes[0], seen)
        if np.isinf(notes[0, :, NORM]).any() or (learner.linear and np.isnan(notes[0, :, NORM]).any()):
            self._record = good
            return 0
        copies[:] = after
        self._keep(work, plan.first, query, n, plan.draws[0], shown)
        return 1

    def _keep(self, work: Work, t: int, query: Array, n: int, draws: Array, shown: Shown | None = None) -> None:
        """Note the latest step, t: arrays, queries (R,), documents, random numbers, and what was shown by hand."""
        self._work, self._spare = work, self._work
        self._latest, self._record = (t, query, n, draws, shown), None

    def override(self, response: Response) -> None:
        """Let the user answer this at the next step, whatever is shown; it still draws its random numbers."""
        self._given = response

    def answer(self, items: Sequence[int]) -> None:
        self._approved = np.isin(np.arange(self.data.longest), items)

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

    def context(self, query: Array, work: Work) -> Context:
        """Return the candidates of these queries (R,), which are written to `work`."""
        n, stock = int(self._widths(query[None])[0]), self.stock
        open_all(self.world, stock, query, n, work)
        if stock.used:
            left = stock.left.copy(), self.world.slots, stock.offered.copy(), stock.order.copy()
            return Context(self.world.x, self.world.gamma, *left, rows=work.rows, on_page=self._on_page)
        lengths = None if self.data.same_length else self.world.lengths[query]
        rows = work.rows[:, :n].copy()
        return Context(self.world.x, self.world.gamma[:n], lengths, self.world.slots, rows=rows, on_page=self._on_page)

    def view(self, ranking: Array, context: Context, work: Work) -> View:
        """Return what the user sees and knows of a ranking of the context's documents."""
        n, hidden = context.n, work.hidden
        return View(ranking, hidden.grades[:, :n], hidden.utility[:, :n], context, self.data.top_grade)

    def last(self) -> Any:
        """Return the record of the latest step, or None before the first."""
        return self.learned()

    def learned(self) -> Step | None:
        """Return the record of the latest search that taught the learner, or None before the first."""
        if self._record is None and self._latest is not None:
            self._record = self._recorded(*self._latest)
        return self._record

    def _recorded(self, t: int, query: Array, n: int, draws: Array, shown: Shown | None) -> Step:
        """Return the record of the latest step, from its arrays."""
        learner, work = self.learner, self._work.cut(n)
        page, hidden = work.page, work.hidden
        if self.stock.used:
            there = work.there
            grades, utility = self.stock.all_grades, self.stock.all_utility
        else:
            there = np.arange(n) < work.left[:, None]
            grades, utility = hidden.grades, hidden.utility
            page.scores[~there] = 0.0  # left over from longer queries
        after = learner.weights
        if shown is None:
            shown = learner.seen(work._replace(hidden=None), draws)  # type: ignore[arg-type]  # nothing of the user's
        answered = RANKING if self.user.gives == "ranking" else CLICKS
        return Step(
            t, query, work.rows, shown, response(work, answered), page.improved,
            None if after is None else work.before, after, np.where(there, grades, -1.0),
            np.where(there, utility, -np.inf), work.left,
            np.minimum(np.minimum(work.on_page, self.world.slots), work.left),
        )  # fmt: skip
