// The list of all runs with what can be done to it.

import { inTheLab, table } from './compare.js';
import { address, amount, make, named, Row } from './row.js';
import { download, sheet } from './sheet.js';
import { all, own, put, read, remove, told } from './store.js';

const EMPTY = 'No runs yet. Open a lab and play a run: it appears here by itself, with its data, settings and the ' +
  'values of every learner. Here you can note what you saw, open a run again, and compare two. Begin with: ';

export class List {
  // examples: [address, title] of runs to begin with.
  constructor(root, examples = []) {
    this.rows = new Map();
    this.picked = [];
    this.gone = [];  // deleted, latest last, each a group of entries
    this.status = make('p', { role: 'status', class: 'fl-runs-small' });
    this.problem = make('p', { role: 'alert', class: 'fl-runs-problem' });
    this.brokenWords = make('span');
    this.broken = make('p', { class: 'fl-runs-problem' }, this.brokenWords,
      make('button', { type: 'button', onclick: () => this.sweep() }, 'Remove them'));
    this.count = make('b');
    this.compare = make('a', { class: 'fl-runs-button' }, 'Compare');
    this.aside = make('button', { type: 'button', onclick: () => this.beside() });
    this.undo = make('button', { type: 'button', onclick: () => this.restore() }, 'Undo');
    this.csv = make('button', { type: 'button', onclick: () => {
      download(sheet(all().entries, address), 'runs.csv');
    } }, 'Download all as CSV');
    this.clear = make('button', { type: 'button', onclick: () => this.ask() }, 'Clear all');
    this.sure = make('dialog', { 'aria-label': 'Clear all' });
    this.bar = make('div', { class: 'fl-runs-bar' }, this.count, this.compare, this.aside, this.csv, this.clear);
    this.said = make('div', { class: 'fl-runs-said' }, this.status, this.undo);
    this.table = make('div', { class: 'fl-runs-table', tabindex: -1, role: 'region', 'aria-label': 'Comparison' });
    this.list = make('ol');
    const links = examples.flatMap(([href, title], i) => [i ? ', ' : '', make('a', { href }, title)]);
    this.empty = make('p', { class: 'fl-runs-empty' }, EMPTY, ...links, '.');
    root.replaceChildren(this.problem, this.broken, this.bar, this.said, this.table, this.list, this.empty, this.sure);
  }

  draw() {
    const { entries, broken } = all();
    this.entries = new Map(entries.map(entry => [entry.id, entry]));
    this.picked = this.picked.filter(id => this.entries.has(id));
    for (const [id, row] of this.rows) {
      if (!this.entries.has(id)) { row.element.remove(); this.rows.delete(id); }
    }
    const oldest = new Map(entries.map(entry => [entry.page, entry.id]));  // the last one set
    entries.forEach((entry, place) => {
      const row = this.rows.get(entry.id) ?? new Row(this);
      this.rows.set(entry.id, row);
      if (this.list.children[place] !== row.element) this.list.insertBefore(row.element, this.list.children[place]);
      row.update(entry, oldest.get(entry.page) === entry.id);
      row.pick.checked = this.picked.includes(entry.id);
    });
    this.count.textContent = amount(entries.length, 'run');
    this.bar.hidden = !entries.length;
    this.empty.hidden = entries.length > 0;
    this.problem.textContent = own.problem;
    this.problem.hidden = !own.problem;
    this.broken.hidden = !broken.length;
    this.brokenWords.textContent = broken.length === 1 ? '1 stored entry could not be read as a run and is left out. '
      : `${broken.length} stored entries could not be read as runs and are left out. `;
    this.undo.hidden = !this.gone.length;
    this.offer();
  }

  // Offers what can be done with the runs that are picked.
  offer() {
    const pair = this.pair();
    const together = pair !== null && pair[0].page === pair[1].page;
    this.compare.hidden = !together;
    if (together) {
      this.compare.href = inTheLab(...pair);
      this.compare.setAttribute('aria-label', `Compare: open the later run of ${pair[1].title} with the other pinned`);
    }
    this.aside.hidden = pair === null;
    this.aside.textContent = together ? 'Side by side' : 'Compare';
    if (pair === null) this.table.replaceChildren();
    else if (this.table.children.length) this.table.replaceChildren(table(...pair));
  }

  // The two runs picked, the older one first, or null.
  pair() {
    const found = this.picked.map(id => this.entries.get(id)).sort((a, b) => a.last - b.last);
    return found.length === 2 ? found : null;
  }

  pick(id, chosen) {
    this.picked = this.picked.filter(other => other !== id);
    if (chosen) this.picked.push(id);
    if (this.picked.length > 2) this.rows.get(this.picked.shift()).pick.checked = false;
    const left = 2 - this.picked.length;
    this.say(left === 2 ? '' : left === 1 ? 'Pick one more run to compare.' : 'Two runs are picked for comparison.');
    this.table.replaceChildren();
    this.offer();
  }

  beside() {
    const pair = this.pair();
    if (!pair) return;
    this.table.replaceChildren(table(...pair));
    this.table.focus();
  }

  delete(id) {
    const entry = this.entries.get(id);
    if (!entry) return;
    this.drop([entry], `Deleted the run ${named(entry)}.`);
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
    for (const entry of entries) put(entry);
    this.say(entries.length === 1 ? `The run ${named(entries[0])} is back.` : `${entries.length} runs are back.`);
    this.rows.get(entries[0].id)?.title.focus();
  }

  sweep() {
    const { broken } = all();
    for (const id of broken) remove(id, true);
    told();
    this.say('The unreadable entries are removed.');
  }

  ask() {
    const entries = [...this.entries.values()];
    const close = () => this.sure.close();
    this.sure.replaceChildren(
      make('p', {}, `Delete ${amount(entries.length, 'run')} with all notes from this browser?`),
      make('div', { class: 'fl-runs-actions' },
        make('button', { type: 'button', onclick: close, autofocus: true }, 'Keep them'),
        make('button', { type: 'button', onclick: () => {
          close();
          this.drop(entries, `Deleted ${amount(entries.length, 'run')}.`);
        } }, 'Delete all')));
    this.sure.showModal();
  }

  say(words) { this.status.textContent = words; }
}
