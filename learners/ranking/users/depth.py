"""The user who looks at the first k documents and puts the five of highest grade on top ([C] §6.1.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import integer
from learners.base import Array, column
from learners.random import Stream
from learners.ranking.users.base import Response, User, View

FIVE = 5


@dataclass(kw_only=True)
class Depth(User):
    """Puts the five highest grades among the top k on top, by falling grade; equal ones in the order shown.

    What is below keeps its order. With fewer than five documents to look at, all of those are put in order.
    """

    id: ClassVar[str] = "depth"
    title: ClassVar[str] = "Grading user (to depth k)"
    summary: ClassVar[str] = (
        "Looks at the first k results and puts the five of highest relevance grade on top. As no linear model fits "
        "the grades exactly, this feedback is noisy however carefully it is given."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "§6.1.1"
    gives: ClassVar[str] = "ranking"

    k: int = integer(
        10, 1, 1000, symbol="k", named=True,
        help="How many results the user looks at. The paper compares 10 and 25: looking deeper does not help when "
        "grades are noisy.",
    )  # fmt: skip

    def respond(self, view: View, rng: Stream) -> Response:
        deepest = min(int(np.max(self.k)), view.context.n)
        looked = np.arange(deepest) < column(self.k)
        grades = view.context.take(view.grades, view.shown[:, :deepest])
        # what is not there has the grade −1
        return Response(ranking=put_first(view, np.where(looked & (grades >= 0), grades, -np.inf)))


def put_first(view: View, value: Array) -> Array:
    """(R, n) the ranking shown with the five of highest value on top, by falling value, then the others.

    value : (R, m) by shown position, of the first m; −inf for those that are not to be moved.
    """
    best = np.argsort(-value, axis=1, kind="stable")[:, :FIVE]
    moved = np.take_along_axis(value, best, axis=1) > -np.inf
    key = np.arange(view.context.n, dtype=float)[None, :].repeat(len(value), axis=0)
    top = np.where(moved, np.arange(-FIVE, best.shape[1] - FIVE), best)
    np.put_along_axis(key, best, top, axis=1)
    return view.context.take(view.shown, np.argsort(key, axis=1, kind="stable"))
