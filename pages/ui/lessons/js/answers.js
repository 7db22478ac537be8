// The answers of one lesson, which this browser keeps: for each card what was answered (`value`), whether it was played
// since (`played`), and whether the person did what the card waits for (`done`); and where the person was (`place`).

import { flAsks } from './pad.js';

export class Answers {
  constructor(lesson) {
    this.key = `fl-lesson:${lesson.id}`;
    this.cards = new Map(lesson.cards.map(card => [card.id, this._read(card, this._stored()?.cards?.[card.id])]));
    const { place } = this._stored() ?? {};
    this.place = Number.isInteger(place) && place >= 0 && place < lesson.cards.length ? place : 0;
  }

  of(card) {
    return this.cards.get(card.id);
  }

  get any() {
    return [...this.cards.values()].some(({ value, played, done }) => value !== null || played || done);
  }

  change(card, fields) {
    Object.assign(this.of(card), fields);
    this._write();
  }

  stand(place) {
    this.place = place;
    this._write();
  }

  forget() {
    for (const kept of this.cards.values()) Object.assign(kept, { value: null, played: false, done: false });
    this.place = 0;
    try { localStorage.removeItem(this.key); } catch { /* the browser keeps nothing */ }
  }

  _write() {
    const { place } = this, cards = Object.fromEntries(this.cards);
    try {
      localStorage.setItem(this.key, JSON.stringify({ place, cards }));
    } catch { /* kept until the page is left */ }
  }

  _stored() {
    try { return JSON.parse(localStorage.getItem(this.key)); } catch { return null; }
  }

  // What is stored may be of an older lesson, or no answer at all: what does not fit counts as not answered.
  _read(card, stored) {
    const { value = null, played = false, done = false } = stored ?? {};
    const fits = value !== null && card.ask && flAsks[card.ask.kind]?.fits(card.ask, value);
    return { value: fits ? value : null, played: played === true && (!card.ask || fits), done: done === true };
  }
}
