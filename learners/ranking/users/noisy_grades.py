"""The user of the web search benchmark, who sees grades through Gaussian noise ([S] §8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Array
from learners.compiled import compiled
from learners.ranking.step.page import CLICKS, Hidden, Page
from learners.ranking.users.base import Response, User

DEPTH, MOST = 10, 5


@compiled
def click_highest(page: Page, hidden: Hidden, sigma: float) -> int:
    """Click the five of the first ten documents whose grades seem highest."""
    hidden.clicks[:], hidden.judged[:] = False, -1
    seen = min(page.size, DEPTH)
    for i in range(seen):
        document = page.shown[i]
        page.key[i] = hidden.grades[document] + hidden.noise[document] * sigma
    for i in range(seen):
        key, above = page.key[i], 0
        for j in range(seen):
            above += (page.key[j] > key) | ((page.key[j] == key) & (j < i))
        hidden.clicks[i] = hidden.judged[i] = above < MOST
    return CLICKS


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

    def mistaken(self, grades: Array, response: Response) -> Array:
        clicks, passed = response.clicked_and_passed()
        seen = -np.sort(np.where(clicks | passed, -grades, np.inf), axis=1)  # grades by falling grade
        last = np.maximum(clicks.sum(axis=1, keepdims=True) - 1, 0)
        least = np.take_along_axis(seen, last, axis=1)  # of what would be clicked without noise
        return (clicks & (grades < least)) | (passed & (grades > least))

    @property
    def page(self) -> int:
        return DEPTH

    rule: ClassVar[Any] = staticmethod(click_highest)
    by_document: ClassVar[str] = "standard_normal"
    mistakes: ClassVar[str] = "sigma"
