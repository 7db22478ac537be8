// The knobs: sliders for the settings that a lab is about. While a hand turns one, the charts show the run at the
// nearest stop that is computed, without the server; when it lets go, the stop becomes the setting.

import { flDrawing, flElement, flIcon, flNumber } from '../../draw/js/library.js';
import { flSay } from '../../draw/js/texts.js';
import { flBytes } from './packed.js';
import { flShape } from './plot.js';

// ms that a pointer stays at a knob until its stops are computed; until a stop that a hand has left counts; that a film
// shows each
const FL_TURN = { near: 150, settle: 250, film: 450 };

export class Knobs {
  /** @param {import('./player.js').Player} player */
  constructor(player) {
    this.player = player;
    this.element = flElement('div.fl-knobs', { role: 'group', 'aria-label': flSay('Knobs'), hidden: '' });
    this.knobs = new Map();  // by key
    this.near = null;  // the key of the knob whose stops are computed
    this.grid = null;  // the name of these stops
    this.stops = new Map();  // of that knob, the charts of each stop by chart id
    this.gap = this.whole = false;  // whether stops were lost on their way; whether all are here
    this.turning = null;  // the knob that is turned, until its value is the setting
  }

  update(payload) {
    const declared = payload.knobs ?? [], now = JSON.stringify(declared.map(({ value, ...rest }) => rest));
    this.element.hidden = !declared.length;
    if (now !== this.declared) {
      this.declared = now;
      const old = this.knobs, held = this.element.contains(document.activeElement) && document.activeElement;
      if (this.turning) this._release();
      this.destroy();
      this.knobs = new Map(declared.map(one => [one.key, new Knob(one, this)]));
      this.element.replaceChildren(...[...this.knobs.values()].map(({ element }) => element));
      if (held) [...this.knobs.values()].find(({ key }) => old.get(key)?.slider === held)?.slider.focus();
    }
    const fresh = payload.run !== this.run;
    if (fresh) this.knobs.forEach(knob => knob.key === payload.turned?.key || knob.clear());
    this._receive(payload.turned, fresh);
    this._invite();
    this.run = payload.run;
    for (const { key, value } of declared) this.knobs.get(key).follow(value);
    const { turning } = this;
    if (!turning) return;
    const { sent, value, held } = turning, whole = payload.complete || payload.failed;
    if (!held && (sent === null || (sent === value && whole))) this._release();
    else this.show(turning);
  }

  // Says below the first knob what a hand that comes near brings, as long as no knob has a response curve.
  _invite() {
    const [first] = this.knobs.values(), alone = !this.near && Boolean(this.player.host.knob);
    if (first && !first.dots) {
      first.note.textContent = alone ? flSay('Go to a knob to see where the run ends with each value') : '';
    }
  }

  // How many stops are here, for the server.
  get had() {
    return this.near ? { stops: this.stops.size } : {};
  }

  // The stops belong to every run that differs in nothing but this knob; of other runs the server sends none.
  _receive(turned, fresh) {
    if (!turned && fresh) this.near = null;
    if (!turned) return;
    if (turned.grid !== this.grid || turned.key !== this.near) {
      this.near = turned.key;
      this.grid = turned.grid;
      this.stops.clear();
    }
    this.gap = turned.first > this.stops.size;
    if (this.gap) return;
    for (const [number, charts] of turned.stops) {
      const shown = charts.map(({ id, lines, ...chart }) => [id, { ...chart, lines: lines.map(flUnpack) }]);
      this.stops.set(number, new Map(shown));
    }
    this.whole = turned.complete;
    this.knobs.get(turned.key)?.respond(this.stops, turned);
  }

  // A hand or the focus has come near a knob: its stops are computed.
  approach(key) {
    const { host, payload } = this.player;
    if (!payload || !host.knob || this.near === key) return;
    if (this.turning && this.turning.key !== key) {
      if (!host.alone) return;
      this._home(this.turning);
    }
    this.near = key;
    this.grid = null;
    this.whole = false;
    this.stops.clear();
    this._invite();
    host.knob({ key });
  }

  // Without a server no run comes for the stop at which a hand has left a knob: the knob goes back to that of the run.
  _home(knob) {
    knob.slider.value = knob.value;
    this._release();
    knob.follow(knob.value);
  }

  // Show the run at the stop of a knob, or at the nearest that is computed.
  show(knob) {
    this.turning = knob;
    const stop = this.nearest(knob);
    knob.tell(stop);
    const charts = stop === knob.value ? null : this.stops.get(stop);
    if (this.shown === charts && charts !== undefined) return;
    this.shown = charts ?? null;
    for (const [id, drawing] of this.player.grid.drawings) {
      drawing.turn?.(charts?.get(id) ?? null, charts && this._range(id));
    }
  }

  // The stop that can be shown: that under the hand, or the last one that was shown.
  nearest(knob) {
    const wanted = knob.stop;
    if (wanted === knob.value || (knob.key === this.near && this.stops.has(wanted))) return knob.last = wanted;
    return knob.last ?? knob.value;
  }

  // A range of the y axis that holds all stops, so that the axis stands still while a hand turns.
  _range(id) {
    const ranges = [...this.stops.values()].map(charts => charts.get(id)?.range).filter(Boolean);
    const drawn = this.player.payload.charts.find(chart => chart.id === id)?.layout?.yaxis?.range;
    if (!drawn || !ranges.length || drawn[0] > drawn[1]) return null;
    return [drawn, ...ranges].reduce(([a, b], [c, d]) => [Math.min(a, c), Math.max(b, d)]);
  }

  // The value is the setting, and its run is here: the charts show it.
  _release() {
    this.turning.sent = null;
    this.turning.last = null;
    this.turning = null;
    this.shown = null;
    for (const drawing of this.player.grid.drawings.values()) drawing.turn?.(null, null);
  }

  destroy() {
    for (const knob of this.knobs.values()) knob.destroy();
  }
}

class Knob {
  constructor(declared, knobs) {
    const { label, of, symbol, texts, help, locked, color } = declared, name = of ? `${label}, ${of}` : label;
    this.knobs = knobs;
    this.key = declared.key;
    this.texts = texts;
    this.home = declared.home;  // the stop of the default, or null
    this.value = declared.value;  // the stop of the run
    this.last = null;  // the stop that was shown last, while a hand turns
    this.sent = null;  // the stop that was made the setting, until its run is here
    this.held = false;  // whether a hand turns it, until what it left counts
    const disabled = locked ? '' : null;
    this.slider = flElement('input', {
      type: 'range', min: 0, max: texts.length - 1, step: 1, 'aria-label': name, title: help, disabled,
    });
    this.output = flElement('output');
    this.play = flElement('button.fl-knob-play', {
      type: 'button', title: flSay('Play {label} from {first} to {last}', {
        label: of ? `${symbol || label} (${of})` : symbol || label, first: texts[0], last: texts.at(-1) }), disabled,
    }, flIcon('play'));
    this.play.setAttribute('aria-label', this.play.title);
    this.curve = flElement('div.fl-knob-curve', { 'aria-hidden': 'true' });
    this.note = flElement('p.fl-knob-note', { 'aria-hidden': 'true' });
    this.told = flElement('span.fl-say', { id: `fl-knob-${this.key}-told` });
    this.slider.setAttribute('aria-describedby', this.told.id);
    const shown = flElement('span.fl-knob-name', { title: of ? `${name}: ${help}` : help }, label,
      ...of ? [' ', flElement('span.fl-knob-of', {}, of)] : []);
    this.element = flElement('div.fl-knob', { 'data-knob': this.key },
      shown, this.output, this.play, this.slider, this.curve, this.note, this.told);
    if (color) this.element.style.setProperty('--fl-color', color);
    this._listen();
  }

  _listen() {
    const { slider, element, knobs } = this;
    element.addEventListener('focusin', () => knobs.approach(this.key));
    element.addEventListener('pointerenter', () => {
      this.stays = setTimeout(() => knobs.approach(this.key), FL_TURN.near);
    });
    element.addEventListener('pointerleave', () => clearTimeout(this.stays));
    slider.addEventListener('pointerdown', () => { this.held = true; this._stop(); });
    for (const end of ['pointerup', 'pointercancel']) slider.addEventListener(end, () => this._settle());
    slider.addEventListener('input', () => {
      clearTimeout(this.waits);
      this.held = true;
      knobs.approach(this.key);
      knobs.show(this);
    });
    slider.addEventListener('change', () => this._settle());
    slider.addEventListener('dblclick', () => {
      if (this.home === null) return;
      slider.value = this.home;
      knobs.show(this);
      this._settle();
    });
    this.play.addEventListener('click', () => {
      if (!this.film) { this._film(); return; }
      this._stop();
      this._settle();
    });
  }

  get stop() {
    return Number(this.slider.value);
  }

  // Make the stop the setting, once the hand rests. Until then no run that comes takes the slider from it.
  _settle() {
    clearTimeout(this.waits);
    this.held = true;
    this.waits = setTimeout(() => {
      this.held = false;
      const { stop, knobs } = this;
      if (stop !== (this.sent ?? this.value)) {
        this.sent = stop;
        knobs.player.host.knob?.({ key: this.key, value: stop });
      }
      if (stop === this.value) knobs.update(knobs.player.payload);
    }, FL_TURN.settle);
  }

  // The value of the run has come.
  follow(value) {
    this.value = value;
    if (this.knobs.turning !== this) { this.slider.value = value; this.last = null; }
    this.tell(this.knobs.turning === this ? this.knobs.nearest(this) : value);
  }

  // Says the value under the hand, and whether the curves show it.
  tell(shown) {
    const words = this.texts[this.stop], waits = shown !== this.stop;
    this.element.classList.toggle('fl-knob-waits', waits);
    if (this.output.textContent !== words) this.output.textContent = words;
    const said = !waits ? words
      : flSay('{value}, still computing: the curves show {shown}', { value: words, shown: this.texts[shown] });
    this.output.title = waits ? said : '';
    if (this.slider.getAttribute('aria-valuetext') !== said) this.slider.setAttribute('aria-valuetext', said);
    this.slider.style.setProperty('--fl-part', `${this._across(this.stop)}%`);
    this._point();
  }

  // Marks the value under the hand on the response curve.
  _point() {
    this.here?.setAttribute('d', `M${this._across(this.stop)} 0V24`);
    this.dots?.forEach((places, dot) => dot.setAttribute('d', places.get(this.stop) ?? ''));
  }

  // Says what the response curve shows, briefly below it, and with its lowest and highest values to who cannot see it.
  _explain({ title, format }, ends, range, more) {
    const { payload } = this.knobs.player, [low, high] = range.map(value => flNumber(value, format));
    const about = { title, first: this.texts[0], last: this.texts.at(-1) };
    this.note.replaceChildren(flElement('span', {}, flSay('At the end: {title}', about)),
      low === high ? low : `${low}–${high}`);
    const said = [...ends].map(([slot, points]) => {
      const sorted = [...points].sort(([, a], [, b]) => a - b), [least, most] = [sorted[0], sorted.at(-1)];
      return flSay('{learner}: lowest {low} at {at}, highest {high} at {there}.', {
        learner: payload.learners[slot]?.label ?? '', low: flNumber(least[1], format), at: this.texts[least[0]],
        high: flNumber(most[1], format), there: this.texts[most[0]] });
    });
    const words = flSay('{title} at the end of the run, against {first} to {last}.', about);
    this.told.textContent = [words, ...said, more].filter(Boolean).join(' ');
    this.curve.title = this.note.title = this.told.textContent;
  }

  // The response curve was that of another run.
  clear() {
    this.here = this.dots = null;
    for (const part of [this.curve, this.note, this.told]) part.replaceChildren();
    this.curve.title = this.note.title = '';
  }

  _across(number) {
    return 100 * number / Math.max(1, this.texts.length - 1);
  }

  // The response curve: where the curves of the first chart end, against the value of the knob.
  respond(stops, { complete, left_out: left }) {
    const { player } = this.knobs, { payload } = player;
    const first = payload.charts.find(chart => chart.kind === 'curves');
    if (!first || stops.size < 2) return;
    const ends = new Map(), turned = [...stops.values()][0].get(first.id)?.slot;
    for (const [number, charts] of [...stops, [this.value, null]].sort(([a], [b]) => a - b)) {
      const lines = charts?.get(first.id)?.lines ?? (number === this.value && !stops.has(number)
        ? first.lines.map(line => ({ ...line, y: first.data[line.trace].y })) : []);
      for (const { slot, faint, bound, y } of lines) {
        const end = y.length ? y[y.length - 1] : NaN;
        if (faint || bound || (turned ?? slot) !== slot || !Number.isFinite(end)) continue;
        ends.set(slot, [...ends.get(slot) ?? [], [number, end]]);
      }
    }
    const all = [...ends.values()].flat().map(([, y]) => y), low = Math.min(...all), high = Math.max(...all);
    const down = y => 21 - 18 * (high > low ? (y - low) / (high - low) : 0.5);
    const made = flDrawing(100, 24, {}), falls = first.layout.yaxis.range?.[0] > first.layout.yaxis.range?.[1];
    const place = ([n, y]) => `${this._across(n)} ${falls ? 24 - down(y) : down(y)}`;
    const thin = { fill: 'none', 'vector-effect': 'non-scaling-stroke' };
    this.dots = new Map();
    for (const [slot, points] of ends) {
      const stroke = payload.learners[slot]?.color ?? 'currentColor';
      flShape('path', { ...thin, d: `M${points.map(place).join('L')}`, stroke, 'stroke-width': 1.6 }, made);
      const round = { class: 'fl-knob-dot', 'stroke-width': 6, 'stroke-linecap': 'round' };
      const dot = flShape('path', { ...thin, ...round }, made);
      dot.style.stroke = stroke;
      this.dots.set(dot, new Map(points.map(point => [point[0], `M${place(point)}h0`])));
    }
    made.setAttribute('preserveAspectRatio', 'none');
    this.here = flShape('path', { ...thin, class: 'fl-knob-here' }, made);
    this._point();
    this._explain(first, ends, [low, high], left ? flSay('{count} values farther away take too long.', { count: left })
      : complete ? '' : flSay('More values are computed.'));
    this.curve.replaceChildren(made);
  }

  // Plays the curves from the first stop to the last.
  _film() {
    const { knobs } = this;
    knobs.approach(this.key);
    this.play.replaceChildren(flIcon('pause'));
    const back = this.stop;
    let next = 0;
    this.held = true;
    this.film = setInterval(() => {
      const known = this.texts.map((_, i) => i).filter(i => i === this.value || knobs.stops.has(i));
      if (!knobs.whole && known.length < this.texts.length) return;  // until all are here
      if (next >= known.length) { this._stop(); this.slider.value = back; knobs.show(this); this._settle(); return; }
      this.slider.value = known[next];
      next += 1;
      knobs.show(this);
    }, FL_TURN.film);
  }

  _stop() {
    clearInterval(this.film);
    if (this.film) this.play.replaceChildren(flIcon('play'));
    this.film = null;
  }

  destroy() {
    clearTimeout(this.stays);
    clearTimeout(this.waits);
    this._stop();
  }
}

// A line of a stop, with its points as numbers. The lower edge of a band goes back over the x of the upper one.
function flUnpack({ points, ...line }) {
  const [x, y, upper, around] = points.map(text => text && new Float32Array(flBytes(text).buffer));
  if (!around) return { ...line, x, y, band: null };
  const there = upper ?? x;
  return { ...line, x, y, band: [[...there, ...[...there].reverse()], around] };
}
