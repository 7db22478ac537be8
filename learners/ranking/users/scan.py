"""The user of the news benchmarks, who scans ten results and clicks up to five ([S] §8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Array
from learners.compiled import compiled
from learners.ranking.step.page import CLICKS, Hidden, Page
from learners.ranking.users.answers import JudgingUser, seems_relevant
from learners.ranking.users.attention import Attention, there

DEPTH, MOST = 10, 5


@compiled
def click_relevant(page: Page, hidden: Hidden, noise: float, relevant_from: int) -> int:
    """Click the first five of the first ten documents that are judged relevant."""
    hidden.clicks[:], hidden.judged[:] = False, -1
    found = 0
    for i in range(min(page.size, DEPTH)):
        relevant = seems_relevant(page, hidden, i, noise, relevant_from)
        hidden.clicks[i] = hidden.judged[i] = relevant
        found += relevant
        if found == MOST:
            break
    return CLICKS


@dataclass(kw_only=True)
class Scan(JudgingUser):
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

    def attention(self, grades: Array, top_grade: int | None = None) -> Attention:
        click = self.relevant(grades)
        offered = there(grades, DEPTH)
        clicked_so_far = np.zeros((len(grades), MOST))  # the chance of each number of clicks, of those who still read
        clicked_so_far[:, 0] = 1.0
        looked, still = np.zeros(grades.shape), np.ones(len(grades))
        for i in range(min(grades.shape[1], DEPTH)):
            still = np.minimum(still, clicked_so_far.sum(axis=1))  # which rounding might raise
            looked[:, i] = np.where(offered[:, i], still, 0.0)
            one_more = np.pad(clicked_so_far, ((0, 0), (1, 0)))[:, :MOST]
            clicked_so_far = clicked_so_far * (1 - click[:, i, None]) + one_more * click[:, i, None]
        below = np.concatenate([looked[:, 1:], np.zeros((len(grades), 1))], axis=1)
        return Attention(looked, looked * click, looked - below)

    @property
    def page(self) -> int:
        return DEPTH

    rule: ClassVar[Any] = staticmethod(click_relevant)
