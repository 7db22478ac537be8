// Words that are explained where they stand: a press on one opens a card with its sentence, and the lesson that teaches
// it. The texts are those of pages/ui/glossary.toml; on pages, glossary.py makes the same buttons.

import { flBase, flElement, flShared } from './library.js';

/** @typedef {{ word: string, says: string, symbol?: string, lesson?: string }} Term */

/**
 * A title whose terms are buttons, as children of an element.
 *
 * @param {string} text
 * @param {Term[]} terms in the order in which they stand in it
 * @returns {(string | HTMLElement)[]}
 */
export function flExplained(text, terms = []) {
  const made = [];
  let rest = text;
  for (const { word, ...card } of terms) {
    const at = rest.indexOf(word);
    if (at < 0) continue;
    made.push(rest.slice(0, at), flTerm(word, card));
    rest = rest.slice(at + word.length);
  }
  return [...made, rest];
}

/** @param {string} word @param {Omit<Term, 'word'>} card */
export function flTerm(word, { says, symbol, lesson }) {
  const data = { 'data-says': says, 'data-symbol': symbol || null, 'data-lesson': lesson || null };
  return flElement('button.fl-term', { type: 'button', ...data }, word);
}

// The one card of the page. As a popover it lies above all else; Escape or a press elsewhere closes it, and the focus
// goes back to the word.
class FlTermCard {
  constructor() {
    document.addEventListener('click', ({ target }) => {
      const word = target instanceof Element && target.closest('.fl-term');
      if (word instanceof HTMLElement) this.open(word);
    });
    document.addEventListener('scroll', ({ target }) => {
      if (this.card && target !== this.card) this.card.hidePopover?.();
    }, { capture: true, passive: true });
  }

  open(word) {
    const { says, symbol, lesson } = word.dataset;
    this.card?.remove();
    const head = flElement('p.fl-t-head', {}, flElement('b', {}, word.textContent));
    if (symbol) head.append(flElement('span', {}, symbol));
    const parts = [head, flElement('p', {}, says)];
    if (lesson && !document.querySelector('.fl-alone')) {
      const { href } = new URL(`lessons?lesson=${lesson}`, flBase());
      const link = flElement('a', { href }, 'The lesson that teaches it');
      parts.push(flElement('p', {}, link));
    }
    this.card = flElement('div.fl-t-card', {
      popover: 'auto', role: 'dialog', tabindex: '-1', 'aria-label': word.textContent,
    }, ...parts);
    // where the colours of the page are known
    (document.querySelector('.fl-player, .fl-lesson, .fl-grid') ?? document.body).append(this.card);
    this.card.addEventListener('toggle', event => {
      if (/** @type {ToggleEvent} */ (event).newState === 'closed') /** @type {Element} */ (event.target).remove();
    });
    this.card.showPopover();
    this._place(word.getBoundingClientRect());
    this.card.focus({ preventScroll: true });
  }

  // Below the word, or above it where there is no room, and within the window.
  _place({ left, top, bottom }) {
    const { offsetWidth, offsetHeight, style } = this.card, edge = 8;
    const below = bottom + 4 + offsetHeight <= innerHeight - edge;
    style.left = `${Math.max(edge, Math.min(left, innerWidth - offsetWidth - edge))}px`;
    style.top = `${below ? bottom + 4 : Math.max(edge, top - offsetHeight - 4)}px`;
  }
}

flShared.terms ??= typeof document === 'undefined' ? null : new FlTermCard();
