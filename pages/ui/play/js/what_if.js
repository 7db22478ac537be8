// What if: the event under the playhead offers its question, and below its line stand the answers, as far as they are
// known. The curves that belong to them are drawn by `curves.js`.

import { flDrawing, flElement, flDashOf, flShared } from '../../draw/js/library.js';
import { flSay } from '../../draw/js/texts.js';

export class WhatIfs {
  constructor(player) {
    this.player = player;
    this.offers = flShared.offers ?? {};
    this.offered = '';
    this.told = '';
    this.place = flElement('span.fl-if');
    this.list = flElement('div.fl-answers', { 'aria-live': 'polite' });
  }

  // Takes what can be asked at the step at which the playhead rests, from the server.
  offer(offers) {
    this.offers = offers ?? {};
    this.show();
  }

  // The question of the event under the playhead, unless it was asked; called at each frame.
  show() {
    const { player, offers } = this, { payload } = player, t = Math.floor(player.t);
    const event = !player.playing && offers.run === payload?.run && offers.t === t && player.events.latest(t);
    const found = event && event.t === t && offers.offers.find(({ asked }) =>
      asked.slot === event.slot && asked.kind === event.kind && asked.replicate === event.replicate);
    const known = found && (payload.asked ?? []).some(({ asked }) => flSame(asked, found.asked));
    const now = found && !known ? JSON.stringify(found) : '';
    if (now === this.offered) return;
    this.offered = now;
    this.place.replaceChildren(...now ? [this._button('fl-ask', found.question, found.help, found.asked)] : []);
  }

  update(payload) {
    const { asked = [], learners, other } = payload, told = JSON.stringify([asked, learners, other]);
    if (told !== this.told) {
      this.told = told;
      this.list.replaceChildren(...asked.map((one, i) => this._answer(one, i, payload)));
    }
    this.show();
  }

  _answer({ asked, question, answer }, number, { learners, other }) {
    const stroke = { stroke: other, 'stroke-width': 3, 'stroke-dasharray': flDashOf(number) };
    const sample = flDrawing(34, 8, { line: { x1: 0, x2: 34, y1: 4, y2: 4, ...stroke } });
    const who = learners.length > 1 ? `${learners[asked.slot]?.label}: ` : '';
    const said = flElement('span', {}, `${who}${answer || `${question} ${flSay('The other run is computed …')}`}`);
    const made = flElement('div.fl-answer', { title: question, 'data-known': Boolean(answer) }, sample, said);
    if (!this.player.host.alone) {
      const remove = this._button('fl-forget', '×', flSay('Remove this answer and its curve'),
        { ...asked, forget: true });
      remove.setAttribute('aria-label', remove.title);
      made.append(remove);
    }
    return made;
  }

  _button(name, words, title, asked) {
    const made = flElement(`button.${name}`, { type: 'button', title }, words);
    made.addEventListener('click', () => {
      this.player.host.ask(asked);
      this.player.controls.play.focus({ preventScroll: true });  // the button goes
      made.disabled = true;
    });
    return made;
  }
}

function flSame(one, other) {
  return ['slot', 't', 'replicate', 'id'].every(name => one[name] === other[name]);
}
