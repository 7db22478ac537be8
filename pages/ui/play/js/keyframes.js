// The pictures of one chart, put together from what changes from one to the next. Each shares with the one before it
// all that stayed the same. So every one that was asked for is kept, and going back costs no more than going on.

import { flArray } from './packed.js';

export class Keyframes {
  constructor() {
    Object.assign(this, { of: '', at: [], changes: [], states: [] });
  }

  get count() {
    return this.at.length;
  }

  // Takes in frames from number `first` on; those that are here already are left out.
  merge({ first, at, frames }, of, run) {
    if (this.run !== run || (this.of !== of && first === 0)) Object.assign(this, { at: [], changes: [], states: [] });
    Object.assign(this, { of, run });
    if (first > this.count) return;  // something is missing; the player asks for it
    this.changes.push(...frames.slice(this.count - first));
    this.at.push(...at.slice(this.count - first));
  }

  // The number of the last frame at or before step t, the first frame if there is none; -1 without frames.
  index(t) {
    let low = 0, high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.at[middle] <= t) low = middle + 1; else high = middle;
    }
    return low || !this.count ? low - 1 : 0;
  }

  state(index) {
    const { states, changes } = this;
    while (states.length <= index) {
      const put = (now, [path, value]) => Keyframes.placed(now, path, 0, value);
      states.push((changes[states.length] ?? []).reduce(put, states[states.length - 1]));
    }
    return states[index];
  }

  // A copy of `now` with a value at the end of a path, which shares the rest.
  static placed(now, path, depth, value) {
    if (depth === path.length) return value;
    const copy = Array.isArray(now) ? now.slice() : { ...now };
    copy[path[depth]] = Keyframes.placed(now[path[depth]], path, depth + 1, value);
    return copy;
  }

  // A copy down to the last part, for Plotly to write into, with texts that repeat written out.
  static whole(value) {
    if (Array.isArray(value)) return value.map(Keyframes.whole);
    if (!value || typeof value !== 'object') return value;
    if (value.texts && value.which) return Array.from(flArray(value.which), k => value.texts[k]);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, Keyframes.whole(item)]));
  }
}
