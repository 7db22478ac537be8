"""The user who looks at the first k documents and puts the five with the highest grades on top ([C] §6.1.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import integer
from learners.base import column
from learners.random import Stream
from learners.ranking.users.base import Response, User, View, put_on_top


@dataclass(kw_only=True)
class Depth(User):
    """Puts the five documents with the highest grades among the first k on top, by falling grade.

    Ties, and the documents below, keep the order shown. If k is less than five, the first k are sorted.
    """

    id: ClassVar[str] = "depth"
    title: ClassVar[str] = "Grading user (to depth k)"
    summary: ClassVar[str] = (
        "Looks at the first k results and puts the five with the highest relevance grades on top. No linear model fits "
        "the grades exactly, so this feedback is noisy however carefully it is given."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "§6.1.1"
    gives: ClassVar[str] = "ranking"

    k: int = integer(
        10, 1, 1000, symbol="k", named=True,
        help="How many results the user looks at. The paper compares 10 and 25. Looking deeper does not help when "
        "grades are noisy.",
    )  # fmt: skip

    def respond(self, view: View, rng: Stream) -> Response:
        deepest = min(int(np.max(self.k)), view.context.n)
        looked = np.arange(deepest) < column(self.k)
        grades = view.context.take(view.grades, view.shown[:, :deepest])
        there = grades >= 0  # the grade is −1 where there is no document
        return Response(ranking=put_on_top(view, np.where(looked & there, grades, -np.inf)))
