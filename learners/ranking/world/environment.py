"""The environment of the ranking learners: it draws queries, asks the user and lets the learner learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.ranking import RankingData
from learners.base import Array, Shape
from learners.environment import Order, Stepwise
from learners.metric import Metric
from learners.random import Seeds
from learners.ranking.base import Context, Feedback, RankingLearner, Shown
from learners.ranking.parts.shared import SharedRows
from learners.ranking.parts.sparse import SparseRows
from learners.ranking.users.base import Response, User, View
from learners.ranking.users.expert import Expert
from learners.ranking.world.measurement import Measures, Note
from learners.ranking.world.slots import cut
from learners.ranking.world.stability import Stability
from learners.ranking.world.truth import World, masked


@dataclass(frozen=True)
class Step:
    """The latest step, for the inspector. The first axis of every array is the replicate.

    t : number of the step, from 1. query : (R,) number of the query. documents : (R, n) rows of the data's features.
    shown, response, feedback_ranking : what was presented, answered and learned from. before, after : (R, d) weights,
    or None. grades, utility : (R, n) of each document. lengths : (R,) documents of each query, or those still offered;
    all others have grade −1 and utility −inf.
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


class RankingEnvironment(Stepwise):
    """Runs one ranking learner on R replicates, each in a query order of its own.

    A step only notes what happened. `measure` turns the notes of many steps into metrics at once.
    """

    shared: ClassVar[tuple[str, ...]] = ("_shared",)

    def __init__(self, data: RankingData, user: User, learner: RankingLearner, replicates: int, seeds: Seeds) -> None:
        self.data, self.user, self.learner, self.replicates = data, user, learner, replicates
        order, users, own, probes = seeds.spawn(4)
        self.order = Order(data.queries, order)
        self.user_rng = users
        self.world = World(data, order.replicate)
        self.t = 0
        self._shared = SharedRows(data.features, replicates) if data.consumable and not data.sparse else None
        self._offered: Array | None = None  # documents offered in the latest step, and their number
        self._lengths: Array | None = None
        self._notes: list[Note] = []
        self._latest: tuple[Array, Array, Shown, Response, Array, Array | None, Array | None] | None = None
        shape = Shape(data.dimension, data.longest, data.initial_weights, largest=data.largest)
        learner.reset(shape, replicates, own)
        self._override: Response | None = None  # the answer to the next step, in place of the user's
        self._expert: Expert | None = None
        self._measures = Measures(self.world, learner, replicates, alpha=1.0)
        self.changed()
        self._stability = Stability(data, replicates, probes.common, learner.weights)

    def changed(self) -> None:
        """Take over the learner's expert and bounds, and the user's α."""
        self._expert = Expert(optimal=self.learner.params["optimal"]) if self.learner.hears == "optimal" else None
        self._measures.changed(self.user.informativeness if self._expert is None else 1.0)

    def override(self, response: Response) -> None:
        """Let this response take the place of the user's in the next step. The user's noise is drawn all the same."""
        self._override = response

    def step(self) -> None:
        """Observe, present, obtain feedback, update."""
        query = self.order.next()
        context, documents = self._context(query)
        before = self.learner.weights
        shown = self.learner.present(context)
        view = self._view(shown.ranking, documents, context)
        response = self.user.respond(view, self.user_rng)
        if self._override is not None:
            response, self._override = self._override, None
        heard = Feedback(clicks=response.clicks, ranking=response.ranking)
        if self._expert is not None:
            heard = Feedback(ranking=self._expert.respond(view, self.user_rng).ranking)
        elif self.learner.hears == "nothing":
            heard = Feedback()
        improved = self.learner.update(context, shown, heard)
        after = self.learner.weights
        norm = np.nan if after is None else np.sqrt(np.einsum("rd,rd->r", after, after))
        self.t += 1
        self._notes.append(self._note(query, shown, improved, norm))
        self._latest = (query, documents, shown, response, improved, before, after)
        self._offered, self._lengths = context.offered, context.lengths
        if self.world.stock is not None:  # what was shown or answered is used up ([C] §6.1.2)
            self.world.stock.take(
                np.concatenate([shown.ranking[:, : context.slots], improved[:, : context.slots]], axis=1)
            )
        self._stability.note(self.t, after)

    def _note(self, query: Array, shown: Shown, improved: Array, norm: Array | float) -> Note:
        """Return what is kept of a step until it is measured. With few slots that is little."""
        stock, slots = self.world.stock, self.data.slots
        if stock is None or slots is None:
            return Note(query, shown, improved, norm)
        shown, improved, seen = cut(
            stock, shown, improved, self.world.gamma, min(slots, self.data.longest), self.world.cutoff
        )
        return Note(query, shown, improved, norm, seen)

    def _context(self, query: Array) -> tuple[Context, Array]:
        """Return the candidates of these queries (R,), and the rows of the data that they come from, (R, n)."""
        stock = self.world.stock
        if stock is not None and self._shared is not None:
            documents = np.broadcast_to(np.arange(self.data.longest), stock.offered.shape)
            few = stock.count.min() < min(self.data.slots or 1, self.data.longest)
            gamma = masked(self.world.gamma, stock.count, 0.0) if few else self.world.gamma
            left = stock.count, self.data.slots, stock.offered, stock.order
            return Context(self._shared, gamma, *left), documents
        documents = self.data.candidates(query)
        lengths = self.world.lengths(query)
        gamma = masked(self.world.gamma[: documents.shape[1]], lengths, 0.0)
        if self.data.sparse:
            rows = SparseRows.of(self.data.features, documents)
            return Context(rows, gamma, lengths, self.data.slots), documents
        features = self.data.features.take(documents, axis=0)
        if features.dtype != np.float64:
            features = features.astype(np.float64)
        return Context(features, gamma, lengths, self.data.slots), documents

    def _view(self, ranking: Array, documents: Array, context: Context) -> View:
        """Return what the user sees and knows of a ranking of the context's documents."""
        stock, lengths = self.world.stock, context.lengths
        if stock is not None:
            return View(ranking, stock.grades, stock.utility, context)
        return View(
            ranking,
            lambda: self.world.grades_of(documents, lengths),
            lambda: self.world.utility_of(documents, lengths),
            context,
        )

    def _truth(self, query: Array, documents: Array) -> tuple[Array, Array]:
        """Return the grades and utilities (R, n) of the documents of these queries (R,)."""
        lengths = self.world.lengths(query)
        return self.world.grades_of(documents, lengths), self.world.utility_of(documents, lengths)

    def last(self) -> Step | None:
        """Return the record of the latest step, or None before the first."""
        if self._latest is None:
            return None
        query, documents, shown, response, improved, before, after = self._latest
        grades, utility = self._truth(query, documents)
        counts = self.data.lengths[query]
        if self._offered is not None and self._lengths is not None:
            grades, utility = np.where(self._offered, grades, -1.0), np.where(self._offered, utility, -np.inf)
            counts = self._lengths
        return Step(self.t, query, documents, shown, response, improved, before, after, grades, utility, counts)

    def measure(self) -> dict[Metric, Array]:
        """Return the metrics of the steps noted since the last call, each (B, R)."""
        notes, self._notes = self._notes, []
        return self._measures.of(notes, self._stability.values(len(notes)))
