// Strips of colours that show for each replicate when it was unstable. They are uncovered like the curves.

import { flCount, flDrawing, flElement, flNumber } from '../../draw/js/library.js';
import { flSay, flUnits } from '../../draw/js/texts.js';
import { flBytes } from './packed.js';

// The strips of one metric, one for each learner, with title, colours and steps.
export class StripSection {
  constructor(film, strip) {
    this.film = film;
    this.title = flElement('span');
    this.help = flElement('p');
    this.sign = flElement('summary', { 'aria-label': flSay('What is this?') }, '?');
    this.scale = flElement('span.fl-scale');
    this.heats = strip.learners.map(() => new HeatStrip(this));
    this.ticks = flElement('div.fl-ticks', { 'aria-hidden': 'true' });
    this.reading = flElement('p.fl-reading', { role: 'status' });
    this.element = flElement('section', { 'data-strip': strip.id },
      flElement('h3', {}, this.title, flElement('details', {}, this.sign, this.help)),
      flElement('div.fl-key', {}, this.reading, this.scale), ...this.heats.map(heat => heat.element), this.ticks);
  }

  update(strip, payload) {
    this.strip = strip;
    this.payload = payload;
    this.shown = null;  // other strips, to be uncovered anew
    this.element.style.color = payload.text;
    this.title.textContent = strip.title;
    this.help.textContent = this.sign.title = strip.help;
    const ends = [strip.best, strip.best + strip.step * strip.levels].map(value => flNumber(value));
    const bar = flElement('i', { style: `background: linear-gradient(90deg, ${strip.ramp.join(', ')})` });
    this.scale.replaceChildren(`${ends[0]} ${flSay('best')}`, bar, `${ends[1]} ${flSay('worst')}`);
    this.ticks.replaceChildren(...flTicks(strip.edges.at(-1), strip.log).map(t => {
      const place = 100 * this.place(t);  // the first and the last stay within the strip
      return flElement('span', { style: `left: ${place}%; translate: ${place % 100 ? -50 : -place}%` }, flCount(t));
    }));
    strip.learners.forEach((learner, number) => this.heats[number].update(learner));
    this.tell(null);
  }

  // Where a step stands across the strip, from 0 to 1.
  place(t) {
    const { edges, log } = this.strip, last = edges.at(-1);
    return Math.min(1, log ? Math.log10(Math.max(t, 1)) / Math.log10(Math.max(last, 2)) : t / last);
  }

  reveal(t) {
    const place = this.place(t);
    if (place === this.shown) return;
    this.shown = place;
    for (const heat of this.heats) heat.reveal(place, t);
  }

  mark(replicate) {
    for (const heat of this.heats) heat.mark(replicate);
  }

  tell(words) {
    this.reading.textContent = words ?? flSay('Point at a row to read it, press it to see that replicate.');
  }
}

// The strip of one learner, a row for each replicate and a column for some steps.
class HeatStrip {
  constructor(section) {
    this.section = section;
    this.row = 0;
    this.column = null;
    this.chosen = null;
    this.name = flElement('span.fl-learner');
    this.lapsed = flElement('span');
    this.canvas = flElement('canvas', { width: 1200 });
    this.veil = flElement('i.fl-veil');
    this.cursor = flElement('i.fl-cursor', { hidden: '' });
    this.line = flElement('i.fl-line', { hidden: '' });
    this.box = flElement('i.fl-chosen', { hidden: '' });
    this.frame = flElement('div.fl-heat', {
      tabindex: 0, role: 'application', 'aria-roledescription': flSay('heat strip') },
    this.canvas, this.veil, this.line, this.box, this.cursor);
    this.element = flElement('div.fl-strip', {}, this.name, this.frame);
    const { frame } = this, on = (type, act) => frame.addEventListener(type, act);
    on('pointermove', event => this._point(event));
    on('pointerdown', event => this._point(event));
    on('pointerleave', () => this._leave());
    on('blur', () => this._leave());
    on('click', event => { if (this._point(event)) this._choose(); });
    on('focus', () => { if (frame.matches(':focus-visible')) this._look(this.row, this.column ?? this._latest()); });
    on('keydown', event => this._key(event));
  }

  update(learner) {
    const { strip, payload } = this.section, { label, color, dash } = payload.learners[learner.slot];
    this.order = learner.order;
    if (learner.codes !== this.text) this.codes = flBytes(this.text = learner.codes);
    const line = { x1: 0, x2: 34, y1: 4, y2: 4, stroke: color, 'stroke-width': 3, 'stroke-dasharray': dash };
    this.name.replaceChildren(flDrawing(34, 8, { line }), flElement('b', {}, label), this.lapsed);
    this.label = label;
    this.lapses = learner.lapses;
    this.said = null;
    this.frame.style.height = `${Math.min(200, Math.max(48, 6 * this.order.length))}px`;
    this._paint(strip);
    this.mark(this.chosen);
    this._leave();
  }

  // Uncovers what came up to the playhead, and says how many replicates have lapsed by then.
  reveal(place, t) {
    this.veil.style.transform = `translateX(${100 * place}%)`;
    const { lapse, title } = this.section.strip, { length } = this.order;
    const count = this.lapses.filter(step => step <= t).length;
    const words = t < 1 ? '' : flSay(count ? 'So far {count} of {length} replicates {lapse} at least once.'
      : 'So far none of {length} replicates {lapse}.', { count, length, lapse });
    if (words === this.said) return;
    this.lapsed.textContent = this.said = words;
    this.frame.setAttribute('aria-label', `${title}, ${this.label}. ${words} ` +
      flSay('Arrow keys walk through rows and columns, Enter shows the replicate of a row.'));
  }

  mark(replicate) {
    this.chosen = replicate;
    const row = this.order?.indexOf(replicate) ?? -1;
    this.box.hidden = row < 0;
    if (row >= 0) this._put(this.box, row);
  }

  // A picture of 1200 points by one for each replicate, which the page stretches.
  _paint({ edges, log, ramp, levels }) {
    const { canvas, codes } = this, { width } = canvas, rows = this.order.length, columns = edges.length - 1;
    const now = [log, ramp, levels, edges, this.text].join();
    if (now === this.painted) return;
    this.painted = now;
    canvas.height = rows;
    const context = canvas.getContext('2d'), picture = context.createImageData(width, rows);
    const points = new Uint32Array(picture.data.buffer);
    const colors = Array.from({ length: levels + 1 }, (_, code) => flMix(ramp, code / levels));
    const starts = edges.map(edge => Math.round(this.section.place(edge) * width));
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const color = colors[codes[row * columns + column]] ?? 0;
        points.fill(color, row * width + starts[column], row * width + starts[column + 1]);
      }
    }
    context.putImageData(picture, 0, 0);
  }

  // The column of the playhead, beyond which nothing is told.
  _latest() {
    const { edges } = this.section.strip, t = this.section.film.player.t;
    return Math.min(edges.length - 2, Math.max(0, edges.findLastIndex(edge => edge < Math.max(t, 1))));
  }

  _point(event) {
    const { left, top, width, height } = this.frame.getBoundingClientRect(), { strip } = this.section;
    const last = strip.edges.at(-1), share = Math.min(1, Math.max(0, (event.clientX - left) / width));
    const t = strip.log ? Math.max(last, 2) ** share : share * last;
    const row = Math.floor((event.clientY - top) / height * this.order.length);
    const column = Math.max(0, strip.edges.findLastIndex(edge => edge < Math.max(t, 1)));
    this._look(Math.min(this.order.length - 1, Math.max(0, row)), Math.min(column, strip.edges.length - 2));
    return true;
  }

  // Says what a row holds at a column.
  _look(row, column) {
    const { section } = this, { strip, payload, film } = section, columns = strip.edges.length - 1;
    const from = strip.edges[column] + 1, to = strip.edges[column + 1], { unit, units } = flUnits(payload.unit);
    const when = from === to ? `${unit} ${flCount(to)}` : `${units} ${flCount(from)}–${flCount(to)}`;
    const code = this.codes[row * columns + column], seen = film.player.t >= from;
    const holds = { worst: flSay('the worst of these {units}', { units }), mean: flSay('their mean') };
    holds.since = holds.mean;
    const held = from < to && holds[strip.within] ? `, ${holds[strip.within]}` : '';
    const value = code > strip.levels ? flSay('no value') : flNumber(strip.best + code * strip.step) + held;
    this.row = row;
    this.column = column;
    this.cursor.hidden = this.line.hidden = false;
    this.line.style.left = `${50 * (section.place(from - 1) + section.place(to))}%`;
    this._put(this.cursor, row);
    section.tell(`${this.label}, ${flSay('replicate')} ${this.order[row] + 1}` + (seen
      ? `, ${when}. ${strip.quantity}: ${value}.`
      : `. ${flSay('The playhead has not come to {when} yet.', { when })}`));
  }

  _leave() {
    this.cursor.hidden = this.line.hidden = true;
    this.section.tell(null);
  }

  _choose() {
    const { film } = this.section;
    film.stop();
    film.choose(this.order[this.row]);
  }

  _key(event) {
    const by = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || (!by && event.key !== 'Enter')) return;
    event.preventDefault();
    if (!by) { this._choose(); return; }
    const within = (value, most) => Math.min(most, Math.max(0, value)), latest = this._latest();
    const column = within((this.column ?? latest) + by[1], latest);
    this._look(within(this.row + by[0], this.order.length - 1), column);
  }

  _put(mark, row) {
    mark.style.top = `${100 * row / this.order.length}%`;
    mark.style.height = `${100 / this.order.length}%`;
  }
}

// The colour at a place from 0 to 1 of a scale of colours, as a number for a picture.
function flMix(ramp, place) {
  const at = Math.min(ramp.length - 2, Math.floor(place * (ramp.length - 1))), share = place * (ramp.length - 1) - at;
  const part = (color, i) => parseInt(color.slice(2 * i + 1, 2 * i + 3), 16);
  const [r, g, b] = [0, 1, 2].map(i => Math.round(part(ramp[at], i) * (1 - share) + part(ramp[at + 1], i) * share));
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

// The steps that are written below a strip: whole powers of ten, or about five round numbers.
function flTicks(last, log) {
  if (log) return Array.from({ length: Math.floor(Math.log10(last) + 1e-9) + 1 }, (_, power) => 10 ** power);
  const power = 10 ** Math.floor(Math.log10(Math.max(last, 1) / 4));
  const by = Math.max(1, [1, 2, 5, 10].map(times => times * power).findLast(step => last / step >= 4));
  return Array.from({ length: Math.floor(last / by) + 1 }, (_, number) => number * by);
}
