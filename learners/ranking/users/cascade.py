"""The user of the toy example, who clicks the first document judged relevant ([S] §4.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import integer, real
from learners.base import Array
from learners.random import EACH, Stream
from learners.ranking.users.base import Response, User, View


def judge(view: View, wrong: Array, relevant_from: int | Array) -> Array:
    """Return whether each document is judged relevant, (R, n) bool by position.

    wrong : (R, n) bool by document, where the judgement is wrong.
    relevant_from : lowest relevant grade, a number or (R,).
    """
    relevant = view.grades >= np.reshape(relevant_from, (-1, 1))
    return view.in_order(relevant ^ wrong) & view.present


@dataclass(kw_only=True)
class Cascade(User):
    """Scans from the top, clicks the first document judged relevant, and stops.

    Each judgement is wrong with probability `noise`.
    """

    id: ClassVar[str] = "cascade"
    title: ClassVar[str] = "Impatient user (one click)"
    summary: ClassVar[str] = (
        "Reads from the top and clicks the first document that seems relevant, then leaves. Each judgement is "
        "wrong with probability noise."
    )
    paper: ClassVar[str] = "S"
    section: ClassVar[str] = "§4.2"

    noise: float = real(
        0.2, 0, 1, symbol="η", step=0.05,
        help="Chance that a single judgement is wrong. 0.2 is the paper's; try 0 to see the perceptron behave.",
    )  # fmt: skip
    relevant_from: int = integer(
        1, 1, 4, help="Lowest grade that counts as relevant. It matters for data with grades above 1."
    )

    def respond(self, view: View, rng: Stream) -> Response:
        wrong = rng.random((EACH, view.context.n)) < np.reshape(self.noise, (-1, 1))
        relevant = judge(view, wrong, self.relevant_from)
        seen_before = np.cumsum(relevant, axis=1) - relevant  # documents judged relevant above each position
        clicks = relevant & (seen_before == 0)
        judged = np.where((seen_before == 0) & view.present, relevant.astype(np.int8), np.int8(-1))
        return Response(clicks=clicks, judged=judged)
