"""The expert, who answers with the best ranking y* ([S] §8.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import choice
from learners.random import Stream
from learners.ranking.users.base import Response, User, View


@dataclass(kw_only=True)
class Expert(User):
    """Answers with y*, the documents by falling grade or utility. Ties keep the order shown."""

    id: ClassVar[str] = "expert"
    title: ClassVar[str] = "Expert (answers with the best ranking)"
    summary: ClassVar[str] = "Answers with the best ranking itself. No real user can; it serves as a reference."
    paper: ClassVar[str] = "S"
    section: ClassVar[str] = "§8.1"
    gives: ClassVar[str] = "ranking"

    optimal: str = choice(
        "grades", ("grades", "utility"),
        help="What the expert sorts by: the relevance grades of the data, or the linear utility by w* that regret is "
        "measured with.",
    )  # fmt: skip

    def respond(self, view: View, rng: Stream) -> Response:
        value = view.grades if self.optimal == "grades" else view.utility
        order = np.argsort(-view.in_order(value), axis=1, kind="stable")
        return Response(ranking=view.context.take(view.shown, order))
