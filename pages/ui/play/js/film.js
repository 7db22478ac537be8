// Replicates: all as mean and band, or one after the other; strips.js draws when each of them was unstable.

import { flDrawing, flElement, flIcon } from '../../draw/js/library.js';
import { flSay } from '../../draw/js/texts.js';
import { FL_FIELDS } from './controls.js';
import { flBytes } from './packed.js';
import { StripSection } from './strips.js';

const FL_REEL = 400;  // ms that a replicate is shown for when they are played through

export class Film {
  constructor(player) {
    this.player = player;
    this.replicate = null;
    this.before = 0;
    this.film = null;
    this.held = null;
    this.asked = '';
    this.alone = new Set();
    this.controls = new FilmControls(this);
    this.strips = flElement('div.fl-strips', { hidden: '' });
    this.sections = [];
    player.places.film.append(this.controls.row);
    player.root.append(this.strips);
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    addEventListener('keydown', event => this._key(event), { signal });
    this.calm.addEventListener('change', () => { this.stop(); this._show(); }, { signal });
  }

  update(payload) {
    const { film } = payload;
    this.film = film;
    if (film?.charts) this.held = { key: film.key, charts: film.charts };
    if (!film) { this.stop(); this.replicate = null; }
    else if (this.replicate !== null) this.replicate = Math.min(this.replicate, payload.replicates - 1);
    if (!this.ready) this._hand(() => null);  // the curves of another run
    this._arrange(payload);
    this._show();
    this.player.draw().then(() => this._apply());  // the charts first
  }

  // Uncovers the strips up to the playhead; called at each frame.
  reveal(t) {
    for (const section of this.sections) section.reveal(t);
  }

  // Shows one replicate, counted from 0, or with null mean and band.
  choose(replicate) {
    if (!this.film) return;
    if (replicate === null) this.stop();
    this.before = replicate ?? this.replicate ?? this.before;
    this.replicate = replicate;
    this._show();
    this._apply();
  }

  // Shows the next or the previous replicate; the first call shows the one that was seen last.
  step(by) {
    const { replicates } = this.player.payload;
    const next = this.replicate === null ? this.before : this.replicate + by;
    this.choose((next + replicates) % replicates);
  }

  // Plays all replicates through, one after the other and again from the first.
  toggle() {
    if (this.reel) { this.stop(); this._show(); return; }
    if (this.calm.matches) return;
    if (this.replicate === null) this.step(0);
    this._play(this.reel = {});
    this._show();
  }

  async _play(reel) {
    const pause = () => new Promise(next => setTimeout(next, FL_REEL));
    for (await pause(); this.reel === reel; await this.shown, await pause()) {
      if (!document.hidden && this.ready) this.step(1);
    }
  }

  stop() {
    this.reel = null;
  }

  // Whether the curves that are here belong to the charts that are drawn.
  get ready() {
    return Boolean(this.film) && this.held?.key === this.film.key;
  }

  destroy() {
    this.stop();
    this.leaving.abort();
  }

  // Shows every chart the curves of the replicate, or takes them back; asks for them if they are not here.
  _apply() {
    const { player, film, replicate } = this, { payload } = player;
    if (this.leaving.signal.aborted || payload.film !== film) return;
    const whole = payload.complete || Boolean(payload.failed);
    if (replicate !== null && !this.ready && whole && this.asked !== film.key) {
      this.asked = film.key;
      player.host.film();
    }
    this._hand(id => replicate !== null && this.ready ? this._lines(id) : null);
  }

  _hand(linesOf) {
    const { replicate, player } = this, drawing = [];
    for (const [id, chart] of player.grid.drawings) {
      const lines = linesOf(id);
      if (!chart.solo || (!lines && !this.alone.has(chart))) continue;
      this.alone[lines ? 'add' : 'delete'](chart);
      drawing.push(chart.solo(lines && { replicate, lines }));
    }
    this.shown = Promise.allSettled(drawing);
  }

  // The values of the replicate for each line of a chart.
  _lines(id) {
    const { replicate, held, player } = this, { charts, replicates } = player.payload;
    const chart = charts.find(chart => chart.id === id), packed = held.charts[id];
    if (!packed) return null;
    return packed.map((curve, number) => {
      curve.values ??= new Uint16Array(flBytes(curve.codes).buffer);
      const points = curve.values.length / replicates;
      const codes = curve.values.subarray(replicate * points, (replicate + 1) * points);
      const value = code => curve.low + code * curve.step;
      const y = Array.from(codes, code => code === 65535 ? null : curve.log ? 10 ** value(code) : value(code));
      return { trace: chart.lines[number].trace, y };
    });
  }

  _arrange(payload) {
    const strips = payload.film?.strips ?? [];
    const form = JSON.stringify(strips.map(strip => [strip.id, strip.learners.map(learner => learner.slot)]));
    this.strips.hidden = !strips.length;
    if (form !== this.form) {
      this.form = form;
      this.sections = strips.map(strip => new StripSection(this, strip));
      this.strips.replaceChildren(...this.sections.map(section => section.element));
    }
    this.sections.forEach((section, number) => section.update(strips[number], payload));
    this.reveal(this.player.t);
  }

  _show() {
    this.controls.show();
    for (const section of this.sections) section.mark(this.replicate);
  }

  _key(event) {
    const by = { ',': -1, '.': 1 }[event.key], at = event.composedPath()[0];
    if (!by || !this.film || this.player.led || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (at instanceof Element && at !== this.player.timeline?.slider && at.closest(FL_FIELDS)) return;
    event.preventDefault();
    this.stop();
    this.step(by);
  }
}

// The row with which a person chooses between mean and single replicates.
class FilmControls {
  constructor(film) {
    this.film = film;
    const button = (name, title, act, ...inside) => {
      const label = title?.replace(/ \(.*/, '');
      const made = flElement(`button.${name}`, { type: 'button', title, 'aria-label': label }, ...inside);
      made.addEventListener('click', act);
      return made;
    };
    const arrow = d => flDrawing(16, 16, { path: { d, fill: 'none', stroke: 'currentColor', 'stroke-width': 2 } });
    this.mean = button('fl-part', null, () => film.choose(null), flSay('Mean and band'));
    this.one = button('fl-part', null, () => { if (film.replicate === null) film.step(0); },
      flSay('One replicate'));
    const move = by => () => { film.stop(); film.step(by); };
    this.label = flElement('span.fl-which', { 'aria-live': 'polite' });
    this.reel = button('fl-button', '', () => film.toggle());
    this.walk = flElement('span.fl-walk', { hidden: '' },
      button('fl-button', flSay('Previous replicate (,)'), move(-1), arrow('M10 3L5 8l5 5')), this.label,
      button('fl-button', flSay('Next replicate (.)'), move(1), arrow('M6 3l5 5-5 5')), this.reel);
    this.row = flElement('div.fl-replicates', { role: 'group', 'aria-label': flSay('Replicates'), hidden: '' },
      flElement('span.fl-parts', {}, this.mean, this.one), this.walk);
  }

  show() {
    const { film, row, walk, label, reel } = this, { payload } = film.player, { replicate } = film;
    row.hidden = !film.film;
    walk.hidden = replicate === null;
    this.mean.setAttribute('aria-pressed', replicate === null);
    this.one.setAttribute('aria-pressed', replicate !== null);
    if (!film.film) return;
    const wait = film.ready ? '' : payload.complete || payload.failed ? ' …'
      : `, ${flSay('once the run is computed')}`;
    const words = replicate === null ? '' : `${flSay('replicate {number} of {all}', {
      number: replicate + 1, all: payload.replicates })}${wait}`;
    if (label.textContent !== words) label.textContent = words;
    const most = flSay('replicate {number} of {all}', { number: '', all: payload.replicates });
    label.style.minWidth = `${most.length + 2}ch`;
    label.setAttribute('aria-live', film.reel ? 'off' : 'polite');
    reel.hidden = film.calm.matches;
    reel.title = flSay(film.reel ? 'Stop' : 'Play all replicates through');
    reel.setAttribute('aria-label', reel.title);
    reel.replaceChildren(flIcon(film.reel ? 'pause' : 'play'));
  }
}
