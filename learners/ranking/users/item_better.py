"""The user of one-item recommendation who answers a slightly better item, by its rating ([C] §6.1.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from learners.random import EACH, Stream
from learners.ranking.users.base import Response, User, View
from learners.ranking.users.item_alpha import exchange, lowest_from


@dataclass(kw_only=True)
class ItemBetter(User):
    """Answers an item of the lowest grade above that of the item recommended; if there is none, takes that item.

    Grades of movies are the user's ratings, or for a movie not rated the imputed rating, rounded. Of equal grades one
    is chosen at random. The answer is the ranking with the two items exchanged.
    """

    id: ClassVar[str] = "item-better"
    title: ClassVar[str] = "One item, a better rating"
    summary: ClassVar[str] = (
        "Answers a movie with a slightly better rating than that recommended, of several such movies any. As ratings "
        "are whole numbers that no linear model fits, this feedback is noisy."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "§6.1.2"
    gives: ClassVar[str] = "ranking"

    def respond(self, view: View, rng: Stream) -> Response:
        noise = rng.random((EACH, view.context.n))  # by document: which of those of equal grade is at hand
        grades, shown = view.grades, view.shown[:, 0]
        rows = np.arange(len(shown))
        now = grades[rows, shown]
        wanted = grades[rows, lowest_from(grades, np.nextafter(now, np.inf)).argmin(axis=1)]
        item = ((grades == wanted[:, None]) - noise).argmax(axis=1)  # above 0 for those that are wanted
        return Response(ranking=exchange(view, np.where(wanted > now, item, shown)))
