"""A card on which the person is the user: lists to click, the simulated user that goes on, and what came out."""

from __future__ import annotations

import numpy as np
import streamlit as st

from learners.base import Array
from learners.spec import RunSpec
from pages.ui.answer import panel
from pages.ui.answer.cards import face
from pages.ui.counting import counted
from pages.ui.draw import still_charts
from pages.ui.draw.markup import STYLE, card, figures, strip, weight_map
from pages.ui.draw.still_charts import Chart
from pages.ui.draw.theme import look
from pages.ui.lab.lab import Lab
from pages.ui.lab.recorded import load_data
from pages.ui.lessons.lesson import Card, Hand
from pages.ui.lessons.searches import LessonSearches
from pages.ui.plain import for_html
from pages.ui.race.charts import ChartSpec, ChartView, figure
from pages.ui.race.words import short

KEY = "lessons:hand"


def show(name: str, card: Card, lab: Lab, setup: RunSpec, view: ChartView, charts: list[str]) -> int:
    """Draw the lists of a card with a hand. Return how many searches the person has answered.

    name : tells this card from others. The state of the latest card is kept in the session, so that one can come back.
    """
    hand = card.hand
    assert hand is not None
    kept = st.session_state.get(KEY)
    if kept is None or kept[0] != (name, setup):
        kept = st.session_state[KEY] = (name, setup), LessonSearches(setup, hand.learner, load_data(setup.dataset))
    person: LessonSearches = kept[1]
    if person.answered < hand.searches:
        _ask(person, hand)
    elif person.simulation.t == person.answered:
        st.markdown(
            f"You answered {counted(person.answered, 'search')} with {counted(person.clicks, 'click')}. Below is "
            "your first list, before and after. Now let the simulated user answer the next searches."
        )
        st.button(
            f"Let {hand.then:,} more run", icon=":material/fast_forward:", type="primary", key="lessons:then",
            on_click=person.go_on, args=(hand.then,),
        )  # fmt: skip
        _compare(person, "after your searches")
    else:
        st.markdown(
            f"You answered the first {counted(person.answered, 'search')}, and the simulated user the next "
            f"{person.simulation.t - person.answered:,}."
        )
        _compare(person, f"after {person.simulation.t:,} searches")
        _curve(person, lab.drawn(charts, setup, person.simulation.dataset), view)
    if person.answered:
        st.button("Begin anew", icon=":material/restart_alt:", type="tertiary", key="lessons:anew", on_click=_forget)
    return person.answered


def _forget() -> None:
    st.session_state.pop(KEY, None)


def _ask(person: LessonSearches, hand: Hand) -> None:
    """Show the next list, whose documents the person clicks."""
    number = person.answered + 1
    st.markdown(
        f"**You are the user. Search {number} of {hand.searches}.** {panel.wanted(person)} Read the list from the top "
        "and click what you would open. Then ask for the next list."
    )
    panel.documents(person, f"{KEY}:{number}")
    last = number == hand.searches
    st.button(
        "Done" if last else "Next list", icon=":material/done:" if last else ":material/arrow_forward:", type="primary",
        key=f"{KEY}:next:{number}", on_click=lambda: person.choose(person.marked),
    )  # fmt: skip


def _compare(person: LessonSearches, when: str) -> None:
    """Show the list of the first search as it was, and as the learner would order it now."""
    st.html(STYLE)
    st.caption("Your first list, as it was shown")
    st.html(_list(person, person.first_then()))
    st.caption(f"The same documents {when}")
    st.html(_list(person, person.first_now()))


def _list(person: LessonSearches, rows: Array) -> str:
    data, cards = person.simulation.dataset, []
    grades = data.grades[int(person.simulation.environment.world.task[0]), rows]
    top = max(float(grades.max()), 1.0)
    for place, (row, grade) in enumerate(zip(rows, grades, strict=True), start=1):
        if data.document_names:
            looks = f"<b>{for_html(short(data.document_names[row]))}</b>"
        else:
            looks = f'<img alt="" src="{face(data, int(row))["image"]}">'
        cards.append(card(looks, str(place), green=float(grade) / top, title=f"grade {grade:g}"))
    return strip(cards)


def _curve(person: LessonSearches, specs: list[ChartSpec], view: ChartView) -> None:
    """Draw the first curve of the card's charts over the person's run, and its weights where they are a picture."""
    data, moment, now = person.simulation.dataset, person.moment(), look()
    drawn = next((spec for spec in specs if spec.metric is not None), None)
    if drawn is not None:
        made = figure(drawn, moment, view, now)
        help = f"Searches 1 to {person.answered} were yours."
        still_charts.show_alone([Chart(drawn.id, drawn.title, help, made, wide=True)], f"{KEY}:chart", now.text)
    w = person.simulation.learner.weights
    if data.image_shape is not None and w is not None and np.any(w[0]):
        st.html(figures([weight_map(w[0], data.image_shape, "what the learner has found out")]))
