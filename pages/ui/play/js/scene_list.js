// The list of documents of one learner. Rows slide to their places; only what has changed is touched.

import { flElement } from '../../draw/js/library.js';
import { flSay } from '../../draw/js/texts.js';
import { flSceneHead, flSceneSign, flSceneSigns } from './scene_signs.js';

const FL_MARKS = [  // what the user did with a document, by number
  null,
  { sign: 'click', words: 'clicked', told: 'clicked' },
  { sign: 'cross', words: 'wrong click', told: 'clicked by mistake' },
  { sign: 'ring', words: 'overlooked', told: 'passed over by mistake' },
];

export class SceneList {
  static key = [
    ['star', 'most relevant'], ['click', 'clicked'], ['cross', 'clicked by mistake'], ['ring', 'overlooked'],
    [null, 'the greener, the more relevant; the learner does not see it'],
  ];

  static places = 'predicted';

  constructor(scene, learner) {
    this.scene = scene;
    this.learner = learner;
    this.rows = new Map();
    this.spare = [];
    this.of = null;
    this.list = flElement('div.fl-s-rows');
    this.said = flElement('span.fl-s-said');
    this.element = flElement('div.fl-s-list', {}, flElement('div.fl-s-heads', {}, flSceneHead(learner), this.said,
      flElement('span.fl-s-head-was', {}, flSay(new.target.places))), this.list);
    this.images = Boolean(scene.faces?.images);
    this.slots = scene.faces?.slots ?? Infinity;
  }

  query({ query: [number] }) {
    return this.scene.faces?.query(number) ?? '';
  }

  // The rows drawn, in the order of the list: one entry for each document.
  read(columns) {
    const { query: [query], doc, row, place, predicted, returned, green, mark, pair, best: [best] } = columns;
    const { team, fixed, outcome } = columns;
    const found = [];
    for (let i = 0; i < doc.length; i++) {
      if (doc[i] < 0) continue;
      const at = place ? place[i] : i, { faces } = this.scene, name = `d${doc[i] + 1}`;
      found.push({
        id: doc[i], line: found.length, row: row ? row[i] : -1, name: row ? faces.name(row[i], name) : name, place: at,
        was: predicted[i], to: returned[i], green: green[i], mark: mark[i], pair: pair[i], best: doc[i] === best,
        team: team ? team[i] : -1, fixed: fixed ? fixed[i] : -1,
      });
    }
    return { query, entries: found, lines: doc.length, outcome: outcome?.[0] };
  }

  // How many rows will slide.
  moved({ query, entries }) {
    const slides = ({ id, line }) => (this.rows.get(id)?.now.line ?? line) !== line;
    return query === this.of ? entries.filter(slides).length : 0;
  }

  show({ query, entries, lines }, moves) {
    const anew = query !== this.of;
    if (lines !== this.lines) this.list.style.setProperty('--fl-s-lines', this.lines = lines);
    this.of = query;
    const last = new Map(anew ? [] : this.rows);
    const free = anew ? [...this.rows.values(), ...this.spare] : this.spare;
    if (!anew) for (const [id, row] of this.rows) if (!entries.some(entry => entry.id === id)) free.push(row);
    this.rows = new Map();
    const begun = [];
    for (const entry of entries) {
      let row = last.get(entry.id);
      if (!row) {
        row = free.shift() ?? new SceneRow(this);
        // a document that was not here slides in from where the learner had predicted it, if there is time to see it
        const from = Math.min(entry.was, entries.length);
        row.begin(moves || !anew || from < 0 ? entry.line : from);
        begun.push(row);
      }
      this.rows.set(entry.id, row);
    }
    if (begun.length) {
      if (!moves) void this.list.offsetHeight;  // so that they slide
      begun.forEach(row => row.go());
    }
    for (const entry of entries) this.rows.get(entry.id).show(entry);
    this.spare = free.filter(row => ![...this.rows.values()].includes(row));
    this.spare.forEach(row => row.leave());
  }

  tell({ entries }) {
    const list = entries.map(({ name, place, was, to, mark, pair, best }) => [
      place < 0 ? flSay('not shown: {name}', { name }) : `${place + 1}: ${name}`,
      best ? flSay('the most relevant') : '',
      was >= 0 && was !== place ? flSay('predicted at {place}', { place: was + 1 }) : '', pair ? flSay('swapped') : '',
      FL_MARKS[mark] ? flSay(FL_MARKS[mark].told) : '',
      to >= 0 ? flSay('the user moved it to {place}', { place: to + 1 }) : '',
    ].filter(Boolean).join(', '));
    return flSay('{learner} showed {what}.', { learner: this.learner.label, what: list.join('; ') });
  }
}

// The list that compares a learner with a fixed ranker.
export class SceneComparison extends SceneList {
  static key = SceneList.key.filter(([sign]) => sign !== 'ring');

  static places = 'learner · fixed';

  show(read, moves) {
    super.show(read, moves);
    const said = flSay(SceneComparison.verdict(read));
    if (this.said.textContent !== said) this.said.textContent = said;
  }

  static verdict({ outcome }) {
    return outcome > 0 ? 'wins' : outcome < 0 ? 'loses' : 'ties';
  }

  tell(read) {
    const teams = read.entries.map(({ place, team }) => flSay(team ? '{place} by the learner'
      : '{place} by the fixed ranker', { place: place + 1 })).join(', ');
    const verdict = flSay(SceneComparison.verdict(read));
    return `${super.tell(read)} ${flSay('Placed {teams}. The learner {verdict}.', { teams, verdict })}`;
  }
}

// One document in a list: its place, a bracket if it was swapped, its face, what the user did, and the place predicted.
class SceneRow {
  constructor(list) {
    this.list = list;
    this.now = {};
    this.place = flElement('span.fl-s-place');
    this.image = list.images ? flElement('span.fl-s-image') : null;
    this.name = flElement('span.fl-s-name');
    this.star = flSceneSign('star');
    this.star.classList.add('fl-s-star');
    this.sign = flSceneSign('click');
    this.words = flElement('span.fl-s-words');
    this.mark = flElement('span.fl-s-mark', {}, this.sign, this.words);
    this.team = flElement('span.fl-s-team');
    this.was = flElement('span.fl-s-was');
    const face = this.image ? [this.image, this.name] : [this.name];
    this.element = flElement('div.fl-s-row', {}, this.place, flElement('span.fl-s-pair'),
      flElement('span.fl-s-card', {}, ...face, this.star, this.team, this.mark), this.was);
    list.list.append(this.element);
  }

  // Puts it on a line at once.
  begin(line) {
    this.element.classList.add('fl-s-still');
    this.element.hidden = false;
    this._put(line);
  }

  go() {
    this.element.classList.remove('fl-s-still');
  }

  leave() {
    if (!this.element.hidden) this.element.hidden = true;
  }

  show({ line, place, row, name, was, to, green, mark, pair, best, team, fixed }) {
    const { element } = this, data = element.dataset;
    this._put(line);
    this._change('place', place, () => {
      this.place.textContent = place < 0 ? '–' : place + 1;
      element.classList.toggle('fl-s-unseen', place < 0);
    });
    this._change('name', `${name} ${row}`, () => {
      this.name.textContent = this.name.title = name;
      if (this.image) this.list.scene.faces.paint(this.image, row, 24);
    });
    this._change('was', `${was} ${place} ${fixed}`, () => {
      this.was.textContent = was < 0 ? '' : fixed < 0 ? was + 1 : `${was + 1} · ${fixed + 1}`;
      this.was.classList.toggle('fl-s-other', was !== place);
    });
    this._change('green', green, () => element.style.setProperty('--fl-s-green', `${Math.round(green * 0.55)}%`));
    this._change('mark', `${mark} ${to}`, () => this._mark(mark, to));
    this._change('pair', pair, () => { data.pair = ['', 'upper', 'lower'][pair]; });
    this._change('best', best, () => this.star.classList.toggle('fl-s-none', !best));
    this._change('team', team, () => { 
      data.team = ['fixed', 'learner'][team] ?? '';
      this.team.textContent = flSay(data.team);
    });
  }

  _put(line) {
    this._change('line', line, () => { this.element.style.transform = `translateY(${100 * line}%)`; });
  }

  _mark(mark, to) {
    const { sign, words } = FL_MARKS[mark] ?? (to >= 0 ? { sign: 'up', words: 'moved to {place}' } : {});
    this.mark.classList.toggle('fl-s-none', !sign);
    this.mark.dataset.mark = sign ?? '';
    if (sign) this.sign.firstElementChild.setAttribute('d', flSceneSigns[sign]);
    this.words.textContent = words ? flSay(words, { place: to + 1 }) : '';
  }

  _change(what, value, act) {
    if (this.now[what] === value) return;
    this.now[what] = value;
    act();
  }
}
