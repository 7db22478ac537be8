"""The first documents of the base ranker as cards that a person judges by clicking."""

import streamlit as st

from pages.ui.answer.cards import face, judgeable, positions, show_cards
from pages.ui.plain import plain
from pages.ui.race.moment import Moment

_KEY = "refinement:cards"
_SETTING = "refinement:person:relevant"  # the widget that holds the positions


def ask(moment: Moment) -> None:
    """Show the cards of the first run's query if a person judges; a click adds or removes a judgement."""
    user = moment.setup.user
    if user is None or user.id != "person":
        return
    simulation = moment.simulations[0]
    world, data = simulation.environment, simulation.dataset
    first = world.base_ranking(0)[: int(user.values["judged"])]
    chosen = positions(user.values["relevant"])
    if not judgeable(data):
        st.info(
            "These documents are nothing but numbers, which nobody can judge by looking. Choose the handwritten "
            "digits or the rated movies as the data set, or choose another judge.",
            icon=":material/visibility_off:",
        )
        return
    cards = []
    for place, document in enumerate(first, start=1):
        cards.append({"place": place, "chosen": place in chosen} | face(data, int(world.documents[0][document])))
    st.markdown(
        f"**You judge.** The base ranker ({plain(world.base_name)}) puts these {len(cards)} documents first. Click the "
        "relevant ones. The others count as not relevant. Then press Play and see what moves up."
        + ("" if chosen else " Nothing can be learned until you have marked a document.")
    )
    known = len(first)

    def judged() -> None:
        now = {place for place in positions(str(st.session_state[_KEY].get("judged") or "")) if place <= known}
        st.session_state[_SETTING] = ",".join(map(str, sorted(now)))

    show_cards(_KEY, cards, "relevant", judged)
