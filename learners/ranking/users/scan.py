"""The user of the news benchmarks, who scans ten results and clicks up to five ([S] §8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import integer, real
from learners.random import EACH, Stream
from learners.ranking.users.base import Response, User, View
from learners.ranking.users.cascade import judge

DEPTH, CLICKS = 10, 5


@dataclass(kw_only=True)
class Scan(User):
    """Scans the first ten documents and clicks up to five that are judged relevant.

    Each judgement is wrong with probability `noise`.
    """

    id: ClassVar[str] = "scan"
    title: ClassVar[str] = "Scanning user (up to five clicks)"
    summary: ClassVar[str] = (
        "Reads the first ten results and clicks up to five that seem relevant. Each judgement is wrong with "
        "probability noise."
    )
    paper: ClassVar[str] = "S"
    section: ClassVar[str] = "§8"

    noise: float = real(
        0.2, 0, 1, symbol="η", step=0.05,
        help="Chance that a single judgement is wrong. 0.2 is the paper's; 0.5 makes clicks meaningless.",
    )  # fmt: skip
    relevant_from: int = integer(
        1, 1, 4, help="Lowest grade that counts as relevant. It matters for data with grades above 1."
    )

    def respond(self, view: View, rng: Stream) -> Response:
        wrong = rng.random((EACH, view.context.n)) < np.reshape(self.noise, (-1, 1))
        relevant = judge(view, wrong, self.relevant_from)
        seen_before = np.cumsum(relevant, axis=1) - relevant
        looked = (seen_before < CLICKS) & (np.arange(view.shown.shape[1]) < DEPTH) & view.present
        return Response(clicks=relevant & looked, judged=np.where(looked, relevant, np.int8(-1)).astype(np.int8))
