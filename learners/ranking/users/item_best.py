"""The user of one-item recommendation who answers an item of the best rating ([C] §6.1.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from learners.random import EACH, Stream
from learners.ranking.users.base import Response, User, View
from learners.ranking.users.item_alpha import exchange


@dataclass(kw_only=True)
class ItemBest(User):
    """Answers an item of the highest grade that is left, whatever is recommended; of several one at random.

    The item recommended is among those if it has that grade too. Grades as for `item-better`; the answer is the
    ranking with the two items exchanged.
    """

    id: ClassVar[str] = "item-best"
    title: ClassVar[str] = "One item, the best rating"
    summary: ClassVar[str] = (
        "Answers a movie with the best rating that is left, of several such movies any. Ratings are whole numbers that "
        "no linear model fits, so that this feedback is noisy."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "§6.1.2"
    gives: ClassVar[str] = "ranking"

    def respond(self, view: View, rng: Stream) -> Response:
        noise = rng.random((EACH, view.context.n))  # by document: which of those of equal grade is at hand
        highest = view.grades.max(axis=1, keepdims=True)
        return Response(ranking=exchange(view, ((view.grades == highest) - noise).argmax(axis=1)))
