"""The base class of click bandits that keep statistics of each document, or of each pair of documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import datasets
from learners.base import Array, Shape
from learners.compiled import compiled
from learners.ranking.base import RankingLearner
from learners.ranking.step.page import Page
from learners.ranking.step.rankings import sort
from learners.wording import listed

MOST_LISTED = 100  # documents of a list, for which a table of pairs has 10,000 numbers


@compiled
def rank_shuffled(page: Page, values: Array, draws: Array, ranking: Array) -> None:
    """Write the documents by falling value to `ranking` (n,), ties in random order.

    draws : (n,) uniform in [0, 1). `page.partner`, `page.improved`, `page.place` and `page.tried` are overwritten.
    """
    n = ranking.shape[0]
    sort(draws, n, page.partner, page.place)
    for i in range(n):
        page.tried[i] = values[page.partner[i]]
    sort(page.tried, n, page.improved, page.place)
    for i in range(n):
        ranking[i] = page.partner[page.improved[i]]


@dataclass(kw_only=True)
class TabularLearner(RankingLearner):
    """Base of the learners without weights, which tell documents apart by their numbers alone.

    They need data that offer one fixed list of candidates, and a user who clicks.

    >>> from learners import Simulation
    >>> Simulation("top-rank", "web-search")
    Traceback (most recent call last):
    ValueError: top-rank keeps numbers of each document, so it needs data with one fixed list of candidates, which \
toy-ranking, graded-list and one-list have
    """

    linear: ClassVar[bool] = False
    fixed_list: ClassVar[bool] = True
    needs: ClassVar[str] = "clicks, and one fixed list of candidates"
    says: ClassVar[Mapping[str, str]] = {
        **RankingLearner.says,
        "observe": "The same list of documents is offered as in every step.",
        "feedback": "The user clicks some of the documents shown, or none.",
    }

    def unfit(self, data: Any, user: Any) -> str:
        if not getattr(data, "fixed_candidates", False):
            fixed = [id for id, kind in datasets.classes().items() if getattr(kind, "fixed_candidates", False)]
            return (
                f"{self.id} keeps numbers of each document, so it needs data with one fixed list of candidates, which "
                f"{listed(fixed)} {'has' if len(fixed) == 1 else 'have'}"
            )
        if (n := data.size().documents) > MOST_LISTED:
            return f"{self.id} keeps numbers of each document and takes at most {MOST_LISTED} of them, got {n}"
        if user.gives != "clicks":
            return f"{self.id} learns from clicks, but {user.id} answers with a ranking; choose a user who clicks"
        return ""

    def cells_in(self, shape: Shape) -> tuple[int, int, int]:
        n, first = shape.documents, self.cells.count("")
        rows = sum(n if "{i}" in name else 1 for name in self.cells if name)
        return first * n, min(rows * n, self.remembered(shape) - first * n), n

    def memory(self, shape: Shape, replicates: int) -> int:
        return 8 * replicates * (self.remembered(shape) + shape.features + 1)
