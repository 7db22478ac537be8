// The timeline, with playhead, buffered part and marked events. It shows where the player is and asks it to move.

import { flCount, flElement, flSign } from '../../draw/js/library.js';
import { flSay, flUnits } from '../../draw/js/texts.js';

const FL_NEAR = 16;  // pixels; events closer than this share a mark

export class Timeline {
  constructor(root, player) {
    this.player = player;
    this.slider = flElement('div.fl-slider', {
      role: 'slider', tabindex: 0, 'aria-label': flSay('Timeline'), 'aria-valuemin': 0,
      'aria-orientation': 'horizontal',
      'aria-keyshortcuts': 'ArrowLeft ArrowRight PageUp PageDown Home End',
    });
    this.buffer = flElement('div.fl-buffer');
    this.past = flElement('div.fl-past');
    this.thumb = flElement('div.fl-thumb');
    this.rail = flElement('div.fl-rail', {}, this.thumb);
    this.slider.append(flElement('div.fl-track', {}, this.buffer, this.past), this.rail);
    this.marks = flElement('div.fl-marks', { role: 'group', 'aria-label': flSay('Events') });
    this.tip = flElement('div.fl-tip', { role: 'tooltip', id: 'fl-tip-' + Math.random().toString(36).slice(2) });
    this.tip.hidden = true;
    root.append(this.marks, this.slider, this.tip);
    this.root = root;
    this.steps = this.width = 0;
    this.spoken = -Infinity;
    this._listen();
    this.size = new ResizeObserver(([seen]) => {
      this.width = seen.contentRect.width;
      this._mark();
      this.set(this.player.t);
    });
    this.size.observe(this.slider);
  }

  update(payload) {
    this.payload = payload;
    this.steps = payload.steps;
    this.top = payload.events.list.some(event => event.common) ? 1 : 0;  // lanes above those of the learners
    this.root.style.setProperty('--fl-lanes', Math.max(1, this.top + payload.learners.length));
    this.slider.setAttribute('aria-valuemax', payload.steps);
    this.buffer.style.transform = `scaleX(${payload.reached / Math.max(1, payload.steps)})`;
    this.slider.classList.toggle('fl-filling', !payload.complete && !payload.failed);
    this._mark();
    this.spoken = -Infinity;
    this.set(this.player.t);
  }

  // Moves the playhead; called at each frame.
  set(t) {
    if (!this.payload) return;
    const share = t / Math.max(1, this.steps);
    this.past.style.transform = `scaleX(${share})`;
    this.rail.style.transform = `translateX(${share * this.width}px)`;
    const now = Math.floor(t);
    this._pass(now);
    if (now === this.now && this.spoken > 0) return;
    if (this.player.playing && performance.now() - this.spoken < 1000) return;  // not sixty times a second
    this.now = now;
    this.spoken = performance.now();
    this.slider.setAttribute('aria-valuenow', now);
    this.slider.setAttribute('aria-valuetext', flSay('{unit} {t} of {of}', {
      unit: flUnits(this.payload.unit).unit, t: flCount(now), of: flCount(this.steps) }));
  }

  destroy() {
    this.size.disconnect();
  }

  // Tells the marks that the playhead has passed from those ahead of it.
  _pass(now, anew = false) {
    if (now === this.passed && !anew) return;
    this.passed = now;
    for (const mark of this.marks.children) mark.classList.toggle('fl-ahead', mark.t > now);
  }

  _at(x) {
    const area = this.slider.getBoundingClientRect();
    return this.steps * Math.min(1, Math.max(0, (x - area.left) / Math.max(1, area.width)));
  }

  _listen() {
    const { slider, player, marks } = this;
    slider.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      slider.setPointerCapture(event.pointerId);
      slider.focus({ preventScroll: true });
      player.hold(true);
      player.seek(this._at(event.clientX));
      event.preventDefault();
    });
    slider.addEventListener('pointermove', event => {
      const t = Math.round(this._at(event.clientX));
      if (player.held) player.seek(t);
      const words = `${flUnits(this.payload?.unit ?? 'step').unit} ${flCount(t)}`;
      const told = t > player.limit ? `${words}, ${flSay('not computed yet')}` : words;
      if (event.pointerType === 'mouse') this._tell([told], t);
    });
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) {
      slider.addEventListener(end, () => player.hold(false));
    }
    slider.addEventListener('pointerleave', () => this._hush());
    slider.addEventListener('keydown', event => {
      const page = Math.max(1, Math.round(this.steps / 20));
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: page, PageDown: -page }[event.key];
      if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      player.step(by);
    });
    // one stop of the Tab key for all marks; the arrow keys walk along them
    marks.addEventListener('keydown', event => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const all = [...marks.children], to = all[all.indexOf(event.target) + by];
      if (!to) return;
      event.preventDefault();
      this._reach(to);
      to.focus();
    });
    for (const [show, hide] of [['pointerover', 'pointerout'], ['focusin', 'focusout']]) {
      marks.addEventListener(show, event => {
        const mark = event.target.closest('.fl-mark');
        if (mark) this._tell(mark.lines, mark.t);
      });
      marks.addEventListener(hide, () => this._hush());
    }
    marks.addEventListener('click', event => {
      const mark = event.target.closest('.fl-mark');
      if (!mark) return;
      this._reach(mark);
      player.jump(mark.t);
    });
  }

  _reach(mark) {
    for (const other of this.marks.children) other.tabIndex = other === mark ? 0 : -1;
  }

  // One row for each learner, below one for what all have in common. Events of a row that are close together share a
  // mark with their number.
  _mark() {
    const { payload, player } = this;
    if (!payload || !this.width) return;
    const events = player.events.list;
    const drawn = JSON.stringify([payload.drawn, this.width, this.steps, payload.learners, events.length,
      events.at(-1)?.t, [...player.events.hidden]]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const rows = Array.from({ length: this.top + payload.learners.length }, () => []);
    const scale = this.width / Math.max(1, this.steps);
    for (const event of events) {
      const row = rows[event.common ? 0 : this.top + event.slot] ?? rows[0], last = row?.at(-1);
      if (last && (event.t - last[0].t) * scale < FL_NEAR) last.push(event);
      else row?.push([event]);
    }
    const held = /** @type {any} */ (document.activeElement);
    const focus = this.marks.contains(held) ? held.t : null;
    const made = rows.flatMap((row, lane) => row.map(group => this._made(group, lane, scale)));
    made.sort((a, b) => a.t - b.t);
    this.marks.replaceChildren(...made);
    this._pass(this.passed ?? 0, true);
    if (made.length) this._reach(made.find(mark => mark.t === focus) ?? made[0]);
    if (focus !== null) made.find(mark => mark.t === focus)?.focus();
  }

  _made(group, lane, scale) {
    const { payload, player } = this, learner = payload.learners[lane - this.top], many = group.length > 1;
    const color = learner?.color ?? 'var(--fl-text)', sign = player.events.kind(group[0])?.sign;
    const mark = flElement(many ? 'button.fl-mark.fl-many' : 'button.fl-mark', { type: 'button', tabindex: -1 });
    const said = group.map(event => player.events.tell(event, !many)), first = player.events.tell(group[0]);
    const rest = said.length > 5 ? [...said.slice(0, 4), flSay('and {count} more', { count: said.length - 4 })] : said;
    mark.t = group[0].t;
    mark.dataset.t = mark.t;
    mark.dataset.kinds = group.map(event => event.kind).join(' ');
    const whose = learner ? `, ${learner.label}` : '';
    const near = () => flSay('{count} events{whose}, close together; press for the first',
      { count: group.length, whose });
    mark.lines = many ? [near(), ...rest] : said;
    mark.style.cssText = `left:${mark.t * scale}px; top:calc(${lane} * var(--fl-lane)); --fl-color:${color}`;
    if (many) {
      mark.append(...learner ? [] : [flSign(sign, 'currentColor')], String(group.length));
      mark.classList.toggle('fl-common', !learner);
      const { unit } = flUnits(payload.unit), last = flCount(group.at(-1).t), count = group.length;
      const told = flSay('{count} events up to {unit} {last}.', { count, unit, last });
      mark.setAttribute('aria-label', `${told} ${first}`);
    } else {
      mark.append(flSign(sign, color));
      mark.setAttribute('aria-label', first);
    }
    return mark;
  }

  _tell(lines, t) {
    this.tip.replaceChildren(...lines.map(line => flElement('div', {}, line)));
    this.tip.hidden = false;
    const x = t / Math.max(1, this.steps) * this.width, half = this.tip.offsetWidth / 2;
    this.tip.style.left = Math.min(Math.max(x, half), Math.max(half, this.width - half)) + 'px';
  }

  _hush() {
    this.tip.hidden = true;
  }
}
