// The pictures of one chart, put together from what changes from one to the next. Each shares with the one before it
// all that stayed the same. So every one that was asked for is kept, and going back costs no more than going on.

import { flArray } from './packed.js';

export class Keyframes {
  constructor() {
    this.of = '';
    this.at = [];
    this.changes = [];
    this.states = [];
  }

  get count() {
    return this.at.length;
  }

  // Takes in frames from number `first` on; those that are here already are left out.
  merge({ first, at, frames }, of, run) {
    if (this.run !== run || (this.of !== of && first === 0)) Object.assign(this, { at: [], changes: [], states: [] });
    this.of = of;
    this.run = run;
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

/**
 * Puts the keyframes of a payload behind those that are here, since these are not sent again, and the whole into it.
 *
 * @param {Map<string, { at: number[], frames: any[] }>} here keyframes of each picture, changed in place
 * @param {{ charts: { id: string, frames?: import('./protocol.js').Frames }[] }} payload
 * @param {boolean} anew whether they are drawn otherwise than those that are here
 * @returns {Set<string>} the pictures of which some are missing
 */
export function flMerge(here, payload, anew) {
  const gaps = new Set(), none = { at: [], frames: [] };
  for (const chart of payload.charts.filter(chart => chart.frames)) {
    const { first, at, frames } = chart.frames, old = anew && first === 0 ? none : here.get(chart.id) ?? none;
    const join = (have, more) => [...have.slice(0, first), ...more, ...have.slice(first + more.length)];
    const gap = first > old.at.length;
    const now = gap ? old : { at: join(old.at, at), frames: join(old.frames, frames) };
    if (gap) gaps.add(chart.id);
    here.set(chart.id, now);
    chart.frames = { ...now, first: 0 };
  }
  return gaps;
}
