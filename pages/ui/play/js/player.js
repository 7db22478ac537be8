// Plays a run. It keeps the playhead and moves it, takes in what the server sends, and asks for more.

import { flAddress, flElement, flShared, loadPlotly } from '../../draw/js/library.js';
import { flLanguage, flSay, flUnits } from '../../draw/js/texts.js';
import { Controls, flKey } from './controls.js';
import { Events } from './events.js';
import { Film } from './film.js';
import { flMissing, flWords, Grid } from './grid.js';
import { flMerge } from './keyframes.js';
import { Knobs } from './knobs.js';
import { flSpoken } from './named.js';
import { flPace } from './pace.js';
import './protocol.js';
import { Scene } from './scene.js';
import { Sound } from './sound.js';
import { Timeline } from './timeline.js';
import { WhatIfs } from './what_if.js';

const FL_REST = 150;  // ms until a playhead that does not move is at rest
const FL_ASK = { seen: 250, unseen: 2000, lost: 10_000 };  // ms between two questions; until one counts as lost

const flNone = (by, unit) => flSay(by > 0 ? 'There is no marked event after this {unit}.'
  : 'There is no marked event before this {unit}.', flUnits(unit));

export class Player {
  /** @param {HTMLElement} root @param {import('./protocol.js').Host} host */
  constructor(root, host) {
    this.root = root;
    this.host = host;
    this.t = 0;
    this.goal = this.library = null;
    this.playing = this.held = this.slow = this.waits = this.led = this.played = this.guided = false;
    this.speed = 'max';
    this.payload = /** @type {import('./protocol.js').Payload} */ (null);
    this.events = new Events();
    this.problem = this.told = '';
    this.until = Infinity;
    this.frames = new Map();  // chart id → pictures received so far
    root.classList.add('fl-player');
    root.lang = flLanguage();
    this.asks = new WhatIfs(this);
    this.controls = new Controls(this);
    const line = flElement('div.fl-timeline'), dock = flElement('div.fl-dock', {}, this.controls.main, line);
    this.film = flElement('div.fl-film');
    this.said = flElement('div.fl-say', { 'aria-live': 'polite' });
    this.knobs = new Knobs(this);
    this.bar = flElement('div.fl-bar', {}, this.knobs.element, dock, this.controls.more, this.controls.words);
    this.row = flElement('div.fl-row', {}, this.film, this.controls.filter);
    root.replaceChildren(this.bar, this.row, this.said);
    this.timeline = new Timeline(line, this);
    this.grid = new Grid(root, this);
    this.places = { film: this.film, tools: this.controls.tools, scene: this.grid.scene };
    this.strip = new Film(this);
    this.scene = new Scene(this);
    this.sound = new Sound(this);
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    addEventListener('keydown', event => flKey(this, event), { signal });
    root.addEventListener('pointerdown', event => {
      const hit = /** @type {any} */ (event.target).closest('button, select, label, input, summary');
      this.pressed = hit?.control ?? hit;  // a label stands for its field
    }, { signal });
    document.addEventListener('visibilitychange', () => this._seen(), { signal });
    addEventListener('pagehide', () => flAddress.leave(Math.floor(this.goal ?? this.t)), { signal });
    flShared.player = this;  // for a lesson on the same page
  }

  // ---- what arrives

  /** @param {import('./protocol.js').Payload} sent */
  update(sent) {
    const before = this.payload, payload = flSpoken(sent);
    this.open = false;
    if (before?.run !== payload.run) this.frames.clear();
    const { charts, scene } = payload, pictures = scene?.change?.frames ? [...charts, scene.change] : charts;
    this.gaps = flMerge(this.frames, { charts: pictures }, before?.drawn !== payload.drawn);
    this.payload = payload;
    if (!before || (payload.opened ?? '') !== (before.opened ?? '')) this._arrive(payload);
    else if (!payload.speeds.includes(this.speed)) this.speed = payload.speed;
    this.root.dataset.run = payload.run;
    this.root.dataset.reached = String(payload.reached);
    this.events.update(payload);
    if (this.problem && this.problem === this.vain && payload.reached !== before?.reached) this.problem = '';
    this._clamp();
    this.controls.update(payload);
    this.timeline.update(payload);
    this.knobs.update(payload);
    this.scene.update(payload);  // before anything is drawn: it may hold a chart
    this.strip.update(payload);
    this.sound.update(payload);
    this._show();
    this.draw();
    this._move();
    this._settle();
  }

  // Opens a link, whose step and speed are in the address, or goes where the page has put the playhead.
  _arrive(payload) {
    const { t, speed } = flAddress.read();
    this.speed = payload.speeds.includes(speed) ? speed : payload.speed;
    this.t = (payload.put ? null : t) ?? payload.t ?? 0;
    this.goal = null;
    this.playing = false;
    this.told = this.t > 0 ? '' : '0';
  }

  // The playhead stays where it was; what is not computed yet it will reach as soon as it can.
  _clamp() {
    const { reached, complete, failed, steps } = this.payload;
    const wanted = Math.min(this.goal ?? this.t, steps);
    this.goal = wanted > reached && !complete && !failed ? wanted : null;
    this.t = Math.min(wanted, reached);
  }

  // Draws the latest payload; payloads that come faster than they can be drawn are left out.
  draw(all = false) {
    this.all ||= all;
    return (this.drawing ??= this._draw().finally(() => {
      this.drawing = null;
      this.grid.projector.change();  // what stands above may have become lower meanwhile
    }));
  }

  async _draw() {
    let payload, all;
    do {
      ({ payload, all = false } = this);
      this.all = false;
      try {
        this.grid.arrange(payload);
        if (payload.charts.some(chart => chart.kind !== 'html')) {
          this.library = this.host.library ?? await loadPlotly(payload.script);
        }
        if (!document.hidden) await this.grid.update(payload, all);
      } catch (error) {
        console.error(error);
        if (!this.library) this.grid.grid.replaceChildren(flMissing(flSay('The charts could not be drawn'), error));
      }
      if (this.gone) return;
      this.grid.grid.dataset.frames = Number(this.grid.grid.dataset.frames ?? 0) + 1;
      await new Promise(next => document.hidden ? setTimeout(next) : requestAnimationFrame(next));
    } while (!this.gone && (this.payload !== payload || this.all));
    this._ask();
  }

  // A hidden page neither moves nor draws.
  _seen() {
    this.last = null;
    this._ask();
    if (!this.payload || document.hidden) return;
    this.draw();
    this._move();
    this._settle();
  }

  // Asks for what is missing: one question at a time, and not too often.
  _ask() {
    clearTimeout(this.asking);
    const { payload, gone, gaps } = this;
    if (!payload || gone || !(payload.pending || gaps.size || this.scene.steps.gap || this.knobs.gap)) return;
    const pause = this.open ? FL_ASK.lost : document.hidden ? FL_ASK.unseen : FL_ASK.seen;
    this.asking = setTimeout(() => {
      this.open = true;
      this.asked = performance.now();
      const had = ([id, frames]) => [id, this.gaps.has(id) ? 0 : frames.at.length];
      const scene = this.scene.had, steps = scene === null ? {} : { scene };
      this.host.more({ ...Object.fromEntries([...this.frames].map(had)), ...steps, ...this.knobs.had });
      this._ask();
    }, Math.max(0, (this.asked ?? -Infinity) + pause - performance.now()));
  }

  // ---- what the person does

  toggle() {
    this.playing ? this.pause() : this.play();
  }

  play() {
    if (!this.payload) return;
    this.problem = '';
    if (this._ended()) this.t = 0;
    if (this.t >= this.until) this.until = Infinity;
    this.playing = this.played = true;
    this.last = null;
    this._move();
    this._show();
  }

  pause() {
    this.playing = false;
    this.goal = null;
    this.seek(this.t);
  }

  // Moves the playhead at once, as far as the run is computed.
  seek(t) {
    if (!this.payload) return;
    this.problem = '';
    this.goal = null;
    this.t = Math.min(Math.max(0, Math.floor(t)), this.limit);
    this._show();
    this._settle();
  }

  // Moves the playhead to a step, and waits for it if it is not computed yet.
  go(t) {
    this.playing = false;
    this.seek(t);
    if (t > this.limit && !this.payload.complete) this.goal = Math.min(t, this.payload.steps);
    this._show();
  }

  step(by) {
    this.go(by < 0 ? Math.ceil(this.t) + by : Math.floor(this.t) + by);
  }

  reset() {
    this.playing = false;
    this.seek(0);
  }

  end() {
    this.playing = false;
    this.seek(this.limit);
  }

  nextEvent(by) {
    const event = this.events.next(by > 0 ? Math.floor(this.t) : Math.ceil(this.t), by);
    this.playing = false;
    if (event) this.jump(event.t);
    else this.complain(flNone(by, this.payload.unit));
    if (!event) this.vain = this.problem;  // holds until another event is known
  }

  // Goes to a marked event.
  jump(t) {
    this.pause();
    this.seek(t);
    dispatchEvent(new CustomEvent('fl-event', { detail: { t } }));
  }

  faster(by) {
    const ids = this.payload.speeds, place = ids.indexOf(this.speed) + by;
    if (ids[place]) this.setSpeed(ids[place]);
  }

  setSpeed(id) {
    this.speed = id;
    this.controls.hurry();
    this._address();
    this.host.speed(id);
    this._move();
  }

  slowDown(on) {
    this.slow = on;
  }

  filter(kind, shown) {
    this.events.filter(kind, shown);
    this.controls.update(this.payload);
    this.timeline.update(this.payload);
    this.controls.event = undefined;
    this._show();
  }

  // While the playhead is held by a hand, playing waits.
  hold(on) {
    if (this.held === on) return;
    this.held = on;
    this.last = null;
    if (!on) { this._move(); this._settle(); }
  }

  complain(sentence) {
    this.seek(this.t);
    this.problem = this.said.textContent = sentence;
    this._show();
  }

  // ---- time

  get limit() {
    return this.payload?.reached ?? 0;
  }

  get state() {
    const { payload, t } = this;
    if (payload.failed && !this.playing) return 'failed';
    if (this._ended()) return 'finished';
    if (this.goal !== null || (this.playing && t >= this.limit)) return 'computing';
    if (this.playing) return 'playing';
    return t > 0 ? 'paused' : 'ready';
  }

  _ended() {
    return this.payload.complete && this.t >= this.limit;
  }

  // Begins to move, if there is a reason to.
  _move() {
    if (this.frame || this.gone || !this.playing || this.held || this.goal !== null) return;
    if (this.speed === 'max') this.t = Math.min(this.limit, this.until);
    if (this.t >= this.limit && !this._halted()) { this.last = null; this._show(); return; }  // until more comes
    if (this._halted()) { this._stop(); return; }
    if (document.hidden) return;
    const tick = () => this._tick(performance.now());
    this.frame = this.calm.matches ? { timer: setTimeout(tick, 500) } : { request: requestAnimationFrame(tick) };
    this.last ??= performance.now();
  }

  _halted() {
    return this.t >= this.until || (this.t >= this.limit && (this.payload.complete || Boolean(this.payload.failed)));
  }

  _stop() {
    this.playing = false;
    this.until = Infinity;
    this.t = Math.min(this.t, this.limit);
    this._show();
    this._settle();
  }

  _tick(now) {
    this.frame = null;
    if (!this.playing || this.held || this.gone) return;
    const seconds = Math.min(1, Math.max(0, now - (this.last ?? now)) / 1000);
    this.last = now;
    this.t = Math.min(flPace(this, seconds), this.limit, this.until);
    this._show();
    this._move();
  }

  _show() {
    const { root, t, state } = this, now = String(Math.floor(t));
    if (root.dataset.t !== now) root.dataset.t = now;
    if (root.dataset.state !== state) root.dataset.state = state;
    this.controls.show(t, state);
    this.timeline.set(t);
    this.grid.reveal(t, this.playing);
    this.strip.reveal(t);
    this.scene.reveal(t, this.playing);
    this.sound.follow(t, this.playing);
  }

  // ---- at rest

  _settle() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this._rest(), FL_REST);
  }

  async _rest() {
    if (this.playing || this.held || this.goal !== null || this.gone || document.hidden) return;
    const { payload, t } = this, place = t > 0 ? `${payload.run} ${t}` : '0';
    this._address();
    const { state, played } = this;
    this.played = false;
    dispatchEvent(new CustomEvent('fl-moved', { detail: { t: Math.floor(t), state, played, run: payload.run } }));
    if (place !== this.told) {
      this.told = place;
      this.host.rest(t);
    } else if (!payload.complete) return;  // more of the same run came while the playhead stood still
    await this.draw(true);  // those out of sight too: they are read
    if (this.gone || this.payload !== payload || this.t !== t || this.playing || this.held) return;
    const sentence = flWords(this, this.grid.read(t));
    const fresh = t === 0 && !this.said.textContent;  // nobody has asked
    if (this.problem || fresh || this.said.textContent === sentence) return;
    this.said.textContent = sentence;
    this.sound.say(sentence);
  }

  _address() {
    const { speed } = this, t = Math.floor(this.goal ?? this.t), usual = this.payload.usual_speed ?? 'max';
    flAddress.write({ t: t > 0 ? t : null, speed: speed === usual ? null : speed });
  }

  // Streamlit takes the page away a second before it says so.
  get gone() {
    return this.leaving.signal.aborted || !this.root.isConnected;
  }

  destroy() {
    this.leaving.abort();
    if (flShared.player === this) flShared.player = null;
    [this.asking, this.resting].forEach(clearTimeout);
    cancelAnimationFrame(this.frame?.request);
    clearTimeout(this.frame?.timer);
    [this.strip, this.scene, this.sound, this.timeline, this.grid, this.knobs].forEach(part => part?.destroy?.());
  }
}
