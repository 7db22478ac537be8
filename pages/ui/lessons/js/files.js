// Runs a lesson from files, without a server: a page that has this script and elements .fl-lesson, .fl-player,
// .fl-stops, .fl-story and .fl-hand calls `flOpenLesson`. It plays the server's part: it hands the player the recording
// of a card.

import { flElement } from '../../draw/js/library.js';
import '../../draw/js/terms.js';
import { flSay } from '../../draw/js/texts.js';
import { flPictures } from '../../play/js/later.js';
import { flLone } from '../../play/js/lone.js';
import { flNamed } from '../../play/js/named.js';
import { flRead, flReadText } from '../../play/js/read.js';
import { flInScheme } from '../../play/js/scheme.js';
import { flTell } from '../../play/js/stories.js';
import { flOpened } from '../../play/js/unfold.js';
import { flStore } from './document.js';
import { Lesson } from './lesson.js';
import { flWalk } from './tree.js';

/**
 * @typedef {object} Files what a page says of itself
 * @property {any} lesson the document; recordings in it are addresses relative to the page
 * @property {any} [colors] `colors` of pages/ui/recordings/takeaway.py, for recordings in the other scheme
 * @property {string} [plotly] address of plotly.js as read.js reads it, which only lessons with pictures need
 * @property {(href: string) => string} [link] address of a page of the app, such as `lessons`; '' for what is not there
 * @property {import('./document.js').Host['store']} [store] what keeps answers, in place of this browser
 * @property {import('./document.js').Host['report']} [report] hears answers and the end
 */

class FilesHost {
  /** @param {Files} page */
  constructor({ lesson, colors, plotly, link = () => '', store = flStore, report = () => {} }) {
    this.lesson = lesson;
    this.colors = colors;
    this.plotly = plotly;
    Object.assign(this, { link, store, report });
    this.read = new Map();  // address → recording
    this.at = new Map();  // card → the stop of its slider, once it is moved
    this.trees = new Map();  // card → its recorded searches, once they are here
    this.clicked = { lists: [], then: false };
    this.places = Object.fromEntries(['lesson', 'player', 'stops', 'story', 'hand'].map(name => (
      [name, document.querySelector(`.fl-${name}`) ?? flElement('div')])));
    this.player = flLone(this.places.player, { rest: t => this._tell(t) });
    this.runner = new Lesson(this.places.lesson, /** @type {any} */ (this));
    const { card } = Object.fromEntries(new URLSearchParams(location.search));
    this.card(/^\d+$/.test(card ?? '') ? Math.min(Math.max(1, Number(card)), lesson.cards.length) - 1 : 0);
  }

  get here() { return this.lesson.cards[this.index]; }

  get stop() { return this.at.get(this.here.id) ?? this.here.stops?.at; }

  card(index) {
    if (index !== this.index) {
      this.index = index;
      this.clicked = { lists: [], then: false };
      this._slider();
    }
    this._play();
  }

  answer() { /* nobody counts */ }

  hand(clicked) {
    this.clicked = clicked;
    this._give(null);
  }

  async _play() {
    const { here, places } = this, address = here.stops ? here.stops.runs[this.stop] : here.run ?? null;
    this.wanted = address;
    places.player.hidden = places.story.hidden = !address;
    places.hand.hidden = Boolean(address);
    if (this.shown !== address || !address) this._give(address ? '' : null);  // '' : it is on its way
    this.player.waits = !address;  // its keys
    try {
      if (!address) { await this._search(here); return; }
      const recording = await this._recording(address);
      if (this.wanted !== address) return;
      if (this.shown !== address) this.player.update(recording.payload);
      this.shown = address;
      this.recording = recording;
      this._tell(this.player.t);
      this._give(recording.payload.run);
    } catch (/** @type {any} */ error) {
      this.read.delete(address);
      if (this.wanted !== address || this.here !== here) return;
      places.story.hidden = false;
      const again = flElement('button.fl-c-button', { type: 'button' }, flSay('Try again'));
      again.addEventListener('click', () => { places.story.replaceChildren(); this._play(); });
      const why = flSay('The recording {address} could not be read: {why}.', { address: address ?? here.tree,
        why: error.message });
      places.story.replaceChildren(flElement('p', { role: 'alert' }, why), again);
    }
  }

  // A card by hand has its searches within, or in a file beside the page.
  async _search(here) {
    const { tree = null } = here;
    if (tree === null || this.trees.has(here)) return;
    this.trees.set(here, typeof tree === 'string' ? JSON.parse(await flReadText(tree)) : tree);
    if (this.here === here) this._give(null);
  }

  _give(run) {
    const { here, lesson, index } = this, tree = this.trees.get(here);
    const truth = here.stops ? here.stops.truths?.[this.stop] : here.truth;
    this.runner.update({ lesson, card: index, run, tally: null, code: '',
      truths: Number.isFinite(truth) ? { [here.id]: truth } : {},
      changed: here.stops && this.stop !== here.stops.at ? [here.stops.key] : [],
      hand: tree ? flWalk(tree, this.clicked) : null });
  }

  _recording(address) {
    const { read, colors, plotly } = this;
    if (!read.has(address)) read.set(address, flRead(address).then(flOpened).then(({ payload, stories }) => {
      flPictures(plotly, payload);
      const whole = { ...payload, script: '', opened: 1, put: false, t: 0, preview: false };
      return { stories, payload: colors ? flInScheme(whole, colors) : whole };
    }));
    return read.get(address);
  }

  _tell(t) {
    if (this.recording) flTell(this.places.story, this.recording, Math.floor(t));
  }

  // A slider whose stops were recorded, in place of the fields of the app.
  _slider() {
    const { here, places } = this, { stops } = here;
    places.stops.replaceChildren();
    places.stops.hidden = !stops;
    if (!stops) return;
    const { key, texts } = stops, label = flNamed(stops.label), most = texts.length - 1;
    const range = { type: 'range', min: 0, max: most, step: 1, value: this.stop, 'aria-label': label };
    const field = flElement('input', range);
    const shown = flElement('output', { 'aria-hidden': 'true' });
    const tell = () => {
      const text = texts[Number(field.value)];
      shown.textContent = text;
      field.setAttribute('aria-valuetext', text);
    };
    field.addEventListener('input', tell);
    field.addEventListener('change', () => { this.at.set(here.id, Number(field.value)); this._play(); });
    tell();
    const told = stops.help ? [flElement('small', { lang: 'en' }, stops.help)] : [];
    places.stops.replaceChildren(flElement('div.fl-stop', { 'data-setting': key },
      flElement('label', {}, flElement('span', {}, label), field, shown), ...told));
  }
}

/** @param {Files} page */
export function flOpenLesson(page) {
  return new FilesHost(page);
}

Object.assign(globalThis, { flOpenLesson });
