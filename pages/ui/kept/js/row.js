// One run in the table. Whatever comes from the store is shown as text, never as markup.

import { flElement } from '../../draw/js/library.js';
import { isTrackingKey } from '../../form/js/tracking.js';
import { change, tagsOf } from './store.js';

const short = (value, digits) => String(Number(value.toPrecision(digits)));
export const when = ms => {
  const day = new Date(ms), year = day.getFullYear() === new Date().getFullYear() ? undefined : 'numeric';
  return day.toLocaleString(undefined, { month: 'short', day: 'numeric', year, hour: 'numeric', minute: '2-digit' });
};
export const named = entry => `${entry.title}, ${when(entry.last)}`;
export const amount = (count, word) => `${count.toLocaleString()} ${word}${count === 1 ? '' : 's'}`;
export const spoken = d => `${d.title} ${d.then} → ${d.now}`;

const sibling = page => location.origin + location.pathname.replace(/[^/]*\/?$/, '') + page;

// A link to the page of kept runs that does not load the app anew, as what only the page remembers would be lost.
export function toRuns(words) {
  const link = flElement('a', { href: sibling('runs') }, words);
  link.addEventListener('click', event => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.pushState({}, '', link.href);
    dispatchEvent(new PopStateEvent('popstate', { state: {} }));
  });
  return link;
}

// Where a run is opened: its own query, without the place of the playhead and what belonged to others.
export function address(entry) {
  const query = new URLSearchParams(entry.query);
  for (const key of [...query.keys()]) if (['t', 'vs'].includes(key) || isTrackingKey(key)) query.delete(key);
  return sibling(entry.page) + (query.size ? `?${query}` : '');
}

export const learnersOf = entry => [...new Set([...entry.learners, ...entry.finals.map(f => f.learner)])];

// The final value of a learner: of the metric with this title, or of its first one.
export function finalOf(entry, learner, metric) {
  return entry.finals.find(f => f.learner === learner && (!metric || f.title === metric));
}

function valueWords({ value, half }) {
  if (value === null) return '–';
  return short(value, 4) + (half === null ? '' : ` ± ${short(half, 2)}`);
}

function sizeWords(entry) {
  const parts = [];
  if (entry.steps !== null) parts.push((entry.reached === null ? '' : `${entry.reached.toLocaleString()} of `) +
    amount(entry.steps, entry.unit));
  if (entry.replicates !== null) parts.push(amount(entry.replicates, 'run'));
  return parts.join(' × ');
}

// The settings other than the defaults that have no column of their own.
export function settingsWords(entry) {
  const apart = /^(learner(-\d)?|dataset|user|steps|replicates|seed|family|(vary|from|to|number|log)-\d)$/;
  const own = Object.entries(entry.settings).filter(([key]) => !apart.test(key))
    .map(([key, value]) => `${entry.names[key] ?? key.replaceAll('_', ' ')} ${value}`);
  return [...entry.over, ...own].join(' · ');
}

// All that the filter looks through.
export const wordsOf = entry => [entry.title, ...learnersOf(entry), entry.data, entry.user, `seed ${entry.seed}`,
  sizeWords(entry), settingsWords(entry), ...entry.tags].join(' ').toLowerCase();

export class Row {
  constructor(table) {
    this.table = table;
    this.open = flElement('a');
    this.time = flElement('time');
    this.values = flElement('div.fl-runs-values', {});
    this.cells = Object.fromEntries(['data', 'user', 'size', 'seed', 'settings'].map(name => [name, flElement('td')]));
    this.pick = flElement('input', { type: 'checkbox', onchange: () => table.pick(this.entry.id, this.pick.checked) });
    this.delete = flElement('button', { type: 'button', title: 'Delete',
      onclick: () => table.delete(this.entry.id) }, '×');
    this.tags = flElement('input', { type: 'text', maxlength: 2000, placeholder: 'tag, tag', list: 'fl-runs-tags',
      oninput: () => change(this.entry.id, { tags: tagsOf(this.tags.value) }, true), onchange: () => table.draw() });
    const titles = { data: 'Data', user: 'User', size: 'Length', seed: 'Seed', settings: 'Settings' };
    for (const [name, cell] of Object.entries(this.cells)) cell.dataset.title = titles[name];
    this.element = flElement('tr.fl-run', {}, flElement('td.fl-runs-pick', {}, flElement('label', {}, this.pick)),
      flElement('th', { scope: 'row' }, this.open, this.time), flElement('td', {}, this.values),
      ...Object.values(this.cells),
      flElement('td', { 'data-title': 'Tags' }, this.tags), flElement('td', {}, this.delete));
  }

  update(entry, metric) {
    this.entry = entry;
    this.open.textContent = entry.title;
    this.open.href = address(entry);
    this.time.textContent = when(entry.last);
    this.time.dateTime = new Date(entry.last).toISOString();
    const finals = learnersOf(entry).map(learner => ({ learner, found: finalOf(entry, learner, metric) }));
    const first = metric ? '' : finals.find(({ found }) => found)?.found.title;
    const heading = first ? [flElement('small', {}, first)] : [];
    this.values.replaceChildren(...heading, ...finals.flatMap(({ learner, found }) => [
      flElement('span', {}, learner, found?.at ? flElement('small', {}, found.at) : null),
      flElement('b', {}, found ? valueWords(found) : '–')]));
    const words = { data: entry.data, user: entry.user, size: sizeWords(entry), seed: entry.seed ?? '',
      settings: settingsWords(entry) };
    for (const [name, cell] of Object.entries(this.cells)) cell.textContent = words[name];
    for (const [element, label] of [[this.pick, 'Select'], [this.open, 'Open'], [this.delete, 'Delete'],
      [this.tags, 'Tags of']]) element.setAttribute('aria-label', `${label} ${named(entry)}`);
    const tags = entry.tags.join(', ');
    if (document.activeElement !== this.tags && this.tags.value !== tags) this.tags.value = tags;
  }
}
