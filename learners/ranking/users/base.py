"""Simulated users of a ranking: what they see and know, and what they answer."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import Declared
from datasets.ranking import RankingData
from learners.base import Array
from learners.random import Stream
from learners.ranking.step import steps
from learners.ranking.step.context import Context
from learners.ranking.step.page import CLICKS, RESPOND
from learners.ranking.step.work import Work, rows_of
from learners.ranking.users.attention import Attention
from learners.rule import BoundRule, bind, call


@dataclass(frozen=True)
class View:
    """All that a user sees and knows in one step. A learner never meets a View.

    shown : (R, n) the ranking shown. grades : (R, n) relevance grade of each document, and utility : (R, n) its true
    utility w* · x; −1 and −inf beyond the length of a shorter query. context : of the step, for the arithmetic of
    rankings. top_grade : the highest grade of the scale that the data declare, or None.
    """

    shown: Array
    grades: Array
    utility: Array
    context: Context
    top_grade: int | None = None


@dataclass(frozen=True)
class Response:
    """The reaction of a user: clicks, or an improved ranking.

    clicks : (R, n) bool by shown position, or None.
    ranking : (R, n) ȳ, or None.
    judged : (R, n) by shown position: 1 judged relevant, 0 judged irrelevant, −1 not looked at. Only the step
        inspector reads it.
    """

    clicks: Array | None = None
    ranking: Array | None = None
    judged: Array | None = None

    def clicked_and_passed(self) -> tuple[Array, Array]:
        """Return which documents were clicked, and which were looked at and not clicked, (R, n) bool by position.

        Raises
        ------
        ValueError : for a response without clicks.
        """
        if self.clicks is None:
            raise ValueError("this user did not click but answered with a ranking")
        seen = np.zeros(self.clicks.shape, dtype=bool) if self.judged is None else self.judged == 0
        return self.clicks, seen & ~self.clicks


@dataclass(kw_only=True)
class User(Declared):
    """A simulated user.

    Noise is drawn per document, not per position, and as many numbers are drawn whatever is shown. So learners raced
    on one seed meet the same noise.
    """

    circumstance: ClassVar[bool] = True
    family: ClassVar[str] = "ranking"
    gives: ClassVar[str] = "clicks"  # or "ranking"
    mistakes: ClassVar[str] = ""  # the parameter that says how often or how far it errs, 0 for never

    rule: ClassVar[Any] = None  # the answer, a compiled function for one replicate (see `step.page`)
    by_document: ClassVar[str] = ""  # what is drawn for each document: "random", "standard_normal", or nothing

    @property
    def bound(self) -> BoundRule:
        """Its rule, as loops take it."""
        return bind((RESPOND,), (self.rule,))

    def draws(self, rng: Stream, n: int, slots: int, steps: int) -> Array:
        """Draw the random numbers of some steps with n documents, (steps, R, ·)."""
        if not self.by_document:
            return np.zeros((steps, rng.replicates, 0))
        return rows_of(getattr(rng, self.by_document), steps, n)

    def unfit(self, data: RankingData) -> str:
        """Return in a sentence why this user cannot judge the documents of these data, or an empty text."""
        return ""

    def rule_numbers(self, replicates: int, top_grade: int | None = None) -> Array:
        """Return the numbers of the rule, (R, ·): by default the parameters that it names.

        top_grade : the highest grade of the scale that the data declare, or None.
        """
        return self.bound.numbers(self, replicates)

    def respond(self, view: View, rng: Stream) -> Response:
        """Return the answer to what is shown. `rng` is the users' own stream of random numbers."""
        context = view.context
        noise = self.draws(rng, context.n, context.slots, 1)[0]
        work = context.work().of_user(self.rule_numbers(len(view.shown), view.top_grade))
        work.page.shown[:], work.hidden.grades[:], work.hidden.utility[:] = view.shown, view.grades, view.utility
        answered = call(steps.respond_all, self.bound.ready, work, *context.page, noise)
        return response(work, answered)

    def mistaken(self, grades: Array, response: Response) -> Array:
        """Return which clicks, and which documents passed over, are mistakes, (R, n) bool by shown position.

        By default it is a click on a document of a lower grade than one that was passed over above it.

        grades : (R, n) of the documents by shown position.

        >>> answer = Response(clicks=np.array([[False, True, False]]), judged=np.array([[0, 1, -1]]))
        >>> User().mistaken(np.array([[2.0, 1.0, 0.0]]), answer)
        array([[False,  True, False]])
        """
        clicks, passed = response.clicked_and_passed()
        above = np.maximum.accumulate(np.where(passed, grades, -1.0), axis=1)
        lower: Array = clicks & (grades < above)
        return lower

    def attention(self, grades: Array, top_grade: int | None = None) -> Attention | None:
        """Return how likely each position of a ranking is looked at and clicked, or None for users who say no such.

        grades : (R, n) of the documents by shown position, −1 beyond those there. top_grade : as for `rule_numbers`.
        """
        return None

    @property
    def page(self) -> int | Array | None:
        """How many results stand on the page, below which it never looks, a number or (R,); None if all do.

        An engine knows its own page, so that learners hear of it (`Context.on_page`).
        """
        return None

    @property
    def informativeness(self) -> float | Array:
        """The α at which slacks are measured: the user's own α if it has one, else 1.

        The slack ξ_t is the amount by which the gain falls short of α times the gap ([C] Eq. 6), so the bounds hold
        for every α. For a user without an α they are tightest at 1.
        """
        return 1.0


def answers_by_hand(user: User) -> bool:
    """Return whether the user answers by a method of its own, in plain Python, and not by a rule."""
    return type(user).respond is not User.respond


def response(work: Work, answered: int) -> Response:
    """Return what the user did, from the arrays of the step."""
    if answered != CLICKS:
        return Response(ranking=work.hidden.answer)
    return Response(clicks=work.hidden.clicks, judged=work.hidden.judged)
