"""The notes of one replicate in the steps of a block, while somebody watches it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from datasets.parameters import of_replicate
from learners.base import Array
from learners.compiled import compiled
from learners.moved import MOST_MOVED
from learners.ranking.step.page import Hidden, Page
from learners.ranking.users.base import Response, User

COLUMNS = (
    "query", "rows", "count", "shown", "predicted", "improved", "clicked", "mistaken", "grades", "swapped",
    "moved", "was", "now",
)  # fmt: skip  # of a search, see `Seen.columns`


class Seen(NamedTuple):
    """The notes of one replicate in B steps, as compiled loops write them; B is 0 while nobody watches.

    n documents of the longest query. replicate : its number, −1 while nobody watches. used : whether documents are used
    up, so that any of them may be left. first, told : where the numbers begin by which a learner without weights tells
    what a step changed, and room for them. counts : (B,) documents offered. rows, grades : (B, n) of each document.
    shown, predicted, improved : (B, n) rankings. clicks, judged, marks : (B, n) by position of the ranking shown. Those
    beyond the documents offered are −1; clicks and marks are then 0. moved, was, now : (B, MOST_MOVED) the weights, or
    the numbers told, that a step moved most, by number, −1 for none, and what they were and are.
    """

    replicate: int
    used: bool
    first: int
    told: Array
    counts: Array
    rows: Array
    grades: Array
    shown: Array
    predicted: Array
    improved: Array
    clicks: Array
    judged: Array
    marks: Array
    moved: Array
    was: Array
    now: Array

    @classmethod
    def of(cls, steps: int, n: int, replicate: int, used: bool, first: int = 0, told: int = 0) -> Seen:
        """Return room for some steps, and for so many numbers that tell what they changed."""
        indices = np.full((4, steps, n), -1, dtype=np.int32)
        clicks, marks = np.zeros((2, steps, n), dtype=np.int8)
        return cls(
            replicate, used, first, np.zeros(told), np.zeros(steps, dtype=np.int32), indices[0],
            np.full((steps, n), -1.0), indices[1],
            indices[2], indices[3], clicks, np.full((steps, n), -1, dtype=np.int8), marks,
            np.full((steps, MOST_MOVED), -1, dtype=np.int32), *np.zeros((2, steps, MOST_MOVED)),
        )  # fmt: skip

    def cut(self, first: int, end: int) -> Seen:
        """Return the part of some steps, which shares its arrays with the whole."""
        if self.replicate < 0:
            return self
        return Seen(*self[:4], *(part[first:end] for part in self[4:]))

    def write(self, b: int, step: Any, shown: Array, predicted: Array, improved: Array, marks: Array | None) -> None:
        """Write step b from its record, which has `lengths`, `documents`, `grades` and `response`.

        shown, predicted, improved, marks : (R, n), as in the class.
        """
        r, clicks, judged = self.replicate, step.response.clicks, step.response.judged
        count = self.counts[b] = step.lengths[r]
        n = step.documents.shape[1] if self.used else count
        self.rows[b, :n], self.grades[b, :n] = step.documents[r, :n], step.grades[r, :n]
        for mine, its in (
            (self.shown, shown), (self.predicted, predicted), (self.improved, improved), (self.marks, marks),
            (self.clicks, clicks), (self.judged, judged),
        ):  # fmt: skip
            if its is not None:
                mine[b, :count] = its[r, :count]

    def columns(self, query: Array, user: User, in_pairs: bool) -> dict[str, Array]:
        """Return the columns of a search, each with a row for every step.

        query : (B, R). in_pairs : whether the marks say which pairs were exchanged.

        rows are those of the data's features, and rankings hold places in `rows`, best first. clicked, mistaken and
        swapped are 0 or 1 by position of the ranking shown; 0 where the user does not click, or nothing is exchanged.
        """
        mistaken = np.zeros(self.clicks.shape, dtype=np.int8)
        if user.gives == "clicks":
            places = np.maximum(self.shown, 0)
            grades = np.where(self.shown >= 0, np.take_along_axis(self.grades, places, axis=1), -1.0)
            response = Response(clicks=self.clicks.astype(bool), judged=self.judged)
            mistaken[:] = of_replicate(user, self.replicate).mistaken(grades, response)
        return {
            "query": query[:, self.replicate], "rows": self.rows, "count": self.counts, "shown": self.shown,
            "predicted": self.predicted, "improved": self.improved, "clicked": self.clicks, "mistaken": mistaken,
            "grades": self.grades, "swapped": self.marks if in_pairs else np.zeros_like(self.marks),
            "moved": self.moved, "was": self.was, "now": self.now,
        }  # fmt: skip


NOBODY = Seen.of(steps=0, n=0, replicate=-1, used=False)


@compiled
def note_search(seen: Seen, b: int, page: Page, hidden: Hidden, rows: Array, improved: Array, clicks: bool) -> None:
    """Write step b of the replicate that is watched, whose documents must still be offered.

    rows : (n,) of the documents. improved : (n,) the feedback ranking. clicks : whether the user clicks.
    """
    seen.counts[b] = page.size
    for i in range(hidden.grades.shape[0] if seen.used else page.size):
        seen.rows[b, i], seen.grades[b, i] = rows[i], hidden.grades[i]
    for i in range(page.size):
        seen.shown[b, i], seen.predicted[b, i], seen.improved[b, i] = page.shown[i], page.predicted[i], improved[i]
        seen.marks[b, i] = page.marks[i]
        if clicks:
            seen.clicks[b, i], seen.judged[b, i] = hidden.clicks[i], hidden.judged[i]
