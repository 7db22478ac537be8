// One run in the list. Whatever comes from the store is shown as text, never as markup.

import { isTrackingKey } from '../../form/js/tracking.js';
import { spoken } from './sheet.js';
import { change } from './store.js';

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter(child => child != null));
  return element;
}

export const short = value => (value === null ? '–' : String(Number(value.toPrecision(4))));
export const when = ms => new Date(ms).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
export const named = entry => `${entry.title}, ${when(entry.last)}`;
export const amount = (count, word) => `${count.toLocaleString()} ${word}${count === 1 ? '' : 's'}`;

// Where a run is opened: its own query, without the place of the playhead and what belonged to others.
export function address(entry, more = {}) {
  const query = new URLSearchParams(entry.query);
  for (const key of [...query.keys()]) if (key === 't' || isTrackingKey(key)) query.delete(key);
  for (const [key, value] of Object.entries(more)) query.set(key, value);
  const above = location.pathname.replace(/[^/]*\/?$/, '');
  return location.origin + above + entry.page + (query.size ? `?${query}` : '');
}

function differencesOf(entry, first) {
  if (entry.differences.length) return entry.differences.map(spoken).join(' · ');
  return first ? 'The first run of this lab.' : 'The settings of the run before.';
}

export function size(entry) {
  const parts = [];
  if (entry.steps !== null) parts.push((entry.reached === null ? '' : `${entry.reached.toLocaleString()} of `) +
    amount(entry.steps, entry.unit));
  if (entry.replicates !== null) parts.push(amount(entry.replicates, 'replicate'));
  return parts.join(' × ');
}

function finals(entry) {
  const learners = [...new Set([...entry.learners, ...entry.finals.map(f => f.learner)])];
  return learners.map(learner => {
    const values = entry.finals.filter(f => f.learner === learner).map(f => `${f.title} ${short(f.value)}`);
    return make('li', {}, make('b', {}, learner), make('small', {}, values.join(' · ')));
  });
}

export class Row {
  constructor(list) {
    this.list = list;
    this.title = make('h3', { tabindex: -1 });
    this.time = make('time');
    this.size = make('span');
    this.about = make('p', { class: 'fl-runs-small' });
    this.differences = make('p', { class: 'fl-runs-differences' });
    this.finals = make('ul');
    this.pick = make('input', { type: 'checkbox', onchange: () => list.pick(this.entry.id, this.pick.checked) });
    this.open = make('a', { class: 'fl-runs-button' }, 'Reopen');
    this.delete = make('button', { type: 'button', onclick: () => list.delete(this.entry.id) }, 'Delete');
    this.note = make('textarea', { rows: 1, maxlength: 2000, placeholder: 'Note',
      oninput: () => { this.grow(); change(this.entry.id, { note: this.note.value }); } });
    this.element = make('li', { class: 'fl-run' },
      make('div', { class: 'fl-runs-head' }, make('div', {}, this.title,
        make('p', { class: 'fl-runs-small' }, this.time, this.size)),
      make('div', { class: 'fl-runs-actions' },
        make('label', {}, this.pick, ' Compare'), this.open, this.delete)),
      this.about, this.differences, this.finals, this.note);
  }

  update(entry, first) {
    this.entry = entry;
    this.title.textContent = entry.title;
    this.time.textContent = when(entry.last);
    this.time.dateTime = new Date(entry.last).toISOString();
    this.size.textContent = [size(entry), entry.times > 1 ? `run ${entry.times} times` : ''].filter(Boolean)
      .map(part => ` · ${part}`).join('');
    this.about.textContent = entry.about;
    this.about.hidden = !entry.about;
    this.differences.textContent = differencesOf(entry, first);
    this.finals.replaceChildren(...finals(entry));
    this.open.href = address(entry);
    for (const [element, words] of [[this.pick, 'Compare'], [this.open, 'Reopen'], [this.delete, 'Delete'],
      [this.note, 'Note on']]) element.setAttribute('aria-label', `${words} ${named(entry)}`);
    if (document.activeElement !== this.note && this.note.value !== entry.note) this.note.value = entry.note;
    this.grow();
  }

  grow() {
    this.note.style.height = 'auto';
    if (this.note.scrollHeight) this.note.style.height = `${this.note.scrollHeight + 2}px`;
  }
}
