// The marked events of a run: those of the kinds that a person has left shown, in order of time, and each in words.

import { flCount } from '../../draw/js/library.js';
import { flUnits } from '../../draw/js/texts.js';

export class Events {
  constructor() {
    this.list = [];  // those shown
    this.hidden = new Set();  // kinds
  }

  /** @param {import('./protocol.js').Payload} payload */
  update(payload) {
    this.payload = payload;
    this._sort();
  }

  filter(kind, shown) {
    this.hidden[shown ? 'delete' : 'add'](kind);
    this._sort();
  }

  kind(event) {
    return event && this.payload.events.kinds.find(kind => kind.id === event.kind);
  }

  // With its learner where there are several.
  tell(event, named = true) {
    const { unit, learners } = this.payload, { Unit } = flUnits(unit);
    const who = named && !event.common && learners.length > 1 && learners[event.slot]?.label;
    const where = `${Unit} ${flCount(event.t)}`;
    return `${where}${who ? ', ' + who : ''}: ${event.text}.`;
  }

  latest(t) {
    return this.list.findLast(event => event.t <= t);
  }

  // The next after t, or with by < 0 the one before it.
  next(t, by) {
    return by > 0 ? this.list.find(event => event.t > t) : this.list.findLast(event => event.t < t);
  }

  _sort() {
    const { list } = this.payload.events;
    this.list = list.filter(event => !this.hidden.has(event.kind)).sort((a, b) => a.t - b.t);
  }
}
