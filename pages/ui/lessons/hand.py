"""A card on which the person is the user: what js/hand.js draws of it, which is where the person's clicks have led."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from learners.base import Array
from learners.spec import RunSpec
from pages.ui.answer.cards import face
from pages.ui.answer.panel import looked_for
from pages.ui.draw import images
from pages.ui.draw.charts import Look, light
from pages.ui.draw.theme import look
from pages.ui.files.sharing import load_data
from pages.ui.lessons.lesson import Hand
from pages.ui.lessons.searches import LessonSearches
from pages.ui.plain import for_html
from pages.ui.race.charts import ChartSpec, ChartView, figure

KEY = "lessons:hand"


def show(name: str, hand: Hand, setup: RunSpec, specs: Sequence[ChartSpec], view: ChartView, sent: Any) -> Any:
    """Return where the person stands whose browser has sent what was clicked, as `Searches` of js/document.js.

    name : tells this card from others. The latest run is kept in the session: clicks that go on where it stands are
    learned by it, and where some were undone it begins anew.
    """
    lists, then = clicked(sent, hand)
    kept = st.session_state.get(KEY)
    before = kept[1] if kept is not None and kept[0] == (name, setup) else None
    if before is None or before.places != lists[: len(before.places)] or (before.went and not then):
        before = LessonSearches(setup, hand.learner, load_data(setup.dataset))
    st.session_state[KEY] = (name, setup), before
    for places in lists[len(before.places) :]:
        before.choose(places)
    if then and not before.went:
        before.go_on(hand.then)
    return state(before, hand, specs, view, look())


def clicked(sent: Any, hand: Hand) -> tuple[list[list[int]], bool]:
    """Return the places clicked in each list, and whether the simulated user has gone on.

    Anything else counts as nothing.

    >>> clicked({"lists": [[2, 5], []], "then": False}, Hand(2)), clicked({"lists": [["x"]]}, Hand(2))
    (([[2, 5], []], False), ([[]], False))
    """
    lists = sent.get("lists") if isinstance(sent, dict) else None
    if not isinstance(lists, list):
        return [], False
    places = [[p for p in each if type(p) is int] if isinstance(each, list) else [] for each in lists[: hand.searches]]
    return places, sent.get("then") is True and len(places) == hand.searches


def state(
    person: LessonSearches, hand: Hand, specs: Sequence[ChartSpec], view: ChartView, look: Look
) -> dict[str, Any]:  # fmt: skip
    """Return where a person stands, as `Searches` of js/document.js."""
    of, what = looked_for(person)
    ended = len(person.places) >= hand.searches
    made: dict[str, Any] = {
        "lists": person.places, "then": person.went, "of": hand.searches, "more": hand.then,
        "wanted": {"of": of, "what": f"<em>{for_html(what)}</em>"} if what else None,
        "list": None if ended else faces(person, person.shown()), "first": None,
    }  # fmt: skip
    if ended:
        before, after = faces(person, person.first_then()), faces(person, person.first_now())
        made["first"] = {"before": before, "after": after}
    if person.went:
        made |= {"chart": _curve(person, specs, view, look), "map": _weights(person)}
    return made


def faces(person: LessonSearches, rows: Array) -> list[dict[str, Any]]:
    """Return how documents look, with their grades from 0 to 1."""
    data = person.simulation.dataset
    grades = data.grades[int(person.simulation.environment.world.task[0])]
    top = max(float(grades[rows].max()), 1.0)
    return [face(data, int(row)) | {"grade": round(float(grades[row]) / top, 3)} for row in rows]


def _curve(person: LessonSearches, specs: Sequence[ChartSpec], view: ChartView, look: Look) -> dict[str, Any] | None:
    """Return the first curve of the card's charts over the person's run."""
    drawn = next((spec for spec in specs if spec.metric is not None), None)
    if drawn is None:
        return None
    made = figure(drawn, person.moment(), view, look)
    traces = [{k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in light(t).items()} for t in made["data"]]
    return {"title": drawn.title, "data": traces, "layout": made["layout"]}


def _weights(person: LessonSearches) -> dict[str, str] | None:
    """Return the weights as a picture, where they are one."""
    data, w = person.simulation.dataset, person.simulation.learner.weights
    if data.image_shape is None or w is None or not np.any(w[0]):
        return None
    return {"image": images.signed(w[0].reshape(data.image_shape))}
