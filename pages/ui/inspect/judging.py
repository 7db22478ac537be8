"""The first documents of the base ranker as cards that a person judges by clicking."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.draw import images
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
    first = world.base_ranking(0)[: int(user.dict["judged"])]
    chosen = positions(user.dict["relevant"])
    if not judgeable(data):
        st.info(
            "These documents are nothing but numbers, which nobody can judge by looking. Choose the handwritten "
            "digits or the rated movies as the data set, or choose another judge.",
            icon=":material/visibility_off:",
        )
        return
    cards = []
    for place, document in enumerate(first, start=1):
        row = int(world.documents[0][document])
        card: dict[str, Any] = {"place": place, "chosen": place in chosen, "label": f"document {document + 1}"}
        if data.image_shape:
            card |= {"image": images.ink(data.features[row].reshape(data.image_shape).clip(0)), "label": ""}
        elif data.document_names:
            card["label"] = data.document_names[row]
        cards.append(card)
    st.markdown(
        f"**You judge.** The base ranker ({world.base_name}) puts these {len(cards)} documents first. Click the "
        "relevant ones. The others count as not relevant. Then press Play and see what moves up."
        + ("" if chosen else " Nothing can be learned until you have marked a document.")
    )
    known = len(first)

    def judged() -> None:
        now = {place for place in positions(str(st.session_state[_KEY].get("judged") or "")) if place <= known}
        st.session_state[_SETTING] = ",".join(map(str, sorted(now)))

    show_cards(_KEY, cards, "relevant", judged)


def show_cards(key: str, cards: list[dict[str, Any]], mark: str, judged: Callable[[], None]) -> None:
    """Draw documents as cards that a click marks.

    cards : for each its place, label or image (a data URL), and whether it is chosen. mark : the word on those that
    are. judged : called when the marks change; `st.session_state[key]["judged"]` then is a text for `positions`.
    """
    _component(key=key, data={"cards": cards, "mark": mark}, on_judged_change=judged)


def judgeable(data: Any) -> bool:
    """Return whether a person can judge documents of these data by looking at them."""
    return bool(data.image_shape or data.document_names)


def positions(text: str) -> set[int]:
    """Return the positions in a text such as "1,4,7", without what is none, which the judge itself refuses."""
    return {int(part) for part in text.split(",") if part.strip().isdigit()}


_component = st.components.v2.component(
    "feedback_lab_cards",
    html='<div class="fl-cards"></div>',
    css="""
.fl-cards { display: flex; flex-wrap: wrap; gap: .4rem; margin-bottom: .4rem; }
.fl-cards button { font: inherit; font-size: .82rem; color: inherit; cursor: pointer; text-align: center;
  min-width: 5.6rem; max-width: 11rem;
  background: transparent; border: 1px solid color-mix(in srgb, currentColor 30%, transparent); border-radius: .45rem;
  padding: .25rem .45rem .3rem; line-height: 1.25; }
.fl-cards button:hover, .fl-cards button:focus-visible { border-color: currentColor; }
.fl-cards button[aria-pressed=true] { background: color-mix(in srgb, #009E73 38%, transparent); border-color: #009E73;
  box-shadow: 0 0 0 1px #009E73; }
.fl-cards small span { visibility: hidden; }
.fl-cards button[aria-pressed=true] small span { visibility: visible; }
.fl-cards small { display: block; opacity: .75; font-size: .72rem; }
.fl-cards img { width: 2.6rem; height: 2.6rem; image-rendering: pixelated; display: block; margin: 0 auto;
  border-radius: 3px; }
""",
    js="""
// The marks are kept here and sent as a whole, so that no fast click is lost. What the server says counts again once
// the last click is a second old.
export default function (component) {
  const grid = component.parentElement.querySelector('.fl-cards');
  const cards = component.data.cards;
  if (!grid.__marked || Date.now() - (grid.__clicked ?? 0) > 1000) {
    grid.__marked = new Set(cards.filter(c => c.chosen).map(c => c.place));
  }
  const show = button => button.setAttribute('aria-pressed', String(grid.__marked.has(button.__place)));
  const now = JSON.stringify(cards.map(c => [c.place, c.label, c.image]));
  if (grid.__now !== now) {  // other documents: otherwise buttons stay, and with them the focus
    grid.__now = now;
    grid.replaceChildren(...cards.map(card => {
      const button = document.createElement('button');
      button.type = 'button';
      button.__place = card.place;
      button.setAttribute('aria-label', 'rank ' + card.place + (card.label ? ': ' + card.label : ''));
      if (card.image) {
        const image = document.createElement('img');
        image.src = card.image;
        image.alt = '';
        button.append(image);
      } else button.append(card.label);
      const small = document.createElement('small'), mark = document.createElement('span');
      mark.textContent = ` ${component.data.mark}`;
      small.append('#' + card.place, mark);
      button.append(small);
      button.addEventListener('keydown', event => event.stopPropagation());  // Space is a click here, not Play
      return button;
    }));
  }
  for (const button of grid.children) {
    show(button);
    button.onclick = () => {
      const place = button.__place;
      if (!grid.__marked.delete(place)) grid.__marked.add(place);
      grid.__clicked = Date.now();
      show(button);
      component.setTriggerValue('judged', [...grid.__marked].join(',') || 'none');
    };
  }
}
""",
    isolate_styles=False,
)
