// The place on a chart where a curve is drawn by hand, by pointer, finger or keys, and where it stays afterwards.

import { flCount, flDrawing, flElement, flNumber } from '../../draw/js/library.js';
import { flSay, flUnits } from '../../draw/js/texts.js';
import { flApart, flApartWords } from './apart.js';
import { ChoiceAsk, NumberAsk } from './asks.js';
import { flBring } from './pointer.js';

const FL_PLACES = 61;  // at which a drawn curve has a value
const FL_KNOT = 5;  // places from one stop of the arrow keys to the next

class Pad {
  // act : { changed(), lock(), say(words), beside(): whether the card, with its own button, stands beside the chart }
  constructor(act) {
    this.act = act;
    this.path = flElement('div.fl-pad-line');
    this.dot = flElement('div.fl-pad-dot', { hidden: '' });
    this.hint = flElement('div.fl-pad-hint', {}, flElement('span', {}, flSay('Draw your curve here')));
    this.name = flElement('div.fl-pad-name', {}, flSay('your curve'));
    this.main = flElement('div.fl-pad', {}, this.path, this.name, this.hint, this.dot);
    this.undoing = flElement('button.fl-c-button', { type: 'button', 'data-do': 'undo' }, flSay('Undo'));
    this.clearing = flElement('button.fl-c-button', { type: 'button', 'data-do': 'clear' }, flSay('Clear'));
    this.locking = flElement('button.fl-c-button.fl-c-strong', { type: 'button' }, flSay('Lock my curve'));
    this.tools = flElement('div.fl-pad-tools', {}, this.undoing, this.clearing, this.locking);
    this.undoing.addEventListener('click', () => { this.undo(); this.main.focus(); });
    this.clearing.addEventListener('click', () => { this.clear(); this.main.focus(); });
    this.locking.addEventListener('click', () => act.lock());
    this.knot = 0;
    this.past = [];  // the curve before each stroke, walk of the keys, or clearing
    this._listen();
  }

  // Lies over a chart. drawn : { x, y } of a locked curve, or null to let it be drawn.
  attach(chart, drawn) {
    if (!chart?.x || !chart.y) return;
    const moved = this.chart !== chart;
    this.chart = chart;
    this.locked = Boolean(drawn);
    if (drawn) this.points = drawn;
    else if (!this.points || this.points.whole) this.clear(true);
    if (moved || !this.main.isConnected) chart.plot.append(this.main, this.tools);
    const { x, y } = chart;
    Object.assign(this.main.style, { left: `${x.start}px`, top: `${y.start}px`, width: `${x.length}px`,
      height: `${y.length}px` });
    Object.assign(this.tools.style, { right: `${Math.max(0, chart.plot.clientWidth - x.start - x.length) + 6}px`,
      top: `${y.start + 6}px` });
    this.main.classList.toggle('fl-c-locked', this.locked);
    chart.plot.classList.toggle('fl-drawing', !this.locked);
    this.tools.hidden = this.locked;
    if (this.locked) for (const name of ['role', 'tabindex', 'aria-label', 'aria-roledescription'])
      this.main.removeAttribute(name);
    else {
      this.main.tabIndex = 0;
      this.main.setAttribute('role', 'application');  // the arrow keys belong to it
      this.main.setAttribute('aria-roledescription', flSay('drawing area'));
      this.main.setAttribute('aria-label', [
        flSay('Your curve in the chart {title}.', { title: chart.chart?.title ?? '' }),
        flSay('Left and right walk along the chart, up and down move the curve there.'),
        flSay('Delete clears it, Control and Z undo, Enter locks it.')].join(' '));
    }
    this.draw();
  }

  detach() {
    this.chart?.plot.classList.remove('fl-drawing');
    this.main.remove();
    this.tools.remove();
    this.chart = this.points = null;
  }

  clear(quiet = false) {
    if (quiet) this.past = [];
    else this._note();
    const { x } = this.chart, at = i => i / (FL_PLACES - 1) * x.length;
    this.points = { x: Array.from({ length: FL_PLACES }, (_, i) => x.value(at(i))), y: Array(FL_PLACES).fill(null) };
    this.knot = 0;
    if (quiet) return;
    this.draw();
    this.act.changed();
    this.act.say(flSay('Your curve is cleared.'));
  }

  _note() {
    this.past.push([...this.points.y]);
    this.lifted = null;
  }

  undo() {
    const before = this.past.pop();
    if (!before) return;
    this.points.y = before;
    this.lifted = null;
    this.draw();
    this.act.changed();
    this.act.say(flSay(this.past.length ? 'The last stroke is undone.' : 'The first stroke is undone.'));
  }

  // The drawn curve from edge to edge, or null as long as it is not drawn over nearly all of the chart.
  get value() {
    const { x, y } = this.points ?? { y: [] }, known = y.flatMap((v, i) => (v === null ? [] : [i]));
    if (known.length < 2 || known[0] > FL_PLACES / 8 || known.at(-1) < FL_PLACES * 7 / 8) return null;
    const round = number => Number(number.toPrecision(4));
    const filled = y.map((v, i) => {
      if (v !== null) return v;
      const right = known.find(k => k > i), left = known.findLast(k => k < i);
      if (right === undefined || left === undefined) return y[right ?? left];
      return y[left] + (i - left) / (right - left) * (y[right] - y[left]);
    });
    return { x: x.map(round), y: filled.map(round), whole: true };
  }

  static fits(_, value) {
    const numbers = list => Array.isArray(list) && list.length === FL_PLACES && list.every(Number.isFinite);
    return numbers(value?.x) && numbers(value?.y);
  }

  // ---- what the person does

  _listen() {
    const { main } = this;
    const here = event => {
      const frame = main.getBoundingClientRect();
      return [event.clientX - frame.left, event.clientY - frame.top];
    };
    main.addEventListener('pointerdown', event => {
      if (this.locked || event.button !== 0) return;
      event.preventDefault();
      event.stopPropagation();
      main.focus({ preventScroll: true });
      main.setPointerCapture(event.pointerId);
      this.last = null;
      this.drawing = true;
      this._note();
      this._to(...here(event));
    });
    main.addEventListener('pointermove', event => {
      if (this.locked) return;
      event.stopPropagation();  // the chart would show its values
      if (this.drawing) this._to(...here(event));
    });
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) main.addEventListener(end, () => {
      if (!this.drawing) return;
      this.drawing = false;
      this.act.changed();
    });
    main.addEventListener('keydown', event => this._key(event));
    main.addEventListener('focus', () => this.draw());
    main.addEventListener('blur', () => this.draw());
  }

  // The pointer is at a place of the pad: the curve goes there from where it was.
  _to(across, down) {
    const { x } = this.chart, i = Math.min(FL_PLACES - 1, Math.max(0, Math.round(across / x.length * (FL_PLACES - 1))));
    const from = this.last ?? { i, down };
    this.last = { i, down };
    this._line(from, this.last);
    this.knot = Math.round(i / FL_KNOT) * FL_KNOT;
    this.draw();
  }

  _line(from, to) {
    const by = Math.sign(to.i - from.i) || 1;
    for (let i = from.i; by > 0 ? i <= to.i : i >= to.i; i += by) {
      const part = to.i === from.i ? 1 : (i - from.i) / (to.i - from.i);
      this.points.y[i] = this._value(from.down + part * (to.down - from.down));
    }
  }

  _value(down) {
    const { y } = this.chart;
    return y.value(y.length - Math.min(y.length, Math.max(0, down)));
  }

  _key(event) {
    const undo = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'z';
    if (this.locked || (!undo && (event.ctrlKey || event.metaKey || event.altKey))) return;
    const aside = { ArrowLeft: -FL_KNOT, ArrowRight: FL_KNOT, Home: -FL_PLACES, End: FL_PLACES }[event.key];
    const up = { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 }[event.key];
    if (aside) this._walk(this.knot + aside);
    else if (up) this._lift(up);
    else if (undo) this.undo();
    else if (event.key === 'Enter') this.act.lock();
    else if (event.key === 'Delete' || event.key === 'Backspace') this.clear();
    else if (event.key === 'Escape') this.main.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  _walk(to) {
    this.knot = Math.min(FL_PLACES - 1, Math.max(0, to));
    this.draw();
    this._tell();
  }

  // Moves the curve up or down at one stop, and joins it to the stops beside it that are drawn.
  _lift(by) {
    if (this.lifted !== this.knot) this._note();
    this.lifted = this.knot;
    const { y } = this.chart, { points, knot } = this, pixel = i => y.place(points.y[i]);
    const known = i => i >= 0 && i < FL_PLACES && points.y[i] !== null;
    const near = [knot, knot - FL_KNOT, knot + FL_KNOT].find(known);
    const from = near === undefined ? y.length / 2 : pixel(near);
    const to = { i: knot, down: from - by * y.length / 25 };
    points.y[knot] = this._value(to.down);
    to.down = pixel(knot);
    for (const i of [knot - FL_KNOT, knot + FL_KNOT]) if (known(i)) this._line({ i, down: pixel(i) }, to);
    this.draw();
    this._tell();
    this.act.changed();
  }

  _tell() {
    const { points, knot, chart } = this, { unit = 'step' } = chart.payload ?? {};
    const value = points.y[knot];
    const drawn = value === null ? flSay('not drawn yet') : flNumber(value, chart.chart?.format);
    this.act.say(`${flUnits(unit).Unit} ${flCount(points.x[knot])}: ${drawn}`);
  }

  // ---- what is seen

  draw() {
    if (!this.chart || !this.points) return;
    const { x, y } = this.chart, pieces = [];
    let open = false;
    this.points.y.forEach((value, i) => {
      const at = [x.place(this.points.x[i]), y.place(value)], known = at.every(Number.isFinite);  // no 0 on a log axis
      if (known) pieces.push(`${open ? 'L' : 'M'}${at.map(pixel => pixel.toFixed(1)).join()}`);
      open = known;
    });
    this.path.replaceChildren(flDrawing(x.length, y.length, { path: { d: pieces.join('') } }));
    this.hint.hidden = this.locked || pieces.length > 0;
    this.name.hidden = !this.locked;
    if (this.locked) {
      const i = FL_PLACES >> 2, down = Math.min(y.length, Math.max(20, y.place(this.points.y[i])));
      Object.assign(this.name.style, { left: `${x.place(this.points.x[i])}px`, top: `${down}px` });
    }
    this.clearing.hidden = !pieces.length;
    this.undoing.hidden = !this.past.length;
    this.locking.hidden = this.value === null || this.act.beside();
    const value = this.points.y[this.knot];
    this.dot.hidden = this.locked || document.activeElement !== this.main || this.drawing;
    this.dot.style.left = `${x.place(this.points.x[this.knot])}px`;
    this.dot.style.top = `${value === null ? y.length / 2 : y.place(value)}px`;
    this.dot.classList.toggle('fl-c-empty', value === null);
  }
}

// A curve drawn by hand over the player's chart, which lies elsewhere on the page.
class CurveAsk {
  static fits = Pad.fits;

  constructor(card, changed, act) {
    this.ask = card.ask;
    this.pad = new Pad({ ...act, changed });
    this.status = flElement('p.fl-c-small');
    this.goto = flElement('button.fl-c-button', { type: 'button' }, flSay('Go to the chart'));
    this.goto.addEventListener('click', () => {
      const { plot } = this.pad.chart ?? {};
      if (plot) flBring(plot.closest('section') ?? plot, act.calm(), act.beside() ? undefined : 'center');
      this.pad.main.focus({ preventScroll: true });
    });
    this.main = flElement('div.fl-c-curve-ask', {}, this.status, this.goto);
    this.wanting = flSay('Draw your curve across the whole chart first, from the left edge to the right.');
    this.draws = true;
    this.lock(null);
  }

  get draft() {
    return this.pad.chart ? this.pad.value : null;
  }

  // Lays the pad over the chart that the question is about.
  sync(player, value) {
    const chart = player?.grid.drawings.get(this.ask.chart);
    if (chart) this.pad.attach(chart, value);
    return chart;
  }

  lock(value) {
    this.status.textContent = flSay(value ? 'Your curve is locked. It stays in the chart as a dashed line.'
      : 'Draw in the chart with the mouse, a finger or the arrow keys.');
    this.goto.hidden = Boolean(value);
  }

  compare(value, _truth, player, until) {
    const chart = player?.grid.drawings.get(this.ask.chart);
    const mine = ({ slot, bound, faint }) => slot === (this.ask.learner ?? 1) - 1 && !bound && !faint;
    const line = chart?.lines?.find(mine);
    if (!line || !chart.y) return null;
    const log = chart.chart.layout?.yaxis?.type === 'log', found = flApart(value, line, chart.y, log, until);
    if (!found) return null;
    const [words, numbers, points] = flApartWords(found, log, chart.chart.format, player.payload.unit);
    const parts = [flElement('p', {}, numbers)];
    return { words, parts, spoken: `${words} ${numbers}`, points, response: numbers };
  }

  tally() {
    return [];
  }

  leave() {
    this.pad.detach();
  }
}

export const flAsks = { choice: ChoiceAsk, number: NumberAsk, curve: CurveAsk };
