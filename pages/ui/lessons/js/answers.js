// The answers of one lesson: for each card what was answered (`value`), its points once that was compared with what
// came out, whether it was played since (`played`), whether the person did what the card waits for (`done`), and what
// they clicked in the lists of a card by hand (`clicks`); and where the person was (`place`).

import './document.js';
import { flAsks } from './pad.js';

const flNothing = () => ({ value: null, points: null, played: false, done: false, clicks: { lists: [], then: false } });

export class Answers {
  /** @param {import('./document.js').Lesson} lesson @param {import('./document.js').Host['store']} store */
  constructor(lesson, store) {
    this.lesson = lesson;
    this.store = store;
    const stored = store.read(lesson.id) ?? /** @type {any} */ ({}), { place } = stored;
    this.cards = new Map(lesson.cards.map(card => [card.id, this._read(card, stored.cards?.[card.id])]));
    this.place = Number.isInteger(place) && place >= 0 && place < lesson.cards.length ? place : 0;
    this.completed = stored.completed === true;
  }

  of(card) {
    return this.cards.get(card.id);
  }

  get any() {
    return [...this.cards.values()].some(({ value, played, done, clicks }) => value !== null || played || done ||
      clicks.lists.length);
  }

  // The points so far, of as many questions as the lesson asks; what was skipped has none.
  get score() {
    const asked = this.lesson.cards.filter(card => card.ask);
    return { points: asked.reduce((sum, card) => sum + (this.of(card).points ?? 0), 0), of: asked.length };
  }

  change(card, fields) {
    Object.assign(this.of(card), fields);
    this._write();
  }

  stand(place) {
    this.place = place;
    this._write();
  }

  complete() {
    this.completed = true;
    this._write();
  }

  forget() {
    for (const card of this.lesson.cards) this.cards.set(card.id, flNothing());
    this.place = 0;
    this.completed = false;
    this._write();
  }

  _write() {
    const { place, completed } = this;
    this.store.write(this.lesson.id, { place, completed, cards: Object.fromEntries(this.cards) });
  }

  // Stored answers may be of an older lesson, or none at all: those that do not fit count as not answered.
  _read(card, stored) {
    const { value = null, played = false, done = false, points = null, clicks } = stored ?? {};
    const fits = value !== null && card.ask && flAsks[card.ask.kind]?.fits(card.ask, value);
    return { value: fits ? value : null, points: fits && points >= 0 && points <= 1 ? points : null,
      played: played === true && (!card.ask || Boolean(fits)), done: done === true,
      clicks: card.hand && flClicks(card.hand, clicks) ? clicks : flNothing().clicks };
  }
}

function flClicks({ queries }, clicks) {
  const list = places => Array.isArray(places) && places.every(place => Number.isInteger(place) && place > 0);
  return Array.isArray(clicks?.lists) && clicks.lists.length <= queries && clicks.lists.every(list)
    && typeof clicks.then === 'boolean';
}
