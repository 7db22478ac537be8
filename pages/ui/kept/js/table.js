// The table of all kept runs: sort, filter, select, delete, export and import.

import { flElement } from '../../draw/js/library.js';
import { amount, finalOf, learnersOf, named, Row, wordsOf } from './row.js';
import { download, exported, imported, sheet } from './sheet.js';
import { all, own, put, read, remove, told } from './store.js';

const EMPTY = 'No runs are kept yet. Open a lab and press “Keep”: the run appears here with its learners, data, ' +
  'settings and final values. Here you can tag it, open it again, compare it with others and take it away. ' +
  'Begin with: ';

// The values by which a column is sorted; numbers come before nothing.
const SORTS = {
  Kept: entry => entry.last, Learners: entry => learnersOf(entry).join(' '), Data: entry => entry.data,
  User: entry => entry.user, Length: entry => entry.steps, Seed: entry => entry.seed,
  Settings: entry => Object.values(entry.settings).join(' '), Tags: entry => entry.tags.join(' ') || null,
};

const button = (words, onclick, more = {}) => flElement('button', { type: 'button', onclick, ...more }, words);

export class Table {
  // examples: [address, title] of runs to begin with. most: runs that are selected at a time.
  constructor(root, examples, most) {
    this.rows = new Map();
    this.picked = [];
    this.gone = [];  // deleted, latest last, each a group of entries
    this.most = most;
    this.by = 'Kept';
    this.down = true;
    this.component = null;
    this.status = flElement('p.fl-runs-small', { role: 'status' });
    this.problem = flElement('p.fl-runs-problem', { role: 'alert' });
    this.brokenWords = flElement('span');
    this.broken = flElement('p.fl-runs-problem', {}, this.brokenWords,
      button('Remove them', () => this.sweep()));
    this.count = flElement('b');
    this.filter = flElement('input', { type: 'search', placeholder: 'Filter by learner, setting, tag …',
      'aria-label': 'Filter', list: 'fl-runs-tags', oninput: () => this.draw() });
    this.metric = flElement('select', { 'aria-label': 'Final value', onchange: () => this.draw() });
    this.undo = button('Undo', () => this.restore());
    this.file = flElement('input', { type: 'file', accept: '.json,application/json', hidden: '',
      onchange: () => this.take() });
    this.full = [
      button('CSV', () => download(sheet(this.shown), 'runs.csv', 'text/csv;charset=utf-8'),
        { title: 'Final values of the runs in the table' }),
      button('Export', () => download(exported(this.shown), 'runs.json', 'application/json'),
        { title: 'The runs in the table as a file that another browser imports' }),
      button('Delete all', () => this.ask())];
    this.sure = flElement('dialog', { 'aria-label': 'Delete all' });
    this.bar = flElement('div.fl-runs-bar', {}, this.count, this.filter, ...this.full,
      button('Import', () => this.file.click()), this.file);
    this.said = flElement('div.fl-runs-said', {}, this.status, this.undo);
    this.known = flElement('datalist', { id: 'fl-runs-tags' });
    this.body = flElement('tbody');
    this.heads = Object.keys(SORTS).concat('Value').map(name => button(name, () => this.sort(name)));
    const head = Object.fromEntries(this.heads.map(each => [each.textContent, each]));
    const columns = [[], [head.Kept], [head.Learners, head.Value, this.metric], [head.Data], [head.User],
      [head.Length], [head.Seed], [head.Settings], [head.Tags], []];
    this.table = flElement('table', {}, flElement('thead', {}, flElement('tr', {},
      ...columns.map(inside =>
        flElement(inside.length ? 'th' : 'td', { scope: inside.length ? 'col' : null }, ...inside)))),
      this.body);
    const links = examples.flatMap(([href, title], i) => [i ? ', ' : '', flElement('a', { href }, title)]);
    this.empty = flElement('p.fl-runs-empty', {}, EMPTY, ...links, '.');
    root.replaceChildren(this.problem, this.broken, this.bar, this.said, this.table, this.empty, this.sure, this.known);
  }

  draw() {
    const { entries, broken } = all(), words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.entries = new Map(entries.map(entry => [entry.id, entry]));
    this.offer(entries);
    this.shown = this.sorted(entries.filter(entry => {
      const text = wordsOf(entry);
      return words.every(word => text.includes(word));
    }));
    const there = new Set(this.shown.map(entry => entry.id));
    if (this.picked.some(id => !there.has(id))) this.select(this.picked.filter(id => there.has(id)));
    for (const [id, row] of this.rows) if (!there.has(id)) { row.element.remove(); this.rows.delete(id); }
    this.shown.forEach((entry, place) => {
      const row = this.rows.get(entry.id) ?? new Row(this);
      this.rows.set(entry.id, row);
      const now = this.body.children[place];
      if (now !== row.element) this.body.insertBefore(row.element, now ?? null);
      row.update(entry, this.metric.value);
      row.pick.checked = this.picked.includes(entry.id);
    });
    this.count.textContent = amount(entries.length, 'kept run') +
      (there.size < entries.length ? `, ${there.size.toLocaleString()} shown` : '');
    for (const element of [this.count, this.filter, ...this.full]) element.hidden = !entries.length;
    this.table.hidden = !there.size;
    this.empty.hidden = entries.length > 0;
    this.problem.textContent = own.problem;
    this.problem.hidden = !own.problem;
    this.broken.hidden = !broken.length;
    this.brokenWords.textContent = broken.length === 1 ? '1 stored entry could not be read as a run and is left out. '
      : `${broken.length} stored entries could not be read as runs and are left out. `;
    this.undo.hidden = !this.gone.length;
  }

  // Offers the metrics of all runs, and completes tags and labs.
  offer(entries) {
    const titles = [...new Set(entries.flatMap(entry => entry.finals.map(f => f.title)))];
    const words = [...new Set(entries.flatMap(entry => [...entry.tags, entry.title]))];
    const now = this.metric.value, key = JSON.stringify([titles, words]);
    if (key === this.offered) return;
    this.offered = key;
    this.metric.replaceChildren(flElement('option', { value: '' }, 'first value'),
      ...titles.map(title => flElement('option', { value: title }, title)));
    this.metric.value = titles.includes(now) ? now : '';
    this.known.replaceChildren(...words.map(value => flElement('option', { value })));
  }

  sort(name) {
    this.down = this.by === name && !this.down;
    this.by = name;
    this.draw();
  }

  sorted(entries) {
    const sign = this.down ? -1 : 1, metric = this.metric.value;
    const best = entry => {
      const values = learnersOf(entry).map(learner => finalOf(entry, learner, metric)?.value ?? NaN)
        .filter(Number.isFinite);
      return values.length ? sign * Math.min(...values.map(value => sign * value)) : null;
    };
    const key = SORTS[this.by] ?? best;
    for (const head of this.heads) {
      const here = head.textContent === this.by;
      head.parentElement?.setAttribute('aria-sort', here ? (this.down ? 'descending' : 'ascending') : 'none');
      head.dataset.sorted = here ? (this.down ? 'down' : 'up') : '';
    }
    return entries.map(entry => [key(entry), entry]).sort(([a], [b]) => {
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      return sign * (typeof a === 'number' ? a - b : a.localeCompare(b, undefined, { numeric: true }));
    }).map(([, entry]) => entry);
  }

  pick(id, chosen) {
    if (chosen && this.picked.length >= this.most) {
      this.rows.get(id).pick.checked = false;
      this.say(`At most ${this.most} runs are selected at a time. Untick one first.`);
      return;
    }
    this.select(chosen ? [...this.picked, id] : this.picked.filter(other => other !== id));
  }

  // Tells the server which runs are selected; it compares them and takes them away.
  select(ids) {
    this.picked = ids;
    this.say(ids.length ? `${amount(ids.length, 'run')} selected: see below.` : '');
    this.component.setStateValue('picked', ids.map(id => this.entries.get(id)).filter(Boolean));
  }

  delete(id) {
    const entry = this.entries.get(id);
    if (entry) this.drop([entry], `Deleted the run ${named(entry)}.`);
  }

  drop(entries, words) {
    this.gone.push(entries.map(entry => read(entry.id) ?? entry));
    for (const entry of entries) remove(entry.id, true);
    told();
    this.say(words);
    this.undo.focus();
  }

  restore() {
    const entries = this.gone.pop();
    if (!entries) return;
    for (const entry of entries) put(entry, true);
    told();
    this.say(entries.length === 1 ? `The run ${named(entries[0])} is back.` : `${entries.length} runs are back.`);
    this.rows.get(entries[0].id)?.open.focus();
  }

  async take() {
    const [file] = this.file.files;
    this.file.value = '';
    if (!file) return;
    this.say(imported(await file.text(), file.name));
    told();
  }

  sweep() {
    const { broken } = all();
    for (const id of broken) remove(id, true);
    told();
    this.say('The unreadable entries are removed.');
  }

  ask() {
    const entries = this.shown, close = () => this.sure.close();
    const which = entries.length < this.entries.size ? 'the table shows' : 'are kept';
    this.sure.replaceChildren(
      flElement('p', {}, `Delete ${amount(entries.length, 'run')} that ${which}, with their tags, from this browser?`),
      flElement('div.fl-runs-actions', {}, button('Leave them', close, { autofocus: '' }),
        button('Delete', () => {
          close();
          this.drop(entries, `Deleted ${amount(entries.length, 'run')}.`);
        })));
    this.sure.showModal();
  }

  say(words) { this.status.textContent = words; }
}
