"""The user of one-item recommendation who answers with an item of slightly better rating ([C] §6.1.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from learners.random import EACH, Stream
from learners.ranking.parts.context import exchange
from learners.ranking.users.base import Response, User, View
from learners.ranking.users.item_alpha import lowest_from


@dataclass(kw_only=True)
class ItemBetter(User):
    """Answers with an item of the next higher grade than the recommended item, or keeps that item if there is none.

    Grades of movies are the user's ratings; a movie that the user has not rated has the imputed rating, rounded. Ties
    are broken at random. The answer is the ranking with the two items exchanged.
    """

    id: ClassVar[str] = "item-better"
    title: ClassVar[str] = "One item, a better rating"
    summary: ClassVar[str] = (
        "Answers with a movie rated slightly better than the recommended one, with any of them if several tie. No "
        "linear model fits these whole-number ratings exactly, so this feedback is noisy."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "§6.1.2"
    gives: ClassVar[str] = "ranking"

    def respond(self, view: View, rng: Stream) -> Response:
        noise = rng.random((EACH, view.context.n))  # by document; breaks ties between equal grades
        grades, shown = view.grades, view.shown[:, 0]
        rows = np.arange(len(shown))
        now = grades[rows, shown]
        wanted = grades[rows, lowest_from(grades, np.nextafter(now, np.inf)).argmin(axis=1)]
        item = ((grades == wanted[:, None]) - noise).argmax(axis=1)  # positive for items of the wanted grade
        return Response(ranking=exchange(view.shown, np.where(wanted > now, item, shown)))
