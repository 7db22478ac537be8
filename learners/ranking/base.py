"""The base class of the ranking learners, and the records of their input, ranking and feedback.

Shapes: R replicates, n candidate documents per query (of the longest query if lengths differ), d features. A ranking
is an (R, n) array of document numbers, best first. Documents beyond the length of a shorter query stand at the end and
count for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from learners.base import Array, Learner, Shape
from learners.compiled import compiled
from learners.random import Source, Stream
from learners.ranking.step import steps
from learners.ranking.step.context import Context
from learners.ranking.step.page import CLICKS, LEARN, NOTHING, PRESENT, RANKING, Page
from learners.ranking.step.steps import READINGS, How
from learners.ranking.step.work import Work, rows_of
from learners.rule import BoundRule, bind, call, written_by_hand
from learners.vectors import copy

__all__ = ["Context", "Feedback", "RankingLearner", "Shown", "Swaps"]


@dataclass(frozen=True)
class Swaps:
    """Adjacent positions in pairs, as in FairPairs ([S] Alg. 3).

    partner : (R, n) the position paired with each position; the position itself if it stands alone.
    swapped : (R, n) bool, whether the documents of the pair were exchanged before they were shown.
    """

    partner: Array
    swapped: Array


@dataclass(frozen=True)
class Shown:
    """The ranking that a learner shows, and how it came about.

    ranking : (R, n) y_t, the ranking that the user sees.
    predicted : (R, n) ŷ_t, the best ranking by the learner's weights.
    scores : (R, n) the learner's score of each document, or None.
    pairs, swap_probability : set by learners that perturb; the probability is a number or (R,).
    draws : (R, ·) the random numbers of the learner in this step.
    """

    ranking: Array
    predicted: Array
    scores: Array | None = None
    pairs: Swaps | None = None
    swap_probability: float | Array = 0.0
    draws: Array | None = None


@dataclass(frozen=True)
class Feedback:
    """The feedback of a step: clicks on positions of the ranking shown, or an improved ranking.

    clicks : (R, n) bool by position, or None.
    ranking : (R, n) ȳ_t, or None.
    """

    clicks: Array | None = None
    ranking: Array | None = None


@compiled
def show_best(page: Page) -> float:
    """Present ŷ_t as it is."""
    copy(page.predicted, page.shown)
    return 0.0


@compiled
def learn_nothing(page: Page, w: Array, delta: Array, change: float, heard: int) -> None:
    """Keep the weights."""


@dataclass(kw_only=True)
class RankingLearner(Learner):
    """The coactive template ([C] §4): observe, present, obtain feedback, update w, shape (R, d).

    An algorithm is two compiled rules, for one replicate (see `step.page`): `rule_to_present` writes the ranking to
    show, and `rule_to_learn` changes the state, an array (R, rows, d) whose first row are the weights that score
    documents. Simulations run the rules of many steps at once; `present` and `update` run those of a single step. A
    learner that solves a system, or trains a model, does so in `solve`, for all replicates, after the rules of each
    step. Another that is no such loop overrides `present` or `update`.
    """

    family: ClassVar[str] = "ranking"
    says: ClassVar[Mapping[str, str]] = {
        "start": "It begins with weights w of 0, unless the data set says otherwise.",
        "observe": "A query x arrives with its candidate documents.",
        "predict": (
            "It scores each document by its weights w and shows the ranking y with the highest total. φ(x, y) adds up "
            "the features of the documents, and a document counts the more, the higher it stands."
        ),
        "feedback": "What the user does is made into a feedback ranking ȳ, which should be better than y.",
        "update": (
            "It adds the features of ȳ to the weights w and subtracts those of y, so that documents that moved up "
            "score higher from now on."
        ),
    }
    hears: ClassVar[str] = "user"  # the user's feedback; or "optimal", the best ranking y*; or "nothing"

    rule_to_present: ClassVar[Any] = staticmethod(show_best)
    rule_to_learn: ClassVar[Any] = staticmethod(learn_nothing)
    rows: ClassVar[int] = 1  # vectors (d,) of the state, the first of which are the weights
    remembers: ClassVar[int] = 0  # numbers that the rules keep from step to step in `page.memory`
    linear: ClassVar[bool] = True  # whether it ranks by weights
    compares: ClassVar[bool] = False  # whether it only learns which of the two documents on top is preferred
    reads: ClassVar[bool] = False  # whether its rules read the features of documents, `page.x`
    cells: ClassVar[tuple[str, ...]] = ()  # names of what it remembers that tell a step's change, see `cells_in`
    listing: ClassVar[str] = ""  # how it fills the list, if not by score: the start of a sentence of the inspector
    retrains: ClassVar[bool] = False  # whether its weights only change now and then, by all that it has gathered

    @property
    def solves(self) -> bool:
        """Whether it has to `solve` something after each step."""
        return type(self).solve is not RankingLearner.solve

    @property
    def tries(self) -> int:
        """How many directions it tries at a time; the first of its draws, d for each."""
        return 0

    def effort(self, n: int, d: int) -> float:
        """Return about how many products of numbers a step takes beside scoring n documents of d features."""
        return float(n * d * self.tries)

    @property
    def reading(self) -> str:
        """How it reads clicks, one of READINGS."""
        return "top"

    @property
    def in_pairs(self) -> bool:
        """Whether it shows documents in pairs."""
        return False

    def remembered(self, shape: Shape) -> int:
        """Return how many numbers the rules keep in `page.memory` for these data."""
        return self.remembers

    def cells_in(self, shape: Shape) -> tuple[int, int, int]:
        """Return the place in `page.memory` of the first number that `cells` name, their number, and that of a row.

        Each names a row, with {j} for the place in it, or leaves it out by ""; the last one names all rows that are
        left, with {i} for the row. Behind a slash stands what lies below the diagonal, behind semicolons the last
        places of a row. Where weights tell what a step changed, none are named.
        """
        return 0, 0, 1

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        """Forget everything. `rng` is the learner's own stream of random numbers (or a plain generator, for one)."""
        self.rng, self.t = Stream.of(rng, replicates), 0  # t : steps learned from
        self.tally: Array = np.zeros((replicates, self.remembered(shape)))
        self.told = self.cells_in(shape)
        self.state: Array = np.zeros((replicates, self.rows, shape.features))
        if shape.initial_weights is not None:
            self.state[:, 0] = shape.initial_weights

    @property
    def w(self) -> Array:
        """(R, d) the weights, copied."""
        return self.state[:, 0].copy()

    @w.setter
    def w(self, weights: Array) -> None:
        self.state[:, 0] = weights

    @property
    def weights(self) -> Array | None:
        return self.w if self.linear else None

    def remark(self, replicate: int) -> str:
        """Return a sentence on how the latest step was used, where it was not just added to w, or ""."""
        return ""

    def draws(self, n: int, steps: int) -> Array:
        """Draw the random numbers of some steps with n documents, (steps, R, ·)."""
        if self.in_pairs:
            return rows_of(self.rng.random, steps, 2 + n // 2)
        return np.zeros((steps, self.rng.replicates, 0))

    def how(self, slots: int) -> How:
        """Return how it takes part in a step."""
        places = slots + 1 if self.in_pairs else 1  # a pair may reach one place beyond the last slot
        return How(self.linear, self.tries, places, READINGS.index(self.reading))

    @property
    def bound(self) -> BoundRule:
        """Its rules, as loops take them."""
        return bind((PRESENT, LEARN), (self.rule_to_present, self.rule_to_learn))

    def rule_numbers(self) -> Array:
        """Return what the rules name, (R, ·)."""
        return self.bound.numbers(self, self.rng.replicates)

    def scores(self, context: Context) -> Array:
        """Return w · x of every document, shape (R, n)."""
        return context.scores(np.asarray(self.weights))

    def present(self, context: Context) -> Shown:
        """Return the ranking to show."""
        draws = self.draws(context.n, 1)[0]
        work = context.work(self.rule_numbers(), self.tally, self.tries, self.reads)
        call(
            steps.present_all, self.bound.ready[:1],
            self.how(context.slots), work, self.t + 1, *context.page, draws, context.x, self.state,
        )  # fmt: skip
        return self.seen(work, draws)

    def seen(self, work: Work, draws: Array) -> Shown:
        """Return what was presented, from the arrays of the step."""
        page = work.page
        pairs = Swaps(page.partner, page.marks) if self.in_pairs else None
        return Shown(page.shown, page.predicted, page.scores if self.linear else None, pairs, work.p, draws)

    def recall(self, work: Work, shown: Shown) -> None:
        """Write what was presented to the arrays of the step."""
        if shown.pairs is not None:
            work.page.partner[:], work.page.marks[:] = shown.pairs.partner, shown.pairs.swapped

    def update(self, context: Context, shown: Shown, feedback: Feedback) -> Array:
        """Learn from the feedback and return the feedback ranking ȳ, shape (R, n), that was learned from.

        Raises
        ------
        ValueError : for pair feedback on a ranking that was not shown in pairs.
        """
        work, heard = self.hear(context, shown, feedback)
        draws = np.zeros((len(work.p), 0)) if shown.draws is None else shown.draws
        call(
            steps.learn_all, self.bound.ready[1:],
            self.how(context.slots), work, self.t + 1, *context.page, draws, context.x, self.state, heard,
        )  # fmt: skip
        self.solve(work.delta)
        self.t += 1
        return work.page.improved if feedback.ranking is None else feedback.ranking

    def solve(self, delta: Array) -> None:
        """Learn from φ(x, ȳ) − φ(x, y), (R, d), after the rules; for learners that solve a system or train a model."""

    def hear(self, context: Context, shown: Shown, feedback: Feedback) -> tuple[Work, int]:
        """Return the arrays of the step with what was shown and heard, and which kind of feedback it is."""
        work = context.work(self.rule_numbers(), self.tally, self.tries, self.reads)
        work.page.shown[:], work.page.predicted[:] = shown.ranking, shown.predicted
        if shown.scores is not None:
            work.page.scores[:] = shown.scores
        self.recall(work, shown)
        if feedback.ranking is not None:
            work.page.answer[:] = feedback.ranking
            return work, RANKING
        if feedback.clicks is None or self.hears == "nothing":
            return work, NOTHING
        if self.reading == "pair" and shown.pairs is None:
            raise ValueError("pair feedback needs a ranking that was shown in pairs")
        work.page.clicks[:] = feedback.clicks
        return work, CLICKS


def presents_by_hand(learner: RankingLearner) -> bool:
    """Return whether the learner takes part by methods of its own, in plain Python, and not by its rules."""
    return written_by_hand(learner, RankingLearner)
