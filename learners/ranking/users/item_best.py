"""The user of one-item recommendation who answers with an item of the best rating ([C] §6.1.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from learners.random import EACH, Stream
from learners.ranking.parts.context import exchange
from learners.ranking.users.base import Response, User, View


@dataclass(kw_only=True)
class ItemBest(User):
    """Answers with an item of the highest grade that is left, whatever is recommended.

    Ties are broken at random; the recommended item takes part if it has that grade. Grades are those of `item-better`.
    The answer is the ranking with the two items exchanged.
    """

    id: ClassVar[str] = "item-best"
    title: ClassVar[str] = "One item, the best rating"
    summary: ClassVar[str] = (
        "Answers with a movie of the best rating that is left, with any of them if several tie. No linear model fits "
        "these whole-number ratings exactly, so this feedback is noisy."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "§6.1.2"
    gives: ClassVar[str] = "ranking"

    def respond(self, view: View, rng: Stream) -> Response:
        noise = rng.random((EACH, view.context.n))  # by document; breaks ties between equal grades
        highest = view.grades.max(axis=1, keepdims=True)
        return Response(ranking=exchange(view.shown, ((view.grades == highest) - noise).argmax(axis=1)))
