"""The panel on which a person answers one step: a list of documents to click, or an example with the labels guessed."""

from typing import Any

import numpy as np
import streamlit as st

from pages.ui.answer.cards import face, judgeable, positions, show_cards
from pages.ui.answer.person import Answerer, Clicker, Guesses
from pages.ui.draw import images, still_charts
from pages.ui.draw.scatter_panels import ScatterPanel, scatter_panels
from pages.ui.draw.still_charts import Chart
from pages.ui.draw.theme import look
from pages.ui.plain import NOTHING, Markdown, for_html, plain, visible

SAMPLE = 500  # examples that are drawn around the one in question


def can_judge(data: Any, what: str) -> bool:
    """Return whether a person can answer on these data. what : the "documents" or "labels" that are approved of."""
    if what == "documents":
        return judgeable(data)
    return data.image_shape is not None or (data.dimension == 2 and not data.sparse)


def _marking(person: Answerer, key: str, cards: list[dict[str, Any]], *words: str) -> None:
    def marked() -> None:
        person.marked = positions(str(st.session_state[key].get("judged") or ""))

    show_cards(key, [card | {"chosen": card["place"] in person.marked} for card in cards], words[0], marked, *words[1:])


BEGINS = {"user": "You stand in for", "topic": "You look for", "query": "Your query is"}


def wanted(person: Clicker) -> Markdown:
    """Return what the user wants whose place the person takes, as a sentence in Markdown, or nothing if unknown."""
    of, what = looked_for(person)
    return f"{BEGINS[of]} *{plain(what)}*." if what else NOTHING


def looked_for(person: Clicker) -> tuple[str, str]:
    """Return what is wanted, after whether it is a "user", a "topic" or a "query"; both are empty if it is unknown."""
    data, step = person.data, person.steps[0]
    task = data.task_names[int(person.simulations[0].environment.world.task[0])]
    if data.on_page < data.longest:
        return "user", task
    if data.tasks > 1 or data.task_names != ("all users",):
        return "topic", task
    return ("query", data.query_names[int(step.query[0])]) if data.query_names else ("", "")


def question(person: Answerer, key: str, head: Markdown) -> None:
    """Draw the step that a person is to answer, with what to do. key : one for each step. head : begins the text."""
    if isinstance(person, Guesses):
        st.markdown(f"{head} What is this? Click each label that is right. The others count as wrong.")
        labels(person, key)
        if told := [s.learner.title for s in person.simulations if s.learner.hears == "label"]:
            who = " and ".join(dict.fromkeys(told))
            st.caption(
                plain(f"{who}: this learner hears the label that you call right. If none is, it hears the truth.")
            )
        return
    assert isinstance(person, Clicker)
    learner, slots = f"**{plain(person.setup.labels()[0])}**", person.data.on_page
    if person.duel:
        text = f"{learner} asks which of these two lists is better. Click that one, or neither if you cannot tell."
    elif person.compares:
        text = f"{learner} asks which of these two is better. Click that one, or neither if you cannot tell."
    elif slots == person.data.longest:
        text = f"{learner} shows this list. Read it from the top and click what you would open."
    elif len(person.items()) > slots:
        text = f"{learner} recommends the first of these. Click what you would rather have."
    else:
        text = f"{learner} recommends this. Click it if it suits you, or leave it."
    st.markdown(f"{head} {wanted(person)} {text}")
    documents(person, key)
    if person.simulations[0].learner.hears != "user":
        st.caption("This learner does not listen to the user. Other learners of the race may.")


def documents(person: Clicker, key: str) -> None:
    """Draw what is shown, whose documents, or lists, a click marks in `person.marked`. key : one for each step."""
    if lists := person.lists():
        both = ([face(person.data, int(row)) for row in rows] for rows in lists)
        cards: list[dict[str, Any]] = [{"place": i, "list": faces} for i, faces in enumerate(both, start=1)]
        _marking(person, key, cards, "better", "", "list")
        return
    cards = [{"place": place} | face(person.data, int(row)) for place, row in enumerate(person.shown(), start=1)]
    _marking(person, key, cards, "clicked")


def labels(person: Guesses, key: str) -> None:
    """Draw the example and the labels played. A click marks the label of that place, from 1, in `person.marked`."""
    _example(person, key)
    names, who = person.data.names, person.setup.shorts()
    cards = [
        {"place": place, "label": visible(names[label]), "note": ", ".join(who[number] for number in numbers)}
        for place, (label, numbers) in enumerate(person.played().items(), start=1)
    ]
    _marking(person, f"{key}:labels", cards, "right", "wrong", "guess")


def _example(person: Guesses, key: str) -> None:
    data, row = person.data, person.row
    if data.image_shape is not None:
        x = data.features[[row]].toarray()[0] if data.sparse else data.features[row]
        source = images.ink(np.asarray(x, dtype=float).reshape(data.image_shape).clip(0))
        style = "width:7rem;height:7rem;image-rendering:pixelated;border-radius:4px"
        st.html(f'<img class="fl-example" alt="the example" style="{style}" src="{for_html(source)}">')
        return
    now = look()
    others = np.random.default_rng(0).choice(data.examples, min(SAMPLE, data.examples), replace=False)
    others = others[others != row]
    panel = ScatterPanel(
        "", np.asarray(data.features[others], dtype=float), data.labels[others], np.zeros(len(others), bool)
    )
    figure = scatter_panels([panel], data.names, now, "")
    x, y = map(float, data.features[row])
    ring = {"symbol": "circle-open", "size": 20, "color": now.text, "line": {"width": 3}}
    figure["data"].append({"type": "scatter", "mode": "markers", "x": [x], "y": [y], "marker": ring,
                           "showlegend": False, "name": "the example", "hoverinfo": "name"})  # fmt: skip
    help = "The ring is around the example. The other dots are examples of the data in the colours of their classes."
    still_charts.show_alone([Chart("example", "The example, among others whose class is known", help, figure)], key,
                            now.text)  # fmt: skip
