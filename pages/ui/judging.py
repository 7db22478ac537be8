"""Where a person judges: the first documents of the base ranker as cards to be clicked."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.ui import pictures
from pages.ui.race import Race

_KEY = "refinement:cards"
_SETTING = "refinement:person:relevant"  # the widget that holds the positions


def ask(race: Race) -> None:
    """The cards of the first run's query, if a person is to judge; a click is one judgement more or less."""
    assert race.setup is not None
    user = race.setup.user
    if user is None or user.id != "person":
        return
    simulation = race.simulations[0]
    world, data = simulation.environment, simulation.dataset
    first = world.base_ranking(0)[: int(user.dict["judged"])]
    chosen = _positions(user.dict["relevant"])
    cards = []
    for place, document in enumerate(first, start=1):
        row = int(world.documents[0][document])
        card: dict[str, Any] = {"place": place, "chosen": place in chosen, "label": f"document {document + 1}"}
        if data.image_shape:
            card |= {"image": pictures.ink(data.features[row].reshape(data.image_shape).clip(0)), "label": ""}
        elif data.document_names:
            card["label"] = data.document_names[row]
        cards.append(card)
    st.markdown(
        f"**You judge.** The base ranker ({world.base_name}) puts these {len(cards)} documents first. Click those that are "
        "what you are looking for; the others count as not relevant. Then press Play and see what moves up."
    )
    known = len(first)

    def toggle() -> None:
        place = st.session_state[_KEY].get("toggled")
        if isinstance(place, (int, float)) and 1 <= place <= known:
            now = _positions(st.session_state.get(_SETTING, "")) ^ {int(place)}
            st.session_state[_SETTING] = ",".join(map(str, sorted(now)))

    _component(key=_KEY, data={"cards": cards}, on_toggled_change=toggle)


def _positions(text: str) -> set[int]:
    """The positions in a text such as "1,4,7"; what is none is left out, since the judge says so itself."""
    return {int(part) for part in text.split(",") if part.strip().isdigit()}


_component = st.components.v2.component(
    "feedback_lab_cards",
    html='<div class="fl-cards"></div>',
    css="""
.fl-cards { display: flex; flex-wrap: wrap; gap: .4rem; margin-bottom: .4rem; }
.fl-cards button { font: inherit; font-size: .82rem; color: inherit; cursor: pointer; text-align: center; max-width: 11rem;
  background: transparent; border: 1px solid color-mix(in srgb, currentColor 30%, transparent); border-radius: .45rem;
  padding: .25rem .45rem .3rem; line-height: 1.25; }
.fl-cards button:hover, .fl-cards button:focus-visible { border-color: currentColor; }
.fl-cards button[aria-pressed=true] { background: color-mix(in srgb, #009E73 38%, transparent); border-color: #009E73;
  box-shadow: 0 0 0 1px #009E73; }
.fl-cards small { display: block; opacity: .75; font-size: .72rem; }
.fl-cards img { width: 2.6rem; height: 2.6rem; image-rendering: pixelated; display: block; margin: 0 auto; border-radius: 3px; }
""",
    js="""
export default function (component) {
  const grid = component.parentElement.querySelector('.fl-cards');
  grid.replaceChildren(...component.data.cards.map(card => {
    const button = document.createElement('button');
    button.type = 'button';
    button.setAttribute('aria-pressed', String(card.chosen));
    button.setAttribute('aria-label', 'rank ' + card.place + (card.label ? ': ' + card.label : ''));
    if (card.image) {
      const image = document.createElement('img');
      image.src = card.image;
      image.alt = '';
      button.append(image);
    } else button.append(card.label);
    const small = document.createElement('small');
    small.textContent = '#' + card.place + (card.chosen ? ' ✓ relevant' : '');
    button.append(small);
    button.onclick = () => {
      button.setAttribute('aria-pressed', String(!card.chosen));
      component.setTriggerValue('toggled', card.place);
    };
    return button;
  }));
}
""",
    isolate_styles=False,
)
