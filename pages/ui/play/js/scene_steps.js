// The steps of one replicate that are here, in the parts in which they came, and the rows that are drawn of them.

import { flArray } from './packed.js';

export class SceneSteps {
  constructor() {
    this.clear('');
  }

  clear(name) {
    this.name = name;
    this.count = 0;
    this.parts = [];
    this.now = null;
    this.gap = false;
  }

  // Takes in the steps from number `first` on; those that are here already are left out.
  merge({ name, first, at, slots, now }) {
    if (name !== this.name || (first === 0 && this.count)) this.clear(name);
    this.gap = first > this.count;
    const part = this._part(at, slots), skip = this.count - first;
    if (!this.gap && part.at.length > skip) {
      this.parts.push({ ...part, skip, from: this.count });
      this.count += part.at.length - skip;
    }
    this.now = now ? { ...this._part(now.at, now.slots), skip: 0 } : null;
  }

  _part(at, slots) {
    const steps = flValues(at), made = [];
    for (const columns of slots) {  // 0 for a column that is that of the first learner
      const read = ([key, packed]) => [key, packed === 0 ? made[0][key] : flValues(packed, steps.length)];
      made.push(Object.fromEntries(Object.entries(columns).map(read)));
    }
    return { at: steps, slots: made };
  }

  // The latest step at or before t, as { step, slots: [{ column: its values }] }; null if there is none.
  at(t) {
    let found = null;
    for (const part of this.now ? [...this.parts, this.now] : this.parts) {
      const k = SceneSteps.before(part, t);
      if (k >= 0 && (!found || part.at[k] > found.step)) found = { step: part.at[k], part, k };
    }
    if (!found) return null;
    const { step, part, k } = found, { length } = part.at;
    const row = values => values.subarray(k * values.length / length, (k + 1) * values.length / length);
    const cut = columns => Object.fromEntries(Object.entries(columns).map(([key, values]) => [key, row(values)]));
    return { step, slots: part.slots.map(cut) };
  }

  // The number of the latest step of a part at or before t, −1 if there is none.
  static before({ at, skip }, t) {
    let low = skip, high = at.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at[middle] <= t) low = middle + 1; else high = middle;
    }
    return low > skip ? low - 1 : -1;
  }
}

// Reads numbers as they come: written out, row by row, packed in base 64, or without the cells that are as in the row
// before (`rarely` in pages/ui/play/frames.py).
function flValues(packed, rows) {
  if (Array.isArray(packed)) return Float64Array.from(packed.flat());
  if (!packed.fresh) return flArray(packed);
  const { width } = packed, fresh = flValues(packed.fresh), values = flValues(packed.values);
  const made = new values.constructor(rows * width);
  for (let i = 0, next = 0; i < made.length; i++) {
    made[i] = fresh[i >> 3] >> (7 - i % 8) & 1 ? values[next++] : made[i - width];
  }
  return made;
}
