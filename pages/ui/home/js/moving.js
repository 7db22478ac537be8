// A ranking that moves: what two learners show to the same user in the same steps of a real run.

import { flElement } from '../../draw/js/library.js';
import { flSay } from '../../draw/js/texts.js';

const FL_STAYS = { step: 900, flip: 2400, still: 500 };  // ms that a step stays; one that moves the best document; end

export class Moving {
  // run: { first, best, learners: [{ title, steps: [[order, clicked positions, which are mistakes], …] }, …] }
  constructor(place, run) {
    this.place = place;
    this.run = run;
    this.at = 0;
    this.playing = false;
    this.calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.said = flElement('p.fl-home-said');
    this.button = flElement('button.fl-home-button');
    this.button.type = 'button';
    this.button.addEventListener('click', () => this.play(!this.playing));
    this.lists = run.learners.map((learner, slot) => this._list(learner, slot));
    const picture = flElement('div.fl-home-lists', {}, ...this.lists.map(list => list.root));
    picture.setAttribute('role', 'img');
    picture.setAttribute('aria-label', this._words());
    place.replaceChildren(picture, flElement('div.fl-home-under', {}, this.said, this.button));
    this.show(this.calm ? this._flips()[0] ?? 0 : 0);
    this.play(!this.calm);
  }

  play(on) {
    this.playing = on;
    this.button.textContent = flSay(on ? 'Pause' : 'Play');
    clearTimeout(this.timer);
    if (on) this._wait();
  }

  show(at) {
    this.at = at;
    for (const list of this.lists) {
      const [order, clicks, wrong] = list.steps[at];
      order.forEach((document, place) => {
        const row = list.rows[document], click = clicks.indexOf(place);
        row.style.setProperty('--place', place);
        row.dataset.click = click < 0 ? '' : wrong[click] ? 'wrong' : 'right';
      });
      const rank = order.indexOf(this.run.best) + 1;
      list.rank.textContent = flSay('place {rank}', { rank });
      list.root.dataset.lost = rank > 2;
    }
    this.said.textContent = flSay('Step {t} of a real run', { t: this.run.first + at });
  }

  destroy() {
    clearTimeout(this.timer);
  }

  _wait() {
    const { length } = this.run.learners[0].steps, moved = this._flips().includes(this.at);
    this.timer = setTimeout(() => {
      if (!this.place.isConnected) return;
      if (!document.hidden) this.show((this.at + 1) % length);
      this._wait();
    }, this.at === length - 1 || moved ? FL_STAYS.flip : FL_STAYS.step);
  }

  // The steps at which a learner shows the best document in the last place and did not before.
  _flips() {
    const { learners, best } = this.run;
    return learners.flatMap(({ steps }) => steps.flatMap(([order], i) =>
      i && order.at(-1) === best && steps[i - 1][0].at(-1) !== best ? [i] : []));
  }

  _words() {
    const { learners, best, first } = this.run;
    const said = learners.map(({ title, steps }) => {
      const ranks = steps.map(([order]) => order.indexOf(best) + 1), worst = Math.max(...ranks);
      const below = ranks.filter(rank => rank > 2).length;
      return flSay(
        '{title}: at best in place {high}, at worst in place {worst}, and below place 2 in {below} of {count} steps.',
        { title, high: Math.min(...ranks), worst, below, count: ranks.length });
    });
    const side = flSay('Two rankings of the same documents from step {first} on, side by side.', { first });
    return `${side} ${said.join(' ')}`;
  }

  _list(learner, slot) {
    const rank = flElement('b'), rows = learner.steps[0][0].map((_, document) => {
      const best = document === this.run.best;
      const row = flElement(`div.fl-home-row${best ? '.fl-best' : ''}`, {}, best ? flSay('the good document') : null);
      row.insertAdjacentHTML('beforeend', FL_POINTER);
      return row;
    });
    const head = flElement('div.fl-home-head', {}, flElement('span', {}, learner.title), rank);
    const list = flElement('div.fl-home-rows', {}, ...rows);
    list.style.setProperty('--rows', rows.length);
    const root = flElement('div.fl-home-list', {}, head, list);
    root.dataset.slot = slot;
    return { root, rows, rank, steps: learner.steps };
  }
}

const FL_POINTER = '<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 1v12l3-3 2 5 2-1-2-5h4z"/></svg>';
