"""Simulated users of a ranking: what they know, and what they answer."""

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
    """What a user sees and knows of one step; the learner gets none of it.

    Parameters
    ----------
    shown : (R, n) the ranking shown.
    grades : (R, n) relevance grade of each document, −1 beyond a shorter query's length; or a function
        that gives it, called only if the user asks.
    utility : (R, n) true utility w* · x of each document, −inf beyond a shorter query's length; likewise.
    context : the step's context, for the arithmetic of rankings.
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
        """Values of documents in the order in which the documents are shown, (R, n)."""
        return self.context.take(values, self.shown)

    @property
    def present(self) -> Array:
        """Which positions hold a document: (n,) bool, or (R, n) where lengths differ."""
        positions = np.arange(self.context.n)
        lengths = self.context.lengths
        return positions < (self.context.n if lengths is None else lengths[:, None])


@dataclass(frozen=True)
class Response:
    """What a user does: clicks, or hands back an improved ranking.

    clicks : (R, n) bool by shown position, or None.
    ranking : (R, n) ȳ, or None.
    judged : (R, n) by shown position: 1 judged relevant, 0 judged irrelevant, −1 not looked at; for the
        step inspector alone.
    """

    clicks: Array | None = None
    ranking: Array | None = None
    judged: Array | None = None


@dataclass(kw_only=True)
class User(Declared):
    """A simulated user; `rng` is the users' own stream, so that raced learners meet the same noise.

    Noise is drawn for each document, not for each position, in an amount that does not depend on what
    is shown.
    """

    family: ClassVar[str] = "ranking"
    gives: ClassVar[str] = "clicks"  # or "ranking"

    def respond(self, view: View, rng: Stream) -> Response:
        """The answer to what is shown."""
        raise NotImplementedError

    @property
    def informativeness(self) -> float | Array:
        """The α at which slacks are measured: the user's own where it has one, else 1.

        By [C] Eq. 6 the slack ξ_t is what the gain lacks of α times the gap, so the bounds hold for every
        α; with slacks measured this way they are tightest at 1.
        """
        return 1.0
