// The picture of what a step changed, beside the scene: of each learner bars before and after with names, intervals,
// and the documents that changed places. The server declares it (pages/ui/race/change.py) and sends its columns.

import { flElement, flNumber } from '../../draw/js/library.js';
import { flSay } from '../../draw/js/texts.js';
import { Keyframes } from './keyframes.js';
import { flShape } from './plot.js';
import './protocol.js';
import { flSceneHead, flSceneSign } from './scene_signs.js';

const FL_ROWS = 4;  // rows of a learner at most
const FL_CHANGE = 'change-';  // how its columns begin among those of a scene

export class ChangePicture {
  constructor(player) {
    this.player = player;
    this.frames = new Keyframes();
    this.views = [];
    this.title = flElement('b');
    this.help = flElement('p');
    this.sign = flElement('summary', { 'aria-label': flSay('What is this?') }, '?');
    this.key = flElement('div.fl-d-key');
    this.body = flElement('div.fl-d-body');
    const more = flElement('details.fl-s-more', {}, this.sign, this.help);
    const head = flElement('div.fl-d-head', {}, this.title, more);
    this.drawn = flElement('div', { 'aria-hidden': 'true' }, this.key, this.body);
    this.element = flElement('div.fl-d', { hidden: '' }, head, this.drawn);
  }

  // Takes in what is declared, and keyframes where there is no scene.
  update(change, payload, faces) {
    this.element.hidden = !change;
    this.face = change;
    if (!change) { this.form = ''; return; }
    this.faces = faces;
    if (change.frames) this.frames.merge(change.frames, payload.drawn, payload.run);
    const { title, help, names, signs, number, rows = FL_ROWS } = change;
    const form = JSON.stringify([title, names, number, payload.run, payload.learners, payload.scene.replicate]);
    if (form === this.form) return;
    this.form = form;
    this.shown = undefined;  // nothing is drawn of it yet
    this.title.textContent = title;
    this.help.textContent = this.sign.title = help;
    const told = signs.filter(({ sign }) => sign);
    this.key.replaceChildren(...told.map(({ sign, words }) => flElement('span', {}, flSceneSign(sign), words)));
    this.views = payload.learners.map((learner, slot) =>
      new ChangeView(learner, this, Math.min(rows, FL_ROWS), payload.scene.learners?.[slot] ?? {}));
    this.body.replaceChildren(...this.views.map(view => view.element));
  }

  // Draws what the latest keyframe at or before t records.
  reveal(t) {
    const { frames } = this, index = t ? frames.index(t) : -1;
    const state = index < 0 || !frames.at[index] ? null : frames.state(index);
    if (state !== this.shown) this.show(state?.slots ?? null);
    this.shown = state;
  }

  // Draws what a step changed, from the columns of each learner; nothing before the first step.
  show(slots) {
    this.views.forEach((view, slot) => view.show(slots ? view.read(slots[slot]) : null));
  }

  tell(slots) {
    if (!this.face) return [];
    return slots.map((columns, slot) => this.views[slot]?.tell(this.views[slot].read(columns))).filter(Boolean);
  }

  get lines() {
    return this.shown ? this.tell(this.shown.slots) : [];
  }
}

/** The scale of a picture: the smallest and the largest number met so far, and 0. */
export class ChangeScale {
  constructor() {
    this.low = 0;
    this.high = 0;
  }

  // Widens it. A number far out would make all others invisible for good, so that it shrinks slowly again.
  meet(numbers) {
    const low = Math.min(0, ...numbers), high = Math.max(0, ...numbers);
    this.low = Math.min(low, 0.98 * this.low);
    this.high = Math.max(high, 0.98 * this.high);
  }

  // Where a number stands, in percent of the width.
  at(number) {
    const span = this.high - this.low;
    return span ? 100 * Math.min(1, Math.max(0, (number - this.low) / span)) : 50;
  }
}

// The changes of one learner.
class ChangeView {
  constructor(learner, picture, rows, about) {
    this.learner = learner;
    this.about = about;
    this.picture = picture;
    this.scale = new ChangeScale();
    this.number = flElement('span.fl-d-number');
    this.first = flElement('span.fl-d-doc');
    this.second = flElement('span.fl-d-doc');
    this.why = flElement('span.fl-d-why');
    this.pair = flElement('div.fl-d-pair', { hidden: '' }, this.first, flElement('span', {}, flSay('above')),
      this.second, this.why);
    this.note = flElement('div.fl-d-note');
    this.rows = Array.from({ length: rows }, () => new ChangeRow(learner.color));
    this.element = flElement('div.fl-d-list', {},
      flElement('div.fl-d-who', {}, flSceneHead(learner), this.number), this.pair,
      flElement('div.fl-d-rows', {}, this.note, ...this.rows.map(row => row.element)));
  }

  read(columns) {
    const { names, signs } = this.picture.face, of = name => columns[FL_CHANGE + name] ?? columns[name];
    const id = of('id') ?? [], was = of('was') ?? [], by = of('by') ?? [], width = of('width'), role = of('role');
    const [whole, part] = of('scale') ?? Array.from(of('power') ?? [0, 0], power => 2 ** power);
    const rows = [];
    for (let i = 0; i < id.length; i++) {
      if (id[i] < 0) continue;
      const marks = signs.filter(({ sign }, bit) => sign && ((role?.[i] ?? 0) >> bit) & 1);
      rows.push({ name: this._name(names, id[i], i, of('names')), was: was[i] * whole, by: by[i] * part,
        width: (width?.[i] ?? 0) * whole, marks });
    }
    const pair = this._pair(of('pair'), of('faces'), of('taught')?.[0], columns);
    return { rows, number: of('number')?.[0], pair, note: of('note') ?? '' };
  }

  _name(kind, id, i, own) {
    if (own) return own[i];
    if (this.about.cells) return flCell(this.about, id);
    if (kind === 'label') return this.picture.faces?.labels?.[id] ?? String(id);
    return flWeight(id);
  }

  _pair(pair, faces, query, { doc, row }) {
    if (!pair) return null;
    const [up, down, more, tried] = pair, of = this.picture.faces;
    const named = (id, place) => {
      const at = faces ? faces[place] : row?.[doc?.indexOf(id)] ?? -1, name = `d${id + 1}`;
      return at >= 0 ? of?.name(at, name) ?? name : name;
    };
    return up < 0 ? {} : { up: named(up, 0), down: named(down, 1), more, tried, where: of?.query(query) ?? '' };
  }

  show(what) {
    this.element.classList.toggle('fl-d-empty', !what);
    if (!what) {  // the first learner says it for all
      flText(this.note, this.picture.views[0] === this ? flSay('Press Play or Step, and it is shown here.') : '');
      return;
    }
    const { rows, number, pair, note } = what, { face } = this.picture;
    flText(this.number, face.number && number !== undefined ? `${face.number} = ${flNumber(number, '.2g')}` : '');
    this.pair.hidden = !pair;
    this.pair.classList.toggle('fl-d-none', !pair?.up);
    if (pair?.up) {
      flText(this.first, pair.up);
      flText(this.second, pair.down);
      flText(this.why, ChangeView.why(pair));
    }
    const weights = face.names === 'weight' && !this.about.cells;
    flText(this.note, rows.length ? '' : note || flSay(weights ? 'No weight moves.' : 'Nothing moves.'));
    this.scale.meet(rows.flatMap(({ was, by, width }) => [was - width, was + width, was + by]));
    this.rows.forEach((row, i) => row.show(rows[i], this.scale));
  }

  static why({ more, tried, where }) {
    const told = tried === 1 ? flSay('confirms w') : tried === 0 ? flSay('contradicts w') : '';
    return [told, more > 0 && flSay('and {count} more', { count: more }), where].filter(Boolean).join(', ');
  }

  // In words, for those who do not see it.
  tell({ rows, number, pair, note }) {
    const { face } = this.picture;
    const moved = rows.map(({ name, was, by, width, marks }) => {
      const signs = marks.map(({ words }) => words).join(', '), wide = width ? ` ± ${flNumber(width, '.2g')}` : '';
      const from = `${flNumber(was, '.3g')}${wide}`, to = flNumber(was + by, '.3g');
      const went = by ? flSay('from {from} to {to}', { from, to }) : flSay('stays at {from}', { from });
      return `${name}${signs ? ` (${signs})` : ''} ${went}`;
    });
    const parts = [
      pair?.up ? flSay('puts {up} above {down}', pair) + (ChangeView.why(pair) && ` (${ChangeView.why(pair)})`) : '',
      face.number && number !== undefined ? `${face.number} = ${flNumber(number, '.2g')}` : '',
      moved.length ? flSay('changes {what}', { what: moved.join('; ') }) : note || flSay('changes nothing'),
    ];
    return `${this.learner.label} ${parts.filter(Boolean).join('; ')}.`;
  }
}

// A name, its bars before (outline) and after (filled) with the interval around the first, and the change.
class ChangeRow {
  constructor(color) {
    this.name = flElement('span.fl-d-name');
    this.signs = flElement('span.fl-d-signs');
    this.lane = flShape('svg', { class: 'fl-d-lane', 'aria-hidden': 'true' });
    this.now = flShape('rect', { y: 3, height: 7, fill: color }, this.lane);
    this.was = flShape('rect', { y: 1.5, height: 10, class: 'fl-d-was' }, this.lane);
    this.width = flShape('line', { y1: 6.5, y2: 6.5, class: 'fl-d-width' }, this.lane);
    this.zero = flShape('line', { y1: 0, y2: 13, class: 'fl-d-zero' }, this.lane);
    this.change = flElement('span.fl-d-change');
    this.element = flElement('div.fl-d-row', {}, flElement('span.fl-d-named', {}, this.name, this.signs), this.lane,
      this.change);
  }

  show(row, scale) {
    this.element.classList.toggle('fl-d-none', !row);
    if (!row) return;
    const { name, was, by, width, marks } = row;
    flText(this.name, name);
    const signs = marks.map(({ sign }) => sign).join();
    if (signs !== this.marked) {
      this.marked = signs;
      this.signs.replaceChildren(...marks.map(({ sign }) => flSceneSign(sign)));
    }
    const zero = scale.at(0), bar = (element, number) => {
      const at = scale.at(number);
      element.setAttribute('x', `${Math.min(at, zero)}%`);
      element.setAttribute('width', `${Math.abs(at - zero)}%`);
    };
    bar(this.was, was);
    bar(this.now, was + by);
    this.zero.setAttribute('x1', `${zero}%`);
    this.zero.setAttribute('x2', `${zero}%`);
    this.width.setAttribute('x1', `${scale.at(was - width)}%`);
    this.width.setAttribute('x2', `${scale.at(was + width)}%`);
    flText(this.change, flDifference(by));
    this.element.title = `${name}: ${flNumber(was, '.3g')} → ${flNumber(was + by, '.3g')}`;
  }
}

function flText(element, text) {
  if (element.textContent !== text) element.textContent = element.title = text;
}

// w₁₂, the weight with this number from 0
export function flWeight(id) {
  return `w${[...String(id + 1)].map(digit => String.fromCharCode(0x2080 + Number(digit))).join('')}`;
}

// The name, by a learner without weights, of a number that it keeps, by its place in rows of `width` (`cells_in` of the
// ranking learners): each row has a name, the last is for all that are left.
export function flCell({ cells, width }, id) {
  const names = cells.split('|'), row = Math.floor(id / width), last = names.length - 1;
  const i = Math.max(0, row - last) + 1, j = (id % width) + 1;
  const [upper, lower = upper] = names[Math.min(row, last)].split('/'), parts = (i > j ? lower : upper).split(';');
  return parts[Math.max(0, j - 1 - width + parts.length)].replace('{i}', String(i)).replace('{j}', String(j));
}

export function flDifference(by) {
  const small = Math.abs(by) < 1e-3;
  return by ? (by > 0 ? '+' : '') + flNumber(by, small ? '.0e' : '.2g').replaceAll('-', '−') : '=';
}
