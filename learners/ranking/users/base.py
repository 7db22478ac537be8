"""Simulated users of a ranking: what they see and know, and what they answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from datasets.parameters import Declared
from learners.base import Array
from learners.random import Stream
from learners.ranking.base import Context

Known = Array | Callable[[], Array]


class View:
    """What a user sees and knows in one step. A learner never meets a View.

    Parameters
    ----------
    shown : (R, n) the ranking shown.
    grades : (R, n) relevance grade of each document, −1 beyond the length of a shorter query; or a function that
        returns it and is called only if the user needs it.
    utility : (R, n) true utility w* · x of each document, −inf beyond a shorter query's length, or such a function.
    context : the context of the step, for the arithmetic of rankings.
    """

    def __init__(self, shown: Array, grades: Known, utility: Known, context: Context) -> None:
        self.shown, self.context = shown, context
        self._grades, self._utility = grades, utility

    @cached_property
    def grades(self) -> Array:
        return self._grades() if callable(self._grades) else self._grades

    @cached_property
    def utility(self) -> Array:
        return self._utility() if callable(self._utility) else self._utility

    def in_order(self, values: Array) -> Array:
        """Return values of documents in the order in which the documents are shown, (R, n)."""
        return self.context.take(values, self.shown)

    @property
    def present(self) -> Array:
        """The positions that hold a document: (n,) bool, or (R, n) if lengths differ."""
        positions = np.arange(self.context.n)
        lengths = self.context.lengths
        return positions < (self.context.n if lengths is None else lengths[:, None])


@dataclass(frozen=True)
class Response:
    """What a user does: click, or hand back an improved ranking.

    clicks : (R, n) bool by shown position, or None.
    ranking : (R, n) ȳ, or None.
    judged : (R, n) by shown position: 1 judged relevant, 0 judged irrelevant, −1 not looked at. Only the step
        inspector reads it.
    """

    clicks: Array | None = None
    ranking: Array | None = None
    judged: Array | None = None


@dataclass(kw_only=True)
class User(Declared):
    """A simulated user.

    Noise is drawn per document, not per position, and as many numbers are drawn whatever is shown. So learners raced
    on one seed meet the same noise.
    """

    family: ClassVar[str] = "ranking"
    gives: ClassVar[str] = "clicks"  # or "ranking"

    def respond(self, view: View, rng: Stream) -> Response:
        """Return the answer to what is shown. `rng` is the users' own stream of random numbers."""
        raise NotImplementedError

    @property
    def informativeness(self) -> float | Array:
        """The α at which slacks are measured: the user's own α if it has one, else 1.

        The slack ξ_t is the amount by which the gain falls short of α times the gap ([C] Eq. 6), so the bounds hold
        for every α. For a user without an α they are tightest at 1.
        """
        return 1.0


TOP = 5  # documents that a user puts on top ([C] §6.1.1)


def put_on_top(view: View, value: Array) -> Array:
    """Return the ranking shown with the five documents of highest value on top, by falling value, shape (R, n).

    value : (R, m) by shown position, for the first m positions; −inf for documents that stay where they are. Ties are
        broken, and the documents below arranged, by the order shown.
    """
    best = np.argsort(-value, axis=1, kind="stable")[:, :TOP]
    moved = np.take_along_axis(value, best, axis=1) > -np.inf
    key = np.arange(view.context.n, dtype=float)[None, :].repeat(len(value), axis=0)
    np.put_along_axis(key, best, np.where(moved, np.arange(-TOP, best.shape[1] - TOP), best), axis=1)
    return view.context.take(view.shown, np.argsort(key, axis=1, kind="stable"))
