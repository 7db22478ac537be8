// A demo as a lab to scrub: its recording in the player, knobs whose stops were recorded, and what stands below.

import { flCount, flElement, flNumber } from '../../draw/js/library.js';
import { flLone } from '../../play/js/lone.js';
import { flPictures } from '../../play/js/later.js';
import { flRead } from '../../play/js/read.js';
import { flInScheme } from '../../play/js/scheme.js';
import { flTell } from '../../play/js/stories.js';
import { flOpened } from '../../play/js/unfold.js';

/**
 * @typedef {object} DemoPage
 * @property {string} file address of the recording
 * @property {any} colors see scheme.js
 * @property {string} plotly address of plotly.js, '' where the curves alone are drawn
 * @property {any[]} knobs as of the payload
 * @property {string[]} stops addresses of their stops, in the same order
 */

/** @param {DemoPage} page */
export async function flOpenDemo(page) {
  const root = /** @type {HTMLElement} */ (document.querySelector('.fl-player'));
  try {
    const recording = await flOpened(await flRead(page.file));
    flPictures(page.plotly, recording.payload);
    new Demo(root, page, recording).begin();
  } catch (error) {
    const why = `The recording could not be read (${flWhy(error)}). Reload the page; if that does not help, a file of `
      + 'this edition is missing.';
    root.replaceChildren(flElement('p', { role: 'alert' }, why));
  }
}

const flWhy = error => /** @type {Error} */ (error).message;

class Demo {
  /** @param {HTMLElement} root @param {DemoPage} page @param {any} recording */
  constructor(root, page, recording) {
    this.page = page;
    this.recording = recording;
    this.payload = { ...flInScheme(recording.payload, page.colors), knobs: page.knobs, preview: true };
    this.story = flElement('div.fl-story');
    this.values = flElement('div.fl-values');
    this.note = flElement('p.fl-stop-note', { 'aria-live': 'polite', hidden: '' });
    this.player = flLone(root, { rest: t => this.rest(t), knob: knob => this.turn(knob) });
    root.after(this.note, this.values, this.story);
  }

  begin() {
    this.player.update(this.payload);
    this.rest(Math.floor(this.player.t));
  }

  // The inspector's account of the step, and a table of the values.
  async rest(t) {
    if (this.recording.stories.length) flTell(this.story, this.recording, t);
    await this.player.drawing;
    if (Math.floor(this.player.t) === t) this.values.replaceChildren(...t ? [this._table(t)] : []);
  }

  _table(t) {
    const { learners, unit } = this.payload;
    const read = this.player.grid.read(t).filter(({ entries }) => entries.length);
    const cell = (entries, slot, format) => {
      const found = entries.find(entry => entry.slot === slot);
      return flElement('td', {}, found ? flNumber(found.value, format) : '–');
    };
    const heads = read.map(({ chart }) => flElement('th', { scope: 'col' }, chart.title));
    const rows = learners.map(({ label }, slot) => flElement('tr', {}, flElement('th', { scope: 'row' }, label),
      ...read.map(({ chart, entries }) => cell(entries, slot, chart.format))));
    const caption = flElement('caption', {}, `Values after ${unit} ${flCount(t)}`);
    return flElement('div.fl-sheet-scroll', { tabindex: 0, role: 'region', 'aria-label': caption.textContent },
      flElement('table', {}, caption, flElement('thead', {}, flElement('tr', {}, flElement('td'), ...heads)),
        flElement('tbody', {}, ...rows)));
  }

  // A hand is near a knob: its stops are read. A hand has left it at a stop: curves alone were recorded there.
  /** @param {{ key: string, value?: number }} turned */
  async turn({ key, value }) {
    const number = this.page.knobs.findIndex(knob => knob.key === key), knob = this.page.knobs[number];
    if (value !== undefined) {
      this.note.hidden = false;
      const home = `${knob.label} = ${knob.texts[knob.value]}`;
      this.note.textContent = `The curves show ${knob.label} = ${knob.texts[value]}. Everything else on this page is `
        + `of the recorded run with ${home}, to which the knob goes back when you turn another one.`;
      return;
    }
    this.note.hidden = true;
    try {
      const turned = await flOpened(await flRead(this.page.stops[number]));
      if (this.player.knobs.near === key) this.player.update({ ...this.payload, turned });
    } catch (error) {
      this.note.hidden = false;
      this.note.textContent = `The stops of this knob could not be read (${flWhy(error)}).`;
      this.player.knobs.near = null;
    }
  }
}
