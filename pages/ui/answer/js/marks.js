// Cards that a click marks: documents of a list, or labels that were guessed.

import { flElement } from '../../draw/js/library.js';

/**
 * @param {any} grid the element in which they stand, which keeps the marks
 * @param {{ cards: any[], mark: string, other?: string, what: string }} data as of pages/ui/answer/cards.py
 * @param {(places: number[]) => void} judged called with all that is marked when that has changed
 */
export function flCards(grid, { cards, mark, other, what }, judged) {
  if (!grid.__marked || Date.now() - (grid.__clicked ?? 0) > 1000) {
    grid.__marked = new Set(cards.filter(c => c.chosen).map(c => c.place));
  }
  const show = button => {
    const chosen = grid.__marked.has(button.__place);
    button.setAttribute('aria-pressed', String(chosen));
    if (other) button.__says.textContent = chosen ? mark : other;
  };
  const face = card => {
    if (!card.image) return card.label;
    const image = /** @type {any} */ (flElement('img', { alt: '' }));
    image.src = card.image;
    return image;
  };
  const now = JSON.stringify(cards.map(c => [c.place, c.label, c.image, c.note, c.list]));
  if (grid.__now !== now) {  // other documents: otherwise buttons stay, and with them the focus
    grid.__now = now;
    grid.replaceChildren(...cards.map(card => {
      const labels = (card.list ?? [card]).map(({ label }) => label).filter(Boolean).join(', ');
      const said = what + ' ' + card.place + (labels ? ': ' + labels : '');
      const button = /** @type {any} */ (flElement('button', { type: 'button', 'aria-label': said }));
      button.__place = card.place;
      if (card.list) {
        button.className = 'fl-listed';
        button.append(...card.list.map((each, i) =>
          flElement('span', {}, String(i + 1).padStart(2, '\u2007'), face(each))));
      } else if (card.image || !other) button.append(face(card));
      else button.append(flElement('b', {}, card.label), button.__says = flElement('i'));
      button.append(flElement('small', {}, card.note ?? '#' + card.place,
        flElement('span', {}, other ? '' : ` ${mark}`)));
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
      judged([...grid.__marked]);
    };
  }
}
