"""The user of the web search benchmark, who sees grades through Gaussian noise ([S] §8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import real
from learners.random import EACH, Stream
from learners.ranking.users.base import Response, User, View

DEPTH, CLICKS = 10, 5


@dataclass(kw_only=True)
class NoisyGrades(User):
    """Adds Gaussian noise to the grade of each document and clicks the five highest of the top ten."""

    id: ClassVar[str] = "noisy-grades"
    title: ClassVar[str] = "Grading user (Gaussian noise)"
    summary: ClassVar[str] = (
        "Sees the relevance grade of each of the first ten results with Gaussian noise added, and clicks the five "
        "that seem best."
    )
    paper: ClassVar[str] = "S"
    section: ClassVar[str] = "§8"

    sigma: float = real(
        1.0, 0, 10, symbol="σ", step=0.25,
        help="Standard deviation of the noise, in grades. 1 is the paper's; 0 is a user who never errs.",
    )  # fmt: skip

    def respond(self, view: View, rng: Stream) -> Response:
        noise = rng.standard_normal((EACH, view.context.n)) * np.reshape(self.sigma, (-1, 1))
        looked = (np.arange(view.context.n) < DEPTH) & view.present
        seen = np.where(looked, view.in_order(view.grades + noise), -np.inf)
        clicks = np.zeros(view.shown.shape, dtype=bool)
        best = np.argsort(-seen[:, :DEPTH], axis=1, kind="stable")[:, :CLICKS]  # positions, not documents
        clicks.put(view.context.flat(best), True)
        clicks &= looked
        return Response(clicks=clicks, judged=np.where(looked, clicks, np.int8(-1)))
