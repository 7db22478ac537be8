// The row of controls, the line that says what happens, the filter of events, and the keys.

import { flCount, flElement, flIcon, flPreview, flSign } from '../../draw/js/library.js';
import { flSay, flUnits } from '../../draw/js/texts.js';

export class Controls {
  constructor(player) {
    this.player = player;
    this.play = this._button(flSay('Play or pause (Space)'), 'Space', 'play', () => player.toggle());
    this.label = flElement('span.fl-label', {}, flSay('Play'));
    this.play.append(this.label);
    this.play.classList.add('fl-primary');
    this.clock = flElement('span.fl-clock');
    this.main = flElement('div.fl-main', {},
      this.play,
      this._button(flSay('Step back (B)'), 'B', 'back', () => player.step(-1)),
      this._button(flSay('Step (S)'), 'S', 'step', () => player.step(1)),
      this.clock,
    );
    this.slower = this._button(flSay('Slower (D)'), 'D', 'slower', () => player.faster(-1));
    this.faster = this._button(flSay('Faster (F)'), 'F', 'faster', () => player.faster(1));
    this.speed = flElement('select.fl-speed', {
      'aria-label': flSay('Speed'), title: flSay('Speed (D slower, F faster)'),
    });
    this.speed.addEventListener('change', () => {
      player.setSpeed(this.speed.value);
      if (player.pressed === this.speed) this.speed.blur();  // chosen by a pointer: the keys are the player's again
    });
    this.field = flElement('input.fl-field', {
      type: 'text', inputmode: 'numeric', autocomplete: 'off', enterkeyhint: 'go',
    });
    this.field.addEventListener('keydown', event => { if (event.key === 'Enter') this._go(); });
    this.field.addEventListener('change', () => this._go());
    this.tools = flElement('span.fl-tools');  // other parts put their buttons here
    this.more = flElement('div.fl-more', {},
      this._button(flSay('Previous event (P)'), 'P', 'previous', () => player.nextEvent(-1)),
      this._button(flSay('Next event (N)'), 'N', 'next', () => player.nextEvent(1)),
      this._button(flSay('Reset, back to 0 (0)'), '0', 'reset', () => player.reset()),
      this.field, flElement('span.fl-speeds', {}, this.slower, this.speed, this.faster), this.tools,
    );
    this.status = flElement('span.fl-status');
    this.latest = flElement('span.fl-latest');
    this.shown = flElement('summary');
    this.kinds = flElement('div.fl-kinds', { role: 'group', 'aria-label': flSay('Events shown') });
    this.filter = flElement('details.fl-filter', {}, this.shown, this.kinds);
    this.slow = flElement('input', { type: 'checkbox' });
    this.slow.addEventListener('change', () => player.slowDown(this.slow.checked));
    this.brake = flElement('label.fl-toggle', {
      title: flSay('Near an event the run plays at a tenth of the speed, unless it plays as fast as it goes.'),
    }, this.slow, flSay('slow down at events'));
    this.words = flElement('div.fl-words', {}, this.status, this.latest, player.asks.place, player.asks.list);
  }

  update(payload) {
    const { player } = this, words = flUnits(payload.unit), { unit } = words;
    const names = id => id === 'max' ? flSay('as fast as it goes')
      : flSay('{count} {unit} a second', { count: flCount(id), unit: id === '1' ? unit : words.units });
    const now = JSON.stringify([payload.speeds, payload.unit]);
    if (now !== this.speeds) {
      this.speeds = now;
      this.speed.replaceChildren(...payload.speeds.map(id => flElement('option', { value: id }, names(id))));
    }
    this.field.placeholder = `${unit} …`;
    this.field.title = flSay('Type a {unit} to go to, and press Enter', { unit });
    this.field.setAttribute('aria-label', flSay('Go to {unit}', { unit }));
    const digits = flCount(payload.steps).length;
    this.clock.style.minWidth = `${2 * digits + 5}ch`;
    this.field.style.width = `${Math.max(unit.length + 2, digits) + 3}ch`;
    this._filter(payload, player);
    this.hurry();
    player.asks.update(payload);
  }

  // Shows the speed.
  hurry() {
    const { player } = this, ids = player.payload.speeds, place = ids.indexOf(player.speed);
    this.speed.value = player.speed;
    this.slower.setAttribute('aria-disabled', place <= 0);
    this.faster.setAttribute('aria-disabled', place >= ids.length - 1);
    this.brake.classList.toggle('fl-off', player.speed === 'max');
  }

  // Shows the step, and what the player is doing; called at each frame, writes only what has changed.
  show(t, state) {
    const { player } = this, { payload } = player, now = Math.floor(t);
    if (now !== this.now || payload.steps !== this.steps) {
      this.now = now;
      this.steps = payload.steps;
      this.clock.textContent = `t = ${flCount(now)} / ${flCount(payload.steps)}`;
    }
    const busy = state === 'computing';
    const words = busy ? flSay('Computing …') : state === 'playing' ? flSay('Pause')
      : state === 'finished' ? flSay('Play again') : flSay('Play');
    if (words !== this.label.textContent) this.label.textContent = words;
    const icon = player.playing ? 'pause' : 'play';  // what a press does now, also while it computes
    if (icon !== this.icon) {
      this.icon = icon;
      this.play.querySelector('svg').replaceWith(flIcon(icon));
    }
    this._write(this.status, this._status(state, payload, player));
    player.asks.show();
    this.words.classList.toggle('fl-whole', Boolean(player.problem || payload.failed));
    const event = player.events.latest(now);
    if (event !== this.event || payload.drawn !== this.drawn) {
      this.event = event;
      this.drawn = payload.drawn;
      const color = (!event?.common && payload.learners[event?.slot]?.color) || 'currentColor';
      const sign = () => flSign(player.events.kind(event)?.sign, color);
      const kind = player.events.kind(event), told = event && player.events.tell(event);
      this.latest.replaceChildren(...(event ? [sign(), told, ...this._cause(event)] : []));
      this.latest.title = event ? `${told}\n${kind?.title ?? event.kind}. ${kind?.help ?? ''}` : '';
    }
  }

  // The way to the step whose update brought an event, where that is an earlier one.
  _cause({ cause }) {
    if (!cause) return [];
    const { unit } = flUnits(this.player.payload.unit);
    const words = flSay('See {unit} {t}, which brought this', { unit, t: flCount(cause) });
    const button = flElement('button.fl-cause', { type: 'button', 'data-do': 'cause' }, words);
    button.addEventListener('click', () => {
      this.player.pause();
      this.player.seek(cause);
      this.play.focus({ preventScroll: true });  // the words are others now, and the button is gone
    });
    return [button];
  }

  _status(state, payload, player) {
    if (player.problem) return player.problem;
    if (payload.failed) return payload.failed;
    const { unit, units, Units } = flUnits(payload.unit), short = player.host.alone || player.guided;
    if (state === 'finished') {
      return short ? flSay('Finished. Play again.') : flSay('Finished. Play again, or raise {Units} T.', { Units });
    }
    if (payload.waiting && !payload.complete) return payload.waiting;
    if (flPreview(player)) {
      const { length } = payload.events.list;
      return [flSay('Pale curves are a preview of the whole run: Play draws them.'),
        length ? flSay('Signs on the timeline are events, and a number several of them.') : ''].join(' ').trim();
    }
    if (state !== 'computing') return '';
    const back = player.goal === null ? '' : flSay('On the way to {unit} {t}.', { unit, t: flCount(player.goal) });
    const known = { t: flCount(payload.reached), of: flCount(payload.steps), units };
    return `${flSay('{t} of {of} {units} are computed.', known)} ${back}`.trim();
  }

  _write(place, words) {
    if (place.textContent !== words) place.textContent = words;
  }

  _go() {
    const { player, field } = this, { payload } = player;
    const text = field.value.replace(/[\s,.]/g, '');
    if (!text) return;
    const right = /^\d+$/.test(text) && Number(text) <= payload.steps;
    field.setAttribute('aria-invalid', !right);
    if (!right) {
      const { unit } = flUnits(payload.unit), wrong = field.value.slice(0, 20), most = flCount(payload.steps);
      player.complain(flSay('There is no {unit} {wrong}. Type a whole number from 0 to {most}.',
        { unit, wrong, most }));
      return;
    }
    field.value = '';
    player.go(Number(text));
  }

  _filter(payload, player) {
    const counts = new Map();
    for (const event of payload.events.list) counts.set(event.kind, (counts.get(event.kind) ?? 0) + 1);
    const now = JSON.stringify(payload.events.kinds);
    if (now !== this.known) {
      this.known = now;
      const boxes = payload.events.kinds.map(kind => {
        const box = flElement('input', { type: 'checkbox', 'data-kind': kind.id });
        box.checked = !player.events.hidden.has(kind.id);
        box.addEventListener('change', () => player.filter(kind.id, box.checked));
        return flElement('label.fl-toggle', { title: kind.help }, box, flSign(kind.sign, 'currentColor'), kind.title,
          flElement('span.fl-number'));
      });
      this.kinds.replaceChildren(...boxes, ...(boxes.length ? [this.brake] : []));
    }
    for (const box of this.kinds.querySelectorAll('[data-kind]')) {
      const number = box.parentElement.querySelector('.fl-number');
      const { kind } = box.dataset, shown = counts.get(kind) ?? 0;
      const { of } = payload.events.kinds.find(({ id }) => id === kind) ?? {};
      this._write(number, of > shown ? flSay('{count} of {all}', { count: flCount(shown), all: flCount(of) })
        : flCount(shown));
    }
    const { kinds } = payload.events, all = kinds.length;
    const hidden = kinds.filter(kind => player.events.hidden.has(kind.id));
    this.filter.hidden = !all;
    this._write(this.shown, !hidden.length ? flSay('Marked events')
      : flSay('Marked events, {count} of {all} kinds', { count: all - hidden.length, all }));
  }

  _button(title, keys, name, act) {
    const made = flElement('button.fl-button', {
      type: 'button', title, 'data-do': name, 'aria-keyshortcuts': keys,
      'aria-label': name === 'play' ? null : title.replace(/ \(.*/, ''),
    }, flIcon(name));
    made.addEventListener('click', () => { if (made.getAttribute('aria-disabled') !== 'true') act(); });
    return made;
  }
}

const flKeys = {
  ' ': player => player.toggle(),
  s: player => player.step(1),
  b: player => player.step(-1),
  0: player => player.reset(),
  d: player => player.faster(-1),
  f: player => player.faster(1),
  n: player => player.nextEvent(1),
  p: player => player.nextEvent(-1),
  home: player => player.reset(),
  end: player => player.end(),
};
const FL_SLIDERS = '[role=slider], input[type=range]', FL_SLIDES = ['home', 'end'];  // its own keys, beside arrows
export const FL_FIELDS = 'input:not([type=checkbox], [type=radio], [type=range]), select, textarea, [role=combobox], ' +
  '[contenteditable]:not([contenteditable=false]), [role=listbox], [role=menu], [role=textbox], [role=dialog]';
const FL_PRESSED = 'button, a[href], summary, label, input:not([type=range]), [role=button], [role=tab], ' +
  '[role=switch], [role=option]';

// Keys work anywhere on the page, but never in place of what has the focus.
export function flKey(player, event) {
  const act = flKeys[event.key?.toLowerCase()], at = event.composedPath()[0];
  if (event.key === 'Tab') player.pressed = null;
  if (!act || !player.payload || player.gone || player.waits || player.led || event.defaultPrevented) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const there = at instanceof Element && at !== player.timeline.slider ? at : null;
  if (there?.closest(FL_FIELDS)) return;
  if (there?.closest(FL_SLIDERS) && FL_SLIDES.includes(event.key.toLowerCase())) return;
  const button = at instanceof Element && event.key === ' ' && at.closest(FL_PRESSED);
  if (button) {
    if (button !== player.pressed) return;  // it acts by itself
    button.blur();  // pressed by a pointer a moment ago: Space means Play again
  }
  event.preventDefault();
  if (event.key === ' ' && event.repeat) return;
  act(player);
}
