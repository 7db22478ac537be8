"""Cards that a person judges by clicking them: documents of a list, or labels that were guessed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.draw import images
from pages.ui.plain import visible


def show_cards(
    key: str, cards: list[dict[str, Any]], mark: str, judged: Callable[[], None], other: str = "", what: str = "rank"
) -> None:
    """Draw cards that a click marks.

    cards : for each its place, from 1, label or image (a data URL), and whether it is chosen; perhaps a `note` that
    stands in place of the place. mark, other : the words on those that are chosen, and on those that are not. judged :
    called when the marks change; `st.session_state[key]["judged"]` then is a text for `positions`. what : a card is
    read out as this word with its place.
    """
    _component(key=key, data={"cards": cards, "mark": mark, "other": other, "what": what}, on_judged_change=judged)


def judgeable(data: Any) -> bool:
    """Return whether a person can judge documents of these data by looking at them."""
    return bool(data.image_shape or data.document_names)


def face(data: Any, row: int) -> dict[str, Any]:
    """Return how a document of judgeable data looks on a card, given its row in the features."""
    if data.image_shape:
        return {"image": images.ink(data.features[row].reshape(data.image_shape).clip(0)), "label": ""}
    return {"label": visible(data.document_names[row])}


def positions(text: str) -> set[int]:
    """Return the positions in a text such as "1,4,7", without what is none.

    >>> positions("1,4,none")
    {1, 4}
    """
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
.fl-cards b { display: block; font-size: 1.15rem; }
.fl-cards small span { visibility: hidden; }
.fl-cards button[aria-pressed=true] small span { visibility: visible; }
.fl-cards i { display: block; font-style: normal; opacity: .9; }
.fl-cards small { display: block; opacity: .75; font-size: .72rem; }
.fl-cards img { width: 2.6rem; height: 2.6rem; image-rendering: pixelated; display: block; margin: 0 auto;
  border-radius: 3px; }
@media (max-width: 480px) { .fl-cards button:not(:has(img)) { flex: 1 1 8.5rem; max-width: none; } }
""",
    js="""
// The marks are kept here and sent as a whole, so that no fast click is lost. What the server says counts again once
// the last click is a second old.
export default function (component) {
  const grid = component.parentElement.querySelector('.fl-cards');
  const { cards, mark, other, what } = component.data;
  if (!grid.__marked || Date.now() - (grid.__clicked ?? 0) > 1000) {
    grid.__marked = new Set(cards.filter(c => c.chosen).map(c => c.place));
  }
  const show = button => {
    const chosen = grid.__marked.has(button.__place);
    button.setAttribute('aria-pressed', String(chosen));
    if (other) button.__says.textContent = chosen ? mark : other;
  };
  const now = JSON.stringify(cards.map(c => [c.place, c.label, c.image, c.note]));
  if (grid.__now !== now) {  // other documents: otherwise buttons stay, and with them the focus
    grid.__now = now;
    grid.replaceChildren(...cards.map(card => {
      const button = document.createElement('button');
      button.type = 'button';
      button.__place = card.place;
      button.setAttribute('aria-label', what + ' ' + card.place + (card.label ? ': ' + card.label : ''));
      if (card.image) {
        const image = document.createElement('img');
        image.src = card.image;
        image.alt = '';
        button.append(image);
      } else if (other) {
        const label = document.createElement('b');
        label.textContent = card.label;
        button.__says = document.createElement('i');
        button.append(label, button.__says);
      } else button.append(card.label);
      const small = document.createElement('small'), word = document.createElement('span');
      word.textContent = other ? '' : ` ${mark}`;
      small.append(card.note ?? '#' + card.place, word);
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
