"""The scene of ranking: the list that a learner shows, as it changes."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from learners.base import Array
from pages.ui.families.ranking.change import CHANGE
from pages.ui.race.faces import images, names
from pages.ui.race.scene import PLACES, Scene

# the user's actions on a document
CLICKED, CLICKED_WRONGLY, PASSED_WRONGLY = 1, 2, 3
UPPER, LOWER = 1, 2  # of a pair that was swapped


class RankingScene(Scene):
    """The first places of each learner's list, with what was predicted and what the user did.

    Columns: query (F,); doc (F, P) documents of the query in the order drawn; row (F, P) their rows, where documents
    have faces; place (F, P) their places from 0, −1 for one that was not shown, where these are not simply 0, 1, …;
    predicted (F, P) their places in the predicted ranking; returned (F, P) the places that a user who does not click
    moved them up to; green (F, P) relevance from 0 to 100; mark (F, P) what the user did; pair (F, P) which document of
    a swapped pair it is; best (F,) the most relevant document.
    """

    kind = "ranking"
    title = "The list in this step"
    help = (
        "Each learner's list of documents, best first, as the user saw it in this step. The number on the right is the "
        "place that the learner had predicted. A bracket joins two documents that the learner swapped to find out "
        "which one users prefer. The greener a document, the more relevant it is, and the star marks the most relevant "
        "one. The learner sees neither; it sees only what the user does."
    )
    watched: ClassVar[tuple[str, ...]] = (
        "query", "rows", "count", "shown", "predicted", "improved", "clicked", "mistaken", "grades", "swapped",
        "moved", "was", "now",
    )  # fmt: skip
    change = CHANGE

    def faces(self, data: Any) -> dict[str, Any]:
        found: dict[str, Any] = {"queries": data.queries}
        if data.query_names:
            found |= {"query_names": names(data.query_names).get("names", [])}
        if data.on_page < data.longest:
            found["slots"] = data.on_page
        if data.document_names:
            return found | names(data.document_names)
        return found | images(data.features, data.image_shape) if data.image_shape else found

    def about(self, learner: Any) -> dict[str, Any]:
        cells = "|".join(name for name in learner.cells if name)
        return {"cells": cells, "width": learner.told[2]} if cells else {}

    def columns(self, watched: Mapping[str, Array], data: Any) -> dict[str, Array]:
        shown, grades = watched["shown"], watched["grades"]
        steps, n = shown.shape
        at = self._positions(watched, data)
        there = (at >= 0) & (at < watched["count"][:, None])
        if data.on_page >= n:
            doc = np.where(there, taken(shown, at), -1)
            place = np.where(there, at, -1)
        else:
            doc, place = self._beyond(watched, at)
        there = doc >= 0
        predicted, returned = (taken(places_of(watched[name]), doc) for name in ("predicted", "improved"))
        answered = (watched["clicked"] > 0).max(axis=1, keepdims=True)
        stands = taken(places_of(shown), doc)
        raised = ~answered & (returned < stands)
        top = np.maximum(grades.max(axis=1), 1)[:, None]
        found = {
            "query": watched["query"],
            "doc": doc,
            "predicted": np.where(there, predicted, -1),
            "returned": np.where(there & raised, returned, -1),
            "green": np.where(there, np.rint(100 * np.clip(taken(grades, doc), 0, None) / top), 0).astype(int),
            "mark": np.where(place >= 0, taken(_marks(watched), place), 0),
            "pair": np.where(there, taken(_pairs(watched["swapped"]), stands), 0),
            "best": shown[np.arange(steps), _first_best(shown, grades)],
        }
        if n > PLACES or data.on_page < n:
            found["place"] = place
        if data.document_names or data.image_shape:
            found["row"] = np.where(there, taken(watched["rows"], doc), -1)
        return found

    def _positions(self, watched: Mapping[str, Array], data: Any) -> Array:
        """Return the places of the list that are drawn, (steps, P): the first, and that of the best document."""
        steps, n = watched["shown"].shape
        places = min(PLACES, n, data.on_page)
        at = np.tile(np.arange(places), (steps, 1))
        if data.on_page >= n and places < n:
            at[:, -1] = np.maximum(places - 1, _first_best(watched["shown"], watched["grades"]))
        return at

    def _beyond(self, watched: Mapping[str, Array], at: Array) -> tuple[Array, Array]:
        """Return documents and places of a list with few slots, and the best of predicted and returned if not shown."""
        doc, place = taken(watched["shown"], at), at
        for name in ("improved", "predicted"):
            first = watched[name][:, :1]
            doc = np.hstack([doc, np.where((doc == first).any(axis=1, keepdims=True), -1, first)])
            place = np.hstack([place, np.full_like(first, -1)])
        return doc, place


def taken(values: Array, at: Array) -> Array:
    """Return values (steps, n) at places (steps, P); what stands for −1 is to be left out."""
    return np.take_along_axis(values, np.maximum(at, 0), axis=1)


def places_of(ranking: Array) -> Array:
    """Return the place of each document of rankings (steps, n), −1 for those without one.

    >>> places_of(np.array([[2, 0, 1, -1]]))
    array([[ 1,  2,  0, -1]])
    """
    steps, n = ranking.shape
    found = np.full((steps, n + 1), -1)
    np.put_along_axis(found, np.where(ranking < 0, n, ranking), np.arange(n)[None], axis=1)
    return found[:, :n]


def _first_best(shown: Array, grades: Array) -> Array:
    """Return the place of the first document of the highest grade, (steps,), as the metric rank-of-best counts it."""
    found: Array = np.where(shown >= 0, taken(grades, shown), -1).argmax(axis=1)
    return found


def _marks(watched: Mapping[str, Array]) -> Array:
    """Return what the user did with the document at each place, (steps, n)."""
    clicked, mistaken = watched["clicked"] > 0, watched["mistaken"] > 0
    return np.select([clicked & mistaken, clicked, mistaken], [CLICKED_WRONGLY, CLICKED, PASSED_WRONGLY], default=0)


def _pairs(swapped: Array) -> Array:
    """Return which document of a swapped pair stands at each place; pairs are neighbours that do not overlap.

    >>> _pairs(np.array([[0, 1, 1, 0, 1, 1, 1, 1]]))
    array([[0, 1, 2, 0, 1, 2, 1, 2]])
    """
    found = np.zeros(swapped.shape, int)
    for i in range(swapped.shape[1]):
        opened = found[:, i - 1] == UPPER if i else np.zeros(len(swapped), bool)
        found[:, i] = np.where(swapped[:, i] > 0, np.where(opened, LOWER, UPPER), 0)
    return found
