// A run can be heard: the pitch follows one metric of one learner, a tick is an event, and where the playhead comes to
// rest a voice says what stands there. It is off until a person presses its button.

import { flElement, flIcon } from '../../draw/js/library.js';
import { flLanguage, flSay } from '../../draw/js/texts.js';

const FL_NOTE = { low: 220, octaves: 2, every: 90, long: 0.12, loud: 0.12 };  // Hz; ms from note to note; s; of 1
const FL_TICK = { pitch: 1760, long: 0.04, loud: 0.16, most: 3 };  // at most so many at once

// The pitch of a value in Hz, null where there is none: higher values are higher, over two octaves from A to A.
export function flPitch(value, { low, high, log = false }) {
  const at = log ? Math.log(value) : value, [from, to] = log ? [Math.log(low), Math.log(high)] : [low, high];
  if (value === null || !Number.isFinite(at) || !(to >= from)) return null;
  const share = to > from ? Math.min(1, Math.max(0, (at - from) / (to - from))) : 0.5;
  return FL_NOTE.low * 2 ** (FL_NOTE.octaves * share);
}

// The lowest and the highest of values; on a logarithmic axis of those above 0.
export function flReach(values, log = false) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (value === null || !Number.isFinite(value) || (log && value <= 0)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return { low, high, log };
}

// The seconds, from now, of the ticks for the events after one step up to another; as many as one can tell apart.
export function flTicksOf(events, from, to) {
  const passed = events.filter(({ t }) => t > from && t <= to).length;
  return Array.from({ length: Math.min(FL_TICK.most, passed) }, (_, i) => 1.5 * FL_TICK.long * i);
}

export class Sound {
  context;  // of the sounds, once one is wanted

  /** @param {import('./player.js').Player} player */
  constructor(player) {
    this.player = player;
    this.on = false;
    this.before = this.due = 0;
    const title = flSay('Hear the run');
    this.button = flElement('button.fl-button', {
      type: 'button', title, 'aria-label': title, 'aria-pressed': false, 'data-do': 'sound',
    }, flIcon('sound'));
    this.metric = flElement('select.fl-heard', { 'aria-label': flSay('What is heard'), hidden: '' });
    this.button.addEventListener('click', () => this.turn(!this.on));
    player.places.tools.append(this.metric, this.button);
  }

  // A browser lets a page sound only once a person has pressed something: this button.
  turn(on) {
    this.on = on;
    this.button.setAttribute('aria-pressed', on);
    this.metric.hidden = !on || this.metric.options.length < 2;
    this.before = Math.floor(this.player.t);
    if (on) {
      this.context ??= new AudioContext();
      this.context.resume();
      this.say();
    } else globalThis.speechSynthesis?.cancel();
  }

  update({ charts }) {
    const curves = charts.filter(({ kind }) => kind === 'curves'), now = JSON.stringify(curves.map(({ id }) => id));
    if (now !== this.listed) {
      this.listed = now;
      const kept = this.metric.value, option = ({ id, title }) => flElement('option', { value: id, lang: 'en' }, title);
      this.metric.replaceChildren(...curves.map(option));
      if (curves.some(({ id }) => id === kept)) this.metric.value = kept;
    }
    this.button.hidden = !curves.length;
    this.metric.hidden = !this.on || curves.length < 2;
    this.reach = new Map(curves.map(({ id, data, lines, layout }) => {
      const heard = lines.filter(({ bound }) => !bound).flatMap(({ trace }) => [...data[trace].y]);
      return [id, flReach(heard, layout.yaxis?.type === 'log')];
    }));
  }

  // Sounds while the run plays, not more often than an ear can follow; called at each frame.
  follow(t, playing) {
    const step = Math.floor(t), from = this.before, now = performance.now();
    if (!playing || step < from) { this.before = step; return; }
    if (!this.on || step === from || now < this.due) return;
    globalThis.speechSynthesis?.cancel();
    this.due = now + FL_NOTE.every;
    this.before = step;
    const pitch = this._pitch(step);
    if (pitch) this._tone({ ...FL_NOTE, pitch, after: 0, shape: 'sine' });
    const { list } = this.player.events;
    for (const after of flTicksOf(list, from, step)) this._tone({ ...FL_TICK, after, shape: 'square' });
  }

  // The learner whose curves stand out, or else the first.
  _pitch(step) {
    const { grid } = this.player, reading = grid.read(step).find(({ chart }) => chart.id === this.metric.value);
    const entry = reading?.entries.find(({ slot }) => slot === (grid.kept ?? 0));
    const reach = this.reach.get(this.metric.value);
    return entry && reach ? flPitch(entry.value, reach) : null;
  }

  _tone({ pitch, long, loud, after, shape }) {
    const { context } = this, begin = context.currentTime + after, end = begin + long;
    const tone = new OscillatorNode(context, { type: shape, frequency: pitch });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(loud, begin + 0.01);
    volume.gain.exponentialRampToValueAtTime(1e-4, end);
    tone.connect(volume).connect(context.destination);
    tone.start(begin);
    tone.stop(end);
  }

  // Says aloud what stands at the playhead, as the live region does for a screen reader.
  say(sentence = this.player.said.textContent) {
    if (!this.on || !sentence || !globalThis.speechSynthesis) return;
    const spoken = new SpeechSynthesisUtterance(sentence);
    spoken.lang = flLanguage();
    speechSynthesis.cancel();
    speechSynthesis.speak(spoken);
  }

  destroy() {
    globalThis.speechSynthesis?.cancel();
    this.context?.close();
  }
}
